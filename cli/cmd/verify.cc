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
  std::vector<std::string> keys;
  std::string policy;
  bool parts = false;
};

Result<contract::VerifyReport> Verified(const VerifyOptions& options,
                                        const std::vector<binding::PriorFile>& priors,
                                        Session& session) {
  binding::Context& context = session.context();
  if (options.parts) {
    if (!priors.empty() || !options.copies.empty()) {
      return UsageError("verify --parts takes neither --prior nor --holder-copy",
                        "Verify each part by itself with them.");
    }
    std::vector<std::string> files = options.releases;
    files.insert(files.begin(), options.certificate);
    return engine::VerifyParts(files, context, options.keys, options.policy);
  }
  if (options.keys.size() > 1) {
    return UsageError("several keys were given for one certificate",
                      "Only --parts takes several: each part has a key of its own.");
  }
  const engine::Trusted trusted{options.keys.empty() ? "" : options.keys[0], options.policy};
  return engine::Verify(options.certificate, options.releases, context, priors, options.copies,
                        trusted);
}

Result<int> RunVerify(const VerifyOptions& options, Session& session) {
  std::vector<std::string> inputs = options.releases;
  inputs.push_back(options.certificate);
  const std::vector<binding::PriorFile> priors = Priors(options.priors);
  for (const binding::PriorFile& prior : priors) inputs.push_back(prior.file);
  inputs.insert(inputs.end(), options.copies.begin(), options.copies.end());
  REISSUE_TRY(OneStandardInput(inputs));
  contract::VerifyReport result = REISSUE_TRY(Verified(options, priors, session));
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
                           "published.release_1.certificate.json published.release_1\n"
                           "reissue verify --parts part-1.csv.certificate.json part-1.csv "
                           "part-2.csv.certificate.json part-2.csv");
  auto options = std::make_shared<VerifyOptions>();
  AddInput(*verb, "CERTIFICATE", options->certificate, "The certificate (JSON).");
  AddServers(*verb, session, "RELEASE");
  verb->add_option("--key", options->keys,
                   "The public key of the holder, or a file that has it: from the holder, not from "
                   "where the release lies. With --parts once for each part.")
      ->type_name("KEY")
      ->allow_extra_args(false);
  verb->add_flag("--parts", options->parts,
                 "The files are the certificates of all parts of one population (publish --part) "
                 "and the releases that they are about, in any order: all parts must be there "
                 "once, each must verify, and what is promised is measured on all of them "
                 "together.");
  AddText(*verb, "--policy", options->policy, "POLICY",
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
