#pragma once
// The equivalence attack on one part of a series. Internal to the adversary; the calls for
// different parts may run at the same time.

#include <cstdint>
#include <vector>

#include "reissue/models/invariance/adversary/attack.h"
#include "reissue/models/invariance/adversary/equality.h"
#include "reissue/models/invariance/adversary/fine_partitions.h"
#include "reissue/models/invariance/adversary/series_index.h"

namespace reissue::models::invariance {

struct PartAnswer {
  Part::Kind kind = Part::Kind::kMixed;
  HistoryFinding finding;
  bool returns = false;         // somebody came back
  Weights best;                 // of the upper bound; size 0: none is known
  std::vector<Person> exposed;  // in an equality of fewer than e
  bool complete = true;         // `exposed` misses nobody
  bool settled = true;          // where all worlds were tried: that came to an end
};

Weights WeightsOf(const std::vector<PublishedGroup>& groups, const GroupEquality& equality);

class PartAttack {
 public:
  PartAttack(const Series& series, const std::vector<Part>& parts, const AttackOptions& options,
             ThreadPool& pool);

  // Whether there is an equality of fewer than e, who is in one; bounds of the least one.
  PartAnswer Look(const Part& part) const;
  // The least one, where it may be smaller than `below`.
  void Refine(const Part& part, std::uint64_t below, PartAnswer& answer) const;

 private:
  PartAnswer LookAtBucket(const Part& part) const;
  PartAnswer LookAtFine(const Part& part) const;
  PartAnswer LookAtMixed(const Part& part) const;
  void ExposeInBucket(const Part& part, const History& history, PartAnswer& answer) const;
  void TakeGroups(const std::vector<PublishedGroup>& groups, const LeastGroupEquality& least,
                  PartAnswer& answer) const;
  void ExposeAmong(const std::vector<PublishedGroup>& groups, const Part& part,
                   PartAnswer& answer) const;
  Weights WeightsOf(const Part& part, const History& history, const Equality& equality) const;
  std::vector<PublishedGroup> GroupsOf(const Part& part) const;

  const Series& series_;
  const AttackOptions& options_;
  Lives lives_;
  GroupOfPerson group_of_;                           // where there are fine partitions
  std::vector<std::vector<PublishedGroup>> groups_;  // where there are mixed or small fine parts
  std::uint64_t pairs_ = 0;                          // of releases, per fine part
  bool exactly_ = false;  // fine and mixed parts are few and small enough for the matrix form
};

}  // namespace reissue::models::invariance
