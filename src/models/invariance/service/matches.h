#pragma once
// Keys that are known, found again among those of today.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "reissue/models/invariance/service/keys.h"

namespace reissue::models::invariance::service {

// Tables are mostly written in the same order again and again. So both lists are walked together
// first, and only what is not found on the way is looked for anywhere; the result is the same in
// any order.
class Matches {
 public:
  // The positions in `known` of every key of `asked`, in which none is twice. Keys of zeros are
  // nobody's. What is looked for anywhere stays copied here.
  Matches(std::span<const ledger::PersonKey> known, std::span<const ledger::PersonKey> asked)
      : on_the_way_(asked.size(), kNone) {
    const std::vector<std::uint8_t> met = Walk(known, asked);
    for (std::uint32_t i = 0; i < known.size(); ++i) {
      if (met[i] != 0) continue;
      keys_.push_back(known[i]);
      positions_.push_back(i);
    }
    anywhere_.emplace(keys_);
    maybe_.resize(std::bit_ceil(kBitsPerKey * keys_.size() + 64) / 64);
    for (const ledger::PersonKey& key : keys_) Word(key) |= Bit(key);
  }
  Matches(const Matches&) = delete;
  Matches& operator=(const Matches&) = delete;

  // Calls with every position of asked[i], which is `key`, in ascending order.
  template <typename Call>
  void ForEach(std::size_t i, const ledger::PersonKey& key, Call call) const {
    std::uint32_t met = on_the_way_[i];
    if ((Word(key) & Bit(key)) != 0) ForEachAnywhere(key, met, call);
    if (met != kNone) call(met);
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  static constexpr std::size_t kBitsPerKey = 8;
  static constexpr std::size_t kFarthest = 16;  // so many in a row may have left

  template <typename Call>
  void ForEachAnywhere(const ledger::PersonKey& key, std::uint32_t& met, Call& call) const {
    anywhere_->ForEach(key, [&](std::uint32_t at) {
      if (met < positions_[at]) call(std::exchange(met, kNone));
      call(positions_[at]);
    });
  }

  // Where `maybe_` tells of a key.
  std::uint64_t& Word(const ledger::PersonKey& key) {
    return maybe_.data()[HalfOf(key, 1) / 64 & (maybe_.size() - 1)];
  }
  const std::uint64_t& Word(const ledger::PersonKey& key) const {
    return maybe_.data()[HalfOf(key, 1) / 64 & (maybe_.size() - 1)];
  }
  static std::uint64_t Bit(const ledger::PersonKey& key) {
    return std::uint64_t{1} << (HalfOf(key, 1) % 64);
  }

  std::vector<std::uint8_t> Walk(std::span<const ledger::PersonKey> known,
                                 std::span<const ledger::PersonKey> asked) {
    std::vector<std::uint8_t> met(known.size());
    std::size_t next = 0;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const std::size_t end = std::min(known.size(), next + kFarthest);
      std::size_t at = next;
      while (at < end && !SameKey(known[at], asked[i])) ++at;
      if (at == end || IsNobodys(asked[i])) continue;
      on_the_way_[i] = static_cast<std::uint32_t>(at);
      met[at] = 1;
      next = at + 1;
    }
    return met;
  }

  std::vector<std::uint32_t> on_the_way_;  // positions, per asked key; kNone: not met
  std::vector<ledger::PersonKey> keys_;    // not met
  std::vector<std::uint32_t> positions_;   // of them
  std::optional<KeyIndex> anywhere_;
  std::vector<std::uint64_t> maybe_;  // bits of the keys not met: most others have none
};

}  // namespace reissue::models::invariance::service
