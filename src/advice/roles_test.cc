#include "reissue/advice/roles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reissue::advice {
namespace {

using io::Role;
using taxonomy::DraftKind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A table of 40 rows: each column by a function of the row.
class RolesTable {
 public:
  static constexpr std::size_t kRows = 40;
  template <typename Value>
  RolesTable& Add(const std::string& name, Value value) {
    std::vector<std::vector<std::string>> rows;
    for (std::size_t row = 0; row < kRows; ++row) rows.push_back({value(row)});
    tables_.push_back(MakeTable({name}, rows));
    return *this;
  }
  TableAdvice Advise(const RolesWanted& wanted = {}) const {
    std::vector<Profile> profiles;
    for (const Table& table : tables_) {
      const std::vector<const Column*> columns = {&table[ColumnId(0)]};
      profiles.push_back(ProfileOf(columns));
    }
    return AdviseRoles(profiles, wanted);
  }

 private:
  std::vector<Table> tables_;
};

auto Modulo(std::size_t n) {
  return [n](std::size_t row) { return std::string(1, static_cast<char>('a' + row % n)); };
}
auto Number(std::size_t from, std::size_t n) {
  return [=](std::size_t row) { return std::to_string(from + row % n); };
}

TEST(AdviseRoles, GoesByNamesFirst) {
  const TableAdvice advice = RolesTable()
                                 .Add("patient", Number(1000, 40))
                                 .Add("surname", Modulo(20))
                                 .Add("age", Number(20, 35))
                                 .Add("sex", Modulo(2))
                                 .Add("disease", Modulo(4))
                                 .Add("colour", Modulo(3))
                                 .Add("ward", Modulo(1))
                                 .Advise();
  EXPECT_THAT(advice.Names(Role::kIdentifier), ElementsAre("patient"));
  EXPECT_THAT(advice.Names(Role::kQuasi), ElementsAre("age", "sex", "colour"));
  EXPECT_THAT(advice.Names(Role::kSensitive), ElementsAre("disease"));
  EXPECT_THAT(advice.Names(Role::kDrop), ElementsAre("surname", "ward"));
  EXPECT_TRUE(advice.Find("age")->sure);
  EXPECT_FALSE(advice.Find("colour")->sure);
  EXPECT_EQ(advice.Find("age")->breakpoints.front(), 0);
  EXPECT_EQ(advice.Find("age")->breakpoints.back(), 100);
  EXPECT_EQ(advice.Find("sex")->draft->kind, DraftKind::kFlat);
  EXPECT_EQ(advice.on_missing, io::OnMissing::kError);
  EXPECT_THAT(advice.notes, IsEmpty());
}

TEST(AdviseRoles, SaysWhenRowsAreNotPeople) {
  const TableAdvice advice = RolesTable()
                                 .Add("encounter_id", Number(100, 40))
                                 .Add("patient_nbr", Number(1, 30))
                                 .Add("age", Number(20, 35))
                                 .Advise();
  EXPECT_THAT(advice.Names(Role::kIdentifier), IsEmpty());
  EXPECT_THAT(advice.Names(Role::kDrop), ElementsAre("encounter_id", "patient_nbr"));
  ASSERT_THAT(advice.notes, SizeIs(1));
  EXPECT_THAT(advice.notes[0], HasSubstr("stands in up to 2 rows"));
}

TEST(AdviseRoles, TakesTheColumnThatIsNamed) {
  const TableAdvice advice = RolesTable()
                                 .Add("patient", Number(1, 40))
                                 .Add("colour", Number(500, 40))
                                 .Add("age", Number(20, 35))
                                 .Advise({.identifiers = {"colour"}, .taken = {}});
  EXPECT_THAT(advice.Names(Role::kIdentifier), ElementsAre("colour"));
  EXPECT_EQ(advice.Find("patient")->role, Role::kDrop);
}

TEST(AdviseRoles, DropsWhatTiesRows) {
  const TableAdvice advice =
      RolesTable()
          .Add("age", Number(20, 35))
          .Add("fnlwgt", [](std::size_t row) { return std::to_string(row * 971 % 30); })
          .Add("note", [](std::size_t row) { return "text " + std::to_string(row % 35); })
          .Advise();
  EXPECT_THAT(advice.Names(Role::kDrop), ElementsAre("fnlwgt", "note"));
  EXPECT_THAT(advice.Find("note")->reason, HasSubstr("35 values in 40 rows"));
}

TEST(AdviseRoles, TellsCodesFromQuantities) {
  const TableAdvice advice = RolesTable()
                                 .Add("admission_type_id", Number(1, 8))
                                 .Add("num_visits", Number(0, 9))
                                 .Add("region", Number(10, 4))
                                 .Advise();
  EXPECT_EQ(advice.Find("admission_type_id")->draft->kind, DraftKind::kFlat);
  EXPECT_FALSE(advice.Find("num_visits")->breakpoints.empty());
  EXPECT_EQ(advice.Find("region")->draft->kind, DraftKind::kFlat);
  EXPECT_FALSE(advice.Find("region")->sure);
}

TEST(AdviseRoles, KeepsFewQuasiIdentifiers) {
  RolesTable table;
  table.Add("age", Number(20, 35)).Add("sex", Modulo(2)).Add("zip", Modulo(5));
  for (int i = 0; i < 13; ++i) table.Add("x" + std::string(1, 'a' + i), Modulo(3));
  const TableAdvice advice = table.Advise();
  EXPECT_THAT(advice.Names(Role::kQuasi), ElementsAre("age", "sex", "zip"));
  ASSERT_THAT(advice.notes, SizeIs(1));
  EXPECT_THAT(advice.notes[0], HasSubstr("13 columns are left out"));
  // Where nothing is known, the first ones are better than none.
  RolesTable nameless;
  for (int i = 0; i < 20; ++i) nameless.Add("c" + std::to_string(i), Modulo(3));
  EXPECT_THAT(nameless.Advise().Names(Role::kQuasi), SizeIs(kManyQuasi));
}

std::string Sometimes(std::size_t row, std::size_t times, const std::string& mark,
                      const std::string& value) {
  return row < times ? mark : value;
}

TEST(AdviseRoles, GivesMarksALeaf) {
  const TableAdvice advice =
      RolesTable()
          .Add("age", [](std::size_t r) { return Sometimes(r, 9, "?", std::to_string(20 + r)); })
          .Add("race", [](std::size_t r) { return Sometimes(r, 3, "?", r % 2 ? "a" : "b"); })
          .Advise();
  EXPECT_EQ(advice.on_missing, io::OnMissing::kValue);
  EXPECT_THAT(advice.missing_markers, ElementsAre("?"));
  EXPECT_EQ(advice.fields_with_marks, 12u);
  const ColumnAdvice& age = *advice.Find("age");
  EXPECT_TRUE(age.breakpoints.empty());
  ASSERT_TRUE(age.draft);
  EXPECT_THAT(age.draft->lines.back().labels, ElementsAre("?", "*"));
  EXPECT_THAT(age.draft->lines.front().labels,
              ElementsAre("29", "[25,30)", "[20,30)", "[20,40)", "[0,40)", "[0,80)", "*"));
}

// Rows with few empty fields go; a column with many goes itself.
TEST(AdviseRoles, LeavesOutWhatCannotBeNamed) {
  const TableAdvice advice =
      RolesTable()
          .Add("age", [](std::size_t r) { return Sometimes(r, 1, "", std::to_string(20 + r)); })
          .Add("race", [](std::size_t r) { return Sometimes(r, 9, "", r % 2 ? "a" : "b"); })
          .Add("zip", [](std::size_t r) { return Sometimes(r, 2, "*", r % 2 ? "a" : "b"); })
          .Add("sex", Modulo(2))
          .Advise();
  EXPECT_EQ(advice.on_missing, io::OnMissing::kDropRow);
  EXPECT_THAT(advice.missing_markers, ElementsAre("", "*"));
  EXPECT_THAT(advice.Names(Role::kDrop), ElementsAre("race"));
  EXPECT_THAT(advice.Find("race")->reason, HasSubstr("22 %"));
  EXPECT_FALSE(advice.Find("age")->breakpoints.empty());
}

TEST(AdviseRoles, FindsASensitiveColumnWhereOneIsNeeded) {
  const RolesTable table = RolesTable()
                               .Add("age", Number(20, 35))
                               .Add("colour", Modulo(5))
                               .Add("mostly", [](std::size_t r) { return r < 30 ? "a" : "b"; });
  EXPECT_THAT(table.Advise().Names(Role::kSensitive), IsEmpty());
  const TableAdvice advice = table.Advise({.identifiers = {}, .sensitive = true, .taken = {}});
  EXPECT_THAT(advice.Names(Role::kSensitive), ElementsAre("colour"));
  EXPECT_FALSE(advice.Find("colour")->sure);
}

TEST(AdviseRoles, DraftsWhatIsWrittenLikeIt) {
  const TableAdvice advice =
      RolesTable()
          .Add("seen", [](std::size_t r) { return "2020-01-" + std::to_string(10 + r % 20); })
          .Add("band",
               [](std::size_t r) {
                 return std::to_string(r % 5 * 10) + "-" + std::to_string(r % 5 * 10 + 9);
               })
          .Add("x1", [](std::size_t r) { return r % 2 ? "E11." + std::to_string(r % 9) : "I10"; })
          .Add("x2", [](std::size_t r) { return r % 2 ? "Male" : "Female"; })
          .Advise();
  EXPECT_EQ(advice.Find("seen")->draft->kind, DraftKind::kDates);
  EXPECT_EQ(advice.Find("band")->draft->kind, DraftKind::kBands);
  EXPECT_EQ(advice.Find("x1")->role, Role::kSensitive);
  EXPECT_EQ(advice.Find("x2")->reason, "looks like sex");
}

}  // namespace
}  // namespace reissue::advice
