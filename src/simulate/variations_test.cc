#include "reissue/simulate/variations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "generated_rows.h"

namespace reissue::simulate {
namespace {

Table People() {
  return MakeTable({"person", "a", "b", "c", "illness"}, {{"V1", "a1", "b1", "c1", "flu"},
                                                          {"V2", "a2", "b2", "c2", "flu"},
                                                          {"x3", "a3", "b3", "c3", "cold"},
                                                          {"x4", "a4", "b4", "c4", "none"}});
}

VariationOptions Options() {
  return {.scale = 50, .changed = 2, .columns = {"a", "b", "c"}, .identifier = "person"};
}

TEST(Variations, KeepTheOriginalsAndVaryExactlyTheNamedColumns) {
  const Table table = People();
  const auto made = Variations::Make(table, 9, Options());
  ASSERT_TRUE(made.has_value());
  const Variations& variations = **made;
  EXPECT_EQ(variations.rows(), 200u);
  const std::vector<Row> rows = RowsOf(variations, 0, variations.rows());
  std::set<std::string> identifiers;
  std::set<std::size_t> most_changed;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const RowId record(i % table.rows());
    EXPECT_TRUE(identifiers.insert(rows[i][0]).second) << "row " << i;
    std::size_t changed = 0;
    for (std::size_t column = 1; column < 4; ++column) {
      changed += rows[i][column] != table.columns()[column].text(record);
      EXPECT_THAT(variations.Domain(column), testing::Contains(rows[i][column]));
    }
    EXPECT_LE(changed, i < table.rows() ? 0u : 2u);
    EXPECT_EQ(rows[i][4], table.columns()[4].text(record));
    if (i < table.rows()) {
      EXPECT_EQ(rows[i][0], table.columns()[0].text(record));
    }
    most_changed.insert(changed);
  }
  EXPECT_TRUE(most_changed.contains(2));
}

TEST(Variations, ChooseAllColumnsAlike) {
  const Table table = People();
  auto options = Options();
  options.scale = 10000;
  options.changed = 1;
  const auto made = Variations::Make(table, 10, options);
  ASSERT_TRUE(made.has_value());
  int changes[3] = {};
  for (std::uint64_t first = 4; first < 40000; first += 4) {
    const std::vector<Row> rows = RowsOf(**made, first, 1);
    for (std::size_t i = 0; i < 3; ++i) {
      changes[i] += rows[0][i + 1] != table.columns()[i + 1].text(RowId(0));
    }
  }
  // A third of 9,999 rows, of which one value in four is the old one.
  for (const int count : changes) EXPECT_NEAR(count, 2500, 200);
}

TEST(Variations, AddIdentifiersWhereThereAreNone) {
  const Table table = People();
  auto options = Options();
  options.identifier = "number";
  const auto made = Variations::Make(table, 9, options);
  ASSERT_TRUE(made.has_value());
  EXPECT_EQ((*made)->header().front(), "number");
  EXPECT_EQ((*made)->header().size(), 6u);
  EXPECT_EQ(RowsOf(**made, 1, 1)[0], (Row{"R0000002", "V2", "a2", "b2", "c2", "flu"}));
}

TEST(Variations, CanBeCutAnywhereAndQuoteWhatNeedsIt) {
  const Table table = MakeTable({"a", "b"}, {{"x, y", "say \"so\""}, {"", " z"}});
  const auto made =
      Variations::Make(table, 9, {.scale = 3, .changed = 1, .columns = {"b"}, .identifier = ""});
  ASSERT_TRUE(made.has_value());
  std::string whole, parts;
  (*made)->AppendRows(0, 6, whole);
  for (std::uint64_t i = 0; i < 6; ++i) (*made)->Append(i, parts);
  EXPECT_EQ(parts, whole);
  EXPECT_THAT(whole, testing::StartsWith("\"x, y\",\"say \"\"so\"\"\"\n\"\",\" z\"\n\"x, y\","));
}

TEST(Variations, RefuseWhatMakesNoSense) {
  const Table table = People();
  const auto code_of = [&](const VariationOptions& options) {
    const auto made = Variations::Make(table, 1, options);
    return made.has_value() ? std::optional<ErrorCode>() : made.error().code;
  };
  auto options = Options();
  EXPECT_EQ(code_of(options), std::nullopt);
  options.scale = 0;
  EXPECT_EQ(code_of(options), ErrorCode::kUsage);
  options = Options();
  options.changed = 4;
  EXPECT_EQ(code_of(options), ErrorCode::kUsage);
  options = Options();
  options.columns = {"a", "d"};
  EXPECT_EQ(code_of(options), ErrorCode::kUsage);
  options.columns = {"a", "a"};
  EXPECT_EQ(code_of(options), ErrorCode::kUsage);
  options.columns = {"a", "b", "person"};
  EXPECT_EQ(code_of(options), ErrorCode::kUsage);
  EXPECT_FALSE(Variations::Make(MakeTable({"a"}, {}), 1, {}).has_value());
}

}  // namespace
}  // namespace reissue::simulate
