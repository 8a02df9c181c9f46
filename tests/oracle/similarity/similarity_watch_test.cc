// With a reader to be held against: nobody is believed or gained more of than allowed, by a reader
// who enumerates.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "promised.h"
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
  if (random.Below(3) > 0) limits.bounds.max_belief = 0.4 + 0.5 * random.Unit();
  if (!limits.bounds.max_belief || random.Below(3) == 0) {
    limits.bounds.max_gain = 0.15 + 0.6 * random.Unit();
  }
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

Promised PromisedBy(const Watched& watched) {
  const model::Bounds& bounds = watched.options.limits->bounds;
  return {bounds.max_belief, bounds.max_gain};
}

std::vector<Member> PeopleOf(const Watched& watched, const std::vector<std::size_t>& members,
                             const Groups& groups) {
  std::vector<Member> people;
  for (const std::size_t row : members) {
    people.push_back({watched.drawn.rows.belief[row], watched.said[row], groups.shown[row]});
  }
  return people;
}

// The product's own reader sees the release and judges it.
model::Beliefs SeenByReader(const Watched& watched, const model::Outcome& outcome,
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
  return reader.See(snapshot, statements, pool, watched.options.limits->bounds);
}

// By the oracle's definition, with the product's beliefs.
double BeyondByReader(const Watched& watched, const Groups& groups, const model::Beliefs& beliefs) {
  double beyond = -1;
  for (const auto& members : groups.Members()) {
    std::vector<Belief> belief;
    for (const std::size_t row : members) belief.push_back(beliefs.posterior[row]);
    beyond =
        std::max(beyond, Beyond(PeopleOf(watched, members, groups), belief, PromisedBy(watched)));
  }
  return beyond;
}

bool TooLarge(const Watched& watched, std::size_t people) {
  return watched.options.limits->reader.estimator == readers::Estimator::kScaling ||
         people > (watched.way == Way::kExact   ? 24u
                   : watched.way == Way::kOmega ? 100u
                                                : 7u);
}

void Attack(const Watched& watched, const Groups& groups, WatchCounts& counts, bool& broken) {
  const bool share = watched.options.limits->reader.estimate.share_ties;
  const bool posterior = watched.options.limits->reader.cascade == model::Cascade::kPosterior;
  const Promised promised = PromisedBy(watched);
  for (const auto& members : groups.Members()) {
    const std::vector<Member> people = PeopleOf(watched, members, groups);
    if (TooLarge(watched, members.size())) {
      ++counts.unchecked;
      continue;
    }
    const Views views = ViewsOf(people, watched.way, posterior);
    if (views.choices.empty()) {
      ++counts.undefined;
      // Where nothing is possible nothing is promised; so nobody may be there who counts.
      broken |= watched.way == Way::kExact && !std::ranges::all_of(people, [&](const Member& one) {
                  return KnownBefore(one, people);
                });
      continue;
    }
    ++counts.groups;
    counts.people += members.size();
    if (watched.way == Way::kBayes && share) {
      broken |= Beyond(people, views.shared, promised) > 1e-9;
      continue;
    }
    // One of the choices is hers; it is enough here that one of them is allowed.
    std::size_t above = 0;
    for (const auto& choice : views.choices) {
      above += Beyond(people, choice, promised) > 1e-9 ? 1 : 0;
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
    const model::Beliefs seen = SeenByReader(watched, *outcome, pool);
    if (BeyondByReader(watched, groups, seen) > 1e-9 || seen.judged.beyond > 0 ||
        seen.judged.unsettled > 0) {
      ++counts.by_reader[readers::NameOf(watched.options.limits->reader.estimator)];
    }
    EXPECT_FALSE(broken && counts.beyond <= 2)
        << number << " estimator " << int(watched.options.limits->reader.estimator) << " algorithm "
        << int(watched.options.algorithm) << " leftover " << int(watched.options.leftover)
        << " max_belief " << watched.options.limits->bounds.max_belief.value_or(-1) << " max_gain "
        << watched.options.limits->bounds.max_gain.value_or(-1) << '\n'
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

// Publishers that judge beliefs wrongly: what they would let through, and the promise does not, the
// product's reader must see; and nothing else.
TEST(SimilarityWatch, PlantedBugsAreSeen) {
  reissue::ThreadPool pool(2);
  const std::pair<const char*, Mistake> mistakes[] = {
      {"bounds only true values", {.true_values_only = true}},
      {"takes certainty for no gain", {.certainty_is_no_gain = true}}};
  std::map<std::string, std::size_t> let_through, seen;
  std::size_t groups_judged = 0, broken_groups = 0, disagree = 0, edge = 0;
  for (std::uint64_t number = 0; number < 3000; ++number) {
    reissue::Random random = reissue::Random::Seeded(800'000 + number);
    Watched watched = DrawWatched(number, random);
    model::PublishOptions blind = watched.options;
    blind.limits.reset();
    const auto outcome = model::Publish(watched.drawn.table, blind, pool);
    if (!outcome) continue;
    const model::ReaderLimits& limits = *watched.options.limits;
    const bool share = limits.reader.estimate.share_ties;
    const Groups groups = GroupsOf(*outcome);
    for (const auto& members : groups.Members()) {
      const std::vector<Member> people = PeopleOf(watched, members, groups);
      if (TooLarge(watched, members.size())) continue;
      const Views views =
          ViewsOf(people, watched.way, limits.reader.cascade == model::Cascade::kPosterior);
      if (views.choices.empty()) continue;
      const auto beyond = [&](const Mistake& mistake) {
        if (watched.way == Way::kBayes && share) {
          return Beyond(people, views.shared, PromisedBy(watched), mistake);
        }
        double worst = -1;
        for (const auto& choice : views.choices) {
          worst = std::max(worst, Beyond(people, choice, PromisedBy(watched), mistake));
        }
        return worst;
      };
      const double true_beyond = beyond({});
      if (std::abs(true_beyond) < 1e-7) {
        ++edge;
        continue;
      }
      model::Outcome alone = *outcome;
      for (std::uint32_t& group : alone.group) {
        group = group == outcome->group[members[0]] ? 0 : model::kSuppressed;
      }
      alone.groups = 1;
      const model::Judgement judged = SeenByReader(watched, alone, pool).judged;
      ++groups_judged;
      broken_groups += true_beyond > 0 ? 1 : 0;
      const bool kept = judged.KeepsBelief(limits.bounds) && judged.KeepsGain(limits.bounds);
      disagree += kept == (true_beyond > 0) || (judged.beyond > 0) == kept ? 1 : 0;
      for (const auto& [name, mistake] : mistakes) {
        if (true_beyond <= 0 || beyond(mistake) > 0) continue;
        ++let_through[name];
        seen[name] += kept ? 0 : 1;
      }
    }
  }
  std::cout << groups_judged << " groups judged, broken " << broken_groups << ", on the edge "
            << edge << ", answers that differ " << disagree << '\n';
  EXPECT_EQ(disagree, 0u);
  for (const auto& [name, mistake] : mistakes) {
    std::cout << "a publisher that " << name << " lets through " << let_through[name] << ", seen "
              << seen[name] << '\n';
    EXPECT_GT(let_through[name], 50u);
    EXPECT_EQ(seen[name], let_through[name]);
  }
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
