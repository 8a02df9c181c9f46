#include "reissue/models/invariance/adversary/deduce_search.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace reissue::models::invariance {
namespace {

struct Box {
  std::vector<std::int64_t> low, high;
};

class Searcher {
 public:
  Searcher(const SmallSystem& system, std::uint64_t& nodes)
      : system_(system), nodes_(nodes), members_(system.sums.size()) {
    for (std::uint32_t v = 0; v < system.most.size(); ++v) {
      for (const std::uint32_t row : system.rows[v]) members_[row].push_back(v);
      whole_.low.push_back(0);
      whole_.high.push_back(static_cast<std::int64_t>(system.most[v]));
    }
  }

  SmallAnswer Run() {
    SmallAnswer answer;
    const std::size_t variables = system_.most.size();
    answer.can_be_some.assign(variables, false);
    answer.can_be_less.assign(variables, false);
    auto ask = [&](Box box) {
      std::optional<Box> solution = Find(std::move(box));
      if (!solution) return false;
      for (std::size_t v = 0; v < variables; ++v) {
        if (solution->low[v] > 0) answer.can_be_some[v] = true;
        if (solution->low[v] < whole_.high[v]) answer.can_be_less[v] = true;
      }
      return true;
    };
    answer.possible = ask(whole_);
    for (std::size_t v = 0; v < variables && answer.possible; ++v) {
      for (const bool some : {true, false}) {
        if (some ? answer.can_be_some[v] : answer.can_be_less[v]) continue;
        Box box = whole_;
        (some ? box.low[v] : box.high[v]) += some ? 1 : -1;
        ask(std::move(box));
      }
    }
    answer.answered = !exhausted_;
    return answer;
  }

 private:
  // What a row leaves to each of its variables; false: no solution.
  bool Narrow(Box& box) const {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t row = 0; row < members_.size(); ++row) {
        std::int64_t least = 0, most = 0;
        for (const std::uint32_t v : members_[row]) {
          least += box.low[v];
          most += box.high[v];
        }
        if (least > system_.sums[row] || most < system_.sums[row]) return false;
        for (const std::uint32_t v : members_[row]) {
          const std::int64_t low = system_.sums[row] - (most - box.high[v]);
          const std::int64_t high = system_.sums[row] - (least - box.low[v]);
          if (low <= box.low[v] && high >= box.high[v]) continue;
          changed = true;
          least -= box.low[v];
          most -= box.high[v];
          box.low[v] = std::max(box.low[v], low);
          box.high[v] = std::min(box.high[v], high);
          least += box.low[v];
          most += box.high[v];
          if (box.low[v] > box.high[v]) return false;
        }
      }
    }
    return true;
  }

  // A box of one point.
  std::optional<Box> Find(Box box) {
    if (nodes_ == 0) exhausted_ = true;
    if (exhausted_) return std::nullopt;
    --nodes_;
    if (!Narrow(box)) return std::nullopt;
    std::optional<std::size_t> open;
    for (std::size_t v = 0; v < box.low.size(); ++v) {
      if (box.low[v] == box.high[v]) continue;
      if (!open || box.high[v] - box.low[v] < box.high[*open] - box.low[*open]) open = v;
    }
    if (!open) return box;
    const std::int64_t middle = (box.low[*open] + box.high[*open]) / 2;
    Box upper = box;
    upper.low[*open] = middle + 1;
    box.high[*open] = middle;
    if (std::optional<Box> found = Find(std::move(box))) return found;
    return Find(std::move(upper));
  }

  const SmallSystem& system_;
  std::uint64_t& nodes_;
  std::vector<std::vector<std::uint32_t>> members_;
  Box whole_;
  bool exhausted_ = false;
};

}  // namespace

SmallAnswer Try(const SmallSystem& system, std::uint64_t& nodes) {
  return Searcher(system, nodes).Run();
}

}  // namespace reissue::models::invariance
