// Parquet files that a real DuckDB wrote, as sources; and files that are none.
#include "reissue/sources/parquet/source.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "duckdb_files.h"
#include "reissue/io/csv.h"
#include "reissue/io/csv_count.h"
#include "reissue/io/rehearsal.h"

namespace reissue::sources::parquet {
namespace {

namespace fs = std::filesystem;
using ::reissue::testing::DuckDb;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

PersonKey KeyOf(std::string_view identifier) {
  PersonKey key{};
  std::memcpy(key.data(), identifier.data(), std::min(identifier.size(), key.size()));
  return key;
}

class ParquetTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "reissue-parquet.XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
  }
  void TearDown() override { fs::remove_all(directory_); }

  std::string Path(const std::string& name) const { return (directory_ / name).string(); }
  // A table, as a file.
  std::string Made(const std::string& select) const {
    DuckDb::Write(select, Path("t.parquet"));
    return Path("t.parquet");
  }
  static std::string BytesOf(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static void Put(const std::string& path, std::string_view bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  }

  Result<std::unique_ptr<TableSource>> Open(const std::string& path) {
    return OpenTable(settings_, io::SystemFiles(), path, pool_, progress_);
  }
  Result<Counted> Count(const std::string& path, const Wanted& wanted) {
    auto source = REISSUE_TRY(Open(path));
    return source->Count(wanted);
  }
  static Wanted Columns(std::vector<std::string> columns) {
    Wanted wanted;
    wanted.columns = std::move(columns);
    wanted.missing_markers = {""};
    return wanted;
  }
  // What a single value of this SQL is written as; `!` and the message where it is not.
  std::string Written(const std::string& value) {
    const Result<Counted> counted = Count(Made("SELECT " + value + " AS v"), Columns({"v"}));
    if (!counted) return "!" + counted.error().message;
    return std::string(counted->table[ColumnId(0)].text(RowId(0)));
  }
  static std::string Text(const Table& table) {
    std::string text;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      for (const Column& column : table.columns()) {
        text += fmt::format("{}={} ", column.name(), column.text(RowId(row)));
      }
      text += fmt::format("×{}; ", table.weight(RowId(row)));
    }
    return text;
  }

  fs::path directory_;
  Settings settings_{DuckDb::LibraryPath(), 0};
  ThreadPool pool_{2};
  Progress progress_;
};

TEST_F(ParquetTest, CountsInTheFile) {
  const std::string path =
      Made("SELECT i AS id, chr(120 - (i % 2)::INT) AS b, i % 3 AS a FROM range(60) t(i)");
  auto source = Open(path);
  ASSERT_TRUE(source.has_value()) << source.error().ToString();
  EXPECT_EQ((*source)->name(), path);
  EXPECT_THAT((*source)->columns(), ElementsAre("id", "b", "a"));
  EXPECT_EQ((*source)->consistency(), Consistency::kOneReading);
  const Result<Counted> counted = (*source)->Count(Columns({"a", "b"}));
  ASSERT_TRUE(counted.has_value()) << counted.error().ToString();
  EXPECT_EQ(Text(counted->table),
            "b=w a=0 ×10; b=w a=1 ×10; b=w a=2 ×10; b=x a=0 ×10; b=x a=1 ×10; b=x a=2 ×10; ");
  EXPECT_EQ(counted->digest, io::Digest(BytesOf(path)));
  EXPECT_EQ(counted->fingerprint, io::FingerprintOf(BytesOf(path)));
}

// The same table by the other way that there is.
TEST_F(ParquetTest, CountsAsTheCsvIsCounted) {
  const std::string select =
      "SELECT 'p' || i AS id, 'v' || (i * 7919 % 13) AS a, i * 31 % 97 AS b, (i % 5) / 2 AS c, "
      "DATE '2001-01-01' + (i % 40)::INT AS d FROM range(5000) t(i)";
  const std::string path = Made(select);
  DuckDb::Sql("COPY (" + select + ") TO '" + Path("t.csv") + "' (HEADER)");
  const Wanted wanted = Columns({"a", "b", "d"});
  const Result<Counted> parquet = Count(path, wanted);
  ASSERT_TRUE(parquet.has_value()) << parquet.error().ToString();
  auto csv = io::CsvStream::Open(io::SystemFiles(), Path("t.csv"), {}, pool_, progress_);
  ASSERT_TRUE(csv.has_value());
  const auto counted = (*csv)->Count(wanted.columns);
  ASSERT_TRUE(counted.has_value());
  EXPECT_EQ(Text(parquet->table), Text(counted->table));
  EXPECT_GT(parquet->table.rows(), 1000u);
}

TEST_F(ParquetTest, WritesEveryTypeInOneWay) {
  EXPECT_EQ(Written("'Ünï'"), "Ünï");
  EXPECT_EQ(Written("42::TINYINT"), "42");
  EXPECT_EQ(Written("(-9223372036854775807 - 1)::BIGINT"), "-9223372036854775808");
  EXPECT_EQ(Written("18446744073709551615::UBIGINT"), "18446744073709551615");
  EXPECT_EQ(Written("34::DOUBLE"), "34");
  EXPECT_EQ(Written("0.1::FLOAT"), "0.1");
  EXPECT_EQ(Written("1e20::DOUBLE"), "1e+20");
  EXPECT_EQ(Written("'nan'::DOUBLE"), "NaN");
  EXPECT_EQ(Written("1.5::DECIMAL(10,2)"), "1.50");
  EXPECT_EQ(Written("true"), "t");
  EXPECT_EQ(Written("false"), "f");
  EXPECT_EQ(Written("DATE '2024-02-29'"), "2024-02-29");
  EXPECT_EQ(Written("DATE '0044-03-15 (BC)'"), "0044-03-15 BC");
  EXPECT_EQ(Written("TIME '01:02:03.5'"), "01:02:03.5");
  EXPECT_EQ(Written("TIMESTAMP '2024-02-29 01:02:03'"), "2024-02-29 01:02:03");
  EXPECT_EQ(Written("TIMESTAMP '2024-02-29 01:02:03.25'"), "2024-02-29 01:02:03.25");
  EXPECT_EQ(Written("'2024-02-29 01:02:03+02'::TIMESTAMPTZ"), "2024-02-28 23:02:03+00");
  EXPECT_EQ(Written("'\\xAB\\x01'::BLOB"), "\\xab01");
  EXPECT_EQ(Written("'6f1a6d2c-0000-4000-8000-00000000000a'::UUID"),
            "6f1a6d2c-0000-4000-8000-00000000000a");
}

TEST_F(ParquetTest, RefusesWhatIsNoSingleValue) {
  EXPECT_THAT(Written("[1, 2]"), HasSubstr("type LIST"));
  EXPECT_THAT(Written("{'a': 1}"), HasSubstr("type STRUCT"));
  EXPECT_THAT(Written("MAP {'a': 1}"), HasSubstr("type MAP"));
  EXPECT_THAT(Written("INTERVAL 3 DAY"), HasSubstr("type INTERVAL"));
  // Unless nobody asks for it.
  const Result<Counted> counted = Count(Made("SELECT [1] AS l, 1 AS a"), Columns({"a"}));
  EXPECT_TRUE(counted.has_value()) << counted.error().ToString();
}

TEST_F(ParquetTest, NumbersThatAreEqualAreOne) {
  const Result<Counted> counted =
      Count(Made("SELECT unnest([0.0, '-0.0'::DOUBLE, 'nan'::DOUBLE, '-nan'::DOUBLE]) AS v, "
                 "unnest(['a', 'b', 'c', 'd']) AS id"),
            [] {
              Wanted wanted = Columns({"v"});
              wanted.identifier = "id";
              wanted.hash = KeyOf;
              return wanted;
            }());
  ASSERT_TRUE(counted.has_value()) << counted.error().ToString();
  EXPECT_EQ(Text(counted->table), "v=0 ×2; v=NaN ×2; ");
  ASSERT_EQ(counted->persons.size(), 4u);
}

TEST_F(ParquetTest, PersonsAreLedToTheirCombinations) {
  const std::string path = Made(
      "SELECT 'p' || i AS id, i % 7 AS a, CASE WHEN i % 11 > 0 THEN i % 11 END::DOUBLE AS b FROM "
      "range(500) t(i)");
  Wanted wanted = Columns({"a", "b"});
  wanted.identifier = "id";
  wanted.hash = KeyOf;
  wanted.on_missing = io::OnMissing::kValue;
  const Result<Counted> counted = Count(path, wanted);
  ASSERT_TRUE(counted.has_value()) << counted.error().ToString();
  ASSERT_EQ(counted->persons.size(), 500u);
  EXPECT_FALSE(counted->twice.has_value());
  for (int i = 0; i < 500; ++i) {
    const PersonKey key = KeyOf(fmt::format("p{}", i));
    const auto found = std::find_if(counted->persons.begin(), counted->persons.end(),
                                    [&](const Person& person) { return person.key == key; });
    ASSERT_NE(found, counted->persons.end());
    EXPECT_EQ(counted->table[ColumnId(0)].text(RowId(found->row)), fmt::format("{}", i % 7));
    EXPECT_EQ(counted->table[ColumnId(1)].text(RowId(found->row)),
              i % 11 > 0 ? fmt::format("{}", i % 11) : "");
  }
}

TEST_F(ParquetTest, WhoIsThereTwiceIsSaid) {
  const std::string path = Made("SELECT i % 9 AS id, 1 AS a FROM range(10) t(i)");
  Wanted wanted = Columns({"a"});
  wanted.identifier = "id";
  wanted.hash = KeyOf;
  const Result<Counted> counted = Count(path, wanted);
  ASSERT_TRUE(counted.has_value());
  ASSERT_TRUE(counted->twice.has_value());
  EXPECT_EQ(counted->twice->place.column, "id");
}

TEST_F(ParquetTest, NullIsMissing) {
  const std::string path =
      Made("SELECT unnest(['x', NULL, 'y', '']) AS a, unnest([1, 2, 3, 4]) AS id");
  const Result<Counted> refused = Count(path, Columns({"a"}));
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().place->column, "a");
  EXPECT_THAT(refused.error().message, HasSubstr("missing"));
  Wanted wanted = Columns({"a"});
  wanted.on_missing = io::OnMissing::kDropRow;
  const Result<Counted> dropped = Count(path, wanted);
  ASSERT_TRUE(dropped.has_value());
  EXPECT_EQ(dropped->dropped_rows, 2u);
  EXPECT_EQ(Text(dropped->table), "a=x ×1; a=y ×1; ");
  wanted.on_missing = io::OnMissing::kValue;
  wanted.missing_markers = {"?"};
  EXPECT_EQ(Text(Count(path, wanted)->table), "a= ×1; a=? ×1; a=x ×1; a=y ×1; ");
}

TEST_F(ParquetTest, RowsInTheOrderOfTheFile) {
  const std::string path = Made("SELECT i AS id, 1000 - i AS a FROM range(5000) t(i)");
  auto source = Open(path);
  ASSERT_TRUE(source.has_value());
  Wanted wanted = Columns({"a"});
  wanted.identifier = "id";
  const Result<Listed> listed = (*source)->Rows(wanted);
  ASSERT_TRUE(listed.has_value()) << listed.error().ToString();
  ASSERT_EQ(listed->table.rows(), 5000u);
  EXPECT_EQ(listed->digest, io::Digest(BytesOf(path)));
  for (std::size_t i = 0; i < 5000; ++i) {
    ASSERT_EQ(listed->table[ColumnId(0)].text(RowId(i)), fmt::format("{}", i));
    ASSERT_EQ(listed->table[ColumnId(1)].text(RowId(i)),
              fmt::format("{}", 1000 - static_cast<int>(i)));
  }
}

TEST_F(ParquetTest, NamesAreTakenAsTheyAre) {
  const std::string path =
      Made("SELECT 1 AS \"a \"\"b\"\" {0}\", 2 AS \"n\", 3 AS \"größe; DROP\"");
  const Result<Counted> counted = Count(path, Columns({"a \"b\" {0}", "n", "größe; DROP"}));
  ASSERT_TRUE(counted.has_value()) << counted.error().ToString();
  EXPECT_EQ(Text(counted->table), "a \"b\" {0}=1 n=2 größe; DROP=3 ×1; ");
  EXPECT_FALSE(Count(path, Columns({"nobody"})).has_value());
}

TEST_F(ParquetTest, NoRowsAreNoTable) {
  const Result<Counted> counted = Count(Made("SELECT 1 AS a FROM range(0)"), Columns({"a"}));
  ASSERT_FALSE(counted.has_value());
  EXPECT_THAT(counted.error().message, HasSubstr("no rows"));
}

// Every way a file can be cut off or damaged is an error in our words, or the same table; and no
// value gets out.
TEST_F(ParquetTest, DamagedFilesAreRefused) {
  const std::string path = Made("SELECT 'MARKED' || i % 50 AS a, i AS b FROM range(3000) t(i)");
  const std::string whole = BytesOf(path);
  const std::string text = Text(Count(path, Columns({"a", "b"}))->table);
  const std::string damaged = Path("damaged.parquet");
  const auto try_out = [&](const std::string& bytes) {
    Put(damaged, bytes);
    const Result<Counted> counted = Count(damaged, Columns({"a", "b"}));
    if (counted) return false;
    const std::string error = counted.error().ToString();
    EXPECT_THAT(error, Not(HasSubstr("MARKED")));
    EXPECT_THAT(error, HasSubstr(damaged));
    return true;
  };
  for (std::size_t cut = 0; cut < whole.size(); cut += 1 + whole.size() / 25) {
    EXPECT_TRUE(try_out(whole.substr(0, cut))) << cut;
  }
  EXPECT_TRUE(try_out(whole.substr(0, whole.size() - 8) + std::string("\xff\xff\xff\x7fPAR1", 8)));
  EXPECT_TRUE(try_out("PAR1" + std::string(100, '\0') + "PAR1"));
  for (std::size_t at = 4; at < whole.size() - 8; at += 1 + whole.size() / 40) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x55);
    (void)try_out(bytes);
  }
}

TEST_F(ParquetTest, WhatIsNoParquetIsSaid) {
  const auto why = [&](const std::string& path) {
    const auto source = Open(path);
    EXPECT_FALSE(source.has_value());
    return source ? "" : source.error().ToString();
  };
  Put(Path("csv.parquet"), "a,b\n1,2\n");
  EXPECT_THAT(why(Path("csv.parquet")), HasSubstr("this is no Parquet file"));
  Put(Path("empty.parquet"), "");
  EXPECT_THAT(why(Path("empty.parquet")), HasSubstr("the file is empty"));
  Put(Path("cut.parquet"), "PAR1....");
  EXPECT_THAT(why(Path("cut.parquet")), HasSubstr("cut off"));
  Put(Path("locked.parquet"), "PARE............PARE");
  EXPECT_THAT(why(Path("locked.parquet")), HasSubstr("encrypted"));
  fs::create_directory(Path("folder.parquet"));
  EXPECT_THAT(why(Path("folder.parquet")), HasSubstr("Is a directory"));
  EXPECT_THAT(why(Path("nobody.parquet")), HasSubstr("No such file"));
}

TEST_F(ParquetTest, TextThatIsNotUtf8IsRefused) {
  const std::string path = Made("SELECT 'MARKED' || 'xyz' || i AS a FROM range(3) t(i)");
  std::string bytes = BytesOf(path);
  for (std::size_t at; (at = bytes.find("MARKEDxyz")) != std::string::npos;) {
    bytes.replace(at, 9, "MARKED\xff\xfe\xfd");
  }
  Put(path, bytes);
  const Result<Counted> counted = Count(path, Columns({"a"}));
  ASSERT_FALSE(counted.has_value());
  EXPECT_THAT(counted.error().message, HasSubstr("UTF-8"));
  EXPECT_THAT(counted.error().ToString(), Not(HasSubstr("MARKED")));
}

TEST_F(ParquetTest, WhatWasOpenedIsReadWhereverTheNameLeads) {
  const std::string first = Path("first.parquet"), second = Path("second.parquet");
  DuckDb::Write("SELECT 1 AS a", first);
  DuckDb::Write("SELECT 2 AS a", second);
  fs::create_symlink(first, Path("link.parquet"));
  auto source = Open(Path("link.parquet"));
  ASSERT_TRUE(source.has_value());
  fs::remove(Path("link.parquet"));
  fs::create_symlink(second, Path("link.parquet"));
  const Result<Counted> counted = (*source)->Count(Columns({"a"}));
  ASSERT_TRUE(counted.has_value()) << counted.error().ToString();
  EXPECT_EQ(Text(counted->table), "a=1 ×1; ");
  EXPECT_EQ(counted->digest, io::Digest(BytesOf(first)));
}

TEST_F(ParquetTest, AFileThatIsWrittenToIsRefused) {
  const std::string path = Made("SELECT i AS a FROM range(100) t(i)");
  auto source = Open(path);
  ASSERT_TRUE(source.has_value());
  DuckDb::Write("SELECT i + 1 AS a FROM range(100) t(i)", Path("other.parquet"));
  Put(path, BytesOf(Path("other.parquet")));  // into the same file
  const Result<Counted> counted = (*source)->Count(Columns({"a"}));
  ASSERT_FALSE(counted.has_value());
}

// What a rehearsal wrote is in memory alone.
TEST_F(ParquetTest, ReadsWhatIsNoFile) {
  io::RehearsalFiles files(io::SystemFiles());
  files.Put("r.parquet", BytesOf(Made("SELECT i % 3 AS a FROM range(10) t(i)")));
  auto source = OpenTable(settings_, files, "r.parquet", pool_, progress_);
  ASSERT_TRUE(source.has_value()) << source.error().ToString();
  const Result<Counted> counted = (*source)->Count(Columns({"a"}));
  ASSERT_TRUE(counted.has_value()) << counted.error().ToString();
  EXPECT_EQ(Text(counted->table), "a=0 ×4; a=1 ×3; a=2 ×3; ");
}

// With too little memory: an error, and nothing of the table on the disk.
TEST_F(ParquetTest, NothingIsPutOnTheDisk) {
  const std::string path = Made(
      "SELECT 'MARKED-' || hash(i) AS a, 'MARKED-' || hash(i + 1) AS b FROM range(400000) t(i)");
  const auto before = fs::current_path();
  fs::create_directory(Path("here"));
  fs::current_path(Path("here"));
  settings_.memory = 30 << 20;
  const Result<Counted> counted = Count(path, Columns({"a", "b"}));
  fs::current_path(before);
  ASSERT_FALSE(counted.has_value());
  EXPECT_EQ(counted.error().code, ErrorCode::kMachine);
  EXPECT_THAT(counted.error().message, HasSubstr("memory"));
  EXPECT_TRUE(fs::is_empty(Path("here")));
}

TEST(ParquetNames, AreRecognised) {
  EXPECT_TRUE(IsParquet("a.parquet"));
  EXPECT_TRUE(IsParquet("dir/A.PARQUET"));
  EXPECT_FALSE(IsParquet(".parquet"));
  EXPECT_FALSE(IsParquet("a.parquet.csv"));
  EXPECT_FALSE(IsParquet("parquet"));
  EXPECT_FALSE(IsParquet("-"));
  EXPECT_TRUE(IsParquet(io::TemporaryNameFor("dir/a.parquet")));
  EXPECT_FALSE(IsParquet(io::TemporaryNameFor("dir/a.csv")));
  EXPECT_FALSE(IsParquet("a.parquet.reissue-00000000.tmp"));
}

}  // namespace
}  // namespace reissue::sources::parquet
