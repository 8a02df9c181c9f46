// The reader over whole series against enumeration of assignments and of sequences of values.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numeric>

#include "chain.h"
#include "random_series.h"
#include "reissue/models/similarity/adversary/reader.h"

namespace oracle::similarity {
namespace {

namespace estimators = reissue::inference;

struct Mine {
  std::vector<Belief> seen;
  Belief revised;
};

// Priors, values, statements and the product's posteriors of a group.
std::string Show(const std::vector<Member>& members, const std::vector<Belief>& theirs) {
  std::string text;
  for (std::size_t i = 0; i < members.size(); ++i) {
    text += fmt::format("\n{} shows {}:", i, members[i].value);
    for (const double p : members[i].prior) text += fmt::format(" {:.17g}", p);
    for (const Said& one : members[i].said) {
      text += fmt::format(", said {} with {:.17g}", one.value, one.confidence);
    }
    text += " ->";
    for (const double p : theirs[i]) text += fmt::format(" {:.17g}", p);
  }
  return text;
}

// Whether rounding decides what somebody takes the values of the group for: all impossible, and so
// alike, or not quite impossible.
bool SomebodyBelievesNothing(const std::vector<Member>& members) {
  return std::any_of(members.begin(), members.end(), [&](const Member& member) {
    double total = 0;
    const Belief belief = Cascaded(member.prior, member.said);
    for (const Member& other : members) total += belief[std::size_t(other.value)];
    return total < 1e-12;
  });
}

struct Tally {
  std::size_t series = 0, releases = 0, groups = 0, returns = 0, certain = 0, hints = 0;
  std::size_t ties = 0, undefined = 0, suppressed = 0;
  double prior = 0, posterior = 0, gain = 0;
};

class Twin {
 public:
  Twin(const World& world, estimators::Estimator estimator, bool posterior_cascade, bool share)
      : world_(world), estimator_(estimator), posterior_(posterior_cascade), share_(share) {
    product::ReaderOptions options;
    options.estimator = estimator;
    options.cascade = posterior_cascade ? product::Cascade::kPosterior : product::Cascade::kPrior;
    options.estimate.share_ties = share;
    options.estimate.seed = 5;
    reader_.emplace(world.knowledge, options);
  }

  void See(std::size_t r, reissue::ThreadPool& pool, Tally& tally);

 private:
  Way WayOf() const {
    switch (estimator_) {
      case estimators::Estimator::kBayes:
        return Way::kBayes;
      case estimators::Estimator::kSum:
        return Way::kSum;
      case estimators::Estimator::kOmega:
        return Way::kOmega;
      default:
        return Way::kExact;
    }
  }
  Belief PriorOf(const product::Row& row) const {
    const auto found = person_beliefs_.find(row.person);
    return found == person_beliefs_.end() ? world_.known.prior[row.kind] : found->second.revised;
  }
  void CheckGroup(const std::vector<std::size_t>& rows, const product::Snapshot& snapshot,
                  const std::vector<product::Statement>& statements,
                  const product::Beliefs& beliefs, Tally& tally);

  const World& world_;
  estimators::Estimator estimator_;
  bool posterior_, share_;
  std::optional<product::Reader> reader_;
  std::map<std::uint32_t, Mine> person_beliefs_;
  double gains_ = 0, largest_ = 0, strongest_ = 0;
};

void Twin::CheckGroup(const std::vector<std::size_t>& rows, const product::Snapshot& snapshot,
                      const std::vector<product::Statement>& statements,
                      const product::Beliefs& beliefs, Tally& tally) {
  std::vector<Member> members;
  std::map<std::uint32_t, int> count;
  for (const std::size_t i : rows) {
    const product::Row& row = snapshot.rows[i];
    Member member;
    member.prior = PriorOf(row);
    member.value = int(row.value);
    ++count[row.value];
    for (const auto& one : statements) {
      if (one.person == row.person) member.said.push_back({int(one.value), one.confidence});
    }
    tally.hints += member.said.empty() ? 0 : 1;
    members.push_back(member);
    const bool mixed = !(posterior_ && estimator_ == estimators::Estimator::kBayes);
    const Belief before = mixed ? Cascaded(member.prior, member.said) : member.prior;
    const double off = Away(beliefs.prior[i], before);
    tally.prior = std::max(tally.prior, off);
    ASSERT_LE(off, 1e-12);
  }
  const Views views = ViewsOf(members, WayOf(), posterior_);
  ++tally.groups;
  std::vector<Belief> theirs, mine;
  for (const std::size_t i : rows) theirs.push_back(beliefs.posterior[i]);
  std::vector<std::vector<Belief>> choices = views.choices;
  if (share_ && estimator_ == estimators::Estimator::kBayes) choices = {1, views.shared};
  if (choices.empty() || SomebodyBelievesNothing(members)) {
    ++tally.undefined;
    mine = theirs;
  } else {
    tally.ties += choices.size() > 1 ? 1 : 0;
    double nearest = 3;
    for (const auto& choice : choices) {
      double off = 0;
      for (std::size_t i = 0; i < rows.size(); ++i) off = std::max(off, Away(choice[i], theirs[i]));
      if (off < nearest) nearest = off, mine = choice;
    }
    tally.posterior = std::max(tally.posterior, nearest);
    ASSERT_LE(nearest, 1e-11) << estimators::NameOf(estimator_) << Show(members, theirs);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const product::Row& row = snapshot.rows[rows[i]];
    double total = 0;
    for (std::uint32_t s = 0; s < world_.knowledge.values; ++s) {
      ASSERT_GE(theirs[i][s], 0);
      if (!count.count(s)) {
        ASSERT_EQ(theirs[i][s], 0);
      }
      total += theirs[i][s];
    }
    ASSERT_NEAR(total, 1, 1e-9);
    if (count.size() == 1) {
      ASSERT_NEAR(theirs[i][row.value], 1, 1e-12);
    }
    const double gain = inference::GainOf(mine[i][row.value], count[row.value], int(rows.size()));
    tally.gain = std::max(tally.gain, std::abs(gain - beliefs.gain[rows[i]]));
    ASSERT_NEAR(gain, beliefs.gain[rows[i]], 1e-10);
    gains_ += gain;
    largest_ = std::max(largest_, gain);
    bool certain = false;
    for (const Said& one : members[i].said) certain |= one.confidence >= 1;
    tally.certain += certain ? 1 : 0;
    if (!certain) strongest_ = std::max(strongest_, mine[i][row.value]);
    Mine& believed = person_beliefs_[row.person];
    believed.seen.push_back(mine[i]);
    believed.revised = RevisedPrior(world_.known, believed.seen);
  }
}

void Twin::See(std::size_t r, reissue::ThreadPool& pool, Tally& tally) {
  const product::Snapshot& snapshot = world_.releases[r];
  std::set<std::uint32_t> last;
  if (r > 0) {
    for (const auto& row : world_.releases[r - 1].rows) {
      if (row.group != product::kSuppressed) last.insert(row.person);
    }
  }
  for (const auto& row : snapshot.rows) {
    if (person_beliefs_.count(row.person) && !last.count(row.person)) ++tally.returns;
  }
  for (const auto& row : snapshot.rows) {
    ASSERT_LE(Away(reader_->PriorOf(row.person, row.kind), PriorOf(row)), 1e-11);
  }
  const product::Beliefs beliefs = reader_->See(snapshot, world_.statements[r], pool);
  std::map<std::uint32_t, std::vector<std::size_t>> groups;
  std::size_t rows = 0;
  for (std::size_t i = 0; i < snapshot.rows.size(); ++i) {
    if (snapshot.rows[i].group == product::kSuppressed) {
      ++tally.suppressed;
      ASSERT_TRUE(beliefs.posterior[i].empty());
      ASSERT_EQ(beliefs.gain[i], 0);
      continue;
    }
    ++rows;
    groups[snapshot.rows[i].group].push_back(i);
  }
  gains_ = largest_ = strongest_ = 0;
  for (const auto& [group, members] : groups) {
    CheckGroup(members, snapshot, world_.statements[r], beliefs, tally);
    if (testing::Test::HasFatalFailure()) return;
  }
  ++tally.releases;
  if (rows > 0) {
    ASSERT_NEAR(beliefs.mean_gain, gains_ / double(rows), 1e-10);
  }
  ASSERT_NEAR(beliefs.largest_gain, largest_, 1e-10);
  ASSERT_NEAR(beliefs.strongest, strongest_, 1e-10);
  ASSERT_EQ(reader_->releases(), r + 1);
}

TEST(SimilarityReader, SeriesByEnumeration) {
  reissue::ThreadPool pool(2);
  Tally tally;
  for (std::uint64_t number = 0; number < 5000 && !HasFailure(); ++number) {
    reissue::Random random = reissue::Random::Seeded(number);
    World world = DrawKnowledge(2 + int(random.Below(3)), 1 + int(random.Below(3)),
                                number % 4 == 0 ? 0.3 : 0, random);
    DrawReleases(world, 2 + int(random.Below(3)), 6, number % 2 == 0 ? 0 : 0.4, random);
    const estimators::Estimator which[] = {
        estimators::Estimator::kBayes, estimators::Estimator::kSum, estimators::Estimator::kExact,
        estimators::Estimator::kOmega};
    for (const auto estimator : which) {
      Twin twin(world, estimator, number % 3 == 0, number % 5 < 2);
      ++tally.series;
      for (std::size_t r = 0; r < world.releases.size() && !HasFatalFailure(); ++r) {
        SCOPED_TRACE(number);
        twin.See(r, pool, tally);
      }
    }
  }
  std::cout << tally.series << " series of " << tally.releases << " releases, " << tally.groups
            << " groups; returns " << tally.returns << ", certain " << tally.certain
            << ", people with statements " << tally.hints << ", suppressed rows "
            << tally.suppressed << ", ties " << tally.ties << ", no possible assignment "
            << tally.undefined << "; largest differences: prior " << tally.prior << ", posterior "
            << tally.posterior << ", gain " << tally.gain << '\n';
  EXPECT_GT(tally.returns, 1000u);
  EXPECT_GT(tally.certain, 1000u);
  EXPECT_GT(tally.ties, 500u);
}

TEST(SimilarityReader, ReviseBySequences) {
  double largest = 0;
  std::size_t cases = 0;
  for (std::uint64_t number = 0; number < 6000; ++number) {
    reissue::Random random = reissue::Random::Seeded(900'000 + number);
    const int steps = 1 + int(number % 3);
    const World world = DrawKnowledge(2 + int(random.Below(4)), steps, 0.2, random);
    std::vector<Belief> seen;
    for (std::uint64_t more = 1 + random.Below(std::uint64_t(steps)); more-- > 0;) {
      seen.push_back(DrawBelief(world.known.values, 0.3, random));
    }
    const Belief theirs = product::Revise(world.knowledge, seen);
    const double off = Away(theirs, RevisedPrior(world.known, seen));
    ASSERT_LE(off, 1e-12) << number;
    largest = std::max(largest, off);
    ASSERT_NEAR(std::accumulate(theirs.begin(), theirs.end(), 0.0), 1, 1e-9);
    ++cases;
  }
  std::cout << cases << " revised priors of 1, 2 and 3 steps: differences of at most " << largest
            << '\n';
}

// 100 releases with sharp knowledge: numbers stay finite and sum to 1.
TEST(SimilarityReader, HundredReleases) {
  reissue::ThreadPool pool(2);
  std::size_t beliefs_seen = 0, negative = 0;
  double off = 0;
  for (std::uint64_t number = 0; number < 20; ++number) {
    for (int which = 0; which < 5; ++which) {
      reissue::Random random = reissue::Random::Seeded(910'000 + number);
      World world = DrawKnowledge(3 + int(random.Below(4)), 1 + int(random.Below(2)),
                                  number % 2 == 0 ? 0.6 : 0.1, random);
      DrawReleases(world, 100, 9, 0.1, random);
      product::ReaderOptions options;
      options.estimator = estimators::Estimator(which);
      options.cascade = number % 3 == 0 ? product::Cascade::kPosterior : product::Cascade::kPrior;
      product::Reader reader(world.knowledge, options);
      for (std::size_t r = 0; r < world.releases.size(); ++r) {
        const product::Beliefs beliefs = reader.See(world.releases[r], world.statements[r], pool);
        for (const auto& posterior : beliefs.posterior) {
          if (posterior.empty()) continue;
          ++beliefs_seen;
          double total = 0;
          for (const double p : posterior) {
            negative += p < 0 ? 1 : 0;
            ASSERT_TRUE(p >= 0 && p <= 1 + 1e-12)
                << p << " release " << r << ' ' << estimators::NameOf(options.estimator);
            total += p;
          }
          off = std::max(off, std::abs(total - 1));
        }
        ASSERT_TRUE(std::isfinite(beliefs.mean_gain) && beliefs.mean_gain >= 0);
        ASSERT_TRUE(std::isfinite(beliefs.largest_gain));
        ASSERT_LE(beliefs.strongest, 1 + 1e-12);
      }
      for (const auto& [person, believed] : reader.person_beliefs()) {
        const auto revised = reader.PriorOf(person, 0);
        const double total = std::accumulate(revised.begin(), revised.end(), 0.0);
        ASSERT_NEAR(total, 1, 1e-9);
        ASSERT_LE(believed.seen.size(), world.knowledge.transition.steps);
      }
    }
  }
  std::cout << "100 series of 100 releases: " << beliefs_seen
            << " beliefs, their sums off 1 by at most " << off
            << "; probabilities below 0: " << negative << '\n';
  EXPECT_LE(off, 1e-9);
}

}  // namespace
}  // namespace oracle::similarity
