#pragma once
// What is done to a vault as a whole, besides publishing from it.

#include <cstdint>
#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/core/result.h"
#include "reissue/ledger/vault.h"

namespace reissue::engine {

struct VaultReport {
  std::string vault, title, model, key;
  std::uint64_t format = 0;
  bool unprotected = false;
  std::size_t releases = 0, adopted = 0, secrets = 0;
  std::size_t policy_changes = 0;
  std::size_t files = 0;              // of releases that are where they were put, and as they were
  std::vector<std::string> problems;  // what contradicts the vault
  std::vector<std::string> notes;     // what could not be looked at
};

// Opens every seal and every secret, and compares certificates, files and marks with what the vault
// says. Errors: a vault that cannot be opened, or whose records were changed.
Result<VaultReport> CheckVault(const std::string& directory, const ledger::Passphrase& passphrase,
                               binding::Context& context);

// To the newest format, if everything in the vault fits together.
Result<VaultReport> UpgradeVault(const std::string& directory, const ledger::Passphrase& passphrase,
                                 binding::Context& context);

}  // namespace reissue::engine
