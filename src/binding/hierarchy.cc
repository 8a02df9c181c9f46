#include "reissue/binding/hierarchy.h"

#include <algorithm>
#include <map>

#include "reissue/io/csv.h"

namespace reissue::binding {
namespace {

using taxonomy::Taxonomy;

constexpr std::string_view kRoot = "*";

Result<std::shared_ptr<const Taxonomy>> TreeOf(const ColumnHierarchy& column,
                                               const std::string& file) {
  const Error wrong = InputError({file, std::nullopt, std::nullopt, column.column},
                                 "the hierarchy of this column is not a tree",
                                 "Get the certificate again from whoever published the release.");
  std::map<std::string, std::string> parent;
  std::set<std::string> inner;
  for (const auto& [label, above] : column.parents) {
    if (label.empty() || !parent.emplace(label, above).second) return wrong;
    inner.insert(above);
  }
  std::vector<taxonomy::HierarchyLine> lines;
  for (const auto& [label, above] : column.parents) {
    if (inner.contains(label)) continue;
    taxonomy::HierarchyLine line{lines.size() + 1, {label}};
    for (std::string at = above; !at.empty();) {
      line.labels.push_back(at);
      const auto next = parent.find(at);
      if (next == parent.end() || line.labels.size() > parent.size()) return wrong;
      at = next->second;
    }
    lines.push_back(std::move(line));
  }
  // In a circle every label is above another one.
  if (lines.empty()) return wrong;
  Taxonomy tree = REISSUE_TRY(taxonomy::FromHierarchy(lines, file));
  return std::make_shared<const Taxonomy>(std::move(tree));
}

}  // namespace

std::optional<NodeId> FindLabel(const Taxonomy& tree, std::string_view label, Labels labels) {
  if (label == kRoot) return Taxonomy::root();
  if (const auto node = tree.Find(label)) return node;
  if (!tree.numeric() && labels == Labels::kWords) return std::nullopt;
  const auto canonical = taxonomy::CanonicalLabel(label);
  if (!canonical) return std::nullopt;
  if (const auto node = tree.Find(*canonical)) return node;
  // Rare: the tree has another spelling, and so has the file.
  for (std::size_t n = 0; n < tree.nodes(); ++n) {
    if (taxonomy::CanonicalLabel(tree.label(NodeId(n))) == canonical) return NodeId(n);
  }
  return std::nullopt;
}

NodeId Containing(const Taxonomy& tree, double number) {
  NodeId node = Taxonomy::root();
  for (bool deeper = true; deeper;) {
    deeper = false;
    for (const NodeId child : tree.children(node)) {
      const taxonomy::Range range = tree.range(child);
      if (range.low <= number && (number < range.high || range.low == number)) {
        node = child;
        deeper = true;
        break;
      }
    }
  }
  return node;
}

std::string HierarchyText(const std::vector<taxonomy::HierarchyLine>& lines) {
  std::string text;
  for (const taxonomy::HierarchyLine& line : lines) {
    std::string row;
    for (const std::string& label : line.labels) {
      if (&label != &line.labels.front()) row += ';';
      io::AppendField(row, label, ';');
    }
    text += row + "\n";
  }
  return text;
}

ColumnHierarchy HierarchyOf(const std::string& name, const Taxonomy& tree, std::set<NodeId> occur) {
  occur.insert(Taxonomy::root());
  ColumnHierarchy column{name, {}};
  for (const NodeId node : occur) {
    NodeId above = tree.parent(node);
    while (above.valid() && !occur.contains(above)) above = tree.parent(above);
    column.parents.emplace_back(tree.label(node), above.valid() ? tree.label(above) : "");
  }
  return column;
}

Result<std::vector<std::shared_ptr<const Taxonomy>>> TreesOf(
    const std::vector<ColumnHierarchy>& hierarchy, const std::vector<std::string>& columns,
    const std::string& file) {
  std::vector<std::shared_ptr<const Taxonomy>> trees(columns.size());
  for (const ColumnHierarchy& column : hierarchy) {
    const auto at = std::find(columns.begin(), columns.end(), column.column);
    if (at == columns.end()) continue;
    trees[static_cast<std::size_t>(at - columns.begin())] = REISSUE_TRY(TreeOf(column, file));
  }
  return trees;
}

}  // namespace reissue::binding
