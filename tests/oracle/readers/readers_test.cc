// The readers on examples whose answers are known, and short runs of them against the program.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "desk.h"
#include "identities.h"
#include "model.h"
#include "runs.h"
#include "tree.h"
#include "trial.h"

namespace reissue::readers {
namespace {

constexpr std::uint64_t kCases = 100, kSeed = 1;

// So many rows that are alike.
void Add(std::size_t times, const Fields& row, Sheet& sheet) {
  sheet.rows.insert(sheet.rows.end(), times, row);
}

Case Cells(const std::string& model, const Fields& columns, std::map<std::string, double> asked) {
  Case one;
  one.model = model;
  AddTrees(columns, one);
  one.columns += "disease = { role = \"sensitive\" }\n";
  one.asked = std::move(asked);
  return one;
}

Case Wards(double m, double e, const std::vector<std::vector<Fields>>& releases) {
  Case one;
  one.model = "m-invariance";
  one.columns =
      "owner = { role = \"identifier\" }\nage = { role = \"quasi\", type = \"numeric\" }\n"
      "disease = { role = \"sensitive\" }\n";
  one.asked = {{"m", m}, {"e", e}};
  for (const auto& rows : releases) one.sheets.push_back({{"owner", "group", "disease"}, rows});
  return one;
}

Case Clinic(std::map<std::string, double> asked, const std::vector<Fields>& rows) {
  Case one;
  one.model = "j-similarity";
  one.columns =
      "id = { role = \"identifier\" }\nsex = { role = \"quasi\" }\n"
      "disease = { role = \"sensitive\" }\n";
  one.asked = std::move(asked);
  one.asked.insert({{"k", 1}, {"j", 1}, {"beta", 100}});
  one.knowledge = {{"prior", "prior.csv"}};
  one.files["prior.csv"] = "sex,disease,probability\nf,u,0.9\nf,v,0.1\nm,u,0.5\nm,v,0.5\n";
  one.sheets = {{{"id", "group", "sex", "disease"}, rows}};
  return one;
}

Finding Read(const Model& model, const Case& one) { return model.Read(one, one.sheets).value(); }

TEST(ReadersTest, OneReleaseCountsWhoeverIsInACellThatBreaksAPromise) {
  Case one = Cells("k", {"place"}, {{"k", 2}, {"alpha", 0.5}});
  one.sheets = {
      {{"place", "disease"}, {{"A", "u"}, {"A", "u"}, {"A", "v"}, {"B", "u"}, {"B", "v"}}}};
  const Finding found = Read(*OneRelease(), one);
  EXPECT_EQ(found.verdict, Verdict::kBroken);
  EXPECT_EQ(found.numbers.at("exposed"), 3);
}

// Tables 1 and 2 of Fung and others, as docs/growing-tables.md has them; Europe is A.
TEST(ReadersTest, GrowingLeavesFourOfFive) {
  Case one = Cells("bcf", {"place"}, {{"k", 5}});
  one.sheets.assign(2, Sheet{{"place", "disease"}, {}});
  Add(3, {"A", "flu"}, one.sheets[0]);
  Add(2, {"A", "hiv"}, one.sheets[0]);
  Add(3, {"a1", "flu"}, one.sheets[1]);
  Add(2, {"a1", "hiv"}, one.sheets[1]);
  Add(2, {"a2", "flu"}, one.sheets[1]);
  Add(3, {"a2", "hiv"}, one.sheets[1]);
  const Finding found = Read(*Growing(), one);
  EXPECT_EQ(found.verdict, Verdict::kBroken);
  EXPECT_EQ(found.numbers.at("left"), 4);
  EXPECT_EQ(found.numbers.at("exposed"), 15);
}

TEST(ReadersTest, GrowingNeedsATableThatOnlyGrows) {
  Case one = Cells("bcf", {"place"}, {{"k", 1}});
  one.sheets = {{{"place", "disease"}, {{"A", "u"}}}, {{"place", "disease"}, {{"b1", "u"}}}};
  EXPECT_EQ(Read(*Growing(), one).verdict, Verdict::kNotOneSeries);
}

// docs/design/0008: whoever does not know that starred rows stay so has more rows left of
// everybody, other shares, and thinks that somebody may have been starred since.
TEST(ReadersTest, GrowingKnowsTheRuleOfStars) {
  Case one = Cells("bcf", {"place"}, {{"k", 2}, {"alpha", 0.6}, {"suppression", 2}});
  one.columns += "id = { role = \"identifier\" }\n";
  one.settings["recoding"] = "local";
  one.sheets.assign(2, Sheet{{"place", "disease"}, {}});
  for (const char* disease : {"u", "v"}) {
    Add(2, {"a1", disease}, one.sheets[0]);
    Add(3, {"a1", disease}, one.sheets[1]);
  }
  Add(1, {"*", "u"}, one.sheets[1]);
  Add(1, {"*", "w"}, one.sheets[1]);
  Desk desk;
  const auto read = [&] {
    const Finding found = Read(*Growing(), one);
    EXPECT_EQ(Difference(found, desk.Audit(one, one.sheets)), "");
    return found;
  };
  const Finding knowing = read();
  EXPECT_EQ(knowing.verdict, Verdict::kKept);
  EXPECT_EQ(knowing.numbers.at("left"), 2);
  one.asked.erase("suppression");
  const Finding plain = read();
  EXPECT_EQ(plain.verdict, Verdict::kBroken);
  EXPECT_EQ(plain.numbers.at("left"), 1);
}

// Table 1 of Wang and Fung: seven pairs, and all of Alice's have cancer.
TEST(ReadersTest, LinkedJoinsWhatMatches) {
  Case one;
  one.model = "xy";
  one.requirements.push_back({true, {"name", "place"}, {}, "prior.disease", {{"cancer", 0.5}}, 0});
  one.sheets = {
      {{"name", "place"},
       {{"Alice", "a1"}, {"Alice", "a1"}, {"Bob", "a2"}, {"Bob", "b1"}, {"Cathy", "b2"}}}};
  one.priors = {
      {{"place", "disease"},
       {{"a1", "cancer"}, {"a1", "cancer"}, {"a2", "hiv"}, {"b1", "cancer"}, {"b2", "hiv"}}}};
  const Finding found = Read(*Linked(), one);
  EXPECT_EQ(found.verdict, Verdict::kBroken);
  EXPECT_EQ(found.numbers.at("records"), 7);
  EXPECT_EQ(found.numbers.at("linkability 1"), 1);
  EXPECT_EQ(found.numbers.at("violating 1"), 2);
}

// Every group has two values for everybody, and all of them together one for c and for d.
TEST(ReadersTest, ChangingTriesAllGroupsTogether) {
  const Finding found =
      Read(*Changing(), Wards(2, 2,
                              {{{"a", "1", "u"}, {"b", "1", "v"}, {"c", "1", "u"}},
                               {{"a", "1", "u"}, {"b", "1", "v"}, {"d", "1", "v"}}}));
  EXPECT_EQ(found.verdict, Verdict::kBroken);
  EXPECT_EQ(found.numbers.at("exposed by association"), 2);
}

TEST(ReadersTest, ChangingNoticesWhoTookWhosePlace) {
  const auto wards = [](double e) {
    return Wards(
        2, e,
        {{{"alice", "1", "u"}, {"bob", "1", "v"}}, {{"alice", "1", "u"}, {"greg", "1", "v"}}});
  };
  EXPECT_EQ(Read(*Changing(), wards(2)).numbers.at("exposed by equivalence"), 2);
  EXPECT_EQ(Read(*Changing(), wards(1)).verdict, Verdict::kKept);
}

// docs/design/0004: no weights prove it, and all worlds do.
TEST(ReadersTest, ChangingTriesWholeNumbers) {
  const Finding found =
      Read(*Changing(), Wards(3, 2,
                              {{{"a", "1", "u"}, {"b", "1", "v"}, {"c", "1", "w"}},
                               {{"a", "1", "u"}, {"d", "1", "v"}, {"g", "1", "w"}},
                               {{"f", "1", "u"}, {"b", "1", "v"}, {"g", "1", "w"}}}));
  EXPECT_EQ(found.verdict, Verdict::kBroken);
  EXPECT_EQ(found.numbers.at("exposed by association"), 0);
}

TEST(ReadersTest, EvolvingMultipliesHerPriors) {
  const std::vector<Fields> rows = {{"p1", "1", "f", "u"}, {"p2", "1", "m", "v"}};
  EXPECT_EQ(Read(*Evolving(), Clinic({{"max_belief", 0.9}}, rows)).verdict, Verdict::kKept);
  EXPECT_EQ(Read(*Evolving(), Clinic({{"max_belief", 0.85}}, rows)).verdict, Verdict::kBroken);
  // 0.9 was 0.9 before; her belief in p2's value went from 0.5 to 0.9, from one half of the group.
  EXPECT_EQ(Read(*Evolving(), Clinic({{"max_gain", 0.8}}, rows)).verdict, Verdict::kKept);
  EXPECT_EQ(Read(*Evolving(), Clinic({{"max_gain", 0.79}}, rows)).verdict, Verdict::kBroken);
}

TEST(ReadersTest, EvolvingCallsCertaintyAGain) {
  const std::vector<Fields> rows = {{"p1", "1", "f", "u"}, {"p2", "1", "m", "u"}};
  EXPECT_EQ(Read(*Evolving(), Clinic({{"max_gain", 1}}, rows)).verdict, Verdict::kBroken);
}

TEST(ReadersTest, EveryModelHasOne) {
  Fields names;
  for (const auto& model : AllModels()) names.push_back(model->name());
  EXPECT_THAT(names, ::testing::UnorderedElementsAreArray(Desk::Models()));
}

// What a run found, in the log of the test.
void ExpectAgreement(const Tally& tally) {
  std::printf("%s", LineOf(tally).c_str());
  EXPECT_GT(tally.cases, kCases / 4);
  EXPECT_TRUE(tally.disagreements.empty()) << tally.disagreements.front();
}

void Agree(const Model& model) {
  Desk desk;
  std::printf("%s", TallyHeader().c_str());
  ExpectAgreement(TryForeign(model, AuditorOf(desk), kCases, kSeed));
  ExpectAgreement(TryPublished(model, PublisherOf(desk), AuditorOf(desk), kCases, kSeed));
}

TEST(ReadersTest, AgreeOnOneRelease) { Agree(*OneRelease()); }
TEST(ReadersTest, AgreeOnGrowing) { Agree(*Growing()); }
// Rows that tell nothing beside others that do.
bool HasStars(const Sheet& released) {
  std::size_t starred = 0;
  for (const Fields& row : released.rows) {
    starred += std::all_of(row.begin(), row.end() - 1,
                           [](const std::string& label) { return label == "*"; });
  }
  return starred > 0 && starred < released.rows.size();
}

// Of the series that are tried some have starred rows.
TEST(ReadersTest, GrowingMeetsStars) {
  const auto model = Growing();
  Desk desk;
  Chance chance(kSeed);
  std::size_t foreign = 0, published = 0, later = 0;
  for (std::uint64_t i = 0; i < 10 * kCases; ++i) {
    const Case one = model->Foreign(chance);
    foreign += one.Asks("suppression") && std::ranges::any_of(one.sheets, HasStars);
    const Case tables = model->Tables(chance);
    if (!tables.Asks("suppression")) continue;
    const auto released = desk.Publish(tables, i, /*verify=*/false).released;
    if (!std::ranges::any_of(released, HasStars) || !model->Read(tables, released)) continue;
    ++published;
    later += !HasStars(released.front());
  }
  std::printf("starred: %zu foreign, %zu published, %zu of these first later\n", foreign, published,
              later);
  EXPECT_GT(foreign, kCases / 2);
  EXPECT_GT(published, 20u);
  EXPECT_GT(later, 10u);
}

TEST(ReadersTest, AgreeOnLinked) { Agree(*Linked()); }
TEST(ReadersTest, AgreeOnChanging) { Agree(*Changing()); }

// In a process of its own: the program may end itself where it finds a bug of its own.
TEST(ReadersTest, AgreeOnEvolving) {
  const auto agree = [] {
    Agree(*Evolving());
    std::exit(HasFailure() ? 1 : 0);
  };
  EXPECT_EXIT(agree(), ::testing::ExitedWithCode(0), "");
}

// Where the program and a reader of such files differ.
std::string DifferenceOn(const Model& model, const Case& one) {
  Desk desk;
  return Difference(Read(model, one), desk.Audit(one, one.sheets));
}

TEST(ReadersTest, TheAuditCombinesGroups) {
  EXPECT_EQ(DifferenceOn(*Changing(), Wards(2, 2,
                                            {{{"a", "1", "u"}, {"b", "1", "v"}, {"c", "1", "u"}},
                                             {{"a", "1", "u"}, {"b", "1", "v"}, {"d", "1", "v"}}})),
            "");
}

// Everybody's value is certain, so everybody has the same as somebody else.
TEST(ReadersTest, TheAuditCountsEverybodyInEqualities) {
  const Case one = Wards(2, 2,
                         {{{"p5", "1", "w"}, {"p2", "1", "w"}},
                          {{"p7", "1", "w"}, {"p8", "2", "w"}, {"p1", "3", "w"}, {"p2", "3", "w"}},
                          {{"p5", "1", "w"}, {"p3", "1", "w"}, {"p6", "2", "w"}}});
  EXPECT_EQ(Read(*Changing(), one).numbers.at("exposed by equivalence"), 7);
  EXPECT_EQ(DifferenceOn(*Changing(), one), "");
}

// Release 1 by itself is too far from its own shares, and from those of release 2 it is not.
TEST(ReadersTest, TheAuditCountsWhoIsExposedByOneReleaseOfASeries) {
  Case one = Cells("bcf", {"place"}, {{"t", 0.3}});
  one.sheets.assign(2, Sheet{{"place", "disease"}, {}});
  Add(1, {"a1", "u"}, one.sheets[0]);
  Add(1, {"a1", "v"}, one.sheets[0]);
  Add(6, {"b1", "v"}, one.sheets[0]);
  Add(3, {"*", "u"}, one.sheets[1]);
  Add(9, {"*", "v"}, one.sheets[1]);
  EXPECT_EQ(Read(*Growing(), one).numbers.at("exposed"), 2);
  EXPECT_EQ(DifferenceOn(*Growing(), one), "");
}

// A bound on what is true would tell that whatever is believed more is false.
TEST(ReadersTest, TheAuditBoundsBeliefInEveryValue) {
  EXPECT_EQ(DifferenceOn(*Evolving(), Clinic({{"max_belief", 0.85}},
                                             {{"p1", "1", "f", "v"}, {"p2", "1", "m", "u"}})),
            "");
}

TEST(ReadersTest, TheAuditCallsCertaintyAGain) {
  EXPECT_EQ(DifferenceOn(*Evolving(),
                         Clinic({{"max_gain", 1}}, {{"p1", "1", "f", "u"}, {"p2", "1", "m", "u"}})),
            "");
}

// Of whom she was told the value the release tells her nothing.
TEST(ReadersTest, TheAuditPassesOverWhoIsKnown) {
  Case one = Clinic(
      {{"max_gain", 0.9}},
      {{"p1", "1", "f", "u"}, {"p2", "1", "m", "v"}, {"p3", "1", "m", "u"}, {"p4", "1", "m", "v"}});
  one.knowledge["compromised"] = "known.csv";
  one.files["known.csv"] = "id,disease,release,confidence\np3,u,1,1\np4,v,1,1\n";
  EXPECT_EQ(Read(*Evolving(), one).verdict, Verdict::kKept);
  EXPECT_EQ(DifferenceOn(*Evolving(), one), "");
}

// One leaves, the other leaves, one comes back.
TEST(ReadersTest, PublishedReturnsKeepTheirPromise) {
  Case one = Wards(2, 2, {});
  const Fields header = {"owner", "age", "disease"}, p = {"p", "22", "u"}, q = {"q", "24", "w"};
  one.sheets = {{header, {p, q}}, {header, {p}}, {header, {q}}};
  Desk desk;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Desk::Published made = desk.Publish(one, seed, /*verify=*/true);
    EXPECT_EQ(made.complaint, "");
    EXPECT_EQ(Changing()->Read(one, made.released)->words, "");
  }
}

// A reader who runs the publisher knows at least what the files tell.
TEST(ReadersTest, RunningThePublisherTellsNoLessThanFiles) {
  Desk desk;
  std::vector<Rates> rates;
  Chance chance(kSeed);
  std::vector<Setting> settings = {GrowingSetting(chance), LinkedSetting(chance),
                                   EvolvingSetting(chance), ChangingSetting(2)};
  for (Setting& setting : settings) {
    setting.seeds = 1;
    RunPublisher(setting, PublisherOf(desk, /*verify=*/false), rates);
  }
  std::printf("%s", RatesHeader().c_str());
  for (const Rates& line : rates) {
    std::printf("%s", LineOf(line).c_str());
    EXPECT_GT(line.cases, 0) << line.model;
    EXPECT_LE(line.told, line.certain) << line.model;
    EXPECT_LE(line.certain, static_cast<double>(line.people)) << line.model;
  }
}

}  // namespace
}  // namespace reissue::readers
