#pragma once
// What a few groups prove by whole numbers: the values that somebody has in some world, and the
// equalities that hold in all of them. Internal to the adversary.

#include <cstdint>
#include <map>
#include <vector>

#include "reissue/models/invariance/adversary/equality_space.h"
#include "reissue/models/invariance/adversary/worlds.h"

namespace reissue::models::invariance {

// The span of vectors of whole numbers.
class Span {
 public:
  explicit Span(std::size_t columns) : columns_(columns) {}
  // Says whether it has grown.
  bool Add(const std::vector<std::int64_t>& vector);
  std::size_t dimension() const { return rows_.size(); }
  // Vectors at right angles to all of it, everybody counting once.
  EqualitySpace Orthogonal() const;

 private:
  std::size_t columns_;
  FractionRows rows_;  // each is 1 at its pivot, and the others are 0 there
  std::vector<std::size_t> pivots_;
};

class AllWorlds {
 public:
  // `effort`: nodes of the searches for worlds, and of the programs. `truth`: a value per person of
  // Worlds::people(), in its numbers, where one world is known.
  AllWorlds(const std::vector<PublishedGroup>& groups, std::uint64_t effort,
            const std::vector<Value>& truth = {});

  // So many people and groups are few.
  static constexpr std::size_t kPeople = 60, kGroups = 60;
  static bool Few(std::size_t people, std::size_t groups) {
    return people <= kPeople && groups <= kGroups;
  }
  const std::vector<Person>& people() const { return worlds_.people(); }

  struct Possible {
    std::vector<Value> values;  // in some world; ascending
    bool decided = true;        // there are no others
  };
  // Per person.
  std::vector<Possible> PossibleValues();

  struct Equalities {
    bool decided = true;              // there is none smaller than e but those
    std::uint64_t size = 0;           // of the smallest that was found; 0: none
    std::vector<Person> left, right;  // its sides; repeated as often as they count
    std::vector<Person> exposed;      // on a side of any; ascending
  };
  // Those of fewer than e people. A vector at right angles to the worlds at hand is an equality or
  // there is a world that it does not hold in: which, is searched for, until none is left.
  Equalities Below(std::uint64_t e);

 private:
  bool Find(Worlds::Asked asked, bool& gave_up);
  bool Record(const Worlds::World& world);
  void Sample();
  bool Refine(std::uint64_t e, Equalities& result);
  void Prove(const std::vector<std::int64_t>& vector, Equalities& result);

  Worlds worlds_;
  std::uint64_t effort_;
  Random random_;
  bool possible_ = true;  // there is a world at all, and few enough values
  bool sampled_ = false;
  std::vector<Worlds::World> found_;
  std::vector<std::uint64_t> seen_;              // per person, a bit per value
  std::vector<std::vector<std::size_t>> kinds_;  // people who are always together
  Span span_;
  std::map<std::vector<std::int64_t>, bool> judged_;  // vectors that hold in all worlds, or may
};

}  // namespace reissue::models::invariance
