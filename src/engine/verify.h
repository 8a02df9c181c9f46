#pragma once
// Checks a certificate again from the published files.

#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/binding/priors.h"
#include "reissue/contract/reports.h"
#include "reissue/core/result.h"

namespace reissue::engine {

// The digits of a public key, or of the file that has them.
Result<std::string> PublicKeyOf(const std::string& given, binding::Context& context);

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

// The parts of one population: `files` has the certificates of all of them and the releases that
// they are about, in any order; which is whose, their digests say. All parts are there once, are of
// one division, title, model, guarantee and release number, and each verifies. What is measured is
// that of all of them together. `keys`: of the holders, each of any part.
Result<contract::VerifyReport> VerifyParts(const std::vector<std::string>& files,
                                           binding::Context& context,
                                           const std::vector<std::string>& keys = {},
                                           const std::string& policy = {});

}  // namespace reissue::engine
