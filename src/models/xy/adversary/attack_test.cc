#include "reissue/models/xy/adversary/attack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "small_linked.h"

namespace reissue::models::xy {
namespace {

using testing::Anonymity;
using testing::Codes;
using ::testing::ElementsAre;
using testing::FromLabels;
using testing::Linkability;
using testing::MakeTree;
using testing::Node;
using testing::Tree;

Report AttackOne(const Linked& linked, const Requirement& requirement, std::size_t limit = 10) {
  return Attack(linked, std::vector{requirement}, limit);
}
RequirementReport Only(const Linked& linked, const Requirement& requirement) {
  return AttackOne(linked, requirement).requirements.at(0);
}

const Finding& About(const RequirementReport& report, const Codes& x) {
  const auto found = std::ranges::find(report.worst, x, &Finding::x);
  EXPECT_NE(found, report.worst.end());
  return *found;
}

// The paper's Table 1. T1: name, job, class. T2: job, disease.
enum Name : std::uint32_t { kAlice, kBob, kCathy };
enum Disease : std::uint32_t { kCancer, kHiv };
class Table1 : public ::testing::Test {
 protected:
  Tree job_ = MakeTree({{"Banker", "*"}, {"Clerk", "*"}, {"Driver", "*"}, {"Engineer", "*"}});
  Linked linked_ = {
      {FromLabels({nullptr, job_, nullptr}, {{"0", "Banker", "1"},
                                             {"0", "Banker", "1"},
                                             {"1", "Clerk", "2"},
                                             {"1", "Driver", "3"},
                                             {"2", "Engineer", "4"}}),
       FromLabels(
           {job_, nullptr},
           {{"Banker", "0"}, {"Banker", "0"}, {"Clerk", "1"}, {"Driver", "0"}, {"Engineer", "1"}})},
      {{{0, 1}, {1, 0}}},
      {}};
  const Attribute name_ = {0, 0};
  const Attribute disease_ = {1, 1};
};

TEST_F(Table1, TheJoinSharpensAndBlurs) {
  const Report report = AttackOne(linked_, Anonymity({name_, disease_}, {}, {0, 1}, 2));
  EXPECT_TRUE(report.join_rows == 7);
  EXPECT_THAT(report.dangling, ElementsAre(0, 0));
  EXPECT_TRUE(report.by_classes);
  EXPECT_FALSE(report.satisfied);
  const RequirementReport& found = report.requirements[0];
  EXPECT_EQ(found.anonymity, 1u);
  EXPECT_EQ(found.violating, 3u);
  EXPECT_EQ(About(found, {kBob, kHiv}).distinct, 1u);
  EXPECT_EQ(About(found, {kAlice, kCancer}).distinct, 4u);
  // Ties are in the order of X.
  EXPECT_THAT(found.worst[0].x, ElementsAre(kBob, kCancer));
  EXPECT_THAT(found.worst[1].x, ElementsAre(kBob, kHiv));
  EXPECT_THAT(found.worst[2].x, ElementsAre(kCathy, kHiv));
}

TEST_F(Table1, FourRecordsAreTwoPeople) {
  const Requirement people = Anonymity({name_, disease_}, {}, {0}, 2);
  EXPECT_EQ(About(Only(linked_, people), {kAlice, kCancer}).distinct, 2u);
}

TEST_F(Table1, AliceHasCancer) {
  const RequirementReport found = Only(linked_, Linkability({name_}, {disease_}, 0.9));
  EXPECT_FALSE(found.satisfied);
  EXPECT_EQ(found.linkability, 1.0);
  const Finding& alice = About(found, {kAlice});
  EXPECT_EQ(alice.share, 1.0);
  EXPECT_THAT(alice.y, ElementsAre(kCancer));
  EXPECT_TRUE(alice.records == 4 && alice.records_with_y == 4);
  EXPECT_EQ(About(found, {kBob}).share, 0.5);
}

TEST_F(Table1, ExplainsAlice) {
  const Explanation about = Explain(linked_, Linkability({name_}, {disease_}, 0.9), Codes{kAlice});
  EXPECT_THAT(about.columns, ElementsAre(ElementsAre(0, 1), ElementsAre(0)));
  ASSERT_EQ(about.matches.size(), 1u);
  const std::uint32_t banker = Node(job_, "Banker");
  EXPECT_THAT(about.matches[0].partitions,
              ElementsAre(ElementsAre(kAlice, banker), ElementsAre(banker)));
  EXPECT_THAT(about.matches[0].rows, ElementsAre(2, 2));
  EXPECT_EQ(about.more, 0u);
  EXPECT_TRUE(about.records == 4);
  ASSERT_EQ(about.values.size(), 1u);
  EXPECT_THAT(about.values[0].codes, ElementsAre(kCancer));
  EXPECT_EQ(about.values[0].share, 1.0);
}

TEST_F(Table1, ThresholdsOfSingleValues) {
  Requirement requirement = Linkability({name_}, {});
  requirement.values = {{disease_, kCancer, 1.0}, {disease_, kHiv, 0.4}};
  const RequirementReport found = Only(linked_, requirement);
  EXPECT_EQ(found.violating, 2u);  // Bob and Cathy; Alice's cancer may be known
  EXPECT_THAT(found.worst[0].x, ElementsAre(kCathy));
  EXPECT_EQ(found.worst[0].value, 1u);
  EXPECT_THAT(found.worst[1].x, ElementsAre(kBob));
  EXPECT_EQ(found.linkability, 1.0);
}

// Example 2: a person with several rows. Columns: person, job, zip, place of birth, test.
TEST(Attack, SeveralRowsOfAPerson) {
  const std::vector<Tree> none(5);
  const Linked linked = {{FromLabels(none, {{"1", "0", "0", "0", "0"},
                                            {"1", "0", "0", "0", "1"},
                                            {"1", "0", "0", "0", "2"},
                                            {"2", "0", "0", "0", "0"},
                                            {"2", "0", "0", "0", "1"},
                                            {"2", "0", "0", "0", "2"}})},
                         {},
                         {}};
  const std::vector<Attribute> quasi = {{0, 1}, {0, 2}, {0, 3}};
  EXPECT_EQ(Only(linked, Anonymity(quasi, {}, {0}, 6)).anonymity, 6u);       // records
  EXPECT_EQ(Only(linked, Anonymity(quasi, {{0, 0}}, {}, 6)).anonymity, 2u);  // people
  EXPECT_EQ(Only(linked, Anonymity(quasi, {{0, 4}}, {}, 6)).anonymity, 3u);  // tests
}

// Example 3.
TEST(Attack, NineOfTenRecords) {
  std::vector<std::vector<std::string>> rows(9, {"0", "1"});
  rows.push_back({"0", "2"});
  const Linked linked = {{FromLabels({nullptr, nullptr}, rows)}, {}, {}};
  EXPECT_EQ(Only(linked, Linkability({{0, 0}}, {{0, 1}}, 0.8)).linkability, 0.9);
  EXPECT_FALSE(Only(linked, Linkability({{0, 0}}, {{0, 1}}, 0.8)).satisfied);
  EXPECT_TRUE(Only(linked, Linkability({{0, 0}}, {{0, 1}}, 0.9)).satisfied);
}

// Section 4: T1(C, D), T2(D, Y). A row of T1 has no partner of its own in T2.
TEST(Attack, AnonymityRisesWhereARowLosesItsPartners) {
  const Tree d = MakeTree({{"d1", "d", "*"}, {"d2", "d", "*"}, {"d3", "d3", "*"}});
  Linked linked = {{FromLabels({nullptr, d}, {{"1", "d3"}, {"2", "d"}}),
                    FromLabels({d, nullptr}, {{"d3", "3"}, {"d3", "2"}, {"d1", "1"}})},
                   {{{0, 1}, {1, 0}}},
                   {}};
  const Requirement requirement = Anonymity({{0, 0}, {0, 1}, {1, 0}}, {{1, 1}}, {}, 2);
  const Report before = AttackOne(linked, requirement);
  EXPECT_TRUE(before.join_rows == 3);
  EXPECT_EQ(before.requirements[0].anonymity, 1u);
  EXPECT_THAT(before.requirements[0].worst[0].x, ElementsAre(2, Node(d, "d"), Node(d, "d1")));
  EXPECT_THAT(before.dangling, ElementsAre(0, 0));

  linked.tables[0] = FromLabels({nullptr, d}, {{"1", "d3"}, {"2", "d2"}});
  const Report after = AttackOne(linked, requirement);
  EXPECT_TRUE(after.join_rows == 2);
  EXPECT_EQ(after.requirements[0].anonymity, 2u);
  EXPECT_THAT(after.dangling, ElementsAre(1, 1));
}

TEST(Attack, MenAreNotPregnant) {
  const Tree sex = MakeTree(
      {{"single male", "male", "*"}, {"married male", "male", "*"}, {"female", "female", "*"}});
  const Tree state = MakeTree(
      {{"3 months", "pregnant", "*"}, {"6 months", "pregnant", "*"}, {"well", "well", "*"}});
  Linked linked = {{FromLabels({sex}, {{"married male"}, {"female"}, {"single male"}}),
                    FromLabels({state}, {{"6 months"}, {"well"}})},
                   {},
                   {}};
  const Requirement requirement = Anonymity({{0, 0}, {1, 0}}, {}, {0, 1}, 1);
  EXPECT_TRUE(AttackOne(linked, requirement).join_rows == 6);
  linked.inconsistent = {{{0, 0}, Node(sex, "male"), {1, 0}, Node(state, "pregnant")}};
  const Report report = AttackOne(linked, requirement);
  EXPECT_TRUE(report.join_rows == 4);
  for (const Finding& finding : report.requirements[0].worst) {
    EXPECT_TRUE(finding.x[0] == Node(sex, "female") || finding.x[1] == Node(state, "well"));
  }
  // Above the label anything may be the case.
  linked.tables[0] = FromLabels({sex}, {{"*"}});
  EXPECT_TRUE(AttackOne(linked, requirement).join_rows == 2);
}

TEST(Attack, AStarredRowMatchesEverything) {
  const Tree tree = MakeTree({{"a", "*"}, {"b", "*"}, {"c", "*"}});
  const Linked linked = {{FromLabels({tree}, {{"a"}, {"b"}, {"*"}}),
                          FromLabels({tree, nullptr}, {{"a", "1"}, {"a", "2"}, {"c", "3"}})},
                         {{{0, 0}, {1, 0}}},
                         {}};
  const Report report = AttackOne(linked, Anonymity({{0, 0}, {1, 0}}, {{1, 1}}, {}, 2));
  EXPECT_FALSE(report.by_classes);
  EXPECT_TRUE(report.join_rows == 5);
  EXPECT_THAT(report.dangling, ElementsAre(1, 0));
  EXPECT_EQ(report.requirements[0].anonymity, 1u);  // the star and c
  EXPECT_EQ(report.requirements[0].violating, 1u);
}

// T1 says nothing, T2 and T3 do: their labels must lie on one path with each other, too.
TEST(Attack, ThreeTablesMatchPairwise) {
  const Tree tree = MakeTree({{"a", "*"}, {"b", "*"}});
  const Linked linked = {
      {FromLabels({tree, nullptr}, {{"*", "1"}, {"*", "2"}}), FromLabels({tree}, {{"a"}, {"b"}}),
       FromLabels({tree, nullptr}, {{"a", "7"}, {"b", "8"}})},
      {{{0, 0}, {1, 0}, {2, 0}}},
      {}};
  const Report report = AttackOne(linked, Linkability({{0, 0}, {1, 0}, {2, 0}}, {{2, 1}}, 0.5));
  EXPECT_TRUE(report.join_rows == 4);
  EXPECT_EQ(report.requirements[0].linkability, 1.0);
  EXPECT_EQ(report.requirements[0].violating, 2u);
}

TEST(Attack, NothingMatches) {
  const Tree tree = MakeTree({{"a", "*"}, {"b", "*"}});
  const Linked linked = {
      {FromLabels({tree}, {{"a"}}), FromLabels({tree}, {{"b"}})}, {{{0, 0}, {1, 0}}}, {}};
  const Report report = AttackOne(linked, Anonymity({{0, 0}, {1, 0}}, {}, {0}, 2));
  EXPECT_TRUE(report.satisfied);
  EXPECT_TRUE(report.join_rows == 0);
  EXPECT_EQ(report.requirements[0].anonymity, std::nullopt);
  EXPECT_TRUE(report.requirements[0].worst.empty());
  EXPECT_EQ(Only(linked, Linkability({{0, 0}}, {{1, 0}})).linkability, std::nullopt);
}

// The paper's case 2 adds up |P2| over the pairs of one x. Where T2 is the more general one, a
// partition of it is in several pairs, and its rows would count twice.
TEST(Attack, APartitionOfTheEarlierTableInSeveralPairs) {
  const Tree tree = MakeTree({{"a", "*"}, {"b", "*"}});
  const Linked linked = {
      {FromLabels({tree, nullptr}, {{"a", "1"}, {"b", "1"}}), FromLabels({tree}, {{"*"}})},
      {{{0, 0}, {1, 0}}},
      {}};
  const RequirementReport found = Only(linked, Anonymity({{0, 1}, {1, 0}}, {}, {1}, 2));
  EXPECT_EQ(found.anonymity, 1u);
  EXPECT_TRUE(found.worst[0].records == 2);
}

// Where Lemma 4.2 fails: the same four people in both tables, and X lacks the join column `ward`.
// The specialisation of `city` takes partners away from both x, and more of those with the disease.
class LinkabilityFalls : public ::testing::Test {
 protected:
  Tree city_ = MakeTree({{"c1", "*"}, {"c2", "*"}});
  Tree ward_ = MakeTree({{"w1", "*"}, {"w2", "*"}, {"w3", "*"}});

  // Columns: city, ward, in one of the tables disease.
  Linked Tables(bool city_known, bool disease_in_first) const {
    const std::vector<std::vector<std::string>> people = {
        {"c1", "w1", "1"}, {"c2", "w1", "1"}, {"c1", "w2", "0"}, {"c2", "w3", "0"}};
    Linked linked = {{}, {{{0, 0}, {1, 0}}, {{0, 1}, {1, 1}}}, {}};
    for (const bool first : {true, false}) {
      auto rows = people;
      for (auto& row : rows) {
        if (first && !city_known) row[0] = "*";
        if (first != disease_in_first) row.pop_back();
      }
      std::vector<Tree> trees = {city_, ward_, nullptr};
      trees.resize(rows[0].size());
      linked.tables.push_back(FromLabels(trees, rows));
    }
    return linked;
  }
};

TEST_F(LinkabilityFalls, WithTheSensitiveColumnInTheEarlierTable) {
  for (const std::vector<Attribute>& x :
       {std::vector<Attribute>{{0, 0}}, std::vector<Attribute>{{0, 0}, {1, 0}}}) {
    const Requirement requirement = Linkability(x, {{1, 2}}, 0.5);
    const Report before = AttackOne(Tables(false, false), requirement);
    const Report after = AttackOne(Tables(true, false), requirement);
    EXPECT_EQ(before.requirements[0].linkability, 2.0 / 3);
    EXPECT_EQ(after.requirements[0].linkability, 0.5);
    EXPECT_FALSE(before.satisfied);
    EXPECT_TRUE(after.satisfied);
    EXPECT_THAT(before.dangling, ElementsAre(0, 0));
    EXPECT_THAT(after.dangling, ElementsAre(0, 0));
  }
}

TEST_F(LinkabilityFalls, WithTheSensitiveColumnInTheNewTable) {
  for (const std::vector<Attribute>& x :
       {std::vector<Attribute>{{0, 0}}, std::vector<Attribute>{{0, 0}, {1, 0}}}) {
    const Requirement requirement = Linkability(x, {{0, 2}}, 0.5);
    EXPECT_EQ(Only(Tables(false, true), requirement).linkability, 2.0 / 3);
    EXPECT_EQ(Only(Tables(true, true), requirement).linkability, 0.5);
  }
}

TEST_F(LinkabilityFalls, NotWhereXNamesAllJoinColumns) {
  const Requirement requirement = Linkability({{0, 0}, {1, 0}, {0, 1}, {1, 1}}, {{1, 2}}, 0.5);
  EXPECT_EQ(Only(Tables(false, false), requirement).linkability, 1.0);
  EXPECT_EQ(Only(Tables(true, false), requirement).linkability, 1.0);
}

}  // namespace
}  // namespace reissue::models::xy
