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

// Each place of a drawn order has each line with the chance that a shuffle gives it.
TEST_F(ReleaseWriterTest, DrawsWithoutFavour) {
  constexpr int kRounds = 2000;
  int first = 0, last = 0;
  for (int round = 0; round < kRounds; ++round) {
    ASSERT_EQ(Written(static_cast<std::uint64_t>(round), 0).at("f,Ulm"), 3);
    const std::string text = Read("r.csv");
    first += text.starts_with("sex,city\nf,Ulm\n") ? 1 : 0;
    last += text.ends_with("\nf,Ulm\n") ? 1 : 0;
  }
  // 3 of 43; six standard deviations of 11.4.
  EXPECT_NEAR(first, kRounds * 3 / 43, 69);
  EXPECT_NEAR(last, kRounds * 3 / 43, 69);
}

}  // namespace
}  // namespace reissue::binding
