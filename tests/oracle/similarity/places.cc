#include "places.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace oracle::similarity {
namespace {

std::vector<double> SharesOf(const std::vector<int>& shown, const std::vector<std::size_t>& members,
                             int values) {
  std::vector<double> shares(std::size_t(values), 0.0);
  for (const std::size_t row : members) shares[std::size_t(shown[row])] += 1;
  for (double& share : shares) share /= double(members.size());
  return shares;
}

struct Reach {
  double low, high;
};

Reach ReachOf(const Rows& rows, const std::vector<std::size_t>& members, std::size_t axis) {
  Reach reach{rows.place[members[0]][axis], rows.place[members[0]][axis]};
  for (const std::size_t row : members) {
    reach.low = std::min(reach.low, rows.place[row][axis]);
    reach.high = std::max(reach.high, rows.place[row][axis]);
  }
  return reach;
}

bool KeepsAlone(const Rows& rows, const std::vector<std::size_t>& members,
                const std::vector<std::size_t>& all, const Asked& asked) {
  return Breach(MeasureGroup(rows, rows.value, members, all, asked.ordered), asked) <= 1e-12;
}

}  // namespace

double Axis::Penalty(double low, double high) const {
  if (low == high) return 0;
  if (!tree) return (high - low) / (largest - least);
  int fewest = leaves;
  for (const auto& [first, last] : nodes) {
    if (first <= int(low) && int(high) <= last) fewest = std::min(fewest, last - first + 1);
  }
  return double(fewest) / leaves;
}

double Axis::Apart(double a, double b) const {
  if (tree) return Penalty(std::min(a, b), std::max(a, b));
  return a == b ? 0 : std::abs(a - b) / deviation;
}

std::vector<std::vector<std::size_t>> Groups::Members() const {
  std::map<int, std::vector<std::size_t>> members;
  for (std::size_t row = 0; row < of.size(); ++row) {
    if (of[row] >= 0) members[of[row]].push_back(row);
  }
  std::vector<std::vector<std::size_t>> list;
  for (const auto& [group, in] : members) list.push_back(in);
  return list;
}

double Bits(const Belief& belief) {
  double bits = 0;
  for (const double p : belief) bits -= p > 0 ? p * std::log2(p) : 0;
  return bits;
}

Measured MeasureGroup(const Rows& rows, const std::vector<int>& shown,
                      const std::vector<std::size_t>& members, const std::vector<std::size_t>& all,
                      bool ordered) {
  Measured measured;
  const double n = double(members.size());
  measured.k = int(members.size());
  Belief mean(std::size_t(rows.values), 0.0);
  double bits = 0;
  for (const std::size_t row : members) {
    for (std::size_t s = 0; s < mean.size(); ++s) mean[s] += rows.belief[row][s] / n;
    bits += Bits(rows.belief[row]) / n;
  }
  measured.j = Bits(mean) - bits;
  const std::vector<double> q = SharesOf(shown, members, rows.values);
  const std::vector<double> p = SharesOf(shown, all, rows.values);
  double sum = 0, cumulated = 0, moved = 0;
  int occur = 0;  // values of the release
  for (std::size_t s = 0; s < q.size(); ++s) {
    if (q[s] > 0) measured.beta = std::max(measured.beta, (q[s] - p[s]) / p[s]);
    sum += std::abs(q[s] - p[s]);
    if (p[s] == 0) continue;
    ++occur;
    cumulated += q[s] - p[s];
    moved += std::abs(cumulated);
  }
  measured.t = sum / 2;
  if (ordered) measured.t = occur > 1 ? moved / (occur - 1) : 0;
  return measured;
}

Measured MeasureRelease(const Rows& rows, const Groups& groups, bool ordered) {
  std::vector<std::size_t> all;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (groups.of[row] >= 0) all.push_back(row);
  }
  Measured worst;
  worst.k = int(rows.size()) + 1;
  for (const auto& members : groups.Members()) {
    const Measured one = MeasureGroup(rows, groups.shown, members, all, ordered);
    worst.k = std::min(worst.k, one.k);
    worst.j = std::max(worst.j, one.j);
    worst.beta = std::max(worst.beta, one.beta);
    worst.t = std::max(worst.t, one.t);
  }
  return worst;
}

double Breach(const Measured& measured, const Asked& asked) {
  double breach = measured.j - asked.j;
  if (measured.k < asked.k) breach = std::max(breach, double(asked.k - measured.k));
  if (asked.beta > 0) breach = std::max(breach, measured.beta - asked.beta);
  if (asked.t > 0) breach = std::max(breach, measured.t - asked.t);
  return breach;
}

double PenaltyOf(const Rows& rows, const Groups& groups) {
  double penalty = double(std::count(groups.of.begin(), groups.of.end(), -1));
  for (const auto& members : groups.Members()) {
    double mean = 0;
    for (std::size_t axis = 0; axis < rows.axes.size(); ++axis) {
      const Reach reach = ReachOf(rows, members, axis);
      mean += rows.axes[axis].Penalty(reach.low, reach.high) / double(rows.axes.size());
    }
    penalty += mean * double(members.size());
  }
  return penalty;
}

double LinkageOf(const Rows& rows, const Groups& groups) {
  const auto list = groups.Members();
  double linkage = 0;
  for (std::size_t own = 0; own < list.size(); ++own) {
    for (const std::size_t row : list[own]) {
      std::vector<double> far;
      for (const auto& members : list) {
        double squared = 0;
        for (std::size_t a = 0; a < rows.axes.size(); ++a) {
          const Axis& axis = rows.axes[a];
          const Reach reach = ReachOf(rows, members, a);
          const double place = rows.place[row][a];
          const double apart =
              axis.tree ? axis.Penalty(std::min(reach.low, place), std::max(reach.high, place))
                        : axis.Apart(place, (reach.low + reach.high) / 2);
          squared += apart * apart;
        }
        far.push_back(squared);
      }
      const double nearest = *std::min_element(far.begin(), far.end());
      if (far[own] > nearest + 1e-12) continue;
      const auto near = std::count_if(far.begin(), far.end(),
                                      [&](double squared) { return squared <= nearest + 1e-12; });
      linkage += 1.0 / double(list[own].size()) / double(near);
    }
  }
  return linkage;
}

double Squared(const Rows& rows, std::size_t a, std::size_t b) {
  double squared = 0;
  for (std::size_t axis = 0; axis < rows.axes.size(); ++axis) {
    const double apart = rows.axes[axis].Apart(rows.place[a][axis], rows.place[b][axis]);
    squared += apart * apart;
  }
  return squared;
}

OrderCheck CheckOrder(const Rows& rows, const std::vector<std::uint32_t>& order) {
  OrderCheck check;
  std::vector<bool> left(rows.size(), true);
  // `far`: what the next row has least of.
  const auto step = [&](std::size_t next, const std::vector<double>& far) {
    double least = 1e300;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (left[row]) least = std::min(least, far[row]);
    }
    const double tolerance = 1e-9 * (1 + std::abs(least));
    bool tie = false, close = false, wrong = !left[next] || far[next] > least + tolerance;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (!left[row] || row == next || far[row] > least + tolerance) continue;
      tie = true;
      if (row > next) continue;
      if (rows.place[row] == rows.place[next]) wrong = true;
      close = true;
    }
    check.ties += tie ? 1 : 0;
    check.close += close ? 1 : 0;
    ++check.steps;
    if (wrong) check.right = false;
    left[next] = false;
  };
  if (order.size() != rows.size()) check.right = false;
  for (std::size_t i = 0; i < order.size() && check.right; ++i) {
    std::vector<double> far(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (i > 0) {
        far[row] = Squared(rows, order[i - 1], row);
      } else {
        for (std::size_t other = 0; other < rows.size(); ++other) {
          far[row] -= Squared(rows, row, other) / double(rows.size());
        }
      }
    }
    step(order[i], far);
  }
  return check;
}

Groups CloseGroups(const Rows& rows, const std::vector<std::uint32_t>& order, const Asked& asked) {
  Groups groups;
  groups.of.assign(rows.size(), -1);
  groups.shown = rows.value;
  std::vector<std::size_t> all(rows.size()), open;
  std::iota(all.begin(), all.end(), 0u);
  int next = 0;
  for (const std::uint32_t row : order) {
    open.push_back(row);
    if (int(open.size()) < asked.k || !KeepsAlone(rows, open, all, asked)) continue;
    for (const std::size_t member : open) groups.of[member] = next;
    ++next;
    open.clear();
  }
  return groups;
}

bool AnyGroup(const Rows& rows, const Asked& asked, bool of_table) {
  std::vector<std::size_t> all(rows.size());
  std::iota(all.begin(), all.end(), 0u);
  for (std::uint32_t set = 1; set < (1u << rows.size()); ++set) {
    std::vector<std::size_t> members;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (set >> row & 1) members.push_back(row);
    }
    if (int(members.size()) < asked.k) continue;
    if (KeepsAlone(rows, members, of_table ? all : members, asked)) return true;
  }
  return false;
}

}  // namespace oracle::similarity
