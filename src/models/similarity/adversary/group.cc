#include "reissue/models/similarity/adversary/group.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace reissue::models::similarity {
namespace {

using inference::BeliefGroup;
using inference::Estimator;
using inference::Hint;

// Who is certain is taken out first, with a row each.
class GroupView {
 public:
  GroupView(std::span<const Suspect> suspects, std::uint32_t values, const ReaderOptions& options)
      : suspects_(suspects), options_(options), left_(values, 0), people_(suspects.size()) {
    for (const Suspect& suspect : suspects) ++left_[suspect.value];
  }

  // Somebody's beliefs over all values, before others' are known; true: that is enough.
  using Enough = std::function<bool(std::size_t suspect, const Distribution& posterior)>;

  inference::Posterior Estimate(std::uint64_t seed, const Enough& enough = nullptr) {
    for (std::size_t i = 0; i < people_.size(); ++i) TakeOut(i);
    BeliefGroup group;
    std::vector<std::size_t> column(left_.size(), 0);
    for (Value value = 0; value < left_.size(); ++value) {
      if (left_[value] == 0) continue;
      column[value] = group.rows.size();
      group.rows.push_back(left_[value]);
      shown_.push_back(value);
    }
    std::vector<Hint> hints;
    std::vector<std::size_t> suspect;  // per person
    for (std::size_t i = 0; i < people_.size(); ++i) {
      if (people_[i].certain) continue;
      suspect.push_back(i);
      people_[i].number = group.people++;
      for (const Value value : shown_) group.prior.push_back((*suspects_[i].prior)[value]);
      if (!InWeights(options_)) continue;
      for (const Statement& statement : suspects_[i].statements) {
        if (left_[statement.value] == 0) continue;
        hints.push_back({people_[i].number, column[statement.value], statement.confidence});
      }
    }
    if (group.people == 0) return {};
    inference::EstimateOptions estimate = options_.estimate;
    estimate.seed = seed;
    if (enough) {
      estimate.enough = [&](std::size_t person, std::span<const double> belief) {
        return enough(suspect[person], OverAll(belief));
      };
    }
    return inference::Estimate(group, options_.estimator, HintsThatCount(group, hints), estimate);
  }

  GroupBeliefs Believe(const inference::Posterior& found) const {
    GroupBeliefs beliefs;
    beliefs.settled = found.converged;
    beliefs.approximated = options_.estimator == Estimator::kExact && !found.belief.empty() &&
                           found.by != Estimator::kExact && found.converged;
    beliefs.posterior = OverAll(found.belief);
    if (!found.most.empty()) {
      beliefs.least = OverAll(found.least);
      beliefs.most = OverAll(found.most);
    }
    for (const Member& member : people_) beliefs.certain.push_back(member.certain.has_value());
    return beliefs;
  }

 private:
  // Over all values; of everybody, or nothing where there is nothing.
  std::vector<Distribution> OverAll(const std::vector<double>& belief) const {
    std::vector<Distribution> all;
    for (const Member& member : people_) {
      Distribution& posterior = all.emplace_back(left_.size(), 0);
      if (member.certain) {
        posterior[*member.certain] = 1;
        continue;
      }
      for (std::size_t v = 0; v < shown_.size(); ++v) {
        posterior[shown_[v]] = belief[member.number * shown_.size() + v];
      }
    }
    return all;
  }
  Distribution OverAll(std::span<const double> of_person) const {
    Distribution posterior(left_.size(), 0);
    for (std::size_t v = 0; v < shown_.size(); ++v) posterior[shown_[v]] = of_person[v];
    return posterior;
  }
  struct Member {
    std::optional<Value> certain;
    std::size_t number = 0;  // among those who are not certain
  };

  // A statement that no row is left for cannot be true, and is not believed.
  void TakeOut(std::size_t i) {
    for (const Statement& statement : suspects_[i].statements) {
      if (statement.confidence < 1 || left_[statement.value] == 0) continue;
      --left_[statement.value];
      people_[i].certain = statement.value;
      return;
    }
  }

  std::span<const Suspect> suspects_;
  const ReaderOptions& options_;
  std::vector<std::uint32_t> left_;  // rows per value
  std::vector<Member> people_;
  std::vector<Value> shown_;  // values with rows left
};

bool IsCertain(double belief) { return belief >= 1 - kBeliefTolerance; }

// Values with their rows.
using Rows = std::vector<std::pair<Value, std::uint32_t>>;
Rows RowsOf(std::span<const Suspect> group) {
  std::vector<Value> values;
  for (const Suspect& suspect : group) values.push_back(suspect.value);
  std::ranges::sort(values);
  Rows rows;
  for (const Value value : values) {
    if (rows.empty() || rows.back().first != value) rows.push_back({value, 0});
    ++rows.back().second;
  }
  return rows;
}

// One belief beside the bounds. `least`, `most`: over her choices.
struct OneBelief {
  double prior = 0, least = 0, most = 0;
  std::uint32_t rows = 0;  // of the value
};

// Returns how much more than allowed it is.
double JudgeOne(const OneBelief& one, std::size_t people, const Bounds& bounds, Judgement& judged) {
  double excess = -1;
  const double allowed = std::max(bounds.max_belief.value_or(1), one.prior);
  const bool had_before = bounds.max_belief && one.prior > *bounds.max_belief &&
                          one.most <= one.prior + kBeliefTolerance;
  if (!had_before) judged.belief = std::max(judged.belief, one.most);
  if (bounds.max_belief) excess = one.most - allowed;
  const double gain = std::max(inference::Gain(one.least, one.rows, people),
                               inference::Gain(one.most, one.rows, people));
  judged.gain = std::max(judged.gain, gain);
  if (bounds.max_gain) {
    excess = std::max(excess, IsCertain(one.most) ? 1 : gain - *bounds.max_gain);
  }
  return excess;
}

// Everything about one person; returns the largest excess.
double JudgePerson(const Distribution& prior, const Distribution& least, const Distribution& most,
                   const Rows& rows, std::size_t people, const Bounds& bounds, Judgement& judged) {
  double excess = -1;
  for (const auto& [value, count] : rows) {
    const OneBelief one{prior[value], least[value], most[value], count};
    excess = std::max(excess, JudgeOne(one, people, bounds, judged));
    judged.certain += IsCertain(one.most);
  }
  return excess;
}

bool KnownBefore(const Distribution& prior, const Rows& rows) {
  return std::ranges::any_of(rows,
                             [&](const auto& shown) { return IsCertain(prior[shown.first]); });
}

}  // namespace

bool InWeights(const ReaderOptions& options) {
  return options.cascade == Cascade::kPosterior && options.estimator == Estimator::kBayes;
}

GroupBeliefs Consider(std::span<const Suspect> group, std::uint32_t values,
                      const ReaderOptions& options, std::uint64_t seed) {
  GroupView view(group, values, options);
  return view.Believe(view.Estimate(seed));
}

void Judgement::Add(const Judgement& other) {
  belief = std::max(belief, other.belief);
  gain = std::max(gain, other.gain);
  beyond += other.beyond;
  certain += other.certain;
  unsettled += other.unsettled;
}

bool Judgement::KeepsBelief(const Bounds& bounds) const {
  return !bounds.max_belief || belief <= *bounds.max_belief + kBeliefTolerance;
}

bool Judgement::KeepsGain(const Bounds& bounds) const {
  return !bounds.max_gain || (certain == 0 && gain <= *bounds.max_gain + kBeliefTolerance);
}

GroupJudgement Judge(std::span<const Suspect> group, const GroupBeliefs& found,
                     const Bounds& bounds) {
  GroupJudgement result;
  result.excess.assign(group.size(), -1);
  const auto rows = RowsOf(group);
  for (std::size_t i = 0; i < group.size(); ++i) {
    const Distribution& prior = *group[i].prior;
    const bool known = found.certain[i] || KnownBefore(prior, rows);
    if (known) continue;
    if (!found.settled) {
      result.judged.unsettled = 1;
      if (bounds.any()) result.excess[i] = 1;
      continue;
    }
    const Distribution& least = found.least.empty() ? found.posterior[i] : found.least[i];
    const Distribution& most = found.most.empty() ? found.posterior[i] : found.most[i];
    result.excess[i] = JudgePerson(prior, least, most, rows, group.size(), bounds, result.judged);
    result.judged.beyond += result.excess[i] > kBeliefTolerance;
  }
  return result;
}

bool Exceeds(std::span<const Suspect> group, std::uint32_t values, const ReaderOptions& options,
             std::uint64_t seed, const Bounds& bounds, double tolerance) {
  const Rows rows = RowsOf(group);
  GroupView view(group, values, options);
  Judgement so_far;
  const inference::Posterior found =
      view.Estimate(seed, [&](std::size_t suspect, const Distribution& posterior) {
        const Distribution& prior = *group[suspect].prior;
        return !KnownBefore(prior, rows) && JudgePerson(prior, posterior, posterior, rows,
                                                        group.size(), bounds, so_far) > tolerance;
      });
  if (found.stopped) return true;
  const GroupJudgement judged = Judge(group, view.Believe(found), bounds);
  return std::ranges::any_of(judged.excess, [&](double excess) { return excess > tolerance; });
}

}  // namespace reissue::models::similarity
