#include "reissue/engine/verify.h"

#include <memory>

#include "cli/options.h"
#include "cli/print.h"
#include "cli/render/views.h"
#include "cli/verbs.h"

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
  const std::vector<binding::PriorFile> priors = Priors(options.priors);
  for (const binding::PriorFile& prior : priors) inputs.push_back(prior.file);
  inputs.insert(inputs.end(), options.copies.begin(), options.copies.end());
  REISSUE_TRY(OneStandardInput(inputs));
  contract::VerifyReport result = REISSUE_TRY(engine::Verify(
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
                           "the release can do it. " +
                               SentencesOfModels("verify") +
                               " The exit status is 1 if the certificate does not hold.",
                           "reissue verify release-1.csv.certificate.json release-1.csv");
  auto options = std::make_shared<VerifyOptions>();
  AddInput(*verb, "CERTIFICATE", options->certificate, "The certificate (JSON).");
  AddPriors(*verb, options->priors);
  verb->add_option("--holder-copy", options->copies,
                   "The holder's copy of a release (" + Of(contract::Extra::kVerifyCopy) +
                       "); once for each, oldest first.")
      ->type_name("FILE")
      ->allow_extra_args(false);
  AddInputs(*verb, "RELEASE", options->releases, "The published files it is about; - is stdin.")
      ->required();
  verb->callback([options, &session] {
    session.action = [options, &session] { return RunVerify(*options, session); };
  });
}

}  // namespace reissue::cli
