// What we write, as DuckDB reads it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "duckdb_files.h"
#include "reissue/core/random.h"
#include "reissue/io/parquet_writer.h"
#include "reissue/io/rehearsal.h"
#include "reissue/sources/parquet/source.h"

namespace reissue::sources::parquet {
namespace {

using ::reissue::testing::DuckDb;
using Names = std::vector<std::string>;
using Numbers = std::vector<std::vector<std::uint32_t>>;  // per row

class WriterTest : public ::testing::Test {
 protected:
  void Write(const Names& names, const std::vector<Names>& texts, const Numbers& rows) {
    ASSERT_TRUE(files_.Remove("r.parquet").has_value());
    auto file = files_.Create("r.parquet", true);
    ASSERT_TRUE(file.has_value());
    io::ParquetWriter writer(**file, names, texts);
    for (const auto& row : rows) ASSERT_TRUE(writer.Add(row).has_value());
    ASSERT_TRUE(writer.Finish().has_value());
  }
  // All rows, in order.
  Result<Listed> Read(const Names& names) {
    auto source =
        REISSUE_TRY(OpenTable({DuckDb::LibraryPath(), 0}, files_, "r.parquet", pool_, progress_));
    Wanted wanted;
    wanted.columns = names;
    return source->Rows(wanted);
  }
  void ComesBack(const Names& names, const std::vector<Names>& texts, const Numbers& rows) {
    Write(names, texts, rows);
    const Result<Listed> listed = Read(names);
    ASSERT_TRUE(listed.has_value()) << listed.error().ToString();
    ASSERT_EQ(listed->table.rows(), rows.size());
    ASSERT_EQ(listed->table.width(), names.size());
    for (std::size_t c = 0; c < names.size(); ++c) {
      ASSERT_EQ(listed->table[ColumnId(c)].name(), names[c]);
      for (std::size_t r = 0; r < rows.size(); ++r) {
        ASSERT_EQ(listed->table[ColumnId(c)].text(RowId(r)), texts[c][rows[r][c]]) << r;
      }
    }
  }

  io::RehearsalFiles files_{io::SystemFiles()};
  ThreadPool pool_{2};
  Progress progress_;
};

TEST_F(WriterTest, ReadersFindWhatWasWritten) {
  ComesBack({"age", "größe"}, {{"[20,30)", "*"}, {"a,b", "", "\"q\"\n", "ü"}},
            {{0, 0}, {1, 1}, {0, 2}, {1, 3}, {0, 0}});
}

TEST_F(WriterTest, OneValueTakesNoBits) { ComesBack({"a"}, {{"x"}}, Numbers(1000, {0})); }

// Dictionaries of every width up to 17 bits, over several groups of rows.
TEST_F(WriterTest, ManyRowsAndManyValues) {
  Random random = Random::Seeded(7);
  Names names;
  std::vector<Names> texts;
  for (const std::uint32_t size : {1u, 2u, 3u, 8u, 9u, 300u, 70'000u, 200'000u}) {
    names.push_back(fmt::format("c{}", size));
    Names& column = texts.emplace_back();
    for (std::uint32_t i = 0; i < size; ++i) column.push_back(fmt::format("v{}", i));
  }
  Numbers rows(2 * io::ParquetWriter::kRowsOfGroup + 12345);
  for (auto& row : rows) {
    for (const Names& column : texts) {
      row.push_back(static_cast<std::uint32_t>(random.Below(column.size())));
    }
  }
  ComesBack(names, texts, rows);
}

TEST_F(WriterTest, ManyColumns) {
  Names names;
  std::vector<Names> texts;
  std::vector<std::uint32_t> row;
  for (int c = 0; c < 40; ++c) {
    names.push_back(fmt::format("column {}", c));
    texts.push_back({fmt::format("{}", c), "other"});
    row.push_back(c % 2);
  }
  ComesBack(names, texts, Numbers(9, row));
}

TEST_F(WriterTest, TheSameRowsAreTheSameBytes) {
  const auto bytes = [&] {
    Write({"a"}, {{"x", "y"}}, {{0}, {1}, {1}});
    return std::string((*files_.Read("r.parquet"))->view());
  };
  EXPECT_EQ(bytes(), bytes());
}

}  // namespace
}  // namespace reissue::sources::parquet
