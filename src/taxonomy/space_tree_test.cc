#include "reissue/taxonomy/space_tree.h"

#include <gtest/gtest.h>

#include "reissue/core/random.h"

namespace reissue::taxonomy {
namespace {

std::shared_ptr<const Taxonomy> Letters() {
  return std::make_shared<const Taxonomy>(
      FromHierarchy(std::vector<HierarchyLine>{{1, {"a1", "A", "*"}},
                                               {2, {"a2", "A", "*"}},
                                               {3, {"b1", "B", "*"}},
                                               {4, {"c", "c", "*"}}},
                    "letters")
          .value());
}

// Every box by itself: which combinations it contains.
bool Contains(const SpaceTree& space, SpaceTree::Box box, std::span<const std::uint32_t> ranks) {
  for (std::size_t j = 0; j < space.columns(); ++j) {
    const NodeId node = space.nodes(box)[j];
    const Taxonomy& tree = *space.trees()[j];
    if (ranks[j] < tree.first_leaf(node) || ranks[j] >= tree.last_leaf(node)) return false;
  }
  return true;
}

SpaceTree RandomTree(Random& random) {
  SpaceTree space({Letters(), Letters(), Letters()});
  for (std::uint64_t steps = random.Below(12); steps > 0; --steps) {
    const auto box = static_cast<SpaceTree::Box>(random.Below(space.size()));
    const std::size_t column = random.Below(space.columns());
    if (!space.is_leaf(box) || space.trees()[column]->is_leaf(space.nodes(box)[column])) continue;
    space.Split(box, column);
  }
  return space;
}

TEST(SpaceTreeTest, LeavesAreDisjointAndCoverEverything) {
  Random random = Random::Seeded(1);
  for (int i = 0; i < 50; ++i) {
    const SpaceTree space = RandomTree(random);
    const Locator locate(space);
    for (std::uint32_t code = 0; code < 64; ++code) {
      const std::uint32_t ranks[] = {code % 4, code / 4 % 4, code / 16};
      std::size_t found = 0;
      for (SpaceTree::Box box = 0; box < space.size(); ++box) {
        if (!space.is_leaf(box) || !Contains(space, box, ranks)) continue;
        EXPECT_EQ(space.Locate(ranks), box);
        EXPECT_EQ(locate(ranks), box);
        ++found;
      }
      EXPECT_EQ(found, 1u);
    }
  }
}

TEST(SpaceTreeTest, BoxesAreFoundByTheirNodes) {
  Random random = Random::Seeded(2);
  for (int i = 0; i < 50; ++i) {
    const SpaceTree space = RandomTree(random);
    for (SpaceTree::Box box = 0; box < space.size(); ++box) {
      EXPECT_EQ(space.Find(space.nodes(box)), box);
    }
  }
  SpaceTree space({Letters(), Letters()});
  space.Split(0, 0);
  const NodeId crossing[] = {Taxonomy::root(), Letters()->Find("A").value()};
  EXPECT_FALSE(space.Find(crossing));
}

// Two boxes intersect exactly if one stands above the other in the composite taxonomy.
TEST(SpaceTreeTest, TheCompositeTellsWhichBoxesIntersect) {
  Random random = Random::Seeded(3);
  for (int i = 0; i < 30; ++i) {
    const SpaceTree space = RandomTree(random);
    const Composite composite = Compose(space);
    ASSERT_EQ(composite.tree->nodes(), space.size());
    for (SpaceTree::Box a = 0; a < space.size(); ++a) {
      const NodeId node = composite.node_of_box[a];
      EXPECT_EQ(composite.tree->label(node), std::to_string(a));
      EXPECT_EQ(composite.box_of_node[node.index()], a);
      for (SpaceTree::Box b = 0; b < space.size(); ++b) {
        bool intersect = true;
        for (std::size_t j = 0; j < space.columns(); ++j) {
          intersect =
              intersect && space.trees()[j]->OnOnePath(space.nodes(a)[j], space.nodes(b)[j]);
        }
        EXPECT_EQ(composite.tree->OnOnePath(node, composite.node_of_box[b]), intersect);
      }
    }
  }
}

}  // namespace
}  // namespace reissue::taxonomy
