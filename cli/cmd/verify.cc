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
  engine::Trusted trusted;
};

Result<int> RunVerify(const VerifyOptions& options, Session& session) {
  std::vector<std::string> inputs = options.releases;
  inputs.push_back(options.certificate);
  const std::vector<binding::PriorFile> priors = Priors(options.priors);
  for (const binding::PriorFile& prior : priors) inputs.push_back(prior.file);
  inputs.insert(inputs.end(), options.copies.begin(), options.copies.end());
  REISSUE_TRY(OneStandardInput(inputs));
  contract::VerifyReport result =
      REISSUE_TRY(engine::Verify(options.certificate, options.releases, session.context(), priors,
                                 options.copies, options.trusted));
  const VerificationReport report{options.certificate, options.releases, std::move(result)};
  REISSUE_TRY(Print(session, report));
  return StatusOf(report.result.verdict());
}

}  // namespace

void AddVerify(CLI::App& root, Session& session) {
  CLI::App* verb = AddVerb(root, session, "verify",
                           "Check a certificate again from the published files.\n\n"
                           "Needs neither the policy nor the vault nor the table: anybody who has "
                           "the release can do it. " +
                               SentencesOfModels("verify") +
                               "\n\nThere are three verdicts. It holds (exit status 0): "
                               "everything was computed anew from the files, and the key that was "
                               "given with --key has signed it. It is not refuted (5): nothing "
                               "contradicts it, and it says what rests on somebody's word. It is "
                               "broken (1).",
                           "reissue verify --key hospital.key release-1.csv.certificate.json "
                           "release-1.csv\n"
                           "reissue verify --policy hospital.toml release-1.csv.certificate.json "
                           "release-1.csv\n"
                           "reissue verify -d dbname=clinic --key hospital.key "
                           "published.release_1.certificate.json published.release_1");
  auto options = std::make_shared<VerifyOptions>();
  AddDuckDb(*verb, session);
  AddInput(*verb, "CERTIFICATE", options->certificate, "The certificate (JSON).");
  AddServers(*verb, session, "RELEASE");
  AddText(
      *verb, "--key", options->trusted.key, "KEY",
      "The public key of the holder, or a file that has it: from the holder, not from where the "
      "release lies.");
  AddText(*verb, "--policy", options->trusted.policy, "POLICY",
          "A policy whose roles, guarantee and knowledge it must have.");
  AddPriors(*verb, options->priors);
  verb->add_option("--holder-copy", options->copies,
                   "The holder's copy of a release (" + Of(contract::Extra::kVerifyCopy) +
                       "); once for each, oldest first.")
      ->type_name("FILE")
      ->allow_extra_args(false);
  AddLabels(*verb, session, "List everybody of whom equal values are proven.");
  AddInputs(*verb, "RELEASE", options->releases, "The published files it is about; - is stdin.")
      ->required();
  verb->callback([options, &session] {
    session.action = [options, &session] { return RunVerify(*options, session); };
  });
}

}  // namespace reissue::cli
