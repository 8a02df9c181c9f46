#include "product.h"

#include <algorithm>
#include <map>
#include <set>

#include "reissue/core/cells.h"
#include "reissue/taxonomy/taxonomy.h"

namespace oracle::xy {
namespace {

std::string Name(Label node) { return 'n' + std::to_string(node); }

Translator::SharedTree ToTree(const Tree& tree) {
  std::vector<reissue::taxonomy::HierarchyLine> lines;
  for (const Label leaf : tree.Leaves()) {
    std::vector<std::string> labels;
    for (Label node = leaf; node >= 0; node = tree.parents[static_cast<std::size_t>(node)]) {
      labels.push_back(Name(node));
    }
    lines.push_back({lines.size() + 1, labels});
  }
  return std::make_shared<reissue::taxonomy::Taxonomy>(
      reissue::taxonomy::FromHierarchy(lines, "tree.csv").value());
}

model::Attribute ToAttribute(const Place& place) { return {place.table, place.column}; }

}  // namespace

Translator::Translator(const World& world) {
  for (const Tree& tree : world.trees) trees_.push_back(ToTree(tree));
}

std::uint32_t Translator::CodeOf(const std::optional<std::size_t>& tree, Label label) const {
  if (!tree) return static_cast<std::uint32_t>(label);
  return trees_[*tree]->Find(Name(label)).value().raw();
}

std::uint32_t Translator::CodeOf(const World& world, const Place& place, Label label) const {
  return CodeOf(world.tables[place.table].trees[place.column], label);
}

Label Translator::LabelOf(const std::optional<std::size_t>& tree, std::uint32_t code) const {
  if (!tree) return static_cast<Label>(code);
  return std::stoi(trees_[*tree]->label(reissue::NodeId(code)).substr(1));
}

Label Translator::LabelOf(const World& world, const Place& place, std::uint32_t code) const {
  return LabelOf(world.tables[place.table].trees[place.column], code);
}

model::LinkedTable Translator::ToTable(const Table& table) const {
  model::LinkedTable made;
  for (const auto& tree : table.trees) made.trees.push_back(tree ? trees_[*tree] : nullptr);
  std::vector<std::uint32_t> keys;
  for (const Labels& row : table.rows) {
    for (std::size_t c = 0; c < row.size(); ++c) keys.push_back(CodeOf(table.trees[c], row[c]));
  }
  made.cells = reissue::CollectCells(table.trees.size(), keys,
                                     std::vector<std::uint64_t>(table.rows.size(), 1));
  return made;
}

std::vector<std::vector<model::Attribute>> ToJoins(const World& world) {
  std::vector<std::vector<model::Attribute>> joins;
  for (const auto& attribute : world.joins) {
    joins.emplace_back();
    for (const Place& place : attribute) joins.back().push_back(ToAttribute(place));
  }
  return joins;
}

std::vector<model::Inconsistent> Translator::ToInconsistent(const World& world) const {
  std::vector<model::Inconsistent> pairs;
  for (const Forbidden& pair : world.forbidden) {
    pairs.push_back({ToAttribute(pair.a), CodeOf(world, pair.a, pair.a_label), ToAttribute(pair.b),
                     CodeOf(world, pair.b, pair.b_label)});
  }
  return pairs;
}

model::Linked Translator::ToLinked(const World& world) const {
  model::Linked linked;
  for (const Table& table : world.tables) linked.tables.push_back(ToTable(table));
  linked.joins = ToJoins(world);
  linked.inconsistent = ToInconsistent(world);
  return linked;
}

model::Requirement Translator::ToRequirement(const World& world, const Promise& promise) const {
  model::Requirement requirement;
  using Kind = model::Requirement::Kind;
  requirement.kind = promise.anonymity ? Kind::kAnonymity : Kind::kLinkability;
  for (const Place& place : promise.x) requirement.x.push_back(ToAttribute(place));
  for (const Place& place : promise.y) requirement.y.push_back(ToAttribute(place));
  requirement.y_keys = promise.y_keys;
  requirement.k = static_cast<std::uint64_t>(promise.k);
  requirement.confidence = promise.confidence;
  for (const auto& named : promise.named) {
    requirement.values.push_back(
        {ToAttribute(named.place), CodeOf(world, named.place, named.label), named.threshold});
  }
  return requirement;
}

std::vector<model::Requirement> Translator::ToRequirements(
    const World& world, const std::vector<Promise>& promises) const {
  std::vector<model::Requirement> requirements;
  for (const Promise& promise : promises) requirements.push_back(ToRequirement(world, promise));
  return requirements;
}

std::vector<std::uint32_t> Translator::ToCodes(const World& world, const std::vector<Place>& places,
                                               const Labels& labels) const {
  std::vector<std::uint32_t> codes;
  for (std::size_t i = 0; i < places.size(); ++i) {
    codes.push_back(CodeOf(world, places[i], labels[i]));
  }
  return codes;
}

Labels Translator::ToLabels(const World& world, const std::vector<Place>& places,
                            const std::vector<std::uint32_t>& codes) const {
  Labels labels;
  for (std::size_t i = 0; i < places.size(); ++i) {
    labels.push_back(LabelOf(world, places[i], codes.at(i)));
  }
  return labels;
}

reissue::Cells Translator::Repeated(const reissue::Cells& cells, std::uint64_t times) {
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    const auto key = cells.key(reissue::CellId(cell));
    keys.insert(keys.end(), key.begin(), key.end());
    counts.push_back(cells.count(reissue::CellId(cell)) * times);
  }
  return reissue::Cells(cells.width(), keys, counts);
}

std::vector<Labels> Translator::ToRows(const model::LinkedTable& table, const Table& like) const {
  std::vector<Labels> rows;
  for (std::size_t cell = 0; cell < table.cells.size(); ++cell) {
    Labels row;
    const auto key = table.cells.key(reissue::CellId(cell));
    for (std::size_t c = 0; c < key.size(); ++c) row.push_back(LabelOf(like.trees[c], key[c]));
    rows.insert(rows.end(), table.cells.count(reissue::CellId(cell)), row);
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

Answers FromReport(const model::Report& report, const Answers& like) {
  Answers answers;
  answers.satisfied = report.satisfied;
  answers.join_rows = static_cast<long>(report.join_rows);
  for (const std::uint64_t rows : report.dangling) {
    answers.dangling.push_back(static_cast<long>(rows));
  }
  for (std::size_t i = 0; i < report.requirements.size(); ++i) {
    const model::RequirementReport& found = report.requirements[i];
    Answer answer;
    answer.satisfied = found.satisfied;
    if (found.anonymity) answer.anonymity = static_cast<long>(*found.anonymity);
    answer.linkability = found.linkability;
    answer.violating = static_cast<long>(found.violating);
    answer.one_row = static_cast<long>(found.one_row);
    answer.certain = static_cast<long>(found.certain);
    if (!found.counted && i < like.promises.size()) {
      const long true_number = like.promises[i].violating;
      const bool both = (answer.violating > 0) == (true_number > 0);
      if (both && answer.violating <= true_number) answer.violating = true_number;
    }
    answers.promises.push_back(answer);
  }
  return answers;
}

}  // namespace oracle::xy
