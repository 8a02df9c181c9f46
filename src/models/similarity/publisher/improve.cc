#include "reissue/models/similarity/publisher/improve.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "reissue/models/similarity/publisher/cuts.h"
#include "reissue/models/similarity/publisher/place_tree.h"

namespace reissue::models::similarity::internal {
namespace {

constexpr std::size_t kBlock = 256;     // groups that one thread improves among themselves
constexpr std::size_t kNeighbours = 8;  // with whom a group is cut anew
constexpr std::size_t kMostRows = 96;   // of two groups that are cut anew
constexpr double kWorthARound = 1e-3;   // less than this share of the cost: no further round

// Groups next to one another along a Hilbert curve.
class Block {
 public:
  Block(Draft& draft, std::span<const std::uint32_t> groups, std::uint64_t round)
      : draft_(draft), cutter_(draft), round_(round) {
    for (const std::uint32_t group : groups) members_.push_back(&draft.groups[group]);
  }

  // New groups by splitting.
  std::vector<Bunch> Run() {
    std::vector<double> middles;
    for (const Bunch* bunch : members_) draft_.AppendMiddle(*bunch, middles);
    const std::size_t columns = draft_.table().points.columns.size();
    const PlaceTree tree(draft_.table().points.columns, middles);
    std::vector<PlaceTree::Found> near;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      if (members_[i]->rows.size() >= 2 * draft_.guarantee().k &&
          members_[i]->changed + 1 >= round_) {
        Split(*members_[i]);
      }
      tree.Nearest({middles.data() + i * columns, columns}, kNeighbours + 1, near);
      for (const PlaceTree::Found& next : near) {
        if (next.item > i) CutAnew(*members_[i], *members_[next.item]);
      }
    }
    return std::move(added_);
  }

 private:
  void Split(Bunch& bunch) {
    std::vector<Bunch> parts;  // that may be cut further
    parts.push_back(std::move(bunch));
    bool first = true;
    while (!parts.empty()) {
      Bunch part = std::move(parts.back());
      parts.pop_back();
      if (auto two = cutter_.Best(part.rows, draft_.Cost(part), false)) {
        two->first.changed = two->second.changed = round_;
        parts.push_back(std::move(two->second));
        parts.push_back(std::move(two->first));
      } else if (std::exchange(first, false)) {
        bunch = std::move(part);
      } else {
        added_.push_back(std::move(part));
      }
    }
  }

  void CutAnew(Bunch& a, Bunch& b) {
    if (a.rows.size() + b.rows.size() > kMostRows) return;
    if (std::max(a.changed, b.changed) + 1 < round_) return;  // it was tried
    const double cost = draft_.Cost(a) + draft_.Cost(b);
    if (cost == 0) return;
    rows_.assign(a.rows.begin(), a.rows.end());
    rows_.insert(rows_.end(), b.rows.begin(), b.rows.end());
    if (auto parts = cutter_.Best(rows_, cost, false)) {
      a = std::move(parts->first);
      b = std::move(parts->second);
      a.changed = b.changed = round_;
    }
  }

  Draft& draft_;
  Cutter cutter_;
  std::uint64_t round_;
  std::vector<Bunch*> members_;
  std::vector<Bunch> added_;
  std::vector<std::uint32_t> rows_;
};

std::vector<std::uint32_t> AlongTheCurve(const Draft& draft) {
  Points middles;
  middles.columns = draft.table().points.columns;
  for (const Bunch& bunch : draft.groups) draft.AppendMiddle(bunch, middles.place);
  return HilbertOrder(middles);
}

}  // namespace

void Improve(Draft& draft, std::uint64_t rounds, ThreadPool& pool) {
  if (draft.table().points.columns.empty()) return;
  draft.Tidy();
  double cost = draft.Cost();
  for (Bunch& bunch : draft.groups) bunch.changed = 0;
  for (std::uint64_t round = 1; round <= rounds; ++round) {
    const std::vector<std::uint32_t> order = AlongTheCurve(draft);
    const std::span<const std::uint32_t> groups = order;
    const std::size_t first = std::min(round % 2 ? kBlock / 2 : kBlock, groups.size());
    const std::size_t blocks = 1 + (groups.size() - first + kBlock - 1) / kBlock;
    std::vector<std::vector<Bunch>> added(blocks);
    pool.Run(blocks, [&](std::size_t block) {
      const std::size_t from = block == 0 ? 0 : first + (block - 1) * kBlock;
      const std::size_t to = std::min(first + block * kBlock, groups.size());
      added[block] = Block(draft, groups.subspan(from, to - from), round).Run();
    });
    for (std::vector<Bunch>& more : added)
      std::ranges::move(more, std::back_inserter(draft.groups));
    const double before = std::exchange(cost, draft.Cost());
    if (before - cost < kWorthARound * before) return;
  }
}

}  // namespace reissue::models::similarity::internal
