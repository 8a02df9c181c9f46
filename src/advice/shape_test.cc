#include "reissue/advice/shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reissue::advice {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(GuessShape, LeavesAPlainFileAlone) {
  const Shape shape = GuessShape("name,age\nAnn,31\nBob,45\n");
  EXPECT_TRUE(shape.csv.header);
  EXPECT_EQ(shape.csv.separator, ',');
  EXPECT_FALSE(shape.csv.trim);
  EXPECT_THAT(shape.csv.comment_prefix, IsEmpty());
  EXPECT_THAT(shape.reasons, IsEmpty());
}

// As the census files of UCI are written.
TEST(GuessShape, KnowsDataWithoutHeader) {
  const Shape shape = GuessShape("|1x3 Cross validator\n25, Private, <=50K.\n38, ?, >50K.\n");
  EXPECT_FALSE(shape.csv.header);
  EXPECT_THAT(shape.csv.columns, ElementsAre("c1", "c2", "c3"));
  EXPECT_TRUE(shape.csv.trim);
  EXPECT_EQ(shape.csv.comment_prefix, "|");
  EXPECT_EQ(shape.reasons.size(), 3u);
}

TEST(GuessShape, TellsTextsFromAHeader) {
  EXPECT_FALSE(GuessShape("a,b,x\na,c,y\nd,b,y\n").csv.header);  // most stand below again
  EXPECT_TRUE(GuessShape("job,town,x\na,c,y\nd,b,y\n").csv.header);
  EXPECT_FALSE(GuessShape("yes,yes\nno,yes\n").csv.header);  // twice the same name
}

TEST(GuessShape, FindsTheSeparator) {
  EXPECT_EQ(GuessShape("a;b\n1,5;2,5\n").csv.separator, ';');
  EXPECT_EQ(GuessShape("a\tb\n1,5\t2,5\n").csv.separator, '\t');
}

TEST(GuessShape, FindsDecimalCommas) {
  const Shape shape = GuessShape("sep=;\nid;pay;note\n1;12,50;1,5\n2;;1.000,5\n3;7;x\n");
  EXPECT_TRUE(shape.csv.header);
  EXPECT_EQ(shape.csv.separator, ';');
  EXPECT_THAT(shape.csv.decimal_comma, ElementsAre("pay"));
  EXPECT_THAT(shape.reasons, Contains(HasSubstr("decimal comma")));
  EXPECT_THAT(GuessShape("a,b\n\"1,5\",2\n").csv.decimal_comma, IsEmpty());
  EXPECT_FALSE(GuessShape("1,5;2,5\n3,5;x\n").csv.header);
}

TEST(GuessShape, LooksAtWholeLinesOnly) {
  EXPECT_EQ(GuessShape("a,b\n1,2\n3,\"4").csv.separator, ',');
  EXPECT_TRUE(GuessShape("").csv.header);
  EXPECT_TRUE(GuessShape("\"open,b\n1,2\n").csv.header);  // whoever reads it finds the fault
}

}  // namespace
}  // namespace reissue::advice
