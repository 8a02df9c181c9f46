#include "reissue/io/csv_lines.h"

#include <algorithm>
#include <bit>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "reissue/core/random.h"

namespace reissue::io::internal {
namespace {

constexpr std::size_t kFirstSlots = 256;
constexpr std::size_t kLongest = 1 << 10;   // of the lines that are remembered, in bytes
constexpr std::size_t kMostText = 1 << 20;  // of them all
constexpr std::size_t kTimes = 8;           // a line is there, on average, where that is often

std::uint64_t HashOf(std::string_view line) {
  return XXH3_64bits_withSeed(line.data(), line.size(), ProcessSeed());
}

}  // namespace

// Counts hashes, and stops as soon as there are too many.
bool LinesRepeat(std::string_view text, const LineTuning& tuning) {
  if (tuning.always) return true;
  const std::size_t most = tuning.looked_at / kTimes;
  std::vector<std::uint64_t> seen(std::bit_ceil(most * 2 + 2), 0);
  std::size_t distinct = 0, lines = 0;
  for (; lines < tuning.looked_at; ++lines) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) break;
    const std::uint64_t hash = HashOf(text.substr(0, end)) | 1;
    text.remove_prefix(end + 1);
    std::size_t at = (hash >> 32) & (seen.size() - 1);
    while (seen[at] != 0 && seen[at] != hash) at = (at + 1) & (seen.size() - 1);
    if (seen[at] == hash) continue;
    seen[at] = hash;
    if (++distinct > most) return false;
  }
  return distinct * kTimes <= lines;
}

void KnownLines::ForgetRows() {
  for (Line& line : lines_) line.row = kNone;
}

std::uint32_t KnownLines::Find(std::string_view line) const {
  if (slots_.empty()) return kNone;
  const std::uint64_t hash = HashOf(line);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask; slots_[at] != 0; at = (at + 1) & mask) {
    const std::uint32_t number = slots_[at] - 1;
    const Line& known = lines_[number];
    if (known.hash == hash && known.length == line.size() &&
        std::memcmp(text_.data() + known.begin, line.data(), line.size()) == 0) {
      return number;
    }
  }
  return kNone;
}

void KnownLines::Remember(std::string_view line, std::span<const ValueId> codes, std::uint32_t row,
                          std::size_t most) {
  if (lines_.size() >= most || line.size() > kLongest || text_.size() > kMostText - kLongest)
    return;
  width_ = codes.size();
  lines_.push_back({HashOf(line), text_.size(), static_cast<std::uint32_t>(line.size()), row});
  text_ += line;
  codes_.insert(codes_.end(), codes.begin(), codes.end());
  if (lines_.size() * 2 > slots_.size()) return Grow();
  std::size_t at = lines_.back().hash & (slots_.size() - 1);
  while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
  slots_[at] = static_cast<std::uint32_t>(lines_.size());
}

void KnownLines::Grow() {
  slots_.assign(std::max(kFirstSlots, slots_.size() * 4), 0);
  for (std::size_t number = 0; number < lines_.size(); ++number) {
    std::size_t at = lines_[number].hash & (slots_.size() - 1);
    while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = static_cast<std::uint32_t>(number + 1);
  }
}

}  // namespace reissue::io::internal
