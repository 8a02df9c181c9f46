#include "reissue/binding/persons.h"

#include <algorithm>

#include "reissue/binding/state_bytes.h"

namespace reissue::binding {
namespace {

constexpr std::size_t kKeyBytes = sizeof(ledger::PersonKey);
constexpr std::size_t kHashedAtOnce = 1 << 14;
constexpr std::size_t kRecordBytes = kKeyBytes + 4;

}  // namespace

Result<std::vector<ledger::PersonKey>> KeysOf(const HolderTable& holder, ledger::Vault& vault,
                                              ThreadPool& pool) {
  const Column& column = holder.table[*holder.identifier];
  const auto hash = REISSUE_TRY(vault.Hash());
  std::vector<ledger::PersonKey> keys(holder.table.rows());
  pool.Run((keys.size() + kHashedAtOnce - 1) / kHashedAtOnce, [&](std::size_t block) {
    const std::size_t end = std::min(keys.size(), (block + 1) * kHashedAtOnce);
    for (std::size_t row = block * kHashedAtOnce; row < end; ++row) {
      keys[row] = hash(column.text(RowId(row)));
    }
  });
  return keys;
}

Result<std::optional<Persons>> Persons::Load(ledger::Vault& vault) {
  const auto history = REISSUE_TRY(vault.History());
  Persons persons;
  std::string cut;  // the beginning of a record that goes on in the next piece
  const auto take = [&](std::string_view piece, std::uint64_t left) -> Status {
    if (persons.people_.empty()) persons.people_.reserve((piece.size() + left) / kRecordBytes);
    if (!cut.empty()) {
      const std::string_view rest = piece.substr(0, kRecordBytes - cut.size());
      piece.remove_prefix(rest.size());
      cut.append(rest);
      if (cut.size() < kRecordBytes) return Ok();
      REISSUE_TRY(persons.Take(cut, history.size()));
    }
    const std::size_t whole = piece.size() - piece.size() % kRecordBytes;
    cut = piece.substr(whole);
    return persons.Take(piece.substr(0, whole), history.size());
  };
  const bool found = REISSUE_TRY(vault.UnsealPieces(kSecret, take));
  if (!cut.empty()) return SenselessRecord("who was published");
  return found ? std::optional(std::move(persons)) : std::nullopt;
}

Status Persons::Take(std::string_view records, std::size_t releases) {
  for (; !records.empty(); records.remove_prefix(kRecordBytes)) {
    PersonBirth person;
    std::copy_n(records.begin(), kKeyBytes, person.key.begin());
    for (std::size_t b = 0; b < 4; ++b) {
      person.birth |= static_cast<std::uint32_t>(static_cast<std::uint8_t>(records[kKeyBytes + b]))
                      << (8 * b);
    }
    if (person.birth > releases) return SenselessRecord("who was published");
    people_.push_back(person);
  }
  return Ok();
}

std::string Persons::Save() const {
  std::string bytes;
  bytes.reserve(people_.size() * kRecordBytes);
  for (const PersonBirth& person : people_) {
    bytes.append(person.key.begin(), person.key.end());
    for (std::size_t b = 0; b < 4; ++b) {
      bytes += static_cast<char>(person.birth >> (8 * b) & 0xff);
    }
  }
  return bytes;
}

Result<Persons::Arrival> Persons::Arrive(const HolderTable& holder,
                                         const std::optional<Persons>& before, std::uint32_t number,
                                         Persons& after) {
  const std::uint32_t birth = before || number == 1 ? number : 0;
  Arrival arrival;
  arrival.birth_of_person.resize(holder.persons.size());
  after.people_.resize(holder.persons.size());
  std::uint64_t known = 0;
  for (std::size_t i = 0; i < holder.persons.size(); ++i) {
    PersonBirth& person = after.people_[i];
    person.key = holder.persons[i].key;
    person.birth = birth;
    if (before) {
      const auto at = std::lower_bound(
          before->people_.begin(), before->people_.end(), person.key,
          [](const PersonBirth& a, const ledger::PersonKey& key) { return a.key < key; });
      if (at != before->people_.end() && at->key == person.key) {
        person.birth = at->birth;
        ++known;
      }
    }
    if (person.birth == 0) arrival.all_known = false;
    if (person.birth == number) ++arrival.newcomers;
    arrival.birth_of_person[i] = person.birth;
  }
  if (before) arrival.vanished = before->people_.size() - known;
  std::sort(after.people_.begin(), after.people_.end());
  return arrival;
}

}  // namespace reissue::binding
