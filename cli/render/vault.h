#pragma once
// What the verbs about vaults tell.

#include <optional>
#include <string>

#include "cli/style.h"
#include "reissue/engine/vault.h"

namespace reissue::cli {

struct CheckedVault {
  const engine::VaultReport& report;
};

// Something was done to a vault.
struct VaultDone {
  std::string what;  // upgraded, passphrase, exported, imported
  std::string about;
  std::string advice;
  std::optional<engine::VaultReport> report;
};

struct ShownKey {
  std::string vault, key;
};

std::string ToText(const CheckedVault& checked, const Style& style);
std::string ToJson(const CheckedVault& checked);
std::string ToText(const VaultDone& done, const Style& style);
std::string ToJson(const VaultDone& done);
std::string ToText(const ShownKey& shown, const Style& style);
std::string ToJson(const ShownKey& shown);

}  // namespace reissue::cli
