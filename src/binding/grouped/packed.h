#pragma once
// The codes of the fields of very many entries in few bytes: read in random order, what belongs
// together had better lie together, and all of it near.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "reissue/binding/grouped/labels.h"

namespace reissue::binding {

class PackedEntries {
 public:
  struct Field {
    const std::vector<std::uint32_t>* codes;  // per entry; any where it is left out
    std::size_t size;                         // all codes are below
  };

  // `group`: per entry; kNoGroup: left out. Fields and groups must outlive Gather.
  PackedEntries(std::span<const Field> fields, const std::vector<std::uint32_t>& group)
      : group_(group) {
    unsigned used = 1;  // the highest bit of the first word: left out
    for (const Field& field : fields) {
      const auto bits = static_cast<unsigned>(std::bit_width(field.size));
      if (used + bits > 64) {
        ++width_;
        used = 0;
      }
      places_.push_back(
          {field.codes, width_ - 1, width_ == 1 ? used - 1 : used, (std::uint64_t{1} << bits) - 1});
      used += bits;
    }
    words_.resize(group.size() * width_);
  }

  std::size_t size() const { return group_.size(); }

  // Packs some entries; different ones on several threads.
  void Gather(std::size_t from, std::size_t to) {
    for (const Place& place : places_) {
      std::uint64_t* const words = words_.data() + place.word;
      const std::uint32_t* const codes = place.codes->data();
      for (std::size_t i = from; i < to; ++i) {
        words[i * width_] |= std::uint64_t{codes[i]} << place.shift;
      }
    }
    for (std::size_t i = from; i < to; ++i) {
      if (group_[i] == kNoGroup) words_[i * width_] = kLeftOut;
    }
  }

  bool left_out(std::size_t entry) const { return (words_[entry * width_] & kLeftOut) != 0; }
  // Into the cache, before its turn.
  void Fetch(std::size_t entry) const { __builtin_prefetch(words_.data() + entry * width_); }
  // Calls with the code of each field, in order. The entry is not left out.
  template <typename Call>
  void ForEach(std::size_t entry, Call call) const {
    const std::uint64_t* const words = words_.data() + entry * width_;
    for (const Place& place : places_) {
      call(static_cast<std::uint32_t>(words[place.word] >> place.shift & place.mask));
    }
  }

 private:
  static constexpr std::uint64_t kLeftOut = std::uint64_t{1} << 63;
  struct Place {
    const std::vector<std::uint32_t>* codes;
    std::size_t word;
    unsigned shift;
    std::uint64_t mask;
  };

  const std::vector<std::uint32_t>& group_;
  std::size_t width_ = 1;  // words per entry
  std::vector<Place> places_;
  std::vector<std::uint64_t> words_;
};

}  // namespace reissue::binding
