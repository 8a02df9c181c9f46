#pragma once
// What readers of a whole series infer: association and equivalence (He, Barman and Naughton, ICDE
// 2011). Sees people per group and values counted per group, never who has which.

#include <cstdint>
#include <optional>
#include <vector>

#include "reissue/core/parallel.h"
#include "reissue/core/progress.h"
#include "reissue/models/invariance/release/series.h"

namespace reissue::models::invariance {

struct AttackOptions {
  std::uint64_t m = 2, e = 1;     // what is promised; counts of exposed people refer to it
  std::size_t worst = 10;         // at most so many equalities and people are named
  std::uint64_t effort = 20'000;  // nodes and cuts per history
};

struct Association {
  Person person = 0;
  std::vector<Value> values;  // possible; ascending. None: the releases contradict one another
};

struct EqualityFound {
  std::vector<Value> bucket;        // the values of the groups it is about; ascending
  std::vector<Person> left, right;  // the same values together; repeated as often as they count
  std::uint64_t size = 0;
  std::vector<std::uint32_t> releases;  // it takes these releases to see it; from 0
};

// One connected part of the series: one bucket's history where groups are merged buckets, else all
// groups that share people or values.
struct HistoryFinding {
  std::vector<Value> values;
  std::uint64_t people = 0;
  std::uint32_t groups = 0;
  bool bucket = true;                         // a bucket history: the graph applies
  std::optional<std::uint64_t> cut;           // least cut, where the graph applies
  std::optional<std::uint64_t> lower, upper;  // of the least equality; both nothing: there is none
  std::optional<EqualityFound> found;         // of the upper bound
};

// By what it was decided which values people may have, in numbers of people; and where equalities
// were looked for by weights alone.
struct Decided {
  std::uint64_t permuted = 0;  // all their groups have the same values equally often: permute them
  std::uint64_t tried = 0;     // so few are linked by groups that all worlds were tried
  std::uint64_t bounded = 0;   // deduction from above, exchanges of values from below
  std::uint64_t open = 0;      // of those, neither proven to have m values nor to have fewer
  // People in groups so large that equalities which only whole numbers prove were not looked for.
  // (Where a bucket is one group per release and nobody returned there are none.)
  std::uint64_t weighed = 0;
};

struct Findings {
  // Association: what deduction leaves.
  std::uint64_t least_values = 0;            // over everybody who is no counterfeit; 0: nobody, or
                                             // contradiction
  std::uint64_t proven_values = 0;           // at least so many, for the same people
  std::uint64_t exposed_by_association = 0;  // people with fewer than m possible values
  std::uint64_t certain = 0;                 // people with one possible value
  std::uint64_t perhaps_certain = 0;         // who may have one: no world with another is known
  std::vector<Association> fewest;           // the worst people
  Decided decided;
  // Equivalence.
  std::optional<std::uint64_t> lower, upper;  // of the least equality of the series, as far as
                                              // weights prove them; or what whole numbers prove
                                              // below e
  std::vector<HistoryFinding> histories;      // worst first
  std::uint64_t exposed_by_equivalence = 0;   // people on a side of an equality of fewer than e
  bool exposed_complete = true;               // else at least so many
  std::vector<std::uint64_t> counterfeits;    // per release
  bool kept = false;    // surely: everybody has m values, lower >= e (or no equality at all)
  bool broken = false;  // surely
};

Findings Attack(const Series& series, const AttackOptions& options, ThreadPool& pool,
                Progress& progress);

}  // namespace reissue::models::invariance
