#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "reissue/core/result.h"
#include "reissue/graph/flow.h"
#include "reissue/models/invariance/adversary/history.h"
#include "reissue/models/invariance/adversary/history_graph.h"
#include "reissue/models/invariance/adversary/least_space.h"

namespace reissue::models::invariance {
namespace {

using Potentials = std::vector<std::int64_t>;

// Sets of moments that are combined with one another, at most.
constexpr std::size_t kSets = 40;
// More moments than this, after all that is surely together is merged: bounds only.
constexpr std::uint32_t kExactMoments = 40;

// The best equality so far.
class Best {
 public:
  explicit Best(const HistoryGraph& graph) : graph_(graph) {}

  void Offer(const Potentials& potentials, std::int64_t divisor = 1) {
    const auto times = static_cast<std::uint64_t>(divisor);
    const std::uint64_t cost = CostOf(graph_, potentials);
    if (cost == 0 || !Balanced(graph_, potentials)) return;
    REISSUE_CHECK(cost % (2 * times) == 0);
    if (size_ != 0 && cost / 2 / times >= size_) return;
    size_ = cost / 2 / times;
    potentials_ = potentials;
    divisor_ = divisor;
  }
  // The smallest balanced combination of two sets.
  void OfferPair(const Potentials& a, const Potentials& b) {
    const std::int64_t in_a = Sum(a), in_b = Sum(b);
    if (in_a == 0 || in_b == 0) {
      if (in_a == 0) Offer(a);
      if (in_b == 0) Offer(b);
      return;
    }
    const std::int64_t common = std::gcd(in_a, in_b);
    Potentials both(a.size());
    for (std::size_t i = 0; i < a.size(); ++i)
      both[i] = a[i] * (in_b / common) - b[i] * (in_a / common);
    Offer(both);
  }

  std::int64_t Sum(const Potentials& potentials) const {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < potentials.size(); ++i)
      sum += graph_.stays.balance[i] * potentials[i];
    return sum;
  }
  // 0: none is known.
  std::uint64_t size() const { return size_; }
  Equality Witness() const {
    Equality equality{size_, {}, divisor_};
    for (std::size_t i = 0; i < potentials_.size(); ++i) {
      const std::int64_t potential = potentials_[i] - potentials_[0];
      if (potential != 0) equality.potentials.emplace_back(graph_.moments[i], potential);
    }
    return equality;
  }

 private:
  const HistoryGraph& graph_;
  std::uint64_t size_ = 0;
  Potentials potentials_;
  std::int64_t divisor_ = 1;
};

Potentials Single(std::size_t nodes, std::size_t node) {
  Potentials potentials(nodes, 0);
  potentials[node] = 1;
  return potentials;
}

// Every moment, and the least cuts between it and the first of its component; lightest first.
std::vector<Potentials> LightSets(const HistoryGraph& graph) {
  const CutGraph& stays = graph.stays;
  std::vector<std::pair<std::uint64_t, Potentials>> sets;
  for (std::uint32_t i = 1; i < stays.nodes(); ++i) {
    Potentials single = Single(stays.nodes(), i);
    sets.emplace_back(CostOf(graph, single), std::move(single));
  }
  CutSearch search(stays, std::numeric_limits<std::uint64_t>::max() / 4, stays.nodes(),
                   [&](const std::vector<char>& side, std::uint64_t) {
                     Potentials potentials(side.begin(), side.end());
                     sets.emplace_back(CostOf(graph, potentials), std::move(potentials));
                   });
  const std::vector<std::uint32_t> component = ComponentsOf(stays);
  std::vector<std::uint32_t> first(stays.nodes(), stays.nodes());
  for (std::uint32_t i = 0; i < stays.nodes(); ++i) {
    std::uint32_t& root = first[component[i]];
    if (root == stays.nodes()) {
      root = i;
    } else {
      search.Once(root, i);
    }
  }
  std::ranges::sort(sets);
  sets.erase(std::ranges::unique(sets).begin(), sets.end());
  std::erase_if(sets, [](const auto& set) { return set.first == 0; });
  if (sets.size() > kSets) sets.resize(kSets);
  std::vector<Potentials> light;
  for (auto& [cost, set] : sets) light.push_back(std::move(set));
  return light;
}

// Finds an equality if there is any at all, and usually a small one.
void Guess(const HistoryGraph& graph, Best& best) {
  const std::size_t nodes = graph.stays.nodes();
  // One moment with a balance, against every other: together they span all balanced potentials.
  std::size_t pivot = 1;
  while (pivot < nodes && graph.stays.balance[pivot] == 0) ++pivot;
  for (std::size_t i = 1; i < nodes; ++i) {
    if (pivot == nodes) {
      best.Offer(Single(nodes, i));
    } else {
      best.OfferPair(Single(nodes, i), Single(nodes, pivot));
    }
  }
  if (best.size() == 0) return;
  const std::vector<Potentials> sets = LightSets(graph);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) best.OfferPair(sets[i], sets[j]);
    if (best.Sum(sets[i]) == 0) best.Offer(sets[i]);
  }
}

// A bound from below by cuts; improves the best, too. Nobody returned.
std::uint64_t BoundByCuts(const HistoryGraph& graph, std::uint64_t least_cut, Best& best,
                          std::uint64_t below, std::uint64_t& steps) {
  const std::uint64_t lower = (least_cut + 1) / 2;
  const std::uint64_t step = BalanceStep(graph.stays);
  // Below this every equality is, or contains, a balanced cut.
  const std::uint64_t single = step == 0 ? below : std::min(below, step);
  if (single <= lower) return lower;
  const std::uint64_t limit = 2 * single - 1;
  const Contraction small = Contract(graph.stays, limit + 1);
  CutSearch search(small.graph, limit, steps, [&](const std::vector<char>& side, std::uint64_t w) {
    if (BalanceOf(small.graph, side) != 0 || w == 0) return;
    Potentials potentials(graph.stays.nodes());
    for (std::size_t i = 0; i < potentials.size(); ++i) potentials[i] = side[small.node[i]];
    best.Offer(potentials);
    if (w <= least_cut + 1) search.Stop();
    search.Lower(w - 1);
  });
  search.Everywhere();
  steps = search.steps_left();
  if (!search.complete()) return lower;
  return std::max(lower, std::min(best.size(), single));
}

// Exactly, by integer programs, as far as the steps reach.
std::uint64_t BoundByPrograms(const HistoryGraph& graph, Best& best, std::uint64_t below,
                              std::uint64_t steps) {
  // Moments that an equality of fewer people than the best cannot tell apart are one.
  const std::vector<std::uint32_t> node = HeavyClasses(graph.stays, 2 * below - 1);
  const std::uint32_t nodes = *std::ranges::max_element(node) + 1;
  const HistoryGraph small = Merge(graph, node, nodes);
  if (small.stays.edges.empty() && small.returns.empty()) return below;
  if (nodes > kExactMoments) return 1;
  const SpaceAnswer answer = LeastInHistory(small, below, steps);
  if (answer.potentials.empty()) return answer.lower;
  Potentials potentials(node.size());
  for (std::size_t i = 0; i < node.size(); ++i) potentials[i] = answer.potentials[node[i]];
  best.Offer(potentials, answer.divisor);
  return answer.lower;
}

}  // namespace

LeastEquality Least(const History& history, const EqualityLimits& limits) {
  const HistoryGraph graph = GraphOf(history);
  Best best(graph);
  Guess(graph, best);
  LeastEquality least;
  if (best.size() == 0) return least;
  auto below = [&] { return limits.cap == 0 ? best.size() : std::min(limits.cap, best.size()); };
  std::uint64_t lower = 1, steps = limits.nodes;
  if (history.returns.empty()) lower = BoundByCuts(graph, *LeastCut(history), best, below(), steps);
  if (lower < below() && steps > 0)
    lower = std::max(lower, BoundByPrograms(graph, best, below(), steps));
  least.upper = best.size();
  least.lower = std::min(lower, best.size());
  least.witness = best.Witness();
  return least;
}

}  // namespace reissue::models::invariance
