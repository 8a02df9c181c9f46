#pragma once
// Checks a certificate again from the published files.

#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/binding/priors.h"
#include "reissue/contract/reports.h"
#include "reissue/core/result.h"

namespace reissue::engine {

// `releases`: the certified file, or, for a series, all releases up to it, oldest first; which, the
// model says. `priors`: the earlier releases in the certificate's order. `copies`: the holder's.
// Errors are for files that are no certificate or no table; a certificate that does not hold is a
// report. Certificates that lie beside earlier releases are looked at, too: each names the one
// before.
struct Trusted {
  std::string key;     // 64 digits, or a file whose first line has them; empty: none is known
  std::string policy;  // path; empty: roles and guarantee are the certificate's
};
Result<contract::VerifyReport> Verify(const std::string& certificate,
                                      const std::vector<std::string>& releases,
                                      binding::Context& context,
                                      const std::vector<binding::PriorFile>& priors = {},
                                      const std::vector<std::string>& copies = {},
                                      const Trusted& trusted = {});

}  // namespace reissue::engine
