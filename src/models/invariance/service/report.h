#pragma once
// What an audit of a changing table found, and what a publication of it did,
// for people and programs. Plain values. Identifiers are in the report of an audit of holder's
// copies only, which is the holder's.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace reissue::models::invariance::service {

// Somebody and the values that are possible for them.
struct PossibleValues {
  std::string id;
  std::vector<std::string> values;  // none: the files contradict one another
};

// Two sides that have, together, the same values.
struct FoundEquality {
  std::vector<std::string> bucket;       // values of the groups it is about
  std::vector<std::string> left, right;  // identifiers, as often as they count
  std::uint64_t size = 0;
  std::vector<std::uint32_t> releases;  // it takes these to see it; from 1
};

struct InvarianceFindings {
  std::uint64_t m = 0, e = 0;      // promised
  bool from_vault = false;         // from the state of a vault, which knows nobody by name
  bool broken = false;             // surely; else not satisfied means not proven
  std::uint64_t least_values = 0;  // that deduction leaves to anybody
  std::uint64_t certain = 0;       // people to whom it leaves one
  // By what it was decided, in people. Nothing: from the vault, which has buckets alone.
  struct Decided {
    std::uint64_t permuted = 0, tried = 0, bounded = 0;
    std::uint64_t open = 0;     // neither proven to have m values nor to have fewer
    std::uint64_t weighed = 0;  // equalities that only whole numbers prove were not looked for
  };
  std::optional<Decided> decided;
  std::uint64_t exposed_by_association = 0, exposed_by_equivalence = 0;  // people
  bool exposed_complete = true;                                          // else at least so many
  std::vector<PossibleValues> fewest;
  std::optional<std::uint64_t> lower, upper;  // of the least equality; both nothing: there is none
  bool e_by_rule = false;  // `e` follows from how the release was made: `lower` says nothing
  std::vector<FoundEquality> equalities;    // worst first
  std::uint64_t buckets = 0;                // histories looked at
  std::uint64_t unknown_buckets = 0;        // whose history the vault has given up
  std::vector<std::uint64_t> counterfeits;  // per release
  std::uint64_t changed_values = 0;         // people who are there with several values

  // What follows if some values are known.
  struct Follows {
    std::vector<std::pair<std::string, std::string>> known;   // identifier, value
    std::vector<std::pair<std::string, std::string>> follow;  // identifier, value
    bool contradiction = false;
    bool complete = true;
  };
  std::optional<Follows> follows;
};

// What one publication did.
struct ChangedRows {
  std::uint64_t m = 0, e = 0;  // promised
  std::uint64_t least_values = 0;
  std::string form;
  bool counterfeits_published = false;
  std::uint64_t people_new = 0, people_left = 0, people_returned = 0;
  std::uint64_t changed_values = 0;  // people who have another value than before
  std::uint64_t buckets = 0, groups = 0;
  std::uint64_t counterfeits_new = 0, counterfeits_kept = 0, counterfeits_dropped = 0;
  std::uint64_t topped_up = 0;     // buckets that got rows because of e
  std::vector<std::string> files;  // beside the release
  std::string holder_copy;         // empty: none was asked for
};

}  // namespace reissue::models::invariance::service
