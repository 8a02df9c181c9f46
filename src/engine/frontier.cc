#include "reissue/engine/frontier.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace reissue::engine {
namespace {

using contract::Axis;
using contract::ExploreReport;
using Point = ExploreReport::Point;
using Sense = Axis::Sense;

// Losses that differ by less are the same.
constexpr double kSame = 1e-12;

bool Equal(const io::Setting& one, const io::Setting& other) {
  return one.kind == other.kind && one.number == other.number && one.text == other.text;
}

class Grid {
 public:
  explicit Grid(ExploreReport& report) : axes_(report.axes), points_(report.points) {}

  void Find() {
    for (std::size_t i = 0; i < points_.size(); ++i) points_[i].taken = i;
    for (std::size_t i = 0; i < points_.size(); ++i) Take(i);
    for (std::size_t i = 0; i < points_.size(); ++i) {
      points_[i].frontier = Possible(i) && points_[i].taken == i && !Beaten(i);
    }
    FindKnee();
  }

 private:
  bool Possible(std::size_t i) const { return !points_[i].tried.problem; }
  double Loss(std::size_t i) const { return points_[points_[i].taken].tried.loss; }

  // -1, 0 or 1: how the promise of `a` compares with that of `b` on one axis.
  static int Compare(const Axis& axis, const io::Setting& a, const io::Setting& b) {
    if (axis.sense == Sense::kNothing || a.number == b.number) return 0;
    return (a.number > b.number) == (axis.sense == Sense::kPromisesMore) ? 1 : -1;
  }

  // At least as much in everything.
  bool Promises(std::size_t a, std::size_t b) const {
    for (std::size_t x = 0; x < axes_.size(); ++x) {
      if (Compare(axes_[x], points_[a].settings[x], points_[b].settings[x]) < 0) return false;
    }
    return true;
  }

  // Whether what was found for `a` may be published where `b` was asked for.
  bool Serves(std::size_t a, std::size_t b) const {
    if (!Possible(a) || !Promises(a, b)) return false;
    for (std::size_t x = 0; x < axes_.size(); ++x) {
      const io::Setting& one = points_[a].settings[x];
      const io::Setting& other = points_[b].settings[x];
      if (axes_[x].sense != Sense::kNothing) continue;
      // A number of rows and a share do not compare.
      const bool fewer = axes_[x].key == "suppression" && one.number <= other.number &&
                         (one.number >= 1) == (other.number >= 1);
      const bool none = axes_[x].key == "suppression" && one.number == 0;
      if (!fewer && !none && !Equal(one, other)) return false;
    }
    return true;
  }

  void Take(std::size_t i) {
    double least =
        Possible(i) ? points_[i].tried.loss - kSame : std::numeric_limits<double>::infinity();
    for (std::size_t other = 0; other < points_.size(); ++other) {
      if (other == i || !Serves(other, i) || points_[other].tried.loss >= least) continue;
      least = points_[other].tried.loss;
      points_[i].taken = other;
    }
  }

  bool Beaten(std::size_t i) const {
    for (std::size_t other = 0; other < points_.size(); ++other) {
      if (other == i || !Possible(other) || !Promises(other, i)) continue;
      const double gain = Loss(i) - Loss(other);
      if (gain > kSame) return true;
      if (gain < -kSame) continue;
      if (!Promises(i, other) || other < i) return true;
    }
    return false;
  }

  // Where a setting stands between the weakest promise and the strongest.
  double Strength(std::size_t i) const {
    double sum = 0;
    std::size_t varying = 0;
    for (std::size_t x = 0; x < axes_.size(); ++x) {
      if (axes_[x].sense == Sense::kNothing) continue;
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (const std::size_t each : frontier_) {
        low = std::min(low, Log(points_[each].settings[x].number));
        high = std::max(high, Log(points_[each].settings[x].number));
      }
      if (!(low < high)) continue;
      const double at = (Log(points_[i].settings[x].number) - low) / (high - low);
      sum += axes_[x].sense == Sense::kPromisesMore ? at : 1 - at;
      ++varying;
    }
    return varying == 0 ? 0 : sum / static_cast<double>(varying);
  }
  static double Log(double number) { return std::log(std::max(number, 1e-9)); }

  void FindKnee() {
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (points_[i].frontier) frontier_.push_back(i);
    }
    if (frontier_.size() < 3) return;
    const auto strength = [&](std::size_t i) { return Strength(i); };
    const std::size_t weakest = *std::ranges::min_element(frontier_, {}, strength);
    const std::size_t strongest = *std::ranges::max_element(frontier_, {}, strength);
    const double from = Strength(weakest), span = Strength(strongest) - from;
    const double rise = Loss(strongest) - Loss(weakest);
    if (!(span > 0) || !(rise > kSame)) return;
    double farthest = 1e-9;
    Point* knee = nullptr;
    for (const std::size_t i : frontier_) {
      const double below = (Strength(i) - from) / span - (Loss(i) - Loss(weakest)) / rise;
      if (below <= farthest) continue;
      farthest = below;
      knee = &points_[i];
    }
    if (knee != nullptr) knee->knee = true;
  }

  const std::vector<Axis>& axes_;
  std::vector<Point>& points_;
  std::vector<std::size_t> frontier_;
};

}  // namespace

void FindFrontier(ExploreReport& report) { Grid(report).Find(); }

}  // namespace reissue::engine
