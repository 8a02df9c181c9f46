// The reader over whole series against enumeration of assignments and of sequences of values.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numeric>
#include <set>

#include "chain.h"
#include "reissue/core/random.h"
#include "reissue/models/similarity/adversary/reader.h"

namespace oracle::similarity {
namespace {

namespace product = reissue::models::similarity;
namespace estimators = reissue::inference;

Belief DrawBelief(int values, double impossible, reissue::Random& random) {
  Belief belief(std::size_t(values), 0.0);
  double total = 0;
  while (total == 0) {
    for (double& p : belief) total += p = random.Unit() < impossible ? 0 : random.Unit();
  }
  for (double& p : belief) p /= total;
  return belief;
}

// Everything of one random series.
struct World {
  Known known;
  product::Knowledge knowledge;
  std::vector<product::Snapshot> releases;
  std::vector<std::vector<product::Statement>> statements;
  std::uint32_t people = 0;
};

void DrawContexts(World& world, std::vector<int> context, double said, double impossible,
                  reissue::Random& random) {
  if (!context.empty() && random.Unit() < said) {
    const Belief next = DrawBelief(world.known.values, impossible, random);
    world.known.after[context] = next;
    world.knowledge.transition.after[{context.begin(), context.end()}] = next;
  }
  if (int(context.size()) == world.known.steps) return;
  for (int s = 0; s < world.known.values; ++s) {
    std::vector<int> longer = context;
    longer.push_back(s);
    DrawContexts(world, longer, said, impossible, random);
  }
}

World DrawKnowledge(int values, int steps, double impossible, reissue::Random& random) {
  World world;
  world.known.values = values;
  world.known.steps = steps;
  world.knowledge.values = std::uint32_t(values);
  world.knowledge.transition.steps = std::uint32_t(steps);
  const std::size_t kinds = 1 + random.Below(3);
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    world.known.prior.push_back(DrawBelief(values, impossible, random));
  }
  world.knowledge.prior = world.known.prior;
  DrawContexts(world, {}, 0.3 + 0.7 * random.Unit(), impossible, random);
  return world;
}

// People come, go and return; groups of at most `most` people.
void DrawReleases(World& world, int releases, std::size_t most, double told,
                  reissue::Random& random) {
  world.people = std::uint32_t(2 + random.Below(8));
  std::vector<std::uint32_t> kind(world.people);
  for (auto& one : kind) one = std::uint32_t(random.Below(world.knowledge.prior.size()));
  for (int r = 0; r < releases; ++r) {
    product::Snapshot snapshot;
    std::vector<std::uint32_t> order(world.people);
    std::iota(order.begin(), order.end(), 0u);
    random.Shuffle(order);
    order.resize(1 + random.Below(order.size()));
    std::size_t left = 0;
    world.statements.emplace_back();
    for (const std::uint32_t person : order) {
      if (left == 0) {
        left = 1 + random.Below(most);
        ++snapshot.groups;
      }
      --left;
      product::Row row;
      row.person = person;
      row.group = snapshot.groups - 1;
      row.value = std::uint32_t(random.Below(world.knowledge.values));
      row.kind = kind[person];
      // A group that is not to be empty keeps its first row.
      const bool first = snapshot.rows.empty() || snapshot.rows.back().group != row.group;
      if (!first && random.Below(12) == 0) row.group = product::kSuppressed;
      snapshot.rows.push_back(row);
      if (random.Unit() >= told) continue;
      std::vector<product::Statement>& said = world.statements.back();
      if (random.Below(4) == 0) {
        said.push_back({person, row.value, std::uint32_t(r), 1});
        continue;
      }
      double rest = 1;
      std::set<std::uint32_t> spoken;
      for (std::uint64_t more = 1 + random.Below(2); more-- > 0;) {
        const auto value = std::uint32_t(random.Below(world.knowledge.values));
        if (!spoken.insert(value).second) continue;
        const double confidence = rest * 0.99 * random.Unit();
        rest -= confidence;
        said.push_back({person, value, std::uint32_t(r), confidence});
      }
    }
    random.Shuffle(snapshot.rows);
    world.releases.push_back(snapshot);
  }
}

struct Mine {
  std::vector<Belief> seen;
  Belief revised;
};

double Away(const Belief& a, const Belief& b) {
  return a.size() == b.size() ? inference::LargestDifference({a}, {b}) : 2;
}

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
    const auto found = minds_.find(row.person);
    return found == minds_.end() ? world_.known.prior[row.kind] : found->second.revised;
  }
  void CheckGroup(const std::vector<std::size_t>& rows, const product::Snapshot& snapshot,
                  const std::vector<product::Statement>& statements,
                  const product::Beliefs& beliefs, Tally& tally);

  const World& world_;
  estimators::Estimator estimator_;
  bool posterior_, share_;
  std::optional<product::Reader> reader_;
  std::map<std::uint32_t, Mine> minds_;
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
    Mine& mind = minds_[row.person];
    mind.seen.push_back(mine[i]);
    mind.revised = RevisedPrior(world_.known, mind.seen);
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
    if (minds_.count(row.person) && !last.count(row.person)) ++tally.returns;
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
      for (const auto& [person, mind] : reader.minds()) {
        const auto revised = reader.PriorOf(person, 0);
        const double total = std::accumulate(revised.begin(), revised.end(), 0.0);
        ASSERT_NEAR(total, 1, 1e-9);
        ASSERT_LE(mind.seen.size(), world.knowledge.transition.steps);
      }
    }
  }
  std::cout << "100 series of 100 releases: " << beliefs_seen
            << " beliefs, their sums off 1 by at most " << off
            << "; probabilities below 0: " << negative << '\n';
  EXPECT_LE(off, 1e-9);
}

// Certain knowledge by one group; who is certain does not depend on the order of the group.
TEST(SimilarityReader, ConsiderByEnumeration) {
  std::size_t groups = 0, certain = 0, turned_differ = 0;
  double largest = 0;
  for (std::uint64_t number = 0; number < 8000; ++number) {
    reissue::Random random = reissue::Random::Seeded(920'000 + number);
    const int values = 2 + int(random.Below(4));
    const std::size_t people = 1 + random.Below(6);
    std::vector<Belief> priors;
    std::vector<std::vector<product::Statement>> said(people);
    std::vector<Member> members(people);
    for (std::size_t i = 0; i < people; ++i) {
      priors.push_back(DrawBelief(values, number % 4 == 0 ? 0.3 : 0, random));
      members[i].prior = priors[i];
      members[i].value = int(random.Below(std::uint64_t(values)));
      double rest = 1;
      std::set<int> spoken;
      if (random.Below(4) == 0) {
        members[i].said.push_back({members[i].value, 1});
        ++certain;
      } else {
        for (std::uint64_t more = random.Below(3); more-- > 0;) {
          const int value = int(random.Below(std::uint64_t(values)));
          if (!spoken.insert(value).second) continue;
          const double confidence = rest * random.Unit() * 0.99;
          rest -= confidence;
          members[i].said.push_back({value, confidence});
        }
      }
      for (const Said& one : members[i].said) {
        said[i].push_back({std::uint32_t(i), std::uint32_t(one.value), 0, one.confidence});
      }
    }
    std::vector<product::Suspect> suspects(people), turned;
    for (std::size_t i = 0; i < people; ++i) {
      suspects[i].value = std::uint32_t(members[i].value);
      suspects[i].statements = said[i];
    }
    for (const auto& [estimator, way] : {std::pair(estimators::Estimator::kBayes, Way::kBayes),
                                         std::pair(estimators::Estimator::kSum, Way::kSum),
                                         std::pair(estimators::Estimator::kExact, Way::kExact)}) {
      product::ReaderOptions options;
      options.estimator = estimator;
      const bool cascade = number % 2 == 0;
      options.cascade = cascade ? product::Cascade::kPosterior : product::Cascade::kPrior;
      options.estimate.share_ties = true;
      const bool mixed = !(cascade && way == Way::kBayes);
      std::vector<Belief> before;
      for (const Member& member : members) {
        before.push_back(mixed ? Cascaded(member.prior, member.said) : member.prior);
      }
      for (std::size_t i = 0; i < people; ++i) suspects[i].prior = &before[i];
      const product::GroupBeliefs theirs =
          product::Consider(suspects, std::uint32_t(values), options, number);
      const Views views = ViewsOf(members, way, cascade);
      if (views.choices.empty()) continue;
      const auto& mine = way == Way::kBayes ? views.shared : views.choices[0];
      ++groups;
      for (std::size_t i = 0; i < people; ++i) {
        const bool sure = !members[i].said.empty() && members[i].said[0].confidence == 1;
        ASSERT_EQ(bool(theirs.certain[i]), sure);
        const double off = Away(theirs.posterior[i], mine[i]);
        largest = std::max(largest, off);
        ASSERT_LE(off, 1e-11) << estimators::NameOf(estimator) << ' ' << number;
      }
      turned.assign(suspects.rbegin(), suspects.rend());
      const product::GroupBeliefs other =
          product::Consider(turned, std::uint32_t(values), options, number);
      for (std::size_t i = 0; i < people; ++i) {
        if (Away(other.posterior[people - 1 - i], theirs.posterior[i]) > 1e-9) ++turned_differ;
      }
    }
  }
  std::cout << groups << " groups considered, " << certain << " people certain; largest difference "
            << largest << "; order matters in " << turned_differ << "\n";
  EXPECT_EQ(turned_differ, 0u);
}

// Statements that cannot all be true: certain of a value that the group does not show, or of more
// people than there are rows, or of two values. Beliefs stay distributions.
TEST(SimilarityReader, Contradictions) {
  reissue::ThreadPool pool(1);
  std::size_t statements = 0, people = 0, off_group = 0;
  for (std::uint64_t number = 0; number < 4000; ++number) {
    reissue::Random random = reissue::Random::Seeded(930'000 + number);
    World world = DrawKnowledge(2 + int(random.Below(3)), 1, number % 3 == 0 ? 0.3 : 0, random);
    DrawReleases(world, 3, 5, 0.3, random);
    for (std::size_t r = 0; r < world.releases.size(); ++r) {
      for (const auto& row : world.releases[r].rows) {
        if (random.Below(3) > 0) continue;
        const auto value = std::uint32_t(random.Below(world.knowledge.values));
        world.statements[r].push_back({row.person, value, std::uint32_t(r), 1});
        ++statements;
      }
    }
    product::ReaderOptions options;
    options.estimator = estimators::Estimator(number % 5);
    options.cascade = number % 2 == 0 ? product::Cascade::kPosterior : product::Cascade::kPrior;
    product::Reader reader(world.knowledge, options);
    for (std::size_t r = 0; r < world.releases.size(); ++r) {
      const product::Beliefs beliefs = reader.See(world.releases[r], world.statements[r], pool);
      for (std::size_t i = 0; i < beliefs.posterior.size(); ++i) {
        if (beliefs.posterior[i].empty()) continue;
        ++people;
        double total = 0;
        for (std::uint32_t s = 0; s < world.knowledge.values; ++s) {
          const double p = beliefs.posterior[i][s];
          ASSERT_TRUE(p >= 0 && p <= 1 + 1e-12) << number;
          total += p;
          bool shown = false;
          for (const auto& row : world.releases[r].rows) {
            shown |= row.group == world.releases[r].rows[i].group && row.value == s;
          }
          off_group += !shown && p > 0 ? 1 : 0;
        }
        ASSERT_NEAR(total, 1, 1e-9) << number;
        ASSERT_TRUE(std::isfinite(beliefs.gain[i]));
      }
    }
  }
  std::cout << statements << " certain statements at random: beliefs of " << people
            << " people are distributions; values believed that the group does not show: "
            << off_group << '\n';
}

}  // namespace
}  // namespace oracle::similarity
