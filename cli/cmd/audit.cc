#include "reissue/engine/audit.h"

#include <memory>

#include "cli/options.h"
#include "cli/print.h"
#include "cli/verbs.h"
#include "reissue/io/policy.h"

namespace reissue::cli {
namespace {

struct AuditOptions {
  std::string policy;
  std::vector<std::string> releases;
  std::uint64_t worst = 10;
};

Result<int> RunAudit(const AuditOptions& options, Session& session) {
  std::vector<std::string> inputs = options.releases;
  inputs.push_back(options.policy);
  REISSUE_TRY(OneStandardInput(inputs));
  engine::Context& context = session.context();
  const io::Policy policy = REISSUE_TRY(io::ReadPolicy(context.files, options.policy));
  const engine::AuditReport report =
      REISSUE_TRY(engine::Audit(policy, options.releases, context, options.worst));
  REISSUE_TRY(Print(session, report));
  return report.satisfied ? kDone : kPromiseBroken;
}

}  // namespace

void AddAudit(CLI::App& root, Session& session) {
  CLI::App* verb = AddVerb(
      root, session, "audit",
      "Attack published files as their readers could, and say who is exposed.\n\n"
      "The files may come from any tool: only what a reader sees is used. The policy says which "
      "columns readers may know of a person (quasi), which they must not learn (sensitive), and "
      "what was promised. The exit status is 1 if the promise is broken.",
      "reissue audit --policy hospital.toml release-1.csv");
  auto options = std::make_shared<AuditOptions>();
  AddText(*verb, "--policy", options->policy, "POLICY", "The policy (TOML).")->required();
  AddNumber(*verb, "--worst", options->worst, "List at most N of the worst groups. Default: 10.", 0,
            1000000);
  AddInputs(*verb, "RELEASE", options->releases,
            "The published files, oldest first (CSV); - is stdin.")
      ->required();
  verb->callback([options, &session] {
    session.action = [options, &session] { return RunAudit(*options, session); };
  });
}

}  // namespace reissue::cli
