// Publishers that are broken on purpose: the attack must notice whatever the oracle notices, and
// raise no alarm where the promise happens to hold.

#include <gtest/gtest.h>

#include <functional>
#include <iostream>

#include "cases.h"
#include "reissue/core/parallel.h"
#include "reissue/core/progress.h"

namespace oracle::k {
namespace {

namespace model = reissue::models::k;

constexpr std::size_t kBrokenProblems = 300;

std::optional<model::Outcome> Publish(const Problem& problem, const Promise& promise,
                                      std::uint64_t suppression_limit = 0) {
  reissue::ThreadPool pool(1);
  reissue::Progress progress;
  model::PublishOptions options;
  options.score = model::Score::kDiscernibility;
  options.search = model::Search::kGreedy;
  options.suppression_limit = suppression_limit;
  auto outcome = model::Publish(ToLeafCells(problem), ToGuarantee(promise, problem.values), options,
                                pool, progress);
  if (!outcome) return std::nullopt;
  return std::move(*outcome);
}

Rows Release(const Problem& problem, const Combination& cuts,
             const std::set<std::vector<std::string>>& left_out = {}) {
  return LeaveOut(Recode(problem.rows, cuts), left_out);
}

// Counts releases that break the promise, after the attack has been asked about each.
class Jury {
 public:
  void Judge(const Problem& problem, const Rows& release, const Promise& promise) {
    const bool kept = Satisfied(release, promise);
    const model::Report report =
        model::Attack(ToPublished(release, problem.trees.size(), problem.values),
                      ToGuarantee(promise, problem.values));
    EXPECT_EQ(report.satisfied, kept) << Describe(promise) << '\n' << Describe(release);
    if (!kept) {
      EXPECT_GT(report.exposed, 0u);
      EXPECT_FALSE(report.worst.empty());
    }
    ++judged_;
    broken_ += kept ? 0 : 1;
    noticed_ += kept || report.satisfied ? 0 : 1;
  }
  void Verdict(const std::string& bug) const {
    EXPECT_GT(broken_, 0u) << bug;
    EXPECT_EQ(noticed_, broken_) << bug;
    std::cout << bug << ": " << broken_ << " of " << judged_
              << " releases break the promise, noticed: " << noticed_ << '\n';
  }

 private:
  std::size_t judged_ = 0;
  std::size_t broken_ = 0;
  std::size_t noticed_ = 0;
};

struct Weakening {
  std::string bug;
  std::function<void(Promise&, const Problem&, reissue::Random&)>
      promised;                        // sets what is promised
  std::function<void(Promise&)> kept;  // turns it into what the broken publisher keeps
};

double Share(reissue::Random& random) { return 0.3 + 0.6 * random.Unit(); }

const Weakening kWeakenings[] = {
    {"k - 1", [](Promise& p, const Problem&, reissue::Random& r) { p.k = 2 + r.Below(5); },
     [](Promise& p) { --p.k; }},
    {"distinct - 1",
     [](Promise& p, const Problem&, reissue::Random& r) { p.distinct = 2 + r.Below(2); },
     [](Promise& p) { --*p.distinct; }},
    {"entropy - 0.3",
     [](Promise& p, const Problem&, reissue::Random& r) { p.entropy = 1.4 + 1.4 * r.Unit(); },
     [](Promise& p) { *p.entropy -= 0.3; }},
    {"recursive c + 0.5",
     [](Promise& p, const Problem&, reissue::Random& r) {
       p.recursive = {0.6 + 2 * r.Unit(), 2 + r.Below(2)};
     },
     [](Promise& p) { p.recursive->first += 0.5; }},
    {"recursive l - 1",
     [](Promise& p, const Problem&, reissue::Random& r) {
       p.recursive = {0.6 + 2 * r.Unit(), 2 + r.Below(2)};
     },
     [](Promise& p) { --p.recursive->second; }},
    {"alpha + 0.1", [](Promise& p, const Problem&, reissue::Random& r) { p.alpha = Share(r); },
     [](Promise& p) { *p.alpha += 0.1; }},
    {"confidence + 0.1",
     [](Promise& p, const Problem& problem, reissue::Random& r) {
       for (const std::string& value : problem.values) p.confidence[value] = Share(r);
     },
     [](Promise& p) {
       for (auto& [value, threshold] : p.confidence) threshold += 0.1;
     }},
    {"one value without confidence bound",
     [](Promise& p, const Problem& problem, reissue::Random& r) {
       for (const std::string& value : problem.values) p.confidence[value] = Share(r);
     },
     [](Promise& p) { p.confidence.erase(p.confidence.begin()); }},
    {"t + 0.1, equal distance",
     [](Promise& p, const Problem&, reissue::Random& r) { p.t = 0.1 + 0.5 * r.Unit(); },
     [](Promise& p) { *p.t += 0.1; }},
    {"t + 0.1, ordered distance",
     [](Promise& p, const Problem& problem, reissue::Random& r) {
       p.t = 0.05 + 0.4 * r.Unit();
       p.order = problem.values;
       r.Shuffle(p.order);
     },
     [](Promise& p) { *p.t += 0.1; }},
    {"beta + 0.3", [](Promise& p, const Problem&, reissue::Random& r) { p.beta = 0.2 + r.Unit(); },
     [](Promise& p) { *p.beta += 0.3; }},
};

class PlantedBugs : public testing::TestWithParam<std::size_t> {};

TEST_P(PlantedBugs, AWeakerPromiseIsNoticed) {
  const Weakening& weakening = kWeakenings[GetParam()];
  Jury jury;
  for (std::uint64_t number = 0; number < kBrokenProblems; ++number) {
    reissue::Random random = reissue::Random::Seeded(1000 * GetParam() + number);
    const Problem problem = RandomProblem(random, 400);
    Promise promise;
    weakening.promised(promise, problem, random);
    Promise weaker = promise;
    weakening.kept(weaker);
    const std::optional<model::Outcome> outcome = Publish(problem, weaker);
    if (!outcome) continue;
    const Rows release = Release(problem, FromOutcome(problem, *outcome));
    EXPECT_TRUE(Satisfied(release, weaker));
    jury.Judge(problem, release, promise);
  }
  jury.Verdict(weakening.bug);
}

INSTANTIATE_TEST_SUITE_P(EachKind, PlantedBugs,
                         testing::Range<std::size_t>(0, std::size(kWeakenings)));

TEST(PlantedBugsInRecoding, OneSpecialisationTooManyIsNoticed) {
  Jury jury;
  for (std::uint64_t number = 0; number < kBrokenProblems; ++number) {
    reissue::Random random = reissue::Random::Seeded(50000 + number);
    const Problem problem = RandomProblem(random, 400);
    const Promise promise = RandomFeasiblePromise(random, problem);
    const std::optional<model::Outcome> outcome = Publish(problem, promise);
    if (!outcome) continue;
    const Combination cuts = FromOutcome(problem, *outcome);
    for (std::size_t j = 0; j < cuts.size(); ++j) {
      for (const std::string& node : Nodes(cuts[j])) {
        if (Children(problem.trees[j], node).empty()) continue;
        Combination finer = cuts;
        finer[j] = Specialised(problem.trees[j], cuts[j], node);
        jury.Judge(problem, Release(problem, finer), promise);
      }
    }
  }
  jury.Verdict("one specialisation too many");
}

TEST(PlantedBugsInRecoding, AForgottenSuppressionIsNoticed) {
  Jury jury;
  for (std::uint64_t number = 0; number < kBrokenProblems; ++number) {
    reissue::Random random = reissue::Random::Seeded(90000 + number);
    const Problem problem = RandomProblem(random, 400);
    const Promise promise = RandomFeasiblePromise(random, problem);
    const std::optional<model::Outcome> outcome = Publish(problem, promise, 5);
    if (!outcome) continue;
    const Combination cuts = FromOutcome(problem, *outcome);
    const std::set<std::vector<std::string>> left_out = LeftOut(problem, *outcome);
    for (const std::vector<std::string>& cell : left_out) {
      std::set<std::vector<std::string>> forgetful = left_out;
      forgetful.erase(cell);
      jury.Judge(problem, Release(problem, cuts, forgetful), promise);
    }
  }
  jury.Verdict("a forgotten suppression");
}

}  // namespace
}  // namespace oracle::k
