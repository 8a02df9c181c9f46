#include "reissue/simulate/evolving.h"

#include <algorithm>
#include <string>

namespace reissue::simulate {
namespace {

constexpr std::uint64_t kChangesFamily = 8;  // apart from the generators and updates

// Who was there before. Tables begin with those who stayed, in the order of the one before.
std::size_t StayedIn(const std::vector<std::uint32_t>& table,
                     const std::vector<std::uint32_t>& before) {
  std::size_t stayed = 0;
  for (const std::uint32_t row : before) {
    if (stayed < table.size() && table[stayed] == row) ++stayed;
  }
  return stayed;
}

}  // namespace

Result<std::vector<std::vector<ValueChange>>> MakeChanges(const UpdateStream& stream,
                                                          std::uint32_t value_count,
                                                          std::uint64_t change,
                                                          std::uint64_t seed) {
  Random random = Random::Seeded(DeriveSeed(seed, kChangesFamily));
  std::vector<std::vector<ValueChange>> changes(stream.tables.size());
  for (std::size_t i = 1; i < stream.tables.size(); ++i) {
    const std::vector<std::uint32_t>& table = stream.tables[i];
    const std::size_t stayed = StayedIn(table, stream.tables[i - 1]);
    if (change > stayed) {
      return UsageError(std::to_string(change) + " rows cannot change: only " +
                            std::to_string(stayed) + " stay from one table to the next",
                        "Change fewer rows, or replace fewer.");
    }
    std::uint64_t left = change;
    for (std::size_t row = 0; row < stayed; ++row) {
      if (random.Below(stayed - row) >= left) continue;
      --left;
      changes[i].emplace_back(table[row], static_cast<std::uint32_t>(random.Below(value_count)));
    }
  }
  return changes;
}

void ApplyChanges(const std::vector<ValueChange>& changes, UpdateStream& stream) {
  for (const auto& [row, value] : changes) stream.values[row] = value;
}

}  // namespace reissue::simulate
