#include "cli/render/codebook.h"

#include <memory>

#include "cli/options.h"
#include "cli/print.h"
#include "cli/sink.h"
#include "cli/verbs.h"
#include "reissue/io/policy.h"

namespace reissue::cli {
namespace {

struct CodebookOptions {
  std::string policy, release, out;
};

Result<int> RunCodebook(const CodebookOptions& options, Session& session) {
  REISSUE_TRY(OneStandardInput({options.policy, options.release}));
  binding::Context& context = session.context();
  const io::Policy policy = REISSUE_TRY(io::ReadPolicy(context.files, options.policy));
  const binding::Codebook book =
      REISSUE_TRY(binding::MakeCodebook(policy, options.release, context));
  if (options.out.empty()) {
    REISSUE_TRY(Print(session, book));
    return kDone;
  }
  session.progress().Clear();
  const std::unique_ptr<Sink> sink = REISSUE_TRY(Sink::OpenNew(session, options.out));
  REISSUE_TRY(sink->Write(CodebookFile(book, options.out)));
  REISSUE_TRY(sink->Finish());
  return kDone;
}

}  // namespace

void AddCodebook(CLI::App& root, Session& session) {
  CLI::App* verb = AddVerb(
      root, session, "codebook",
      "Say what the labels of a published file stand for.\n\n"
      "Lists, for every quasi-identifier of the file, its labels, how many rows have each, and the "
      "leaves of the taxonomy, or the numbers, that it stands for. Other columns are named. Made "
      "from the published file and the policy with its taxonomies alone, so that it can be "
      "published beside the file; but it names leaves that are in no row, and a taxonomy that was "
      "drafted from the table lists the table's values.",
      "reissue codebook --policy hospital.toml release-1.csv --out release-1.codebook.md");
  auto options = std::make_shared<CodebookOptions>();
  AddDuckDb(*verb, session);
  AddText(*verb, "--policy", options->policy, "POLICY", "The policy (TOML).")->required();
  AddText(*verb, "--out", options->out, "FILE",
          "Write it there: Markdown where the name ends in .md, else CSV; - is stdout, as CSV. The "
          "file must not exist. Default: show it.");
  AddLabels(*verb, session, "List all values that a label stands for.");
  AddInput(*verb, "RELEASE", options->release, "The published file (CSV); - is stdin.");
  verb->callback([options, &session] {
    session.action = [options, &session] { return RunCodebook(*options, session); };
  });
}

}  // namespace reissue::cli
