#pragma once
// The next release of a series: search, write, attack, record. Nothing is written unless the
// promise is kept; a release is in the vault if and only if its file exists.

#include "reissue/binding/context.h"
#include "reissue/contract/reports.h"
#include "reissue/contract/tasks.h"
#include "reissue/core/result.h"

namespace reissue::engine {

// As contract::Publication::Run. Usage errors: what the promised model has no use for. With a
// rehearsal it is played in memory; see there.
Result<contract::PublishReport> Publish(const contract::PublishRequest& request,
                                        binding::Context& context,
                                        contract::Rehearsal* rehearsal = nullptr);

// The same publication, refused where it would be, with nothing written anywhere, and what its
// release would cost. `out` may be empty; where there is no vault nothing is asked of `passphrase`,
// and `vault` may be empty.
Result<contract::DryRunReport> DryRun(const contract::PublishRequest& request,
                                      binding::Context& context);

}  // namespace reissue::engine
