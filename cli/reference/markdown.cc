#include "cli/reference/manual.h"

namespace reissue::cli {
namespace {

std::string Code(const std::string& text) { return "`" + text + "`"; }

// A cell of a Markdown table.
std::string Escaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c == '\n' ? ' ' : c;
  }
  return escaped;
}

std::string OptionTable(const std::vector<ManualOption>& options, const std::string& heading) {
  if (options.empty()) return {};
  std::string text = "| " + heading + " | meaning |\n| --- | --- |\n";
  for (const ManualOption& option : options) {
    const bool positional = option.names.front().front() != '-';
    std::string names;
    for (const std::string& name : option.names) names += (names.empty() ? "" : ", ") + name;
    if (positional && option.many) names += "...";
    if (!positional && !option.value.empty()) names += " " + option.value;
    text += "| " + Escaped(Code(names)) + " | " + Escaped(option.description) +
            (option.required && !positional ? " Required." : "") + " |\n";
  }
  return text + "\n";
}

void AppendVerb(std::string& text, const ManualVerb& verb, int depth) {
  text += std::string(static_cast<std::size_t>(depth), '#') + " " + verb.path + "\n\n";
  text += verb.summary + "\n\n";
  text += "```\n" + verb.Usage() + "\n```\n\n";
  if (!verb.details.empty()) text += verb.details + "\n\n";
  if (!verb.verbs.empty()) {
    text += "| verb | does |\n| --- | --- |\n";
    for (const ManualVerb& child : verb.verbs) {
      text += "| " + Code(child.name) + " | " + Escaped(child.summary) + " |\n";
    }
    text += "\n";
  }
  text += OptionTable(verb.arguments, "argument");
  text += OptionTable(verb.options, "option");
  text += verb.examples.size() > 1 ? "Examples:\n\n```sh\n" : "Example:\n\n```sh\n";
  for (const std::string& example : verb.examples) text += example + "\n";
  text += "```\n\n";
  for (const ManualVerb& child : verb.verbs) AppendVerb(text, child, depth + 1);
}

void AppendTopics(std::string& text, const std::string& heading, const std::string& column,
                  const std::vector<Topic>& topics) {
  text += "## " + heading + "\n\n| " + column + " | meaning |\n| --- | --- |\n";
  for (const Topic& topic : topics) {
    text += "| " + Code(topic.name) + " | " + Escaped(topic.text) + " |\n";
  }
  text += "\n";
}

}  // namespace

std::string Markdown(const ManualVerb& root) {
  std::string text =
      "<!-- Made by `reissue help --markdown`; a test fails when it is stale. -->\n\n";
  AppendVerb(text, root, 1);
  AppendTopics(text, "Exit status", "status", ExitStatuses());
  AppendTopics(text, "Environment", "variable", EnvironmentVariables());
  AppendTopics(text, "Files", "file", Files());
  text.pop_back();
  return text;
}

}  // namespace reissue::cli
