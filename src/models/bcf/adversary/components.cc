#include "reissue/models/bcf/adversary/components.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>

namespace reissue::models::bcf::internal {
namespace {

constexpr std::uint32_t kNoComponent = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kLargestAdjacency = std::size_t{64} << 20;  // bytes

}  // namespace

Components::Components(const Series& series, const Formulas& formulas, const History& history,
                       std::size_t first_birth)
    : series_(series), formulas_(formulas), history_(history), first_birth_(first_birth) {
  offset_.assign(1, 0);
  for (std::size_t i = 0; i < series.size(); ++i) {
    const bool settled = i < first_birth;
    offset_.push_back(offset_.back() + (settled ? 0 : series.release(i).groups()));
  }
  Join();
  ForEachComparablePair(
      [&](std::size_t a, std::size_t) { ++components_[component_of_[a]].comparable_pairs; });
  for (Component& component : components_) Classify(component);
}

// Of groups that some person may be in, as far as both releases tell of her.
template <typename Work>
void Components::ForEachComparablePair(Work&& work) const {
  for (std::size_t later = first_birth_ + 1; later < series_.size(); ++later) {
    const std::size_t first = std::max(first_birth_, history_.first_birth(later));
    for (std::size_t earlier = first; earlier < later; ++earlier) {
      const Pair& pair = formulas_.pair(earlier, later);
      for (std::size_t a = 0; a < series_.release(earlier).cells(); ++a) {
        for (const std::uint32_t b : pair.ComparableCells(a)) {
          ForEachCommonValue(series_.release(earlier), a, series_.release(later), b,
                             [&](std::uint32_t, std::size_t ga, std::size_t gb) {
                               if (history_.rows(earlier, ga) == 0) return;
                               if (history_.rows(later, gb) == 0) return;
                               work(offset_[earlier] + ga, offset_[later] + gb);
                             });
        }
      }
    }
  }
}

void Components::Join() {
  std::vector<std::uint32_t> leader(offset_.back());
  std::iota(leader.begin(), leader.end(), 0);
  const auto find = [&](std::uint32_t x) {
    while (leader[x] != x) x = leader[x] = leader[leader[x]];
    return x;
  };
  ForEachComparablePair([&](std::size_t a, std::size_t b) {
    const std::uint32_t x = find(static_cast<std::uint32_t>(a));
    const std::uint32_t y = find(static_cast<std::uint32_t>(b));
    if (x != y) leader[std::max(x, y)] = std::min(x, y);
  });

  component_of_.assign(offset_.back(), kNoComponent);
  member_of_.resize(offset_.back());
  for (std::size_t i = first_birth_; i < series_.size(); ++i) {
    const Release& release = series_.release(i);
    for (std::size_t g = 0; g < release.groups(); ++g) {
      if (history_.rows(i, g) == 0) continue;
      const std::uint32_t number = static_cast<std::uint32_t>(offset_[i] + g);
      std::uint32_t& of_leader = component_of_[find(number)];
      if (of_leader == kNoComponent) {
        of_leader = static_cast<std::uint32_t>(components_.size());
        components_.emplace_back();
        components_.back().value = release.value(g);
      }
      component_of_[number] = of_leader;
      Component& component = components_[of_leader];
      member_of_[number] = static_cast<std::uint32_t>(component.rows.size());
      component.release_of.push_back(static_cast<std::uint32_t>(i));
      component.group_of.push_back(static_cast<std::uint32_t>(g));
      component.rows.push_back(history_.rows(i, g));
    }
  }
}

void Components::Classify(Component& component) const {
  std::vector<std::uint32_t>& first = component.first_of_release;
  first.assign(component.last_release() - component.first_release() + 2, 0);
  for (const std::uint32_t i : component.release_of) ++first[i - component.first_release() + 1];
  std::uint64_t pairs = 0;
  for (std::size_t i = 1; i < first.size(); ++i) {
    pairs += std::uint64_t{first[i - 1]} * first[i];  // those before, and those of the release
    first[i] += first[i - 1];
  }
  component.complete =
      component.comparable_pairs == pairs && Joint(component) && CountBorn(component);
}

bool Components::Joint(const Component& component) const {
  if (series_.pairwise()) return true;
  std::size_t releases = 0;
  for (std::size_t i = component.first_release(); i <= component.last_release(); ++i) {
    releases += !component.members(i).empty();
  }
  if (releases < 3) return true;
  for (std::size_t column = 0; column < series_.columns(); ++column) {
    const taxonomy::Regions* regions = series_.regions(column);
    if (regions == nullptr || regions->intervals()) continue;
    auto common = regions->Of(taxonomy::Regions::root());
    for (std::uint32_t m = 0; m < component.rows.size(); ++m) {
      const NodeId node =
          series_.release(component.release_of[m]).node(CellOf(component, m), column);
      if (!regions->Meet(common, node)) return false;
      regions->Narrow(common, node);
    }
  }
  return true;
}

// Everybody whom a release tells of is in one of its groups here: birth by birth, what is over.
// False where that is no number of people, or of people whom another release has no room for.
bool Components::CountBorn(Component& component) const {
  const auto has = [&](std::size_t i) { return !component.members(i).empty(); };
  const std::size_t first = component.first_release();
  component.born.assign(component.last_release() - first + 1, 0);
  for (std::size_t i = first; i <= component.last_release(); ++i) {
    if (!has(i)) continue;
    std::uint64_t rows = 0, before = 0;
    const Component::Range members = component.members(i);
    for (std::uint32_t m = members.begin; m < members.end; ++m) rows += component.rows[m];
    for (std::size_t birth = std::max(first, history_.first_birth(i)); birth < i; ++birth) {
      before += component.born[birth - first];
    }
    if (rows < before) return false;
    component.born[i - first] = rows - before;
    if (rows > before && !std::ranges::all_of(history_.releases(i), has)) return false;
  }
  return true;
}

bool Components::ListVariables(Component& component, std::size_t most) const {
  const std::size_t members = component.rows.size();
  if (members * members / 8 > kLargestAdjacency) return false;
  Adjacency adjacency(members);
  for (std::size_t a = 0; a < members; ++a) {
    const std::size_t i = component.release_of[a];
    const std::size_t cell = CellOf(component, static_cast<std::uint32_t>(a));
    for (std::size_t l = i + 1; l < series_.size(); ++l) {
      if (!history_.Linked(i, l)) continue;
      for (const std::uint32_t other : formulas_.pair(i, l).ComparableCells(cell)) {
        const auto group = series_.release(l).FindGroup(other, component.value);
        if (!group || history_.rows(l, *group) == 0) continue;
        adjacency.Join(a, member_of_[offset_[l] + *group]);
      }
    }
  }
  FindTwins(component, adjacency);
  component.tuple_begin.assign(1, 0);
  Chosen chosen{{}, Overlap(series_)};
  for (std::size_t birth = first_birth_; birth < series_.size(); ++birth) {
    std::vector<std::uint64_t> all(adjacency.words(), ~std::uint64_t{0});
    if (!Extend(component, adjacency, most, birth, all, chosen)) return false;
  }
  return true;
}

std::string Components::SetsOf(const Component& component, std::uint32_t member) const {
  const auto key = series_.release(component.release_of[member]).key(CellOf(component, member));
  std::string bytes;
  for (std::size_t column = 0; column < key.size(); ++column) {
    const taxonomy::Regions* regions = series_.regions(column);
    if (regions == nullptr || regions->intervals()) continue;
    bytes.append(reinterpret_cast<const char*>(&key[column]), sizeof key[column]);
  }
  return bytes;
}

void Components::FindTwins(Component& component, const Adjacency& adjacency) const {
  component.twin_of.resize(component.rows.size());
  component.first_kind.assign(1, 0);
  for (std::size_t i = 0; i < series_.size(); ++i) {
    std::unordered_map<std::string_view, std::uint32_t> known;
    std::deque<std::string> with_sets;
    const Component::Range members = component.members(i);
    for (std::uint32_t m = members.begin; m < members.end; ++m) {
      const auto row = adjacency.row(m);
      std::string_view bytes(reinterpret_cast<const char*>(row.data()), row.size_bytes());
      if (!series_.pairwise()) {
        bytes = with_sets.emplace_back(std::string(bytes) + SetsOf(component, m));
      }
      const auto next = static_cast<std::uint32_t>(component.kind_of.size());
      const auto [at, added] = known.emplace(bytes, next);
      if (added) {
        component.kind_of.emplace_back();
        component.kind_rows.push_back(0);
      }
      component.twin_of[m] = at->second;
      component.kind_of[at->second].push_back(m);
      component.kind_rows[at->second] += component.rows[m];
    }
    component.first_kind.push_back(static_cast<std::uint32_t>(component.kind_of.size()));
  }
}

bool Components::Extend(Component& component, const Adjacency& adjacency, std::size_t most,
                        std::size_t birth, const std::vector<std::uint64_t>& allowed,
                        Chosen& chosen) const {
  const auto telling = history_.releases(birth);
  if (chosen.kinds.size() == telling.size()) {
    if (component.births.size() >= most) return false;
    const auto number = static_cast<std::uint32_t>(birth);
    component.variables.emplace(KeyOf(number, chosen.kinds), component.births.size());
    component.births.push_back(number);
    component.tuples.insert(component.tuples.end(), chosen.kinds.begin(), chosen.kinds.end());
    component.tuple_begin.push_back(static_cast<std::uint32_t>(component.tuples.size()));
    return true;
  }
  const std::uint32_t release = telling[chosen.kinds.size()];
  const bool joint = !series_.pairwise();
  std::vector<std::uint64_t> narrowed(allowed.size());
  for (std::uint32_t kind = component.first_kind[release]; kind < component.first_kind[release + 1];
       ++kind) {
    const std::uint32_t m = component.kind_of[kind].front();
    if ((allowed[m / 64] >> (m % 64) & 1) == 0) continue;
    if (joint) {
      const auto key = series_.release(release).key(CellOf(component, m));
      if (chosen.kinds.empty()) {
        chosen.overlap.Start(key);
      } else if (chosen.overlap.Fits(key)) {
        chosen.overlap.Push(key);
      } else {
        continue;
      }
    }
    const auto row = adjacency.row(m);
    for (std::size_t w = 0; w < row.size(); ++w) narrowed[w] = allowed[w] & row[w];
    chosen.kinds.push_back(kind);
    const bool fits = Extend(component, adjacency, most, birth, narrowed, chosen);
    chosen.kinds.pop_back();
    if (joint) chosen.overlap.Pop();
    if (!fits) return false;
  }
  return true;
}

}  // namespace reissue::models::bcf::internal
