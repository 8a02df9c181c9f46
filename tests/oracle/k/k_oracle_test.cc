// Measure, Keeps and Attack of model `k` against the oracle: all tiny tables, and many random ones.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <sstream>

#include "cases.h"
#include "reissue/models/k/adversary/attack.h"
#include "reissue/models/k/release/guarantee.h"

namespace oracle::k {
namespace {

namespace model = reissue::models::k;

// Collects what differs, so that the inner loops stay cheap.
class Differences {
 public:
  void Exact(const char* what, std::uint64_t library, std::uint64_t oracle) {
    if (library != oracle) Note(what, static_cast<double>(library), static_cast<double>(oracle));
  }
  void Near(const char* what, double library, double oracle) {
    if (library == oracle || std::abs(library - oracle) <= 1e-9) return;
    Note(what, library, oracle);
  }
  void Note(const char* what, double library, double oracle) {
    text_ << what << ": library " << library << ", oracle " << oracle << '\n';
  }
  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
};

double Distance(const Rows& members, const Rows& release, const Promise& promise) {
  return promise.order.empty() ? EqualDistance(members, release)
                               : OrderedDistance(members, release, promise.order);
}

// Where the promise names no l, the library measures for l = 2.
double RecursiveBound(const Rows& members, const Promise& promise) {
  return RecursiveBound(members, promise.recursive ? promise.recursive->second : 2);
}

model::Overall Histogram(const Rows& rows, const std::vector<std::string>& values) {
  model::Overall histogram;
  for (const std::string& value : values) {
    histogram.push_back(static_cast<std::uint64_t>(std::count_if(
        rows.begin(), rows.end(), [&](const Row& row) { return row.sensitive == value; })));
  }
  return histogram;
}

// Measure and Keeps of every class.
void CompareClasses(const Rows& release, const Promise& promise,
                    const std::vector<std::string>& values, Differences& differences) {
  const model::Guarantee guarantee = ToGuarantee(promise, values);
  const model::Overall overall = Histogram(release, values);
  for (const Rows& members : EquivalenceClasses(release)) {
    std::vector<model::Bin> bins;
    const model::Overall histogram = Histogram(members, values);
    for (std::uint32_t code = 0; code < histogram.size(); ++code) {
      if (histogram[code] > 0) bins.push_back({code, histogram[code]});
    }
    const model::Measures measures = model::Measure(bins, overall, guarantee);
    differences.Exact("class rows", measures.rows, members.size());
    differences.Exact("class distinct", measures.distinct, DistinctValues(members));
    differences.Near("class entropy", measures.entropy_l, std::exp(Entropy(members)));
    differences.Near("class top share", measures.top_share, LargestShare(members));
    differences.Exact("rows of the top value", histogram.at(measures.top_code),
                      *std::max_element(histogram.begin(), histogram.end()));
    differences.Near("class distance", measures.distance, Distance(members, release, promise));
    differences.Near("class gain", measures.gain, Gain(members, release));
    differences.Near("class confidence", measures.confidence_excess,
                     ConfidenceExcess(members, promise.confidence));
    differences.Near("class recursive", measures.recursive_c, RecursiveBound(members, promise));
    differences.Exact("class keeps", model::Keeps(bins, overall, guarantee),
                      Broken(members, release, promise).empty());
  }
}

// What a finding says must be what the oracle measures in that class.
void CompareFindings(const model::Report& report, const Rows& release, const Promise& promise,
                     std::size_t columns, const std::vector<std::string>& values,
                     Differences& differences) {
  std::set<std::pair<std::string, std::vector<std::uint32_t>>> library, expected;
  for (const model::Finding& finding : report.worst)
    library.insert({finding.promise, finding.quasi});
  // The codes of ToPublished: by first appearance in a column.
  std::vector<std::vector<std::string>> labels(columns);
  for (const Row& row : release) {
    for (std::size_t j = 0; j < columns; ++j) {
      if (std::find(labels[j].begin(), labels[j].end(), row.quasi[j]) == labels[j].end()) {
        labels[j].push_back(row.quasi[j]);
      }
    }
  }
  for (const Rows& members : EquivalenceClasses(release)) {
    std::vector<std::uint32_t> codes;
    for (std::size_t j = 0; j < columns; ++j) {
      codes.push_back(static_cast<std::uint32_t>(
          std::find(labels[j].begin(), labels[j].end(), members[0].quasi[j]) - labels[j].begin()));
    }
    for (const std::string& name : Broken(members, release, promise))
      expected.insert({name, codes});
    for (const model::Finding& finding : report.worst) {
      if (finding.quasi != codes) continue;
      differences.Exact("rows of a finding", finding.rows, members.size());
      if (finding.promise == "k") {
        differences.Near("k found", finding.measured, static_cast<double>(members.size()));
        differences.Near("k promised", finding.promised, static_cast<double>(promise.k));
      } else if (finding.promise == "distinct") {
        differences.Near("l found", finding.measured, static_cast<double>(DistinctValues(members)));
      } else if (finding.promise == "alpha") {
        differences.Near("share found", finding.measured, LargestShare(members));
        differences.Near("share promised", finding.promised, promise.alpha.value_or(-1));
      } else if (finding.promise == "t") {
        differences.Near("t found", finding.measured, Distance(members, release, promise));
        differences.Near("t promised", finding.promised, promise.t.value_or(-1));
      } else if (finding.promise == "beta") {
        differences.Near("beta found", finding.measured, Gain(members, release));
        differences.Near("beta promised", finding.promised, promise.beta.value_or(-1));
      }
      if (finding.value) differences.Exact("known code", *finding.value < values.size(), true);
    }
  }
  if (library != expected) {
    differences.Note("set of findings", static_cast<double>(library.size()),
                     static_cast<double>(expected.size()));
  }
}

std::string CompareAttack(const Rows& release, const Promise& promise, std::size_t columns,
                          const std::vector<std::string>& values) {
  Differences differences;
  const model::Guarantee guarantee = ToGuarantee(promise, values);
  const model::Report report =
      model::Attack(ToPublished(release, columns, values), guarantee, 1000);
  const std::vector<Rows> classes = EquivalenceClasses(release);
  const Exposure exposure = Expose(release, promise);
  differences.Exact("satisfied", report.satisfied, Satisfied(release, promise));
  differences.Exact("rows", report.rows, release.size());
  differences.Exact("cells", report.cells, classes.size());
  differences.Exact("identity", report.identity, exposure.identity);
  differences.Exact("exposed", report.exposed, exposure.exposed);
  differences.Exact("singled out", report.singled_out, exposure.alone);
  differences.Exact("values certain", report.value_certain, exposure.homogeneity);
  std::size_t smallest = release.size(), distinct = release.size();
  double entropy = std::numeric_limits<double>::infinity();
  double recursive = 0, top = 0, distance = 0, gain = 0, excess = -1;
  for (const Rows& members : classes) {
    smallest = std::min(smallest, members.size());
    distinct = std::min(distinct, DistinctValues(members));
    entropy = std::min(entropy, std::exp(Entropy(members)));
    recursive = std::max(recursive, RecursiveBound(members, promise));
    top = std::max(top, LargestShare(members));
    distance = std::max(distance, Distance(members, release, promise));
    gain = std::max(gain, Gain(members, release));
    excess = std::max(excess, ConfidenceExcess(members, promise.confidence));
  }
  differences.Exact("smallest", report.smallest, smallest);
  if (values.size() > 1 && !release.empty()) {
    differences.Exact("homogeneity", report.homogeneity, exposure.homogeneity);
    differences.Exact("skew", report.skew, exposure.skew);
    differences.Exact("distinct", report.distinct, distinct);
    differences.Near("entropy", report.entropy_l, entropy);
    differences.Near("recursive", report.recursive_c, recursive);
    differences.Near("top share", report.top_share, top);
    differences.Near("distance", report.distance, distance);
    differences.Near("gain", report.gain, gain);
    differences.Near("confidence", report.confidence_excess, excess);
  }
  std::set<std::string> broken;
  for (const Rows& members : classes) broken.merge(Broken(members, release, promise));
  differences.Exact("names of broken promises",
                    broken == std::set<std::string>(report.broken.begin(), report.broken.end()),
                    true);
  CompareFindings(report, release, promise, columns, values, differences);
  return differences.text();
}

std::string CompareAll(const Rows& release, const Promise& promise, std::size_t columns,
                       const std::vector<std::string>& values) {
  Differences differences;
  if (values.size() > 1) CompareClasses(release, promise, values, differences);
  return differences.text() + CompareAttack(release, promise, columns, values);
}

// Each notion alone at and around its boundaries, then some together.
std::vector<Promise> Grid(const std::vector<std::string>& values) {
  const std::string& first = values.front();
  const std::string& last = values.back();
  return {
      {.k = 2},
      {.k = 3, .distinct = 2},
      {.distinct = 3},
      {.entropy = 1.5},
      {.entropy = 2.0},
      {.recursive = {{1.0, 2}}},
      {.k = 2, .recursive = {{2.0, 1}}},
      {.recursive = {{3.0, 3}}},
      {.alpha = 0.5},
      {.k = 2, .alpha = 2.0 / 3},
      {.confidence = {{first, 0.5}}},
      {.confidence = {{first, 1.0 / 3}, {last, 0.75}}},
      {.t = 0.2},
      {.t = 1.0 / 3},
      {.t = 0.15, .order = values},
      {.t = 1.0 / 3, .order = {values.rbegin(), values.rend()}},
      {.beta = 0.5},
      {.beta = 1.0},
      {.k = 2,
       .distinct = 2,
       .entropy = 1.8,
       .recursive = {{1.5, 2}},
       .alpha = 0.6,
       .confidence = {{last, 0.5}},
       .t = 0.25,
       .beta = 0.7},
  };
}

// Calls `visit` for every multiset of at most `rows` rows over 2 × 3 quasi-identifiers. The order
// of rows means nothing to either side.
template <typename Visit>
void ForAllTables(std::size_t rows, const std::vector<std::string>& values, const Visit& visit) {
  Rows kinds;
  for (const char* a : {"a0", "a1"}) {
    for (const char* b : {"b0", "b1", "b2"}) {
      for (const std::string& value : values) kinds.push_back({{a, b}, value, ""});
    }
  }
  Rows table;
  const auto extend = [&](const auto& self, std::size_t kind) -> void {
    visit(table);
    if (table.size() == rows) return;
    for (std::size_t next = kind; next < kinds.size(); ++next) {
      table.push_back(kinds[next]);
      self(self, next);
      table.pop_back();
    }
  };
  extend(extend, 0);
}

void CompareExhaustively(std::size_t rows, std::size_t number_of_values,
                         const std::vector<Promise>& grid) {
  const std::vector<std::string> values = SensitiveValues(number_of_values);
  std::size_t tables = 0, compared = 0, broken = 0;
  ForAllTables(rows, values, [&](const Rows& table) {
    if (testing::Test::HasFailure()) return;
    ++tables;
    for (const Promise& promise : grid) {
      ++compared;
      broken += Satisfied(table, promise) ? 0 : 1;
      const std::string differences = CompareAll(table, promise, 2, values);
      if (differences.empty()) continue;
      ADD_FAILURE() << differences << Describe(promise) << '\n' << Describe(table);
      return;
    }
  });
  EXPECT_GT(broken, compared / 10);
  EXPECT_LT(broken, compared);
  std::cout << "compared " << compared << " cases (" << tables << " tables, " << broken
            << " broken promises)\n";
}

TEST(AttackAgainstOracle, AllTablesOfFiveRowsWithTwoValues) {
  CompareExhaustively(5, 2, Grid(SensitiveValues(2)));
}

TEST(AttackAgainstOracle, AllTablesOfFourRowsWithThreeValues) {
  CompareExhaustively(4, 3, Grid(SensitiveValues(3)));
}

TEST(AttackAgainstOracle, AllTablesOfFiveRowsWithThreeValuesAndSomePromises) {
  const std::vector<std::string> values = SensitiveValues(3);
  CompareExhaustively(5, 3,
                      {{.k = 2, .entropy = 1.8, .t = 0.25, .order = values},
                       {.k = 3, .recursive = {{2.0, 2}}, .alpha = 0.6, .beta = 1.5}});
}

TEST(AttackAgainstOracle, RandomTables) {
  reissue::Random random = reissue::Random::Seeded(20080325);
  std::size_t broken = 0;
  constexpr std::size_t kCases = 40000;
  for (std::size_t i = 0; i < kCases; ++i) {
    const std::vector<std::string> values = SensitiveValues(1 + random.Below(5));
    const std::size_t columns = 1 + random.Below(3);
    const Rows table = RandomRows(random, random.Below(25), columns, values);
    const Promise promise = RandomPromise(random, values);
    broken += Satisfied(table, promise) ? 0 : 1;
    const std::string differences = CompareAll(table, promise, columns, values);
    ASSERT_EQ(differences, "") << "case " << i << ": " << Describe(promise) << '\n'
                               << Describe(table);
  }
  EXPECT_GT(broken, kCases / 10);
  EXPECT_LT(broken, kCases * 9 / 10);
  std::cout << "compared " << kCases << " cases (" << broken << " broken promises)\n";
}

TEST(AttackAgainstOracle, AShortListIsTheHeadOfTheLongOne) {
  reissue::Random random = reissue::Random::Seeded(7);
  std::size_t shortened = 0;
  for (std::size_t i = 0; i < 500; ++i) {
    const std::vector<std::string> values = SensitiveValues(3);
    const auto cells = ToPublished(RandomRows(random, 20, 2, values), 2, values);
    const model::Guarantee guarantee = ToGuarantee(RandomPromise(random, values), values);
    const model::Report all = model::Attack(cells, guarantee, 1000);
    const model::Report some = model::Attack(cells, guarantee, 3);
    ASSERT_EQ(some.worst.size(), std::min<std::size_t>(3, all.worst.size()));
    for (std::size_t j = 0; j < some.worst.size(); ++j) {
      EXPECT_EQ(some.worst[j].promise, all.worst[j].promise);
      EXPECT_EQ(some.worst[j].quasi, all.worst[j].quasi);
    }
    shortened += all.worst.size() > 3 ? 1 : 0;
  }
  EXPECT_GT(shortened, 0u);
}

}  // namespace
}  // namespace oracle::k
