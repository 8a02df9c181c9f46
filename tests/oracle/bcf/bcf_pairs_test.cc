// Two releases: the product's closed forms and flows against all generators and all worlds.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iostream>

#include "cases.h"
#include "draw.h"
#include "pair_answers.h"

namespace oracle::bcf {
namespace {

constexpr long kLeast = 2;  // k of the attacks

void ExpectAgreement(const Translator& translator, const Release& r1, const Release& r2,
                     const PairAnswers& expected) {
  const model::Series series = translator.ToProduct({r1, r2});
  for (const bool flow : {false, true}) {
    std::string complaint;
    const PairAnswers found = AnswersOfProduct(translator, series, r1, r2, kLeast, flow, complaint);
    EXPECT_EQ(complaint, "") << Describe({r1, r2});
    if (found == expected) continue;
    ADD_FAILURE() << (flow ? "flow\n" : "as it comes\n") << Describe({r1, r2}) << "expected "
                  << Describe(expected) << "found " << Describe(found);
  }
}

// Renames leaves, columns and values such that taxonomies stay as they are.
using Symmetry = std::function<Row(const Row&)>;

Symmetry SwapLabels(std::size_t column, const std::map<std::string, std::string>& labels) {
  return [=](Row row) {
    const auto found = labels.find(row.quasi[column]);
    if (found != labels.end()) row.quasi[column] = found->second;
    return row;
  };
}
Symmetry SwapColumns() {
  return [](Row row) {
    std::swap(row.quasi[0], row.quasi[1]);
    return row;
  };
}
Symmetry SwapValues() {
  return [](Row row) {
    row.sensitive = row.sensitive == "s" ? "t" : "s";
    return row;
  };
}
// All products of some of the given ones, in their order.
std::vector<Symmetry> Products(const std::vector<Symmetry>& steps) {
  std::vector<Symmetry> products = {[](const Row& row) { return row; }};
  for (const Symmetry& step : steps) {
    const std::size_t before = products.size();
    for (std::size_t i = 0; i < before; ++i) {
      products.push_back([=, first = products[i]](const Row& row) { return step(first(row)); });
    }
  }
  return products;
}

// All releases over all cuts, and what the symmetries make of each.
class AllPairs {
 public:
  AllPairs(const Domain& domain, std::size_t most, const std::vector<std::string>& values,
           const std::vector<Symmetry>& symmetries) {
    std::set<Release> distinct;
    for (const Recoding& recoding : AllRecodings(domain)) {
      std::vector<Row> rows;
      for (const Quasi& cell : CellsOf(domain, recoding)) {
        for (const std::string& value : values) rows.push_back({cell, value});
      }
      for (Release release : AllReleases(rows, most)) {
        std::sort(release.begin(), release.end());
        distinct.insert(release);
      }
    }
    releases_.assign(distinct.begin(), distinct.end());
    for (const Symmetry& symmetry : symmetries) {
      images_.emplace_back();
      for (const Release& release : releases_) images_.back().push_back(Image(release, symmetry));
    }
  }

  // Calls work(r1, r2) for one pair of each class of pairs that are the same but for a symmetry.
  template <typename Work>
  void ForEachClass(Work&& work) {
    for (std::size_t i = 0; i < releases_.size(); ++i) {
      for (std::size_t j = 0; j < releases_.size(); ++j) {
        const std::size_t size = ClassSize(i, j);
        if (size == 0) continue;
        ++classes_;
        stand_for_ += size;
        work(releases_[i], releases_[j]);
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
  std::size_t classes() const { return classes_; }
  std::size_t stand_for() const { return stand_for_; }
  std::size_t pairs() const { return releases_.size() * releases_.size(); }

 private:
  std::size_t Image(const Release& release, const Symmetry& symmetry) const {
    Release image;
    for (const Row& row : release) image.push_back(symmetry(row));
    std::sort(image.begin(), image.end());
    const auto found = std::lower_bound(releases_.begin(), releases_.end(), image);
    return static_cast<std::size_t>(found - releases_.begin());
  }
  // 0 unless (i, j) is the first of its class.
  std::size_t ClassSize(std::size_t i, std::size_t j) const {
    std::size_t same = 0;
    for (const auto& image : images_) {
      if (image[i] < i || (image[i] == i && image[j] < j)) return 0;
      same += image[i] == i && image[j] == j;
    }
    return images_.size() / same;
  }

  std::vector<Release> releases_;
  std::vector<std::vector<std::size_t>> images_;
  std::size_t classes_ = 0, stand_for_ = 0;
};

void CompareAll(const Domain& domain, std::size_t most, const std::vector<std::string>& values,
                const std::vector<Symmetry>& symmetries) {
  const Translator translator(domain);
  AllPairs all(domain, most, values, symmetries);
  std::size_t possible = 0, broken = 0;
  all.ForEachClass([&](const Release& r1, const Release& r2) {
    const PairAnswers expected = AnswersByGenerators(domain, r1, r2, kLeast);
    possible += expected.possible;
    broken += expected.possible && !expected.satisfied;
    ExpectAgreement(translator, r1, r2, expected);
  });
  // Every pair is in a class that was looked at.
  EXPECT_EQ(all.stand_for(), all.pairs());
  EXPECT_GT(possible, 1000u);
  std::cout << "all " << all.pairs() << " pairs of releases with at most " << most << " rows of "
            << values.size() << " values over " << domain.places().size()
            << " leaf combinations, as " << all.classes() << " classes: " << possible
            << " are growing series, " << broken << " below k = " << kLeast
            << "; envelope and flow equal all generators\n";
}

const std::map<std::string, std::string> kFlip = {{"a", "b"}, {"b", "a"}};

TEST(BcfPairsTest, AllPairsOfSixRows) {
  const Domain domain({TwoLeaves(), TwoLeaves()});
  CompareAll(domain, 6, {"s"},
             Products({SwapLabels(0, kFlip), SwapLabels(1, kFlip), SwapColumns()}));
}

TEST(BcfPairsTest, AllPairsOfTwoValues) {
  const Domain domain({TwoLeaves(), TwoLeaves()});
  CompareAll(domain, 6, {"s", "t"},
             Products({SwapLabels(0, kFlip), SwapLabels(1, kFlip), SwapColumns(), SwapValues()}));
}

TEST(BcfPairsTest, AllPairsOverATallerTree) {
  const Domain domain({FourLeaves(), TwoLeaves()});
  CompareAll(
      domain, 4, {"s"},
      Products(
          {SwapLabels(0, {{"a1", "a2"}, {"a2", "a1"}}), SwapLabels(0, {{"b1", "b2"}, {"b2", "b1"}}),
           SwapLabels(
               0, {{"A", "B"}, {"B", "A"}, {"a1", "b1"}, {"a2", "b2"}, {"b1", "a1"}, {"b2", "a2"}}),
           SwapLabels(1, kFlip)}));
}

// Boxes of one tree: closed forms, although labels stand above others; boxes of two trees.
TEST(BcfPairsTest, Boxes) {
  auto random = reissue::Random::Seeded(12);
  const Domains domains;
  std::size_t closed = 0, flow = 0;
  constexpr std::size_t kPairs = 6000;
  for (std::size_t i = 0; i < kPairs && !HasFailure(); ++i) {
    const Style style = i % 2 == 0 ? Style::kBoxes : Style::kCrossing;
    DrawnSeries drawn = domains.Draw(style, 2, 3 + i % 6, random);
    if (i % 3 == 0) TakeRowsAway(drawn.series, random);
    const Release &r1 = drawn.series[0], &r2 = drawn.series[1];
    const model::Series series = drawn.translator->ToProduct(drawn.series);
    const bool by_classes = model::Pair::Solve(series, 0, 1).method() == model::Method::kEnvelope;
    if (style == Style::kBoxes && i % 3 != 0) {
      EXPECT_TRUE(by_classes);
    }
    const bool global = series.recoding(0).global() && series.recoding(1).global();
    closed += by_classes && !global;
    flow += !by_classes;
    ExpectAgreement(*drawn.translator, r1, r2,
                    AnswersByWorlds(drawn.translator->domain(), r1, r2, kLeast));
  }
  EXPECT_GT(closed, kPairs / 10);
  EXPECT_GT(flow, kPairs / 60);
  std::cout << kPairs << " pairs of boxes, " << closed << " closed although not global, " << flow
            << " by flow: both equal all worlds\n";
}

// Labels and labels above them in one column: flows against all worlds. Every third pair loses rows
// of its later release.
TEST(BcfPairsTest, LocalRecodings) {
  auto random = reissue::Random::Seeded(11);
  const Domains domains;
  std::size_t local = 0, possible = 0;
  constexpr std::size_t kPairs = 6000;
  for (std::size_t i = 0; i < kPairs && !HasFailure(); ++i) {
    DrawnSeries drawn = domains.Draw(Style::kLocal, 2, 3 + i % 6, random);
    if (i % 3 == 0) TakeRowsAway(drawn.series, random);
    const Release &r1 = drawn.series[0], &r2 = drawn.series[1];
    const model::Series series = drawn.translator->ToProduct(drawn.series);
    local += model::Pair::Solve(series, 0, 1).method() == model::Method::kFlow;
    const PairAnswers expected = AnswersByWorlds(drawn.translator->domain(), r1, r2, kLeast);
    possible += expected.possible;
    ExpectAgreement(*drawn.translator, r1, r2, expected);
  }
  EXPECT_GT(local, kPairs / 2);
  EXPECT_LT(possible, kPairs);
  std::cout << kPairs << " pairs of local recodings, " << local << " of them not global, "
            << kPairs - possible << " impossible: flow equals all worlds\n";
}

}  // namespace
}  // namespace oracle::bcf
