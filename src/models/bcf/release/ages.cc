#include "reissue/models/bcf/release/ages.h"

#include <optional>
#include <set>
#include <unordered_map>

#include "reissue/models/bcf/release/stars.h"
#include "reissue/taxonomy/tree_builder.h"

namespace reissue::models::bcf {
namespace {

using taxonomy::Taxonomy;

// Labels of one column of a release, each looked at once.
class Labels {
 public:
  Labels(const Taxonomy& tree, const std::vector<std::vector<std::uint32_t>>& of_leaf,
         std::uint32_t release, std::uint32_t change)
      : tree_(tree), of_leaf_(of_leaf), release_(release), change_(change) {}

  NodeId AgeOf(std::uint32_t label) {
    const auto [found, fresh] = ages_.try_emplace(label);
    if (fresh) found->second = Find(NodeId(label));
    return found->second;
  }

 private:
  NodeId Find(NodeId node) const {
    bool before = false, since = false;
    for (std::uint32_t rank = tree_.first_leaf(node); rank < tree_.last_leaf(node); ++rank) {
      for (const std::uint32_t came : of_leaf_[rank]) {
        if (came > release_) continue;
        (came < change_ ? before : since) = true;
      }
    }
    if (before == since) return Taxonomy::root();
    return AgeTree()->leaf(before ? kBefore : kSince);
  }

  const Taxonomy& tree_;
  const std::vector<std::vector<std::uint32_t>>& of_leaf_;
  std::uint32_t release_, change_;
  std::unordered_map<std::uint32_t, NodeId> ages_;
};

std::vector<Labels> LabelsOf(const Taxonomies& trees, std::uint32_t release, const Ages& ages,
                             std::span<const AgeColumn> columns) {
  std::vector<Labels> labels;
  for (const AgeColumn& each : columns) {
    labels.emplace_back(*trees[each.column], ages[each.column], release, each.change);
  }
  return labels;
}

bool IsStarredCell(const Ages& ages, std::span<const std::uint32_t> key) {
  return key.size() > ages.size() + 1 && NodeId(key[ages.size()]) == StarTree()->leaf(kStarred);
}

}  // namespace

std::vector<AgeColumn> AgeColumns(const Ages& ages) {
  std::set<AgeColumn> columns;
  for (std::size_t j = 0; j < ages.size(); ++j) {
    for (const auto& of_leaf : ages[j]) {
      for (const std::uint32_t came : of_leaf) {
        if (came > 0) columns.insert({j, came});
      }
    }
  }
  return {columns.begin(), columns.end()};
}

std::shared_ptr<const Taxonomy> AgeTree() {
  static const auto tree = [] {
    taxonomy::TreeBuilder builder;
    const std::size_t root = builder.Add("*", taxonomy::TreeBuilder::kNoParent);
    builder.Add("before", root);
    builder.Add("since", root);
    return std::make_shared<const Taxonomy>(std::move(builder).Build());
  }();
  return tree;
}

Taxonomies WithAges(Taxonomies trees, std::span<const AgeColumn> columns) {
  trees.insert(trees.end(), columns.size(), AgeTree());
  return trees;
}

Cells WithAges(const Taxonomies& trees, const Cells& published, std::uint32_t release,
               const Ages& ages, std::span<const AgeColumn> columns) {
  std::vector<Labels> labels = LabelsOf(trees, release, ages, columns);
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  for (std::size_t i = 0; i < published.size(); ++i) {
    const auto key = published.key(CellId(i));
    const bool starred = IsStarredCell(ages, key);
    keys.insert(keys.end(), key.begin(), key.end() - 1);
    for (std::size_t a = 0; a < columns.size(); ++a) {
      const NodeId age = starred ? Taxonomy::root() : labels[a].AgeOf(key[columns[a].column]);
      keys.push_back(age.raw());
    }
    keys.push_back(key.back());
    counts.push_back(published.count(CellId(i)));
  }
  return CollectCells(published.width() + columns.size(), keys, counts);
}

void FindTelling(const Taxonomies& trees, const Cells& published, std::uint32_t release,
                 const Ages& ages, std::span<const AgeColumn> columns, std::vector<char>& telling) {
  std::vector<Labels> labels = LabelsOf(trees, release, ages, columns);
  for (std::size_t i = 0; i < published.size(); ++i) {
    const auto key = published.key(CellId(i));
    if (published.count(CellId(i)) == 0 || IsStarredCell(ages, key)) continue;
    for (std::size_t a = 0; a < columns.size(); ++a) {
      if (labels[a].AgeOf(key[columns[a].column]) == AgeTree()->leaf(kSince)) telling[a] = 1;
    }
  }
}

}  // namespace reissue::models::bcf
