#include <memory>

#include "cli/options.h"
#include "cli/print.h"
#include "cli/verbs.h"
#include "reissue/engine/certificate.h"

namespace reissue::cli {
namespace {

struct VerifyOptions {
  std::string certificate;
  std::vector<std::string> releases;
  std::vector<std::string> priors;
  std::vector<std::string> copies;
};

Result<int> RunVerify(const VerifyOptions& options, Session& session) {
  std::vector<std::string> inputs = options.releases;
  inputs.push_back(options.certificate);
  const std::vector<engine::PriorFile> priors = Priors(options.priors);
  for (const engine::PriorFile& prior : priors) inputs.push_back(prior.file);
  inputs.insert(inputs.end(), options.copies.begin(), options.copies.end());
  REISSUE_TRY(OneStandardInput(inputs));
  engine::VerifyReport result = REISSUE_TRY(engine::Verify(
      options.certificate, options.releases, session.context(), priors, options.copies));
  const VerificationReport report{options.certificate, options.releases, std::move(result)};
  REISSUE_TRY(Print(session, report));
  return report.result.valid ? kDone : kPromiseBroken;
}

}  // namespace

void AddVerify(CLI::App& root, Session& session) {
  CLI::App* verb = AddVerb(root, session, "verify",
                           "Check a certificate again from the published files.\n\n"
                           "Needs neither the policy nor the vault nor the table: anybody who has "
                           "the release can do it. A certificate of a series (model bcf) needs "
                           "all releases up to its own, oldest first; one of model xy the release "
                           "and, with --prior, those that it was made beside; one of model "
                           "m-invariance the release with the files beside it, and, to check "
                           "everything, all holder's copies up to it; one of model "
                           "j-similarity the release. "
                           "The exit status is 1 if the certificate does not hold.",
                           "reissue verify release-1.csv.certificate.json release-1.csv");
  auto options = std::make_shared<VerifyOptions>();
  AddInput(*verb, "CERTIFICATE", options->certificate, "The certificate (JSON).");
  AddPriors(*verb, options->priors);
  verb->add_option("--holder-copy", options->copies,
                   "The holder's copy of a release (model m-invariance); once for each, oldest "
                   "first.")
      ->type_name("FILE")
      ->allow_extra_args(false);
  AddInputs(*verb, "RELEASE", options->releases, "The published files it is about; - is stdin.")
      ->required();
  verb->callback([options, &session] {
    session.action = [options, &session] { return RunVerify(*options, session); };
  });
}

}  // namespace reissue::cli
