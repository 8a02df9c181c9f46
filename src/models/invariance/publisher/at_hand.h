#pragma once
// What has been found by three numbers stays at hand: members are asked for by the hundred
// thousand, and there are few answers.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace reissue::models::invariance::internal {

class AtHand {
 public:
  using Numbers = std::array<std::uint32_t, 3>;

  // What `find` says of the numbers, asked the first time or again.
  template <typename Find>
  std::uint32_t Of(const Numbers& numbers, Find find) {
    Entry& entry = entries_[Place(numbers)];
    if (!entry.known || entry.numbers != numbers) entry = {numbers, find(), true};
    return entry.found;
  }

 private:
  static constexpr int kBits = 12;
  struct Entry {
    Numbers numbers{};
    std::uint32_t found = 0;
    bool known = false;
  };
  static std::size_t Place(const Numbers& numbers) {
    const std::uint32_t mixed =
        numbers[0] * 0x9e3779b1u + numbers[1] * 0x85ebca6bu + numbers[2] * 0xc2b2ae35u;
    return mixed >> (32 - kBits);
  }

  std::vector<Entry> entries_ = std::vector<Entry>(std::size_t{1} << kBits);
};

}  // namespace reissue::models::invariance::internal
