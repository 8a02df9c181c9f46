// Random tables against the slow reader, for many cuts into lanes and windows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "csv/compare_csv.h"
#include "reissue/core/random.h"
#include "reissue/io/csv_count_tuned.h"
#include "rounds.h"

namespace reissue::io {
namespace {

using ::testing::Eq;

constexpr std::string_view kPieces[] = {"a",
                                        "b",
                                        "Zürich",
                                        "日本",
                                        "😀",
                                        ",",
                                        ";",
                                        "\t",
                                        "\"",
                                        "\"\"",
                                        "\n",
                                        "\r",
                                        "\r\n",
                                        " ",
                                        "#",
                                        "?",
                                        "long piece of text that is no surprise"};

std::string NastyField(Random& random) {
  std::string field;
  for (std::uint64_t n = random.Below(4); n > 0; --n) {
    field += kPieces[random.Below(std::size(kPieces))];
  }
  return field;
}

// Small on purpose: every window and lane boundary falls into the middle of something.
std::vector<internal::CsvTuning> Tunings() {
  return {{1, 1 << 15, false}, {1, 1 << 15, true}, {1, 64, false}, {2, 64, true},
          {3, 128, false},     {7, 64, false},     {50, 64, true}};
}

std::string Disagreement(std::string_view text, const CsvOptions& options) {
  static ThreadPool pools[] = {ThreadPool(1), ThreadPool(2), ThreadPool(3)};
  for (const internal::CsvTuning& tuning : Tunings()) {
    for (ThreadPool& pool : pools) {
      const std::string difference = oracle::CompareReaders(text, options, pool, tuning);
      if (!difference.empty()) {
        return difference + " (" + std::to_string(tuning.lanes) + " lanes, windows of " +
               std::to_string(tuning.window_bytes) + ")";
      }
    }
  }
  return "";
}

// A key that tells identifiers apart and can be read again.
std::array<std::uint8_t, 16> KeyFor(std::string_view field) {
  const Fingerprint print = FingerprintOf(field);
  std::array<std::uint8_t, 16> key;
  std::memcpy(key.data(), &print.low, 8);
  std::memcpy(key.data() + 8, &print.high, 8);
  return key;
}

// What is counted, from the rows: combination → rows, line of the first.
using CountedRows =
    std::map<std::vector<std::string>, std::pair<std::uint64_t, std::optional<std::uint64_t>>>;

std::vector<std::string> TextsOf(const Table& table, std::size_t row,
                                 const std::optional<ColumnId>& without) {
  std::vector<std::string> texts;
  for (std::size_t c = 0; c < table.width(); ++c) {
    if (without != ColumnId(c)) texts.emplace_back(table[ColumnId(c)].text(RowId(row)));
  }
  return texts;
}

CountedRows CountRows(const Table& table, const std::optional<ColumnId>& without) {
  CountedRows counted;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto line = table.PlaceOf(RowId(row), ColumnId(0)).line;
    const auto at = counted.try_emplace(TextsOf(table, row, without), std::uint64_t{0}, line).first;
    at->second.first += table.weight(RowId(row));
  }
  return counted;
}

std::string IsCanonical(const Table& table) {
  for (const Column& column : table.columns()) {
    if (!std::ranges::is_sorted(column.dictionary().strings())) return "a dictionary not sorted";
  }
  std::vector<std::vector<std::uint32_t>> keys;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    keys.emplace_back();
    for (const Column& column : table.columns()) keys.back().push_back(column[RowId(row)].raw());
  }
  if (!std::ranges::is_sorted(keys)) return "rows not sorted";
  return std::ranges::adjacent_find(keys) == keys.end() ? "" : "a combination twice";
}

std::string DifferentPersons(const Table& rows, ColumnId identifier, const CsvCounted& counted) {
  if (counted.persons.size() != rows.rows()) return "another number of persons";
  std::map<std::string_view, std::size_t> first;
  std::optional<std::pair<std::uint64_t, std::uint64_t>> twice;
  const auto line = [&](std::size_t row) { return *rows.PlaceOf(RowId(row), identifier).line; };
  for (std::size_t row = 0; row < rows.rows(); ++row) {
    const std::string_view text = rows[identifier].text(RowId(row));
    const KeyedRow& person = counted.persons[row];
    if (person.key != KeyFor(text)) return "another person";
    if (TextsOf(counted.table, person.row, {}) != TextsOf(rows, row, identifier)) {
      return "a person with other values";
    }
    const auto [at, fresh] = first.emplace(text, row);
    if (!fresh && !twice) twice = {line(row), line(at->second)};
  }
  if (twice.has_value() != counted.twice.has_value()) return "somebody twice, or not";
  if (!twice) return "";
  return twice->first == counted.twice->line && twice->second == counted.twice->earlier
             ? ""
             : "twice on other lines";
}

std::string ListedOtherwise(const CsvFile& rows, const Result<CsvFile>& listed) {
  if (!listed) return listed.error().ToString();
  if (listed->header != rows.header || listed->separator != rows.separator) return "another header";
  if (listed->dropped_rows != rows.dropped_rows) return "other rows dropped";
  if (listed->digest != rows.digest) return "another digest";
  if (listed->table.rows() != rows.table.rows() || listed->table.width() != rows.table.width()) {
    return "another table";
  }
  for (std::size_t c = 0; c < rows.table.width(); ++c) {
    const ColumnId id(c);
    if (listed->table[id].name() != rows.table[id].name()) return "another column";
    if (!std::ranges::equal(listed->table[id].dictionary().strings(),
                            rows.table[id].dictionary().strings())) {
      return "another dictionary";
    }
    for (std::size_t row = 0; row < rows.table.rows(); ++row) {
      if (listed->table[id][RowId(row)] != rows.table[id][RowId(row)]) return "another value";
      if (listed->table.PlaceOf(RowId(row), id).line != rows.table.PlaceOf(RowId(row), id).line) {
        return "another line";
      }
    }
  }
  return "";
}

// The stream against the reader of whole files.
std::string CountedOtherwise(std::string_view text, const CsvOptions& options, ThreadPool& pool,
                             const internal::CountTuning& tuning, bool hashed) {
  MemoryFileSystem files;
  files.Put("t", std::string(text));
  Progress progress;
  const auto rows = ReadCsv(files, "t", options, pool, progress);
  const auto stream = internal::StreamCsvTuned(files, "t", options, pool, progress, tuning);
  if (!stream) {
    return !rows && rows.error().ToString() == stream.error().ToString()
               ? ""
               : "opening: " + stream.error().ToString();
  }
  std::vector<std::string> wanted;
  std::string identifier;
  for (const std::string& name : (*stream)->header()) {
    const auto among = [&](const std::vector<std::string>& names) {
      return std::ranges::find(names, name) != names.end();
    };
    if (among(options.skip_columns)) continue;
    if (options.others == OtherColumns::kSkipped && !among(options.expected_columns)) continue;
    (hashed && identifier.empty() ? identifier : wanted.emplace_back()) = name;
  }
  const auto counted = (*stream)->Count(wanted, identifier, KeyFor);
  if (!rows || !counted) {
    if (rows || counted) return rows ? counted.error().ToString() : "no error";
    return rows.error().ToString() == counted.error().ToString() ? "" : counted.error().ToString();
  }
  std::optional<ColumnId> without;
  if (!identifier.empty()) without = rows->table.Find(identifier);
  if (counted->table.width() > 0 && rows->table.width() > 0 &&
      CountRows(rows->table, without) != CountRows(counted->table, {})) {
    return "other combinations";
  }
  if (counted->table.total() != rows->table.rows()) return "another number of rows";
  if (counted->dropped_rows != rows->dropped_rows) return "another number of dropped rows";
  if (counted->digest != rows->digest || !(counted->fingerprint == rows->fingerprint)) {
    return "another digest";
  }
  if (without) {
    const std::string difference = DifferentPersons(rows->table, *without, *counted);
    if (!difference.empty()) return difference;
  } else {
    const auto again = internal::StreamCsvTuned(files, "t", options, pool, progress, tuning);
    const std::string difference = ListedOtherwise(*rows, (*again)->List(wanted));
    if (!difference.empty()) return "listed: " + difference;
  }
  return IsCanonical(counted->table);
}

// Lines that are known; those that are known but for a few; one known line, and soon none.
constexpr internal::LineTuning kLineTunings[] = {{.always = false},
                                                 {.always = true},
                                                 {.always = true, .most = 2},
                                                 {.always = true, .most = 1, .strangers = 2}};

// Every text meets all of them, with this piece or that.
std::string CountedOtherwise(std::string_view text, const CsvOptions& options) {
  static ThreadPool pools[] = {ThreadPool(1), ThreadPool(3)};
  std::size_t turn = text.size();
  for (const std::size_t piece : {1u, 17u, 100u, 1u << 20}) {
    for (const std::size_t lanes : {0u, 1u, 3u}) {
      internal::CountTuning tuning{{lanes, 64, false}, piece, std::size_t{1} << 20};
      tuning.lines = kLineTunings[turn++ % std::size(kLineTunings)];
      for (ThreadPool& pool : pools) {
        for (const bool hashed : {false, true}) {
          const std::string difference = CountedOtherwise(text, options, pool, tuning, hashed);
          if (difference.empty()) continue;
          return difference + " (" + std::to_string(lanes) + " lanes, pieces of " +
                 std::to_string(piece) +
                 (tuning.lines.always
                      ? ", at most " + std::to_string(tuning.lines.most) + " lines known"
                      : "") +
                 (hashed ? ", persons)" : ")");
        }
      }
    }
  }
  return "";
}

// Where the first piece of a file ends, nothing is known yet of what goes on behind it.
TEST(CsvTwin, BothReadersAgreeOnLongBeginnings) {
  constexpr std::size_t kLong = 5u << 18;
  ThreadPool pool(2);
  std::string wide;
  for (int column = 0; wide.size() < kLong; ++column) {
    wide += (column > 0 ? "," : "") + std::string(63, 'n') + std::to_string(column);
  }
  const std::string row(static_cast<std::size_t>(std::ranges::count(wide, ',')), ',');
  std::string comments, quoted = "\"" + std::string(kLong, '\n') + "\",b\n1,2\n";
  while (comments.size() < kLong) comments += "# " + std::string(97, 'c') + "\n";
  CsvOptions commented;
  commented.comment_prefix = "#";
  CsvOptions some;
  some.expected_columns = {std::string(63, 'n') + "0"};
  some.others = OtherColumns::kSkipped;
  const std::vector<std::pair<std::string, CsvOptions>> texts = {
      {comments + "a,b\n1,2\n", commented},
      {comments + "a,a\n1,2\n", commented},
      {comments, commented},
      {comments + "\xff\na,b\n1,2\n", commented},
      {std::string(kLong, '\n') + "a,b\n1,2\n", {}},
      {std::string(kLong, '\n'), {}},
      {quoted, {}},
      {"a," + quoted, {}},
      {wide + "\n" + row + "\n", {}},
      {wide + ",\n" + row + "\n", {}},
      {wide + ",\xc3\xa4\n" + row + ",\n", some}};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    // Pieces end behind a separator, within a name, and within a letter.
    for (const std::size_t piece : {std::size_t{1} << 20, wide.rfind(',') + 1, wide.size() + 2}) {
      internal::CountTuning tuning;
      tuning.piece_bytes = piece;
      EXPECT_THAT(CountedOtherwise(texts[i].first, texts[i].second, pool, tuning, false), Eq(""))
          << "text " << i << ", pieces of " << piece;
    }
  }
}

class RoundTrip : public ::testing::TestWithParam<char> {};

TEST_P(RoundTrip, WhatAppendFieldWritesIsReadBackTheSame) {
  const char separator = GetParam();
  Random random = Random::Seeded(static_cast<std::uint64_t>(separator));
  for (int round = 0; round < Rounds(60); ++round) {
    const std::size_t width = 1 + random.Below(4);
    const std::size_t rows = 1 + random.Below(30);
    std::string text;
    std::vector<std::vector<std::string>> table(rows);
    for (std::size_t c = 0; c < width; ++c) {
      if (c > 0) text += separator;
      AppendField(text, "c" + std::to_string(c) + NastyField(random), separator);
    }
    text += '\n';
    for (auto& row : table) {
      for (std::size_t c = 0; c < width; ++c) {
        row.push_back(NastyField(random));
        if (c > 0) text += separator;
        AppendField(text, row[c], separator);
      }
      text += random.Below(2) == 0 ? "\n" : "\r\n";
    }
    CsvOptions options;
    options.separator = separator;
    ASSERT_THAT(Disagreement(text, options), Eq("")) << text;
    ASSERT_THAT(CountedOtherwise(text, options), Eq("")) << text;

    MemoryFileSystem files;
    files.Put("t", text);
    ThreadPool pool(1);
    Progress progress;
    const auto read = ReadCsv(files, "t", options, pool, progress);
    ASSERT_TRUE(read) << read.error().ToString();
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < width; ++c) {
        ASSERT_THAT(read->table[ColumnId(c)].text(RowId(r)), Eq(table[r][c]));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Separators, RoundTrip, ::testing::Values(',', ';', '\t'));

CsvOptions SomeOptions(Random& random) {
  CsvOptions options;
  if (random.Below(2) == 0) options.separator = ",;\t"[random.Below(3)];
  options.trim = random.Below(3) == 0;
  if (random.Below(3) == 0) options.comment_prefix = "#";
  if (random.Below(2) == 0) options.missing_markers = {"?", "", "NA"};
  options.on_missing =
      std::vector{OnMissing::kError, OnMissing::kDropRow, OnMissing::kValue}[random.Below(3)];
  if (random.Below(3) == 0) options.skip_columns = {"b"};
  if (random.Below(4) == 0) {
    options.header = false;
    options.columns = {"a", "b"};
  }
  return options;
}

// Mostly tidy tables with something strange here and there, down to bytes that are no text.
std::string StrangeText(Random& random) {
  constexpr std::string_view kStrange[] = {"\"",      "\"\"", "\n",    "\r",           "\r\n",
                                           "#x\"y\n", " ",    "?",     "\xC3",         ",",
                                           "\xFF",    "é",    "\"q\"", "\xED\xA0\x80", "\n\n"};
  std::string text = random.Below(8) == 0 ? "\xEF\xBB\xBF" : "";
  text += "a,b\n";
  const std::uint64_t rows = random.Below(40);
  const std::uint64_t strangeness = 1 + random.Below(60);
  for (std::uint64_t r = 0; r < rows; ++r) {
    text += "value" + std::to_string(random.Below(7)) + ",";
    if (random.Below(strangeness) == 0) text += kStrange[random.Below(std::size(kStrange))];
    if (random.Below(100) == 0) text += '\0';
    text += random.Below(3) == 0 ? "\"quoted, really\"\n" : "x\n";
    if (random.Below(strangeness) == 0) text += kStrange[random.Below(std::size(kStrange))];
  }
  return text;
}

TEST(CsvTwin, BothReadersAgreeOnStrangeText) {
  Random random = Random::Seeded(7);
  for (int round = 0; round < Rounds(600); ++round) {
    const std::string text = StrangeText(random);
    const CsvOptions options = SomeOptions(random);
    ASSERT_THAT(Disagreement(text, options), Eq("")) << "round " << round << "\n" << text;
    ASSERT_THAT(CountedOtherwise(text, options), Eq("")) << "round " << round << "\n" << text;
  }
}

// A few lines again and again, as in a release, with something strange here and there.
std::string RepetitiveText(Random& random) {
  constexpr std::string_view kStrange[] = {"\"open,x\n",
                                           "x\n",
                                           "x,y,z\n",
                                           "\n",
                                           "\r\n",
                                           "\xC3,x\n",
                                           "\"two\nlines\",x\n",
                                           "\"a\"b,x\n",
                                           "a\"b,x\n",
                                           "#,x\n",
                                           "\"es\"\"c\",x\n",
                                           "?,x\n",
                                           " \"a\" ,x\n",
                                           "\"a\n\",\"x\n\"\n",
                                           "new,lines\nnew,others\n"};
  constexpr std::string_view kUsual[] = {
      "a,x\n",  "a,x\r\n", "\"a\",x\n",        "a,\"x\"\n",       "Zürich,x\n", "b,y\n",
      "b, y\n", ",\n",     "\"a, b\",\"y\"\n", "\"a\",\"x\"\r\n", "b,y\r\r\n"};
  std::string text = "a,b\n";
  const std::uint64_t usual = 1 + random.Below(std::size(kUsual));
  const std::uint64_t strangeness = 5 + random.Below(200);
  for (std::uint64_t n = random.Below(60); n > 0; --n) {
    text += kUsual[random.Below(usual)];
    if (random.Below(strangeness) == 0) text += kStrange[random.Below(std::size(kStrange))];
    if (random.Below(strangeness) == 0) text += "n" + std::to_string(n) + ",x\n";
  }
  if (random.Below(3) == 0 && text.ends_with('\n')) text.pop_back();
  for (std::uint64_t n = random.Below(4); n > 0; --n) text += random.Below(3) == 0 ? "\r\n" : "\n";
  return text;
}

TEST(CsvTwin, BothReadersAgreeOnLinesThatComeAgain) {
  Random random = Random::Seeded(9);
  for (int round = 0; round < Rounds(400); ++round) {
    const std::string text = RepetitiveText(random);
    CsvOptions options;
    if (random.Below(3) == 0) options = SomeOptions(random);
    ASSERT_THAT(Disagreement(text, options), Eq("")) << "round " << round << "\n" << text;
    ASSERT_THAT(CountedOtherwise(text, options), Eq("")) << "round " << round << "\n" << text;
  }
}

// A pipe hands over what there is. What is read and not yet digested lies in a piece that another
// one follows.
class FewBytesAtOnce : public MemoryFileSystem {
 public:
  Result<std::unique_ptr<ByteStream>> Stream(const std::string& path) override {
    return std::unique_ptr<ByteStream>(std::make_unique<Few>(Get(path)));
  }

 private:
  class Few : public ByteStream {
   public:
    explicit Few(std::string text)
        : text_(std::move(text)), random_(Random::Seeded(text_.size())) {}
    Result<std::size_t> Read(char* to, std::size_t room) override {
      const std::size_t some = std::min<std::size_t>(room, 1 + random_.Below(40));
      const std::size_t got = text_.copy(to, some, at_);
      at_ += got;
      return got;
    }

   private:
    std::string text_;
    Random random_;
    std::size_t at_ = 0;
  };
};

TEST(CsvTwin, WhatComesByFewBytesIsCountedAndDigestedTheSame) {
  Random random = Random::Seeded(10);
  static ThreadPool pools[] = {ThreadPool(1), ThreadPool(3)};
  for (int round = 0; round < Rounds(300); ++round) {
    const std::string text = RepetitiveText(random);
    FewBytesAtOnce files;
    files.Put("t", text);
    internal::CountTuning tuning{{random.Below(4), 64, false}, 1 + random.Below(300), 1 << 20};
    tuning.lines = kLineTunings[random.Below(std::size(kLineTunings))];
    ThreadPool& pool = pools[random.Below(2)];
    Progress progress;
    const auto rows = ReadCsv(files, "t", {}, pool, progress);
    auto stream = internal::StreamCsvTuned(files, "t", {}, pool, progress, tuning);
    ASSERT_TRUE(stream) << text;
    const auto counted = (*stream)->Count({"a", "b"});
    ASSERT_EQ(rows.has_value(), counted.has_value()) << text;
    if (!rows) {
      EXPECT_EQ(rows.error().ToString(), counted.error().ToString()) << text;
      continue;
    }
    EXPECT_EQ(CountRows(rows->table, {}), CountRows(counted->table, {})) << text;
    EXPECT_EQ(counted->digest, Digest(text));
    EXPECT_EQ(counted->fingerprint, FingerprintOf(text));
  }
}

TEST(CsvTwin, BothReadersAgreeOnRandomSmallTexts) {
  constexpr std::string_view kAlphabet = "ab,;\"\n\r #?\t";
  constexpr std::string_view kBeginnings[] = {
      "",           "\xEF\xBB\xBF", "sep=",    "sep=;\n", "sep=|\r\n", "\xEF\xBB\xBFsep=",
      "PK\x03\x04", "PAR1",         "\xFF\xFE"};
  Random random = Random::Seeded(8);
  for (int round = 0; round < Rounds(2000); ++round) {
    std::string text(random.Below(3) > 0 ? "" : kBeginnings[random.Below(std::size(kBeginnings))]);
    for (std::uint64_t n = random.Below(24); n > 0; --n) {
      text += kAlphabet[random.Below(kAlphabet.size())];
    }
    const CsvOptions options = SomeOptions(random);
    ASSERT_THAT(Disagreement(text, options), Eq("")) << "round " << round << "\n" << text;
    ASSERT_THAT(CountedOtherwise(text, options), Eq("")) << "round " << round << "\n" << text;
  }
}

}  // namespace
}  // namespace reissue::io
