#pragma once
// Which pairs of a person and a value can be part of an assignment.

#include <cstdint>
#include <vector>

namespace reissue::inference::internal {

// Of the pairs that are allowed (people * values), those that some assignment has which consists of
// allowed pairs and gives every value as many people as `value_of` does. `value_of`, per person, is
// one such assignment: all others follow from it by exchanges in a circle, so a pair is usable if
// and only if it closes one. O(people · values + values²).
std::vector<char> UsablePairs(const std::vector<char>& allowed,
                              const std::vector<std::uint32_t>& value_of, std::size_t values);

}  // namespace reissue::inference::internal
