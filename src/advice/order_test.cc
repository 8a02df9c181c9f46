#include "reissue/advice/order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace reissue::advice {
namespace {

using ::testing::ElementsAre;

std::vector<std::size_t> ByNames(const std::vector<std::string>& paths) {
  const Table empty = MakeTable({"x"}, {{"1"}});
  return OrderTables(paths, std::vector<const Table*>(paths.size(), &empty)).order;
}

TEST(OrderTables, GoesByNumbersAndMonthsInNames) {
  EXPECT_THAT(ByNames({"t-10.csv", "t-9.csv", "t-1.csv"}), ElementsAre(2, 1, 0));
  EXPECT_THAT(ByNames({"x/2020-01.csv", "x/2019-12.csv"}), ElementsAre(1, 0));
  EXPECT_THAT(ByNames({"patients-march.csv", "patients-January.csv"}), ElementsAre(1, 0));
  EXPECT_THAT(ByNames({"z.csv", "a.csv"}), ElementsAre(0, 1));        // says nothing
  EXPECT_THAT(ByNames({"b/t1.csv", "a/t1.csv"}), ElementsAre(0, 1));  // neither does this
}

TEST(OrderTables, GoesByTheLatestDate) {
  const Table old_table = MakeTable({"x", "seen"}, {{"1", "03.02.2020"}, {"2", "28.01.2020"}});
  const Table new_table = MakeTable({"x", "seen"}, {{"1", "03.02.2020"}, {"2", "01.03.2020"}});
  const TableOrder order = OrderTables({"b.csv", "a.csv"}, {&new_table, &old_table});
  EXPECT_THAT(order.order, ElementsAre(1, 0));
  EXPECT_EQ(order.how, "by the latest date in column \"seen\"");
  EXPECT_EQ(OrderTables({"b.csv", "a.csv"}, {&old_table, &old_table}).how, "as they were given");
}

}  // namespace
}  // namespace reissue::advice
