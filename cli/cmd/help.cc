// The verbs that print what the program knows about itself.

#include <memory>

#include "cli/options.h"
#include "cli/reference/manual.h"
#include "cli/render/json.h"
#include "cli/verbs.h"
#include "cli/version.h"
#include "reissue/io/policy.h"

namespace reissue::cli {
namespace {

struct HelpOptions {
  std::vector<std::string> verb;
  bool markdown = false;
};

Result<int> RunHelp(const HelpOptions& options, const CLI::App& root, Session& session) {
  const ManualVerb manual = Describe(root);
  if (options.markdown) {
    REISSUE_TRY(session.out().Write(Markdown(manual)));
    return kDone;
  }
  const ManualVerb* verb = FindVerb(manual, options.verb);
  if (verb == nullptr) {
    std::string words;
    for (const std::string& word : options.verb) words += (words.empty() ? "" : " ") + word;
    std::vector<std::string> known;
    for (const ManualVerb& child : manual.verbs) known.push_back(child.name);
    const std::string nearest = io::Nearest(options.verb.front(), known);
    return UsageError(
        "there is no verb \"" + words + "\"",
        (nearest.empty() || nearest == options.verb.front() ? std::string()
                                                            : "Did you mean " + nearest + "? ") +
            "`reissue help` lists all verbs.");
  }
  REISSUE_TRY(session.out().Write(session.format == Format::kJson ? ManualJson(*verb)
                                                                  : ForLocale(HelpText(*verb))));
  return kDone;
}

Result<int> PrintText(const std::string& text, Session& session) {
  REISSUE_TRY(session.out().Write(text));
  return kDone;
}

std::string VersionText(Format format) {
  if (format == Format::kText) return "reissue " + std::string(kVersion) + "\n";
  Json json;
  json["program"] = "reissue";
  json["version"] = kVersion;
  return JsonText(json);
}

}  // namespace

void AddHelp(CLI::App& root, Session& session) {
  CLI::App* verb = AddVerb(root, session, "help", "Explain the program or one of its verbs.",
                           "reissue help audit");
  auto options = std::make_shared<HelpOptions>();
  verb->add_flag("--markdown", options->markdown, "Print the whole reference as Markdown.");
  AddInputs(*verb, "VERB", options->verb, "The verb to explain.");
  verb->callback([options, &root, &session] {
    session.action = [options, &root, &session] { return RunHelp(*options, root, session); };
  });
}

void AddVersion(CLI::App& root, Session& session) {
  CLI::App* verb =
      AddVerb(root, session, "version", "Print the version of the program.", "reissue version");
  verb->callback([&session] {
    session.action = [&session] { return PrintText(VersionText(session.format), session); };
  });
}

void AddCompletion(CLI::App& root, Session& session) {
  CLI::App* verb = AddPlainVerb(
      root, "completion",
      "Print a completion script for a shell.\n\n"
      "Zsh: source <(reissue completion zsh), or save it as _reissue in a directory of fpath. "
      "Fish: "
      "reissue completion fish | source, or save it as reissue.fish among its completions.",
      "source <(reissue completion bash)");
  auto shell = std::make_shared<std::string>();
  AddChoice(*verb, "SHELL", *shell, {"bash", "zsh", "fish"}, "bash, zsh or fish.")->required();
  verb->callback([shell, &root, &session] {
    session.action = [shell, &root, &session] {
      const ManualVerb manual = Describe(root);
      return PrintText(*shell == "bash"  ? BashCompletion(manual)
                       : *shell == "zsh" ? ZshCompletion(manual)
                                         : FishCompletion(manual),
                       session);
    };
  });
}

void AddMan(CLI::App& root, Session& session) {
  CLI::App* verb =
      AddPlainVerb(root, "man",
                   "Print the manual page (roff).\n\n"
                   "Installed (`cmake --install`), it is what `man reissue` shows; before that "
                   "`man` does not know it, and reads it from here.",
                   "reissue man | man -l -");
  verb->callback([&root, &session] {
    session.action = [&root, &session] {
      return PrintText(ManPage(Describe(root), kVersion), session);
    };
  });
}

}  // namespace reissue::cli
