#pragma once
// What publishing has in common whatever the model: where policy and vault are, and whether a
// release may be made and written at all.

#include <optional>
#include <string>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/engine/certificate.h"
#include "reissue/engine/context.h"
#include "reissue/engine/promise.h"
#include "reissue/engine/publish.h"
#include "reissue/io/policy.h"
#include "reissue/ledger/vault.h"

namespace reissue::engine {

// The policy that was named, or the one that the series was started with.
Result<std::string> PolicyPath(const PublishRequest& request, Context& context);

// Opens the vault of a series that has begun.
Result<std::optional<ledger::Vault>> OpenVault(const PublishRequest& request, Context& context);

// Another policy is another promise; and models `k` and `xy` promise nothing about a second
// release.
Status MayPublishAgain(ledger::Vault& vault, const io::Policy& policy, const Promise& promise,
                       const PublishRequest& request);

// A place where a release can be written, before any work is done.
Status CheckTarget(const PublishRequest& request, Context& context);

// The same for the holder's copy, if one is asked for. `suffixes`: of files beside the release.
Status CheckHolderCopy(const PublishRequest& request, const std::vector<std::string>& suffixes,
                       Context& context);

// Where a release is written until it is put in place. Only now is there something to record: a
// first release makes the vault, and a promise that cannot be kept leaves none behind.
Status Reserve(const PublishRequest& request, const io::Policy& policy, const Promise& promise,
               std::optional<ledger::Vault>& vault, ledger::Vault::Pending& pending,
               PublishReport& report, Context& context);

// Puts a release and its certificate in place together. `facts` and `pending.record.suppressed`
// come with what only this model knows; what all have in common is filled in here.
Status PutInPlace(CertificateFacts facts, const PublishRequest& request, const io::Policy& policy,
                  const PublishReport& report, ledger::Vault::Pending pending,
                  ledger::Vault& vault);

// The same file, named from the root, whatever links are on the way.
std::string Absolute(const std::string& path);

}  // namespace reissue::engine
