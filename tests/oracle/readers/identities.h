#pragma once
// A changing table as its reader has it: who is in which group of which release, and which values
// the group shows; and all worlds that explain it.

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "case.h"

namespace reissue::readers {

// A person with another value than before is somebody else.
struct Identities {
  std::vector<std::string> names;
  std::vector<bool> real;  // else counterfeit
  struct Group {
    std::vector<std::size_t> people;
    std::vector<std::uint64_t> counts;  // rows by value
  };
  std::vector<Group> groups;  // of all releases
  std::vector<std::string> values;

  std::size_t size() const { return names.size(); }
};
Identities IdentitiesOf(const std::vector<Sheet>& released);

// A value for everybody.
using World = std::vector<std::uint8_t>;

// All worlds in which every group has the values that it shows. Nothing: more than `most`.
std::optional<std::vector<World>> WorldsOf(const Identities& identities, std::size_t most);

// Values that somebody has in some world.
std::vector<std::set<std::uint8_t>> PossibleValues(const std::vector<World>& worlds);

// Who stands on a side of an equality of fewer than `e` people: two disjoint lists (somebody may
// count several times) that have the same values in every world, and as often.
std::set<std::size_t> InEqualities(const std::vector<World>& worlds, std::uint64_t e);

}  // namespace reissue::readers
