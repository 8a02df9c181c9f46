#include "reissue/binding/persons.h"

#include <algorithm>

#include "reissue/binding/state_bytes.h"

namespace reissue::binding {
namespace {

constexpr std::size_t kKeyBytes = sizeof(ledger::PersonKey);
constexpr std::size_t kHashedAtOnce = 1 << 14;
constexpr std::size_t kRecordBytes = kKeyBytes + 4;

struct Ordered {
  std::uint64_t first;  // bytes of the key
  std::uint32_t person;
};

// People by their keys. These are hashes: the first bytes tell nearly all of them apart.
std::vector<Ordered> InOrder(const std::vector<sources::Person>& people) {
  std::vector<Ordered> order;
  order.reserve(people.size());
  for (std::uint32_t i = 0; i < people.size(); ++i) {
    std::uint64_t first = 0;
    for (std::size_t b = 0; b < sizeof first; ++b) first = first << 8 | people[i].key[b];
    order.push_back({first, i});
  }
  std::ranges::sort(order, [&](const Ordered& a, const Ordered& b) {
    if (a.first != b.first) return a.first < b.first;
    return people[a.person].key < people[b.person].key;
  });
  return order;
}

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
  after.people_.clear();
  after.people_.reserve(holder.persons.size());
  std::uint64_t known = 0;
  std::size_t at = 0;  // of those before, who are in the same order
  for (const Ordered& next : InOrder(holder.persons)) {
    PersonBirth person{holder.persons[next.person].key, birth};
    while (before && at < before->people_.size() && before->people_[at].key < person.key) ++at;
    if (before && at < before->people_.size() && before->people_[at].key == person.key) {
      person.birth = before->people_[at].birth;
      ++known;
    }
    if (person.birth == 0) arrival.all_known = false;
    if (person.birth == number) ++arrival.newcomers;
    arrival.birth_of_person[next.person] = person.birth;
    after.people_.push_back(person);
  }
  if (before) arrival.vanished = before->people_.size() - known;
  return arrival;
}

}  // namespace reissue::binding
