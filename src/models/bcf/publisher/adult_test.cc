// The experiments of Fung, Wang, Fu and Pei (EDBT 2008, section 6) for two releases: the Adult test
// set first, then with rows of the training set added.

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "adult_rows.h"
#include "reissue/models/bcf/adversary/attack.h"
#include "reissue/models/bcf/publisher/publish.h"
#include "reissue/models/k/publisher/publish.h"

namespace reissue::models::bcf {
namespace {

using Rows = support::AdultRows;

// Which columns are quasi-identifiers, and which make up the sensitive value.
struct Layout {
  std::vector<std::string> quasi, sensitive;
};

const Layout kSen1 = {
    {"workclass", "education", "marital-status", "occupation", "relationship", "race", "sex"},
    {"native-country"}};
const Layout kSen3 = {{"workclass", "marital-status", "relationship", "race", "sex"},
                      {"native-country", "education", "occupation"}};

// Reads tables of one layout; equal sensitive values have equal codes in all of them.
class AdultReader {
 public:
  explicit AdultReader(const Layout& layout) {
    for (const std::string& name : layout.quasi) {
      trees_.push_back(support::AdultTaxonomy(name));
      fields_.push_back(support::AdultField(name));
    }
    for (const std::string& name : layout.sensitive) {
      sensitive_.push_back(support::AdultField(name));
    }
  }

  // The first release, and so many rows more.
  k::LeafCells Read(const Rows& first, const Rows& more, std::size_t added) {
    std::vector<std::uint32_t> keys;
    std::vector<std::uint64_t> counts;
    for (std::size_t i = 0; i < first.size() + added; ++i) {
      const std::vector<std::string>& fields = i < first.size() ? first[i] : more[i - first.size()];
      for (std::size_t j = 0; j < trees_.size(); ++j) {
        keys.push_back(trees_[j]->first_leaf(*trees_[j]->Find(fields[fields_[j]])));
      }
      std::string value;
      for (const std::size_t field : sensitive_) value += fields[field] + ";";
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
  Taxonomies trees_;
  std::vector<std::size_t> fields_, sensitive_;
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
    if (!support::HasAdult()) GTEST_SKIP() << support::kNoAdult;
    first_ = support::ReadAdult(support::kAdultTest);
    more_ = support::ReadAdult(support::kAdultTraining);
    ASSERT_EQ(first_.size(), 15060u);
    ASSERT_EQ(more_.size(), 30162u);
  }

  // Calls visit(first table, whole table, k, name) for the 30 settings.
  template <typename Visit>
  void ForAllSettings(Visit&& visit) {
    for (const Layout* layout : {&kSen1, &kSen3}) {
      AdultReader reader(*layout);
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
    plain.score = k::Score::kDiscernibility;
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
      options.search.score = k::Score::kDiscernibility;
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
