// The experiments of Fung, Wang, Fu and Pei (EDBT 2008, section 6) for two releases: the Adult test
// set first, then with rows of the training set added.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>

#include "reissue/io/compression.h"
#include "reissue/models/bcf/adversary/attack.h"
#include "reissue/models/bcf/publisher/publish.h"
#include "reissue/models/k/publisher/publish.h"

namespace reissue::models::bcf {
namespace {

namespace fs = std::filesystem;

fs::path DataFolder() {
  if (const char* folder = std::getenv("REISSUE_DATA")) return folder;
  fs::path root = __FILE__;
  for (int i = 0; i < 5; ++i) root = root.parent_path();
  return root / ".." / "shared" / "data";
}

std::vector<std::string> Fields(const std::string& line, char separator) {
  std::vector<std::string> fields(1);
  for (const char c : line) {
    if (c == separator) {
      fields.emplace_back();
    } else if (c != ' ' && c != '\r' && c != '\n' && c != '.') {
      fields.back() += c;
    }
  }
  return fields;
}

using Rows = std::vector<std::vector<std::string>>;

// Rows without `?`.
Rows ReadRows(const fs::path& file) {
  std::ifstream stored(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stored), {}};
  if (io::internal::IsCompressed(text)) {
    text = io::internal::Decompress(text, file.filename().string()).value().view();
  }
  std::istringstream in(text);
  Rows rows;
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> fields = Fields(line, ',');
    if (fields.size() != 15 || line.find('?') != std::string::npos) continue;
    rows.push_back(std::move(fields));
  }
  return rows;
}

std::shared_ptr<const taxonomy::Taxonomy> ReadTaxonomy(const fs::path& file) {
  std::ifstream in(file);
  std::vector<taxonomy::HierarchyLine> lines;
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> labels = Fields(line, ';');
    lines.push_back({lines.size() + 1, std::move(labels)});
  }
  auto tree = taxonomy::FromHierarchy(lines, file.filename().string());
  return tree ? std::make_shared<const taxonomy::Taxonomy>(std::move(*tree)) : nullptr;
}

// Which columns are quasi-identifiers, and which make up the sensitive value.
struct Layout {
  std::vector<std::pair<std::size_t, std::string>> quasi;
  std::vector<std::size_t> sensitive;
};

const Layout kSen1 = {{{1, "workclass"},
                       {3, "education"},
                       {5, "marital-status"},
                       {6, "occupation"},
                       {7, "relationship"},
                       {8, "race"},
                       {9, "sex"}},
                      {13}};
const Layout kSen3 = {
    {{1, "workclass"}, {5, "marital-status"}, {7, "relationship"}, {8, "race"}, {9, "sex"}},
    {13, 3, 6}};

// Reads tables of one layout; equal sensitive values have equal codes in all of them.
class Reader {
 public:
  explicit Reader(const Layout& layout) : layout_(layout) {
    for (const auto& [field, name] : layout.quasi) {
      trees_.push_back(ReadTaxonomy(DataFolder() / "taxonomies" / "fung-tds" /
                                    ("adult_taxonomy_" + name + ".csv")));
    }
  }

  // The first release, and so many rows more.
  k::LeafCells Read(const Rows& first, const Rows& more, std::size_t added) {
    std::vector<std::uint32_t> keys;
    std::vector<std::uint64_t> counts;
    for (std::size_t i = 0; i < first.size() + added; ++i) {
      const std::vector<std::string>& fields = i < first.size() ? first[i] : more[i - first.size()];
      for (std::size_t j = 0; j < trees_.size(); ++j) {
        keys.push_back(trees_[j]->first_leaf(*trees_[j]->Find(fields[layout_.quasi[j].first])));
      }
      std::string value;
      for (const std::size_t field : layout_.sensitive) value += fields[field] + ";";
      const auto next = static_cast<std::uint32_t>(values_.size());
      keys.push_back(values_.emplace(value, next).first->second);
      counts.push_back(1);
    }
    k::LeafCells table;
    table.taxonomies = trees_;
    table.sensitive_values = static_cast<std::uint32_t>(values_.size());
    table.cells = CollectCells(trees_.size() + 1, keys, counts);
    return table;
  }

 private:
  const Layout& layout_;
  Taxonomies trees_;
  std::map<std::string, std::uint32_t> values_;
};

Cells Published(const k::LeafCells& table, const std::vector<taxonomy::Cut>& cuts) {
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  for (std::size_t i = 0; i < table.cells.size(); ++i) {
    const auto key = table.cells.key(CellId(i));
    for (std::size_t j = 0; j < cuts.size(); ++j) keys.push_back(cuts[j].NodeOfLeaf(key[j]).raw());
    keys.push_back(key[cuts.size()]);
    counts.push_back(table.cells.count(CellId(i)));
  }
  return CollectCells(cuts.size() + 1, keys, counts);
}

class Adult : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(DataFolder() / "adult" / "adult.test") ||
        !fs::exists(DataFolder() / "adult" / "adult.data.zst")) {
      GTEST_SKIP() << "no Adult data: set REISSUE_DATA to the folder that holds adult/adult.test";
    }
    first_ = ReadRows(DataFolder() / "adult" / "adult.test");
    more_ = ReadRows(DataFolder() / "adult" / "adult.data.zst");
    ASSERT_EQ(first_.size(), 15060u);
    ASSERT_EQ(more_.size(), 30162u);
  }

  // Calls visit(first table, whole table, k, name) for the 30 settings.
  template <typename Visit>
  void ForAllSettings(Visit&& visit) {
    for (const Layout* layout : {&kSen1, &kSen3}) {
      Reader reader(*layout);
      const k::LeafCells before = reader.Read(first_, more_, 0);
      for (const std::size_t added : {std::size_t{200}, std::size_t{2000}, more_.size()}) {
        const k::LeafCells table = reader.Read(first_, more_, added);
        for (const std::uint64_t k : {40, 80, 120, 160, 200}) {
          visit(before, table, k,
                std::string(layout == &kSen1 ? "Sen1" : "Sen3") + " +" + std::to_string(added) +
                    " k=" + std::to_string(k));
        }
      }
    }
  }

  Rows first_, more_;
  ThreadPool pool_{2};
  Progress progress_;
};

TEST_F(Adult, DefaultIsTwiceAsGoodAsThePaper) {
  double factors = 0;
  int settings = 0, plainly_exposed = 0;
  ForAllSettings([&](const k::LeafCells& before, const k::LeafCells& table, std::uint64_t k,
                     const std::string& name) {
    k::Guarantee g;
    g.k = k;
    k::PublishOptions plain;
    plain.search = k::Search::kPaper;
    const auto first = k::Publish(before, g, plain, pool_, progress_);
    ASSERT_TRUE(first.has_value());
    const Cells published = Published(before, first->cuts);
    const Series earlier = Series::Make(table.taxonomies, {&published, 1}).value();
    const auto safe = [&](const std::vector<taxonomy::Cut>& cuts) {
      const std::vector<Cells> both = {published, Published(table, cuts)};
      const Series series = Series::Make(table.taxonomies, both).value();
      return AttackPair(series, Pair::Solve(series, 0, 1), k).satisfied;
    };
    const auto cost = [&](k::Search search) {
      PublishOptions options;
      options.search.search = search;
      options.search.budget_seconds = 0.3;
      const auto outcome = Publish(table, earlier, g, options, pool_, progress_);
      EXPECT_TRUE(outcome.has_value() && safe(outcome->cuts)) << name;
      return outcome ? outcome->cost : 1;
    };
    const double paper = cost(k::Search::kPaper), best = cost(k::Search::kDefault);
    EXPECT_LE(best, paper) << name;
    factors += paper / best;
    ++settings;
    // Without a look at the first release.
    const auto alone = k::Publish(table, g, plain, pool_, progress_);
    plainly_exposed += !safe(alone->cuts);
  });
  EXPECT_EQ(settings, 30);
  EXPECT_GE(factors / settings, 2.0);
  EXPECT_GT(plainly_exposed, 10);
}

}  // namespace
}  // namespace reissue::models::bcf
