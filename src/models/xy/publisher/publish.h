#pragma once
// Makes T1 so that its join with earlier releases keeps what is promised: TDS4SA of Wang and Fung
// (KDD 2006, Algorithm 1). Only the columns of T1 that some requirement names in X are generalised.
//
// Every step is the valid one of the highest InfoGain / (PrivLoss + 1); ties go to the first
// column, then to the first place. PrivLoss is the fall of A_Y(X) or the rise of L_Y(X); with
// several requirements the largest of these relative to A before or L after the step, as numbers of
// people and shares do not compare. Validity is exact for any X and Y. At the end no single further
// specialisation is valid (of an interval: its one split).
//
// A step that breaks a promise is dropped for good only where it would break it later as well: Y is
// in T1 alone, X names all columns of T1 that decide what a row of it matches, and no row of T1
// dangles. Elsewhere specialising may mend what it broke, against the paper's Lemmas 4.1 and 4.2:
// with keys of both tables in Y, the least product of a class may rise when the class falls apart
// (publish_test.cc has eight people for whom it does); and where X lacks a join column, an x adds
// up several alternatives and may lose some of them. Such steps are looked at again.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reissue/core/parallel.h"
#include "reissue/core/progress.h"
#include "reissue/core/result.h"
#include "reissue/models/xy/release/linked.h"
#include "reissue/taxonomy/cut.h"

namespace reissue::models::xy {

// T1 as the holder has it: distinct combinations with counts. A code is a leaf rank (column with a
// tree), the rank of a number in `numbers` (continuous column), or a plain code.
struct Source {
  struct Column {
    std::shared_ptr<const taxonomy::Taxonomy> tree;  // null: no taxonomy
    std::vector<double> numbers;                     // continuous: ascending, distinct
    bool continuous() const { return !numbers.empty(); }
  };
  std::vector<Column> columns;
  Cells cells;  // key: one code per column, then one class code if class_values > 0
  std::uint32_t class_values = 0;
};

// What a step brings: the fall of the class entropy in the rows with v (equation 2); the rows with
// v, of an interval Σ rows · how much narrower they get, as a share of the whole range; the fall of
// Σ rows² over the combinations on the generalised columns.
enum class Gain { kClass, kDistortion, kDiscernibility };
// kPaper: one descent. kDefault: also by InfoGain alone, column by column and in shuffled orders,
// fewer of them the larger the table; the one that costs least (Σ rows · entropy over the columns,
// distortion, Σ rows²), never more than the paper's. By class: of that, the paper's and what
// distorts least, the one from which decision trees predict the class best. The same for any number
// of threads.
enum class Search { kDefault, kPaper };

struct PublishOptions {
  Gain gain = Gain::kDistortion;
  Search search = Search::kPaper;
};

struct Outcome {
  // Per column: the cut (with a tree and generalised); empty otherwise.
  std::vector<std::optional<taxonomy::Cut>> cuts;
  // Per column: continuous and generalised: ranks where an interval begins, ascending, the first 0;
  // empty otherwise. Interval i stands for ranks [begin[i], begin[i + 1]).
  std::vector<std::vector<std::uint32_t>> intervals;
  std::uint64_t steps = 0;
  std::uint64_t reexamined = 0;  // candidates that became valid after having been refused
};

// `prior` are tables 1, 2, …; `joins`, `inconsistent` and `requirements` are as in Linked, with
// table 0 being `source` (its columns in the same order). In requirements and inconsistent pairs,
// codes of table 0 are: a raw NodeId (tree), a plain code otherwise.
// Errors: kPromise where no release keeps all requirements, or none was found (see Refusal); kUsage
// where the gain needs a class and there is none, or where a pair or sensitive value names a number
// of a column that becomes intervals; kMachine where X does not tell what T1 matches and several
// earlier releases match each other in too many ways to be held. A column in Y of one requirement
// and in X of another is generalised; distinct y and sensitive values are then those of what is
// published, and every candidate asks the adversary, which is slow.
Result<Outcome> Publish(const Source& source, std::span<const LinkedTable> prior,
                        const std::vector<std::vector<Attribute>>& joins,
                        const std::vector<Inconsistent>& inconsistent,
                        std::span<const Requirement> requirements, const PublishOptions& options,
                        ThreadPool& pool, Progress& progress);

// Why there is no release. Everything at the root breaks the requirement; where that is not the end
// of it (hopeless), other recodings were looked at, all or as many as fit a limit of work.
struct Refusal {
  std::size_t requirement = 0;
  bool hopeless = false;  // every release breaks it
  bool all_seen = false;  // no release keeps all requirements; otherwise none was found
  std::string found;      // what breaks it, in words
};
// Nothing where Publish makes a release; without the search for a good one. Other errors as there.
Result<std::optional<Refusal>> Refused(const Source& source, std::span<const LinkedTable> prior,
                                       const std::vector<std::vector<Attribute>>& joins,
                                       const std::vector<Inconsistent>& inconsistent,
                                       std::span<const Requirement> requirements,
                                       Progress& progress);

// T1 as published by an outcome. Columns that are not generalised stay at their leaves (NodeIds of
// leaves, plain codes; a continuous column that is not generalised: its ranks as plain codes).
LinkedTable Published(const Source& source, const Outcome& outcome);

}  // namespace reissue::models::xy
