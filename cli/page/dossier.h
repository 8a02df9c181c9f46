#pragma once
// What one page is about: an audit, and the files it is of, gathered from files or from a vault.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/render/json.h"
#include "reissue/binding/context.h"
#include "reissue/binding/priors.h"
#include "reissue/contract/certificate.h"
#include "reissue/contract/reports.h"
#include "reissue/core/result.h"
#include "reissue/engine/portrait.h"
#include "reissue/io/policy.h"
#include "reissue/ledger/vault.h"

namespace reissue::cli::page {

struct Dossier {
  // One release of the series, oldest first.
  struct Release {
    engine::Portrait portrait;
    std::optional<contract::Certificate> certificate;  // that lies beside it
    bool fits = false;                                 // it is of this very file
    std::string problem;                               // why there is none, or what is wrong
    std::string published;                             // when; empty: not known
    std::optional<std::uint64_t> set_aside;            // by the vault
  };
  bool for_holder = true;
  std::string created;  // when the page was made
  std::string title;    // of the policy
  contract::AuditReport audit;
  // Where the published files do not tell enough for an audit: what a certificate was checked for.
  std::optional<contract::VerifyReport> verified;
  std::vector<Release> releases;
  std::optional<engine::Portrait> table;  // that the newest release was made from
  std::optional<Json> frontier;           // as `explore` writes it
};

// Reads the files of a series and the certificates beside them. `targets`: oldest first.
Status AddReleases(const io::Policy& policy, const std::vector<std::string>& targets,
                   binding::Context& context, Dossier& dossier);
Status AddTable(const io::Policy& policy, const std::string& table, binding::Context& context,
                Dossier& dossier);
// What `reissue explore --out FILE.json` wrote. Errors: no such file.
Status AddFrontier(const std::string& file, binding::Context& context, Dossier& dossier);

// What the published files tell without the holder: an audit, or where a model needs holder's
// copies for one, a certificate that is checked. A certificate that is not there or does not fit is
// an error.
Result<Dossier> FromPublished(const io::Policy& policy, const std::vector<std::string>& releases,
                              const std::vector<binding::PriorFile>& priors,
                              binding::Context& context);

// A whole series: its files, or its state where the model keeps enough. `policy` may be empty: the
// one of the series. Errors: files that are not there any more.
struct VaultSeries {
  std::string vault, policy;
  std::vector<binding::PriorFile> priors;
  std::string table;  // that the newest release was made from; empty: none
};
Result<Dossier> FromVault(const VaultSeries& series, const ledger::Passphrase& passphrase,
                          binding::Context& context);

}  // namespace reissue::cli::page
