#include "reissue/inference/exact.h"

#include <algorithm>
#include <numeric>

namespace reissue::inference::internal {
namespace {

// States are numbers of rows used per value, in mixed radix. Layer i holds, per state in which i
// rows are used, the weight of all ways for the first i people (forwards) or for all after them
// (backwards) to use what they use. Each layer is scaled to a largest entry of 1: only ratios
// within a product of two layers matter, and that product is normalised per person.
class Permanents {
 public:
  explicit Permanents(const BeliefGroup& group) : group_(group), stride_(group.values()) {
    states_ = 1;
    for (std::size_t s = 0; s < group.values(); ++s) {
      stride_[s] = states_;
      states_ *= group.rows[s] + 1;
    }
    layers_.resize(group.people + 1);
    std::vector<std::uint32_t> used(group.values(), 0);
    used_.reserve(states_ * group.values());
    for (std::size_t state = 0; state < states_; ++state) {
      layers_[std::accumulate(used.begin(), used.end(), std::size_t{0})].push_back(state);
      used_.insert(used_.end(), used.begin(), used.end());
      for (std::size_t s = 0; s < used.size(); ++s) {
        if (++used[s] <= group.rows[s]) break;
        used[s] = 0;
      }
    }
  }

  std::optional<std::vector<double>> Solve() {
    Forwards();
    std::vector<double> belief(group_.people * group_.values(), 0);
    std::vector<double> after(states_, 0), before(states_, 0);
    after[states_ - 1] = 1;
    for (std::size_t person = group_.people; person-- > 0;) {
      if (!Person(person, after, &belief[person * group_.values()])) return std::nullopt;
      Backwards(person, after, before);
      std::swap(after, before);
    }
    return belief;
  }

 private:
  bool HasRowLeft(std::size_t state, std::size_t value) const {
    return used_[state * group_.values() + value] < group_.rows[value];
  }
  double Prior(std::size_t person, std::size_t value) const {
    return group_.prior[person * group_.values() + value];
  }

  void Scale(const std::vector<std::size_t>& layer, std::vector<double>& weight) const {
    double largest = 0;
    for (const std::size_t state : layer) largest = std::max(largest, weight[state]);
    if (largest > 0) {
      for (const std::size_t state : layer) weight[state] /= largest;
    }
  }

  // A value with several rows left counts once: its rows are alike.
  void Forwards() {
    forward_.assign(states_, 0);
    forward_[0] = 1;
    for (std::size_t person = 0; person < group_.people; ++person) {
      for (const std::size_t state : layers_[person]) {
        if (forward_[state] == 0) continue;
        for (std::size_t s = 0; s < group_.values(); ++s) {
          if (HasRowLeft(state, s)) {
            forward_[state + stride_[s]] += forward_[state] * Prior(person, s);
          }
        }
      }
      Scale(layers_[person + 1], forward_);
    }
  }

  bool Person(std::size_t person, const std::vector<double>& after, double* belief) const {
    double sum = 0;
    for (const std::size_t state : layers_[person]) {
      for (std::size_t s = 0; s < group_.values(); ++s) {
        if (HasRowLeft(state, s)) {
          const double weight = forward_[state] * Prior(person, s) * after[state + stride_[s]];
          belief[s] += weight;
          sum += weight;
        }
      }
    }
    if (!(sum > 0)) return false;
    for (std::size_t s = 0; s < group_.values(); ++s) belief[s] /= sum;
    return true;
  }

  void Backwards(std::size_t person, const std::vector<double>& after,
                 std::vector<double>& before) const {
    for (const std::size_t state : layers_[person]) {
      double weight = 0;
      for (std::size_t s = 0; s < group_.values(); ++s) {
        if (HasRowLeft(state, s)) weight += Prior(person, s) * after[state + stride_[s]];
      }
      before[state] = weight;
    }
    Scale(layers_[person], before);
  }

  const BeliefGroup& group_;
  std::vector<std::size_t> stride_;
  std::size_t states_ = 0;
  std::vector<std::uint32_t> used_;               // states * values
  std::vector<std::vector<std::size_t>> layers_;  // states by rows used
  std::vector<double> forward_;
};

}  // namespace

std::uint64_t StatesOf(const BeliefGroup& group) {
  std::uint64_t states = 1;
  for (const std::uint32_t rows : group.rows) {
    if (__builtin_mul_overflow(states, std::uint64_t{rows} + 1, &states)) return ~std::uint64_t{0};
  }
  return states;
}

std::optional<std::vector<double>> ExactBelief(const BeliefGroup& group, std::uint64_t states) {
  if (StatesOf(group) > states) return std::nullopt;
  return Permanents(group).Solve();
}

}  // namespace reissue::inference::internal
