#include "reissue/models/invariance/publisher/assign.h"

#include <algorithm>
#include <iterator>
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

// So many layers of newcomers with these values. What is missing of `size` values is drawn at
// random: which it is must not depend on who else is there, or has left.
void AddLayers(std::vector<std::uint32_t> own, std::size_t size, std::uint64_t layers,
               std::size_t values, Random& random, const Allowed& allowed,
               std::vector<Target>& targets) {
  std::vector<std::uint32_t> others;
  for (std::uint32_t value = 0; value < values; ++value) {
    if (std::ranges::count(own, value) == 0) others.push_back(value);
  }
  random.Shuffle(others);
  for (std::size_t i = 0; own.size() < size; ++i) own.push_back(others[i]);
  std::ranges::sort(own);
  const auto known = std::ranges::find(targets, own, &Target::values);
  if (known == targets.end()) {
    targets.push_back({std::move(own), layers, 0, {}, true});
    return;
  }
  const auto number = static_cast<std::size_t>(known - targets.begin());
  known->layers += layers;
  while (!known->fresh && !allowed(number, known->layers)) ++known->layers;
}

// The best mixture, as far as whole layers go.
void Mix(UnplacedNewcomers& rest, Random& random, const Allowed& allowed,
         std::vector<Target>& targets) {
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
  for (std::size_t t = 0; t < layers.size(); ++t) targets[t].layers += layers[t];
  for (const auto& [values, count] : mixture.made) {
    std::vector<std::uint32_t> own;
    std::ranges::copy_if(values, std::back_inserter(own),
                         [&](std::uint32_t value) { return rest[value] > 0; });
    AddLayers(std::move(own), values.size(), count, rest.values(), random, allowed, targets);
  }
  rest = after;
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
std::vector<std::vector<std::uint32_t>> Layers(const UnplacedNewcomers& rest, Random& random) {
  const std::uint64_t count = std::max(rest.most(), rest.total() / rest.m());
  std::vector<std::vector<std::uint32_t>> layers(count);
  std::vector<std::uint32_t> order(rest.values());
  std::iota(order.begin(), order.end(), 0);
  random.Shuffle(order);
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](std::uint32_t value) { return rest[value]; });
  std::uint64_t next = 0;
  for (const std::uint32_t value : order) {
    for (std::uint64_t i = 0; i < rest[value]; ++i) {
      layers[next].push_back(value);
      next = next + 1 == count ? 0 : next + 1;
    }
  }
  return layers;
}

void ToNew(const UnplacedNewcomers& rest, Random& random, const Allowed& allowed,
           std::vector<Target>& targets) {
  std::map<std::vector<std::uint32_t>, std::uint64_t> made;
  for (auto& layer : Layers(rest, random)) {
    std::ranges::sort(layer);
    ++made[std::move(layer)];
  }
  for (const auto& [values, layers] : made) {
    const std::size_t size = std::max<std::size_t>(values.size(), rest.m());
    AddLayers(values, size, layers, rest.values(), random, allowed, targets);
  }
}

}  // namespace

void Assign(std::vector<std::uint64_t> rest, std::uint64_t m, Random& random,
            const Allowed& allowed, std::vector<Target>& targets) {
  UnplacedNewcomers left(std::move(rest), m);
  if (left.total() == 0) return;
  Relieve(left, allowed, targets);
  Mix(left, random, allowed, targets);
  ToExisting(left, allowed, targets);
  if (left.total() > 0) Exchange(left.values(), allowed, targets).Run(left);
  if (left.total() > 0) ToNew(left, random, allowed, targets);
}

}  // namespace reissue::models::invariance::internal
