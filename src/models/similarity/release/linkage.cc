#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "reissue/models/similarity/release/points.h"

namespace reissue::models::similarity {
namespace {

constexpr double kEquallyNear = 1e-12;
constexpr std::size_t kRowsAtATime = 256;

// What a column shows of a group: the middle of its numbers, twice; or its leaves from … to. A
// place is away from it by the distance to the middle, or by the penalty of it and the leaves
// together. Of several groups the same pair bounds that from below: the least and the largest
// middle; or the largest first leaf and the smallest last one, between which and the place all of
// them reach.
struct Sight {
  double first = 0, last = 0;
};

double Away(const Column& column, double place, Sight sight) {
  if (column.tree()) {
    return column.Penalty(std::min(place, sight.first), std::max(place, sight.last));
  }
  return column.Distance(place, std::clamp(place, sight.first, sight.last));
}

// A k-d tree over what groups show; groups that show the same are one item.
class ShownGroups {
 public:
  struct Near {
    double squares;
    std::uint32_t item;
  };

  ShownGroups(std::span<const Column> columns, const std::vector<Box>& boxes) : columns_(columns) {
    std::vector<std::uint32_t> groups;
    for (std::uint32_t g = 0; g < boxes.size(); ++g) {
      if (boxes[g].rows > 0) groups.push_back(g);
    }
    std::vector<Sight> shown(boxes.size() * columns.size());
    for (const std::uint32_t g : groups) {
      for (std::size_t c = 0; c < columns.size(); ++c) {
        const double middle = (boxes[g].low[c] + boxes[g].high[c]) / 2;
        shown[g * columns.size() + c] =
            columns[c].tree() ? Sight{boxes[g].low[c], boxes[g].high[c]} : Sight{middle, middle};
      }
    }
    const auto less = [&](std::uint32_t a, std::uint32_t b) {
      for (std::size_t c = 0; c < columns.size(); ++c) {
        const Sight x = shown[a * columns.size() + c], y = shown[b * columns.size() + c];
        if (x.first != y.first) return x.first < y.first;
        if (x.last != y.last) return x.last < y.last;
      }
      return false;
    };
    std::ranges::sort(groups, less);
    item_of_.assign(boxes.size(), 0);
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (i == 0 || less(groups[i - 1], groups[i])) {
        times_.push_back(0);
        const auto from = shown.begin() + static_cast<std::ptrdiff_t>(groups[i] * columns.size());
        sights_.insert(sights_.end(), from, from + static_cast<std::ptrdiff_t>(columns.size()));
      }
      item_of_[groups[i]] = static_cast<std::uint32_t>(times_.size() - 1);
      ++times_.back();
    }
    items_.resize(times_.size());
    std::iota(items_.begin(), items_.end(), 0);
    if (!items_.empty()) Build(0, static_cast<std::uint32_t>(items_.size()));
  }

  // The chance that whoever is at the place is linked to this group; 0: another one is nearer.
  // `near` is scratch.
  double Chance(std::span<const double> place, std::uint32_t group, std::vector<Near>& near) const {
    const double own = Squares(&sights_[item_of_[group] * columns_.size()], place, kAnywhere);
    double nearest = own;
    near.clear();
    const bool all = Visit(0, place, own + kEquallyNear, [&](const Near& found) {
      nearest = std::min(nearest, found.squares);
      near.push_back(found);
      return own <= nearest + kEquallyNear;
    });
    if (!all) return 0;
    std::uint64_t ties = 0;
    for (const Near& found : near) {
      if (found.squares <= nearest + kEquallyNear) ties += times_[found.item];
    }
    return 1 / static_cast<double>(ties);
  }

 private:
  static constexpr std::size_t kItemsOfALeaf = 6;  // or as many as there are columns
  static constexpr double kAnywhere = std::numeric_limits<double>::infinity();
  struct Node {
    std::uint32_t begin, end, right;  // right: 0 for a leaf; the left child follows its parent
  };

  void Build(std::uint32_t begin, std::uint32_t end) {
    const std::size_t node = nodes_.size();
    nodes_.push_back({begin, end, 0});
    std::size_t widest = 0;
    double width = 0;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      Sight bound = Of(items_[begin], c);
      double least = bound.first, largest = bound.last;
      for (std::uint32_t i = begin; i < end; ++i) {
        const Sight sight = Of(items_[i], c);
        least = std::min(least, sight.first);
        largest = std::max(largest, sight.last);
        if (columns_[c].tree()) {
          bound = {std::max(bound.first, sight.first), std::min(bound.last, sight.last)};
        } else {
          bound = {least, largest};
        }
      }
      bounds_.push_back(bound);
      if (columns_[c].Distance(least, largest) > width) {
        width = columns_[c].Distance(least, largest);
        widest = c;
      }
    }
    if (end - begin <= std::max(kItemsOfALeaf, columns_.size())) return;
    const std::uint32_t middle = begin + (end - begin) / 2;
    std::nth_element(items_.begin() + begin, items_.begin() + middle, items_.begin() + end,
                     [&](std::uint32_t a, std::uint32_t b) {
                       const Sight x = Of(a, widest), y = Of(b, widest);
                       const double left = x.first + x.last, right = y.first + y.last;
                       return left != right ? left < right : a < b;
                     });
    Build(begin, middle);
    nodes_[node].right = static_cast<std::uint32_t>(nodes_.size());
    Build(middle, end);
  }

  Sight Of(std::uint32_t item, std::size_t c) const { return sights_[item * columns_.size() + c]; }

  // Or something above the limit: with many columns most groups are far after a few of them.
  double Squares(const Sight* sights, std::span<const double> place, double limit) const {
    double squares = 0;
    for (std::size_t c = 0; c < columns_.size() && squares <= limit; ++c) {
      const double away = Away(columns_[c], place[c], sights[c]);
      squares += away * away;
    }
    return squares;
  }

  // Items that are no farther than the limit, until `found` says no; whether it never did.
  template <typename Found>
  bool Visit(std::uint32_t number, std::span<const double> place, double limit,
             const Found& found) const {
    const Node& node = nodes_[number];
    if (node.right == 0) {
      for (std::uint32_t i = node.begin; i < node.end; ++i) {
        const double squares = Squares(&sights_[items_[i] * columns_.size()], place, limit);
        if (squares <= limit && !found({squares, items_[i]})) return false;
      }
      return true;
    }
    std::pair<double, std::uint32_t> children[] = {{BoundOf(number + 1, place, limit), number + 1},
                                                   {BoundOf(node.right, place, limit), node.right}};
    if (children[1].first < children[0].first) std::swap(children[0], children[1]);
    for (const auto& [bound, child] : children) {
      if (bound <= limit && !Visit(child, place, limit, found)) return false;
    }
    return true;
  }
  double BoundOf(std::uint32_t node, std::span<const double> place, double limit) const {
    return Squares(&bounds_[node * columns_.size()], place, limit);
  }

  std::span<const Column> columns_;
  std::vector<Sight> sights_;           // per item and column
  std::vector<std::uint64_t> times_;    // per item: groups that show it
  std::vector<std::uint32_t> item_of_;  // per group
  std::vector<std::uint32_t> items_;    // leaf by leaf
  std::vector<Node> nodes_;
  std::vector<Sight> bounds_;  // per node and column
};

}  // namespace

double RecordLinkage(const Points& points, std::span<const std::uint32_t> group, ThreadPool& pool) {
  const std::vector<Box> boxes = BoxesOf(points, group);
  if (points.columns.empty()) return boxes.empty() ? 0 : 1;  // everybody is as near to every group
  const ShownGroups shown(points.columns, boxes);
  std::vector<double> linked(group.size(), 0);
  pool.Run((group.size() + kRowsAtATime - 1) / kRowsAtATime, [&](std::size_t chunk) {
    const std::size_t to = std::min(group.size(), (chunk + 1) * kRowsAtATime);
    std::vector<ShownGroups::Near> near;
    for (std::size_t row = chunk * kRowsAtATime; row < to; ++row) {
      if (group[row] == kSuppressed) continue;
      const auto size = static_cast<double>(boxes[group[row]].rows);
      linked[row] = shown.Chance(points.of(row), group[row], near) / size;
    }
  });
  return std::accumulate(linked.begin(), linked.end(), 0.0);
}

}  // namespace reissue::models::similarity
