#include "reissue/models/invariance/publisher/assign.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "reissue/core/result.h"
#include "reissue/models/invariance/publisher/exchange.h"
#include "reissue/models/invariance/publisher/mixture.h"
#include "reissue/models/invariance/publisher/unplaced_newcomers.h"

namespace reissue::models::invariance::internal {
namespace {

using Allowed = std::function<bool(std::size_t, std::uint64_t)>;

// The most layers that cost no counterfeit more than the rest needs anyway. The cost is convex in
// the layers, so they are found by bisection.
std::uint64_t MostLayers(const UnplacedNewcomers& rest, const std::vector<std::uint32_t>& values,
                         std::uint64_t need) {
  const std::uint64_t outside = rest.MostOutside(values);
  std::uint64_t low = 0, high = need / values.size();
  while (low < high) {
    const std::uint64_t middle = low + (high - low + 1) / 2;
    if (values.size() * middle + rest.NeedAfter(values, outside, middle) <= need) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

// A bucket that has to keep its counterfeits as long as nobody joins: a layer lets them go.
void Relieve(UnplacedNewcomers& rest, const Allowed& allowed, std::vector<Target>& targets) {
  for (std::size_t t = 0; t < targets.size(); ++t) {
    Target& target = targets[t];
    if (std::ranges::none_of(target.replaceable, [](std::uint64_t n) { return n > 0; })) continue;
    UnplacedNewcomers after = rest;
    for (std::size_t i = 0; i < target.values.size(); ++i) {
      after.Take(target.values[i], 1 + target.replaceable[i]);
    }
    if (target.values.size() + after.Need() >= rest.Need() || !allowed(t, 1)) continue;
    target.layers = target.least = 1;
    rest = after;
  }
}

// The best mixture, as far as whole layers go.
void Mix(UnplacedNewcomers& rest, const Allowed& allowed, std::vector<Target>& targets) {
  std::vector<const std::vector<std::uint32_t>*> signatures;
  for (const Target& target : targets) signatures.push_back(&target.values);
  const Mixture mixture = BestMixture(rest, signatures);
  UnplacedNewcomers after = rest;
  std::uint64_t rows = 0;
  const auto take = [&](const std::vector<std::uint32_t>& values, std::uint64_t layers) {
    for (const std::uint32_t value : values) after.Take(value, layers);
    rows += layers * values.size();
  };
  std::vector<std::uint64_t> layers = mixture.existing;
  for (std::size_t t = 0; t < layers.size(); ++t) {
    if (targets[t].layers == 0 && layers[t] == 1 && !allowed(t, 1)) layers[t] = 0;
    take(targets[t].values, layers[t]);
  }
  for (const auto& [values, count] : mixture.made) take(values, count);
  if (rows + after.Need() > rest.Need()) return;  // the program is not taken at its word
  rest = after;
  for (std::size_t t = 0; t < layers.size(); ++t) targets[t].layers += layers[t];
  for (const auto& [values, count] : mixture.made) {
    const auto known = std::ranges::find(targets, values, &Target::values);
    if (known != targets.end()) {
      known->layers += count;
    } else {
      targets.push_back({values, count, 0, {}, true});
    }
  }
}

void ToExisting(UnplacedNewcomers& rest, const Allowed& allowed, std::vector<Target>& targets) {
  while (rest.total() > 0) {
    const std::uint64_t need = rest.Need();
    std::size_t best = targets.size();
    std::uint64_t most = 0;
    for (std::size_t t = 0; t < targets.size(); ++t) {
      const std::uint64_t layers = MostLayers(rest, targets[t].values, need);
      if (layers <= most) continue;
      if (targets[t].layers == 0 && layers == 1 && !allowed(t, 1)) continue;
      best = t;
      most = layers;
    }
    if (best == targets.size()) return;
    Target& target = targets[best];
    std::uint64_t layers = (most + 1) / 2;
    if (target.layers == 0 && layers == 1 && !allowed(best, 1)) layers = 2;
    target.layers += layers;
    for (const std::uint32_t value : target.values) rest.Take(value, layers);
  }
}

// Deals the rest out, value by value, to as many layers as possible.
std::vector<std::vector<std::uint32_t>> Layers(const UnplacedNewcomers& rest,
                                               const std::vector<std::uint32_t>& popular,
                                               std::uint64_t m) {
  const std::uint64_t count = std::max(rest.most(), rest.total() / m);
  std::vector<std::vector<std::uint32_t>> layers(count);
  std::uint64_t next = 0;
  for (const std::uint32_t value : popular) {
    for (std::uint64_t i = 0; i < rest[value]; ++i) {
      layers[next].push_back(value);
      next = next + 1 == count ? 0 : next + 1;
    }
  }
  for (auto& layer : layers) {
    for (const std::uint32_t value : popular) {
      if (layer.size() >= m) break;
      if (std::ranges::count(layer, value) == 0) layer.push_back(value);
    }
    REISSUE_CHECK(layer.size() >= m);
    std::ranges::sort(layer);
  }
  return layers;
}

void ToNew(const UnplacedNewcomers& rest, const std::vector<std::uint32_t>& popular,
           std::uint64_t m, const Allowed& allowed, std::vector<Target>& targets) {
  std::map<std::vector<std::uint32_t>, std::uint64_t> made;
  for (auto& layer : Layers(rest, popular, m)) ++made[std::move(layer)];
  std::map<std::vector<std::uint32_t>, std::size_t> existing;
  for (std::size_t t = 0; t < targets.size(); ++t) existing.emplace(targets[t].values, t);
  for (const auto& [values, layers] : made) {
    const auto known = existing.find(values);
    if (known == existing.end()) {
      targets.push_back({values, layers, 0, {}, true});
      continue;
    }
    Target& target = targets[known->second];
    target.layers += layers;
    while (!allowed(known->second, target.layers)) ++target.layers;
  }
}

}  // namespace

void Assign(std::vector<std::uint64_t> rest, const std::vector<std::uint32_t>& popular,
            std::uint64_t m, const Allowed& allowed, std::vector<Target>& targets) {
  UnplacedNewcomers left(std::move(rest), m);
  if (left.total() == 0) return;
  Relieve(left, allowed, targets);
  Mix(left, allowed, targets);
  ToExisting(left, allowed, targets);
  if (left.total() > 0) Exchange(left.values(), allowed, targets).Run(left);
  if (left.total() > 0) ToNew(left, popular, m, allowed, targets);
}

}  // namespace reissue::models::invariance::internal
