// Evolving tables through files: whatever comes, goes and changes, every release keeps its promise,
// and what publishing, the vault and the holder's copies say of it is the same.

#include <limits>
#include <set>

#include "engine_fixture.h"
#include "reissue/io/csv.h"
#include "reissue/models/invariance/service/audit.h"
#include "reissue/models/similarity/service/report.h"
#include "reissue/models/similarity/service/state.h"

namespace reissue::models::similarity::service {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class EvolvingTest : public EngineTest {
 protected:
  struct Person {
    std::string id, age, town;
    std::size_t illness = 0;
  };
  static constexpr const char* kStages[] = {"well", "mild", "\"bad, rather\"", "worst", "other"};

  std::string WriteEvolving(const std::string& guarantee, const std::string& knowledge) {
    Write("town.csv", "Aton;North;*\nBury;North;*\nCorm;South;*\nDale;South;*\n");
    std::string prior = "age,illness,probability\n";
    std::string transition = "from,to,probability\n";
    for (const char* age : {"\"[0,50)\"", "\"[50,200)\""}) {
      for (std::size_t s = 0; s < 5; ++s) {
        prior += std::string(age) + "," + kStages[s] + ",0.2\n";
      }
    }
    for (std::size_t from = 0; from < 5; ++from) {
      for (std::size_t to = 0; to < 5; ++to) {
        transition += std::string(kStages[from]) + "," + kStages[to] + "," +
                      (from == to ? "0.4" : "0.15") + "\n";
      }
    }
    Write("prior.csv", prior);
    Write("transition.csv", transition);
    Write("known.csv", "patient,illness,release,confidence\nnobody,well,1,0.5\n");
    return Write("policy.toml",
                 "title = \"Ward\"\n[columns]\npatient = { role = \"identifier\" }\n"
                 "age = { role = \"quasi\", type = \"numeric\" }\n"
                 "town = { role = \"quasi\", taxonomy = \"town.csv\" }\n"
                 "shoe = { role = \"publish\" }\nillness = { role = \"sensitive\", order = "
                 "[\"well\", \"mild\", \"bad, rather\", \"worst\", \"other\"] }\n"
                 "[guarantee]\nmodel = \"j-similarity\"\nk = 3\nj = 0.7\n" +
                     guarantee + "[knowledge]\n" + knowledge);
  }

  Person NewPerson(Random& random) {
    static const char* const kTowns[] = {"Aton", "Bury", "Corm", "Dale"};
    return {"SECRET" + std::to_string(1000 + next_++), std::to_string(20 + random.Below(60)),
            kTowns[random.Below(4)], random.Below(5)};
  }

  void Change(Random& random) {
    std::vector<Person> stay;
    for (Person& person : there_) {
      if (random.Below(5) == 0) {
        gone_.push_back(person);
        continue;
      }
      if (random.Below(3) == 0) person.illness = random.Below(5);
      stay.push_back(person);
    }
    there_ = std::move(stay);
    for (std::size_t i = random.Below(12); i > 0; --i) there_.push_back(NewPerson(random));
    while (!gone_.empty() && random.Below(2) == 0) {
      there_.push_back(gone_.back());
      gone_.pop_back();
    }
  }

  std::string WritePeople(const std::string& name) {
    std::string text = "patient,age,town,shoe,illness\n";
    for (const Person& person : there_) {
      text += person.id + "," + person.age + "," + person.town + ",40," + kStages[person.illness] +
              "\n";
    }
    return Write(name, text);
  }

  Result<contract::PublishReport> PublishNow(const std::string& policy, std::size_t number,
                                             std::uint64_t seed) {
    const std::string n = std::to_string(number);
    contract::PublishRequest request = Request(policy, WritePeople("t" + n + ".csv"));
    request.out = Path("R" + n + ".csv");
    request.holder_copy = Path("H" + n + ".csv");
    request.seed = seed;
    return engine::Publish(request, context_);
  }

  // What publishing said of each release.
  std::vector<contract::PublishReport> Stream(const std::string& policy, std::uint64_t seed,
                                              std::size_t releases) {
    Random random = Random::Seeded(seed);
    there_.clear();
    gone_.clear();
    for (int i = 0; i < 50; ++i) there_.push_back(NewPerson(random));
    std::vector<contract::PublishReport> reports;
    for (std::size_t i = 1; i <= releases; ++i) {
      auto report = PublishNow(policy, reports.size() + 1, seed + i);
      EXPECT_TRUE(report.has_value()) << report.error().ToString();
      if (report) {
        EXPECT_EQ(report->rows_in, there_.size());
        reports.push_back(std::move(*report));
      }
      Change(random);
    }
    return reports;
  }

  std::vector<std::string> Copies(std::size_t releases) const {
    std::vector<std::string> paths;
    for (std::size_t i = 1; i <= releases; ++i) {
      paths.push_back(Path("H" + std::to_string(i) + ".csv"));
    }
    return paths;
  }

  contract::AuditReport AuditCopiesOf(const std::string& policy, std::size_t releases) {
    const auto read = io::ReadPolicy(context_.files, policy);
    auto audit = engine::Audit(*read, Copies(releases), context_, 1000);
    EXPECT_TRUE(audit.has_value()) << audit.error().ToString();
    return audit ? *audit : contract::AuditReport{};
  }
  contract::AuditReport AuditVaultNow() {
    ledger::Passphrase none;
    none.none = true;
    auto audit = engine::AuditVault(Path("vault"), "", none, context_, 1000);
    EXPECT_TRUE(audit.has_value()) << audit.error().ToString();
    return audit ? *audit : contract::AuditReport{};
  }

  static const ReaderFindings& Of(const EvolvingFindings& release, const std::string& reader) {
    for (const ReaderFindings& each : release.readers) {
      if (each.estimator == reader) return each;
    }
    ADD_FAILURE() << reader;
    return release.readers[0];
  }

  static void ExpectSame(const EvolvingFindings& a, const EvolvingFindings& b,
                         const std::string& reader) {
    EXPECT_EQ(a.rows, b.rows);
    EXPECT_EQ(a.groups, b.groups);
    EXPECT_EQ(a.shape.k, b.shape.k);
    EXPECT_NEAR(a.shape.j, b.shape.j, 1e-12);
    EXPECT_NEAR(a.shape.beta, b.shape.beta, 1e-12);
    EXPECT_NEAR(a.shape.t, b.shape.t, 1e-12);
    EXPECT_NEAR(Of(a, reader).mean_gain, Of(b, reader).mean_gain, 1e-12);
    EXPECT_NEAR(Of(a, reader).strongest, Of(b, reader).strongest, 1e-12);
  }

  void Clear() {
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_);
  }

  std::vector<Person> there_, gone_;
  std::size_t next_ = 0;
};

TEST_F(EvolvingTest, WhateverComesGoesAndChangesThePromiseIsKept) {
  const std::vector<std::pair<std::string, std::string>> policies = {
      {"beta = 4\n", ""},
      {"beta = 4\nmax_belief = 0.8\n", "prior = \"prior.csv\"\ntransition = \"transition.csv\"\n"},
      {"t = 0.6\nagainst = \"bayes\"\nties = \"shared\"\ncascade = \"posterior\"\n"
       "max_belief = 0.7\n",
       "prior = \"prior.csv\"\ntransition = \"transition.csv\"\ncompromised = \"known.csv\"\n"},
      {"beta = 6\nagainst = \"bayes\"\nmax_belief = 0.7\nalgorithm = \"bkaa\"\n",
       "prior = \"learned\"\ntransition = \"learned\"\n"},
      {"t = 0.5\ndistance = \"ordered\"\nmax_gain = 0.6\nalgorithm = \"js-reduce\"\n",
       "prior = \"learned\"\ntransition = \"learned\"\nsteps = 2\n"},
      {"t = 0.04\nagainst = \"bayes\"\nmax_belief = 0.9\nalgorithm = \"js-reduce\"\n",
       "prior = \"learned\"\ntransition = \"learned\"\n"},
      {"beta = 3\nt = 0.5\nagainst = \"sum\"\nleftover = \"counterfeit\"\n",
       "prior = \"prior.csv\"\ntransition = \"learned\"\n"},
  };
  std::uint64_t suppressed = 0, repaired = 0;
  for (std::size_t p = 0; p < policies.size(); ++p) {
    SCOPED_TRACE(policies[p].first + policies[p].second);
    Clear();
    const std::string policy = WriteEvolving(policies[p].first, policies[p].second);
    const std::vector<contract::PublishReport> reports = Stream(policy, 100 * p, 8);
    ASSERT_EQ(reports.size(), 8U);
    const contract::AuditReport copies = AuditCopiesOf(policy, 8), vault = AuditVaultNow();
    EXPECT_TRUE(copies.satisfied);
    EXPECT_TRUE(vault.satisfied);
    ASSERT_EQ(copies.findings.As<SimilarityFindings>().releases.size(), 8U);
    ASSERT_EQ(vault.findings.As<SimilarityFindings>().releases.size(), 8U);
    for (std::size_t r = 0; r < 8; ++r) {
      SCOPED_TRACE(r);
      const EvolvingFindings& published =
          reports[r].audit.findings.As<SimilarityFindings>().releases[0];
      ExpectSame(published, vault.findings.As<SimilarityFindings>().releases[r],
                 reports[r].details.As<EvolvedRows>().against);
      ExpectSame(published, copies.findings.As<SimilarityFindings>().releases[r],
                 reports[r].details.As<EvolvedRows>().against);
      EXPECT_DOUBLE_EQ(published.penalty,
                       vault.findings.As<SimilarityFindings>().releases[r].penalty);
      EXPECT_DOUBLE_EQ(published.linkage,
                       vault.findings.As<SimilarityFindings>().releases[r].linkage);
      EXPECT_EQ(published.suppressed,
                vault.findings.As<SimilarityFindings>().releases[r].suppressed);
      suppressed += published.suppressed;
      repaired += reports[r].details.As<EvolvedRows>().repaired;
      const std::string out = reports[r].out;
      const auto verified = engine::Verify(out + ".certificate.json", {out}, context_);
      ASSERT_TRUE(verified.has_value()) << verified.error().ToString();
      EXPECT_TRUE(verified->valid) << testing::PrintToString(verified->failures);
      EXPECT_THAT(Read("R" + std::to_string(r + 1) + ".csv"), Not(HasSubstr("SECRET")));
    }
  }
  // Else nothing of it was tried.
  EXPECT_GT(suppressed, 0U);
  EXPECT_GT(repaired, 0U);
}

TEST_F(EvolvingTest, WhatBecomesKnownLaterChangesWhatSheBelieves) {
  const std::string policy = WriteEvolving(
      "beta = 4\n",
      "prior = \"prior.csv\"\ntransition = \"transition.csv\"\ncompromised = \"known.csv\"\n");
  Random random = Random::Seeded(5);
  for (int i = 0; i < 40; ++i) there_.push_back(NewPerson(random));
  const auto first = PublishNow(policy, 1, 1);
  ASSERT_TRUE(first.has_value()) << first.error().ToString();
  const double before =
      Of(AuditVaultNow().findings.As<SimilarityFindings>().releases[0], "exact").mean_gain;
  std::string known = "patient,illness,release,confidence\n";
  for (std::size_t i = 0; i < 10; ++i) {
    known += there_[i].id + "," + kStages[there_[i].illness] + ",1," + (i < 5 ? "1" : "0.9") + "\n";
  }
  Write("known.csv", known);
  const auto second = PublishNow(policy, 2, 2);
  ASSERT_TRUE(second.has_value()) << second.error().ToString();
  EXPECT_TRUE(second->details.As<EvolvedRows>().replayed);
  const contract::AuditReport vault = AuditVaultNow(), copies = AuditCopiesOf(policy, 2);
  EXPECT_GT(Of(vault.findings.As<SimilarityFindings>().releases[0], "exact").mean_gain, before);
  ExpectSame(vault.findings.As<SimilarityFindings>().releases[1],
             second->audit.findings.As<SimilarityFindings>().releases[0], "exact");
  ExpectSame(vault.findings.As<SimilarityFindings>().releases[1],
             copies.findings.As<SimilarityFindings>().releases[1], "exact");
  // Nothing new: nothing is computed anew.
  const auto third = PublishNow(policy, 3, 3);
  ASSERT_TRUE(third.has_value()) << third.error().ToString();
  EXPECT_FALSE(third->details.As<EvolvedRows>().replayed);
}

TEST_F(EvolvingTest, GroupsOfOneValueAndTooSmallOnesAreFound) {
  const std::string policy = WriteEvolving("beta = 4\n", "");
  Write("H1.csv",
        "patient,group,age,town,illness\nAnn,1,20,Aton,well\nBob,1,21,Aton,well\n"
        "Cay,1,22,Bury,well\nDan,2,50,Corm,mild\nEve,2,51,Corm,other\n");
  const contract::AuditReport audit = AuditCopiesOf(policy, 1);
  EXPECT_FALSE(audit.satisfied);
  const EvolvingFindings& release = audit.findings.As<SimilarityFindings>().releases[0];
  EXPECT_EQ(release.shape.k, 2U);
  EXPECT_EQ(release.broken, std::vector<std::string>{"k"});
  EXPECT_EQ(audit.findings.As<SimilarityFindings>().exposed, 3U);
  std::set<std::string> who;
  for (const ExposedPerson& person : audit.findings.As<SimilarityFindings>().strongest) {
    who.insert(person.id);
    EXPECT_TRUE(person.same_values);
    EXPECT_EQ(person.value, "well");
    EXPECT_EQ(person.belief, 1);
  }
  EXPECT_EQ(who, (std::set<std::string>{"Ann", "Bob", "Cay"}));
}

TEST_F(EvolvingTest, CopiesThatLackSomethingAreRefused) {
  const std::string policy = WriteEvolving("beta = 4\n", "");
  const auto read = io::ReadPolicy(context_.files, policy);
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {"patient,age,town,illness\nAnn,20,Aton,well\n", "lacks this column"},
      {"patient,group,town,illness\nAnn,1,Aton,well\n", "lacks this column"},
      {"patient,group,age,town\nAnn,1,20,Aton\n", "lacks this column"},
      {"patient,group,age,town,illness\nAnn,1,20,Aton,well\nAnn,1,21,Aton,mild\n",
       "stands on line 2 already"},
      {"patient,group,age,town,illness\nAnn,1,old,Aton,well\n", "a number was expected"},
      {"patient,group,age,town,illness,shown\nAnn,1,20,Aton,well,purple\n",
       "no value of the series"},
  };
  for (const auto& [text, words] : wrong) {
    const auto audit = engine::Audit(*read, {Write("H.csv", text)}, context_);
    ASSERT_FALSE(audit.has_value()) << text;
    EXPECT_THAT(audit.error().ToString(), HasSubstr(words));
    EXPECT_THAT(audit.error().ToString(), Not(HasSubstr("purple")));
  }
}

TEST_F(EvolvingTest, ATamperedReleaseDoesNotVerify) {
  const std::string policy = WriteEvolving("beta = 4\n", "");
  ASSERT_EQ(Stream(policy, 3, 1).size(), 1U);
  std::string release = Read("R1.csv");
  const std::size_t well = release.find(",well,");
  ASSERT_NE(well, std::string::npos);
  release.replace(well, 6, ",mild,");
  Write("other.csv", release);
  const auto verified =
      engine::Verify(Path("R1.csv.certificate.json"), {Path("other.csv")}, context_);
  ASSERT_TRUE(verified.has_value());
  EXPECT_FALSE(verified->valid);
  const auto many = engine::Verify(Path("R1.csv.certificate.json"),
                                   {Path("R1.csv"), Path("other.csv")}, context_);
  EXPECT_EQ(many.error().code, ErrorCode::kUsage);
}

TEST_F(EvolvingTest, TooFewPeopleLeaveNothingBehind) {
  const std::string policy = WriteEvolving("beta = 4\n", "");
  Random random = Random::Seeded(1);
  there_ = {NewPerson(random), NewPerson(random)};
  const auto report = PublishNow(policy, 1, 1);
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().code, ErrorCode::kPromise);
  for (const char* name : {"vault", "R1.csv", "H1.csv", "R1.csv.certificate.json"}) {
    EXPECT_FALSE(std::filesystem::exists(Path(name))) << name;
  }
}

TEST_F(EvolvingTest, TheSameForAnyNumberOfThreads) {
  std::vector<std::string> releases;
  for (const std::size_t threads : {1, 3}) {
    Clear();
    next_ = 0;
    ThreadPool pool(threads);
    binding::Context context{io::SystemFiles(), pool, progress_};
    const std::string policy = WriteEvolving("beta = 4\nmax_belief = 0.8\n", "");
    Random random = Random::Seeded(9);
    there_.clear();
    for (int i = 0; i < 60; ++i) there_.push_back(NewPerson(random));
    contract::PublishRequest request = Request(policy, WritePeople("t.csv"));
    const auto report = engine::Publish(request, context);
    ASSERT_TRUE(report.has_value()) << report.error().ToString();
    releases.push_back(Read("release.csv"));
  }
  EXPECT_EQ(releases[0], releases[1]);
}

TEST(EvolvingState, IsKeptAsItIs) {
  EvolvingState state;
  state.releases = 2;
  state.keys = {{1, 2, 3}, {4, 5, 6}, {7}};
  state.person_beliefs[0].seen = {{0.25, 0.75, 0}, {0, 1, 0}};
  state.person_beliefs[2].seen = {{0.25, 0.75, 0}};
  state.stated = {"", "abc"};
  state.knowledge = "digest";
  state.background = std::string("\0bytes", 6);
  const std::string bytes = Save(state);
  const auto again = ParseEvolvingState(bytes);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->keys, state.keys);
  EXPECT_EQ(again->person_beliefs.size(), 2U);
  EXPECT_EQ(again->person_beliefs.at(0).seen, state.person_beliefs[0].seen);
  EXPECT_EQ(again->person_beliefs.at(2).seen, state.person_beliefs[2].seen);
  EXPECT_EQ(again->stated, state.stated);
  EXPECT_EQ(again->background, state.background);
  EXPECT_EQ(Save(*again), bytes);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(ParseEvolvingState(std::string_view(bytes).substr(0, size)).has_value()) << size;
  }
}

TEST(EvolvingState, ReleasesAreKeptAsTheyAre) {
  EvolvingRelease release;
  release.snapshot = {
      .groups = 2,
      .rows = {{0, 1, 2, 0}, {5, 0, 1, 1}, {6, models::similarity::kSuppressed, 0, 0}}};
  release.truth = {2, 0, 0};
  release.knowledge.emplace();
  release.knowledge->values = 3;
  release.knowledge->prior = {{0.5, 0.5, 0}, {0, 0, 1}};
  release.knowledge->transition.after[{1}] = {0.1, 0.2, 0.7};
  release.suppressed = 1;
  release.penalty = 1.25;
  release.linkage = 0.5;
  const std::string bytes = Save(release);
  const auto again = ParseEvolvingRelease(bytes, 3);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->snapshot.rows[2].group, models::similarity::kSuppressed);
  EXPECT_EQ(again->knowledge->transition.after, release.knowledge->transition.after);
  EXPECT_EQ(Save(*again), bytes);
  EXPECT_FALSE(ParseEvolvingRelease(bytes.substr(0, bytes.size() - 1), 3).has_value());
  EXPECT_FALSE(ParseEvolvingRelease(bytes, 2).has_value());  // nobody knows of a third value
}

// A few bytes that would take all memory, or beliefs that nobody can go on from.
TEST(EvolvingState, BeliefsThatAreNoneAreRefused) {
  constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
  models::similarity::Distribution huge(1 << 20, 0);
  huge[0] = 1;
  for (const auto& belief : {huge, {}, {0, 0}, {0.5, 0.6}, {-0.5, 1.5}, {kNoNumber, 1}}) {
    EvolvingState state;
    state.releases = 1;
    state.keys = {{1, 2, 3}};
    state.person_beliefs[0].seen = {belief};
    state.stated = {""};
    EXPECT_FALSE(ParseEvolvingState(Save(state)).has_value()) << belief.size();
    state.person_beliefs[0].seen = {{0.5, 0.5}};
    EXPECT_TRUE(ParseEvolvingState(Save(state)).has_value());
  }
}

TEST(EvolvingState, ReleasesThatCannotBeAreRefused) {
  EvolvingRelease release;
  release.snapshot = {.groups = 1, .rows = {{0, 0, 0, 0}}};
  release.knowledge.emplace();
  release.knowledge->values = 1;
  release.knowledge->prior = {{1}};
  EXPECT_TRUE(ParseEvolvingRelease(Save(release), 1).has_value());
  for (const std::uint32_t groups : {2U, 1U << 31}) {
    EvolvingRelease bent = release;
    bent.snapshot.groups = groups;
    EXPECT_FALSE(ParseEvolvingRelease(Save(bent), 1).has_value()) << groups;
  }
  for (const std::uint32_t steps : {0U, 7U, 1U << 31}) {
    EvolvingRelease bent = release;
    bent.knowledge->transition.steps = steps;
    EXPECT_FALSE(ParseEvolvingRelease(Save(bent), 1).has_value()) << steps;
  }
}

}  // namespace
}  // namespace reissue::models::similarity::service
