// Series of boxes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "series_fixture.h"

namespace reissue {
namespace {

// Whatever was split first: two newcomers with a rare value hide that column, and no other.
TEST_F(SeriesEngineTest, FewNewcomersHideOneColumnOfBoxesAndNoOther) {
  Write("rare.csv", "yes;*\nno;*\n");
  Write("town.csv", "Ulm;South;*\nAalen;South;*\nBonn;West;*\nTrier;West;*\n");
  Growing growing;
  growing.columns =
      "id = { role = \"identifier\" }\nrare = { role = \"quasi\", taxonomy = \"rare.csv\" }\n"
      "town = { role = \"quasi\", taxonomy = \"town.csv\" }\n";
  growing.header = "id,rare,town";
  const std::vector<std::string> towns = {"Ulm", "Aalen", "Bonn", "Trier"};
  const auto add = [&](const std::string& rare, std::size_t people) {
    for (std::size_t i = 0; i < people; ++i) {
      growing.rows.push_back("p" + std::to_string(growing.rows.size()) + "," + rare + "," +
                             towns[i % 4]);
    }
  };
  add("no", 800);
  add("yes", 100);
  add("no", 80);
  add("yes", 2);
  const std::string policy = WritePolicyOf(growing, "k = 5\nrecoding = \"local\"\n");
  ASSERT_TRUE(engine::Publish(Next(policy, WriteFirst(growing, 900), 1), context_));
  const auto second = engine::Publish(Next(policy, WriteFirst(growing, 982), 2), context_);
  ASSERT_TRUE(second) << second.error().ToString();
  EXPECT_THAT(second->recoding.at(0).labels, ::testing::Contains("*"));
  EXPECT_EQ(second->recoding.at(1).labels, towns);
  const auto audit =
      engine::Audit(io::ReadPolicy(context_.files, policy).value(), Releases(2), context_);
  ASSERT_TRUE(audit) << audit.error().ToString();
  EXPECT_TRUE(audit->satisfied);
}

}  // namespace
}  // namespace reissue
