#include "reissue/models/invariance/publisher/assign.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "reissue/core/result.h"

namespace reissue::models::invariance::internal {
namespace {

using Allowed = std::function<bool(std::size_t, std::uint64_t)>;

class Rest {
 public:
  Rest(std::vector<std::uint64_t> count, std::uint64_t m) : count_(std::move(count)), m_(m) {
    total_ = std::accumulate(count_.begin(), count_.end(), std::uint64_t{0});
  }
  std::uint64_t total() const { return total_; }
  std::uint64_t operator[](std::uint32_t value) const { return count_[value]; }
  std::uint64_t most() const { return count_.empty() ? 0 : *std::ranges::max_element(count_); }
  // Rows that it will take to publish them.
  std::uint64_t Need() const { return std::max(total_, m_ * most()); }
  std::uint64_t MostOutside(const std::vector<std::uint32_t>& values) const {
    std::uint64_t most = 0;
    std::size_t next = 0;
    for (std::uint32_t value = 0; value < count_.size(); ++value) {
      if (next < values.size() && values[next] == value) {
        ++next;
      } else {
        most = std::max(most, count_[value]);
      }
    }
    return most;
  }
  // The same after so many layers of these values.
  std::uint64_t NeedAfter(const std::vector<std::uint32_t>& values, std::uint64_t most_outside,
                          std::uint64_t layers) const {
    std::uint64_t most = most_outside, total = total_;
    for (const std::uint32_t value : values) {
      const std::uint64_t taken = std::min(layers, count_[value]);
      total -= taken;
      most = std::max(most, count_[value] - taken);
    }
    return std::max(total, m_ * most);
  }
  void Take(std::uint32_t value, std::uint64_t people) {
    people = std::min(people, count_[value]);
    count_[value] -= people;
    total_ -= people;
  }

 private:
  std::vector<std::uint64_t> count_;
  std::uint64_t total_ = 0, m_;
};

// The most layers that cost no counterfeit more than the rest needs anyway. The cost is convex in
// the layers, so they are found by bisection.
std::uint64_t MostLayers(const Rest& rest, const std::vector<std::uint32_t>& values,
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
void Relieve(Rest& rest, const Allowed& allowed, std::vector<Target>& targets) {
  for (std::size_t t = 0; t < targets.size(); ++t) {
    Target& target = targets[t];
    if (std::ranges::none_of(target.replaceable, [](std::uint64_t n) { return n > 0; })) continue;
    Rest after = rest;
    for (std::size_t i = 0; i < target.values.size(); ++i) {
      after.Take(target.values[i], 1 + target.replaceable[i]);
    }
    if (target.values.size() + after.Need() >= rest.Need() || !allowed(t, 1)) continue;
    target.layers = 1;
    rest = after;
  }
}

void ToExisting(Rest& rest, const Allowed& allowed, std::vector<Target>& targets) {
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
std::vector<std::vector<std::uint32_t>> Layers(const Rest& rest,
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

void ToNew(const Rest& rest, const std::vector<std::uint32_t>& popular, std::uint64_t m,
           const Allowed& allowed, std::vector<Target>& targets) {
  std::map<std::vector<std::uint32_t>, std::uint64_t> made;
  for (auto& layer : Layers(rest, popular, m)) ++made[std::move(layer)];
  std::map<std::vector<std::uint32_t>, std::size_t> existing;
  for (std::size_t t = 0; t < targets.size(); ++t) existing.emplace(targets[t].values, t);
  for (const auto& [values, layers] : made) {
    const auto known = existing.find(values);
    if (known == existing.end()) {
      targets.push_back({values, layers, {}, true});
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
  Rest left(std::move(rest), m);
  if (left.total() == 0) return;
  Relieve(left, allowed, targets);
  ToExisting(left, allowed, targets);
  if (left.total() > 0) ToNew(left, popular, m, allowed, targets);
}

}  // namespace reissue::models::invariance::internal
