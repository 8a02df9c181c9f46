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
    if (!entry.known || !entry.Is(numbers)) entry = {numbers, find(), true};
    return entry.found;
  }

 private:
  static constexpr std::size_t kEntries = 1 << 13;
  struct Entry {
    // One by one: comparing arrays is a call.
    bool Is(const Numbers& other) const {
      return numbers[0] == other[0] && numbers[1] == other[1] && numbers[2] == other[2];
    }
    Numbers numbers{};
    std::uint32_t found = 0;
    bool known = false;
  };
  // Small numbers, of buckets and of what they have, do not meet.
  static std::size_t Place(const Numbers& numbers) {
    return (numbers[0] * 67 + numbers[1] + numbers[2] * 31) % kEntries;
  }

  std::vector<Entry> entries_ = std::vector<Entry>(kEntries);
};

}  // namespace reissue::models::invariance::internal
