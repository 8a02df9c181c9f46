#include "reissue/models/similarity/publisher/place_tree.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace reissue::models::similarity::internal {
namespace {

// Items of a leaf: more where there are more columns, of which boxes exclude less.
constexpr std::size_t kLeafItems = 8;

struct BestOne {
  PlaceTree::Found best{std::numeric_limits<double>::infinity(), ~std::uint32_t{0}};
  std::uint64_t work = 0;
  bool any() const { return best.item != ~std::uint32_t{0}; }
  const PlaceTree::Found& worst() const { return best; }
  void Offer(const PlaceTree::Found& found) { best = found; }
};

struct BestFew {
  std::vector<PlaceTree::Found>& found;  // sorted
  std::size_t count;
  std::uint64_t work = 0;
  bool any() const { return found.size() == count; }
  PlaceTree::Found worst() const {
    if (found.size() < count) return {std::numeric_limits<double>::infinity(), ~std::uint32_t{0}};
    return found.back();
  }
  void Offer(const PlaceTree::Found& next) {
    if (found.size() == count) found.pop_back();
    found.insert(std::ranges::upper_bound(found, next), next);
  }
};

}  // namespace

PlaceTree::PlaceTree(std::span<const Column> columns, std::span<const double> places,
                     std::uint64_t work)
    : columns_(columns),
      places_(places),
      items_(columns.empty() ? 0 : places.size() / columns.size()),
      leaf_of_(items_.size()),
      work_(std::max<std::uint64_t>(kLeastWork, work / std::max<std::size_t>(items_.size(), 1))) {
  std::iota(items_.begin(), items_.end(), 0);
  nodes_.reserve(items_.size() / 2 + 2);
  boxes_.reserve(nodes_.capacity() * 2 * columns.size());
  if (!items_.empty()) Build(0, static_cast<std::uint32_t>(items_.size()), kNone);
}

std::uint32_t PlaceTree::Build(std::uint32_t begin, std::uint32_t end, std::uint32_t parent) {
  const auto node = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back({.parent = parent, .begin = begin, .end = end});
  boxes_.resize(boxes_.size() + 2 * columns_.size());
  Enclose(node);
  std::size_t split = 0;
  double widest = -1;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const double* box = &boxes_[(node * columns_.size() + c) * 2];
    const double width = columns_[c].Distance(box[0], box[1]);
    if (width > widest) {
      widest = width;
      split = c;
    }
  }
  if (end - begin <= std::max(kLeafItems, columns_.size()) || widest <= 0) {
    for (std::uint32_t i = begin; i < end; ++i) leaf_of_[items_[i]] = node;
    return node;
  }
  const std::uint32_t middle = begin + (end - begin) / 2;
  std::nth_element(items_.begin() + begin, items_.begin() + middle, items_.begin() + end,
                   [&](std::uint32_t a, std::uint32_t b) {
                     const double left = PlaceOf(a)[split], right = PlaceOf(b)[split];
                     return left != right ? left < right : a < b;
                   });
  const std::uint32_t left = Build(begin, middle, node);
  const std::uint32_t right = Build(middle, end, node);
  nodes_[node].left = left;
  nodes_[node].right = right;
  return node;
}

void PlaceTree::Enclose(std::uint32_t number) {
  Node& node = nodes_[number];
  double* box = &boxes_[number * columns_.size() * 2];
  if (node.left == kNone) {
    node.least = kNone;
    for (std::uint32_t i = node.begin; i < node.end; ++i) {
      const std::span<const double> place = PlaceOf(items_[i]);
      for (std::size_t c = 0; c < columns_.size(); ++c) {
        box[2 * c] = i == node.begin ? place[c] : std::min(box[2 * c], place[c]);
        box[2 * c + 1] = i == node.begin ? place[c] : std::max(box[2 * c + 1], place[c]);
      }
      node.least = std::min(node.least, items_[i]);
    }
    return;
  }
  const double* left = &boxes_[node.left * columns_.size() * 2];
  const double* right = &boxes_[node.right * columns_.size() * 2];
  const std::uint32_t least_left = nodes_[node.left].least, least_right = nodes_[node.right].least;
  node.least = std::min(least_left, least_right);
  if (least_left == kNone) left = right;
  if (least_right == kNone) right = left;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    box[2 * c] = std::min(left[2 * c], right[2 * c]);
    box[2 * c + 1] = std::max(left[2 * c + 1], right[2 * c + 1]);
  }
}

void PlaceTree::Remove(std::uint32_t item) {
  std::uint32_t number = leaf_of_[item];
  Node& leaf = nodes_[number];
  const auto found = std::find(items_.begin() + leaf.begin, items_.begin() + leaf.end, item);
  std::swap(*found, items_[--leaf.end]);
  for (; number != kNone; number = nodes_[number].parent) Enclose(number);
}

double PlaceTree::Bound(std::uint32_t node, std::span<const double> place, double limit,
                        std::uint64_t& work) const {
  const double* box = &boxes_[node * columns_.size() * 2];
  double squares = 0;
  std::size_t c = 0;
  for (; c < columns_.size() && squares <= limit; ++c) {
    const double nearest = std::clamp(place[c], box[2 * c], box[2 * c + 1]);
    const double away = nearest == place[c] ? 0 : columns_[c].Distance(place[c], nearest);
    squares += away * away;
  }
  work += c;
  return squares;
}

double PlaceTree::Squares(std::uint32_t item, std::span<const double> place, double limit,
                          std::uint64_t& work) const {
  const std::span<const double> other = PlaceOf(item);
  double squares = 0;
  std::size_t c = 0;
  for (; c < columns_.size() && squares <= limit; ++c) {
    const double away = columns_[c].Distance(place[c], other[c]);
    squares += away * away;
  }
  work += c;
  return squares;
}

template <typename Best>
bool PlaceTree::Done(const Best& best) const {
  return best.work >= work_ && best.any();
}

// A bound is summed in the same order as a distance, so that rounding never puts it above one.
template <typename Best>
void PlaceTree::Search(std::uint32_t number, std::span<const double> place, Best& best) const {
  const Node& node = nodes_[number];
  if (node.left == kNone) {
    for (std::uint32_t i = node.begin; i < node.end; ++i) {
      const Found found{Squares(items_[i], place, best.worst().squares, best.work), items_[i]};
      if (found < best.worst()) best.Offer(found);
    }
    return;
  }
  struct Side {
    Found least;
    std::uint32_t node;
  };
  const auto side = [&](std::uint32_t child) {
    const std::uint32_t least = nodes_[child].least;
    const double bound = least == kNone ? std::numeric_limits<double>::infinity()
                                        : Bound(child, place, best.worst().squares, best.work);
    return Side{{bound, least}, child};
  };
  Side first = side(node.left), second = side(node.right);
  if (second.least < first.least) std::swap(first, second);
  for (const Side& next : {first, second}) {
    if (Done(best)) return;
    if (next.least.item != kNone && next.least < best.worst()) Search(next.node, place, best);
  }
}

std::optional<std::uint32_t> PlaceTree::Nearest(std::span<const double> place,
                                                std::uint32_t near) const {
  if (nodes_.empty() || nodes_.front().least == kNone) return std::nullopt;
  BestOne best;
  std::uint32_t number = leaf_of_[near];
  Search(number, place, best);
  while (nodes_[number].parent != kNone && !Done(best)) {
    const Node& parent = nodes_[nodes_[number].parent];
    const std::uint32_t other = parent.left == number ? parent.right : parent.left;
    const std::uint32_t least = nodes_[other].least;
    if (least != kNone &&
        Found{Bound(other, place, best.best.squares, best.work), least} < best.best) {
      Search(other, place, best);
    }
    number = nodes_[number].parent;
  }
  return best.best.item;
}

void PlaceTree::Nearest(std::span<const double> place, std::size_t count,
                        std::vector<Found>& found) const {
  found.clear();
  if (nodes_.empty() || nodes_.front().least == kNone || count == 0) return;
  BestFew best{found, count};
  Search(0, place, best);
}

}  // namespace reissue::models::similarity::internal
