// Small files by hand; tests/oracle/survey tries many.

#include <gtest/gtest.h>

#include <string_view>

#include "reissue/survey/linked.h"
#include "reissue/survey/matching.h"
#include "reissue/survey/roles.h"
#include "reissue/survey/together.h"

namespace reissue::survey {
namespace {

// Rows of texts; the last is the sensitive value, "a" to "z".
using Rows = std::vector<std::vector<std::string_view>>;
struct SmallFiles {
  explicit SmallFiles(const std::vector<Rows>& files) {
    const std::size_t width = files[0][0].size() - 1;
    std::vector<std::vector<std::string_view>> texts(width);
    const auto number = [&](std::size_t c, std::string_view text) {
      const auto at = std::find(texts[c].begin(), texts[c].end(), text);
      if (at == texts[c].end()) texts[c].push_back(text);
      return static_cast<std::size_t>(std::find(texts[c].begin(), texts[c].end(), text) -
                                      texts[c].begin());
    };
    for (const auto& file : files) {
      for (const auto& row : file) {
        for (std::size_t c = 0; c < width; ++c) number(c, row[c]);
      }
    }
    for (std::size_t c = 0; c < width; ++c) columns.push_back(labels::ReadLabels(texts[c]));
    for (const auto& file : files) {
      std::vector<std::uint32_t> key;
      for (const auto& row : file) {
        for (std::size_t c = 0; c < width; ++c) {
          key.push_back(columns[c].of_text[number(c, row[c])]);
        }
        key.push_back(static_cast<std::uint32_t>(row[width][0] - 'a'));
      }
      const std::vector<std::uint64_t> ones(file.size(), 1);
      published.emplace_back(width, 1, CollectCells(width + 1, key, ones));
    }
  }
  Matching Alone() { return Match(columns, published[0], OverlapTable(columns), pool); }
  Columns columns;
  std::vector<Published> published;
  ThreadPool pool{1};
};

TEST(Match, StarredRowsHideOthersAndAreAloneWithWhatNobodyNames) {
  SmallFiles files(std::vector<Rows>{Rows{{"20", "a"}, {"30", "b"}, {"*", "c"}}});
  const Matching found = files.Alone();
  // Whoever is 20 matches two rows. The starred one may be 50: then it is alone.
  EXPECT_EQ(found.singled_out, (FromTo{0, 1}));
  EXPECT_EQ(found.value_certain, (FromTo{0, 1}));
  EXPECT_EQ(found.least, (FromTo{1, 1}));
  EXPECT_EQ(found.fewest_overlapping, 2u);
}

TEST(Match, ABoxThatOthersCoverTogether) {
  // 1–4 is covered by 1–2 and 3–4, so nobody in it is alone. All that overlap 1–2 have `a`.
  SmallFiles covered(std::vector<Rows>{Rows{{"[1,4]", "a"}, {"[1,2]", "a"}, {"[3,4]", "b"}}});
  EXPECT_EQ(covered.Alone().singled_out, (FromTo{0, 0}));
  EXPECT_EQ(covered.Alone().value_certain, (FromTo{1, 2}));
  SmallFiles gap(std::vector<Rows>{Rows{{"[1,5]", "a"}, {"[1,2]", "a"}, {"[4,5]", "b"}}});
  EXPECT_EQ(gap.Alone().singled_out, (FromTo{0, 1}));
}

TEST(Match, EqualRowsOnly) {
  SmallFiles files(std::vector<Rows>{
      Rows{{"x", "1", "a"}, {"x", "1", "a"}, {"x", "2", "b"}, {"y", "1", "a"}, {"y", "1", "b"}}});
  const Matching found = files.Alone();
  EXPECT_EQ(found.singled_out, (FromTo{1, 1}));
  EXPECT_EQ(found.value_certain, (FromTo{3, 3}));
  EXPECT_EQ(found.exposed, (FromTo{3, 3}));
}

TEST(Intersect, TwoFilesLeaveOneValue) {
  // Each alone is 2-diverse; together only `a` is left to whoever is 25 and in both.
  SmallFiles files(std::vector<Rows>{Rows{{"[20,30)", "a"}, {"[20,30)", "b"}},
                                     Rows{{"[25,35)", "a"}, {"[25,35)", "c"}}});
  const Together found =
      Intersect(files.columns, files.published, OverlapTable(files.columns), 0, files.pool);
  EXPECT_EQ(found.files[0].singled_out, (FromTo{0, 1}));
  EXPECT_EQ(found.files[0].certain, (FromTo{0, 1}));
  EXPECT_EQ(found.files[0].alone, 1u);  // `b`
  EXPECT_EQ(found.files[1].certain, (FromTo{0, 1}));
}

TEST(Link, OtherColumns) {
  SmallFiles files(std::vector<Rows>{Rows{{"1", "a"}, {"2", "a"}, {"3", "a"}},
                                     Rows{{"1", "b"}, {"2", "c"}, {"2", "c"}}});
  const Linked found = Link(files.columns, files.published[0], files.published[1],
                            OverlapTable(files.columns), files.pool);
  EXPECT_EQ(found.matched, 2u);
  EXPECT_EQ(found.one_row, (FromTo{1, 1}));
  EXPECT_EQ(found.certain[0], (FromTo{2, 2}));
}

TEST(Published, Project) {
  SmallFiles files(std::vector<Rows>{Rows{{"x", "1", "a"}, {"x", "2", "a"}, {"y", "2", "b"}}});
  const std::size_t first[] = {0};
  const Published narrow = files.published[0].Project(first);
  ASSERT_EQ(narrow.cells(), 2u);
  EXPECT_EQ(narrow.rows(0), 2u);
  EXPECT_EQ(narrow.values(0, 0).size(), 1u);
  EXPECT_EQ(narrow.values(1, 0)[0].code, 1u);
}

std::vector<Role> RolesOf(const std::vector<ColumnLook>& looks) {
  std::vector<Role> roles;
  for (const RoleGuess& guess : GuessRoles(looks)) {
    EXPECT_FALSE(guess.reason.empty());
    roles.push_back(guess.role);
  }
  return roles;
}

TEST(GuessRoles, ByNameThenByBeingLeftAsItIs) {
  const ColumnLook age{"age", 100, 8, true, true}, job{"job", 100, 12, false, false};
  const ColumnLook disease{"Main_Diagnosis", 100, 9, false, false};
  const ColumnLook id{"patientId", 100, 100, false, true};
  EXPECT_EQ(RolesOf({id, age, disease, job}),
            (std::vector{Role::kIdentifier, Role::kQuasi, Role::kSensitive, Role::kQuasi}));
  EXPECT_EQ(RolesOf({age, job}), (std::vector{Role::kQuasi, Role::kSensitive}));
  const ColumnLook raw_age{"age", 100, 60, false, true}, sex{"sex", 100, 2, false, false};
  EXPECT_EQ(RolesOf({raw_age, sex}), (std::vector{Role::kQuasi, Role::kQuasi}));
  EXPECT_EQ(RolesOf({raw_age, job}), (std::vector{Role::kQuasi, Role::kSensitive}));
  // As for raw tables: how many diagnoses somebody has is none of them, a ward is known, and what
  // somebody believes comes after what was left as it is.
  const ColumnLook many{"number_diagnoses", 100, 9, false, true},
      ward{"ward", 100, 4, false, false};
  EXPECT_EQ(RolesOf({age, many, disease}),
            (std::vector{Role::kQuasi, Role::kQuasi, Role::kSensitive}));
  EXPECT_EQ(RolesOf({age, ward}), (std::vector{Role::kQuasi, Role::kQuasi}));
  const ColumnLook religion{"religion", 100, 4, true, false}, other{"x", 100, 4, false, false};
  EXPECT_EQ(RolesOf({age, other, religion}),
            (std::vector{Role::kQuasi, Role::kSensitive, Role::kQuasi}));
  EXPECT_EQ(RolesOf({raw_age, {"religion", 100, 4, false, false}}),
            (std::vector{Role::kQuasi, Role::kSensitive}));
  EXPECT_EQ(RolesOf({age, {"year", 100, 4, false, true}}),
            (std::vector{Role::kQuasi, Role::kQuasi}));
  // A column of one value gives nothing away.
  EXPECT_EQ(RolesOf({raw_age, {"class", 100, 1, false, false}}),
            (std::vector{Role::kQuasi, Role::kQuasi}));
}

}  // namespace
}  // namespace reissue::survey
