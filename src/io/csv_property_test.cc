// Random tables against the slow reader, for many cuts into lanes and windows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "csv/compare_csv.h"
#include "reissue/core/random.h"

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

class RoundTrip : public ::testing::TestWithParam<char> {};

TEST_P(RoundTrip, WhatAppendFieldWritesIsReadBackTheSame) {
  const char separator = GetParam();
  Random random = Random::Seeded(static_cast<std::uint64_t>(separator));
  for (int round = 0; round < 150; ++round) {
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
  for (int round = 0; round < 1500; ++round) {
    const std::string text = StrangeText(random);
    const CsvOptions options = SomeOptions(random);
    ASSERT_THAT(Disagreement(text, options), Eq("")) << "round " << round << "\n" << text;
  }
}

TEST(CsvTwin, BothReadersAgreeOnRandomSmallTexts) {
  constexpr std::string_view kAlphabet = "ab,;\"\n\r #?\t";
  Random random = Random::Seeded(8);
  for (int round = 0; round < 4000; ++round) {
    std::string text;
    for (std::uint64_t n = random.Below(24); n > 0; --n) {
      text += kAlphabet[random.Below(kAlphabet.size())];
    }
    const CsvOptions options = SomeOptions(random);
    ASSERT_THAT(Disagreement(text, options), Eq("")) << "round " << round << "\n" << text;
  }
}

}  // namespace
}  // namespace reissue::io
