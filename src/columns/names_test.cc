#include "reissue/columns/names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reissue::columns {
namespace {

using testing::ElementsAre;

TEST(WordsOf, CutsNames) {
  EXPECT_THAT(WordsOf("admission_type_id"), ElementsAre("admission", "type", "id"));
  EXPECT_THAT(WordsOf("BirthDate2"), ElementsAre("birth", "date"));
  EXPECT_THAT(WordsOf("ID"), ElementsAre("id"));
  EXPECT_EQ(HintOf("age at diagnosis").meaning, Meaning::kSensitive);
  EXPECT_EQ(HintOf("number_diagnoses").meaning, Meaning::kNothing);
  EXPECT_EQ(HintOf("hospital name").meaning, Meaning::kQuasi);
  EXPECT_EQ(HintOf("last_name").meaning, Meaning::kDirect);
  EXPECT_EQ(HintOf("patient_nbr").meaning, Meaning::kPerson);
}

TEST(HintOf, TopicsAndWhatIsPrivateToo) {
  EXPECT_EQ(HintOf("disease").topic, Topic::kHealth);
  EXPECT_EQ(HintOf("yearly_income").topic, Topic::kMoney);
  EXPECT_EQ(HintOf("vote").topic, Topic::kOther);
  EXPECT_EQ(HintOf("cost of treatment").topic, Topic::kHealth);
  EXPECT_EQ(HintOf("treatment cost").topic, Topic::kMoney);
  EXPECT_EQ(HintOf("job").meaning, Meaning::kQuasi);
  EXPECT_TRUE(HintOf("job").private_too);
  EXPECT_TRUE(HintOf("religion").private_too);
  EXPECT_FALSE(HintOf("age").private_too);
  EXPECT_EQ(HintOf("class of worker").meaning, Meaning::kNothing);
  EXPECT_EQ(HintOf("weight").meaning, Meaning::kQuasi);
  EXPECT_EQ(HintOf("instance weight").meaning, Meaning::kNothing);
  EXPECT_TRUE(HintOf("detailed industry recode").code);
  EXPECT_TRUE(MayBeOutcome("class"));
  EXPECT_FALSE(MayBeOutcome("disease"));
}

}  // namespace
}  // namespace reissue::columns
