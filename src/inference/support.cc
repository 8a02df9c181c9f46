#include "reissue/inference/support.h"

#include <algorithm>

namespace reissue::inference::internal {
namespace {

// Strongly connected components of the graph of values (Tarjan): an edge from the value that
// somebody has to every other that this person may have.
class Circles {
 public:
  Circles(const std::vector<char>& allowed, const std::vector<std::uint32_t>& value_of,
          std::size_t values)
      : values_(values), edge_(values * values, 0), found_(values, 0), least_(values, 0) {
    for (std::size_t v = 0; v < value_of.size(); ++v) {
      char* const edges = &edge_[value_of[v] * values];
      for (std::size_t s = 0; s < values; ++s) edges[s] |= allowed[v * values + s];
    }
    component_.assign(values, kNone);
    for (std::size_t s = 0; s < values; ++s) {
      if (found_[s] == 0) Visit(s);
    }
  }

  bool Same(std::size_t a, std::size_t b) const { return component_[a] == component_[b]; }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  void Visit(std::size_t value) {
    least_[value] = found_[value] = ++number_;
    open_.push_back(value);
    for (std::size_t next = 0; next < values_; ++next) {
      if (!edge_[value * values_ + next]) continue;
      if (found_[next] == 0) Visit(next);
      if (component_[next] == kNone) least_[value] = std::min(least_[value], least_[next]);
    }
    if (least_[value] != found_[value]) return;
    std::size_t last = kNone;
    while (last != value) {
      last = open_.back();
      open_.pop_back();
      component_[last] = value;
    }
  }

  std::size_t values_;
  std::vector<char> edge_;
  std::vector<std::size_t> found_, least_;  // in which order; from 1
  std::vector<std::size_t> component_, open_;
  std::size_t number_ = 0;
};

}  // namespace

std::vector<char> UsablePairs(const std::vector<char>& allowed,
                              const std::vector<std::uint32_t>& value_of, std::size_t values) {
  const Circles circles(allowed, value_of, values);
  std::vector<char> usable = allowed;
  for (std::size_t v = 0; v < value_of.size(); ++v) {
    for (std::size_t s = 0; s < values; ++s) {
      usable[v * values + s] = allowed[v * values + s] && circles.Same(value_of[v], s);
    }
  }
  return usable;
}

}  // namespace reissue::inference::internal
