#pragma once
// Who of a table was in earlier releases of a changing series, and with which value.

#include <cstdint>
#include <vector>

#include "reissue/binding/grouped/table.h"
#include "reissue/core/result.h"
#include "reissue/ledger/vault.h"
#include "reissue/models/invariance/publisher/publish.h"
#include "reissue/models/invariance/service/state.h"

namespace reissue::models::invariance::service {

struct ArrivedRows {
  std::vector<models::invariance::Present> rows;
  // People whose last value was another one: they are newcomers, or come back with an older value.
  std::uint64_t changed = 0;
  std::uint64_t changed_new = 0;    // of them, with a value they never had
  std::uint64_t changed_there = 0;  // of them, in the last release
};
// The rows in the terms of the state; adds values that it does not know, and puts people back into
// it who had left. `keys` is empty, and `vault` nothing, where nobody was ever published.
Result<ArrivedRows> Arrive(const binding::SensitiveCodes& sensitive,
                           const std::vector<ledger::PersonKey>& keys, ledger::Vault* vault,
                           SeriesState& remembered);

}  // namespace reissue::models::invariance::service
