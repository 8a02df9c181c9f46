#include "oracle.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>

namespace oracle::k {

namespace {

std::map<std::string, std::size_t> Counts(const Rows& rows) {
  std::map<std::string, std::size_t> counts;
  for (const Row& row : rows) ++counts[row.sensitive];
  return counts;
}

// A network with capacities and costs; edge e and its reverse e ^ 1 are neighbours in the list.
struct Network {
  struct Edge {
    std::size_t from, to;
    long capacity, cost;
  };
  std::size_t nodes;
  std::vector<Edge> edges;

  void Connect(std::size_t from, std::size_t to, long capacity, long cost) {
    edges.push_back({from, to, capacity, cost});
    edges.push_back({to, from, 0, -cost});
  }

  // Sends as much as possible along one cheapest path; what it costs, or nothing if no path is
  // left.
  std::optional<long> Augment(std::size_t source, std::size_t sink) {
    constexpr long kFar = std::numeric_limits<long>::max() / 4;
    std::vector<long> distance(nodes, kFar);
    std::vector<std::size_t> by(nodes, edges.size());
    distance[source] = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t e = 0; e < edges.size(); ++e) {
        const Edge& edge = edges[e];
        if (edge.capacity == 0 || distance[edge.from] == kFar) continue;
        if (distance[edge.from] + edge.cost < distance[edge.to]) {
          distance[edge.to] = distance[edge.from] + edge.cost;
          by[edge.to] = e;
          changed = true;
        }
      }
    }
    if (distance[sink] == kFar) return std::nullopt;
    long amount = kFar;
    for (std::size_t at = sink; at != source; at = edges[by[at]].from) {
      amount = std::min(amount, edges[by[at]].capacity);
    }
    for (std::size_t at = sink; at != source; at = edges[by[at]].from) {
      edges[by[at]].capacity -= amount;
      edges[by[at] ^ 1].capacity += amount;
    }
    return amount * distance[sink];
  }
};

}  // namespace

std::vector<Rows> EquivalenceClasses(const Rows& rows) {
  std::vector<Rows> classes;
  std::vector<bool> taken(rows.size(), false);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (taken[i]) continue;
    Rows members;
    for (std::size_t j = i; j < rows.size(); ++j) {
      if (rows[j].quasi != rows[i].quasi) continue;
      taken[j] = true;
      members.push_back(rows[j]);
    }
    classes.push_back(members);
  }
  return classes;
}

std::map<std::string, double> Shares(const Rows& rows) {
  std::map<std::string, double> shares;
  for (const auto& [value, count] : Counts(rows)) {
    shares[value] = static_cast<double>(count) / static_cast<double>(rows.size());
  }
  return shares;
}

std::size_t DistinctValues(const Rows& rows) { return Counts(rows).size(); }

double Entropy(const Rows& rows) {
  double entropy = 0;
  for (const auto& [value, share] : Shares(rows)) entropy -= share * std::log(share);
  return entropy;
}

double RecursiveBound(const Rows& rows, std::size_t l) {
  std::vector<std::size_t> r;
  for (const auto& [value, count] : Counts(rows)) r.push_back(count);
  std::sort(r.begin(), r.end(), std::greater<>());
  std::size_t tail = 0;
  for (std::size_t i = l; i <= r.size(); ++i) tail += r[i - 1];
  if (tail == 0) return std::numeric_limits<double>::infinity();
  return static_cast<double>(r[0]) / static_cast<double>(tail);
}

double LargestShare(const Rows& rows) {
  double largest = 0;
  for (const auto& [value, share] : Shares(rows)) largest = std::max(largest, share);
  return largest;
}

double ConfidenceExcess(const Rows& rows, const std::map<std::string, double>& thresholds) {
  std::map<std::string, double> shares = Shares(rows);
  std::optional<double> excess;
  for (const auto& [value, threshold] : thresholds) {
    excess = std::max(excess.value_or(-1), shares[value] - threshold);
  }
  return excess.value_or(0);
}

double EqualDistance(const Rows& rows, const Rows& all) {
  std::map<std::string, double> p = Shares(rows);
  double sum = 0;
  for (const auto& [value, q] : Shares(all)) sum += std::abs(p[value] - q);
  return sum / 2;
}

long TransportationCost(const std::vector<long>& supply, const std::vector<long>& demand,
                        const std::vector<std::vector<long>>& cost) {
  const std::size_t sources = supply.size();
  const std::size_t sinks = demand.size();
  Network network{sources + sinks + 2, {}};
  const std::size_t start = sources + sinks;
  const std::size_t end = start + 1;
  for (std::size_t i = 0; i < sources; ++i) network.Connect(start, i, supply[i], 0);
  for (std::size_t j = 0; j < sinks; ++j) network.Connect(sources + j, end, demand[j], 0);
  for (std::size_t i = 0; i < sources; ++i) {
    for (std::size_t j = 0; j < sinks; ++j) {
      network.Connect(i, sources + j, std::min(supply[i], demand[j]), cost[i][j]);
    }
  }
  long total = 0;
  while (std::optional<long> paid = network.Augment(start, end)) total += *paid;
  return total;
}

double OrderedDistance(const Rows& rows, const Rows& all, const std::vector<std::string>& domain) {
  std::map<std::string, std::size_t> overall = Counts(all);
  std::vector<std::string> order;
  for (const std::string& value : domain) {
    if (overall.contains(value)) order.push_back(value);
  }
  if (order.size() < 2) return 0;
  // Both distributions on one scale of whole units: rows.size() · all.size() in all.
  std::map<std::string, std::size_t> here = Counts(rows);
  std::vector<long> supply, demand;
  std::vector<std::vector<long>> cost;
  for (std::size_t i = 0; i < order.size(); ++i) {
    supply.push_back(static_cast<long>(here[order[i]] * all.size()));
    demand.push_back(static_cast<long>(overall[order[i]] * rows.size()));
    cost.emplace_back();
    for (std::size_t j = 0; j < order.size(); ++j) {
      cost.back().push_back(std::labs(static_cast<long>(i) - static_cast<long>(j)));
    }
  }
  const double units = static_cast<double>(rows.size() * all.size());
  return static_cast<double>(TransportationCost(supply, demand, cost)) / units /
         static_cast<double>(order.size() - 1);
}

double Gain(const Rows& rows, const Rows& all) {
  std::map<std::string, double> q = Shares(all);
  double gain = 0;
  for (const auto& [value, p] : Shares(rows)) {
    if (p > q[value]) gain = std::max(gain, (p - q[value]) / q[value]);
  }
  return gain;
}

std::set<std::string> Broken(const Rows& rows, const Rows& all, const Promise& promise) {
  std::set<std::string> broken;
  if (rows.size() < promise.k) broken.insert("k");
  if (promise.distinct && DistinctValues(rows) < *promise.distinct) broken.insert("distinct");
  if (promise.entropy && Entropy(rows) < std::log(*promise.entropy) - kSlack) {
    broken.insert("entropy");
  }
  if (promise.recursive) {
    const auto& [c, l] = *promise.recursive;
    if (!(RecursiveBound(rows, l) < c - kSlack)) broken.insert("recursive");
  }
  if (promise.alpha && LargestShare(rows) > *promise.alpha + kSlack) broken.insert("alpha");
  if (ConfidenceExcess(rows, promise.confidence) > kSlack) broken.insert("confidence");
  if (promise.t) {
    const double distance = promise.order.empty() ? EqualDistance(rows, all)
                                                  : OrderedDistance(rows, all, promise.order);
    if (distance > *promise.t + kSlack) broken.insert("t");
  }
  if (promise.beta && Gain(rows, all) > *promise.beta + kSlack) broken.insert("beta");
  return broken;
}

bool Satisfied(const Rows& release, const Promise& promise) {
  for (const Rows& members : EquivalenceClasses(release)) {
    if (!Broken(members, release, promise).empty()) return false;
  }
  return true;
}

Exposure Expose(const Rows& release, const Promise& promise) {
  Exposure exposure;
  for (const Rows& members : EquivalenceClasses(release)) {
    const std::set<std::string> broken = Broken(members, release, promise);
    const std::size_t people = members.size();
    if (broken.contains("k")) exposure.identity += people;
    if (DistinctValues(members) == 1) exposure.homogeneity += people;
    if (people == 1) ++exposure.alone;
    if (broken.contains("alpha") || broken.contains("confidence") || broken.contains("t") ||
        broken.contains("beta")) {
      exposure.skew += people;
    }
    if (!broken.empty()) exposure.exposed += people;
  }
  return exposure;
}

}  // namespace oracle::k
