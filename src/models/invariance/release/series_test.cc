#include "reissue/models/invariance/release/series.h"

#include <gtest/gtest.h>

namespace reissue::models::invariance {
namespace {

// Two releases: {0, 1} and {2} with values 0, 1 and 1; then {0, 2}.
Series Small() {
  return {.persons = 3,
          .values = 2,
          .counterfeit = {},
          .releases = {{.groups = 2, .rows = {{1, 0, 1}, {0, 0, 0}, {2, 1, 1}}},
                       {.groups = 1, .rows = {{2, 0, 1}, {0, 0, 0}}}}};
}

TEST(Series, GroupsHavePeopleAndCountedValues) {
  const auto groups = GroupsOf(Small(), 0);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].people, (std::vector<Person>{0, 1}));
  EXPECT_EQ(groups[0].values, (std::vector<std::pair<Value, std::uint64_t>>{{0, 1}, {1, 1}}));
  EXPECT_EQ(groups[1].people, (std::vector<Person>{2}));
  EXPECT_EQ(GroupsOf(Small(), 1)[0].release, 1u);
}

TEST(Series, ValidateFindsWhatCannotBe) {
  EXPECT_TRUE(Validate(Small()).has_value());
  Series twice = Small();
  twice.releases[1].rows[1].person = 2;
  EXPECT_FALSE(Validate(twice).has_value());
  Series empty = Small();
  empty.releases[1].groups = 2;
  EXPECT_FALSE(Validate(empty).has_value());
  Series unknown = Small();
  unknown.releases[0].rows[0].value = 2;
  EXPECT_FALSE(Validate(unknown).has_value());
  Series marks = Small();
  marks.counterfeit = {true};
  EXPECT_FALSE(Validate(marks).has_value());
}

}  // namespace
}  // namespace reissue::models::invariance
