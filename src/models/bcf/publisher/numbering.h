#pragma once
// Numbers for equal entries: columns of small numbers are taken in one after the other. Internal to
// the publisher.

#include <cstdint>
#include <span>
#include <vector>

namespace reissue::models::bcf::internal {

// Gives equal pairs (number, part) equal new numbers, in the order in which they first occur. All
// parts are below `all_parts`. O(numbers), and in a table that grows with the numbers.
void Refine(std::vector<std::uint32_t>& numbers, std::span<const std::uint32_t> parts,
            std::size_t all_parts);

}  // namespace reissue::models::bcf::internal
