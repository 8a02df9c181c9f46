#include "reissue/io/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "memory_file_system.h"

namespace reissue::io {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Eq;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

Result<CsvFile> Read(std::string text, const CsvOptions& options = {}) {
  MemoryFileSystem files;
  files.Put("people.csv", std::move(text));
  ThreadPool pool(2);
  Progress progress;
  return ReadCsv(files, "people.csv", options, pool, progress);
}

std::vector<std::string> ColumnOf(const CsvFile& file, std::size_t column) {
  std::vector<std::string> texts;
  for (std::size_t r = 0; r < file.table.rows(); ++r) {
    texts.emplace_back(file.table[ColumnId(column)].text(RowId(r)));
  }
  return texts;
}

// The whole error as a terminal shows it; empty where reading succeeds.
std::string ErrorFor(std::string text, const CsvOptions& options = {}) {
  const auto read = Read(std::move(text), options);
  if (read) return "";
  EXPECT_EQ(read.error().code, ErrorCode::kInput);
  EXPECT_THAT(read.error().remedy, Not(IsEmpty()));
  return read.error().ToString();
}

TEST(Csv, ReadsColumnsInFileOrder) {
  const auto read = Read("age,sex\n30,F\n40,M\n30,M\n");
  ASSERT_TRUE(read) << read.error().ToString();
  EXPECT_THAT(read->header, ElementsAre("age", "sex"));
  EXPECT_THAT(ColumnOf(*read, 0), ElementsAre("30", "40", "30"));
  EXPECT_THAT(ColumnOf(*read, 1), ElementsAre("F", "M", "M"));
  EXPECT_EQ(read->table[ColumnId(0)].dictionary().size(), 2u);
  EXPECT_EQ(read->separator, ',');
  EXPECT_EQ(read->table.origin().first_line, 2u);
  EXPECT_THAT(read->table.origin().lines, IsEmpty());
  EXPECT_EQ(read->digest, Digest("age,sex\n30,F\n40,M\n30,M\n"));
}

TEST(Csv, DigestIsPlainBlake2b) {
  // As printed by: printf abc | b2sum -l 256
  EXPECT_EQ(Digest("abc"), "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
  CsvOptions options;
  options.digest = false;
  const auto read = Read("a\n1\n", options);
  ASSERT_TRUE(read);
  EXPECT_THAT(read->digest, IsEmpty());
}

TEST(Csv, RecognisesTheSeparator) {
  EXPECT_EQ(Read("a;b\n1;2\n")->separator, ';');
  EXPECT_EQ(Read("a\tb\n1\t2\n")->separator, '\t');
  EXPECT_EQ(Read("\"a;;;\",b\n1,2\n")->separator, ',');
  EXPECT_EQ(Read("a\n1\n")->separator, ',');
  CsvOptions options;
  options.separator = '|';
  const auto read = Read("a|b\n1|2,3\n", options);
  ASSERT_TRUE(read);
  EXPECT_THAT(ColumnOf(*read, 1), ElementsAre("2,3"));
  options.separator = '"';
  EXPECT_EQ(Read("a\n1\n", options).error().code, ErrorCode::kUsage);
}

TEST(Csv, SkipsByteOrderMarkCarriageReturnsAndEmptyLinesAtTheEnd) {
  const auto read = Read(
      "\xEF\xBB\xBF"
      "a,b\r\n1,2\r\n3,4\r\n\r\n\n");
  ASSERT_TRUE(read) << read.error().ToString();
  EXPECT_THAT(read->header, ElementsAre("a", "b"));
  EXPECT_THAT(ColumnOf(*read, 1), ElementsAre("2", "4"));
}

TEST(Csv, ReadsTheLastLineWithoutALineEnd) {
  EXPECT_THAT(ColumnOf(*Read("a,b\n1,2\n3,4"), 1), ElementsAre("2", "4"));
  EXPECT_THAT(ColumnOf(*Read("a,b\n1,2\n3,4\r"), 1), ElementsAre("2", "4"));
  EXPECT_THAT(ColumnOf(*Read("a,b\n1,2\n3,"), 1), ElementsAre("2", ""));
}

TEST(Csv, ReadsQuotedFields) {
  const auto read = Read("a,b\n\"x, \"\"y\"\"\",\"two\nlines\"\n\"\",z\n");
  ASSERT_TRUE(read) << read.error().ToString();
  EXPECT_THAT(ColumnOf(*read, 0), ElementsAre("x, \"y\"", ""));
  EXPECT_THAT(ColumnOf(*read, 1), ElementsAre("two\nlines", "z"));
  EXPECT_THAT(read->table.origin().lines, ElementsAre(2, 4));
  EXPECT_EQ(read->table.PlaceOf(RowId(1), ColumnId(1)).ToString(), "people.csv:4, column \"b\"");
}

TEST(Csv, EmptyLinesOfASingleColumnAreEmptyValues) {
  EXPECT_THAT(ColumnOf(*Read("a\n1\n\n2\n\n\n"), 0), ElementsAre("1", "", "2"));
}

TEST(Csv, TrimsBlanksAroundUnquotedFields) {
  CsvOptions options;
  options.trim = true;
  const auto read = Read("a, b ,c\n 1 ,\" 2 \" , 3\t\r\n", options);
  ASSERT_TRUE(read) << read.error().ToString();
  EXPECT_THAT(read->header, ElementsAre("a", "b", "c"));
  EXPECT_THAT(ColumnOf(*read, 0), ElementsAre("1"));
  EXPECT_THAT(ColumnOf(*read, 1), ElementsAre(" 2 "));
  EXPECT_THAT(ColumnOf(*read, 2), ElementsAre("3"));
}

TEST(Csv, PassesOverComments) {
  CsvOptions options;
  options.comment_prefix = "|";
  const auto read = Read("|1x3 \"Cross validator\na,b\n1,2\n| it's \"\n3,4\n", options);
  ASSERT_TRUE(read) << read.error().ToString();
  EXPECT_THAT(ColumnOf(*read, 0), ElementsAre("1", "3"));
  EXPECT_THAT(read->table.origin().lines, ElementsAre(3, 5));
}

TEST(Csv, TakesNamesFromThePolicyWhereThereIsNoHeader) {
  CsvOptions options;
  options.header = false;
  options.columns = {"x", "y"};
  const auto read = Read("1,2\n3,4\n", options);
  ASSERT_TRUE(read) << read.error().ToString();
  EXPECT_THAT(read->header, ElementsAre("x", "y"));
  EXPECT_EQ(read->table.rows(), 2u);
  EXPECT_EQ(read->table.origin().first_line, 1u);
  EXPECT_THAT(ErrorFor("1,2,3\n", options),
              StartsWith("people.csv:1: 3 fields where the policy names 2"));
  options.columns.clear();
  EXPECT_THAT(ErrorFor("1,2\n", options), HasSubstr("names no columns"));
}

TEST(Csv, SkippedColumnsAreCheckedAndNotKept) {
  CsvOptions options;
  options.skip_columns = {"b", "unknown"};
  const auto read = Read("a,b,c\n1,2,3\n", options);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->table.width(), 2u);
  EXPECT_THAT(ColumnOf(*read, 1), ElementsAre("3"));
  EXPECT_THAT(read->header, ElementsAre("a", "b", "c"));
  EXPECT_THAT(ErrorFor("a,b,c\n1,\xFF,3\n", options), StartsWith("people.csv:2: "));
}

TEST(Csv, OtherColumnsAreUnexpectedKeptOrSkipped) {
  const std::string text = "a,b,c,d\n1,2,3,\n";
  CsvOptions options;
  options.expected_columns = {"b"};
  options.missing_markers = {""};
  EXPECT_THAT(ErrorFor(text, options), HasSubstr("this line is no header"));
  options.others = OtherColumns::kKept;
  EXPECT_THAT(ErrorFor(text, options), HasSubstr("column \"d\""));
  options.others = OtherColumns::kSkipped;
  const auto read = Read(text, options);
  ASSERT_TRUE(read) << read.error().ToString();
  ASSERT_EQ(read->table.width(), 1u);
  EXPECT_THAT(ColumnOf(*read, 0), ElementsAre("2"));
  EXPECT_THAT(read->header, ElementsAre("a", "b", "c", "d"));
  options.separator = ';';
  EXPECT_THAT(ErrorFor(text, options),
              HasSubstr("one field where the fields are separated by `;`"));
  options.separator.reset();
  options.expected_columns = {"b", "x", "y"};  // less than half of them are there
  EXPECT_THAT(ErrorFor(text, options), HasSubstr("this line is no header"));
  options.expected_columns = {"a", "b", "c", "d", "e",
                              "f", "g", "h", "i", "j"};  // all of these are
  EXPECT_TRUE(Read("b,c\n1,2\n", options));
}

TEST(Csv, MissingValuesAreAnErrorThatSaysWhereAndNotWhat) {
  CsvOptions options;
  options.missing_markers = {"?", ""};
  const std::string error = ErrorFor("name,age\nSmith,30\nMiller,?\n", options);
  EXPECT_THAT(error, StartsWith("people.csv:3, column \"age\": the value is missing"));
  EXPECT_THAT(error,
              AllOf(HasSubstr("\"drop-row\""), HasSubstr("\"value\""), Not(HasSubstr("Miller"))));
  EXPECT_THAT(ErrorFor("a,b\n\"x\ny\",1\n,2\n", options),
              StartsWith("people.csv:4, column \"a\": the value is missing"));
  options.skip_columns = {"age"};
  EXPECT_THAT(ErrorFor("name,age\nSmith,?\n", options), Eq(""));
}

TEST(Csv, RowsWithMissingValuesCanBeDropped) {
  CsvOptions options;
  options.missing_markers = {"?", "NA"};
  options.on_missing = OnMissing::kDropRow;
  const auto read = Read("a,b\nonly here,?\n1,2\nNA,3\n4,5\n", options);
  ASSERT_TRUE(read) << read.error().ToString();
  EXPECT_EQ(read->dropped_rows, 2u);
  EXPECT_THAT(ColumnOf(*read, 0), ElementsAre("1", "4"));
  EXPECT_THAT(read->table.origin().lines, ElementsAre(3, 5));
  // What only dropped rows have is in no dictionary.
  EXPECT_THAT(read->table[ColumnId(0)].dictionary().strings(), ElementsAre("1", "4"));
  EXPECT_THAT(ErrorFor("a,b\n?,?\n", options), HasSubstr("all 1 rows were left out"));
}

TEST(Csv, MarkersCanBeValues) {
  CsvOptions options;
  options.missing_markers = {"?"};
  options.on_missing = OnMissing::kValue;
  EXPECT_THAT(ColumnOf(*Read("a\n?\n", options), 0), ElementsAre("?"));
}

TEST(Csv, SaysWhatIsWrongAndWhere) {
  EXPECT_THAT(ErrorFor("a,b\n1,2\n3\n"),
              StartsWith("people.csv:3: 1 field where the header has 2"));
  EXPECT_THAT(ErrorFor("a,b\n1,2,3\n"),
              StartsWith("people.csv:2: 3 fields where the header has 2"));
  EXPECT_THAT(ErrorFor("a,b\n1,2\n\n3,4\n"),
              AllOf(StartsWith("people.csv:3: 1 field "), HasSubstr("empty line")));
  EXPECT_THAT(ErrorFor("a,b\n1,2\n3,\"4\n5,6\n"),
              StartsWith("people.csv:3: a quote opens here and is never closed"));
  EXPECT_THAT(ErrorFor("a,b\n1,\"2\"x\n"),
              StartsWith("people.csv:2: something follows a closing quote"));
  EXPECT_THAT(ErrorFor("a,b\n1,5\" pipe\n"), StartsWith("people.csv:2: a quote inside a field"));
  EXPECT_THAT(ErrorFor("a,b\n1, \"2\"\n"), HasSubstr("trim = true"));
  EXPECT_THAT(ErrorFor(std::string("a,b\n1,\0\n", 8)), StartsWith("people.csv:2: a NUL byte"));
  EXPECT_THAT(ErrorFor("a,a\n1,2\n"),
              StartsWith("people.csv:1: columns 1 and 2 have the same name"));
  EXPECT_THAT(ErrorFor("a,\n1,2\n"), StartsWith("people.csv:1: column 2 has no name"));
  EXPECT_THAT(ErrorFor(""), StartsWith("people.csv: the file is empty"));
  EXPECT_THAT(ErrorFor("\n\r\n"), StartsWith("people.csv: the file is empty"));
  EXPECT_THAT(ErrorFor("a,b\n"), StartsWith("people.csv: the file has a header and no rows"));
  EXPECT_THAT(ErrorFor("a,b\r1,2\r"), HasSubstr("end with CR alone"));
  EXPECT_THAT(ErrorFor(std::string("\xFF\xFE"
                                   "a\0",
                                   4)),
              HasSubstr("UTF-16"));
  CsvOptions options;
  options.comment_prefix = "#";
  EXPECT_THAT(ErrorFor("# nothing else\n", options), HasSubstr("no header"));
  EXPECT_THAT(ErrorFor("# \xFF\na\n1\n", options), StartsWith("people.csv:1: a byte that is not"));
}

TEST(Csv, TheFirstErrorOfTheFileIsTold) {
  EXPECT_THAT(ErrorFor("a,b\n1\n2,\xFF\n"), StartsWith("people.csv:2: 1 field"));
  EXPECT_THAT(ErrorFor("a,b\n1,\xFF\n2\n"), StartsWith("people.csv:2: a byte"));
}

TEST(Csv, EveryKindOfIllFormedTextIsRefused) {
  for (const std::string_view bad :
       {"\x80", "\xBF", "\xC0\xAF", "\xC1\xBF", "\xC3", "\xE0\x80\x80", "\xE0\x9F\xBF", "\xE2\x82",
        "\xED\xA0\x80", "\xED\xBF\xBF", "\xF0\x80\x80\x80", "\xF0\x8F\xBF\xBF", "\xF0\x9F\x98",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xC3("}) {
    // At several distances, so that it falls on either side of a block of the scanner.
    for (const std::size_t before : {0u, 1u, 55u, 56u, 57u, 58u, 59u, 60u, 200u}) {
      const std::string text = "a\nok\n" + std::string(before, 'x') + std::string(bad) + "\nok\n";
      EXPECT_THAT(ErrorFor(text), StartsWith("people.csv:3: a byte that is not UTF-8"));
    }
  }
  for (const std::string_view good : {"\xC2\x80", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
                                      "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF", "é", "日本", "😀"}) {
    for (const std::size_t before : {0u, 57u, 58u, 59u, 60u}) {
      const std::string value = std::string(before, 'x') + std::string(good);
      const auto read = Read("a\n1\n" + value + "\n");
      ASSERT_TRUE(read) << read.error().ToString();
      EXPECT_THAT(ColumnOf(*read, 0), ElementsAre("1", value));
    }
  }
}

TEST(Csv, LongValuesThatDifferByOneByteAreToldApart) {
  for (const std::size_t length : {8u, 9u, 16u, 17u, 24u, 25u, 32u, 33u, 40u}) {
    std::string text = "a\n";
    std::vector<std::string> expected;
    for (std::size_t changed = 0; changed < length; ++changed) {
      for (const char byte : {'x', 'y'}) {
        expected.emplace_back(length, 'x');
        expected.back()[changed] = byte;
        text += expected.back() + "\n";
      }
    }
    const auto read = Read(text);
    ASSERT_TRUE(read);
    EXPECT_THAT(ColumnOf(*read, 0), Eq(expected));
    EXPECT_EQ(read->table[ColumnId(0)].dictionary().size(), length + 1);
  }
}

TEST(Csv, ABlankMayBeTheSeparator) {
  CsvOptions options;
  options.separator = ' ';
  const auto read = Read("a b\n1 2\n\"3 4\" 5", options);
  ASSERT_TRUE(read) << read.error().ToString();
  EXPECT_THAT(ColumnOf(*read, 0), ElementsAre("1", "3 4"));
  EXPECT_THAT(ColumnOf(*read, 1), ElementsAre("2", "5"));
}

TEST(Csv, ALargeTableIsTheSameForAnyNumberOfThreads) {
  std::string text = "id,group,note\n";
  for (int i = 0; i < 60'000; ++i) {
    text += std::to_string(i) + ",g" + std::to_string(i * 7919 % 1000) +
            ",a note of some length that is longer than sixteen bytes " + std::to_string(i % 3) +
            "\n";
  }
  MemoryFileSystem files;
  files.Put("t", text);
  Progress progress;
  ThreadPool one(1);
  const auto expected = ReadCsv(files, "t", {}, one, progress);
  ASSERT_TRUE(expected);
  ASSERT_EQ(expected->table.rows(), 60'000u);
  EXPECT_EQ(expected->table[ColumnId(1)].dictionary().size(), 1000u);
  EXPECT_EQ(expected->table[ColumnId(2)].dictionary().size(), 3u);
  for (const std::size_t threads : {2u, 3u}) {
    ThreadPool pool(threads);
    const auto read = ReadCsv(files, "t", {}, pool, progress);
    ASSERT_TRUE(read);
    for (std::size_t c = 0; c < 3; ++c) {
      const Column& a = expected->table[ColumnId(c)];
      const Column& b = read->table[ColumnId(c)];
      EXPECT_TRUE(
          std::equal(a.values().begin(), a.values().end(), b.values().begin(), b.values().end()));
      EXPECT_EQ(a.dictionary().strings(), b.dictionary().strings());
    }
  }
}

TEST(Records, KeepTheirLines) {
  const auto records = ReadRecords("a;b,c\n\"x\ny\";z\nlast\n\n", "h.csv");
  ASSERT_TRUE(records) << records.error().ToString();
  ASSERT_EQ(records->size(), 3u);
  EXPECT_THAT((*records)[0].fields, ElementsAre("a", "b,c"));
  EXPECT_EQ((*records)[1].line, 2u);
  EXPECT_THAT((*records)[1].fields, ElementsAre("x\ny", "z"));
  EXPECT_EQ((*records)[2].line, 4u);
  EXPECT_THAT((*ReadRecords("a,b\tc\n", "h.csv"))[0].fields, ElementsAre("a", "b\tc"));
  EXPECT_THAT((*ReadRecords("a;b", "h.csv", ','))[0].fields, ElementsAre("a;b"));
  EXPECT_THAT(*ReadRecords("", "h.csv"), IsEmpty());
  const auto broken = ReadRecords("a;b\nc;\"d\n", "h.csv");
  ASSERT_FALSE(broken);
  EXPECT_THAT(broken.error().ToString(), StartsWith("h.csv:2: a quote opens"));
  EXPECT_THAT(ReadRecords("a\n\xFF\n", "h.csv").error().ToString(), StartsWith("h.csv:2: a byte"));
}

TEST(Fields, AreQuotedWhereNeeded) {
  const auto written = [](std::string_view field, char separator = ',') {
    std::string line = "x,";
    AppendField(line, field, separator);
    return line.substr(2);
  };
  EXPECT_EQ(written("plain"), "plain");
  EXPECT_EQ(written(""), "");
  EXPECT_EQ(written("a,b"), "\"a,b\"");
  EXPECT_EQ(written("a,b", ';'), "a,b");
  EXPECT_EQ(written("say \"x\""), "\"say \"\"x\"\"\"");
  EXPECT_EQ(written("a\nb"), "\"a\nb\"");
  EXPECT_EQ(written("a\r"), "\"a\r\"");
  EXPECT_EQ(written(" a"), "\" a\"");
  EXPECT_EQ(written("a\t"), "\"a\t\"");
  std::string row;
  AppendField(row, "");
  EXPECT_EQ(row, "\"\"");
}

}  // namespace
}  // namespace reissue::io
