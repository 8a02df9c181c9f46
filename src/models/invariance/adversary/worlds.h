#pragma once
// Worlds: everybody has a value, so that every group has its values as often as was published. What
// is true in all of them follows, and nothing else does. By trying: for few people. Internal to the
// adversary.

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "reissue/core/random.h"
#include "reissue/models/invariance/release/series.h"

namespace reissue::models::invariance {

class Worlds {
 public:
  // Values and people are numbered within the groups, in ascending order.
  using World = std::vector<std::uint32_t>;  // a value per person

  explicit Worlds(const std::vector<PublishedGroup>& groups);

  static constexpr std::size_t kMostValues = 64;
  // Few enough values to be looked at.
  bool fit() const { return values_.size() <= kMostValues; }
  const std::vector<Person>& people() const { return people_; }
  const std::vector<Value>& values() const { return values_; }
  // Numbers of the groups that somebody is in.
  const std::vector<std::uint32_t>& groups_of(std::size_t person) const {
    return groups_of_[person];
  }

  struct Asked {
    std::vector<std::pair<std::size_t, std::uint32_t>> fixed;  // person and value
    // Per person, how often they count: some value shall not have the sum 0. Empty: nothing asked.
    std::vector<std::int64_t> unequal;
  };
  enum class Answer { kFound, kNone, kGaveUp };
  // One world as asked for, if there is any: depth first, with the bounds that the groups impose.
  // Values of `like` are tried first, then others at random. Exponential; takes from `nodes` what
  // it uses.
  Answer Find(const Asked& asked, const World* like, Random& random, std::uint64_t& nodes,
              World& found) const;

 private:
  friend class WorldFinder;
  struct Group {
    std::vector<std::uint32_t> people;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> values;  // with rows
  };

  std::vector<Person> people_;
  std::vector<Value> values_;
  std::vector<Group> groups_;
  std::vector<std::vector<std::uint32_t>> groups_of_;
};

}  // namespace reissue::models::invariance
