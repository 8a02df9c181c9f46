#pragma once
// What the verbs report, for people and programs: what all models share, and findings of the one
// that was promised. Plain values.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reissue/binding/load.h"
#include "reissue/contract/findings.h"
#include "reissue/core/result.h"

namespace reissue::contract {

// How many of the worst exposures the report of a release names.
inline constexpr std::size_t kWorstShown = 10;

// What the holder's word about a promise rests on, and so what a certificate says of it.
enum class Basis {
  kFiles,   // whoever has the published files measures the same: certificates have the number
  kHolder,  // measured with what only the holder has; in certificates "audited"
  kRule,    // follows from the way the release was made; in certificates "by rule"
  kOpen,    // the policy lets it go where it must; certificates say neither yes nor no
};

// One promise of the policy, and what the release does about it.
struct PromiseKept {
  std::string name;  // as in the policy: "k", "entropy", "m", "max_belief" …
  double asked = 0;
  double measured = 0;
  bool kept = true;
  Basis basis = Basis::kFiles;
  // What `measured` is: the number itself, a bound that is proven, or nothing.
  enum class Number { kExact, kAtLeast, kNone } number = Number::kExact;
};

// What is certain to the reader whom the promise is about, whatever was promised.
struct Exposure {
  // At least `lower`, at most `upper`: files do not always tell how many people are where, and work
  // has its limits.
  struct Number {
    std::uint64_t lower = 0, upper = 0;
  };
  static Number Exactly(std::uint64_t number) { return {number, number}; }

  // People with one row left to them. Null: readers are shown who has which row anyway.
  std::optional<Number> singled_out;
  // People of whom one sensitive value is left. Null: nothing is sensitive.
  std::optional<Number> value_certain;
  bool combinations = false;  // not people are counted, but combinations of what readers know

  // Somebody may be exposed.
  bool any() const {
    return singled_out.value_or(Number{}).upper > 0 || value_certain.value_or(Number{}).upper > 0;
  }
};

struct AuditReport {
  std::string model;
  bool satisfied = true;
  // Where it is not: why.
  enum class Failure { kBroken, kNotProven, kNotOneSeries } failure = Failure::kBroken;
  struct File {
    std::string file;
    std::uint64_t rows = 0, cells = 0, smallest = 0;
    std::string digest;
  };
  std::vector<File> releases;
  std::size_t beside = 0;  // so many of them, the last ones, are what the first is judged beside
  std::uint64_t rows = 0, cells = 0, smallest = 0;  // of the newest release
  std::vector<PromiseKept> promises;
  std::vector<PromiseKept> also_measured;  // not promised, measured all the same; kept is true
  std::uint64_t exposed = 0;               // persons for whom the promise is broken
  Exposure exposure;
  std::vector<std::string> published_identifiers;
  std::vector<std::string> published_dropped;  // columns that the policy drops
  std::vector<std::string> ties;               // columns that join rows of releases, in words
  Findings findings;

  // How many releases are judged together.
  std::size_t judged() const { return releases.size() - beside; }
};

// What would make a release finer, tried out.
struct WayOut {
  std::string words;
  double before = 0, after = 0;  // mean loss of detail over the columns, 0 to 1
  bool others = false;           // over the other columns: this one would be gone
};

// Why columns are not finer. For the holder alone: it tells of groups that the release hides.
struct Why {
  std::string table;
  double loss = 0;  // mean over the columns
  struct Column {
    std::string name;
    double loss = 0;
    std::uint64_t stopped = 0;  // labels that cannot be made finer, each by itself
    // The one that would show most for each row in the way; empty: none is stopped by itself.
    std::string label;
    std::uint64_t groups = 0, rows = 0;        // that would be too small
    std::uint64_t newcomers = 0, missing = 0;  // of these, and how many more it would take
    struct Value {
      std::string label;
      std::uint64_t rows = 0;
    };
    std::vector<Value> values;  // with such rows, fewest first
    std::vector<WayOut> ways;   // best first
  };
  std::vector<Column> columns;  // in policy order
  std::vector<WayOut> ways;     // that concern all columns
};

struct PublishReport {
  std::uint32_t release = 1;
  std::string out;          // path, or the name of a table
  bool table = false;       // it is one
  std::string certificate;  // path
  std::string codebook;     // path, where one was asked for
  std::string digest;       // of the release
  std::uint64_t rows_in = 0, rows_out = 0, suppressed = 0, dropped = 0;
  // Where the table was divided: which of how many parts this is, and rows of the others.
  std::uint32_t part = 0, parts = 0;
  std::uint64_t passed_over = 0;
  std::uint32_t earlier_releases = 0;
  std::optional<std::uint64_t> newcomers;  // known by their identifiers; of all rows at first
  std::optional<double> loss;   // mean over the columns, 0 to 1; of rehearsals, where it is known
  std::uint64_t set_aside = 0;  // as the history of the vault counts
  AuditReport audit;            // of what was written, with all earlier releases, by the adversary
  // What stands for the values of a column.
  struct Recoded {
    std::string column;
    std::vector<std::string> labels;  // that occur, in the order of the taxonomy
    std::uint64_t raw_values = 0;
  };
  std::vector<Recoded> recoding;
  std::vector<std::string> ranges_from_data;  // columns whose labels end in numbers of the table
  // The first release that was made under the policy of this one, and what of it is other than in
  // the one before.
  std::uint32_t policy_since = 1;
  std::vector<std::string> policy_changes;
  // How far what was read of a table on several servers is of one moment; empty: it is.
  std::string consistency;
  bool row_order_reproducible = false;
  bool vault_unprotected = false;
  std::string mark_problem;  // why it could not be said outside the vault how far it has come
  Findings details;          // what the model did
  std::optional<Why> why;
};

enum class Verdict {
  kHolds,       // all was computed anew from the files, and is signed by the key that was given
  kNotRefuted,  // nothing contradicts it, and something rests on a word
  kBroken,
};

// Who stands for a certificate.
enum class Signer {
  kGiven,     // the key that was given has signed it
  kNotGiven,  // its own key has, and nobody said whose that is
  kNobody,    // before format 3
};

struct VerifyReport {
  bool valid = true;                  // nothing contradicts it
  std::vector<std::string> failures;  // in words
  std::vector<std::string> rests;     // what is the holder's word, in sentences
  std::vector<std::string> notes;     // what else to know
  Signer signer = Signer::kNobody;
  std::string key;        // that signed it; empty: nobody
  std::size_t chain = 0;  // earlier certificates that were found, each named by the next
  bool policy_compared = false;
  std::string title, model, created;
  std::uint32_t release = 0;
  std::uint32_t part = 0, parts = 0;  // which of how many parts it is about; 0: all of the people
  binding::ReleaseColumns columns;    // what the certificate says the columns are
  AuditReport audit;                  // made anew from the published file

  Verdict verdict() const {
    if (!valid) return Verdict::kBroken;
    return rests.empty() && signer == Signer::kGiven ? Verdict::kHolds : Verdict::kNotRefuted;
  }

  void Fail(std::string words) {
    valid = false;
    failures.push_back(std::move(words));
  }
};

// An error about a table that does not say which.
inline Error AboutTable(Error error, const std::string& table) {
  const bool about = error.code == ErrorCode::kPromise || error.code == ErrorCode::kInput;
  if (about && !error.place) error.place = Place{table, std::nullopt, std::nullopt, ""};
  return error;
}

struct CheckReport {
  std::vector<Error> problems;
  std::vector<std::string> notes;     // what is there, what looks odd but is allowed
  std::vector<std::string> warnings;  // what is allowed, and better not left so
  std::vector<Why> why;               // of each table, where it was asked for
};

struct MetricsReport {
  std::string model;
  Findings findings;
};

// A publication that was tried out, and what its release would cost.
struct DryRunReport {
  PublishReport publication;  // nothing that it names is there
  std::optional<MetricsReport> cost;
  std::string cost_problem;  // why there is none
};

// What the releases tell about one person, or about one combination of labels.
struct ExplainReport {
  std::string model;
  bool broken = false;
  Findings findings;
};

// A series that another tool started.
struct AdoptReport {
  std::string vault;
  AuditReport audit;
  bool recorded = false;
  std::uint64_t k = 1;                     // of the policy
  std::optional<std::uint64_t> largest_k;  // that holds now, proven; null: not one series
  bool vault_unprotected = false;
  std::string mark_problem;  // why it could not be said outside the vault how far it has come
};

// Beliefs that were learned from tables (docs/formats/knowledge.md).
struct LearnReport {
  std::string prior, transition;  // the files
  std::uint32_t steps = 1;
  double smoothing = 1;
  std::uint64_t tables = 0, rows = 0, people = 0;
  std::uint64_t kinds = 0;  // of people, without that of everybody
  std::uint64_t values = 0;
  std::uint64_t sequences = 0;  // people in two tables in a row; 0: transitions are uniform
  std::uint64_t contexts = 0;   // of transitions
};

}  // namespace reissue::contract
