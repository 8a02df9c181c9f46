#include "reissue/io/csv_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "memory_file_system.h"
#include "reissue/io/csv_count_tuned.h"

namespace reissue::io {
namespace {

using internal::KnownLines, internal::LinesRepeat;
using ::testing::ElementsAre;
using ::testing::Eq;

std::string Lines(std::size_t count, std::size_t distinct) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += "line " + std::to_string(i % distinct) + "\n";
  return text;
}

TEST(KnownLines, KnowWhatTheyWereTold) {
  KnownLines known;
  EXPECT_THAT(known.Find("a,b\n"), Eq(KnownLines::kNone));
  for (std::uint32_t i = 0; i < 1000; ++i) {
    const ValueId codes[] = {ValueId(i), ValueId(i + 1)};
    known.Remember("line " + std::to_string(i) + "\n", codes, i, 900);
  }
  for (std::uint32_t i = 0; i < 900; ++i) {
    const std::uint32_t number = known.Find("line " + std::to_string(i) + "\n");
    ASSERT_THAT(number, Eq(i));
    EXPECT_THAT(known.CodesOf(number), ElementsAre(ValueId(i), ValueId(i + 1)));
    EXPECT_THAT(known.row_of(number), Eq(i));
  }
  EXPECT_THAT(known.Find("line 900\n"), Eq(KnownLines::kNone));
  EXPECT_THAT(known.Find("line 1"), Eq(KnownLines::kNone));
  known.ForgetRows();
  EXPECT_THAT(known.row_of(known.Find("line 7\n")), Eq(KnownLines::kNone));
}

TEST(KnownLines, DoNotKeepWhatIsVeryLong) {
  KnownLines known;
  const std::string line(5000, 'x');
  known.Remember(line, {}, 0, 10);
  EXPECT_THAT(known.Find(line), Eq(KnownLines::kNone));
}

TEST(KnownLines, KeepAMegabyteOfText) {
  KnownLines known;
  const auto line = [](int i) { return std::to_string(i) + std::string(990, 'x'); };
  for (int i = 0; i < 2000; ++i) known.Remember(line(i), {}, 0, 1 << 20);
  EXPECT_THAT(known.Find(line(1000)), Eq(1000u));
  EXPECT_THAT(known.Find(line(1100)), Eq(KnownLines::kNone));
}

TEST(LinesRepeat, WhereALineIsThereManyTimes) {
  EXPECT_TRUE(LinesRepeat(Lines(80'000, 300), {}));
  EXPECT_TRUE(LinesRepeat(Lines(80'000, 4000), {}));
  EXPECT_FALSE(LinesRepeat(Lines(80'000, 5000), {}));
  EXPECT_FALSE(LinesRepeat(Lines(80'000, 80'000), {}));
  EXPECT_TRUE(LinesRepeat(Lines(100, 10), {}));
  EXPECT_FALSE(LinesRepeat(Lines(100, 50), {}));
  EXPECT_TRUE(LinesRepeat(Lines(100, 50), {.always = true}));
}

// A file with few lines, behind which every line is another one: given up in the middle.
TEST(CountedLines, AreTheSameWhereOthersFollow) {
  std::string text = "a,b\n";
  for (int i = 0; i < 20'000; ++i) text += "same,x" + std::to_string(i % 10) + "\n";
  for (int i = 0; i < 20'000; ++i) text += "other,y" + std::to_string(i) + "\n";
  text += "same,x1\n\n";
  MemoryFileSystem files;
  files.Put("t", text);
  Progress progress;
  for (const std::size_t threads : {1u, 2u}) {
    ThreadPool pool(threads);
    internal::CountTuning tuning;
    tuning.piece_bytes = 1 << 17;
    auto stream = internal::StreamCsvTuned(files, "t", {}, pool, progress, tuning);
    const auto counted = (*stream)->Count({"a", "b"});
    ASSERT_TRUE(counted) << counted.error().ToString();
    const Table& table = counted->table;
    ASSERT_THAT(table.rows(), Eq(20'010u));
    EXPECT_THAT(table.total(), Eq(40'001u));
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const std::string_view b = table[ColumnId(1)].text(RowId(row));
      const std::size_t number = std::stoul(std::string(b.substr(1)));
      ASSERT_THAT(table.weight(RowId(row)), Eq(b == "x1" ? 2001u : b[0] == 'x' ? 2000u : 1u));
      ASSERT_THAT(table.PlaceOf(RowId(row), ColumnId(0)).line,
                  Eq(b[0] == 'x' ? number + 2 : number + 20'002));
    }
  }
}

}  // namespace
}  // namespace reissue::io
