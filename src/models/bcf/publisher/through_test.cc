#include "reissue/models/bcf/publisher/through.h"

#include <gtest/gtest.h>

#include "reissue/core/random.h"

namespace reissue::models::bcf {
namespace {

using taxonomy::SpaceTree;

std::shared_ptr<const taxonomy::Taxonomy> Letters(const std::string& prefix) {
  std::vector<taxonomy::HierarchyLine> lines;
  for (int i = 0; i < 6; ++i) {
    lines.push_back(
        {lines.size() + 1, {prefix + std::to_string(i), prefix + (i < 3 ? "low" : "high"), "*"}});
  }
  return std::make_shared<const taxonomy::Taxonomy>(taxonomy::FromHierarchy(lines, "test").value());
}

SpaceTree Grown(const SpaceTree::Trees& trees, Random& random) {
  SpaceTree tree(trees);
  for (std::uint64_t splits = 1 + random.Below(6); splits > 0; --splits) {
    const auto box = static_cast<SpaceTree::Box>(random.Below(tree.size()));
    const std::size_t column = random.Below(trees.size());
    if (tree.is_leaf(box) && !trees[column]->is_leaf(tree.nodes(box)[column])) {
      tree.Split(box, column);
    }
  }
  return tree;
}

// The boxes of a random cut, some of them without rows.
Cells CutThrough(const SpaceTree& tree, Random& random) {
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  std::vector<SpaceTree::Box> stack = {0};
  while (!stack.empty()) {
    const SpaceTree::Box box = stack.back();
    stack.pop_back();
    if (!tree.is_leaf(box) && random.Below(3) > 0) {
      for (std::uint32_t c = 0; c < tree.fan_out(box); ++c) {
        stack.push_back(tree.first_child(box) + c);
      }
      continue;
    }
    if (!keys.empty() && random.Below(4) == 0) continue;
    for (const NodeId node : tree.nodes(box)) keys.push_back(node.raw());
    keys.push_back(0);
    counts.push_back(1 + random.Below(9));
  }
  return CollectCells(tree.columns() + 1, keys, counts);
}

k::LeafCells RandomRows(const SpaceTree::Trees& trees, Random& random) {
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  for (std::uint64_t rows = random.Below(60); rows > 0; --rows) {
    for (const auto& tree : trees) {
      keys.push_back(static_cast<std::uint32_t>(random.Below(tree->leaves())));
    }
    keys.push_back(0);
    counts.push_back(1);
  }
  k::LeafCells table;
  table.taxonomies = trees;
  table.cells = CollectCells(trees.size() + 1, keys, counts);
  return table;
}

TEST(TreeThrough, FindsATreeWhereThereIsOne) {
  Random random = Random::Seeded(6);
  const SpaceTree::Trees trees = {Letters("a"), Letters("b"), Letters("c")};
  for (int round = 0; round < 500; ++round) {
    const SpaceTree tree = Grown(trees, random);
    std::vector<Cells> releases;
    for (std::uint64_t i = 1 + random.Below(3); i > 0; --i) {
      releases.push_back(CutThrough(tree, random));
    }
    const Series series = Series::Make(trees, releases).value();
    const auto found =
        TreeThrough(RandomRows(trees, random), series, k::Score::kLoss, 3, random.Below(2) * 5000);
    ASSERT_TRUE(found) << round;
    for (std::size_t i = 0; i < series.size(); ++i) {
      for (std::size_t cell = 0; cell < series.release(i).cells(); ++cell) {
        std::vector<NodeId> nodes;
        for (std::size_t j = 0; j < trees.size(); ++j) {
          nodes.push_back(series.release(i).node(cell, j));
        }
        EXPECT_TRUE(found->Find(nodes));
      }
    }
  }
}

TEST(TreeThrough, FindsNoneThroughWhatCrossesOrOverlaps) {
  const SpaceTree::Trees trees = {Letters("a"), Letters("b")};
  const auto at = [&](std::size_t column, const std::string& label) {
    return trees[column]->Find(label)->raw();
  };
  const auto series = [&](const std::vector<std::vector<std::uint32_t>>& releases) {
    std::vector<Cells> cells;
    for (const auto& keys : releases) {
      const std::vector<std::uint64_t> counts(keys.size() / 3, 5);
      cells.push_back(CollectCells(3, keys, counts));
    }
    return Series::Make(trees, cells).value();
  };
  const std::vector<std::uint32_t> by_a = {at(0, "alow"), 0, 0, at(0, "ahigh"), 0, 0},
                                   by_b = {0, at(1, "blow"), 0, 0, at(1, "bhigh"), 0},
                                   starred = {at(0, "alow"), 0, 0, 0, 0, 0};
  Random random = Random::Seeded(1);
  const k::LeafCells table = RandomRows(trees, random);
  const auto found = [&](const std::vector<std::vector<std::uint32_t>>& releases) {
    return TreeThrough(table, series(releases), k::Score::kLoss, 2, 1000).has_value();
  };
  EXPECT_TRUE(found({by_a}));
  EXPECT_FALSE(found({by_a, by_b}));
  EXPECT_FALSE(found({starred}));
}

}  // namespace
}  // namespace reissue::models::bcf
