#pragma once
// Who was in the releases of a series: keyed hashes of identifiers with the release in which each
// person first appeared, sealed in the vault. Never an identifier itself.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reissue/binding/load.h"
#include "reissue/core/parallel.h"
#include "reissue/core/result.h"
#include "reissue/ledger/vault.h"

namespace reissue::binding {

// Keyed hashes of the identifiers, per row of a table that is not counted.
Result<std::vector<ledger::PersonKey>> KeysOf(const HolderTable& holder, ledger::Vault& vault,
                                              ThreadPool& pool);

struct PersonBirth {
  ledger::PersonKey key;
  std::uint32_t birth = 0;  // release of the first appearance, from 1; 0: before somebody counted
  auto operator<=>(const PersonBirth&) const = default;
};

class Persons {
 public:
  // What the newest release of the vault has recorded; empty where it has not.
  static Result<std::optional<Persons>> Load(ledger::Vault& vault);

  // The people of a table that becomes release `number`: known ones keep their birth, others are
  // born now (or, where nothing was recorded before although releases exist, nobody knows when).
  struct Arrival {
    std::vector<std::uint32_t> birth_of_person;  // in the order of holder.persons
    std::uint64_t newcomers = 0;
    std::uint64_t vanished = 0;  // known before, not in the table
    bool all_known = true;       // every birth is known
  };
  static Result<Arrival> Arrive(const HolderTable& holder, const std::optional<Persons>& before,
                                std::uint32_t number, Persons& after);

  std::string Save() const;
  std::size_t size() const { return people_.size(); }
  static constexpr char kSecret[] = "persons";

 private:
  // Whole records. Nobody was born after the last of the releases.
  Status Take(std::string_view records, std::size_t releases);
  std::vector<PersonBirth> people_;  // by key
};

}  // namespace reissue::binding
