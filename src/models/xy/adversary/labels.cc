#include "reissue/models/xy/adversary/labels.h"

#include <algorithm>

#include "reissue/core/result.h"
#include "reissue/models/xy/adversary/tuple_index.h"

namespace reissue::models::xy {
namespace {

using Labels = std::vector<std::uint32_t>;

Labels LabelsOf(const Cells& cells, std::size_t column, std::size_t nodes) {
  std::vector<bool> seen(nodes, false);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells.count(CellId(i)) == 0) continue;
    const std::uint32_t label = cells.key(CellId(i))[column];
    REISSUE_CHECK(label < nodes);
    seen[label] = true;
  }
  Labels labels;
  for (std::uint32_t node = 0; node < nodes; ++node) {
    if (seen[node]) labels.push_back(node);
  }
  return labels;
}

// The positions in `labels` (ascending) of what lies on one path with `node`, ascending. Those
// above come first in preorder; those below are neighbours.
Labels OnPath(const taxonomy::Taxonomy& tree, NodeId node, const Labels& labels) {
  Labels found;
  for (NodeId above = tree.parent(node); above.valid(); above = tree.parent(above)) {
    const auto at = std::ranges::lower_bound(labels, above.raw());
    if (at != labels.end() && *at == above.raw()) {
      found.push_back(static_cast<std::uint32_t>(at - labels.begin()));
    }
  }
  std::ranges::reverse(found);
  auto below = std::ranges::lower_bound(labels, node.raw());
  for (; below != labels.end() && tree.IsAncestor(node, NodeId(*below)); ++below) {
    found.push_back(static_cast<std::uint32_t>(below - labels.begin()));
  }
  return found;
}

}  // namespace

JoinLabels::JoinLabels(const Linked& linked, const std::vector<Attribute>& join)
    : sides_(linked.tables.size()) {
  REISSUE_CHECK(!join.empty());
  const auto tree = linked.tables[join[0].table].trees[join[0].column];
  REISSUE_CHECK(tree != nullptr);
  for (const Attribute& attribute : join) {
    Side& side = sides_[attribute.table];
    side.column = attribute.column;
    side.labels = LabelsOf(linked.tables[attribute.table].cells, attribute.column, tree->nodes());
    side.class_of.assign(tree->nodes(), kNone);
    for (std::size_t i = 0; i + 1 < side.labels.size(); ++i) {
      if (tree->IsAncestor(NodeId(side.labels[i]), NodeId(side.labels[i + 1]))) global_ = false;
    }
  }
  // Per table and other table and label: positions of matching labels there.
  std::vector<std::vector<std::vector<Labels>>> partners(sides_.size());
  for (const Attribute& attribute : join) {
    Side& side = sides_[attribute.table];
    auto& own = partners[attribute.table];
    own.resize(sides_.size());
    // Two labels are in one class if the numbers of their partner lists are the same everywhere.
    std::vector<Labels> signature(side.labels.size());
    for (const Attribute& other : join) {
      if (other.table == attribute.table) continue;
      std::vector<std::pair<Labels, std::size_t>> lists;
      for (std::size_t i = 0; i < side.labels.size(); ++i) {
        own[other.table].push_back(
            OnPath(*tree, NodeId(side.labels[i]), sides_[other.table].labels));
        lists.emplace_back(own[other.table].back(), i);
      }
      std::ranges::sort(lists);
      std::uint32_t number = 0;
      for (std::size_t i = 0; i < lists.size(); ++i) {
        if (i > 0 && lists[i].first != lists[i - 1].first) ++number;
        signature[lists[i].second].push_back(number);
      }
    }
    TupleIndex classes(join.size() - 1);
    for (std::size_t i = 0; i < side.labels.size(); ++i) {
      const std::uint32_t number = classes.Add(signature[i]);
      side.class_of[side.labels[i]] = number;
      if (number == side.label_of.size()) side.label_of.push_back(side.labels[i]);
    }
  }
  for (const Attribute& attribute : join) {
    Side& side = sides_[attribute.table];
    side.matches.resize(sides_.size());
    for (const Attribute& other : join) {
      if (other.table == attribute.table) continue;
      const Side& there = sides_[other.table];
      for (const std::uint32_t label : side.label_of) {
        const auto at = std::ranges::lower_bound(side.labels, label) - side.labels.begin();
        Labels matching;
        for (const std::uint32_t position :
             partners[attribute.table][other.table][static_cast<std::size_t>(at)]) {
          matching.push_back(there.class_of[there.labels[position]]);
        }
        std::ranges::sort(matching);
        matching.erase(std::unique(matching.begin(), matching.end()), matching.end());
        one_to_one_ = one_to_one_ && matching.size() <= 1;
        side.matches[other.table].push_back(std::move(matching));
      }
    }
  }
}

}  // namespace reissue::models::xy
