#pragma once
// Makes one release that keeps its promise at little cost: top-down specialisation over cuts (the
// framework of Fung, Wang, Fu and Pei, EDBT 2008, Algorithm 1, for one table), with searches of our
// own. Works on distinct combinations, never on rows.

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reissue/core/cells.h"
#include "reissue/core/parallel.h"
#include "reissue/core/progress.h"
#include "reissue/core/result.h"
#include "reissue/models/k/release/guarantee.h"
#include "reissue/taxonomy/cut.h"
#include "reissue/taxonomy/space_tree.h"
#include "reissue/taxonomy/taxonomy.h"

namespace reissue::models::k {

// The table as leaf combinations: key = leaf ranks of the quasi-identifiers, one sensitive code
// (0 where there is none), then one class code if has_class.
struct LeafCells {
  std::vector<std::shared_ptr<const taxonomy::Taxonomy>> taxonomies;
  Cells cells;
  std::uint32_t sensitive_values = 1;
  std::uint32_t class_values = 0;  // 0: no class column
  // By column and node: what it hides of a row, for the scores kLoss and kDistortion. Empty: its
  // share of the range or of the leaves, or the levels (problem.h).
  std::vector<std::vector<double>> hidden;
  // Nothing above these cuts may be published. Empty: everything may.
  std::vector<taxonomy::Cut> ceilings;
  // Nothing below these cuts may be published, nor do the cells tell what is below them. At or
  // below the ceilings. Empty: everything may.
  std::vector<taxonomy::Cut> floors;
};

enum class Score { kDiscernibility, kDistortion, kLoss, kClass };
enum class Search {
  kDefault,  // greedy by gain, restarts and local improvement within the budget
  kGreedy,   // one descent, largest gain first
  kPaper,    // the paper's score, one descent
  kOptimal,  // branch and bound after kDefault, which it is never worse than
};

struct PublishOptions {
  Score score = Score::kLoss;
  Search search = Search::kDefault;
  // Effort of the search in seconds of a nominal machine: it is counted in work, not by the clock,
  // so the result depends on the seed alone.
  double budget_seconds = 3;
  std::uint64_t seed = 1;
  std::uint64_t suppression_limit = 0;  // rows that may be left out
  // Local recoding, of a series: rows are starred instead of left out. They must keep the promise
  // together.
  bool starred = false;
  // Local recoding, of a series: how many newcomers a release will have per row of the one before.
  double growth = 0;
  // kDefault, of a series, without suppression and but for kClass: what one descent ends at is
  // taken, unless something is cheaper by more than a tenth. The descent is asked to its end, as
  // with kGreedy.
  bool lasting = false;
  bool compare = true;  // kPaper: make the greedy descent too, for greedy_cost (0 otherwise)
  // kGreedy, kPaper and `lasting`, in a series: the descent is asked to its end, whatever the
  // budget.
  bool to_the_end = true;
};

// A table recoded by boxes of a tree.
struct LocalRecoding {
  static constexpr taxonomy::SpaceTree::Box kLeftOut =
      std::numeric_limits<taxonomy::SpaceTree::Box>::max();
  taxonomy::SpaceTree tree;
  // For every leaf of the tree the box that stands for it: itself or one above it, or kLeftOut.
  std::vector<taxonomy::SpaceTree::Box> shown;  // by box
  // For every leaf of the tree whether its newcomers are starred, told with the root of every
  // column; empty: nobody's are.
  std::vector<std::uint8_t> starred;  // by box
};

struct Outcome {
  std::vector<taxonomy::Cut> cuts;  // per quasi-identifier; none where it is local
  std::shared_ptr<const LocalRecoding> local;
  std::vector<std::vector<NodeId>> suppressed;  // cells left out, as cut nodes; sorted
  std::uint64_t suppressed_rows = 0;
  std::uint64_t starred_rows = 0;    // newcomers and those who were starred before
  double cost = 0;                   // of `score`, normalised as in metrics/
  double greedy_cost = 0;            // what one descent by gain ends at
  std::optional<double> paper_cost;  // what the paper's descent ends at, where it was made
  // The cheapest that was found, where what one descent ends at was taken (`lasting`).
  std::optional<double> passing_cost;
  std::uint64_t descents = 0;
  bool optimal = false;       // proven: no recoding by cuts is cheaper
  bool floors = false;        // of those at or above the floors of the table
  bool gave_up = false;       // kOptimal: the proof took too long
  std::uint64_t visited = 0;  // states the exact search looked at
  std::uint64_t work = 0;     // tuple visits; what one core did alone counts twice
};

// kOptimal gives its proof up after 20 times the budget, and takes the best so far. kDefault spends
// up to a tenth of its budget on a proof, so small problems come back optimal; it stops
// early after a long stretch without improvement, and is never worse than kGreedy and kPaper (with
// suppression together with t or β: as long as the budget lasts), unless `lasting` is asked for.
// Whoever allows more rows to be left out gets no worse a release (kOptimal: where proven). Two
// thirds of the budget go into the release that leaves nobody out; without suppression that is all.
// With the score kClass kDefault also searches by loss, and takes what decision trees predict the
// class from with fewest errors (predict.h): what costs least tells each column for itself.
// kOptimal refuses (kUsage) suppression together with t, β or the score kClass.
//
// Whole cells are left out, never all of them. kPromise where no release keeps the promise (the
// message says which promise and by how much), or where none was found among the recodings that
// leave rows out; allowing more of them never makes that so. kUsage if kOptimal is asked for what
// it cannot do. `progress` counts work.
Result<Outcome> Publish(const LeafCells& table, const Guarantee& guarantee,
                        const PublishOptions& options, ThreadPool& pool, Progress& progress);

// Ok where Publish finds a release, its error where not; without the search for a good one.
Status Publishable(const LeafCells& table, const Guarantee& guarantee,
                   std::uint64_t suppression_limit, Progress& progress);

// A table recoded by cuts, as its readers see it: nodes, then a sensitive code.
Cells Recoded(const LeafCells& table, const std::vector<taxonomy::Cut>& cuts);

}  // namespace reissue::models::k
