#pragma once
// Where the passphrase of a vault comes from: REISSUE_PASSPHRASE_FILE, the terminal, or a plain
// refusal to have one.

#include <string>

#include "reissue/core/result.h"
#include "reissue/io/file_system.h"
#include "reissue/ledger/vault.h"

namespace reissue::cli {

// The passphrase for `directory`. A vault that does not exist yet will be created with it: the
// terminal then asks twice. `refused`: --no-passphrase was given. A vault without one needs none.
Result<ledger::Passphrase> AskPassphrase(io::FileSystem& files, const std::string& directory,
                                         bool refused);

}  // namespace reissue::cli
