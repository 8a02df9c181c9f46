#include "reissue/models/invariance/adversary/history_graph.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace reissue::models::invariance {
namespace {

std::uint64_t Absolute(std::int64_t x) { return static_cast<std::uint64_t>(x < 0 ? -x : x); }

void TidyTerms(Form& form) {
  std::ranges::sort(form.terms);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < form.terms.size();) {
    const std::uint32_t node = form.terms[i].first;
    std::int64_t sum = 0;
    for (; i < form.terms.size() && form.terms[i].first == node; ++i) sum += form.terms[i].second;
    if (sum != 0) form.terms[kept++] = {node, sum};
  }
  form.terms.resize(kept);
}

void DropEmpty(std::vector<Form>& forms) {
  std::erase_if(forms, [](const Form& form) { return form.terms.empty() || form.people == 0; });
}

std::int64_t ValueOf(const Form& form, std::span<const std::int64_t> potentials) {
  std::int64_t value = 0;
  for (const auto& [node, coefficient] : form.terms) value += coefficient * potentials[node];
  return value;
}

std::vector<Moment> MomentsOf(const History& history) {
  std::vector<Moment> moments = {kStillThere};
  for (const Stay& stay : history.stays) moments.insert(moments.end(), {stay.came, stay.left});
  for (const Return& back : history.returns) {
    for (const auto& [came, left] : back.stays) moments.insert(moments.end(), {came, left});
  }
  std::ranges::sort(moments);
  moments.erase(std::ranges::unique(moments).begin(), moments.end());
  return moments;
}

// Every potential is a sum of level sets, each of which is a cut; the stays cost as much as all
// those cuts together. So all sums of cuts within the limit are all that there is to look at.
class Sums {
 public:
  Sums(const HistoryGraph& graph, std::uint64_t limit, std::uint64_t steps)
      : graph_(graph), limit_(limit), steps_(steps), potentials_(graph.stays.nodes(), 0) {}

  EqualitySearch Run() {
    CutSearch search(graph_.stays, limit_, steps_,
                     [&](const std::vector<char>& side, std::uint64_t w) {
                       cuts_.push_back({w, side});
                     });
    search.Everywhere();
    steps_ = search.steps_left();
    result_.complete = search.complete();
    std::ranges::sort(cuts_);
    cuts_.erase(std::ranges::unique(cuts_).begin(), cuts_.end());
    Add(0, 0, true);
    return std::move(result_);
  }

 private:
  void Add(std::size_t from, std::uint64_t weight, bool first) {
    for (std::size_t i = from; i < cuts_.size(); ++i) {
      if (weight + cuts_[i].first > limit_) return;  // lightest first
      for (const std::int64_t sign : {1, -1}) {
        if (result_.potentials || (first && sign < 0)) break;
        if (steps_ == 0) {
          result_.complete = false;
          return;
        }
        --steps_;
        Shift(i, sign);
        const std::uint64_t cost = CostOf(graph_, potentials_);
        if (cost > 0 && cost <= limit_ && Balanced(graph_, potentials_)) {
          result_.potentials = potentials_;
          return;
        }
        Add(i, weight + cuts_[i].first, false);
        Shift(i, -sign);
      }
    }
  }
  void Shift(std::size_t cut, std::int64_t sign) {
    for (std::size_t node = 0; node < potentials_.size(); ++node) {
      if (cuts_[cut].second[node]) potentials_[node] += sign;
    }
  }

  const HistoryGraph& graph_;
  std::uint64_t limit_, steps_;
  std::vector<std::pair<std::uint64_t, std::vector<char>>> cuts_;
  std::vector<std::int64_t> potentials_;
  EqualitySearch result_;
};

// Whether every component may be shifted without changing where anybody stands who came back.
bool ReturnsWithinComponents(const HistoryGraph& graph) {
  const std::vector<std::uint32_t> component = ComponentsOf(graph.stays);
  std::vector<std::int64_t> sum(graph.stays.nodes());
  for (const Form& form : graph.returns) {
    std::ranges::fill(sum, 0);
    for (const auto& [node, coefficient] : form.terms) sum[component[node]] += coefficient;
    if (std::ranges::any_of(sum, [](std::int64_t s) { return s != 0; })) return false;
  }
  return true;
}

// A balanced cut of at most the limit, where single cuts are all that counts.
EqualitySearch FindBalancedCut(const CutGraph& graph, std::uint64_t limit, std::uint64_t steps) {
  EqualitySearch result;
  const std::vector<std::uint64_t> degrees = Degrees(graph);
  for (std::uint32_t i = 0; i < graph.nodes(); ++i) {
    if (degrees[i] == 0 || degrees[i] > limit || graph.balance[i] != 0) continue;
    result.potentials.emplace(graph.nodes(), i == 0 ? 1 : 0);
    (*result.potentials)[i] = i == 0 ? 0 : 1;
    return result;
  }
  CutSearch search(graph, limit, steps, [&](const std::vector<char>& side, std::uint64_t) {
    if (BalanceOf(graph, side) != 0) return;
    result.potentials.emplace(side.begin(), side.end());
    search.Stop();
  });
  search.Everywhere();
  result.complete = search.complete();
  return result;
}

}  // namespace

HistoryGraph GraphOf(const History& history) {
  HistoryGraph graph;
  graph.moments = MomentsOf(history);
  graph.stays.balance.assign(graph.moments.size(), 0);
  auto node = [&](Moment moment) {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(graph.moments, moment) -
                                      graph.moments.begin());
  };
  auto count = [&](std::uint32_t came, std::uint32_t left, std::uint64_t people) {
    graph.stays.balance[came] += static_cast<std::int64_t>(people);
    graph.stays.balance[left] -= static_cast<std::int64_t>(people);
  };
  graph.stays.edges.reserve(history.stays.size());
  for (const Stay& stay : history.stays) {
    graph.stays.edges.push_back({node(stay.came), node(stay.left), stay.people});
    count(node(stay.came), node(stay.left), stay.people);
  }
  Tidy(graph.stays.edges);
  for (const Return& back : history.returns) {
    Form form{{}, back.people};
    for (const auto& [came, left] : back.stays) {
      form.terms.insert(form.terms.end(), {{node(came), 1}, {node(left), -1}});
      count(node(came), node(left), back.people);
    }
    TidyTerms(form);
    graph.returns.push_back(std::move(form));
  }
  DropEmpty(graph.returns);
  return graph;
}

HistoryGraph Merge(const HistoryGraph& graph, const std::vector<std::uint32_t>& node,
                   std::uint32_t nodes) {
  HistoryGraph merged{{}, Merge(graph.stays, node, nodes), graph.returns};
  for (Form& form : merged.returns) {
    for (auto& term : form.terms) term.first = node[term.first];
    TidyTerms(form);
  }
  DropEmpty(merged.returns);
  return merged;
}

std::uint64_t CostOf(const HistoryGraph& graph, std::span<const std::int64_t> potentials) {
  std::uint64_t cost = 0;
  for (const graph::WeightedEdge& edge : graph.stays.edges)
    cost += edge.weight * Absolute(potentials[edge.a] - potentials[edge.b]);
  for (const Form& form : graph.returns) cost += form.people * Absolute(ValueOf(form, potentials));
  return cost;
}

bool Balanced(const HistoryGraph& graph, std::span<const std::int64_t> potentials) {
  std::int64_t sum = 0;
  for (std::uint32_t i = 0; i < graph.stays.nodes(); ++i)
    sum += graph.stays.balance[i] * potentials[i];
  return sum == 0;
}

EqualitySearch FindEquality(const HistoryGraph& graph, std::uint64_t limit, std::uint64_t steps) {
  if (graph.returns.empty()) {
    // Sets that are not balanced cost at least a step each, and there are two of them or none.
    const std::uint64_t step = BalanceStep(graph.stays);
    if (step == 0 || limit < 2 * step) return FindBalancedCut(graph.stays, limit, steps);
  } else if (!ReturnsWithinComponents(graph)) {
    return {std::nullopt, false};
  }
  return Sums(graph, limit, steps).Run();
}

}  // namespace reissue::models::invariance
