#include "cli/render/models/bcf_explain.h"

#include <algorithm>

#include "cli/render/text.h"

namespace reissue::cli {
namespace {

namespace bcf = models::bcf::service;
using bcf::ExplainedTarget;
using bcf::PersonExplained;

std::string CellText(const binding::LabelledCell& cell) {
  std::string text;
  for (const auto& [column, label] : cell) text += (text.empty() ? "" : ", ") + label;
  return Printable(text);
}

std::string LeftText(const bcf::Bounds& left) {
  if (left.lower == left.upper) return Count(left.lower);
  return Count(left.lower) + " to " + Count(left.upper);
}

std::string ArgumentText(const bcf::ExplainedValue& value) {
  std::string text;
  for (const bcf::Argument& argument : value.arguments) {
    text += (text.empty() ? "" : "; ") + argument.attack + ": release " + Count(argument.against) +
            " excludes " + Count(argument.excluded) + " of release " + Count(argument.release);
  }
  if (value.left.upper < value.pairs) {
    text += (text.empty() ? "" : "; ") + std::string("all releases together: ") +
            Count(value.pairs - value.left.upper) + " more";
  }
  return text;
}

std::string MatchText(const bcf::MatchingCell& match) {
  std::string values;
  for (const bcf::ValueRows& value : match.values) {
    if (value.value.empty()) continue;
    values += (values.empty() ? " (" : ", ") + Count(value.rows) + " " + value.value;
  }
  return "In release " + Count(match.release) + ": " + Counted(match.size, "row", "rows") + " of " +
         binding::Where(match.cell) + values + (values.empty() ? "" : ")") + ".";
}

std::string WitnessText(const ExplainedTarget& target) {
  TextTable table({Align::kLeft, Align::kLeft, Align::kRight, Align::kLeft});
  table.Add({"value", "first seen in", "people", "where"});
  for (const bcf::WitnessShare& share : target.witness) {
    std::string where;
    for (std::size_t i = 0; i < share.cells.size(); ++i) {
      where += (where.empty() ? "" : " → ") + CellText(share.cells[i]);
    }
    table.Add({Printable(share.value), "release " + Count(share.born), Count(share.people), where});
  }
  std::string text = table.ToString();
  if (target.more_witness > 0) text += "  … and " + Count(target.more_witness) + " more\n";
  return text;
}

std::string TargetText(const ExplainedTarget& target, const PersonExplained& report,
                       const Style& style) {
  std::string text;
  TextTable table([&] {
    std::vector<Align> columns(target.cells.size() + 2, Align::kRight);
    columns.front() = Align::kLeft;
    columns.push_back(Align::kLeft);
    return columns;
  }());
  std::vector<std::string> heading = {"value"};
  for (const bcf::MatchingCell& cell : target.cells) {
    heading.push_back("release " + Count(cell.release));
  }
  heading.push_back("left");
  heading.push_back("excluded by");
  table.Add(std::move(heading));
  bool letters = false;
  for (const bcf::ExplainedValue& value : target.values) {
    std::vector<std::string> row = {value.value.empty() ? "(rows)" : Printable(value.value)};
    for (const std::uint64_t size : value.sizes) row.push_back(Count(size));
    row.push_back(LeftText(value.left));
    row.push_back(ArgumentText(value));
    letters |= !value.arguments.empty();
    table.Add(std::move(row));
  }
  text += table.ToString();
  if (letters) text += Fill(kAttackLetters, 4);
  std::string words = "Left: " + LeftText(target.left) + ", where " + Count(report.k) + " " +
                      (report.k == 1 ? "was" : "were") + " promised.";
  if (!target.broken.empty()) {
    words += " Broken:";
    for (const std::string& promise : target.broken) words += " " + promise;
    words += ".";
  }
  text += "  " + (target.broken.empty() ? words : style.Bad(words)) + "\n";
  if (target.witness.empty()) return text;
  return text + "\n" + style.Heading("A world in which so many cannot be excluded") + "\n" +
         WitnessText(target);
}

constexpr std::size_t kStepsShown = 3;

// What excludes rows, the strongest first.
std::vector<std::string> Steps(const ExplainedTarget& target) {
  std::vector<std::pair<std::uint64_t, std::string>> found;
  for (const bcf::ExplainedValue& value : target.values) {
    const std::string of = value.value.empty() ? "" : " with " + Printable(value.value);
    for (const bcf::Argument& argument : value.arguments) {
      const std::uint64_t rows = value.sizes[argument.release - target.cells.front().release];
      const bool all = argument.excluded == rows, older = argument.attack == "B";
      const std::string whose =
          " row" + std::string(all ? "" : "s") + of + " in release " + Count(argument.release) +
          (older
               ? " must be of somebody who is in release " + Count(argument.against) + " already."
               : (all ? " can" : " cannot") + std::string(" be of somebody who is in this group") +
                     " of release " + Count(argument.against) + ".");
      found.emplace_back(
          argument.excluded,
          (all ? (older ? "Every" : "No") : Count(argument.excluded) + " of " + Count(rows)) +
              whose);
    }
    if (value.left.upper < value.pairs) {
      const std::uint64_t more = value.pairs - value.left.upper;
      found.emplace_back(more, "All releases together exclude " + Count(more) + " more" +
                                   (value.value.empty() ? "" : of) + ".");
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> steps;
  for (auto& [excluded, words] : found) steps.push_back(std::move(words));
  return steps;
}

// The promises that are broken, or that they are kept.
std::string VerdictOf(const PersonExplained& report, const Style& style) {
  if (!report.conflicts.empty()) return style.Bad("NOT ONE SERIES");
  if (report.targets.empty()) return "nobody is there";
  std::vector<std::string> broken;
  for (const ExplainedTarget& target : report.targets) {
    for (const std::string& promise : target.broken) {
      if (std::ranges::find(broken, promise) == broken.end()) broken.push_back(promise);
    }
  }
  if (report.broken) {
    return style.Bad("BREAKS the promise") +
           (broken.empty() ? "" : " (" + PrintableList(broken) + ")");
  }
  const bool open = std::ranges::any_of(
      report.targets, [&](const ExplainedTarget& target) { return target.left.lower < report.k; });
  return open ? style.Bad("NOT PROVEN to keep the promise") : style.Good("KEEPS the promise");
}

// The way to be in the releases that tells most: one that breaks something, else what leaves least.
const ExplainedTarget& WorstOf(const PersonExplained& report) {
  const auto broken = std::ranges::find_if(
      report.targets, [](const ExplainedTarget& target) { return !target.broken.empty(); });
  return broken == report.targets.end() ? report.targets.front() : *broken;
}

std::string Bullet(const std::string& words) { return "  - " + Fill(words, 4).substr(4); }

// The verdict, and the few steps that tell most.
std::string ShortText(const PersonExplained& report) {
  const ExplainedTarget& target = WorstOf(report);
  const std::size_t ways = report.targets.size() + report.more_targets;
  std::string text = Fill(
      LeftText(target.left) +
          (target.left.upper == 1 ? " row is left that" : " rows are left that") +
          " can be this person's, where " + Count(report.k) + " " +
          (report.k == 1 ? "was" : "were") + " promised" +
          (ways > 1 ? "; at worst, of " + Count(ways) + " ways to be in the releases" : "") + ".",
      2);
  std::string matching;
  for (const bcf::MatchingCell& cell : target.cells) {
    if (&cell - target.cells.data() == kStepsShown && target.cells.size() > kStepsShown + 1) {
      matching += ", …";
      break;
    }
    matching += (matching.empty() ? "" : ", ") + Counted(cell.size, "row", "rows") +
                " of release " + Count(cell.release);
  }
  text += Bullet("Matching: " + matching + ".");
  const std::vector<std::string> steps = Steps(target);
  for (std::size_t i = 0; i < std::min(kStepsShown, steps.size()); ++i) text += Bullet(steps[i]);
  const std::size_t more = steps.size() - std::min(kStepsShown, steps.size());
  return text + Fill((more > 0 ? "There are " + Counted(more, "step", "steps") + " more. " : "") +
                         "-v shows every group, value and step, and a world in which so many are "
                         "left.",
                     2);
}

Json MatchJson(const bcf::MatchingCell& match) {
  Json json;
  json["release"] = match.release;
  json["cell"] = CellJson(match.cell);
  json["size"] = match.size;
  json["values"] = Json::object();
  for (const bcf::ValueRows& value : match.values) json["values"][value.value] = value.rows;
  return json;
}

Json BoundsJson(const bcf::Bounds& bounds) {
  Json json;
  json["lower"] = bounds.lower;
  json["upper"] = bounds.upper;
  return json;
}

Json TargetJson(const ExplainedTarget& target) {
  Json json;
  json["cells"] = Json::array();
  for (const bcf::MatchingCell& cell : target.cells) json["cells"].push_back(MatchJson(cell));
  json["left"] = BoundsJson(target.left);
  json["broken"] = target.broken;
  json["values"] = Json::array();
  for (const bcf::ExplainedValue& value : target.values) {
    Json entry;
    entry["value"] = value.value;
    entry["sizes"] = value.sizes;
    entry["arguments"] = Json::array();
    for (const bcf::Argument& argument : value.arguments) {
      Json why;
      why["attack"] = argument.attack;
      why["release"] = argument.release;
      why["against"] = argument.against;
      why["excluded"] = argument.excluded;
      entry["arguments"].push_back(std::move(why));
    }
    entry["pairs"] = value.pairs;
    entry["left"] = BoundsJson(value.left);
    json["values"].push_back(std::move(entry));
  }
  json["witness"] = Json::array();
  for (const bcf::WitnessShare& share : target.witness) {
    Json entry;
    entry["value"] = share.value;
    entry["born"] = share.born;
    entry["cells"] = Json::array();
    for (const binding::LabelledCell& cell : share.cells) entry["cells"].push_back(CellJson(cell));
    entry["people"] = share.people;
    json["witness"].push_back(std::move(entry));
  }
  json["more_witness"] = target.more_witness;
  return json;
}

}  // namespace

std::string PersonText(const PersonExplained& report, const Style& style) {
  std::string text = style.Heading("Somebody who first appears in release " + Count(report.born)) +
                     ": " + VerdictOf(report, style) + "\n" +
                     Fill(Printable(binding::Where(report.person)), 2);
  if (!report.conflicts.empty()) {
    text += "\n" + style.Bad("The files are not releases of one growing table.") + "\n";
    for (const bcf::SeriesConflict& conflict : report.conflicts) {
      text += "  - " + Fill(Printable(conflict.words), 4).substr(4);
    }
    return text;
  }
  if (!style.whole() && !report.targets.empty()) return text + ShortText(report);
  text += "\n" + style.Heading("Rows that match") + "\n";
  for (const bcf::MatchingCell& match : report.matching) {
    text += "  - " + Fill(Printable(MatchText(match)), 4).substr(4);
  }
  if (report.matching.empty()) text += "  None.\n";
  if (report.targets.empty()) {
    return text + "\n" +
           Fill(
               "No world that explains all releases has such a person: nobody with this knowledge "
               "about them first appears in this release.");
  }
  for (std::size_t i = 0; i < report.targets.size(); ++i) {
    const ExplainedTarget& target = report.targets[i];
    text += "\n" + style.Heading("What is left");
    if (report.targets.size() > 1) {
      text += " if the person is in";
      for (const bcf::MatchingCell& cell : target.cells) {
        text += (&cell == &target.cells.front() ? " " : " → ") + CellText(cell.cell);
      }
    }
    text += "\n" + TargetText(target, report, style);
  }
  if (report.more_targets > 0) {
    text += "\n… and " + Count(report.more_targets) + " more ways to be in the releases\n";
  }
  return text;
}

Json PersonObject(const PersonExplained& report) {
  Json json;
  json["model"] = "bcf";
  json["k"] = report.k;
  json["releases"] = report.files;
  json["born"] = report.born;
  json["person"] = CellJson(report.person);
  json["possible"] = !report.targets.empty();
  json["broken"] = report.broken;
  json["matching"] = Json::array();
  for (const bcf::MatchingCell& match : report.matching) {
    json["matching"].push_back(MatchJson(match));
  }
  json["targets"] = Json::array();
  for (const ExplainedTarget& target : report.targets) {
    json["targets"].push_back(TargetJson(target));
  }
  json["more_targets"] = report.more_targets;
  json["not_one_series"] = Json::array();
  for (const bcf::SeriesConflict& conflict : report.conflicts) {
    json["not_one_series"].push_back(conflict.words);
  }
  return json;
}

}  // namespace reissue::cli
