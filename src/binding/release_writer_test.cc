#include "reissue/binding/release_writer.h"

#include <map>
#include <sstream>

#include "files_fixture.h"

namespace reissue::binding {
namespace {

class ReleaseWriterTest : public FilesTest {
 protected:
  // Lines by how often they were written.
  std::map<std::string, int> Written(std::uint64_t seed, std::uint64_t most_shuffled) {
    const Table table = MakeTable({"sex", "city"}, {{"f", "Ulm"}, {"m", "Ulm"}, {"m", "Bonn"}});
    const std::vector<ColumnId> columns = {ColumnId(0), ColumnId(1)};
    const Cells cells(2, {0, 0, 1, 0, 1, 1}, {3, 1, 40});
    LineLabels labels = FieldByField({{"f", "m"}, {"Ulm", "Bonn"}});
    labels.of = [of = std::move(labels.of)](std::span<const std::uint32_t> key,
                                            std::span<std::uint32_t> numbers) {
      return of(key, numbers) && (key[0] != 1 || key[1] != 0);  // one is left out
    };
    std::filesystem::remove(Path("r.csv"));
    Random random = Random::Seeded(seed);
    EXPECT_TRUE(
        WriteRows(table, columns, labels, cells, Path("r.csv"), random, context_, most_shuffled));
    std::istringstream lines(Read("r.csv"));
    std::map<std::string, int> times;
    for (std::string line; std::getline(lines, line);) ++times[line];
    return times;
  }
};

// However rows come into their order, they are the same, and the order is that of the seed.
TEST_F(ReleaseWriterTest, WritesEveryRowOnceShuffledOrDrawn) {
  const std::map<std::string, int> expected = {{"sex,city", 1}, {"f,Ulm", 3}, {"m,Bonn", 40}};
  for (const std::uint64_t most_shuffled : {43u, 42u}) {
    EXPECT_EQ(Written(1, most_shuffled), expected);
    const std::string once = Read("r.csv");
    EXPECT_EQ(Written(1, most_shuffled), expected);
    EXPECT_EQ(Read("r.csv"), once);
    EXPECT_EQ(Written(2, most_shuffled), expected);
    EXPECT_NE(Read("r.csv"), once);
  }
}

// Wherever one looks in a drawn order, lines are as frequent as in the whole.
TEST_F(ReleaseWriterTest, DrawsWithoutFavour) {
  const Table table = MakeTable({"sex"}, {{"f"}, {"m"}, {"x"}});
  const Cells cells(1, {0, 1, 2}, {10000, 29999, 1});
  Random random = Random::Seeded(1);
  ASSERT_TRUE(WriteRows(table, {ColumnId(0)}, FieldByField({{"f", "m", "x"}}), cells, Path("r.csv"),
                        random, context_, /*most_shuffled=*/0));
  const std::string text = Read("r.csv");
  ASSERT_EQ(text.size(), 4u + 40000 * 2);
  for (std::size_t part = 0; part < 4; ++part) {
    const std::string_view rows = std::string_view(text).substr(4 + part * 20000, 20000);
    // 2500 of 10000; six standard deviations of 37.5.
    EXPECT_NEAR(static_cast<double>(std::ranges::count(rows, 'f')), 2500, 225);
  }
  EXPECT_EQ(std::ranges::count(text, 'f'), 10000);
  EXPECT_EQ(std::ranges::count(text.substr(4), 'x'), 1);
}

}  // namespace
}  // namespace reissue::binding
