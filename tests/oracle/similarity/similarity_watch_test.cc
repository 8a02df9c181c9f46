// With a reader to be held against: nobody is believed or gained more of than allowed, by a reader
// who enumerates.

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>

#include "tables.h"

namespace oracle::similarity {
namespace {

namespace readers = reissue::inference;

struct Watched {
  Drawn drawn;
  std::vector<std::vector<Said>> said;  // per row, as far as it is not in the beliefs
  model::PublishOptions options;
  Promise promise;
  Way way = Way::kExact;
};

// A statement per few rows; certain ones are true.
void DrawStatements(Watched& watched, double chance, reissue::Random& random) {
  Drawn& drawn = watched.drawn;
  model::ReaderLimits& limits = *watched.options.limits;
  const bool in_weights =
      limits.reader.cascade == model::Cascade::kPosterior && watched.way == Way::kBayes;
  watched.said.resize(drawn.rows.size());
  for (std::size_t row = 0; row < drawn.rows.size(); ++row) {
    if (random.Unit() >= chance) continue;
    const int value = drawn.rows.value[row];
    const double confidence = random.Below(2) == 0 ? 1 : 0.9 * random.Unit();
    limits.statements.push_back({std::uint32_t(row), std::uint32_t(value), 0, confidence});
    if (confidence == 1 || in_weights) {
      watched.said[row].push_back({value, confidence});
      continue;
    }
    drawn.rows.belief[row] = Cascaded(drawn.rows.belief[row], {{value, confidence}});
    drawn.table.belief[row] = std::uint32_t(drawn.table.beliefs.size());
    drawn.table.beliefs.push_back(drawn.rows.belief[row]);
  }
}

Watched DrawWatched(std::uint64_t number, reissue::Random& random) {
  Watched watched;
  TableShape shape;
  shape.rows = 4 + random.Below(number % 10 == 0 ? 60 : 16);
  shape.columns = 1 + int(random.Below(2));
  shape.values = 2 + int(random.Below(4));
  shape.beliefs = 1 + int(random.Below(4));
  shape.spread = random.Below(2) == 0 ? 1 : 0.5;
  watched.drawn = DrawTable(shape, random);
  watched.promise = DrawPromise(random);
  if (random.Below(2) == 0) watched.promise.guarantee.j = watched.promise.asked.j = 1;
  watched.options.guarantee = watched.promise.guarantee;
  watched.options.algorithm = model::Algorithm(random.Below(3));
  watched.options.leftover = model::Leftover(random.Below(4) == 0 ? random.Below(3) : 0);
  watched.options.seed = number;
  model::ReaderLimits limits;
  const std::pair<readers::Estimator, Way> which[] = {{readers::Estimator::kExact, Way::kExact},
                                                      {readers::Estimator::kSum, Way::kSum},
                                                      {readers::Estimator::kBayes, Way::kBayes},
                                                      {readers::Estimator::kOmega, Way::kOmega},
                                                      {readers::Estimator::kScaling, Way::kOmega}};
  const auto& [estimator, way] = which[number % 2 == 0 ? 0 : random.Below(5)];
  watched.way = way;
  limits.reader.estimator = estimator;
  limits.reader.cascade =
      random.Below(2) == 0 ? model::Cascade::kPrior : model::Cascade::kPosterior;
  limits.reader.estimate.share_ties = random.Below(2) == 0;
  if (random.Below(3) > 0) limits.max_belief = 0.4 + 0.5 * random.Unit();
  if (!limits.max_belief || random.Below(3) == 0) limits.max_gain = 0.15 + 0.6 * random.Unit();
  watched.options.limits = limits;
  DrawStatements(watched, random.Below(2) == 0 ? 0 : 0.15, random);
  return watched;
}

struct WatchCounts {
  std::size_t published = 0, refused = 0, groups = 0, people = 0, certain = 0, repaired = 0;
  std::size_t unchecked = 0, undefined = 0, suppressed = 0, rows = 0, beyond = 0, by_tie = 0;
  std::size_t would_break = 0, empty = 0;
  std::map<std::string_view, std::size_t> by_reader;  // the product's own
};

// The largest excess over what is allowed, of one choice of the reader.
double Excess(const Watched& watched, const std::vector<std::size_t>& members, const Groups& groups,
              const std::vector<Belief>& belief) {
  const model::ReaderLimits& limits = *watched.options.limits;
  double excess = -1;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::size_t row = members[i];
    bool certain = false;
    for (const Said& one : watched.said[row]) certain |= one.confidence == 1;
    if (certain) continue;
    const int value = watched.drawn.rows.value[row];
    int shown = 0;
    for (const std::size_t other : members) shown += groups.shown[other] == value ? 1 : 0;
    const double believed = belief[i][std::size_t(value)];
    if (limits.max_belief) excess = std::max(excess, believed - *limits.max_belief);
    if (limits.max_gain) {
      const double gain = inference::GainOf(believed, shown, int(members.size()));
      excess = std::max(excess, gain - *limits.max_gain);
    }
  }
  return excess;
}

// The product's own reader sees the release.
double ExcessByReader(const Watched& watched, const model::Outcome& outcome,
                      reissue::ThreadPool& pool) {
  model::Knowledge knowledge;
  knowledge.values = watched.drawn.table.values;
  knowledge.prior = watched.drawn.table.beliefs;
  model::Snapshot snapshot;
  snapshot.groups = outcome.groups;
  std::vector<model::Statement> statements;
  for (std::size_t row = 0; row < outcome.group.size(); ++row) {
    snapshot.rows.push_back({std::uint32_t(row), outcome.group[row], outcome.shown[row],
                             watched.drawn.table.belief[row]});
    for (const Said& one : watched.said[row]) {
      statements.push_back({std::uint32_t(row), std::uint32_t(one.value), 0, one.confidence});
    }
  }
  model::Reader reader(knowledge, watched.options.limits->reader);
  const model::Beliefs beliefs = reader.See(snapshot, statements, pool);
  const Groups groups = GroupsOf(outcome);
  double excess = -1;
  for (const auto& members : groups.Members()) {
    std::vector<Belief> belief;
    for (const std::size_t row : members) belief.push_back(beliefs.posterior[row]);
    excess = std::max(excess, Excess(watched, members, groups, belief));
  }
  return excess;
}

void Attack(const Watched& watched, const Groups& groups, WatchCounts& counts, bool& broken) {
  const bool share = watched.options.limits->reader.estimate.share_ties;
  const bool posterior = watched.options.limits->reader.cascade == model::Cascade::kPosterior;
  for (const auto& members : groups.Members()) {
    std::vector<Member> people;
    for (const std::size_t row : members) {
      people.push_back({watched.drawn.rows.belief[row], watched.said[row], groups.shown[row]});
    }
    if (watched.options.limits->reader.estimator == readers::Estimator::kScaling ||
        members.size() > (watched.way == Way::kExact   ? 24
                          : watched.way == Way::kOmega ? 100
                                                       : 7)) {
      ++counts.unchecked;
      continue;
    }
    const Views views = ViewsOf(people, watched.way, posterior);
    if (views.choices.empty()) {
      ++counts.undefined;
      continue;
    }
    ++counts.groups;
    counts.people += members.size();
    if (watched.way == Way::kBayes && share) {
      broken |= Excess(watched, members, groups, views.shared) > 1e-9;
      continue;
    }
    // One of the choices is hers; it is enough here that one of them is allowed.
    std::size_t above = 0;
    for (const auto& choice : views.choices) {
      above += Excess(watched, members, groups, choice) > 1e-9 ? 1 : 0;
    }
    if (above == views.choices.size()) broken = true;
    if (above > 0 && above < views.choices.size()) ++counts.by_tie;
  }
}

TEST(SimilarityWatch, NobodyIsBelievedTooMuch) {
  reissue::ThreadPool pool(2);
  WatchCounts counts;
  for (std::uint64_t number = 0; number < 6000; ++number) {
    reissue::Random random = reissue::Random::Seeded(number);
    const Watched watched = DrawWatched(number, random);
    const auto outcome = model::Publish(watched.drawn.table, watched.options, pool);
    if (!outcome) {
      ++counts.refused;
      ASSERT_EQ(outcome.error().code, reissue::ErrorCode::kPromise);
      continue;
    }
    ++counts.published;
    counts.empty += outcome->groups == 0 ? 1 : 0;
    counts.repaired += outcome->repaired;
    counts.suppressed += outcome->suppressed;
    counts.rows += watched.drawn.rows.size();
    for (const auto& said : watched.said) {
      for (const Said& one : said) counts.certain += one.confidence == 1 ? 1 : 0;
    }
    const Groups groups = GroupsOf(*outcome);
    bool broken = false;
    Attack(watched, groups, counts, broken);
    if (broken) ++counts.beyond;
    if (ExcessByReader(watched, *outcome, pool) > 1e-9) {
      ++counts.by_reader[readers::NameOf(watched.options.limits->reader.estimator)];
    }
    EXPECT_FALSE(broken && counts.beyond <= 2)
        << number << " estimator " << int(watched.options.limits->reader.estimator) << " algorithm "
        << int(watched.options.algorithm) << " leftover " << int(watched.options.leftover)
        << " max_belief " << watched.options.limits->max_belief.value_or(-1) << " max_gain "
        << watched.options.limits->max_gain.value_or(-1) << '\n'
        << Describe(watched.drawn, watched.promise, groups);
    const Asked asked = KeptBy(*outcome, watched.promise.asked);
    ASSERT_LE(Breach(MeasureRelease(watched.drawn.rows, groups, asked.ordered), asked), 1e-9)
        << number << '\n'
        << Describe(watched.drawn, watched.promise, groups);
    // Without the limits: how often would it have mattered?
    model::PublishOptions blind = watched.options;
    blind.limits.reset();
    const auto unwatched = model::Publish(watched.drawn.table, blind, pool);
    if (!unwatched) continue;
    WatchCounts ignored;
    bool would = false;
    Attack(watched, GroupsOf(*unwatched), ignored, would);
    counts.would_break += would ? 1 : 0;
  }
  std::cout << counts.published << " releases of " << counts.rows << " rows, refused "
            << counts.refused << "; repaired groups " << counts.repaired << ", suppressed "
            << counts.suppressed << ", certain " << counts.certain << "; groups enumerated "
            << counts.groups << " of " << counts.people << " people, too large " << counts.unchecked
            << ", no possible assignment " << counts.undefined
            << "; releases beyond what is allowed " << counts.beyond << " (without the limits "
            << counts.would_break << "); groups where another best assignment would be beyond "
            << counts.by_tie << '\n';
  for (const auto& [name, releases] : counts.by_reader) {
    std::cout << "beyond what is allowed to the product's reader " << name << ": " << releases
              << '\n';
  }
  EXPECT_TRUE(counts.by_reader.empty());
  EXPECT_EQ(counts.beyond, 0u);
  EXPECT_EQ(counts.by_tie, 0u);
  EXPECT_EQ(counts.empty, 0u);
  EXPECT_GT(counts.would_break, 300u);
}

TEST(SimilarityWatch, OursCostsNoMore) {
  reissue::ThreadPool pool(2);
  std::size_t tables = 0, cheaper = 0, dearer = 0, only_ours = 0, only_others = 0, empty = 0;
  double worst = 0;
  for (std::uint64_t number = 0; number < 1500; ++number) {
    reissue::Random random = reissue::Random::Seeded(600'000 + number);
    Watched watched = DrawWatched(number, random);
    std::map<model::Algorithm, std::optional<double>> penalty;
    for (const auto algorithm :
         {model::Algorithm::kReissue, model::Algorithm::kBkaa, model::Algorithm::kJsReduce}) {
      watched.options.algorithm = algorithm;
      const auto outcome = model::Publish(watched.drawn.table, watched.options, pool);
      if (outcome && outcome->groups == 0) ++empty;
      if (outcome) penalty[algorithm] = PenaltyOf(watched.drawn.rows, GroupsOf(*outcome));
    }
    const auto& ours = penalty[model::Algorithm::kReissue];
    ++tables;
    double best = 1e300;
    for (const auto algorithm : {model::Algorithm::kBkaa, model::Algorithm::kJsReduce}) {
      if (penalty[algorithm]) best = std::min(best, *penalty[algorithm]);
    }
    if (!ours || best == 1e300) {
      only_ours += ours ? 1 : 0;
      only_others += best < 1e300 ? 1 : 0;
      continue;
    }
    cheaper += *ours < best - 1e-9 ? 1 : 0;
    if (*ours > best + 1e-9) {
      ++dearer;
      worst = std::max(worst, *ours - best);
    }
  }
  std::cout << tables << " tables with a reader: ours cheaper than both in " << cheaper
            << ", dearer in " << dearer << " (by at most " << worst << "), only ours publishes "
            << only_ours << ", only others " << only_others << '\n';
  EXPECT_EQ(dearer, 0u);
  EXPECT_EQ(empty, 0u);
  EXPECT_EQ(only_others, 0u);
}

}  // namespace
}  // namespace oracle::similarity
