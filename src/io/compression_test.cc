#include "reissue/io/compression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <string>

#include "memory_file_system.h"
#include "reissue/io/csv.h"

namespace reissue::io {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string Gzip(std::string_view text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string Zstd(std::string_view text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

std::string TableText() {
  std::string text = "id,half\n";
  for (int i = 0; i < 30'000; ++i) text += std::to_string(i) + "," + std::to_string(i / 2) + "\n";
  return text;
}

Result<CsvFile> ReadStored(std::string stored, std::uint64_t most = std::uint64_t{1} << 30) {
  MemoryFileSystem files;
  files.most_unpacked = most;
  files.Put("t.csv", std::move(stored));
  ThreadPool pool(2);
  Progress progress;
  return ReadCsv(files, "t.csv", {}, pool, progress);
}

class Compression : public ::testing::TestWithParam<std::string (*)(std::string_view)> {};

TEST_P(Compression, IsUndoneWhileReading) {
  const std::string stored = GetParam()(TableText());
  const auto read = ReadStored(stored);
  ASSERT_TRUE(read) << read.error().ToString();
  EXPECT_EQ(read->table.rows(), 30'000u);
  EXPECT_EQ(read->table[ColumnId(0)].text(RowId(29'999)), "29999");
  EXPECT_EQ(read->digest, Digest(stored));
}

TEST_P(Compression, SeveralPartsMakeOneText) {
  const std::string text = TableText();
  const std::string stored = GetParam()(text.substr(0, 1000)) + GetParam()(text.substr(1000, 1)) +
                             GetParam()(text.substr(1001));
  const auto unpacked = internal::Decompress(stored, "t.csv");
  ASSERT_TRUE(unpacked) << unpacked.error().ToString();
  EXPECT_EQ(unpacked->view(), text);
}

TEST_P(Compression, ACutOffStreamIsAnError) {
  const std::string stored = GetParam()(TableText());
  for (const std::size_t length : {std::size_t{5}, stored.size() / 2, stored.size() - 1}) {
    const auto read = ReadStored(stored.substr(0, length));
    ASSERT_FALSE(read) << length;
    EXPECT_EQ(read.error().code, ErrorCode::kInput);
    EXPECT_THAT(read.error().ToString(), AllOf(HasSubstr("t.csv"), HasSubstr("cut off")));
  }
  // A second part that is cut off is no better.
  const auto read = ReadStored(stored + stored.substr(0, stored.size() - 3));
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("cut off"));
}

TEST_P(Compression, ADamagedStreamIsAnError) {
  std::string stored = GetParam()(TableText());
  for (std::size_t i = stored.size() / 2; i < stored.size() / 2 + 20; ++i) stored[i] = '\x55';
  const auto read = ReadStored(stored);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::kInput);
}

TEST_P(Compression, AnEmptyTextIsAnEmptyFile) {
  const auto read = ReadStored(GetParam()(""));
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message, HasSubstr("empty"));
}

constexpr std::uint64_t kMega = 1 << 20;

std::string Rows(std::uint64_t bytes) {
  std::string text = "a,b\n";
  while (text.size() < bytes) text += "1,2\n";
  return text;
}

TEST_P(Compression, WhatUnpacksToTooMuchIsRefused) {
  const std::string stored = GetParam()(Rows(8 * kMega));
  const auto read = ReadStored(stored, 4 * kMega);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::kInput);
  EXPECT_THAT(read.error().ToString(),
              AllOf(HasSubstr("t.csv"), HasSubstr("more than 4 MiB"), HasSubstr("--max-unpacked")));
  const auto allowed = ReadStored(stored, 9 * kMega);
  ASSERT_TRUE(allowed) << allowed.error().ToString();
  EXPECT_EQ(allowed->table.rows(), 2 * kMega - 1);
}

// What is wrong is said long before as much is unpacked as is allowed.
TEST_P(Compression, NonsenseIsRefusedBeforeAllOfItIsThere) {
  const struct {
    std::string text;
    const char* words;
  } cases[] = {
      {std::string(12 * kMega, '\0'), "first line"},
      {"a,b\n1,2\n" + std::string(12 * kMega, '\0'), "NUL"},
      {Rows(3 * kMega) + std::string(12 * kMega, '\0'), "NUL"},
      {Rows(3 * kMega) + std::string(12 * kMega, '\xFF'), "UTF-8"},
      {"a,b\n1,2,3\n" + Rows(12 * kMega), "3 fields where the header has 2"},
      {std::string(12 * kMega, 'a'), "first line"},
  };
  for (const auto& each : cases) {
    const auto read = ReadStored(GetParam()(each.text), 8 * kMega);
    ASSERT_FALSE(read) << each.words;
    EXPECT_EQ(read.error().code, ErrorCode::kInput);
    EXPECT_THAT(read.error().ToString(), HasSubstr(each.words));
  }
}

// A glance at the first rows takes nothing for wrong that only ends later.
TEST_P(Compression, AGlanceAtAPartOfTheTextHasPatience) {
  std::string text = "a,b\n";
  while (text.size() < kMega - 100) text += "1,ö\n";
  text += "2,\"" + std::string(50, '\n') + "ä" + std::string(200'000, 'x') + "\n\"\n3,€\n";
  const auto read = ReadStored(GetParam()(text));
  ASSERT_TRUE(read) << read.error().ToString();
  for (std::size_t cut = 0; cut < 8; ++cut) {  // characters of several bytes across every portion
    std::string shifted = "a,b\n" + std::string(cut, 'x') + ",1\n";
    while (shifted.size() < 2 * kMega) shifted += "€,𝄞\n";
    const auto whole = ReadStored(GetParam()(shifted));
    ASSERT_TRUE(whole) << whole.error().ToString();
  }
}

TEST_P(Compression, TheBeginningIsUnpackedAlone) {
  const auto beginning = [](std::string stored) {
    MemoryFileSystem files;
    files.Put("t.csv", std::move(stored));
    return ReadBeginning(files, "t.csv");
  };
  std::string text = "a,b\n";
  while (text.size() < 3 * kMega) text += "1,2\n";
  const std::string packed = GetParam()(text);
  const auto large = beginning(packed.substr(0, packed.size() - 1));  // the end is not looked at
  ASSERT_TRUE(large) << large.error().ToString();
  EXPECT_TRUE(text.starts_with(*large));
  EXPECT_GE(large->size(), std::size_t{1} << 18);
  EXPECT_EQ(beginning(GetParam()("a,b\n1,2\n")).value(), "a,b\n1,2\n");
  EXPECT_EQ(beginning("a,b\n1,2\n").value(), "a,b\n1,2\n");
  EXPECT_FALSE(beginning(GetParam()("a,b\n1,2\n").substr(0, 9)));
}

INSTANTIATE_TEST_SUITE_P(Formats, Compression, ::testing::Values(&Gzip, &Zstd));

TEST(GzipPadding, ZeroBytesAtTheEndDoNotCount) {
  const auto unpacked = internal::Decompress(Gzip("a\n1\n") + std::string(20, '\0'), "t.csv");
  ASSERT_TRUE(unpacked) << unpacked.error().ToString();
  EXPECT_EQ(unpacked->view(), "a\n1\n");
}

}  // namespace
}  // namespace reissue::io
