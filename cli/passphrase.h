#pragma once
// Where the passphrase of a vault comes from: REISSUE_PASSPHRASE_FILE, the terminal, or a plain
// refusal to have one.

#include <string>

#include "cli/session.h"
#include "reissue/core/result.h"
#include "reissue/ledger/vault.h"

namespace reissue::cli {

// The passphrase for `directory`. A vault that does not exist yet will be created with it: the
// terminal then asks twice, and a weak one is warned of. `refused`: --no-passphrase was given; a
// vault without one must be named so, or an intruder could put such a one in its place.
Result<ledger::Passphrase> AskPassphrase(Session& session, const std::string& directory,
                                         bool refused);
// Of something that has one unless it was refused.
Result<ledger::Passphrase> AskPassphraseOf(Session& session, const std::string& what, bool refused);
// Another one for a vault: REISSUE_NEW_PASSPHRASE_FILE, or the terminal.
Result<ledger::Passphrase> AskNewPassphrase(Session& session, const std::string& directory);

}  // namespace reissue::cli
