#pragma once
// Populations that are published in parts (docs/design/0014, "Parts"): which part is asked for, and
// which one a vault is of.

#include <memory>
#include <optional>
#include <string>

#include "reissue/binding/context.h"
#include "reissue/core/result.h"
#include "reissue/io/policy.h"
#include "reissue/ledger/division.h"
#include "reissue/ledger/vault.h"

namespace reissue::contract {

struct Traits;

// What a call says of parts; all empty: nothing.
struct AskedPart {
  std::string part;  // "2/3"
  std::string key;   // path of the dividing key
  bool any() const { return !part.empty() || !key.empty(); }
};

using DivisionPtr = std::shared_ptr<const ledger::Division>;

// The division that a call asks for, of a vault that is of none yet; null where it asks for none.
// Errors: not "i/n", no key, no file of a key.
Result<DivisionPtr> DivisionOf(const AskedPart& asked, binding::Context& context);

// Refuses models whose promises are not those of parts, and policies without an identifier.
Status CanBeDivided(const Traits& traits, const io::Policy& policy);

// The division of a vault with releases, which the call, if it says something, must agree with.
// Null: it is of whole tables.
Result<DivisionPtr> DivisionOfVault(ledger::Vault& vault, const AskedPart& asked,
                                    const std::string& directory, binding::Context& context);

}  // namespace reissue::contract
