#pragma once
// What the command line knows about itself, as plain values: the one source of help, man page,
// completion and docs/cli.md. Thread-safe once built.

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace reissue::cli {

// What the shell should offer for a value.
enum class Expects { kNothing, kFile, kDirectory, kChoice, kText };

struct ManualOption {
  std::vector<std::string> names;  // "--help", "-h"; the one upper-case name of a positional
  std::string value;               // "FILE", "text|json", "N"; empty for a flag
  Expects expects = Expects::kNothing;
  std::vector<std::string> choices;
  std::string description;
  bool required = false;
  bool many = false;
};

struct ManualVerb {
  std::string path;     // "reissue", "reissue audit", "reissue taxonomy show"
  std::string name;     // last word of the path
  std::string summary;  // one line
  std::string details;  // paragraphs; may be empty
  std::vector<std::string> examples;
  std::vector<ManualOption> arguments;  // positional
  std::vector<ManualOption> options;
  std::vector<ManualVerb> verbs;

  // `reissue audit --policy POLICY [options] RELEASE...`
  std::string Usage() const;
};

ManualVerb Describe(const CLI::App& app);
// The verb at the end of `words`, or nullptr.
const ManualVerb* FindVerb(const ManualVerb& root, const std::vector<std::string>& words);

std::string HelpText(const ManualVerb& verb);
std::string Markdown(const ManualVerb& root);
std::string ManPage(const ManualVerb& root, const std::string& version);
std::string BashCompletion(const ManualVerb& root);
std::string ZshCompletion(const ManualVerb& root);
std::string FishCompletion(const ManualVerb& root);
// The tree as JSON.
std::string ManualJson(const ManualVerb& root);

// What is the same for every verb; used by help, man page and docs.
struct Topic {
  std::string name;
  std::string text;
};
const std::vector<Topic>& ExitStatuses();
const std::vector<Topic>& EnvironmentVariables();
const std::vector<Topic>& Files();

}  // namespace reissue::cli
