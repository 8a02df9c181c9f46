#include <gtest/gtest.h>

#include "reissue/taxonomy/describe.h"
#include "reissue/taxonomy/taxonomy.h"

namespace reissue::taxonomy {
namespace {

Taxonomy Of(const std::vector<std::vector<std::string>>& lines) {
  std::vector<HierarchyLine> numbered;
  for (const auto& labels : lines) numbered.push_back({numbered.size() + 1, labels});
  return FromHierarchy(numbered, "tree.csv").value();
}

TEST(SetsTest, NeighboursAreHalvedByLeaves) {
  const Taxonomy tree = Of({{"a1", "a", "*"},
                            {"a2", "a", "*"},
                            {"a3", "a", "*"},
                            {"b", "b", "*"},
                            {"c", "c", "*"},
                            {"d", "d", "*"}});
  EXPECT_EQ(Render(WithSets(tree)),
            "* (6 leaves)\n"
            "  a (3 leaves)\n"
            "    a1\n"
            "    {a2, a3} (2 leaves)\n"
            "      a2\n"
            "      a3\n"
            "  {b, c, d} (3 leaves)\n"
            "    b\n"
            "    {c, d} (2 leaves)\n"
            "      c\n"
            "      d\n");
}

TEST(SetsTest, LeavesKeepTheirOrder) {
  const Taxonomy tree = Of({{"p", "*"}, {"q", "*"}, {"r", "*"}, {"s", "*"}, {"t", "*"}});
  const Taxonomy sets = WithSets(tree);
  ASSERT_EQ(sets.leaves(), tree.leaves());
  for (std::size_t rank = 0; rank < tree.leaves(); ++rank) {
    EXPECT_EQ(sets.label(sets.leaf(rank)), tree.label(tree.leaf(rank)));
  }
  for (std::size_t node = 0; node < sets.nodes(); ++node) {
    EXPECT_LE(sets.children(NodeId(node)).size(), 2u);
  }
}

TEST(SetsTest, ALabelThatIsThereAlreadyIsNotTaken) {
  const Taxonomy tree = Of({{"x", "*"}, {"y", "*"}, {"{y, z}", "*"}, {"z", "*"}});
  const Taxonomy sets = WithSets(tree);
  EXPECT_TRUE(sets.is_leaf(sets.Find("{y, z}").value()));
  EXPECT_EQ(sets.leaves(), 4u);
}

}  // namespace
}  // namespace reissue::taxonomy
