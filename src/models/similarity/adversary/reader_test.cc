#include "reissue/models/similarity/adversary/reader.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "reissue/core/random.h"

namespace reissue::models::similarity {
namespace {

using inference::Estimator;

// The diseases of the paper's example, in the order of its Table 6.
enum : Value {
  kFlu,
  kGastricUlcer,
  kBronchitis,
  kAlzheimer,
  kLiverInfection,
  kDiabetesI,
  kDiabetesII,
  kGerd,
  kDepression,
  kCancerI,
  kCancerII,
  kDiseases
};
enum : Person { kAlice, kBeth, kCayla, kDior, kElisa, kFiona, kGanya, kHarriet };

// Tables 6 and 7. Table 7 gives three of the diseases after each; the rest of the probability goes
// to one that nobody of the example has (liver infection), which changes no ratio among the three.
Knowledge ThePapers() {
  Knowledge knowledge;
  knowledge.values = kDiseases;
  knowledge.prior = {{0.12, 0.05, 0.05, 0.1, 0.05, 0.13, 0.12, 0.1, 0.14, 0.09, 0.05}};
  const auto after = [&](Value from, double gerd, double depression, double cancer) {
    Distribution next(kDiseases, 0);
    next[kGerd] = gerd;
    next[kDepression] = depression;
    next[kCancerII] = cancer;
    next[kLiverInfection] = 1 - gerd - depression - cancer;
    knowledge.transition.after[{from}] = next;
  };
  after(kFlu, 0.005, 0.001, 0.0001);
  after(kGastricUlcer, 0.3, 0.01, 0.001);
  after(kCancerI, 0.002, 0.1, 0.6);
  after(kBronchitis, 0.002, 0.003, 0.002);
  after(kAlzheimer, 0.002, 0.1, 0.002);
  after(kDiabetesI, 0.005, 0.001, 0.0001);
  return knowledge;
}

// Tables 3 and 5.
Snapshot First() {
  return {.groups = 2,
          .rows = {{kAlice, 0, kBronchitis, 0},
                   {kBeth, 0, kAlzheimer, 0},
                   {kCayla, 0, kCancerI, 0},
                   {kDior, 1, kGastricUlcer, 0},
                   {kElisa, 1, kFlu, 0},
                   {kFiona, 1, kDiabetesI, 0}}};
}
Snapshot Second() {
  return {.groups = 2,
          .rows = {{kCayla, 0, kCancerII, 0},
                   {kDior, 0, kGerd, 0},
                   {kElisa, 0, kDepression, 0},
                   {kFiona, 1, kDiabetesII, 0},
                   {kGanya, 1, kFlu, 0},
                   {kHarriet, 1, kAlzheimer, 0}}};
}

// Shares among GERD, depression and cancer-II.
std::vector<double> OfThree(const Distribution& all) {
  const double sum = all[kGerd] + all[kDepression] + all[kCancerII];
  return {all[kGerd] / sum, all[kDepression] / sum, all[kCancerII] / sum};
}

class Papers : public ::testing::Test {
 protected:
  Beliefs See(Reader& reader, const Snapshot& snapshot, std::vector<Statement> statements = {}) {
    return reader.See(snapshot, statements, pool_);
  }
  Knowledge knowledge_ = ThePapers();
  ThreadPool pool_{1};
};

TEST_F(Papers, TableEightAllAlikeAfterTheFirstRelease) {
  ReaderOptions options{.estimator = Estimator::kBayes, .cascade = {}, .estimate = {}};
  options.estimate.share_ties = true;  // the paper has everybody alike here
  Reader reader(knowledge_, options);
  const Beliefs beliefs = See(reader, First());
  for (std::size_t row = 0; row < 6; ++row) {
    EXPECT_NEAR(beliefs.posterior[row][First().rows[row].value], 1.0 / 3, 1e-12);
  }
  EXPECT_NEAR(beliefs.mean_gain, 0, 1e-12);
}

TEST_F(Papers, TableNineAndExampleThreeTheRevisedPriors) {
  ReaderOptions options{.estimator = Estimator::kExact, .cascade = {}, .estimate = {}};
  Reader reader(knowledge_, options);
  See(reader, First());
  const Distribution cayla = reader.PriorOf(kCayla, 0);
  EXPECT_NEAR(cayla[kCancerII], (0.002 + 0.002 + 0.6) / 3, 1e-12);  // 0.201; 0.33 each gives 0.199
  EXPECT_NEAR(cayla[kCancerII] * 0.99, 0.199, 0.0005);
  // Table 9, normalised: GERD, depression, cancer-II.
  EXPECT_NEAR(OfThree(cayla)[0], 0.007, 0.0005);
  EXPECT_NEAR(OfThree(cayla)[1], 0.25, 0.005);
  EXPECT_NEAR(OfThree(cayla)[2], 0.74, 0.005);
  for (const Person person : {kDior, kElisa}) {
    EXPECT_NEAR(OfThree(reader.PriorOf(person, 0))[0], 0.96, 0.005);
    EXPECT_NEAR(OfThree(reader.PriorOf(person, 0))[1], 0.037, 0.0005);
    EXPECT_NEAR(OfThree(reader.PriorOf(person, 0))[2], 0.003, 0.001);
  }
  // Alice and Beth stay away: she keeps what she would think of them.
  See(reader, Second());
  EXPECT_EQ(reader.PriorOf(kAlice, 0).size(), std::size_t{kDiseases});
  EXPECT_NEAR(OfThree(reader.PriorOf(kAlice, 0))[2], 0.74, 0.005);
}

TEST_F(Papers, TableTenCaylaHasCancerWithThreeSevenths) {
  ReaderOptions options{.estimator = Estimator::kBayes, .cascade = {}, .estimate = {}};
  options.estimate.share_ties = true;
  Reader reader(knowledge_, options);
  See(reader, First());
  const Beliefs beliefs = See(reader, Second());
  EXPECT_NEAR(beliefs.posterior[0][kCancerII], 3.0 / 7, 1e-12);
  EXPECT_NEAR(beliefs.posterior[0][kGerd], 2.0 / 7, 1e-12);
  // The reader who multiplies is nearly sure.
  Reader exact(knowledge_, {.estimator = Estimator::kExact, .cascade = {}, .estimate = {}});
  See(exact, First());
  EXPECT_GT(See(exact, Second()).posterior[0][kCancerII], 0.95);
}

TEST_F(Papers, CertainPeopleTakeTheirRowWithThem) {
  Reader reader(knowledge_, {.estimator = Estimator::kExact, .cascade = {}, .estimate = {}});
  See(reader, First());
  const Beliefs beliefs =
      See(reader, Second(), {{kDior, kGerd, 1, 1}, {kElisa, kDepression, 1, 1}});
  EXPECT_EQ(beliefs.posterior[0][kCancerII], 1);
  EXPECT_EQ(beliefs.posterior[1][kGerd], 1);
  EXPECT_EQ(beliefs.strongest, 1);  // Cayla
}

TEST_F(Papers, DoubtfulStatementsCascadeBothWays) {
  const std::vector<Statement> doubtful = {{kDior, kGerd, 1, 0.97}};
  for (const Cascade cascade : {Cascade::kPrior, Cascade::kPosterior}) {
    ReaderOptions options{.estimator = Estimator::kBayes, .cascade = cascade, .estimate = {}};
    options.estimate.share_ties = true;
    Reader reader(knowledge_, options), told(knowledge_, options);
    See(reader, First());
    See(told, First());
    const double before = See(reader, Second()).posterior[1][kGerd];
    const double after = See(told, Second(), doubtful).posterior[1][kGerd];
    EXPECT_GT(after, before + 0.01);
  }
}

Distribution Drawn(Random& random, std::uint32_t values) {
  Distribution drawn(values);
  for (double& p : drawn) p = random.Unit();
  const double sum = std::accumulate(drawn.begin(), drawn.end(), 0.0);
  for (double& p : drawn) p /= sum;
  return drawn;
}

TEST(Reader, RevisionIsTheSumOverAllSequences) {
  Random random = Random::Seeded(7);
  for (int round = 0; round < 50; ++round) {
    Knowledge knowledge{
        .values = 3, .prior = {Drawn(random, 3)}, .transition = {.steps = 2, .after = {}}};
    for (Value a = 0; a < 3; ++a) {
      knowledge.transition.after[{a}] = Drawn(random, 3);
      for (Value b = 0; b < 3; ++b) knowledge.transition.after[{a, b}] = Drawn(random, 3);
    }
    const std::vector<Distribution> seen = {Drawn(random, 3), Drawn(random, 3)};
    const auto& after = knowledge.transition.after;
    for (Value s = 0; s < 3; ++s) {
      double two = 0, one = 0;
      for (Value a = 0; a < 3; ++a) {
        one += seen[1][a] * after.at({a})[s];
        for (Value b = 0; b < 3; ++b) two += seen[0][a] * after.at({a})[b] * after.at({a, b})[s];
      }
      EXPECT_NEAR(Revise(knowledge, seen)[s], two, 1e-12);
      EXPECT_NEAR(Revise(knowledge, std::span(seen).last(1))[s], one, 1e-12);
    }
  }
}

TEST(Reader, BeliefsStayDistributionsOverAHundredReleasesOnAnyNumberOfThreads) {
  Random random = Random::Seeded(8);
  Knowledge knowledge{.values = 4, .prior = {}, .transition = {}};
  for (int kind = 0; kind < 3; ++kind) knowledge.prior.push_back(Drawn(random, 4));
  for (Value a = 0; a < 4; ++a) knowledge.transition.after[{a}] = Drawn(random, 4);
  for (const Estimator estimator : {Estimator::kBayes, Estimator::kSum, Estimator::kExact,
                                    Estimator::kOmega, Estimator::kScaling}) {
    Reader one(knowledge, {.estimator = estimator, .cascade = {}, .estimate = {}});
    Reader three(knowledge, {.estimator = estimator, .cascade = {}, .estimate = {}});
    ThreadPool pool_one(1), pool_three(3);
    for (int release = 0; release < 100; ++release) {
      Snapshot snapshot{.groups = 5, .rows = {}};
      for (Person person = 0; person < 30; ++person) {
        snapshot.rows.push_back(
            {person, static_cast<std::uint32_t>(person % 6 == 5 ? kSuppressed : person % 6),
             static_cast<Value>(random.Below(4)), person % 3});
      }
      const Beliefs beliefs = one.See(snapshot, {}, pool_one);
      EXPECT_EQ(beliefs.posterior, three.See(snapshot, {}, pool_three).posterior);
      for (std::size_t row = 0; row < 30; ++row) {
        if (snapshot.rows[row].group == kSuppressed) {
          EXPECT_TRUE(beliefs.posterior[row].empty());
          continue;
        }
        const Distribution& posterior = beliefs.posterior[row];
        EXPECT_NEAR(std::accumulate(posterior.begin(), posterior.end(), 0.0), 1, 1e-9);
        EXPECT_GE(beliefs.gain[row], 0);
        EXPECT_TRUE(std::isfinite(beliefs.gain[row]));
      }
    }
    // What is kept between releases is all there is to keep.
    Reader later(knowledge, {.estimator = estimator, .cascade = {}, .estimate = {}});
    later.Remember(one.person_beliefs(), one.releases());
    const Snapshot last{.groups = 1, .rows = {{0, 0, 1, 0}, {1, 0, 2, 0}, {2, 0, 2, 0}}};
    EXPECT_EQ(later.See(last, {}, pool_one).posterior, one.See(last, {}, pool_one).posterior);
  }
}

TEST(Reader, ASummaryIsOfTheSameBeliefsAndRemembersAll) {
  Random random = Random::Seeded(9);
  Knowledge knowledge{.values = 4, .prior = {}, .transition = {}};
  for (int kind = 0; kind < 3; ++kind) knowledge.prior.push_back(Drawn(random, 4));
  for (Value a = 0; a < 4; ++a) knowledge.transition.after[{a}] = Drawn(random, 4);
  Reader told(knowledge, {}), summed(knowledge, {});
  ThreadPool pool(2);
  const Bounds bounds{.max_belief = 0.5, .max_gain = 0.5};
  for (int release = 0; release < 5; ++release) {
    Snapshot snapshot{.groups = 3, .rows = {}};
    for (Person person = 0; person < 20; ++person) {
      snapshot.rows.push_back({person, person % 4 == 3 ? kSuppressed : person % 4,
                               static_cast<Value>(random.Below(4)), person % 3});
    }
    const Beliefs all = told.See(snapshot, {}, pool, bounds);
    const Beliefs summary = summed.See(snapshot, {}, pool, bounds, Detail::kSummary);
    EXPECT_TRUE(summary.prior.empty() && summary.posterior.empty());
    EXPECT_EQ(summary.judged.beyond, all.judged.beyond);
    EXPECT_EQ(summary.judged.belief, all.judged.belief);
    EXPECT_EQ(summary.mean_gain, all.mean_gain);
    EXPECT_EQ(summary.strongest, all.strongest);
    double divergence = 0;
    for (std::uint32_t group = 0; group < 3; ++group) {
      std::vector<const Distribution*> members;
      for (std::size_t row = group; row < 20; row += 4) members.push_back(&all.prior[row]);
      divergence = std::max(divergence, Divergence(members));
    }
    EXPECT_EQ(all.divergence, divergence);
    EXPECT_EQ(summary.divergence, divergence);
    for (Person person = 0; person < 20; ++person) {
      EXPECT_EQ(summed.PriorOf(person, 0), told.PriorOf(person, 0));
    }
  }
}

TEST(Reader, OneValueIsCertainDisclosure) {
  const Knowledge knowledge{.values = 2, .prior = {{0.5, 0.5}}, .transition = {}};
  Reader reader(knowledge, {.estimator = Estimator::kExact, .cascade = {}, .estimate = {}});
  ThreadPool pool(1);
  const Snapshot snapshot{.groups = 1, .rows = {{0, 0, 1, 0}, {1, 0, 1, 0}}};
  EXPECT_EQ(reader.See(snapshot, {}, pool).strongest, 1);
}

}  // namespace
}  // namespace reissue::models::similarity
