#include "reissue/models/bcf/publisher/numbering.h"

#include <algorithm>
#include <unordered_map>

namespace reissue::models::bcf::internal {
namespace {

constexpr std::uint32_t kNobody = static_cast<std::uint32_t>(-1);
constexpr std::size_t kLargestTable = std::size_t{1} << 20;

}  // namespace

void Refine(std::vector<std::uint32_t>& numbers, std::span<const std::uint32_t> parts,
            std::size_t all_parts) {
  std::uint32_t next = 0;
  const std::size_t all = numbers.empty() ? 0 : *std::max_element(numbers.begin(), numbers.end());
  if ((all + 1) * all_parts <= std::max(kLargestTable, 4 * numbers.size())) {
    std::vector<std::uint32_t> renamed((all + 1) * all_parts, kNobody);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      std::uint32_t& name = renamed[numbers[i] * all_parts + parts[i]];
      if (name == kNobody) name = next++;
      numbers[i] = name;
    }
    return;
  }
  std::unordered_map<std::uint64_t, std::uint32_t> renamed;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto [entry, fresh] = renamed.emplace(numbers[i] * all_parts + parts[i], next);
    if (fresh) ++next;
    numbers[i] = entry->second;
  }
}

}  // namespace reissue::models::bcf::internal
