#pragma once
// Attacks files of which nothing is known but what is in them: no policy, no promise, no vault.
// What is certain is said in absolute terms, as from–to (docs/design/0011).

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/binding/words.h"
#include "reissue/contract/reports.h"
#include "reissue/core/result.h"
#include "reissue/survey/published.h"

namespace reissue::engine {

struct SurveyRequest {
  std::vector<std::string> files;  // oldest first
  // What columns are; the others are guessed. Columns may be named once.
  std::vector<std::string> quasi, sensitive, identifiers, dropped;
  // Which labels contain which: a column and a hierarchy file. Readers may know such a column.
  struct ColumnTaxonomy {
    std::string column, file;
  };
  std::vector<ColumnTaxonomy> taxonomies;
  // Of which the files are samples: how many people there are, or which share of them is in a file.
  std::optional<std::uint64_t> population;
  std::optional<double> fraction;
  std::size_t worst = contract::kWorstShown;
};

// Plain values, for people and programs.
struct SurveyReport {
  using FromTo = survey::FromTo;

  struct Column {
    std::string name;
    std::string role;    // "quasi", "sensitive", "identifier", "drop"
    std::string reason;  // why it was guessed; "as told" where it was not
    bool guessed = true;
    bool names = false;    // a guessed identifier that says who it is: everybody is exposed
    std::string notation;  // "text", "numbers", "dates", "codes", "taxonomy"; of quasi-identifiers
    std::string taxonomy;  // its file
    std::uint64_t labels = 0;             // different ones, over all files
    std::vector<std::string> texts;       // of quasi-identifiers, in their order
    bool ranges = false;                  // some stand for several values
    bool cut = false;                     // shorter codes are taken for beginnings of longer ones
    bool overlap = false;                 // some overlap, and neither contains the other
    std::uint64_t missing = 0;            // rows without a value, read as `*`
    std::vector<std::string> missing_as;  // how they write that
    std::uint64_t odd = 0;                // labels that are no number (or date) among such
    std::uint64_t unshared = 0;        // rows with a text that not all files with the column have
    std::vector<std::uint32_t> files;  // that have it, from 0
  };
  std::vector<Column> columns;

  // What other tools count: groups of equal rows. Worst groups.
  struct Measures {
    std::string sensitive;
    std::uint32_t distinct = 0;
    double entropy = 0, recursive = 0, alpha = 0, t = 0, beta = 0, delta = 0;
    FromTo certain;               // rows of which its value is certain
    std::uint64_t one_value = 0;  // rows in groups of equal rows that have one value
  };
  struct Population {
    double size = 0, fraction = 0;
    std::string estimator;
    double uniques = 0, sample_uniques = 0;
    double journalist_highest = 0, journalist_average = 0;
  };
  struct File {
    std::string file;
    std::uint64_t rows = 0, groups = 0, smallest = 0, unique_rows = 0;
    FromTo singled_out;                    // rows
    std::optional<FromTo> value_certain;   // rows; null: nothing is sensitive
    FromTo exposed;                        // either
    FromTo fewest_matching;                // rows that match somebody
    std::uint64_t fewest_overlapping = 0;  // rows that overlap a row
    double highest_risk_from = 0, highest_risk_to = 0;
    double average_risk_from = 0, average_risk_to = 0;
    std::vector<Measures> measures;
    std::optional<Population> population;
    std::vector<std::string> identifiers;  // published ones: told, or names of people
    std::uint64_t unfinished = 0;          // groups at the limit of work
  };
  std::vector<File> files;

  // One way in which several files may belong together.
  struct Assumption {
    enum class Kind { kChanged, kGrew, kJoined } kind = Kind::kChanged;
    enum class Verdict {
      kPlayed,        // the numbers below count
      kContradicted,  // the files cannot be so; `why` says by what
      kLeftOut,       // not played; `why` says why
    } verdict = Verdict::kPlayed;
    std::vector<std::uint32_t> files;  // from 0
    std::string sensitive;             // the column that was looked at, where there is one
    std::vector<std::string> common;   // kJoined: the columns
    std::string why;
    // Rows of each of `files`; of kGrew one number, people of the newest; of kJoined those of the
    // first file that lead to the second.
    struct Exposed {
      std::uint32_t file = 0;
      FromTo singled_out;
      std::optional<FromTo> value_certain;
      FromTo exposed;
      std::uint64_t alone = 0;  // rows that match nobody of the others
    };
    std::vector<Exposed> exposed;
    std::uint64_t unfinished = 0;
    std::vector<std::string> worst;  // in words
  };
  std::vector<Assumption> assumptions;  // the worst first

  struct Group {
    std::uint32_t file = 0;
    binding::LabelledCell cell;
    std::uint64_t rows = 0;
    FromTo matching;  // the fewest that match somebody of it … all that overlap
    std::string words;
  };
  std::vector<Group> worst;

  // The most rows of one file that are exposed, alone or under some assumption that is not
  // contradicted.
  FromTo exposed;
};

// Errors: files that are no tables, that seem to have no header, names of columns that no file has,
// a column with two roles or two taxonomies, labels that a taxonomy does not have (all of them, and
// where the first one stands), nothing that readers could know.
Result<SurveyReport> Survey(const SurveyRequest& request, binding::Context& context);

}  // namespace reissue::engine
