#include "reissue/models/xy/service/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "reissue/binding/hierarchy.h"
#include "reissue/io/csv.h"
#include "reissue/io/policy.h"
#include "reissue/models/xy/service/linked.h"
#include "reissue/models/xy/service/words.h"
#include "reissue/taxonomy/numbers.h"

namespace reissue::models::xy::service {
namespace {

constexpr std::size_t kExplained = 20;

// The node of a value or label; of numbers the smallest range around it.
std::optional<NodeId> NodeOf(const taxonomy::Taxonomy& tree, bool from_labels,
                             const std::string& text) {
  if (const auto node = binding::FindLabel(tree, text)) return node;
  const auto number = from_labels ? taxonomy::ParseNumber(text) : std::nullopt;
  return number ? std::optional(binding::Containing(tree, *number)) : std::nullopt;
}

// The label of a file that a value or label is published under: itself, or the nearest above it.
// Where the file has neither, the code of what was given; nothing where the column cannot have it,
// or has only labels below it.
std::optional<std::uint32_t> Covering(const LinkedCodes& codes, bool from_labels,
                                      const std::string& text) {
  if (codes.tree == nullptr) {
    if (const auto code = codes.Find(text)) return code;
    // Numbers that are published as ranges.
    const auto number = taxonomy::ParseNumber(text);
    const auto texts = codes.texts->strings();
    const auto tree =
        taxonomy::FromLabels(std::vector<std::string>(texts.begin(), texts.end()), "");
    if (!number || !tree) return std::nullopt;
    return codes.Find(tree->label(binding::Containing(*tree, *number)));
  }
  const auto given = NodeOf(*codes.tree, from_labels, text);
  if (!given) return std::nullopt;
  const auto has = [&](NodeId node) {
    return std::ranges::find(codes.code_of_value, node.raw()) != codes.code_of_value.end();
  };
  for (NodeId node = *given; node.valid(); node = codes.tree->parent(node)) {
    if (has(node)) return node.raw();
  }
  const bool group = std::ranges::any_of(codes.code_of_value, [&](std::uint32_t code) {
    return codes.tree->IsAncestor(*given, NodeId(code));
  });
  return group ? std::nullopt : std::optional(given->raw());
}

// The labels of a column: of its taxonomy, or those that the file has.
std::vector<std::string> KnownLabels(const LinkedCodes& codes) {
  std::vector<std::string> labels;
  if (codes.tree == nullptr) {
    for (const std::string_view text : codes.texts->strings()) labels.emplace_back(text);
    return labels;
  }
  for (std::size_t node = 0; node < codes.tree->nodes(); ++node) {
    labels.push_back(codes.tree->label(NodeId(node)));
  }
  return labels;
}

Result<std::vector<std::uint32_t>> ReadX(const BoundLinked& bound, std::size_t requirement,
                                         const std::string& text) {
  const AskedRequirement& asked = bound.promise.requirements[requirement];
  const std::string wanted =
      fmt::format("Write a value or label of {}, separated by commas; quotes as in CSV.",
                  binding::Listed(asked.x));
  const auto records = REISSUE_TRY(io::ReadRecords(text, "--explain", ','));
  const std::size_t given = records.size() == 1 ? records[0].fields.size() : 0;
  if (given != asked.x.size()) {
    return UsageError(fmt::format("--explain needs {} fields, and {} {} given", asked.x.size(),
                                  given, given == 1 ? "was" : "were"),
                      wanted);
  }
  std::vector<std::uint32_t> x;
  for (std::size_t i = 0; i < given; ++i) {
    const xy::Attribute& at = bound.schema.requirements[requirement].x[i];
    const bool from_labels = bound.columns.from_labels.contains(bound.schema.ColumnOf(at));
    const auto code = Covering(bound.codes[at.table][at.column], from_labels, records[0].fields[i]);
    if (!code) {
      return UsageError(
          fmt::format(
              "--explain: field {} is not a value of the column \"{}\", nor is it published "
              "under a label there",
              i + 1, asked.x[i]),
          io::DidYouMean(records[0].fields[i], KnownLabels(bound.codes[at.table][at.column])) +
              "Give a raw value, or a label as it stands in the file; capitals count.");
    }
    x.push_back(*code);
  }
  return x;
}

// The tables without the rows that have other labels on X.
xy::Linked RowsWith(const xy::Linked& linked, const xy::Requirement& requirement,
                    std::span<const std::uint32_t> x) {
  xy::Linked those = linked;
  for (std::size_t t = 0; t < those.tables.size(); ++t) {
    const Cells& cells = linked.tables[t].cells;
    std::vector<std::uint32_t> keys;
    std::vector<std::uint64_t> counts;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto key = cells.key(CellId(i));
      bool matches = true;
      for (std::size_t c = 0; c < x.size(); ++c) {
        const xy::Attribute& at = requirement.x[c];
        matches &= at.table != t || key[at.column] == x[c];
      }
      if (!matches) continue;
      keys.insert(keys.end(), key.begin(), key.end());
      counts.push_back(cells.count(CellId(i)));
    }
    those.tables[t].cells = Cells(cells.width(), std::move(keys), std::move(counts));
  }
  return those;
}

void AddValues(const xy::Linked& those, const xy::Requirement& asked, const Namer& name,
               const xy::Explanation& found, JoinExplained& out) {
  if (asked.values.empty()) {
    for (const xy::Explanation::Y& y : found.values) {
      if (y.codes.size() != asked.y.size() || y.codes.empty()) continue;
      JoinExplained::Y shown{name.Cell(asked.y, y.codes), y.records, y.share, std::nullopt};
      if (!out.asked.anonymity()) shown.threshold = asked.confidence;
      out.values.push_back(std::move(shown));
    }
    return;
  }
  for (std::size_t v = 0; v < asked.values.size(); ++v) {
    xy::Requirement one = asked;
    one.values = {asked.values[v]};
    const xy::Report report = xy::Attack(those, std::span(&one, 1), 1);
    const xy::Finding& finding = report.requirements[0].worst.at(0);
    const AskedRequirement::Value& value = out.asked.values[v];
    out.values.push_back(
        {{{value.column, value.value}}, finding.records_with_y, finding.share, value.threshold});
  }
}

void AddMatches(const Namer& name, const xy::Explanation& found, JoinExplained& out) {
  for (const xy::Explanation::Match& match : found.matches) {
    JoinExplained::Match shown;
    shown.records = match.records;
    shown.rows = match.rows;
    for (std::size_t t = 0; t < match.partitions.size(); ++t) {
      binding::LabelledCell cell;
      for (std::size_t c = 0; c < match.partitions[t].size(); ++c) {
        cell.push_back(name({t, found.columns[t][c]}, match.partitions[t][c]));
      }
      shown.partitions.push_back(std::move(cell));
    }
    out.matches.push_back(std::move(shown));
  }
  out.more = found.more;
}

}  // namespace

Result<JoinExplained> ExplainJoin(const contract::ExplainTask& task, binding::Context& context) {
  const std::size_t requirement = task.requirement;
  const BoundLinked bound = REISSUE_TRY(
      LoadLinked(task.policy, task.promise.As<Promise>(), task.releases[0], task.priors, context));
  const std::size_t count = bound.promise.requirements.size();
  if (requirement < 1 || requirement > count) {
    return UsageError(fmt::format("--requirement {}: the policy has {} requirement{}", requirement,
                                  count, count == 1 ? "" : "s"),
                      "They count from 1, in the order of the audit.");
  }
  const std::size_t r = requirement - 1;
  const std::vector<std::uint32_t> x = REISSUE_TRY(ReadX(bound, r, task.about));
  const xy::Requirement& asked = bound.schema.requirements[r];
  const xy::Explanation found = xy::Explain(bound.linked, asked, x, kExplained);
  const Namer name(bound.schema, bound.codes);
  JoinExplained out;
  for (const LinkedFile& file : bound.files) out.files.push_back(file.file);
  for (const LinkedSchema::Table& table : bound.schema.tables) out.names.push_back(table.name);
  out.requirement = requirement;
  out.asked = bound.promise.requirements[r];
  out.x = AsWritten(out.asked.x, name.Cell(asked.x, x));
  out.records = found.records;
  out.distinct = found.distinct;
  AddMatches(name, found, out);
  if (found.records == 0) {
    out.words = fmt::format("No record of the join matches {}", binding::Where(out.x));
    return out;
  }
  // The attack's own word: on the rows with these labels it finds this combination alone.
  const xy::Linked those = RowsWith(bound.linked, asked, x);
  const xy::Report report = xy::Attack(those, std::span(&asked, 1), 1);
  AddValues(those, asked, name, found, out);
  const JoinFinding described =
      Describe(report.requirements[0].worst.at(0), out.asked, asked, name, out.files);
  out.broken = described.broken;
  out.words = described.words;
  return out;
}

}  // namespace reissue::models::xy::service
