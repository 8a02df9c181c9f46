// Random tiny tables, every kind of requirement: what Attack and Explain say against a join that is
// made row by row.

#include <gtest/gtest.h>

#include "reissue/models/xy/adversary/assess.h"
#include "small_linked.h"

namespace reissue::models::xy {
namespace {

using testing::Codes;
using testing::RowJoin;

std::vector<Attribute> AllColumns(const Linked& linked) {
  std::vector<Attribute> columns;
  for (std::size_t table = 0; table < linked.tables.size(); ++table) {
    for (std::size_t column = 0; column < linked.tables[table].trees.size(); ++column) {
      columns.push_back({table, column});
    }
  }
  return columns;
}

Requirement RandomRequirement(Random& random, const Linked& linked) {
  Requirement requirement;
  std::vector<Attribute> columns = AllColumns(linked);
  random.Shuffle(columns);
  const bool plain = random.Below(2) == 0;
  const Matching matching(linked);
  for (const Attribute& column : columns) {
    const bool decides = std::ranges::count(matching.columns(column.table), column.column) > 0;
    if (plain ? decides || random.Below(3) == 0 : random.Below(2) == 0) {
      requirement.x.push_back(column);
    }
  }
  if (random.Below(2) == 0) {
    requirement.k = 1 + random.Below(6);
    for (std::size_t table = 0; table < linked.tables.size(); ++table) {
      if (random.Below(3) == 0) requirement.y_keys.push_back(table);
    }
  } else {
    requirement.kind = Requirement::Kind::kLinkability;
    requirement.confidence = 0.1 * static_cast<double>(1 + random.Below(10));
  }
  const bool values = requirement.kind == Requirement::Kind::kLinkability && random.Below(2) == 0;
  for (const Attribute& column : columns) {
    if (random.Below(3) > 0) continue;
    if (!values) {
      requirement.y.push_back(column);
      continue;
    }
    const auto& tree = linked.tables[column.table].trees[column.column];
    const std::size_t codes = tree ? tree->nodes() : 3;
    for (std::size_t i = 0; i < 2; ++i) {
      requirement.values.push_back({column, static_cast<std::uint32_t>(random.Below(codes)),
                                    0.25 * static_cast<double>(random.Below(4))});
    }
  }
  if (requirement.kind == Requirement::Kind::kLinkability && requirement.y.empty() &&
      requirement.values.empty()) {
    requirement.y.push_back(columns[0]);
  }
  return requirement;
}

void ExpectSame(const Finding& found, const Finding& expected) {
  EXPECT_EQ(found.x, expected.x);
  EXPECT_TRUE(found.records == expected.records);
  EXPECT_EQ(found.distinct, expected.distinct);
  EXPECT_EQ(found.y, expected.y);
  EXPECT_EQ(found.value, expected.value);
  EXPECT_TRUE(found.records_with_y == expected.records_with_y);
  EXPECT_EQ(found.share, expected.share);
  EXPECT_EQ(found.threshold, expected.threshold);
}

void ExpectSame(const RequirementReport& found, const RequirementReport& expected,
                std::size_t limit) {
  EXPECT_EQ(found.satisfied, expected.satisfied);
  EXPECT_EQ(found.anonymity, expected.anonymity);
  EXPECT_EQ(found.linkability, expected.linkability);
  EXPECT_EQ(found.violating, expected.violating);
  EXPECT_TRUE(found.counted);
  ASSERT_EQ(found.worst.size(), std::min(limit, expected.worst.size()));
  for (std::size_t i = 0; i < found.worst.size(); ++i) {
    ExpectSame(found.worst[i], expected.worst[i]);
  }
}

void ExpectSame(const Explanation& found, const RowJoin& join, const Requirement& requirement,
                const Finding& about) {
  EXPECT_TRUE(found.records == about.records);
  EXPECT_EQ(found.distinct, about.distinct);
  std::vector<Attribute> columns;
  for (std::size_t table = 0; table < found.columns.size(); ++table) {
    for (const std::size_t column : found.columns[table]) columns.push_back({table, column});
  }
  std::map<Codes, std::uint64_t> matches;
  std::map<Codes, std::uint64_t> ys;
  for (const auto& tuple : join.tuples()) {
    if (join.All(tuple, requirement.x) != about.x) continue;
    ++matches[join.All(tuple, columns)];
    ++ys[join.All(tuple, requirement.y)];
  }
  EXPECT_EQ(found.matches.size() + found.more, matches.size());
  for (std::size_t i = 0; i < found.matches.size(); ++i) {
    const Explanation::Match& match = found.matches[i];
    Codes codes;
    Wide records = 1;
    for (const auto& part : match.partitions) codes.insert(codes.end(), part.begin(), part.end());
    for (const std::uint64_t rows : match.rows) records *= rows;
    EXPECT_TRUE(match.records == records);
    EXPECT_TRUE(match.records == matches[codes]);
    EXPECT_TRUE(i == 0 || found.matches[i - 1].records >= match.records);
  }
  if (!requirement.values.empty() || requirement.y.empty()) return;
  EXPECT_EQ(found.values.size(), std::min<std::size_t>(ys.size(), 3));
  for (const Explanation::Y& y : found.values) EXPECT_TRUE(y.records == ys[y.codes]);
}

struct Tally {
  int plain = 0, products = 0, empty = 0, dangling = 0, local = 0, broken = 0;
};

void Compare(Random& random, const testing::RandomTables& shape, Tally& tally) {
  const Linked linked = testing::RandomLinked(random, shape);
  std::vector<Requirement> requirements;
  for (int i = 0; i < 3; ++i) requirements.push_back(RandomRequirement(random, linked));
  const std::size_t limit = random.Below(6);
  const Report report = Attack(linked, requirements, limit);
  const RowJoin join(linked);
  EXPECT_TRUE(report.join_rows == join.tuples().size());
  ASSERT_EQ(report.dangling.size(), shape.tables);
  for (std::size_t table = 0; table < shape.tables; ++table) {
    EXPECT_EQ(report.dangling[table], join.Dangling(table));
    tally.dangling += report.dangling[table] > 0;
  }
  tally.empty += join.tuples().empty();
  tally.local += !report.by_classes;
  const Matching matching(linked);
  bool satisfied = true;
  for (std::size_t i = 0; i < requirements.size(); ++i) {
    const RequirementReport expected = join.Assess(requirements[i]);
    ExpectSame(report.requirements[i], expected, limit);
    satisfied = satisfied && expected.satisfied;
    tally.broken += !expected.satisfied;
    const std::vector<TableParts> parts = MakeParts(linked, matching, requirements[i]);
    if (IsPlain(matching, requirements[i], parts)) {
      ++tally.plain;
      ExpectSame(AssessByProducts(matching, requirements[i], parts, limit), expected, limit);
    } else {
      ++tally.products;
    }
    if (expected.worst.empty()) continue;
    const Finding& about = expected.worst[random.Below(expected.worst.size())];
    ExpectSame(Explain(linked, requirements[i], about.x, 3), join, requirements[i], about);
  }
  EXPECT_EQ(report.satisfied, satisfied);
}

Tally CompareMany(std::uint64_t seed, int rounds, testing::RandomTables shape) {
  Random random = Random::Seeded(seed);
  Tally tally;
  const std::size_t people = shape.people;
  for (int round = 0; round < rounds; ++round) {
    shape.people = 1 + random.Below(people);
    shape.attributes = 1 + random.Below(3);
    Compare(random, shape, tally);
    if (::testing::Test::HasFailure()) {
      ADD_FAILURE() << "round " << round;
      return tally;
    }
  }
  EXPECT_GT(tally.plain, rounds / 2);
  if (shape.tables > 1) {
    EXPECT_GT(tally.products, rounds / 4);
  }
  EXPECT_GT(tally.broken, rounds / 4);
  return tally;
}

TEST(AttackRandom, TwoGlobalRecodings) {
  const Tally tally = CompareMany(1, 1500, {.people = 9});
  EXPECT_EQ(tally.local, 0);
  EXPECT_EQ(tally.dangling, 0);  // projections of the same people
}

TEST(AttackRandom, StrangersAndInconsistentPairs) {
  const Tally tally = CompareMany(2, 1500, {.people = 9, .same_people = false, .pairs = 3});
  EXPECT_GT(tally.dangling, 300);
  EXPECT_GT(tally.empty, 30);
}

TEST(AttackRandom, LocalRecodings) {
  const Tally tally =
      CompareMany(3, 1500, {.people = 9, .same_people = false, .local = true, .pairs = 2});
  EXPECT_GT(tally.local, 500);
}

TEST(AttackRandom, OneTable) { CompareMany(4, 300, {.tables = 1, .people = 9}); }

TEST(AttackRandom, ThreeTables) {
  CompareMany(5, 600, {.tables = 3, .people = 6, .same_people = false, .pairs = 2});
}

TEST(AttackRandom, ThreeLocalRecodings) {
  const Tally tally =
      CompareMany(6, 600, {.tables = 3, .people = 6, .same_people = false, .local = true});
  EXPECT_GT(tally.local, 200);
}

TEST(AttackRandom, FourTables) {
  CompareMany(7, 200, {.tables = 4, .people = 4, .same_people = false, .local = true, .pairs = 2});
}

// More pairs than bits in a word.
TEST(AttackRandom, ManyInconsistentPairs) {
  CompareMany(8, 300, {.tables = 3, .people = 6, .pairs = 40});
}

}  // namespace
}  // namespace reissue::models::xy
