// Series of boxes, and rows that are starred.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "people_fixture.h"
#include "reissue/binding/state_bytes.h"
#include "reissue/models/bcf/service/earlier.h"
#include "reissue/models/bcf/service/report.h"
#include "reissue/models/bcf/service/space.h"

namespace reissue::models::bcf::service {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string SpaceOfBoxes(const std::vector<std::string>& split_again) {
  binding::StateWriter out;
  const auto text = [&](const std::string& label) { out.Text(label); };
  out.Number(std::uint32_t{1});
  out.Small(1);
  out.Each(split_again, text);
  for (std::size_t i = 0; i < split_again.size(); ++i) {
    out.Small(1);
    out.Each(std::vector<std::string>(), text);
  }
  return out.Take();
}

TEST(Space, ABoxThatIsSplitTwiceMakesNoSense) {
  using taxonomy::HierarchyLine;
  const auto tree = std::make_shared<const taxonomy::Taxonomy>(
      taxonomy::FromHierarchy(std::vector<HierarchyLine>{{1, {"Ulm", "South", "*"}},
                                                         {2, {"Aalen", "South", "*"}},
                                                         {3, {"Bonn", "West", "*"}},
                                                         {4, {"Trier", "West", "*"}}},
                              "town.csv")
          .value());
  EXPECT_TRUE(ParseSpace(SpaceOfBoxes({"South", "West"}), {tree}));
  const auto twice = ParseSpace(SpaceOfBoxes({"South", "South"}), {tree});
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().code, ErrorCode::kMachine);
}

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

// Boxes that another tool made go on as boxes, where they are those of one tree.
TEST_F(PublishSeriesTest, AdoptedBoxesGoOnAsBoxes) {
  const Growing growing = People(400, true);
  const std::string policy = WritePolicyOf(growing, "k = 2\nrecoding = \"local\"\n");
  ASSERT_TRUE(engine::Publish(Next(policy, WriteFirst(growing, 200), 1), context_));
  const std::string boxes = Read("1.csv");
  StartAnew();
  Write("1.csv", boxes);
  ASSERT_TRUE(engine::Adopt(Taking(policy, {Path("1.csv")}), context_)->recorded);
  const auto second = engine::Publish(Next(policy, WriteFirst(growing, 225), 2), context_);
  ASSERT_TRUE(second) << second.error().ToString();
  EXPECT_TRUE(KeptTogether(policy, 2));
  bool mixed = false;  // a label and one above it in one column: no cut
  for (const auto& column : second->recoding) {
    const std::set<std::string> labels(column.labels.begin(), column.labels.end());
    mixed |= labels.contains("*") && labels.size() > 1;
    mixed |= labels.contains("Europe") && (labels.contains("UK") || labels.contains("France"));
    mixed |= labels.contains("America") && (labels.contains("Canada") || labels.contains("Peru"));
  }
  EXPECT_TRUE(mixed) << Read("2.csv").substr(0, 400);
}

// Two releases, the second with one newcomer in each of two places.
TEST_F(PublishSeriesTest, StarsAreThePolicysToAllow) {
  Growing growing = People(0, true);
  const auto add = [&](const std::string& place, int rows) {
    for (; rows > 0; --rows) {
      growing.rows.push_back("nr-" + std::to_string(growing.rows.size()) + "," + place +
                             ",Lawyer,flu");
    }
  };
  for (const char* place : {"UK", "France", "Canada", "Peru"}) add(place, 16);
  const std::size_t first = growing.rows.size();
  add("UK", 4);
  add("Canada", 1);
  add("Peru", 1);
  std::map<std::string, std::vector<std::string>> releases;
  for (const std::string suppression : {"", "suppression = 0\n", "suppression = 1\n",
                                        "suppression = 2\n", "suppression = 0.02\n"}) {
    const std::string policy =
        WritePolicyOf(growing, "k = 2\nrecoding = \"local\"\n" + suppression);
    std::uint64_t starred = 0;
    for (const std::size_t rows : {first, growing.rows.size()}) {
      const std::size_t number = releases[suppression].size() + 1;
      contract::PublishRequest request = Next(policy, WriteFirst(growing, rows), number);
      request.seed = 7;
      const auto report = engine::Publish(request, context_);
      ASSERT_TRUE(report) << report.error().ToString();
      starred = report->suppressed;
      releases[suppression].push_back(Read(std::to_string(number) + ".csv"));
    }
    EXPECT_TRUE(KeptTogether(policy, 2));
    // Of 70 rows a share of 0.02 is one.
    EXPECT_EQ(starred, suppression == "suppression = 2\n" ? 2u : 0u) << suppression;
    StartAnew();
  }
  // Byte for byte.
  EXPECT_EQ(releases["suppression = 0\n"], releases[""]);
  EXPECT_EQ(releases["suppression = 1\n"], releases[""]);
  EXPECT_THAT(releases["suppression = 2\n"][1], HasSubstr("Canada,Lawyer,flu"));
  EXPECT_THAT(releases[""][1], Not(HasSubstr("Canada,")));
}

TEST_F(PublishSeriesTest, TheVaultKnowsWhoIsStarred) {
  const Growing growing = People(400, true);
  const std::string policy =
      WritePolicyOf(growing, "k = 12\nrecoding = \"local\"\nsuppression = 0.3\n");
  std::vector<std::uint64_t> starred;
  for (const std::size_t rows : {200u, 260u, 320u, 400u}) {
    const std::size_t number = starred.size() + 1;
    const auto report = engine::Publish(Next(policy, WriteFirst(growing, rows), number), context_);
    ASSERT_TRUE(report) << report.error().ToString();
    starred.push_back(report->suppressed);
    EXPECT_EQ(History().back().set_aside, report->suppressed);
  }
  EXPECT_GT(starred.back(), 0u);
  EXPECT_TRUE(std::ranges::is_sorted(starred));
  EXPECT_TRUE(KeptTogether(policy, 4));
}

}  // namespace
}  // namespace reissue::models::bcf::service
