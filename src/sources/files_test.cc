#include "reissue/sources/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace reissue::sources {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class FileSourceTest : public ::testing::Test {
 protected:
  ~FileSourceTest() override { std::filesystem::remove(path_); }
  std::unique_ptr<TableSource> Open(const std::string& text, const io::CsvOptions& options = {}) {
    std::ofstream(path_, std::ios::binary) << text;
    return OpenFile(io::SystemFiles(), path_, options, pool_, progress_).value();
  }
  static std::vector<std::string> Texts(const Table& table, const char* name) {
    std::vector<std::string> texts;
    const Column& column = table[*table.Find(name)];
    for (std::size_t row = 0; row < table.rows(); ++row)
      texts.emplace_back(column.text(RowId(row)));
    return texts;
  }

  std::string path_ = std::filesystem::temp_directory_path() /
                      ("reissue-source-" + std::to_string(getpid()) + ".csv");
  ThreadPool pool_{2};
  Progress progress_;
};

// A key that tells itself.
PersonKey Plain(std::string_view identifier) {
  PersonKey key{};
  std::copy_n(identifier.begin(), std::min(identifier.size(), key.size()), key.begin());
  return key;
}

TEST_F(FileSourceTest, CountsWhatIsWantedAndNamesItBefore) {
  const auto source = Open("id,sex,city,note\n1,m,Ulm,a\n2,f,Bonn,b\n3,m,Ulm,c\n");
  EXPECT_THAT(source->columns(), ElementsAre("id", "sex", "city", "note"));
  EXPECT_EQ(source->consistency(), Consistency::kOneReading);
  const Counted counted = source
                              ->Count({.columns = {"city", "sex"},
                                       .identifier = "id",
                                       .hash = Plain,
                                       .missing_markers = {}})
                              .value();
  EXPECT_EQ(counted.table.total(), 3u);
  EXPECT_THAT(Texts(counted.table, "sex"), ElementsAre("f", "m"));
  EXPECT_THAT(Texts(counted.table, "city"), ElementsAre("Bonn", "Ulm"));
  EXPECT_THAT(counted.table.weights(), ElementsAre(1, 2));
  ASSERT_EQ(counted.persons.size(), 3u);
  EXPECT_EQ(counted.persons[1].key, Plain("2"));
  EXPECT_EQ(counted.persons[1].row, 0u);
  EXPECT_FALSE(counted.twice);
  EXPECT_EQ(counted.digest, io::Digest("id,sex,city,note\n1,m,Ulm,a\n2,f,Bonn,b\n3,m,Ulm,c\n"));
}

TEST_F(FileSourceTest, AnIdentifierThatStandsTwiceIsTold) {
  const Counted counted =
      Open("id,sex\n1,m\n2,f\n1,f\n")
          ->Count({.columns = {"sex"}, .identifier = "id", .hash = Plain, .missing_markers = {}})
          .value();
  ASSERT_TRUE(counted.twice);
  EXPECT_EQ(counted.twice->place.line, 4u);
  EXPECT_EQ(counted.twice->place.column, "id");
  EXPECT_EQ(counted.twice->earlier_line, 2u);
}

// Rows are those of ReadCsv, line by line.
TEST_F(FileSourceTest, ListsRowsInOrder) {
  io::CsvOptions options;
  options.missing_markers = {"?"};
  options.on_missing = io::OnMissing::kDropRow;
  const std::string text = "id,sex,note\n1,m,a\n2,?,b\n3,f,\"c\nd\"\n4,m,e\n";
  const Listed listed =
      Open(text, options)
          ->Rows({.columns = {"sex"}, .identifier = "id", .hash = {}, .missing_markers = {}})
          .value();
  EXPECT_THAT(Texts(listed.table, "id"), ElementsAre("1", "3", "4"));
  EXPECT_THAT(Texts(listed.table, "sex"), ElementsAre("m", "f", "m"));
  EXPECT_EQ(listed.dropped_rows, 1u);
  EXPECT_EQ(listed.digest, io::Digest(text));
  const ColumnId sex = *listed.table.Find("sex");
  EXPECT_EQ(listed.table.PlaceOf(RowId(0), sex).line, 2u);
  EXPECT_EQ(listed.table.PlaceOf(RowId(1), sex).line, 4u);
  EXPECT_EQ(listed.table.PlaceOf(RowId(2), sex).line, 6u);
}

TEST_F(FileSourceTest, WhatIsWrongHasAPlaceAndNoValue) {
  const auto counted =
      Open("sex\nm\n\"secret\n")
          ->Count({.columns = {"sex"}, .identifier = {}, .hash = {}, .missing_markers = {}});
  ASSERT_FALSE(counted);
  EXPECT_EQ(counted.error().place->line, 3u);
  EXPECT_THAT(counted.error().ToString(), Not(HasSubstr("secret")));
}

}  // namespace
}  // namespace reissue::sources
