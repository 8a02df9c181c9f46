#include "reissue/inference/scaling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "reissue/inference/assignment.h"
#include "reissue/inference/support.h"

namespace reissue::inference::internal {
namespace {

constexpr int kRounds = 8;         // of rows and columns in turn
constexpr int kSteps = 100;        // of Newton's method
constexpr int kHalvings = 60;      // of a step
constexpr double kClose = 1e-13;   // per person: no need to go on
constexpr double kEnough = 1e-10;  // in all: a belief is off by no more

// Leaves of the prior what some assignment uses: whatever is 0 in every matrix with these margins
// would only be reached in the limit. False where there is no assignment at all.
bool LeaveUsable(BeliefGroup& group) {
  if (std::ranges::none_of(group.prior, [](double p) { return p == 0; })) return true;
  BeliefGroup possible = group;
  for (double& p : possible.prior) p = p > 0 ? 1 : 0;
  std::vector<std::uint32_t> order(group.people);
  std::iota(order.begin(), order.end(), 0);
  const std::vector<std::uint32_t> value_of = BestAssignment(possible, order).value_of;
  for (std::size_t v = 0; v < group.people; ++v) {
    if (group.prior[v * group.values() + value_of[v]] == 0) return false;
  }
  const std::vector<char> allowed(possible.prior.begin(), possible.prior.end());
  const std::vector<char> usable = UsablePairs(allowed, value_of, group.values());
  for (std::size_t i = 0; i < group.prior.size(); ++i) {
    if (!usable[i]) group.prior[i] = 0;
  }
  return true;
}

// The belief is prior · exp(price of the value), scaled to 1 per person. The prices at which the
// margins fit are the least point of a convex function, whose slope is how far they are off. Where
// priors differ by many powers of ten, it is looked for with a root of the priors first, then with
// its square, and so on until they are whole: each point is near the next.
class Prices {
 public:
  explicit Prices(const BeliefGroup& group)
      : group_(group), values_(group.values()), price_(values_, 0) {
    constexpr double kModerate = 30;  // of logarithms
    double least = 0, largest = -std::numeric_limits<double>::infinity();
    for (const double p : group.prior) {
      log_prior_.push_back(std::log(p));
      if (p > 0) least = std::min(least, log_prior_.back());
      largest = std::max(largest, log_prior_.back());
    }
    for (; (largest - least) * power_ > kModerate; power_ /= 2) {
    }
    Believe();
  }

  bool whole() const { return power_ == 1; }
  void Square() {
    power_ *= 2;
    for (double& price : price_) price *= 2;
    Believe();
  }

  const std::vector<double>& belief() const { return belief_; }
  // In all.
  double off() const {
    double sum = 0;
    for (const double slope : slope_) sum += std::abs(slope);
    return sum;
  }
  bool close() const { return off() < kClose * static_cast<double>(group_.people); }

  // Rows and columns in turn.
  void Round() {
    for (std::size_t s = 0; s < values_; ++s) {
      const double sum = slope_[s] + group_.rows[s];
      if (sum > 0) price_[s] += std::log(group_.rows[s] / sum);
    }
    Believe();
  }

  // One step of Newton's method, shortened until it does not go too far. False: no way down.
  bool Step() {
    const std::vector<double> way = Direction();
    const double steep = -Along(way);
    if (!(steep > 0)) return false;
    const std::vector<double> from = price_;
    double length = 1;
    for (int halving = 0; halving < kHalvings; ++halving, length /= 2) {
      for (std::size_t s = 0; s < values_; ++s) price_[s] = from[s] + length * way[s];
      Believe();
      if (Along(way) <= steep / 10) return true;
    }
    return false;
  }

 private:
  double Along(const std::vector<double>& way) const {
    return std::inner_product(way.begin(), way.end(), slope_.begin(), 0.0);
  }

  void Believe() {
    belief_.resize(log_prior_.size());
    slope_.assign(values_, 0);
    for (std::size_t at = 0; at < belief_.size(); at += values_) {
      double largest = -std::numeric_limits<double>::infinity(), sum = 0;
      for (std::size_t s = 0; s < values_; ++s) {
        belief_[at + s] = log_prior_[at + s] * power_ + price_[s];
        largest = std::max(largest, belief_[at + s]);
      }
      for (std::size_t s = 0; s < values_; ++s) {
        sum += belief_[at + s] = std::exp(belief_[at + s] - largest);
      }
      for (std::size_t s = 0; s < values_; ++s) slope_[s] += belief_[at + s] /= sum;
    }
    for (std::size_t s = 0; s < values_; ++s) slope_[s] -= group_.rows[s];
  }

  // How the slope changes with the prices; the lower half.
  std::vector<double> Curvature() const {
    std::vector<double> curvature(values_ * values_, 0);
    for (std::size_t at = 0; at < belief_.size(); at += values_) {
      for (std::size_t s = 0; s < values_; ++s) {
        const double b = belief_[at + s];
        if (b == 0) continue;
        curvature[s * values_ + s] += b;
        for (std::size_t t = 0; t <= s; ++t) curvature[s * values_ + t] -= b * belief_[at + t];
      }
    }
    return curvature;
  }

  // Cholesky. Prices that all change alike change nothing: a little more on the diagonal keeps
  // them.
  std::vector<double> Direction() const {
    constexpr double kLittle = 1e-13;
    std::vector<double> root = Curvature(), way(values_);
    const double added = kLittle * static_cast<double>(group_.people);
    for (std::size_t s = 0; s < values_; ++s) {
      root[s * values_ + s] += added;
      for (std::size_t t = 0; t <= s; ++t) {
        double rest = root[s * values_ + t];
        for (std::size_t u = 0; u < t; ++u) rest -= root[s * values_ + u] * root[t * values_ + u];
        root[s * values_ + t] =
            s == t ? std::sqrt(std::max(rest, added)) : rest / root[t * values_ + t];
      }
    }
    for (std::size_t s = 0; s < values_; ++s) {
      double rest = -slope_[s];
      for (std::size_t t = 0; t < s; ++t) rest -= root[s * values_ + t] * way[t];
      way[s] = rest / root[s * values_ + s];
    }
    for (std::size_t s = values_; s-- > 0;) {
      double rest = way[s];
      for (std::size_t t = s + 1; t < values_; ++t) rest -= root[t * values_ + s] * way[t];
      way[s] = rest / root[s * values_ + s];
    }
    return way;
  }

  const BeliefGroup& group_;
  std::size_t values_;
  std::vector<double> log_prior_, price_;
  double power_ = 1;  // of the prior
  std::vector<double> belief_;
  std::vector<double> slope_;  // per value: people believed to have it, less its rows
};

}  // namespace

Scaled Scale(const BeliefGroup& given) {
  BeliefGroup group = given;
  const bool possible = LeaveUsable(group);
  Prices prices(group);
  while (true) {
    for (int round = 0; round < kRounds && !prices.close(); ++round) prices.Round();
    for (int step = 0; possible && step < kSteps && !prices.close(); ++step) {
      if (!prices.Step()) break;
    }
    if (prices.whole()) break;
    prices.Square();
  }
  return {prices.belief(), possible && prices.off() < kEnough};
}

}  // namespace reissue::inference::internal
