#include "reissue/advice/policy_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reissue::advice {
namespace {

using io::Role;
using ::testing::HasSubstr;
using ::testing::Not;

PolicyPlan SmallPlan() {
  PolicyPlan plan;
  plan.title = "wards";
  plan.tables = {"wards.csv"};
  plan.csv.separator = ',';
  plan.model = "k";
  plan.rows = 100;
  const auto column = [](std::string name, Role role) {
    return ColumnAdvice{
        .name = std::move(name), .role = role, .reason = "why", .draft = {}, .breakpoints = {}};
  };
  plan.columns.columns = {column("age", Role::kQuasi), column("zip code", Role::kQuasi),
                          column("disease", Role::kSensitive)};
  plan.columns.columns[0].breakpoints = {0, 2.5, 1000000};
  plan.columns.columns[1].sure = false;
  plan.taxonomies["zip code"] = "zip_code.csv";
  return plan;
}

TEST(PolicyText, HasEveryColumnWithItsReason) {
  const std::string text = PolicyText(SmallPlan());
  EXPECT_THAT(text,
              HasSubstr("age = { role = \"quasi\", breakpoints = [0, 2.5, 1000000] }  # why"));
  EXPECT_THAT(text, HasSubstr("\"zip code\" = { role = \"quasi\", taxonomy = \"zip_code.csv\" }  # "
                              "not sure: why"));
  EXPECT_THAT(text, HasSubstr("k = 5 "));
  EXPECT_THAT(text, HasSubstr("distinct = 2 "));
  EXPECT_THAT(text, HasSubstr("recoding = \"local\""));
  EXPECT_THAT(text, Not(HasSubstr("[table]")));
}

TEST(PolicyText, SaysHowTheTableIsWritten) {
  PolicyPlan plan = SmallPlan();
  plan.csv.header = false;
  plan.csv.columns = {"c1", "c2"};
  plan.csv.trim = true;
  plan.csv.comment_prefix = "|";
  plan.csv.separator = '\t';
  plan.columns.on_missing = io::OnMissing::kDropRow;
  plan.columns.missing_markers = {"", "*"};
  plan.dropped_rows = 12;
  const std::string text = PolicyText(plan);
  EXPECT_THAT(text, HasSubstr("[table]\nseparator = \"tab\"\nheader = false"));
  EXPECT_THAT(text, HasSubstr("columns = [\"c1\", \"c2\"]\ntrim = true"));
  EXPECT_THAT(text, HasSubstr("comment = \"|\"\nmissing = \"drop-row\" "));
  EXPECT_THAT(text, HasSubstr("leaves out 12 rows"));
  EXPECT_THAT(text, HasSubstr("missing_markers = [\"\", \"*\"]\n"));
}

TEST(PolicyText, GivesEachModelWhatItNeeds) {
  PolicyPlan plan = SmallPlan();
  plan.model = "m-invariance";
  plan.m = 2;
  EXPECT_THAT(PolicyText(plan), HasSubstr("m = 2 "));
  EXPECT_THAT(PolicyText(plan), HasSubstr("age = { role = \"quasi\", ranges = \"round\" }"));
  plan.m = 40;
  EXPECT_THAT(PolicyText(plan), HasSubstr("m = 3 "));
  plan.model = "j-similarity";
  EXPECT_THAT(PolicyText(plan), HasSubstr("[knowledge]\nprior = \"learned\""));
  plan.model = "xy";
  plan.release_columns = {"age", "zip code"};
  plan.prior_joins = {{"age"}, {"zip code"}};
  EXPECT_THAT(PolicyText(plan),
              HasSubstr("x = [\"age\", \"zip code\", \"prior.age\", \"prior2.zip code\"]\n"));
}

// Names are somebody's: they end neither a comment nor a text.
TEST(PolicyText, KeepsNamesInTheirPlace) {
  PolicyPlan plan = SmallPlan();
  plan.columns.columns[0].name = "a\"b\\\n[guarantee]";
  plan.columns.notes = {"about a\n[guarantee]"};
  const std::string text = PolicyText(plan);
  EXPECT_THAT(text, HasSubstr("\"a\\\"b\\\\\\u000A[guarantee]\" = {"));
  EXPECT_THAT(text, HasSubstr("# - about a [guarantee]\n"));
}

TEST(TaxonomyFile, IsANameOfItsOwn) {
  EXPECT_EQ(TaxonomyFile("age", {}), "age.csv");
  EXPECT_EQ(TaxonomyFile("../zip code", {}), "___zip_code.csv");
  EXPECT_EQ(TaxonomyFile("AGE", {{"age", "age.csv"}, {"Age", "Age-2.csv"}}), "AGE-3.csv");
  EXPECT_EQ(TaxonomyFile("", {}), "column.csv");
}

}  // namespace
}  // namespace reissue::advice
