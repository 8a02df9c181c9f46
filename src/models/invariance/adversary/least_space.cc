#include "reissue/models/invariance/adversary/least_space.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "reissue/models/invariance/adversary/equality_program.h"
#include "reissue/models/invariance/adversary/equality_space.h"

namespace reissue::models::invariance {
namespace {

// Vectors in which one coordinate is not 0, then those in which it is.
class Search {
 public:
  Search(std::uint64_t below, std::uint64_t programs) : below_(below), programs_(programs) {}

  void Run(EqualitySpace space) {
    Shrink(space, below_);
    for (const EqualitySpace& part : Components(space)) {
      if (part.dimension() == 1) {
        Take(part, WholeBasis(part).front());
        continue;
      }
      std::size_t heaviest = 0;
      for (std::size_t c = 0; c < part.coordinates.size(); ++c) {
        if (part.coordinates[c].cost() > part.coordinates[heaviest].cost()) heaviest = c;
      }
      const LeastVector least = LeastWith(part, heaviest, below_, programs_);
      if (least.found) Take(part, *least.found);
      if (least.lower < below_) lower_ = std::min(lower_, least.lower);
      std::vector<bool> zero(part.coordinates.size(), false);
      zero[heaviest] = true;
      Run(Restrict(part, zero));
    }
  }

  std::uint64_t lower() const { return std::min(lower_, below_); }
  const std::optional<WholeVector>& found() const { return found_; }

 private:
  void Take(const EqualitySpace& space, const WholeVector& vector) {
    const Whole size = Cost(space, vector) / 2;
    if (size == 0 || size >= below_) return;
    below_ = size.get_ui();
    found_ = Expand(space, vector);
  }

  std::uint64_t below_, programs_;
  std::uint64_t lower_ = std::numeric_limits<std::uint64_t>::max();
  std::optional<WholeVector> found_;
};

// The potentials that make a vector; nothing where they do not fit into 64 bits.
void Witness(const HistorySpace& history, const WholeVector& vector, SpaceAnswer& answer) {
  std::vector<Fraction> potentials(history.potentials.empty() ? 0 : history.potentials[0].size());
  for (std::size_t r = 0; r < history.potentials.size(); ++r) {
    const Whole& times = vector[history.space.pivots[r]];
    if (times == 0) continue;
    for (std::size_t i = 0; i < potentials.size(); ++i)
      potentials[i] += times * history.potentials[r][i];
  }
  Whole divisor = 1;
  for (const Fraction& potential : potentials) divisor = lcm(divisor, potential.get_den());
  std::vector<std::int64_t> whole;
  for (const Fraction& potential : potentials) {
    const Whole product = potential.get_num() * (divisor / potential.get_den());
    if (!product.fits_sint_p()) return;
    whole.push_back(product.get_si());
  }
  if (!divisor.fits_sint_p()) return;
  answer.potentials = std::move(whole);
  answer.divisor = divisor.get_si();
}

}  // namespace

FractionRows TakeRows(FractionRows rows, std::size_t zero, std::size_t columns,
                      EqualitySpace& space) {
  const std::size_t bound = Eliminate(rows, 0, zero).size();
  rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(bound));
  const std::vector<std::size_t> pivots = Eliminate(rows, zero, zero + columns);
  FractionRows rest;
  for (std::size_t r = 0; r < pivots.size(); ++r) {
    const auto begin = rows[r].begin() + static_cast<std::ptrdiff_t>(zero);
    const auto end = begin + static_cast<std::ptrdiff_t>(columns);
    space.rows.emplace_back(begin, end);
    space.pivots.push_back(pivots[r] - zero);
    rest.emplace_back(end, rows[r].end());
  }
  return rest;
}

HistorySpace SpaceOf(const HistoryGraph& graph) {
  const std::size_t nodes = graph.stays.nodes(), edges = graph.stays.edges.size();
  const std::size_t columns = edges + graph.returns.size();
  // The balance, the columns, the potentials.
  FractionRows rows(nodes, std::vector<Fraction>(1 + columns + nodes));
  for (std::size_t i = 0; i < nodes; ++i) {
    rows[i][0] = graph.stays.balance[i];
    rows[i][1 + columns + i] = 1;
  }
  HistorySpace result;
  EqualitySpace& space = result.space;
  auto add = [&](std::uint64_t people) {
    space.origins.push_back({space.coordinates.size(), 1});
    space.coordinates.push_back({people, people});
  };
  for (std::size_t c = 0; c < edges; ++c) {
    rows[graph.stays.edges[c].a][1 + c] = 1;
    rows[graph.stays.edges[c].b][1 + c] = -1;
    add(graph.stays.edges[c].weight);
  }
  for (std::size_t f = 0; f < graph.returns.size(); ++f) {
    for (const auto& [node, coefficient] : graph.returns[f].terms)
      rows[node][1 + edges + f] = coefficient;
    add(graph.returns[f].people);
  }
  result.potentials = TakeRows(std::move(rows), 1, columns, space);
  return result;
}

SpaceAnswer LeastInHistory(const HistoryGraph& graph, std::uint64_t below, std::uint64_t steps) {
  SpaceAnswer answer;
  const HistorySpace history = SpaceOf(graph);
  Search search(2 * below - 1, steps / kProgramSteps + 1);
  search.Run(history.space);
  answer.lower = (search.lower() + 1) / 2;
  if (search.found()) Witness(history, *search.found(), answer);
  return answer;
}

}  // namespace reissue::models::invariance
