#include "cli/studio/arguments.h"

#include <algorithm>
#include <string_view>

#include "reissue/engine/raw_tables.h"
#include "reissue/io/policy.h"

namespace reissue::cli::studio {
namespace {

constexpr std::size_t kMostArguments = 200, kLongestArgument = 4096;

// Verbs of one word, and families of which all verbs, or one, may be called.
const std::vector<std::string>& SingleVerbs() {
  static const std::vector<std::string> verbs = {"init",     "describe", "advise", "check",
                                                 "explore",  "publish",  "audit",  "metrics",
                                                 "codebook", "history",  "verify", "report"};
  return verbs;
}
const std::vector<std::pair<std::string, std::vector<std::string>>>& Families() {
  static const std::vector<std::pair<std::string, std::vector<std::string>>> families = {
      {"policy", {"show", "set"}}, {"taxonomy", {"draft", "show", "check"}}, {"vault", {"check"}}};
  return families;
}

bool Has(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// How many words the verb has; 0: it is none of the studio's.
std::size_t WordsOfVerb(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return 0;
  if (Has(SingleVerbs(), arguments[0])) return 1;
  for (const auto& [family, verbs] : Families()) {
    if (arguments[0] == family && arguments.size() > 1 && Has(verbs, arguments[1])) return 2;
  }
  return 0;
}

Error Refused(const std::string& what, const std::string& remedy) {
  return UsageError("the studio does not do this: " + what, remedy);
}

Status CheckOption(const std::string& argument) {
  const std::string name = argument.substr(0, argument.find('='));
  if (!name.starts_with("--")) {
    if (name == "-" || name == "-v" || !name.starts_with("-")) return Ok();
    return Refused("options of one letter other than -v", "Use the long name of the option.");
  }
  if (name == "--dbname" || name == "--out-table") {
    return Refused("it makes no connections", "Use the command line for tables of a server.");
  }
  if (name == "--duckdb") {
    return Refused("it takes no library from the page",
                   "Set REISSUE_DUCKDB before `reissue studio`.");
  }
  if (name == "--format") return Refused("the output is always JSON", "Leave --format out.");
  return Ok();
}

// A path, or what may be one: an argument, and what stands behind each `=` in it.
Status CheckPath(const std::string& path, const Folder& folder) {
  const char* const remedy = "Name files in the folder of the studio.";
  if (path.starts_with('/') || path.find("..") != std::string::npos) {
    return Refused("paths that lead out of its folder", remedy);
  }
  if (!path.empty() && !folder.Contains(path)) {
    return Refused("paths that lead over a link", remedy);
  }
  return Ok();
}

Status CheckArgument(const std::string& argument, const Folder& folder) {
  if (argument.size() > kLongestArgument) return Refused("very long arguments", "");
  if (argument.find('\0') != std::string::npos) return Refused("arguments with a NUL byte", "");
  REISSUE_TRY(CheckOption(argument));
  REISSUE_TRY(CheckPath(argument, folder));
  for (std::size_t at = argument.find('='); at != std::string::npos;
       at = argument.find('=', at + 1)) {
    REISSUE_TRY(CheckPath(argument.substr(at + 1), folder));
  }
  return Ok();
}

// Policies may name servers; a page must not be able to.
Status CheckPolicy(const std::string& argument, const Folder& folder) {
  const std::string path = argument.substr(argument.find('=') + 1);
  if (!path.ends_with(".toml")) return Ok();
  const auto policy = io::ReadPolicyAlone(io::SystemFiles(), folder.directory() + "/" + path);
  if (!policy || policy->source.servers.empty()) return Ok();  // what is wrong with it, verbs say
  return Refused("it makes no connections, and the policy has a [source]",
                 "Use the command line for tables of a server.");
}

}  // namespace

Result<std::vector<std::string>> CommandOf(const std::vector<std::string>& arguments,
                                           const Folder& folder) {
  const std::size_t verb = WordsOfVerb(arguments);
  if (verb == 0) {
    return Refused("there is no such verb for it", "`reissue help studio` lists those it has.");
  }
  if (arguments.size() > kMostArguments) return Refused("that many arguments", "");
  for (std::size_t i = verb; i < arguments.size(); ++i) {
    REISSUE_TRY(CheckArgument(arguments[i], folder));
    REISSUE_TRY(CheckPolicy(arguments[i], folder));
    if (arguments[0] == "policy" && arguments[i].starts_with("source.")) {
      return Refused("it makes no connections", "Change [source] in an editor.");
    }
  }
  const auto behind = arguments.begin() + static_cast<std::ptrdiff_t>(verb);
  std::vector<std::string> command(arguments.begin(), behind);
  command.insert(command.end(), {"--format", "json"});
  command.insert(command.end(), behind, arguments.end());
  return command;
}

std::string CommandText(const std::vector<std::string>& arguments) {
  std::string text = "reissue";
  for (const std::string& argument : arguments) text += " " + engine::ShellWord(argument);
  return text;
}

}  // namespace reissue::cli::studio
