#include "reissue/sources/parquet/numbers.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace reissue::sources::parquet {
namespace {

template <typename Number>
std::string Text(Number number) {
  NumberRoom room;
  return std::string(TextOf(number, room));
}

// The right-hand sides are what PostgreSQL 15 prints.
TEST(Numbers, AreWrittenAsPostgresWritesThem) {
  EXPECT_EQ(Text(1.0), "1");
  EXPECT_EQ(Text(34.5), "34.5");
  EXPECT_EQ(Text(-0.1), "-0.1");
  EXPECT_EQ(Text(1e14), "100000000000000");
  EXPECT_EQ(Text(999999999999999.0), "999999999999999");
  EXPECT_EQ(Text(1e15), "1e+15");
  EXPECT_EQ(Text(1e15 + 0.5), "1.0000000000000005e+15");
  EXPECT_EQ(Text(1234567890123456.0), "1.234567890123456e+15");
  EXPECT_EQ(Text(1e-4), "0.0001");
  EXPECT_EQ(Text(1e-5), "1e-05");
  EXPECT_EQ(Text(1.5e-7), "1.5e-07");
  EXPECT_EQ(Text(1e100), "1e+100");
  EXPECT_EQ(Text(1e-300), "1e-300");
  EXPECT_EQ(Text(1e6f), "1e+06");
  EXPECT_EQ(Text(999999.0f), "999999");
  EXPECT_EQ(Text(1234567.0f), "1.234567e+06");
  EXPECT_EQ(Text(0.1f), "0.1");
  EXPECT_EQ(Text(1e-4f), "0.0001");
  EXPECT_EQ(Text(1e-5f), "1e-05");
}

TEST(Numbers, ThatAreNone) {
  EXPECT_EQ(Text(-0.0), "0");
  EXPECT_EQ(Text(std::numeric_limits<double>::quiet_NaN()), "NaN");
  EXPECT_EQ(Text(-std::numeric_limits<double>::quiet_NaN()), "NaN");
  EXPECT_EQ(Text(std::numeric_limits<double>::infinity()), "Infinity");
  EXPECT_EQ(Text(-std::numeric_limits<float>::infinity()), "-Infinity");
}

TEST(Numbers, TheLongestFit) {
  EXPECT_EQ(Text(-std::numeric_limits<double>::max()), "-1.7976931348623157e+308");
  EXPECT_EQ(Text(-0.00012345678901234567), "-0.00012345678901234567");
  EXPECT_EQ(Text(std::numeric_limits<double>::denorm_min()), "5e-324");
}

}  // namespace
}  // namespace reissue::sources::parquet
