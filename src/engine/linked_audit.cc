#include "reissue/engine/linked_audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>

#include "reissue/engine/explain.h"
#include "reissue/engine/promise.h"
#include "reissue/engine/series.h"
#include "reissue/io/csv.h"
#include "reissue/taxonomy/numbers.h"

namespace reissue::engine {
namespace {

namespace xy = models::xy;

constexpr std::size_t kExplained = 20;

std::string Percent(double share) { return fmt::format("{:.4g} %", 100 * share); }

std::string Records(Wide number) { return number == 1 ? "1 record" : Digits(number) + " records"; }

// Labels of codes.
class Namer {
 public:
  Namer(const LinkedSchema& schema, const std::vector<std::vector<LinkedCodes>>& codes)
      : schema_(schema), codes_(codes) {}

  std::pair<std::string, std::string> operator()(const xy::Attribute& at,
                                                 std::uint32_t code) const {
    return {schema_.NameOf(at), codes_[at.table][at.column].LabelOf(code)};
  }
  LabelledCell Cell(const std::vector<xy::Attribute>& columns,
                    const std::vector<std::uint32_t>& codes) const {
    LabelledCell cell;
    for (std::size_t i = 0; i < columns.size(); ++i) cell.push_back((*this)(columns[i], codes[i]));
    return cell;
  }

 private:
  const LinkedSchema& schema_;
  const std::vector<std::vector<LinkedCodes>>& codes_;
};

// Columns by the names that the policy gives them.
LabelledCell AsWritten(const std::vector<std::string>& names, LabelledCell cell) {
  for (std::size_t i = 0; i < cell.size(); ++i) cell[i].first = names[i];
  return cell;
}

// "12 different rows of T1.csv", "3 different values of test".
std::string Distinct(std::uint64_t number, const LinkedRequirement& asked,
                     const xy::Requirement& requirement, const std::vector<std::string>& files) {
  std::vector<std::string> of;
  for (const std::string& name : asked.y) {
    if (name != "key" && !name.ends_with(".key")) of.push_back(name);
  }
  for (const std::size_t table : requirement.y_keys) of.push_back("rows of " + files[table]);
  const bool one = number == 1;
  const std::string counted = one ? "1" : Digits(number) + " different";
  if (of.size() > 1) {
    return fmt::format("{} combination{} of {}", counted, one ? "" : "s", Listed(of));
  }
  if (requirement.y.empty()) {
    return fmt::format("{} row{} of {}", counted, one ? "" : "s", files[requirement.y_keys[0]]);
  }
  return fmt::format("{} value{} of {}", counted, one ? "" : "s", of[0]);
}

std::string AnonymityWords(const LinkedFinding& finding, const LinkedRequirement& asked,
                           const xy::Requirement& requirement,
                           const std::vector<std::string>& files) {
  const bool one = finding.records == 1;
  const std::string matching = fmt::format("{} of the join {} {}", Records(finding.records),
                                           one ? "matches" : "match", Where(finding.x));
  const std::string promised =
      fmt::format("where at least {} {} promised", Digits(asked.k), asked.k == 1 ? "was" : "were");
  // Rows of all files: every record of the join counts as itself.
  if (requirement.y.empty() && requirement.y_keys.size() == files.size()) {
    return matching + ", " + promised;
  }
  return fmt::format("{}: {} {}, {}", matching, one ? "it has" : "they have",
                     Distinct(finding.distinct, asked, requirement, files), promised);
}

std::string LinkabilityWords(const LinkedFinding& finding) {
  return fmt::format("Of {} of the join that {} {}, {} {} {}: {}, where at most {} were promised",
                     Records(finding.records), finding.records == 1 ? "matches" : "match",
                     Where(finding.x), Digits(finding.records_with_y),
                     finding.records_with_y == 1 ? "has" : "have", Where(finding.y),
                     Percent(finding.share), Percent(finding.threshold));
}

LinkedFinding Describe(const xy::Finding& found, const LinkedRequirement& asked,
                       const xy::Requirement& requirement, const Namer& name,
                       const std::vector<std::string>& files) {
  LinkedFinding finding;
  finding.x = AsWritten(asked.x, name.Cell(requirement.x, found.x));
  finding.records = found.records;
  finding.distinct = found.distinct;
  finding.records_with_y = found.records_with_y;
  finding.share = found.share;
  finding.threshold = found.threshold;
  if (asked.anonymity()) {
    finding.broken = found.distinct < requirement.k;
    finding.words = AnonymityWords(finding, asked, requirement, files);
    return finding;
  }
  finding.broken = found.share > found.threshold;
  if (found.value) {
    const LinkedRequirement::Value& value = asked.values[*found.value];
    finding.y.emplace_back(value.column, value.value);
  } else if (!found.y.empty()) {
    finding.y = AsWritten(asked.y, name.Cell(requirement.y, found.y));
  }
  finding.words = LinkabilityWords(finding);
  return finding;
}

void AddPromises(const LinkedAudit& linked, AuditReport& audit) {
  for (std::size_t r = 0; r < linked.requirements.size(); ++r) {
    const LinkedRequirementAudit& requirement = linked.requirements[r];
    PromiseKept promise;
    promise.name =
        fmt::format("{} {}", requirement.asked.anonymity() ? "anonymity" : "linkability", r + 1);
    promise.kept = requirement.satisfied;
    if (requirement.asked.anonymity()) {
      promise.asked = static_cast<double>(requirement.asked.k);
      promise.measured = requirement.anonymity ? static_cast<double>(*requirement.anonymity)
                                               : std::numeric_limits<double>::infinity();
    } else {
      promise.asked = requirement.asked.confidence;
      promise.measured = requirement.linkability.value_or(0);
    }
    audit.promises.push_back(std::move(promise));
  }
}

}  // namespace

std::string Digits(Wide number) {
  std::string digits;
  for (int place = 0; number > 0 || place == 0; ++place, number /= 10) {
    if (place > 0 && place % 3 == 0) digits += ',';
    digits += static_cast<char>('0' + static_cast<int>(number % 10));
  }
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::vector<std::string> DanglingWords(const std::vector<std::string>& files,
                                       const std::vector<std::uint64_t>& rows,
                                       const std::vector<std::uint64_t>& dangling) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (dangling[i] == 0) continue;
    const bool one = dangling[i] == 1;
    const std::string said =
        fmt::format("{} of {} row{} of {} {} no partner in the join, and no promise is about {}. ",
                    Digits(dangling[i]), Digits(rows[i]), rows[i] == 1 ? "" : "s", files[i],
                    one ? "has" : "have", one ? "it" : "them");
    words.push_back(said + (i == 0 ? "Leave out who is in no earlier file, or judge the release by "
                                     "a policy of model \"k\" too; if everybody is in all files, "
                                     "a label is wrong."
                                   : "That is right for people who are not in the release; if they "
                                     "are, a label is wrong."));
  }
  return words;
}

LinkedAudit DescribeLinked(const LinkedPromise& promise, const LinkedSchema& schema,
                           const std::vector<std::vector<LinkedCodes>>& codes,
                           const std::vector<std::string>& files, const xy::Report& report) {
  LinkedAudit audit;
  const Namer name(schema, codes);
  for (const LinkedSchema::Table& table : schema.tables) audit.names.push_back(table.name);
  for (const auto& join : schema.joins) audit.joined_on.push_back(schema.ColumnOf(join[0]));
  for (std::size_t r = 0; r < report.requirements.size(); ++r) {
    const xy::RequirementReport& found = report.requirements[r];
    LinkedRequirementAudit requirement;
    requirement.asked = promise.requirements[r];
    requirement.satisfied = found.satisfied;
    requirement.anonymity = found.anonymity;
    requirement.linkability = found.linkability;
    requirement.violating = found.violating;
    requirement.counted = found.counted;
    for (const xy::Finding& finding : found.worst) {
      requirement.worst.push_back(
          Describe(finding, requirement.asked, schema.requirements[r], name, files));
    }
    audit.requirements.push_back(std::move(requirement));
  }
  audit.join_rows = report.join_rows;
  audit.dangling = report.dangling;
  audit.by_classes = report.by_classes;
  audit.notes = schema.notes;
  return audit;
}

AuditReport AuditLinked(const BoundLinked& bound, std::size_t worst) {
  const xy::Report found = xy::Attack(bound.linked, bound.schema.requirements, worst);
  AuditReport audit;
  audit.model = "xy";
  audit.satisfied = found.satisfied;
  std::vector<std::string> files;
  for (const LinkedFile& file : bound.files) {
    audit.releases.push_back({file.file, file.table.rows(), 0, 0, file.digest});
    files.push_back(file.file == "-" ? "standard input" : file.file);
    audit.published_identifiers.insert(audit.published_identifiers.end(), file.identifiers.begin(),
                                       file.identifiers.end());
    audit.published_dropped.insert(audit.published_dropped.end(), file.dropped.begin(),
                                   file.dropped.end());
  }
  audit.satisfied &= audit.published_identifiers.empty() && audit.published_dropped.empty();
  audit.rows = bound.files[0].table.rows();
  audit.linked = DescribeLinked(bound.promise, bound.schema, bound.codes, files, found);
  std::vector<std::uint64_t> rows;
  for (const AuditReport::File& file : audit.releases) rows.push_back(file.rows);
  audit.linked->warnings = DanglingWords(files, rows, found.dangling);
  AddPromises(*audit.linked, audit);
  return audit;
}

namespace {

// The node of a value or label; of numbers the smallest range around it.
std::optional<NodeId> NodeOf(const taxonomy::Taxonomy& tree, bool from_labels,
                             const std::string& text) {
  if (const auto node = FindLabel(tree, text)) return node;
  const auto number = from_labels ? taxonomy::ParseNumber(text) : std::nullopt;
  return number ? std::optional(Containing(tree, *number)) : std::nullopt;
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
    return codes.Find(tree->label(Containing(*tree, *number)));
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

Result<std::vector<std::uint32_t>> ReadX(const BoundLinked& bound, std::size_t requirement,
                                         const std::string& text) {
  const LinkedRequirement& asked = bound.promise.requirements[requirement];
  const std::string wanted = fmt::format(
      "Write a value or label of {}, separated by commas; quotes as in CSV.", Listed(asked.x));
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
               const xy::Explanation& found, LinkedExplanation& out) {
  if (asked.values.empty()) {
    for (const xy::Explanation::Y& y : found.values) {
      if (y.codes.size() != asked.y.size() || y.codes.empty()) continue;
      LinkedExplanation::Y shown{name.Cell(asked.y, y.codes), y.records, y.share, std::nullopt};
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
    const LinkedRequirement::Value& value = out.asked.values[v];
    out.values.push_back(
        {{{value.column, value.value}}, finding.records_with_y, finding.share, value.threshold});
  }
}

void AddMatches(const Namer& name, const xy::Explanation& found, LinkedExplanation& out) {
  for (const xy::Explanation::Match& match : found.matches) {
    LinkedExplanation::Match shown;
    shown.records = match.records;
    shown.rows = match.rows;
    for (std::size_t t = 0; t < match.partitions.size(); ++t) {
      LabelledCell cell;
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

Result<LinkedExplanation> ExplainLinked(const io::Policy& policy, const std::string& release,
                                        const std::vector<PriorFile>& priors,
                                        std::size_t requirement, const std::string& text,
                                        Context& context) {
  const Promise promise = REISSUE_TRY(PromiseOf(policy));
  REISSUE_CHECK(promise.linked.has_value());
  const BoundLinked bound =
      REISSUE_TRY(LoadLinked(policy, *promise.linked, release, priors, context));
  const std::size_t count = bound.promise.requirements.size();
  if (requirement < 1 || requirement > count) {
    return UsageError(fmt::format("--requirement {}: the policy has {} requirement{}", requirement,
                                  count, count == 1 ? "" : "s"),
                      "They count from 1, in the order of the audit.");
  }
  const std::size_t r = requirement - 1;
  const std::vector<std::uint32_t> x = REISSUE_TRY(ReadX(bound, r, text));
  const xy::Requirement& asked = bound.schema.requirements[r];
  const xy::Explanation found = xy::Explain(bound.linked, asked, x, kExplained);
  const Namer name(bound.schema, bound.codes);
  LinkedExplanation out;
  for (const LinkedFile& file : bound.files) out.files.push_back(file.file);
  for (const LinkedSchema::Table& table : bound.schema.tables) out.names.push_back(table.name);
  out.requirement = requirement;
  out.asked = bound.promise.requirements[r];
  out.x = AsWritten(out.asked.x, name.Cell(asked.x, x));
  out.records = found.records;
  out.distinct = found.distinct;
  AddMatches(name, found, out);
  if (found.records == 0) {
    out.words = fmt::format("No record of the join matches {}", Where(out.x));
    return out;
  }
  // The attack's own word: on the rows with these labels it finds this combination alone.
  const xy::Linked those = RowsWith(bound.linked, asked, x);
  const xy::Report report = xy::Attack(those, std::span(&asked, 1), 1);
  AddValues(those, asked, name, found, out);
  const LinkedFinding described =
      Describe(report.requirements[0].worst.at(0), out.asked, asked, name, out.files);
  out.broken = described.broken;
  out.words = described.words;
  return out;
}

}  // namespace reissue::engine
