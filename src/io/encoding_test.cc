// Tables as office programs write them.
#include "reissue/io/encoding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "memory_file_system.h"
#include "reissue/io/csv_count.h"
#include "reissue/io/policy.h"

namespace reissue::io {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// The characters from 0x80 on, by Python's codec; a blank where there is none.
const std::vector<std::string>& Characters() {
  static const std::vector<std::string> characters = {
      "€",      "",  "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", "",       "Ž", "",
      "",       "‘", "’", "“", "”", "•", "–", "—", "˜", "™", "š", "›", "œ", "",       "ž", "Ÿ",
      "\u00a0", "¡", "¢", "£", "¤", "¥", "¦", "§", "¨", "©", "ª", "«", "¬", "\u00ad", "®", "¯",
      "°",      "±", "²", "³", "´", "µ", "¶", "·", "¸", "¹", "º", "»", "¼", "½",      "¾", "¿",
      "À",      "Á", "Â", "Ã", "Ä", "Å", "Æ", "Ç", "È", "É", "Ê", "Ë", "Ì", "Í",      "Î", "Ï",
      "Ð",      "Ñ", "Ò", "Ó", "Ô", "Õ", "Ö", "×", "Ø", "Ù", "Ú", "Û", "Ü", "Ý",      "Þ", "ß",
      "à",      "á", "â", "ã", "ä", "å", "æ", "ç", "è", "é", "ê", "ë", "ì", "í",      "î", "ï",
      "ð",      "ñ", "ò", "ó", "ô", "õ", "ö", "÷", "ø", "ù", "ú", "û", "ü", "ý",      "þ", "ÿ",
  };
  return characters;
}

std::string Converted(std::string_view bytes) {
  std::string text;
  internal::AppendFromWindows1252(bytes, text);
  return text;
}

TEST(Windows1252, EveryByte) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string one(1, static_cast<char>(byte));
    const std::string& known =
        byte < 0x80 ? one : Characters()[static_cast<std::size_t>(byte - 0x80)];
    EXPECT_EQ(Converted(one), known.empty() ? one : known) << byte;
  }
}

class OfficeTest : public ::testing::Test {
 protected:
  Result<CsvFile> Read(const std::string& text, const CsvOptions& options) {
    Put(text);
    return ReadCsv(files_, "t.csv", options, pool_, progress_);
  }
  Result<CsvCounted> Count(const std::string& text, const CsvOptions& options) {
    Put(text);
    auto stream = REISSUE_TRY(CsvStream::Open(files_, "t.csv", options, pool_, progress_));
    return stream->Count(stream->header());
  }
  void Put(const std::string& text) { files_.Put("t.csv", text); }
  static CsvOptions Western() {
    CsvOptions options;
    options.encoding = Encoding::kWindows1252;
    return options;
  }
  static CsvOptions Commas(std::vector<std::string> columns) {
    CsvOptions options;
    options.decimal_comma = std::move(columns);
    return options;
  }
  static std::string Text(const Table& table) {
    std::string text;
    for (std::size_t r = 0; r < table.rows(); ++r) {
      for (const Column& column : table.columns()) {
        text += column.name() + "=" + std::string(column.text(RowId(r))) + ";";
      }
      text += "x" + std::to_string(table.weight(RowId(r))) + "\n";
    }
    return text;
  }

  MemoryFileSystem files_;
  ThreadPool pool_{2};
  Progress progress_;
};

TEST_F(OfficeTest, ATableOfExcel) {
  const std::string table =
      "Stra\xdf"
      "e;Gr\xf6\xdf"
      "e\r\nM\xfchle;1,80 \x80\r\n";
  const Result<CsvFile> file = Read(table, Western());
  ASSERT_TRUE(file.has_value()) << file.error().ToString();
  EXPECT_EQ(file->separator, ';');
  EXPECT_EQ(Text(file->table), "Straße=Mühle;Größe=1,80 €;x1\n");
  EXPECT_EQ(file->digest, Digest(table));
  const Result<CsvCounted> counted = Count(table, Western());
  ASSERT_TRUE(counted.has_value());
  EXPECT_EQ(Text(counted->table), Text(file->table));
  EXPECT_EQ(counted->digest, Digest(table));
}

// The same table in UTF-8 is the oracle.
TEST_F(OfficeTest, WhateverTheBytes) {
  EXPECT_TRUE(rc::check([&](const std::vector<std::vector<std::uint8_t>>& fields) {
    std::string western = "a\xe4,b\n", utf8 = "aä,b\n";
    for (const auto& field : fields) {
      std::string bytes;
      for (const std::uint8_t byte : field) {
        const bool known = byte >= 0x80 && !Characters()[byte - 0x80u].empty();
        bytes += known || (byte > ' ' && byte < 0x7f && byte != '"' && byte != ',')
                     ? static_cast<char>(byte)
                     : 'x';
      }
      western += "v" + bytes + ",1\n";
      utf8 += "v";
      for (const char byte : bytes) {
        const auto code = static_cast<unsigned char>(byte);
        utf8 += code < 0x80 ? std::string(1, byte) : Characters()[code - 0x80u];
      }
      utf8 += ",1\n";
    }
    western += "end,1\n";
    utf8 += "end,1\n";
    const Result<CsvFile> one = Read(western, Western());
    const Result<CsvFile> two = Read(utf8, {});
    RC_ASSERT(one.has_value() && two.has_value());
    RC_ASSERT(Text(one->table) == Text(two->table));
    RC_ASSERT(Text(Count(western, Western())->table) == Text(Count(utf8, {})->table));
  }));
}

TEST_F(OfficeTest, BytesThatAreNoCharacters) {
  for (const char* byte : {"\x81", "\x8d", "\x8f", "\x90", "\x9d"}) {
    const std::string table = "a,b\n1,2\n3," + std::string(byte) + "\n";
    for (const Error& error : {Read(table, Western()).error(), Count(table, Western()).error()}) {
      EXPECT_EQ(error.place->line, 3u);
      EXPECT_THAT(error.message, HasSubstr("no character of Windows-1252"));
    }
  }
  EXPECT_THAT(Read("a\n\xfc\n", {}).error().remedy, HasSubstr("windows-1252"));
}

TEST_F(OfficeTest, TheMarkOfUtf8) {
  EXPECT_EQ(Text(Read("\xEF\xBB\xBF"
                      "a;b\n1;ü\n",
                      {})
                     ->table),
            "a=1;b=ü;x1\n");
  const std::string marked =
      "\xEF\xBB\xBF"
      "a\n1\n";
  EXPECT_THAT(Read(marked, Western()).error().message, HasSubstr("mark of UTF-8"));
  EXPECT_THAT(Count(marked, Western()).error().message, HasSubstr("mark of UTF-8"));
}

TEST_F(OfficeTest, DecimalCommas) {
  const std::string table = "pay;note\n3,5;a,b\n3,50;c\n-1,25e3;d\n7;e\n3,5;f\n";
  for (const std::string& text : {Text(Read(table, Commas({"pay"}))->table)}) {
    EXPECT_EQ(text,
              "pay=3.5;note=a,b;x1\npay=3.50;note=c;x1\npay=-1.25e3;note=d;x1\npay=7;note=e;x1\n"
              "pay=3.5;note=f;x1\n");
  }
  const Result<CsvCounted> counted = Count("pay;b\n3,5;x\n7;x\n3,5;x\n", Commas({"pay"}));
  ASSERT_TRUE(counted.has_value());
  EXPECT_EQ(Text(counted->table), "pay=3.5;b=x;x2\npay=7;b=x;x1\n");
}

TEST_F(OfficeTest, NumbersThatCouldMeanTwoThings) {
  const std::string table = "pay;b\n3,5;x\n1.234;y\n1.000,5;z\n";
  for (const Error& error :
       {Read(table, Commas({"pay"})).error(), Count(table, Commas({"pay"})).error()}) {
    EXPECT_EQ(error.place->line, 3u);
    EXPECT_EQ(error.place->column, "pay");
    EXPECT_THAT(error.message, HasSubstr("decimal"));
    EXPECT_THAT(error.ToString(), Not(HasSubstr("1.234")));
  }
  // No number: whoever needs one says so.
  EXPECT_EQ(Text(Read("pay;b\nn.a.;x\n", Commas({"pay"}))->table), "pay=n.a.;b=x;x1\n");
}

// One number is one number, however it is written.
TEST_F(OfficeTest, ACommaIsAPoint) {
  EXPECT_TRUE(rc::check([&](const std::vector<std::pair<std::int32_t, std::uint16_t>>& numbers) {
    std::string commas = "n;b\n", points = "n;b\n";
    for (const auto& [whole, part] : numbers) {
      commas += std::to_string(whole) + "," + std::to_string(part) + ";x\n";
      points += std::to_string(whole) + "." + std::to_string(part) + ";x\n";
    }
    commas += "1;y\n";
    points += "1;y\n";
    RC_ASSERT(Text(Read(commas, Commas({"n"}))->table) == Text(Read(points, {})->table));
    RC_ASSERT(Text(Count(commas, Commas({"n"}))->table) == Text(Count(points, {})->table));
  }));
}

TEST_F(OfficeTest, TheSeparatorInTheFirstLine) {
  for (const std::string end : {"\n", "\r\n"}) {
    const Result<CsvFile> file = Read("sep=;" + end + "a,b;c" + end + "1,2;3" + end, {});
    ASSERT_TRUE(file.has_value()) << file.error().ToString();
    EXPECT_EQ(Text(file->table), "a,b=1,2;c=3;x1\n");
    EXPECT_EQ(file->table.PlaceOf(RowId(0), ColumnId(0)).line, 3u);
  }
}

TEST_F(OfficeTest, WorkbooksAreNoCsv) {
  const auto why = [&](const std::string& bytes) { return Read(bytes, {}).error().ToString(); };
  EXPECT_THAT(why("PK\x03\x04......"), HasSubstr("workbook (.xlsx, .ods)"));
  EXPECT_THAT(why("PK\x03\x04......"), HasSubstr("CSV UTF-8"));
  EXPECT_THAT(why("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1...."), HasSubstr("old Excel"));
  EXPECT_THAT(why("PAR1...."), HasSubstr("Parquet file under another name"));
  EXPECT_THAT(Count("PK\x03\x04......", {}).error().ToString(), HasSubstr("workbook"));
}

TEST_F(OfficeTest, ThePolicySaysSo) {
  const auto read = [&](const std::string& table) {
    files_.Put("p.toml", "[table]\n" + table +
                             "[columns]\na = { role = \"quasi\", type = \"numeric\" }\n"
                             "b = { role = \"quasi\", breakpoints = [0, 1, 2] }\n"
                             "c = { role = \"sensitive\" }\n[guarantee]\nmodel = \"k\"\nk = 2\n");
    return ReadPolicy(files_, "p.toml");
  };
  const Result<Policy> office =
      read("encoding = \"windows-1252\"\ndecimal = \",\"\nseparator = \"auto\"\n");
  ASSERT_TRUE(office.has_value()) << office.error().ToString();
  EXPECT_EQ(office->csv.encoding, Encoding::kWindows1252);
  EXPECT_THAT(office->csv.decimal_comma, ::testing::ElementsAre("a", "b"));
  EXPECT_EQ(office->csv.separator, std::nullopt);
  const Result<Policy> plain = read("encoding = \"utf-8\"\ndecimal = \".\"\n");
  ASSERT_TRUE(plain.has_value());
  EXPECT_TRUE(plain->csv.decimal_comma.empty());
  EXPECT_THAT(read("encoding = \"latin-1\"\n").error().message, HasSubstr("unknown encoding"));
  EXPECT_THAT(read("decimal = \";\"\n").error().message, HasSubstr("unknown decimal"));
}

}  // namespace
}  // namespace reissue::io
