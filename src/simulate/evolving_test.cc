#include "reissue/simulate/evolving.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace reissue::simulate {
namespace {

UpdateStream EvolvingStream(std::uint64_t releases) {
  UpdateOptions options;
  options.first = 400;
  options.replace = 40;
  options.releases = releases;
  return MakeUpdates(std::vector<std::uint32_t>(1000, 0), 1, options).value();
}

TEST(Changes, AreOfAsManyDifferentPeopleAsAskedForWhoWereThereBefore) {
  const UpdateStream stream = EvolvingStream(8);
  const auto changes = MakeChanges(stream, 5, 60, 1).value();
  ASSERT_EQ(changes.size(), 8u);
  EXPECT_TRUE(changes[0].empty());
  std::set<std::uint32_t> values, changed;
  for (std::size_t i = 1; i < changes.size(); ++i) {
    std::set<std::uint32_t> rows;
    const std::set<std::uint32_t> before(stream.tables[i - 1].begin(), stream.tables[i - 1].end());
    const std::set<std::uint32_t> now(stream.tables[i].begin(), stream.tables[i].end());
    for (const auto& [row, value] : changes[i]) {
      EXPECT_TRUE(rows.insert(row).second);
      EXPECT_TRUE(before.contains(row) && now.contains(row));
      values.insert(value);
      changed.insert(row);
    }
    EXPECT_EQ(rows.size(), 60u);
  }
  EXPECT_EQ(values, (std::set<std::uint32_t>{0, 1, 2, 3, 4}));
  EXPECT_GT(changed.size(), 200u);  // not always the same ones
}

TEST(Changes, OfALongerStreamBeginTheSame) {
  const auto all = MakeChanges(EvolvingStream(8), 5, 60, 3).value();
  const auto some = MakeChanges(EvolvingStream(4), 5, 60, 3).value();
  EXPECT_TRUE(std::equal(some.begin(), some.end(), all.begin()));
  EXPECT_NE(MakeChanges(EvolvingStream(4), 5, 60, 4).value(), some);
}

TEST(Changes, CannotBeMoreThanStay) {
  EXPECT_EQ(MakeChanges(EvolvingStream(2), 5, 360, 1).value()[1].size(), 360u);
  const auto refused = MakeChanges(EvolvingStream(2), 5, 361, 1);
  ASSERT_FALSE(refused.has_value());
  EXPECT_NE(refused.error().message.find("only 360 stay"), std::string::npos);
}

TEST(Changes, AreAppliedTableByTable) {
  UpdateStream stream = EvolvingStream(3);
  ApplyChanges({{7, 3}, {9, 2}}, stream);
  ApplyChanges({{7, 1}}, stream);
  EXPECT_EQ(stream.values[7], 1u);
  EXPECT_EQ(stream.values[9], 2u);
  EXPECT_EQ(stream.values[8], 0u);
}

}  // namespace
}  // namespace reissue::simulate
