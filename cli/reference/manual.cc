#include "cli/reference/manual.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace reissue::cli {
namespace {

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

Expects WhatIsExpected(const std::string& value) {
  if (value.empty()) return Expects::kNothing;
  if (value.find('|') != std::string::npos) return Expects::kChoice;
  for (const char* file : {"FILE", "POLICY", "TABLE", "RELEASE", "CERTIFICATE", "TAXONOMY"}) {
    if (value == file) return Expects::kFile;
  }
  return value == "DIR" ? Expects::kDirectory : Expects::kText;
}

ManualOption DescribeOption(const CLI::Option& option) {
  ManualOption manual;
  manual.description = option.get_description();
  manual.required = option.get_required();
  manual.many = option.get_items_expected_max() > 1;
  if (option.get_positional()) {
    manual.names = {option.get_name(true)};
    const std::string type = option.get_type_name();
    manual.value = type.find('|') != std::string::npos ? type : option.get_name(true);
  } else {
    for (const std::string& name : option.get_lnames()) manual.names.push_back("--" + name);
    for (const std::string& name : option.get_snames()) manual.names.push_back("-" + name);
    if (option.get_items_expected_max() > 0) manual.value = option.get_type_name();
  }
  manual.expects = WhatIsExpected(manual.value);
  if (manual.expects == Expects::kChoice) manual.choices = Split(manual.value, '|');
  return manual;
}

}  // namespace

ManualVerb Describe(const CLI::App& app) {
  ManualVerb verb;
  verb.name = app.get_name();
  verb.path = verb.name;
  for (const CLI::App* up = app.get_parent(); up != nullptr; up = up->get_parent()) {
    verb.path = up->get_name() + " " + verb.path;
  }
  const std::string description = app.get_description();
  const std::size_t paragraph = description.find("\n\n");
  verb.summary = description.substr(0, paragraph);
  if (paragraph != std::string::npos) verb.details = description.substr(paragraph + 2);
  verb.examples = Split(app.get_footer(), '\n');
  const CLI::Option* help = nullptr;
  for (const CLI::Option* option : app.get_options()) {
    if (option == app.get_help_ptr()) {
      help = option;
    } else if (option->get_positional()) {
      verb.arguments.push_back(DescribeOption(*option));
    } else {
      verb.options.push_back(DescribeOption(*option));
    }
  }
  // What is particular to a verb comes before what all have in common.
  std::stable_partition(verb.options.begin(), verb.options.end(), [](const ManualOption& option) {
    return option.names.front() != "--format" && option.names.front() != "--threads";
  });
  if (help != nullptr) verb.options.push_back(DescribeOption(*help));
  for (const CLI::App* child : app.get_subcommands(std::function<bool(const CLI::App*)>())) {
    verb.verbs.push_back(Describe(*child));
  }
  return verb;
}

const ManualVerb* FindVerb(const ManualVerb& root, const std::vector<std::string>& words) {
  const ManualVerb* at = &root;
  for (const std::string& word : words) {
    const ManualVerb* next = nullptr;
    for (const ManualVerb& verb : at->verbs) {
      if (verb.name == word) next = &verb;
    }
    if (next == nullptr) return nullptr;
    at = next;
  }
  return at;
}

std::string ManualVerb::Usage() const {
  std::string usage = path;
  if (!verbs.empty()) return usage + " VERB [options] [arguments]";
  bool optional = false;
  for (const ManualOption& option : options) {
    if (option.required) {
      usage += " " + option.names.front() + " " + option.value;
    } else {
      optional = true;
    }
  }
  if (optional) usage += " [options]";
  for (const ManualOption& argument : arguments) {
    const std::string word = argument.names.front() + (argument.many ? "..." : "");
    usage += argument.required ? " " + word : " [" + word + "]";
  }
  return usage;
}

}  // namespace reissue::cli
