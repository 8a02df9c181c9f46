// The bundled examples fit the generators: every value has a leaf, every column a role, and the
// bundled table is the one its README says it is.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "generated_rows.h"
#include "reissue/simulate/generator.h"

namespace reissue::simulate {
namespace {

const std::filesystem::path kExamples = SourceRoot() / "examples";

std::vector<Row> HierarchyLines(const std::filesystem::path& path) {
  std::vector<Row> lines;
  std::istringstream in(ReadWhole(path));
  for (std::string line; std::getline(in, line);) lines.push_back(SplitLine(line, ';'));
  return lines;
}

// Every label has one parent, every line ends in the root and is as long as the others.
void ExpectTree(const std::vector<Row>& lines, const std::string& file) {
  std::map<std::string, std::string> parents;
  std::set<std::string> leaves;
  for (const Row& line : lines) {
    ASSERT_EQ(line.size(), lines.front().size()) << file;
    EXPECT_EQ(line.back(), "*") << file;
    EXPECT_TRUE(leaves.insert(line.front()).second) << file << ": " << line.front() << " twice";
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
      if (line[i] == line[i + 1]) continue;
      EXPECT_EQ(parents.try_emplace(line[i], line[i + 1]).first->second, line[i + 1]) << file;
    }
  }
}

void ExpectExampleFits(const std::string& example, const std::string& kind) {
  const auto generator = std::move(MakeGenerator(kind, 1)).value();
  const std::string policy = ReadWhole(kExamples / example / "policy.toml");
  std::size_t taxonomies = 0;
  for (std::size_t i = 0; i < generator->header().size(); ++i) {
    const std::string& name = generator->header()[i];
    EXPECT_THAT(policy, testing::ContainsRegex("\n" + name + " *= \\{ role = ")) << example;
    const std::string file = name + ".csv";
    if (policy.find('"' + file + '"') == std::string::npos) continue;
    ++taxonomies;
    const std::vector<Row> lines = HierarchyLines(kExamples / example / file);
    ASSERT_FALSE(lines.empty()) << file;
    ExpectTree(lines, file);
    std::set<std::string> leaves;
    for (const Row& line : lines) leaves.insert(line.front());
    for (const std::string& value : generator->Domain(i)) {
      EXPECT_TRUE(leaves.contains(value)) << file << " has no leaf for " << value;
    }
  }
  EXPECT_EQ(taxonomies, example == "hospital" ? 4u : 9u);
}

TEST(Examples, HospitalFitsItsGenerator) { ExpectExampleFits("hospital", "hospital"); }

TEST(Examples, CensusFitsAdult) { ExpectExampleFits("census", "adult"); }

TEST(Examples, DischargesAreWhatSeed2025Makes) {
  const auto generator = std::move(MakeGenerator("hospital", 2025)).value();
  std::string expected;
  generator->AppendHeader(expected);
  generator->AppendRows(0, 1800, expected);
  EXPECT_TRUE(ReadWhole(kExamples / "hospital" / "discharges.csv") == expected)
      << "make it again: reissue simulate hospital --rows 1800 --seed 2025";
}

}  // namespace
}  // namespace reissue::simulate
