#pragma once
// Whether a vault is the newest of its copies (docs/formats/vault.md, "Mark"): an old one would
// publish a second release of a number that is out already.

#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/contract/tasks.h"
#include "reissue/core/result.h"
#include "reissue/ledger/vault.h"

namespace reissue::contract {

// Looks at the mark that was named, at marks beside this release and beside all earlier ones, and
// at certificates there. kInput where one of them says that this vault has not come as far.
Status IsNewest(ledger::Vault& vault, const std::vector<ledger::ReleaseRecord>& history,
                const PublishRequest& request, binding::Context& context);

// The same of a vault by itself.
Status IsNewest(ledger::Vault& vault, const std::vector<ledger::ReleaseRecord>& history,
                const std::vector<std::string>& directories, binding::Context& context);

// Where the certificate goes: beside a file. Of a table, where it was said, else into the working
// directory, under the name that was given to the table.
std::string CertificateOf(const PublishRequest& request);

// Says how far the vault has come: in the file that was named, else beside the release.
Status WriteMark(ledger::Vault& vault, const PublishRequest& request);

}  // namespace reissue::contract
