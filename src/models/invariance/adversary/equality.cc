#include "reissue/models/invariance/adversary/equality.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "reissue/core/result.h"
#include "reissue/models/invariance/adversary/equality_lattice.h"
#include "reissue/models/invariance/adversary/equality_program.h"
#include "reissue/models/invariance/adversary/equality_space.h"

namespace reissue::models::invariance {
namespace {

constexpr std::uint64_t kEndless = std::numeric_limits<std::uint64_t>::max();

// Beyond this the exact space is not computed: only pairs of groups, and small neighbourhoods.
constexpr std::size_t kSpaceGroups = 120;
constexpr std::size_t kSpaceCells = 400'000;
// Spaces of more dimensions are not reduced, and those of more have no shortest vector proven.
constexpr std::size_t kReduced = 120;
constexpr std::size_t kShortest = 24;
constexpr std::size_t kNeighbourhood = 24;
constexpr std::size_t kNeighbourhoods = 12;

using GroupIndices = std::vector<std::size_t>;

// People who are always together, with the groups (of those looked at) that they are in.
struct Columns {
  std::vector<GroupIndices> groups;
  std::vector<std::uint64_t> people;
};

// One of each kind: the same people with the same values count once.
GroupIndices Distinct(const std::vector<PublishedGroup>& groups) {
  std::map<std::pair<std::vector<Person>, std::vector<std::pair<Value, std::uint64_t>>>,
           std::size_t>
      seen;
  GroupIndices distinct;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (seen.emplace(std::pair(groups[g].people, groups[g].values), g).second)
      distinct.push_back(g);
  }
  return distinct;
}

Columns ColumnsOf(const std::vector<PublishedGroup>& groups, const GroupIndices& chosen) {
  std::map<Person, GroupIndices> of_person;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    for (const Person person : groups[chosen[i]].people) of_person[person].push_back(i);
  }
  std::map<GroupIndices, std::uint64_t> patterns;
  for (auto& [person, pattern] : of_person) ++patterns[std::move(pattern)];
  Columns columns;
  for (const auto& [pattern, people] : patterns) {
    columns.groups.push_back(pattern);
    columns.people.push_back(people);
  }
  return columns;
}

// The space of W·S with W·U = 0, and the weights that make each vector of its basis.
struct WeightedSpace {
  EqualitySpace space;
  FractionRows weights;
};

WeightedSpace SpaceOf(const std::vector<PublishedGroup>& groups, const GroupIndices& chosen,
                      const Columns& columns) {
  std::map<Value, std::size_t> value_columns;
  for (const std::size_t g : chosen) {
    for (const auto& [value, rows] : groups[g].values) value_columns.emplace(value, 0);
  }
  std::size_t next = 0;
  for (auto& [value, column] : value_columns) column = next++;
  // Values, the number of people (which says nothing new where all is in order), people, weights.
  const std::size_t people = next + 1, weights = people + columns.groups.size();
  FractionRows rows(chosen.size(), std::vector<Fraction>(weights + chosen.size()));
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const PublishedGroup& group = groups[chosen[i]];
    for (const auto& [value, count] : group.values) rows[i][value_columns.at(value)] = count;
    rows[i][next] = group.people.size();
    rows[i][weights + i] = 1;
  }
  for (std::size_t c = 0; c < columns.groups.size(); ++c) {
    for (const std::size_t i : columns.groups[c]) rows[i][people + c] = 1;
  }
  const std::size_t bound = Eliminate(rows, 0, people).size();
  rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(bound));
  std::vector<std::size_t> pivots = Eliminate(rows, people, weights);
  rows.resize(pivots.size());
  WeightedSpace result;
  EqualitySpace& space = result.space;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto begin = rows[r].begin();
    space.rows.emplace_back(begin + static_cast<std::ptrdiff_t>(people),
                            begin + static_cast<std::ptrdiff_t>(weights));
    result.weights.emplace_back(begin + static_cast<std::ptrdiff_t>(weights), rows[r].end());
    space.pivots.push_back(pivots[r] - people);
  }
  for (std::size_t c = 0; c < columns.groups.size(); ++c) {
    space.coordinates.push_back({columns.people[c], 0});
    space.origins.push_back({c, 1});
  }
  return result;
}

// Looks for vectors smaller than the best known; remembers what is proven of those not found.
class Search {
 public:
  Search(std::uint64_t below, const GroupLimits& limits)
      : below_(below),
        lower_(kEndless),
        nodes_(limits.nodes),
        exact_(limits.exact_groups),
        reduce_(limits.reduce) {}

  // A first look: short vectors of each part.
  void Glance(EqualitySpace space) {
    Merge(space);
    for (const EqualitySpace& part : Components(space)) {
      if (!reduce_) return Take(part, WholeBasis(part).front());
      if (part.dimension() <= kReduced) {
        Take(part, ShortVector(part));
      } else {
        for (const WholeVector& vector : WholeBasis(part)) Take(part, vector);
      }
    }
  }

  void Run(EqualitySpace space) { Run(std::move(space), std::nullopt); }

  const std::optional<WholeVector>& found() const { return found_; }
  // Nothing smaller than this exists, if anything is smaller than the best known.
  std::uint64_t lower() const { return std::min(lower_, below_); }

  void Lower(std::uint64_t below) { below_ = std::min(below_, below); }

 private:
  void Take(const EqualitySpace& space, const WholeVector& vector) {
    const Whole size = Cost(space, vector) / 2;
    if (size == 0 || size >= below_) return;
    below_ = size.get_ui();
    found_ = Expand(space, vector);
  }

  // `length`: what the length of its vectors proves, where that was computed.
  void Run(EqualitySpace space, std::optional<std::uint64_t> length) {
    Shrink(space, below_);
    for (EqualitySpace& part : Components(space)) RunPart(std::move(part), length);
  }

  // Vectors in which one coordinate is not 0, then those in which it is.
  void RunPart(EqualitySpace part, std::optional<std::uint64_t> length) {
    if (part.dimension() == 1) return Take(part, WholeBasis(part).front());
    if (part.dimension() > exact_ || nodes_ == 0) {
      lower_ = std::min(lower_, length.value_or(1));
      return;
    }
    std::size_t heaviest = 0;
    for (std::size_t c = 0; c < part.coordinates.size(); ++c) {
      if (part.coordinates[c].cost() > part.coordinates[heaviest].cost()) heaviest = c;
    }
    const LeastVector least = LeastWith(part, heaviest, below_, nodes_);
    if (least.found) Take(part, *least.found);
    if (least.lower < below_) {
      if (!length && part.dimension() <= kShortest) length = LengthBound(part);
      lower_ = std::min(lower_, std::max(least.lower, length.value_or(1)));
    }
    std::vector<bool> zero(part.coordinates.size(), false);
    zero[heaviest] = true;
    Run(Restrict(part, zero), length);
  }

  std::uint64_t below_;
  std::uint64_t lower_;
  std::uint64_t nodes_;
  std::size_t exact_;
  bool reduce_;
  std::optional<WholeVector> found_;
};

std::uint64_t SizeOf(const Columns& columns, const WholeVector& vector) {
  Whole sum = 0;
  for (std::size_t c = 0; c < vector.size(); ++c) sum += abs(vector[c]) * columns.people[c];
  REISSUE_CHECK(sum % 2 == 0);
  const Whole half = sum / 2;
  REISSUE_CHECK(half.fits_ulong_p());
  return half.get_ui();
}

// Weights that make the vector. Nothing where they do not fit into 64 bits.
std::optional<GroupEquality> WitnessOf(std::size_t groups, const GroupIndices& chosen,
                                       const Columns& columns, const WeightedSpace& weighted,
                                       const WholeVector& vector) {
  std::vector<Fraction> weights(chosen.size());
  for (std::size_t r = 0; r < weighted.weights.size(); ++r) {
    const Whole& times = vector[weighted.space.pivots[r]];
    if (times == 0) continue;
    for (std::size_t i = 0; i < chosen.size(); ++i) weights[i] += times * weighted.weights[r][i];
  }
  Whole divisor = 1;
  for (const Fraction& weight : weights) divisor = lcm(divisor, weight.get_den());
  GroupEquality equality;
  equality.weights.assign(groups, 0);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const Whole weight = weights[i].get_num() * (divisor / weights[i].get_den());
    if (!weight.fits_slong_p()) return std::nullopt;
    equality.weights[chosen[i]] = weight.get_si();
  }
  if (!divisor.fits_slong_p()) return std::nullopt;
  equality.divisor = divisor.get_si();
  equality.size = SizeOf(columns, vector);
  return equality;
}

// W·S times the divisor, per person.
std::map<Person, Whole> PeopleOf(const std::vector<PublishedGroup>& groups,
                                 const GroupEquality& equality) {
  std::map<Person, Whole> sums;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (equality.weights[g] == 0) continue;
    for (const Person person : groups[g].people) sums[person] += equality.weights[g];
  }
  return sums;
}

// In whole numbers: the values cancel out, the people do not, and are as many as it says.
bool IsEquality(const std::vector<PublishedGroup>& groups, const GroupEquality& equality) {
  std::map<Value, Whole> values;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (equality.weights[g] == 0) continue;
    for (const auto& [value, rows] : groups[g].values) {
      values[value] += Whole(equality.weights[g]) * rows;
    }
  }
  for (const auto& [value, sum] : values) {
    if (sum != 0) return false;
  }
  Whole left = 0, right = 0;
  for (const auto& [person, sum] : PeopleOf(groups, equality)) {
    if (sum % equality.divisor != 0) return false;
    (sum > 0 ? left : right) += abs(sum) / equality.divisor;
  }
  return left == right && left == equality.size && left > 0;
}

// The answer for groups that are few enough for the space to be computed.
LeastGroupEquality LeastInSpace(const std::vector<PublishedGroup>& groups,
                                const GroupIndices& chosen, const Columns& columns,
                                std::uint64_t cap, const GroupLimits& limits) {
  LeastGroupEquality least;
  const WeightedSpace weighted = SpaceOf(groups, chosen, columns);
  if (weighted.space.dimension() == 0) return least;
  Search search(kEndless, limits);
  search.Glance(weighted.space);
  if (cap > 0) search.Lower(cap);
  search.Run(weighted.space);
  least.lower = search.lower();
  least.witness = WitnessOf(groups.size(), chosen, columns, weighted, *search.found());
  if (least.witness) {
    REISSUE_CHECK(IsEquality(groups, *least.witness));
    least.upper = least.witness->size;
  }
  return least;
}

bool FewEnough(std::size_t groups, const Columns& columns) {
  return groups <= kSpaceGroups && groups * (columns.groups.size() + groups) <= kSpaceCells;
}

// Many groups: those of the same values that share the most people, and what is around them.
class Neighbours {
 public:
  Neighbours(const std::vector<PublishedGroup>& groups, const GroupIndices& chosen)
      : groups_(groups), chosen_(chosen) {
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      for (const Person person : groups[chosen[i]].people) {
        if (person >= of_person_.size()) of_person_.resize(std::size_t{person} + 1);
        of_person_[person].push_back(i);
      }
    }
  }

  // Pairs of groups with the same values, smallest equality first; at most so many.
  std::vector<std::pair<std::uint64_t, std::pair<std::size_t, std::size_t>>> Pairs(
      std::size_t most) const {
    std::map<std::vector<std::pair<Value, std::uint64_t>>, std::size_t> first_with;
    std::vector<std::size_t> kind(chosen_.size());
    std::set<std::pair<std::uint64_t, std::pair<std::size_t, std::size_t>>> best;
    auto offer = [&](std::uint64_t size, std::size_t i, std::size_t j) {
      if (size == 0) return;
      best.insert({size, {i, j}});
      if (best.size() > most) best.erase(std::prev(best.end()));
    };
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      const auto [at, added] = first_with.emplace(groups_[chosen_[i]].values, i);
      kind[i] = at->second;
      if (!added) offer(Apart(i, at->second), i, at->second);
    }
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      for (const auto& [j, shared] : Shared(i)) {
        if (j < i && kind[j] == kind[i]) offer(groups_[chosen_[i]].people.size() - shared, i, j);
      }
    }
    return {best.begin(), best.end()};
  }

  // The groups around a pair, those that share the most people first.
  GroupIndices Around(std::size_t i, std::size_t j) const {
    std::vector<std::size_t> inside = {i, j};
    std::map<std::size_t, std::uint64_t> border;
    for (std::size_t next = 0; inside.size() < kNeighbourhood;) {
      for (; next < inside.size(); ++next) {
        for (const auto& [k, shared] : Shared(inside[next])) border[k] += shared;
      }
      for (const std::size_t k : inside) border.erase(k);
      if (border.empty()) break;
      const auto most = std::ranges::max_element(
          border, [](const auto& a, const auto& b) { return a.second < b.second; });
      inside.push_back(most->first);
    }
    GroupIndices around;
    for (const std::size_t k : inside) around.push_back(chosen_[k]);
    std::ranges::sort(around);
    return around;
  }

 private:
  std::map<std::size_t, std::uint64_t> Shared(std::size_t i) const {
    std::map<std::size_t, std::uint64_t> shared;
    for (const Person person : groups_[chosen_[i]].people) {
      for (const std::size_t j : of_person_[person]) {
        if (j != i) ++shared[j];
      }
    }
    return shared;
  }
  std::uint64_t Apart(std::size_t i, std::size_t j) const {
    const auto shared = Shared(i);
    const auto at = shared.find(j);
    return groups_[chosen_[i]].people.size() - (at == shared.end() ? 0 : at->second);
  }

  const std::vector<PublishedGroup>& groups_;
  const GroupIndices& chosen_;
  std::vector<GroupIndices> of_person_;
};

LeastGroupEquality BoundsFromNeighbours(const std::vector<PublishedGroup>& groups,
                                        const GroupIndices& chosen, std::uint64_t cap,
                                        const GroupLimits& limits) {
  LeastGroupEquality least;
  least.lower = 1;
  const Neighbours neighbours(groups, chosen);
  auto offer = [&](const GroupEquality& equality) {
    if (least.upper && *least.upper <= equality.size) return;
    REISSUE_CHECK(IsEquality(groups, equality));
    least.upper = equality.size;
    least.witness = equality;
  };
  GroupLimits share = limits;
  share.nodes = limits.nodes / kNeighbourhoods;
  for (const auto& [size, pair] : neighbours.Pairs(kNeighbourhoods)) {
    if (least.upper == 1) break;
    GroupEquality equality{size, std::vector<std::int64_t>(groups.size(), 0), 1};
    equality.weights[chosen[pair.first]] = 1;
    equality.weights[chosen[pair.second]] = -1;
    offer(equality);
    const GroupIndices around = neighbours.Around(pair.first, pair.second);
    const Columns columns = ColumnsOf(groups, around);
    if (!FewEnough(around.size(), columns)) continue;
    const LeastGroupEquality local = LeastInSpace(groups, around, columns, cap, share);
    if (local.witness) offer(*local.witness);
  }
  return least;
}

}  // namespace

LeastGroupEquality LeastAmong(const std::vector<PublishedGroup>& groups, std::uint64_t cap,
                              const GroupLimits& limits) {
  const GroupIndices chosen = Distinct(groups);
  if (chosen.size() <= kSpaceGroups) {
    const Columns columns = ColumnsOf(groups, chosen);
    if (FewEnough(chosen.size(), columns)) {
      return LeastInSpace(groups, chosen, columns, cap, limits);
    }
  }
  return BoundsFromNeighbours(groups, chosen, cap, limits);
}

Sides SidesOf(const std::vector<PublishedGroup>& groups, const GroupEquality& equality) {
  Sides sides;
  for (const auto& [person, sum] : PeopleOf(groups, equality)) {
    const Whole times = abs(sum) / equality.divisor;
    std::vector<Person>& side = sum > 0 ? sides.left : sides.right;
    side.insert(side.end(), times.get_ui(), person);
  }
  return sides;
}

}  // namespace reissue::models::invariance
