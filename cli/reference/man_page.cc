#include "cli/reference/manual.h"

namespace reissue::cli {
namespace {

// Text for roff: backslashes, hyphens that are meant as typed, and lines that would be requests.
std::string Roff(const std::string& text) {
  std::string escaped;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) escaped += "\\&";
    if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else {
      escaped += c;
    }
    line_start = c == '\n';
  }
  return escaped;
}

std::string Bold(const std::string& text) { return "\\fB" + Roff(text) + "\\fR"; }
std::string Italic(const std::string& text) { return "\\fI" + Roff(text) + "\\fR"; }

void AppendParagraphs(std::string& page, const std::string& text) {
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find("\n\n", begin), text.size());
    page += ".PP\n" + Roff(text.substr(begin, end - begin)) + "\n";
    begin = end + 2;
  }
}

void AppendOptions(std::string& page, const std::vector<ManualOption>& options) {
  for (const ManualOption& option : options) {
    const bool positional = option.names.front().front() != '-';
    page += ".TP\n";
    if (positional) {
      page += Italic(option.names.front()) + (option.many ? " ..." : "");
    } else {
      for (std::size_t i = 0; i < option.names.size(); ++i) {
        page += (i > 0 ? ", " : "") + Bold(option.names[i]);
      }
      if (!option.value.empty()) page += " " + Italic(option.value);
    }
    page += "\n" + Roff(option.description);
    if (option.required && !positional) page += " Required.";
    page += "\n";
  }
}

void AppendExamples(std::string& page, const std::vector<std::string>& examples) {
  page += ".PP\n.nf\n.RS 4\n";
  for (const std::string& example : examples) page += Roff(example) + "\n";
  page += ".RE\n.fi\n";
}

void AppendVerb(std::string& page, const ManualVerb& verb) {
  page += ".SS " + Roff(verb.path) + "\n" + Roff(verb.summary) + "\n";
  if (verb.verbs.empty()) page += ".PP\n" + Bold(verb.Usage()) + "\n";
  AppendParagraphs(page, verb.details);
  if (verb.verbs.empty()) {
    AppendOptions(page, verb.arguments);
    AppendOptions(page, verb.options);
    AppendExamples(page, verb.examples);
  }
  for (const ManualVerb& child : verb.verbs) AppendVerb(page, child);
}

void AppendTopics(std::string& page, const std::string& heading, const std::vector<Topic>& topics) {
  page += ".SH " + heading + "\n";
  for (const Topic& topic : topics)
    page += ".TP\n" + Bold(topic.name) + "\n" + Roff(topic.text) + "\n";
}

void CollectExamples(const ManualVerb& verb, std::vector<std::string>& examples) {
  for (const ManualVerb& child : verb.verbs) {
    if (child.verbs.empty()) {
      examples.insert(examples.end(), child.examples.begin(), child.examples.end());
    }
    CollectExamples(child, examples);
  }
}

}  // namespace

std::string ManPage(const ManualVerb& root, const std::string& version) {
  std::string page = ".TH REISSUE 1 \"\" \"reissue " + version + "\" \"User Commands\"\n";
  page += ".SH NAME\nreissue \\- publish the same data again, safely\n";
  page += ".SH SYNOPSIS\n";
  for (const ManualVerb& verb : root.verbs) page += Bold(verb.Usage()) + "\n.br\n";
  page += ".SH DESCRIPTION\n" + Roff(root.summary) + "\n";
  AppendParagraphs(page, root.details);
  page += ".SH OPTIONS\n";
  AppendOptions(page, root.options);
  page += ".SH VERBS\n";
  for (const ManualVerb& verb : root.verbs) AppendVerb(page, verb);
  AppendTopics(page, "EXIT STATUS", ExitStatuses());
  AppendTopics(page, "ENVIRONMENT", EnvironmentVariables());
  AppendTopics(page, "FILES", Files());
  page += ".SH EXAMPLES\n";
  std::vector<std::string> examples;
  CollectExamples(root, examples);
  AppendExamples(page, examples);
  return page;
}

}  // namespace reissue::cli
