#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/reference/manual.h"
#include "cli/verbs.h"
#include "cli/version.h"
#include "reissue/io/interrupt.h"
#include "reissue/io/policy.h"

namespace reissue::cli {
namespace {

std::unique_ptr<CLI::App> BuildTree(Session& session) {
  auto root = std::make_unique<CLI::App>(
      "Publish the same data again, safely.\n\n"
      "A table of persons that is published again and again gives people away even where each "
      "release alone keeps its promise. reissue audits releases as their readers could attack "
      "them, and publishes the next one so that the promise holds.",
      "reissue");
  root->formatter_fn([](const CLI::App* app, std::string, CLI::AppFormatMode) {
    return HelpText(Describe(*app));
  });
  root->footer(
      "reissue check hospital.toml patients.csv\n"
      "reissue publish --vault vault --policy hospital.toml patients.csv --out release-1.csv\n"
      "reissue audit --policy hospital.toml release-1.csv");
  root->require_subcommand(0, 1);  // so that a file may have the name of a verb
  root->set_help_flag("--help,-h", "Print this help and stop.");
  root->add_flag_callback(
      "--version", [] { throw CLI::CallForVersion("reissue " + std::string(kVersion), 0); },
      "Print the version and stop.");
  AddInit(*root, session);
  AddDescribe(*root, session);
  AddAdvise(*root, session);
  AddPolicy(*root, session);
  AddCheck(*root, session);
  AddAudit(*root, session);
  AddReport(*root, session);
  AddExplore(*root, session);
  AddPublish(*root, session);
  AddAdopt(*root, session);
  AddVerify(*root, session);
  AddHistory(*root, session);
  AddVault(*root, session);
  AddKey(*root, session);
  AddMetrics(*root, session);
  AddCodebook(*root, session);
  AddSpreadsheet(*root, session);
  AddTaxonomy(*root, session);
  AddLearn(*root, session);
  AddSimulate(*root, session);
  AddLab(*root, session);
  AddStudio(*root, session);
  AddHelp(*root, session);
  AddVersion(*root, session);
  AddCompletion(*root, session);
  AddMan(*root, session);
  return root;
}

// "audit: " for `reissue audit`, nothing for the program itself.
std::string Prefix(const ManualVerb& verb) {
  const std::size_t blank = verb.path.find(' ');
  return blank == std::string::npos ? "" : verb.path.substr(blank + 1) + ": ";
}

std::string DidYouMean(const std::string& word, const std::vector<std::string>& known,
                       const std::string& help) {
  const std::string nearest = io::Nearest(word, known);
  const std::string see = "`" + help + " --help` lists what there is.";
  return nearest.empty() ? see : "Did you mean " + nearest + "? " + see;
}

// Verbs and options that do not exist, found before the parser trips over their consequences.
Status CheckWords(const ManualVerb& root, const std::vector<std::string>& words) {
  const ManualVerb* verb = &root;
  for (const std::string& word : words) {
    if (word == "--") break;
    if (word.size() > 2 && word.starts_with("--")) {
      const std::string name = word.substr(0, word.find('='));
      std::vector<std::string> known;
      for (const ManualOption& option : verb->options) {
        known.insert(known.end(), option.names.begin(), option.names.end());
      }
      if (std::find(known.begin(), known.end(), name) == known.end()) {
        return UsageError(Prefix(*verb) + "there is no option " + name,
                          DidYouMean(name, known, verb->path));
      }
    } else if (!verb->verbs.empty() && !word.starts_with("-")) {
      std::vector<std::string> known;
      const ManualVerb* next = nullptr;
      for (const ManualVerb& child : verb->verbs) {
        known.push_back(child.name);
        if (child.name == word) next = &child;
      }
      if (next == nullptr) {
        return UsageError(
            "there is no verb \"" + (verb == &root ? "" : verb->name + " ") + word + "\"",
            DidYouMean(word, known, verb->path));
      }
      verb = next;
    }
  }
  return Ok();
}

const CLI::App& Called(const CLI::App& root) {
  const CLI::App* at = &root;
  while (!at->get_subcommands().empty()) at = at->get_subcommands().front();
  return *at;
}

// What a signal says that ends a verb. Those that publish say themselves for how long nothing was.
const char* LastWords(const CLI::App& verb) {
  const bool publishes = verb.get_name() == "publish" || verb.get_name() == "adopt";
  return publishes ? "\nreissue: interrupted\n" : "\nreissue: interrupted: nothing was published\n";
}

Error Translate(const CLI::ParseError& problem, const ManualVerb& verb) {
  const std::string text = problem.what();
  const std::string name = text.substr(0, text.find(':'));
  std::string message = text;
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&problem) != nullptr) {
    message = text.find("At Most") != std::string::npos ? name + " was given more than once"
                                                        : name + " needs a value";
  } else if (dynamic_cast<const CLI::ExtrasError*>(&problem) != nullptr) {
    message = "there is one argument too many: " + text.substr(text.find(": ") + 2);
  } else if (dynamic_cast<const CLI::RequiredError*>(&problem) != nullptr && !verb.verbs.empty()) {
    message = "a verb is missing";
  }
  return UsageError(Prefix(verb) + message,
                    "Usage: " + verb.Usage() + "\n  `" + verb.path + " --help` explains it.");
}

// Before the parser has seen it, for errors of the parser itself.
bool AsksForJson(const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--format=json") return true;
    if (words[i] == "--format" && i + 1 < words.size() && words[i + 1] == "json") return true;
  }
  return false;
}

Result<int> Parse(CLI::App& root, const std::vector<std::string>& words, Session& session) {
  REISSUE_TRY(CheckWords(Describe(root), words));
  try {
    std::vector<std::string> backwards(words.rbegin(), words.rend());
    root.parse(backwards);
  } catch (const CLI::CallForHelp&) {
    REISSUE_TRY(session.out().Write(ForLocale(HelpText(Describe(Called(root))))));
    return kDone;
  } catch (const CLI::CallForVersion& version) {
    REISSUE_TRY(session.out().Write(std::string(version.what()) + "\n"));
    return kDone;
  } catch (const CLI::ParseError& problem) {
    return Translate(problem, Describe(Called(root)));
  }
  if (!session.action) return Translate(CLI::RequiredError("VERB"), Describe(root));
  const io::SayOnInterrupt said(LastWords(Called(root)));
  REISSUE_TRY(session.Dial());
  return session.action();
}

}  // namespace

int RunProgram(const std::vector<std::string>& arguments, Session& session) {
  if (AsksForJson(arguments)) session.format = Format::kJson;
  const std::unique_ptr<CLI::App> root = BuildTree(session);
  const Result<int> status = Parse(*root, arguments, session);
  session.progress().Clear();
  if (status) return *status;
  session.Report(status.error());
  return ExitStatus(status.error().code);
}

}  // namespace reissue::cli
