#include "reissue/advice/setting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reissue::advice {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;
using Cells = std::vector<std::vector<std::string>>;

const std::vector<std::string> kNames = {"id", "age", "disease"};
const Cells kFirst = {{"1", "20", "flu"}, {"2", "30", "cold"}, {"3", "40", "flu"}};

SettingAdvice Between(const Table& a, const Table& b, const std::string& identifier = "id") {
  return AdviseSetting({{"a.csv", &a}, {"b.csv", &b}}, {identifier, {"disease"}});
}

TEST(AdviseSetting, OfOneTable) {
  const Table table = MakeTable(kNames, kFirst);
  const SettingAdvice advice = AdviseSetting({{"a.csv", &table}}, {"id", {}});
  EXPECT_EQ(advice.kind, SettingKind::kOne);
  EXPECT_EQ(advice.model, "k");
  EXPECT_THAT(advice.steps, IsEmpty());
}

TEST(AdviseSetting, ATableThatGrows) {
  Cells more = kFirst;
  more.insert(more.begin(), {"4", "50", "cold"});
  const SettingAdvice advice = Between(MakeTable(kNames, kFirst), MakeTable(kNames, more));
  EXPECT_EQ(advice.kind, SettingKind::kGrows);
  EXPECT_EQ(advice.model, "bcf");
  ASSERT_THAT(advice.steps, SizeIs(1));
  EXPECT_EQ(advice.steps[0].stayed, 3u);
  EXPECT_EQ(advice.steps[0].came, 1u);
  EXPECT_EQ(advice.steps[0].left, 0u);
  EXPECT_EQ(advice.identifier, "id");
  EXPECT_EQ(advice.why, "1 person came, nobody left, and nothing changed.");
}

TEST(AdviseSetting, PeopleWhoComeAndGo) {
  const Table next = MakeTable(kNames, {kFirst[0], kFirst[1], {"4", "50", "cold"}});
  const SettingAdvice advice = Between(MakeTable(kNames, kFirst), next);
  EXPECT_EQ(advice.kind, SettingKind::kComesAndGoes);
  EXPECT_EQ(advice.model, "m-invariance");
  EXPECT_EQ(advice.why, "1 person came and 1 person left.");
}

TEST(AdviseSetting, ValuesThatChange) {
  const Table first = MakeTable(kNames, kFirst);
  const SettingAdvice sensitive =
      Between(first, MakeTable(kNames, {{"1", "20", "cold"}, kFirst[1], kFirst[2]}));
  EXPECT_EQ(sensitive.model, "j-similarity");
  EXPECT_EQ(sensitive.steps[0].changed_sensitive, 1u);
  EXPECT_THAT(sensitive.steps[0].columns, ElementsAre(Pair("disease", 1)));
  const SettingAdvice others =
      Between(first, MakeTable(kNames, {{"1", "21", "flu"}, kFirst[1], kFirst[2]}));
  EXPECT_EQ(others.model, "m-invariance");
}

// The numbers are those of rows: whoever has the same one is somebody else.
TEST(AdviseSetting, NumbersOfRowsTellNobody) {
  const Table next =
      MakeTable(kNames, {{"1", "30", "cold"}, {"2", "40", "flu"}, {"3", "20", "flu"}});
  const SettingAdvice advice = Between(MakeTable(kNames, kFirst), next);
  EXPECT_EQ(advice.identifier, "");
  EXPECT_EQ(advice.kind, SettingKind::kSame);
  EXPECT_THAT(advice.notes, SizeIs(1));
}

TEST(AdviseSetting, EqualRowsWithoutAnIdentifier) {
  const std::vector<std::string> names = {"age", "disease"};
  const Table first = MakeTable(names, {{"20", "flu"}, {"20", "flu"}, {"30", "cold"}});
  const Table grown =
      MakeTable(names, {{"20", "flu"}, {"30", "cold"}, {"20", "flu"}, {"9", "flu"}});
  const Table other = MakeTable(names, {{"20", "flu"}, {"30", "cold"}, {"9", "flu"}});
  EXPECT_EQ(Between(first, grown, "").model, "bcf");
  const SettingAdvice advice = Between(first, other, "");
  EXPECT_EQ(advice.model, "m-invariance");
  EXPECT_EQ(advice.steps[0].stayed, 2u);
  EXPECT_THAT(advice.notes, SizeIs(1));  // who left cannot be told from who changed
  EXPECT_EQ(Between(first, MakeTable(names, {{"1", "x"}}), "").kind, SettingKind::kOtherPeople);
}

TEST(AdviseSetting, OtherColumnsOfTheSamePeople) {
  const Table stays = MakeTable({"age", "zip", "days"}, {{"20", "1", "3"}});
  const Table diseases = MakeTable({"age", "disease"}, {{"20", "flu"}});
  const SettingAdvice advice = Between(diseases, stays, "");
  EXPECT_EQ(advice.model, "xy");
  EXPECT_THAT(advice.common, ElementsAre("age"));
  // A column more in one of them is no other table.
  const Table more = MakeTable({"age", "disease", "zip"}, {{"20", "flu", "1"}});
  EXPECT_EQ(Between(diseases, more, "").kind, SettingKind::kSame);
}

TEST(AdviseSetting, WhoStandsTwiceIsNotToldApart) {
  const Table twice = MakeTable(kNames, {kFirst[0], kFirst[0], kFirst[1]});
  const SettingAdvice advice = Between(twice, twice);
  EXPECT_EQ(advice.identifier, "");
  EXPECT_THAT(advice.notes, SizeIs(1));
}

}  // namespace
}  // namespace reissue::advice
