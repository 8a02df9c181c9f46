#pragma once
// Fields that are put into very many lines.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace reissue::binding {

// The texts of a column by their codes. Most are short: a block of one size is copied whatever the
// length, which is known at once and calls nothing.
class FieldTexts {
 public:
  // Behind what is put so many bytes may be overwritten.
  static constexpr std::size_t kRoomBehind = 16;

  FieldTexts(std::vector<std::string> texts, char end) : texts_(std::move(texts)) {
    begins_.resize(texts_.size());
    for (std::size_t code = 0; code < texts_.size(); ++code) {
      std::string& text = texts_[code];
      text += end;
      Begin& begin = begins_[code];
      std::copy_n(text.begin(), std::min(text.size(), kRoomBehind), begin.bytes.begin());
      begin.size = text.size();
      longest_ = std::max(longest_, text.size());
    }
  }

  std::size_t longest() const { return longest_; }

  const std::string& operator[](std::uint32_t code) const { return texts_[code]; }

  // Returns where the field ends.
  char* Put(std::uint32_t code, char* at) const {
    const Begin& begin = begins_[code];
    std::memcpy(at, begin.bytes.data(), kRoomBehind);
    if (begin.size > kRoomBehind) std::memcpy(at, texts_[code].data(), begin.size);
    return at + begin.size;
  }

 private:
  struct Begin {
    std::array<char, kRoomBehind> bytes{};
    std::size_t size = 0;
  };
  std::vector<std::string> texts_;
  std::vector<Begin> begins_;
  std::size_t longest_ = 0;
};

}  // namespace reissue::binding
