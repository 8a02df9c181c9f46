#include "reissue/models/invariance/publisher/exchange.h"

#include <array>
#include <map>
#include <optional>

#include "reissue/models/invariance/publisher/assign.h"

namespace reissue::models::invariance::internal {
namespace {

// The one value in which the signatures differ: in a but not in b, in b but not in a.
std::optional<std::pair<std::uint32_t, std::uint32_t>> Difference(
    const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  if (a.size() != b.size()) return std::nullopt;
  std::array<std::uint32_t, 2> only{};
  std::array<int, 2> count{};
  for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      ++i;
      ++j;
      continue;
    }
    const std::size_t side = j == b.size() || (i < a.size() && a[i] < b[j]) ? 0 : 1;
    if (++count[side] > 1) return std::nullopt;
    only[side] = side == 0 ? a[i++] : b[j++];
  }
  return std::pair(only[0], only[1]);
}

// So many ways from one value to another are enough.
constexpr std::size_t kWays = 4;
// So many buckets are tried for a layer.
constexpr std::size_t kTried = 64;
// Beyond so many buckets only the first are looked at.
constexpr std::size_t kLookedAt = 2000;

}  // namespace

Exchange::Exchange(std::size_t values, const Allowed& allowed, std::vector<Target>& targets)
    : allowed_(allowed), targets_(targets), giving_(values) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> ways;
  const std::size_t count = std::min(targets.size(), kLookedAt);
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = a + 1; b < count; ++b) {
      const auto differ = Difference(targets[a].values, targets[b].values);
      if (!differ.has_value() || ++ways[*differ] > kWays) continue;
      giving_[differ->first].push_back({a, b, differ->second, differ->first});
      giving_[differ->second].push_back({b, a, differ->first, differ->second});
    }
  }
}

bool Exchange::Free(std::size_t target, std::uint64_t layers) const {
  return layers == 0 || layers > 1 || allowed_(target, layers);
}

void Exchange::Run(UnplacedNewcomers& rest) {
  while (rest.total() > 0 && AddLayer(rest)) {
  }
}

bool Exchange::AddLayer(UnplacedNewcomers& rest) {
  // With m values to a layer, what is beyond a multiple of m has to go into larger ones.
  const std::size_t m = rest.m(), beyond = rest.Need() % m;
  std::vector<std::pair<std::array<std::size_t, 2>, std::size_t>> order;
  for (std::size_t t = 0; t < targets_.size(); ++t) {
    const Target& target = targets_[t];
    const std::size_t size = target.values.size();
    if (size > m + beyond || !Free(t, target.layers + 1)) continue;
    const auto missing = static_cast<std::size_t>(std::ranges::count_if(
        target.values, [&](std::uint32_t value) { return rest[value] == 0; }));
    order.push_back({{m + beyond - size, missing}, t});
  }
  const std::size_t tried = std::min(order.size(), kTried);
  std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(tried));
  order.resize(tried);
  return std::ranges::any_of(order,
                             [&](const auto& entry) { return TryLayer(entry.second, rest); });
}

bool Exchange::TryLayer(std::size_t target, UnplacedNewcomers& rest) {
  const std::vector<std::uint32_t>& values = targets_[target].values;
  UnplacedNewcomers after = rest;
  std::vector<Move> made;
  std::vector<bool> set_aside(rest.values());
  ++targets_[target].layers;
  for (const std::uint32_t value : values) {
    if (after[value] == 0) continue;
    after.Take(value, 1);
    set_aside[value] = true;
  }
  for (const std::uint32_t value : values) {
    if (!set_aside[value] && Obtain(value, after, made)) after.Take(value, 1);
  }
  if (values.size() + after.Need() <= rest.Need()) {
    rest = after;
    return true;
  }
  --targets_[target].layers;
  for (const Move& move : made) {
    ++targets_[move.from].layers;
    --targets_[move.to].layers;
  }
  return false;
}

bool Exchange::Obtain(std::uint32_t value, UnplacedNewcomers& rest, std::vector<Move>& made) {
  // Breadth first, backwards from the value; of all that it can be made from, the most frequent.
  std::vector<const Move*> by(rest.values(), nullptr);
  std::vector<bool> seen(rest.values());
  std::vector<std::uint32_t> queue = {value};
  seen[value] = true;
  std::optional<std::uint32_t> source;
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const std::uint32_t here = queue[next];
    if (rest[here] > 0 && (!source.has_value() || rest[here] > rest[*source])) source = here;
    for (const Move& move : giving_[here]) {
      if (seen[move.uses]) continue;
      const Target& from = targets_[move.from];
      if (from.layers <= from.least || !Free(move.from, from.layers - 1) ||
          !Free(move.to, targets_[move.to].layers + 1)) {
        continue;
      }
      seen[move.uses] = true;
      by[move.uses] = &move;
      queue.push_back(move.uses);
    }
  }
  if (!source.has_value()) return false;
  for (std::uint32_t at = *source; at != value;) {
    const Move& move = *by[at];
    // Two moves on one way may need the same last layer.
    if (targets_[move.from].layers <= targets_[move.from].least) return false;
    --targets_[move.from].layers;
    ++targets_[move.to].layers;
    made.push_back(move);
    rest.Take(move.uses, 1);
    rest.Give(move.gives);
    at = move.gives;
  }
  return true;
}

}  // namespace reissue::models::invariance::internal
