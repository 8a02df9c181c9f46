#include "reissue/engine/invariance_arrival.h"

#include <bit>
#include <cstring>
#include <map>

namespace reissue::engine {
namespace {

namespace inv = models::invariance;

// Members by key: open addressing, as keys are as good as random.
class MemberIndex {
 public:
  explicit MemberIndex(const Remembered& remembered)
      : remembered_(remembered), slots_(std::bit_ceil(2 * remembered.keys.size() + 1), kEmpty) {
    for (std::uint32_t i = 0; i < remembered.keys.size(); ++i) {
      if (remembered.state.members[i].counterfeit) continue;
      std::size_t slot = Start(remembered.keys[i]);
      while (slots_[slot] != kEmpty) slot = Next(slot);
      slots_[slot] = i;
    }
  }

  // Calls with every identity of a person.
  template <typename Call>
  void ForEach(const ledger::PersonKey& key, Call call) const {
    for (std::size_t slot = Start(key); slots_[slot] != kEmpty; slot = Next(slot)) {
      if (remembered_.keys[slots_[slot]] == key) call(slots_[slot]);
    }
  }

 private:
  static constexpr std::uint32_t kEmpty = 0xffffffffu;
  std::size_t Start(const ledger::PersonKey& key) const {
    std::uint64_t bits = 0;
    std::memcpy(&bits, key.data(), sizeof bits);
    return bits & (slots_.size() - 1);
  }
  std::size_t Next(std::size_t slot) const { return (slot + 1) & (slots_.size() - 1); }

  const Remembered& remembered_;
  std::vector<std::uint32_t> slots_;
};

// Whether `a` was seen after `b`.
bool Later(const inv::Member& a, const inv::Member& b) {
  if ((a.left == inv::kStillThere) != (b.left == inv::kStillThere)) {
    return a.left == inv::kStillThere;
  }
  return a.left > b.left;
}

}  // namespace

Result<std::vector<ledger::PersonKey>> KeysOf(const HolderTable& holder, ledger::Vault& vault) {
  const Column& column = holder.table[*holder.identifier];
  std::vector<ledger::PersonKey> keys(holder.table.rows());
  for (std::size_t row = 0; row < keys.size(); ++row) {
    keys[row] = REISSUE_TRY(vault.KeyOf(column.text(RowId(row))));
  }
  return keys;
}

Today Arrive(const SensitiveCodes& sensitive, const std::vector<ledger::PersonKey>& keys,
             Remembered& remembered) {
  std::map<ValueTexts, inv::Value> known;
  for (std::size_t v = 0; v < remembered.values.size(); ++v) {
    known.emplace(remembered.values[v], static_cast<inv::Value>(v));
  }
  std::vector<inv::Value> value_of;
  for (const ValueTexts& texts : sensitive.values) {
    const auto [at, added] =
        known.emplace(texts, static_cast<inv::Value>(remembered.values.size()));
    if (added) remembered.values.push_back(texts);
    value_of.push_back(at->second);
  }
  Today today;
  today.rows.resize(sensitive.of_row.size());
  for (std::size_t row = 0; row < today.rows.size(); ++row) {
    today.rows[row].value = value_of[sensitive.of_row[row]];
  }
  if (keys.empty()) return today;
  const MemberIndex index(remembered);
  const auto& members = remembered.state.members;
  for (std::size_t row = 0; row < today.rows.size(); ++row) {
    inv::Present& present = today.rows[row];
    std::uint32_t last = inv::kNewcomer;
    index.ForEach(keys[row], [&](std::uint32_t member) {
      if (members[member].value == present.value) present.member = member;
      if (last == inv::kNewcomer || Later(members[member], members[last])) last = member;
    });
    if (last == inv::kNewcomer || members[last].value == present.value) continue;
    ++today.changed;
    today.changed_new += present.member == inv::kNewcomer;
    today.changed_there += members[last].left == inv::kStillThere;
  }
  return today;
}

}  // namespace reissue::engine
