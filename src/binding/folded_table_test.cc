#include "reissue/binding/folded_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reissue/core/random.h"

namespace reissue::binding {
namespace {

using ::testing::ElementsAreArray;

// Columns of one value, of few and of many: more bits than a word has.
TEST(FoldedTableTest, UnfoldsToTheSameRows) {
  Random random = Random::Seeded(1);
  for (const std::uint64_t weight : {std::uint64_t{7}, std::uint64_t{1} << 40}) {
    std::vector<Column> columns;
    std::vector<std::uint64_t> weights;
    for (std::size_t row = 0; row < 500; ++row) weights.push_back(1 + random.Below(weight));
    for (const std::size_t domain : {1u, 2u, 3u, 70000u, 70000u, 70000u, 256u, 257u}) {
      DictionaryBuilder dictionary;
      for (std::size_t v = 0; v < domain; ++v) dictionary.Intern(std::to_string(v));
      std::vector<ValueId> values;
      for (std::size_t row = 0; row < 500; ++row) values.emplace_back(random.Below(domain));
      values.back() = ValueId(domain - 1);
      columns.emplace_back("c" + std::to_string(columns.size()), std::move(dictionary).Build(),
                           std::move(values));
    }
    const Table before(columns, 500, {"file", 0, {}}, weights);
    Table table = before;
    FoldedTable folded(table);
    EXPECT_EQ(table.rows(), 0u);
    EXPECT_EQ(table.width(), before.width());
    EXPECT_EQ(table[ColumnId(3)].dictionary().size(), 70000u);
    table = std::move(folded).Unfold(table);
    EXPECT_EQ(table.total(), before.total());
    EXPECT_EQ(table.weights(), before.weights());
    EXPECT_EQ(table.origin().file, "file");
    for (std::size_t c = 0; c < before.width(); ++c) {
      EXPECT_EQ(table[ColumnId(c)].name(), before[ColumnId(c)].name());
      EXPECT_THAT(table[ColumnId(c)].values(), ElementsAreArray(before[ColumnId(c)].values()));
    }
  }
}

}  // namespace
}  // namespace reissue::binding
