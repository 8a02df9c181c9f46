#include "reissue/metrics/loss.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "metrics/slow_loss.h"
#include "random_taxonomy.h"
#include "reissue/core/random.h"
#include "reissue/metrics/overlap.h"
#include "reissue/taxonomy/cut.h"

namespace reissue::metrics {
namespace {

using oracle::Labels;
using oracle::MatchedRelease;
using taxonomy::Taxonomy;

Taxonomy Tree(const std::vector<std::vector<std::string>>& paths) {
  std::vector<taxonomy::HierarchyLine> lines;
  for (const auto& path : paths) lines.push_back({lines.size() + 1, path});
  return std::move(taxonomy::FromHierarchy(lines, "test.csv")).value();
}

// * → {Work → {Clerk, Smith}, Rest → {Retired}, Student}: leaves of depth 2, 2, 2 and 1.
Taxonomy JobTree() {
  return Tree(
      {{"Clerk", "Work", "*"}, {"Smith", "Work", "*"}, {"Retired", "Rest", "*"}, {"Student", "*"}});
}

// * = [0,100) → [0,40) → {10, 30}, [40,100) → {50, 90}.
Taxonomy AgeTree() {
  const std::vector<std::vector<double>> levels = {{0, 40, 100}};
  const std::vector<std::string> values = {"10", "30", "50", "90"};
  return std::move(taxonomy::FromBreakpoints(levels, values, "age")).value();
}

NodeId At(const Taxonomy& tree, const std::string& label) { return tree.Find(label).value(); }

Result<Loss> Measure(const MatchedRelease& release, const LossOptions& options = {}) {
  std::vector<std::vector<std::uint64_t>> counts;
  for (std::size_t i = 0; i < release.trees.size(); ++i) {
    counts.push_back(oracle::RawCounts(release, i));
  }
  std::vector<QuasiIdentifier> quasi;
  for (std::size_t i = 0; i < release.trees.size(); ++i) {
    quasi.push_back({"q" + std::to_string(i), release.trees[i], counts[i]});
  }
  return MeasureLoss(quasi, release.rows(), oracle::PublishedCells(release), options);
}

class LossExample : public testing::Test {
 protected:
  LossExample() : job_(JobTree()), age_(AgeTree()) { release_.trees = {&job_, &age_}; }

  void Add(const std::string& job, const std::string& age, const std::string& job_label,
           const std::string& age_label) {
    release_.raw.push_back({At(job_, job), At(age_, age)});
    release_.published.push_back(Labels{At(job_, job_label), At(age_, age_label)});
  }
  void LeaveOut(const std::string& job, const std::string& age) {
    release_.raw.push_back({At(job_, job), At(age_, age)});
    release_.published.push_back(std::nullopt);
  }

  Taxonomy job_;
  Taxonomy age_;
  MatchedRelease release_;
};

TEST_F(LossExample, AllMeasuresByHand) {
  Add("Clerk", "10", "Work", "[0,40)");
  Add("Smith", "30", "Work", "[0,40)");
  Add("Student", "50", "Student", "[40,100)");
  Add("Student", "90", "Student", "[40,100)");
  LeaveOut("Retired", "90");
  const Loss loss = Measure(release_, {.k = 2}).value();

  EXPECT_EQ(loss.table_rows, 5U);
  EXPECT_EQ(loss.release_rows, 4U);
  EXPECT_EQ(loss.left_out, 1U);
  EXPECT_EQ(loss.starred, 0U);
  EXPECT_EQ(loss.suppressed, 1U);
  EXPECT_EQ(loss.cells, 2U);
  EXPECT_EQ(loss.smallest, 2U);
  EXPECT_EQ(loss.largest, 2U);
  EXPECT_DOUBLE_EQ(loss.average, 2);
  EXPECT_DOUBLE_EQ(loss.average_over_k.value(), 1);
  // 2² + 2² + 5.
  EXPECT_EQ(loss.discernibility, 13U);
  EXPECT_DOUBLE_EQ(loss.discernibility_normalised, 13.0 / 25);
  // Two clerks and smiths climb one step, the pensioner two.
  EXPECT_DOUBLE_EQ(loss.distortion_categorical, 4.0 / 5);
  // Widths 40, 40, 60, 60 and the whole of 100.
  EXPECT_DOUBLE_EQ(loss.distortion_continuous, (0.4 + 0.4 + 0.6 + 0.6 + 1) / 5);
  ASSERT_EQ(loss.attributes.size(), 2U);
  const AttributeLoss& job = loss.attributes[0];
  EXPECT_FALSE(job.numeric);
  EXPECT_DOUBLE_EQ(job.distortion, 4.0 / 5);
  EXPECT_DOUBLE_EQ(job.ncp, (0.5 + 0.5 + 0 + 0 + 1) / 5);
  EXPECT_EQ(job.exact_rows, 2U);
  EXPECT_EQ(job.removed_rows, 1U);
  EXPECT_EQ(job.values, 4U);
  EXPECT_EQ(job.labels, 2U);
  // The data run from 10 to 90: [0,40) covers 30 of 80, [40,100) covers 50 of 80.
  const AttributeLoss& age = loss.attributes[1];
  EXPECT_TRUE(age.numeric);
  EXPECT_DOUBLE_EQ(age.ncp, (2 * 30.0 / 80 + 2 * 50.0 / 80 + 1) / 5);
  EXPECT_DOUBLE_EQ(loss.gcp_sum, 2 + 3);
  EXPECT_DOUBLE_EQ(loss.gcp, 0.5);
  // Two cells that cannot be confused: one right guess in each.
  EXPECT_DOUBLE_EQ(loss.record_linkage.value(), 2);
}

TEST_F(LossExample, StarredRowsCostAsMuchAsRowsLeftOut) {
  Add("Clerk", "10", "Clerk", "10");
  Add("Clerk", "10", "Clerk", "10");
  MatchedRelease left_out = release_;
  left_out.raw.push_back({At(job_, "Student"), At(age_, "50")});
  left_out.published.push_back(std::nullopt);
  Add("Student", "50", "*", "*");
  const Loss starred = Measure(release_).value();
  const Loss dropped = Measure(left_out).value();
  EXPECT_EQ(starred.starred, 1U);
  EXPECT_EQ(starred.left_out, 0U);
  EXPECT_EQ(dropped.left_out, 1U);
  EXPECT_EQ(starred.suppressed, dropped.suppressed);
  EXPECT_EQ(starred.discernibility, 2U * 2 + 3);
  EXPECT_EQ(dropped.discernibility, starred.discernibility);
  EXPECT_DOUBLE_EQ(starred.distortion_categorical, dropped.distortion_categorical);
  EXPECT_DOUBLE_EQ(starred.distortion_continuous, dropped.distortion_continuous);
  EXPECT_DOUBLE_EQ(starred.gcp, dropped.gcp);
  // The starred cell covers everything, so the nearest cell is not settled.
  EXPECT_FALSE(starred.record_linkage.has_value());
  EXPECT_DOUBLE_EQ(starred.record_linkage_bound, 2);
}

TEST_F(LossExample, EverythingAtTheRootCostsEverything) {
  for (const char* job : {"Clerk", "Smith", "Retired"}) Add(job, "10", "*", "*");
  Add("Clerk", "90", "*", "*");
  const Loss loss = Measure(release_).value();
  EXPECT_EQ(loss.starred, 0U);
  EXPECT_EQ(loss.suppressed, 0U);
  EXPECT_DOUBLE_EQ(loss.discernibility_normalised, 1);
  EXPECT_DOUBLE_EQ(loss.gcp, 1);
  EXPECT_DOUBLE_EQ(loss.distortion_categorical, 2);
  EXPECT_DOUBLE_EQ(loss.distortion_continuous, 1);
  EXPECT_EQ(loss.attributes[0].removed_rows, 4U);
  EXPECT_DOUBLE_EQ(loss.record_linkage.value(), 1);
}

TEST_F(LossExample, RawValuesCostNothingButDiscernibility) {
  for (const char* job : {"Clerk", "Smith", "Retired"}) Add(job, "30", job, "30");
  const Loss loss = Measure(release_).value();
  EXPECT_DOUBLE_EQ(loss.gcp, 0);
  EXPECT_DOUBLE_EQ(loss.distortion_categorical, 0);
  EXPECT_DOUBLE_EQ(loss.distortion_continuous, 0);
  EXPECT_EQ(loss.discernibility, 3U);
  EXPECT_DOUBLE_EQ(loss.record_linkage.value(), 3);
}

TEST_F(LossExample, ATableWithOneNumberFallsBackToTheTree) {
  Add("Clerk", "10", "Clerk", "[0,40)");
  EXPECT_DOUBLE_EQ(Measure(release_).value().attributes[1].ncp, 0.4);
}

TEST_F(LossExample, NothingPublishedIsEverythingLost) {
  LeaveOut("Clerk", "10");
  LeaveOut("Smith", "90");
  const Loss loss = Measure(release_, {.k = 5}).value();
  EXPECT_EQ(loss.cells, 0U);
  EXPECT_EQ(loss.smallest, 0U);
  EXPECT_FALSE(loss.average_over_k.has_value());
  EXPECT_DOUBLE_EQ(loss.discernibility_normalised, 1);
  EXPECT_DOUBLE_EQ(loss.gcp, 1);
}

TEST_F(LossExample, AnEmptyTableCostsNothing) {
  const Loss loss = Measure(release_).value();
  EXPECT_EQ(loss.table_rows, 0U);
  EXPECT_DOUBLE_EQ(loss.gcp, 0);
  EXPECT_DOUBLE_EQ(loss.discernibility_normalised, 0);
}

TEST(MeasureLoss, AConstantColumnWithoutATreeLosesNothing) {
  const Taxonomy tree = Tree({{"*"}});
  const std::vector<std::uint64_t> counts = {3};
  const QuasiIdentifier quasi{"only", &tree, counts};
  const std::vector<std::uint32_t> keys = {0};
  const std::vector<std::uint64_t> rows = {2};
  const Loss loss = MeasureLoss({&quasi, 1}, 3, CollectCells(1, keys, rows)).value();
  EXPECT_DOUBLE_EQ(loss.gcp, 0);
  EXPECT_EQ(loss.starred, 0U);
  EXPECT_EQ(loss.attributes[0].exact_rows, 2U);
  EXPECT_EQ(loss.attributes[0].removed_rows, 1U);
}

TEST_F(LossExample, ReleasesOfOtherTablesAreRefused) {
  Add("Clerk", "10", "Work", "10");
  Add("Student", "10", "Work", "10");  // a student never becomes "Work"
  const Result<Loss> other = Measure(release_);
  ASSERT_FALSE(other.has_value());
  EXPECT_EQ(other.error().code, ErrorCode::kInput);
  EXPECT_EQ(other.error().place->column, "q0");
  EXPECT_NE(other.error().message.find("more rows of a value, or of a group of values, than the"),
            std::string::npos);
  EXPECT_EQ(other.error().message.find("Work"), std::string::npos);  // no value of the table
  EXPECT_FALSE(other.error().remedy.empty());

  const std::vector<std::uint64_t> counts = {1, 0, 0, 0};
  const QuasiIdentifier quasi{"job", &job_, counts};
  const std::vector<std::uint32_t> keys = {0};
  const std::vector<std::uint64_t> rows = {2};
  const Result<Loss> longer = MeasureLoss({&quasi, 1}, 1, CollectCells(1, keys, rows));
  ASSERT_FALSE(longer.has_value());
  EXPECT_EQ(longer.error().code, ErrorCode::kInput);
}

TEST(MeasureLoss, ArgumentsThatDoNotFitAreRefused) {
  const Taxonomy tree = JobTree();
  const std::vector<std::uint64_t> counts = {1, 0, 0, 0};
  const QuasiIdentifier quasi{"job", &tree, counts};
  const std::vector<std::uint64_t> one = {1};
  const auto measure = [&](const QuasiIdentifier& q, std::size_t width, std::uint32_t node,
                           std::uint64_t table_rows, std::uint64_t k) {
    const std::vector<std::uint32_t> keys(width, node);
    return MeasureLoss({&q, 1}, table_rows, CollectCells(width, keys, one), {.k = k});
  };
  EXPECT_TRUE(measure(quasi, 1, 0, 1, 1).has_value());
  const QuasiIdentifier no_tree{"job", nullptr, counts};
  const QuasiIdentifier too_short{"job", &tree, one};
  for (const Result<Loss>& wrong :
       {measure(quasi, 2, 0, 1, 1), measure(quasi, 1, 99, 1, 1), measure(quasi, 1, 0, 2, 1),
        measure(quasi, 1, 0, 1, 0), measure(no_tree, 1, 0, 1, 1), measure(too_short, 1, 0, 1, 1)}) {
    ASSERT_FALSE(wrong.has_value());
    EXPECT_EQ(wrong.error().code, ErrorCode::kUsage);
  }
}

NodeId RandomAncestor(const Taxonomy& tree, NodeId leaf, Random& random) {
  NodeId node = leaf;
  for (std::uint64_t steps = random.Below(tree.depth(leaf) + 1U); steps > 0; --steps) {
    node = tree.parent(node);
  }
  return node;
}

NodeId CutAbove(const Taxonomy& tree, NodeId leaf, std::uint32_t depth) {
  NodeId node = leaf;
  while (tree.depth(node) > depth) node = tree.parent(node);
  return node;
}

// Two attributes and a range tree; rows recoded globally by depth, or each on its own; some
// starred, some left out.
struct RandomRelease {
  explicit RandomRelease(std::uint64_t seed) {
    Random random = Random::Seeded(seed);
    trees.push_back(support::RandomTaxonomy(random, 8));
    trees.push_back(support::RandomTaxonomy(random, 8));
    trees.push_back(AgeTree());
    for (const Taxonomy& tree : trees) release.trees.push_back(&tree);
    const bool global = random.Below(2) == 0;
    const bool suppresses = random.Below(2) == 0;
    const std::uint64_t depth = random.Below(3);
    for (std::uint64_t rows = 1 + random.Below(12); rows > 0; --rows) {
      Labels raw;
      Labels published;
      for (const Taxonomy& tree : trees) {
        raw.push_back(tree.leaf(random.Below(tree.leaves())));
        published.push_back(global ? CutAbove(tree, raw.back(), static_cast<std::uint32_t>(depth))
                                   : RandomAncestor(tree, raw.back(), random));
      }
      const std::uint64_t fate = suppresses ? random.Below(6) : 2;
      if (fate == 0) published.assign(trees.size(), Taxonomy::root());
      release.raw.push_back(raw);
      release.published.push_back(fate == 1 ? std::nullopt : std::optional(published));
    }
  }

  std::vector<Taxonomy> trees;
  MatchedRelease release;
};

double DataWidth(const MatchedRelease& release, std::size_t attribute) {
  double low = 1e300, high = -1e300;
  for (const Labels& row : release.raw) {
    const double value = release.trees[attribute]->range(row[attribute]).low;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  return high - low;
}

void CheckAgainstMatchedRows(const MatchedRelease& release) {
  const Loss loss = Measure(release).value();
  const auto rows = static_cast<double>(release.rows());
  const auto near = [](double a, double b) { return std::abs(a - b) < 1e-9; };
  RC_ASSERT(loss.discernibility == oracle::Discernibility(release));
  for (std::size_t i = 0; i < 2; ++i) {
    const AttributeLoss& attribute = loss.attributes[i];
    RC_ASSERT(
        near(attribute.distortion * rows, static_cast<double>(oracle::StepsClimbed(release, i))));
    RC_ASSERT(near(attribute.ncp * rows, oracle::CertaintyPenaltySum(release, i)));
  }
  RC_ASSERT(near(loss.attributes[2].distortion * rows, oracle::RangeDistortionSum(release, 2)));
  if (DataWidth(release, 2) > 0) {
    RC_ASSERT(near(loss.attributes[2].ncp * rows, oracle::CertaintyPenaltySum(release, 2)));
  }
  RC_ASSERT(loss.gcp >= 0);
  RC_ASSERT(loss.gcp <= 1 + 1e-12);
  RC_ASSERT(loss.discernibility_normalised <= 1);
  const bool overlap = oracle::Overlap(release);
  RC_ASSERT(loss.record_linkage.has_value() == !overlap);
  RC_ASSERT(oracle::ExpectedLinks(release) <= loss.record_linkage_bound + 1e-9);
  if (!overlap) RC_ASSERT(near(*loss.record_linkage, oracle::ExpectedLinks(release)));
}

RC_GTEST_PROP(MeasureLoss, AgreesWithMatchedRows, (std::uint64_t seed)) {
  for (std::uint64_t i = 0; i < 50; ++i) {
    CheckAgainstMatchedRows(RandomRelease(DeriveSeed(seed, i)).release);
  }
}

TEST(CellsOverlap, GivesUpWhenTheWorkIsTooMuch) {
  const Taxonomy tree = JobTree();
  const Taxonomy* const trees[] = {&tree};
  const std::vector<std::uint32_t> keys = {1, 2, 3};
  const std::vector<std::uint64_t> counts = {1, 1, 1};
  const Cells cells = CollectCells(1, keys, counts);
  EXPECT_EQ(CellsOverlap(trees, cells), true);
  EXPECT_EQ(CellsOverlap(trees, cells, 2), std::nullopt);
}

}  // namespace
}  // namespace reissue::metrics
