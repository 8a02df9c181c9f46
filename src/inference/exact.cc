#include "reissue/inference/exact.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <memory>
#include <span>

namespace reissue::inference::internal {
namespace {

using State = std::uint32_t;
using Mask = std::uint32_t;  // a bit per value

constexpr std::uint64_t kMostStates = std::numeric_limits<State>::max();
constexpr std::size_t kMostValues = 32;  // each has a row, so there are 2^values states or more

// States are numbers of rows used per value, in mixed radix. Layer i holds, per state in which i
// rows are used, the weight of all ways for the first i people (forwards) or for all after them
// (backwards) to use what they use. Each layer is scaled to a largest entry of 1: only ratios
// within a product of two layers matter, and that product is normalised per person.
//
// Every sum is over states in ascending order, and in each over its values: beliefs are the same
// to the last bit however they are computed, and ties between people stay what they are.
class Permanents {
 public:
  Permanents(const BeliefGroup& group, std::size_t states)
      : group_(group),
        states_(states),
        begin_(group.people + 2, 0),
        order_(std::make_unique_for_overwrite<State[]>(states)),
        left_(std::make_unique_for_overwrite<Mask[]>(states)),
        forward_(std::make_unique_for_overwrite<double[]>(states)),
        backward_(std::make_unique_for_overwrite<double[]>(states)) {
    CountLayers();
    FillLayers();
  }

  std::optional<std::vector<double>> Solve(const decltype(EstimateOptions::enough)& enough) {
    Forwards();
    std::vector<double> belief(group_.people * group_.values(), 0);
    backward_[states_ - 1] = 1;
    for (std::size_t person = group_.people; person-- > 0;) {
      double* own = &belief[person * group_.values()];
      if (!Backwards(person, own)) return std::nullopt;
      if (enough && enough(person, {own, group_.values()})) return std::vector<double>();
    }
    return belief;
  }

 private:
  // Where layers begin: coefficients of Π (1 + x + … + x^rows), summed up.
  void CountLayers() {
    std::vector<State> size(group_.people + 1, 0), summed(group_.people + 2, 0);
    size[0] = 1;
    State stride = 1;
    std::size_t people = 0;
    for (std::size_t s = 0; s < group_.values(); ++s) {
      const std::size_t rows = group_.rows[s];
      stride_[s] = stride;
      stride *= group_.rows[s] + 1;
      people += rows;
      for (std::size_t i = 0; i <= people; ++i) summed[i + 1] = summed[i] + size[i];
      for (std::size_t i = 0; i <= people; ++i) {
        size[i] = summed[i + 1] - summed[i > rows ? i - rows : 0];
      }
    }
    for (std::size_t i = 0; i <= group_.people; ++i) begin_[i + 1] = begin_[i] + size[i];
  }

  // States in ascending order, as one counts.
  void FillLayers() {
    std::vector<State> next(begin_.begin(), begin_.end());
    std::array<std::uint32_t, kMostValues> used{};
    std::size_t all_used = 0;
    auto left = static_cast<Mask>((std::uint64_t{1} << group_.values()) - 1);
    for (State state = 0;; ++state) {
      order_[next[all_used]++] = state;
      left_[state] = left;
      if (left == 0) return;
      std::size_t s = 0;
      for (; used[s] == group_.rows[s]; ++s) {
        all_used -= used[s];
        used[s] = 0;
        left |= Mask{1} << s;
      }
      ++all_used;
      if (++used[s] == group_.rows[s]) left &= ~(Mask{1} << s);
    }
  }

  std::span<const State> Layer(std::size_t number) const {
    return {&order_[begin_[number]], &order_[begin_[number + 1]]};
  }
  // A value with several rows left counts once: its rows are alike.
  void Forwards() {
    double* forward = forward_.get();
    std::fill_n(forward, states_, 0.0);
    forward[0] = 1;
    for (std::size_t person = 0; person < group_.people; ++person) {
      const double* prior = &group_.prior[person * group_.values()];
      const double largest = Largest(Layer(person));
      for (const State state : Layer(person)) {
        const double weight = forward[state] /= largest;
        double* next = forward + state;
        for (Mask left = left_[state]; left != 0; left &= left - 1) {
          const int s = std::countr_zero(left);
          next[stride_[s]] += weight * prior[s];
        }
      }
    }
  }

  // Forwards; 1 where all are 0.
  double Largest(std::span<const State> layer) const {
    double largest = 0;
    for (const State state : layer) largest = std::max(largest, forward_[state]);
    return largest > 0 ? largest : 1;
  }

  // From the layer after the person to the one before, and the person's beliefs on the way.
  bool Backwards(std::size_t person, double* belief) {
    const double* prior = &group_.prior[person * group_.values()];
    double* backward = backward_.get();
    std::array<double, kMostValues> own{};
    double sum = 0, largest = 0;
    for (const State state : Layer(person)) {
      const double before = forward_[state];
      const double* next = backward + state;
      double after = 0;
      for (Mask left = left_[state]; left != 0; left &= left - 1) {
        const int s = std::countr_zero(left);
        const double then = next[stride_[s]];
        const double weight = before * prior[s] * then;
        own[s] += weight;
        sum += weight;
        after += prior[s] * then;
      }
      backward[state] = after;
      largest = std::max(largest, after);
    }
    if (!(sum > 0)) return false;
    for (std::size_t s = 0; s < group_.values(); ++s) belief[s] = own[s] / sum;
    for (const State state : Layer(person)) backward[state] /= largest;
    return true;
  }

  const BeliefGroup& group_;
  std::size_t states_;
  std::array<State, kMostValues> stride_{};
  std::vector<State> begin_;                      // per layer and one more, in order_
  std::unique_ptr<State[]> order_;                // states by rows used, ascending
  std::unique_ptr<Mask[]> left_;                  // per state: values with rows left
  std::unique_ptr<double[]> forward_, backward_;  // per state
};

}  // namespace

std::uint64_t StatesOf(const BeliefGroup& group) {
  std::uint64_t states = 1;
  for (const std::uint32_t rows : group.rows) {
    if (__builtin_mul_overflow(states, std::uint64_t{rows} + 1, &states)) return ~std::uint64_t{0};
  }
  return states;
}

std::optional<std::vector<double>> ExactBelief(const BeliefGroup& group, std::uint64_t states,
                                               const decltype(EstimateOptions::enough)& enough) {
  const std::uint64_t needed = StatesOf(group);
  if (needed > std::min(states, kMostStates)) return std::nullopt;
  return Permanents(group, needed).Solve(enough);
}

}  // namespace reissue::inference::internal
