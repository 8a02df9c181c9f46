#include "cli/render/policy.h"

#include <memory>

#include "cli/options.h"
#include "cli/print.h"
#include "cli/verbs.h"

namespace reissue::cli {
namespace {

struct PolicyOptions {
  std::string policy;
  std::vector<std::string> settings;
  bool dry_run = false;
};

// Files that it names need not be there: what is missing is told, and the rest is shown.
Result<int> RunPolicyShow(const PolicyOptions& options, Session& session) {
  io::FileSystem& files = session.context().files;
  ShownPolicy shown;
  shown.policy = REISSUE_TRY(io::ReadPolicyAlone(files, options.policy));
  shown.tree = REISSUE_TRY(io::ReadPolicyTree(shown.policy.text, options.policy));
  if (options.policy != "-") {
    shown.problems = io::ReadWholePolicy(files, options.policy).problems;
  }
  REISSUE_TRY(Print(session, shown));
  return kDone;
}

Result<int> RunPolicySet(const PolicyOptions& options, Session& session) {
  const engine::SetPolicyReport report = REISSUE_TRY(
      engine::SetPolicy(options.policy, options.settings, options.dry_run, session.context()));
  if (options.dry_run && session.format == Format::kText) {
    REISSUE_TRY(session.out().Write(report.edit.text));
    return kDone;
  }
  REISSUE_TRY(Print(session, report));
  return kDone;
}

void AddPolicyShow(CLI::App& family, Session& session) {
  CLI::App* verb = AddVerb(
      family, session, "show",
      "Show a policy: columns with their roles, and what is promised.\n\n"
      "Says what is written, with files that it names and that are not there. Whether it can be "
      "kept of a table is said by `reissue check`.",
      "reissue policy show hospital.toml\n"
      "reissue policy show hospital.toml --format json");
  auto options = std::make_shared<PolicyOptions>();
  AddInput(*verb, "POLICY", options->policy, "The policy (TOML).");
  verb->callback([options, &session] {
    session.action = [options, &session] { return RunPolicyShow(*options, session); };
  });
}

void AddPolicySet(CLI::App& family, Session& session) {
  CLI::App* verb = AddVerb(
      family, session, "set",
      "Change settings of a policy in its file; comments and all else stay as they are.\n\n"
      "A SETTING is a name as in the file, with a dot between its parts: guarantee.k, "
      "columns.age.role, table.missing, title. A VALUE that TOML knows (a number, true, a list, a "
      "text in quotes) is taken as it is, anything else is a text; without a value the setting is "
      "removed. Columns that are not there are added.\n\n"
      "The new text is read before it is written: what is no policy, or promises what no model "
      "knows, is refused, and the file stays as it was. So are values that are written over "
      "several lines. It is written whole or not at all.",
      "reissue policy set hospital.toml guarantee.k=10\n"
      "reissue policy set hospital.toml columns.age.role=sensitive columns.age.taxonomy=\n"
      "reissue policy set hospital.toml guarantee.recoding=local --dry-run");
  auto options = std::make_shared<PolicyOptions>();
  verb->add_flag("--dry-run", options->dry_run, "Print the new text, and write nothing.");
  AddInput(*verb, "POLICY", options->policy, "The policy (TOML).");
  AddInputs(*verb, "SETTING=VALUE", options->settings, "What to change, one after the other.")
      ->required();
  verb->callback([options, &session] {
    session.action = [options, &session] { return RunPolicySet(*options, session); };
  });
}

}  // namespace

void AddPolicy(CLI::App& root, Session& session) {
  CLI::App* family = AddFamily(root, "policy", "Show and change policies.",
                               "reissue policy show hospital.toml\n"
                               "reissue policy set hospital.toml guarantee.k=10");
  AddPolicyShow(*family, session);
  AddPolicySet(*family, session);
}

}  // namespace reissue::cli
