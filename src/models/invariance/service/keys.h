#pragma once
// People by their keyed hashes.

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "reissue/ledger/vault.h"

namespace reissue::models::invariance::service {

// Half of a key: as good as random as the whole.
inline std::uint64_t HalfOf(const ledger::PersonKey& key, std::size_t half) {
  static_assert(sizeof(key) == 2 * sizeof(std::uint64_t));
  std::uint64_t bits = 0;
  std::memcpy(&bits, key.data() + half * sizeof bits, sizeof bits);
  return bits;
}
// Two comparisons and no call.
inline bool SameKey(const ledger::PersonKey& a, const ledger::PersonKey& b) {
  return HalfOf(a, 0) == HalfOf(b, 0) && HalfOf(a, 1) == HalfOf(b, 1);
}
inline bool IsNobodys(const ledger::PersonKey& key) {
  return (HalfOf(key, 0) | HalfOf(key, 1)) == 0;
}

// Positions by key: open addressing, as keys are as good as random. Keys of zeros are nobody's. The
// keys stay where they are.
class KeyIndex {
 public:
  // `room`: slots per key. The more there are, the faster is it to see that a key is not there.
  explicit KeyIndex(std::span<const ledger::PersonKey> keys, std::size_t room = 2)
      : keys_(keys), slots_(std::bit_ceil(room * keys.size() + 1), kEmpty) {
    for (std::uint32_t i = 0; i < keys.size(); ++i) {
      if (IsNobodys(keys[i])) continue;
      std::size_t slot = Start(keys[i]);
      while (slots_[slot] != kEmpty) slot = Next(slot);
      slots_[slot] = i;
    }
  }

  // Calls with every position of a key.
  template <typename Call>
  void ForEach(const ledger::PersonKey& key, Call call) const {
    for (std::size_t slot = Start(key); slots_[slot] != kEmpty; slot = Next(slot)) {
      if (SameKey(keys_[slots_[slot]], key)) call(slots_[slot]);
    }
  }

 private:
  static constexpr std::uint32_t kEmpty = 0xffffffffu;
  std::size_t Start(const ledger::PersonKey& key) const {
    return HalfOf(key, 0) & (slots_.size() - 1);
  }
  std::size_t Next(std::size_t slot) const { return (slot + 1) & (slots_.size() - 1); }

  std::span<const ledger::PersonKey> keys_;
  std::vector<std::uint32_t> slots_;
};

}  // namespace reissue::models::invariance::service
