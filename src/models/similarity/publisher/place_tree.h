#pragma once
// Nearest places: a k-d tree over columns of numbers and taxonomies, from which places can be
// removed. Boxes shrink with what is removed, so that a search for the nearest of a few places left
// is as quick as among many. With dozens of columns boxes exclude next to nothing, and a search
// would look at all places: it ends after its share of the work, with what is nearest so far.
// Belongs to one thread while places are removed; searches may go on at the same time as one
// another.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "reissue/models/similarity/release/points.h"

namespace reissue::models::similarity::internal {

class PlaceTree {
 public:
  // `places`: column by column of each item in turn; must outlive the tree, as must the columns.
  // `work`: columns of places and boxes that as many searches as there are items look at in all,
  // but each may look at kLeastWork. O(items log items).
  static constexpr std::uint64_t kWork = 2'000'000'000, kLeastWork = 4096;
  PlaceTree(std::span<const Column> columns, std::span<const double> places,
            std::uint64_t work = kWork);

  // O(columns · log items). An item is removed once.
  void Remove(std::uint32_t item);

  // The item left that is nearest to a place, the smaller number among equally near ones; nothing
  // where none is left. Squared Euclid over Column::Distance. `near`: an item (removed or not) to
  // begin with. Where the work ends first, the nearest so far; so it is with the next one.
  std::optional<std::uint32_t> Nearest(std::span<const double> place, std::uint32_t near) const;

  // Up to `count` items left, the nearest first, then by number.
  struct Found {
    double squares = 0;
    std::uint32_t item = 0;
    auto operator<=>(const Found&) const = default;
  };
  void Nearest(std::span<const double> place, std::size_t count, std::vector<Found>& found) const;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Node {
    std::uint32_t parent = kNone, left = kNone, right = kNone;  // no children: a leaf
    std::uint32_t begin = 0, end = 0;                           // in items_, of a leaf: those left
    std::uint32_t least = kNone;                                // smallest item left; none: empty
  };

  std::uint32_t Build(std::uint32_t begin, std::uint32_t end, std::uint32_t parent);
  void Enclose(std::uint32_t node);  // box and `least` from the children or items left
  // Add to `work` what they look at.
  double Bound(std::uint32_t node, std::span<const double> place, double limit,
               std::uint64_t& work) const;
  double Squares(std::uint32_t item, std::span<const double> place, double limit,
                 std::uint64_t& work) const;
  std::span<const double> PlaceOf(std::uint32_t item) const {
    return places_.subspan(item * columns_.size(), columns_.size());
  }
  template <typename Best>
  bool Done(const Best& best) const;
  template <typename Best>
  void Search(std::uint32_t node, std::span<const double> place, Best& best) const;

  std::span<const Column> columns_;
  std::span<const double> places_;
  std::vector<std::uint32_t> items_;    // leaf by leaf
  std::vector<std::uint32_t> leaf_of_;  // per item
  std::vector<Node> nodes_;
  std::vector<double> boxes_;  // per node and column: low, high
  std::uint64_t work_;         // of one search
};

}  // namespace reissue::models::similarity::internal
