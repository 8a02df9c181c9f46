#include "cli/reference/manual.h"
#include "cli/render/text.h"

namespace reissue::cli {
namespace {

constexpr std::size_t kDescriptionColumn = 24;

std::string Entry(const std::string& term, const std::string& description) {
  const std::string filled = Fill(description, kDescriptionColumn);
  const std::string head = "  " + term;
  if (Columns(head) + 2 > kDescriptionColumn) return head + "\n" + filled;
  return head + std::string(kDescriptionColumn - Columns(head), ' ') +
         filled.substr(std::min(kDescriptionColumn, filled.size()));
}

std::string Term(const ManualOption& option) {
  std::string term;
  for (const std::string& name : option.names) term += (term.empty() ? "" : ", ") + name;
  if (option.names.front().front() == '-') {
    if (!option.value.empty()) term += " " + option.value;
  } else if (option.many) {
    term += "...";
  }
  return term;
}

std::string Entries(const std::string& heading, const std::vector<ManualOption>& options) {
  if (options.empty()) return {};
  std::string text = "\n" + heading + "\n";
  for (const ManualOption& option : options) {
    text += Entry(Term(option),
                  option.description +
                      (option.required && option.names.front().front() == '-' ? " Required." : ""));
  }
  return text;
}

}  // namespace

std::string HelpText(const ManualVerb& verb) {
  std::string text = Fill(verb.path + ": " + verb.summary);
  text += "\nUsage\n" + Fill(verb.Usage(), 2);
  if (!verb.details.empty()) text += "\n" + Fill(verb.details);
  if (!verb.verbs.empty()) {
    text += "\nVerbs\n";
    for (const ManualVerb& child : verb.verbs) text += Entry(child.name, child.summary);
    text += "\nMore about a verb: " + verb.path + " VERB --help\n";
  }
  text += Entries("Arguments", verb.arguments);
  text += Entries("Options", verb.options);
  text += verb.examples.size() > 1 ? "\nExamples\n" : "\nExample\n";
  for (const std::string& example : verb.examples) text += "  " + example + "\n";
  return text;
}

}  // namespace reissue::cli
