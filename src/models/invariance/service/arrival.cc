#include "reissue/models/invariance/service/arrival.h"

#include <map>

#include "reissue/models/invariance/service/gone.h"
#include "reissue/models/invariance/service/matches.h"

namespace reissue::models::invariance::service {
namespace {

namespace inv = models::invariance;

// Whether `a` was seen after `b`.
bool Later(const inv::Member& a, const inv::Member& b) {
  if ((a.left == inv::kStillThere) != (b.left == inv::kStillThere)) {
    return a.left == inv::kStillThere;
  }
  return a.left > b.left;
}

std::vector<inv::Present> CodedRows(const binding::SensitiveCodes& sensitive,
                                    SeriesState& remembered) {
  std::map<binding::ValueTexts, inv::Value> known;
  for (std::size_t v = 0; v < remembered.values.size(); ++v) {
    known.emplace(remembered.values[v], static_cast<inv::Value>(v));
  }
  std::vector<inv::Value> value_of;
  for (const binding::ValueTexts& texts : sensitive.values) {
    const auto [at, added] =
        known.emplace(texts, static_cast<inv::Value>(remembered.values.size()));
    if (added) remembered.values.push_back(texts);
    value_of.push_back(at->second);
  }
  std::vector<inv::Present> rows(sensitive.of_row.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    rows[row].value = value_of[sensitive.of_row[row]];
  }
  return rows;
}

// Rows whose identity is not in the state.
struct Newcomers {
  std::vector<std::uint32_t> rows;
  std::vector<ledger::PersonKey> keys;
  std::vector<inv::Value> values;
  std::vector<std::uint8_t> changed;  // the person is there, with another value
};

// Who of them was in the series before, and left.
Status PutBack(const Newcomers& newcomers, ledger::Vault& vault, SeriesState& remembered,
               ArrivedRows& today) {
  std::vector<Sought> sought =
      REISSUE_TRY(FindGone(newcomers.keys, newcomers.values, remembered, vault));
  std::vector<inv::Departed> back;
  std::vector<std::uint32_t> rows;
  for (std::size_t i = 0; i < sought.size(); ++i) {
    const bool changed = newcomers.changed[i] == 0 && sought[i].last.has_value() &&
                         *sought[i].last != newcomers.values[i];
    today.changed += changed;
    today.changed_new += (changed || newcomers.changed[i] != 0) && !sought[i].person;
    if (!sought[i].person) continue;
    back.push_back(std::move(*sought[i].person));
    rows.push_back(newcomers.rows[i]);
    remembered.keys.push_back(newcomers.keys[i]);
  }
  const std::vector<std::uint32_t> members = REISSUE_TRY(inv::Restore(remembered.state, back));
  for (std::size_t i = 0; i < rows.size(); ++i) today.rows[rows[i]].member = members[i];
  return Ok();
}

}  // namespace

Result<ArrivedRows> Arrive(const binding::SensitiveCodes& sensitive,
                           const std::vector<ledger::PersonKey>& keys, ledger::Vault* vault,
                           SeriesState& remembered) {
  ArrivedRows today;
  today.rows = CodedRows(sensitive, remembered);
  if (keys.empty()) return today;
  Newcomers newcomers;
  {
    const Matches matches(remembered.keys, keys);
    const auto& members = remembered.state.members;
    for (std::uint32_t row = 0; row < today.rows.size(); ++row) {
      inv::Present& present = today.rows[row];
      std::uint32_t last = inv::kNewcomer;
      matches.ForEach(row, keys[row], [&](std::uint32_t member) {
        if (members[member].value == present.value) present.member = member;
        if (last == inv::kNewcomer || Later(members[member], members[last])) last = member;
      });
      const bool known = last != inv::kNewcomer;
      const bool changed = known && members[last].value != present.value;
      today.changed += changed;
      today.changed_there += changed && members[last].left == inv::kStillThere;
      if (present.member != inv::kNewcomer) continue;
      newcomers.rows.push_back(row);
      newcomers.keys.push_back(keys[row]);
      newcomers.values.push_back(present.value);
      newcomers.changed.push_back(changed);
    }
  }
  REISSUE_TRY(PutBack(newcomers, *vault, remembered, today));
  return today;
}

}  // namespace reissue::models::invariance::service
