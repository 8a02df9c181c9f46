#include "reissue/models/k/publisher/grow.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reissue/models/k/publisher/land.h"
#include "reissue/models/k/publisher/survival.h"

namespace reissue::models::k::internal {
namespace {

using taxonomy::SpaceTree;

constexpr std::size_t kTried = 8;        // splits that are tried by look-ahead
constexpr double kBitsOfNothing = 0.02;  // a split that tells next to nothing is not free
constexpr std::size_t kPieces = 64;      // subtrees that are grown side by side
constexpr double kShareOfLoss = 1e-3;    // of detail in scores that do not see it

using Spots = std::vector<Spot>;  // a place per column

constexpr std::int32_t kLeaf = -1, kLeftOut = -2;

struct Sprout {
  std::int32_t column = kLeaf;
  std::uint32_t first_child = 0;
};
using Sprouts = std::vector<Sprout>;

struct Pending {
  std::uint32_t sprout = 0;  // or box of the tree
  Range range;
  Spots spots;  // of the box
  Spots ahead;  // the lowest that all its rows have in common
  std::uint64_t work = 0;
};

// Grows one subtree after the other; belongs to one thread.
class Grower {
 public:
  Grower(Land& land, const GrowOptions& options)
      : land_(land),
        problem_(land.problem()),
        penalty_(options.penalty),
        least_rows_(std::max<std::uint64_t>(land.problem().k(), 1)),
        growth_(options.prospect.growth),
        survival_(problem_, options.prospect),
        sensitive_(problem_.guarantee().NeedsSensitive()),
        rows_of_child_(problem_.columns()),
        rows_of_code_(sensitive_ ? problem_.overall().size() : 0) {}

  // Grows one box, and no further: adds its children to `sprouts` and what is to be grown below it
  // to `pending`.
  void Step(Pending at, Sprouts& sprouts, std::vector<Pending>& pending) {
    const std::vector<Candidate> candidates = Look(at.range, at.ahead);
    if (candidates.empty()) {
      for (std::uint32_t column = 0; column < problem_.columns(); ++column) {
        GoAhead(at, column, sprouts);
      }
      return;
    }
    const std::uint32_t column = Choose(at, candidates);
    GoAhead(at, column, sprouts);
    const Spot place = at.spots[column];
    const std::uint32_t first = AddChildren(at.sprout, place, column, sprouts);
    const std::vector<Range> children = Split(at.range, place, column);
    for (std::size_t c = 0; c < children.size(); ++c) {
      if (children[c].size() == 0) continue;
      const auto sprout = first + static_cast<std::uint32_t>(c);
      if (!Keeps(children[c])) {
        sprouts[sprout].column = kLeftOut;
        continue;
      }
      Pending next{sprout, children[c], at.spots, at.ahead, 0};
      next.spots[column] = next.ahead[column] = problem_.children(place)[c];
      next.work = at.work / at.range.size() * children[c].size();
      pending.push_back(std::move(next));
    }
  }

  // The whole subtree.
  void Grow(Pending from, Sprouts& sprouts) {
    std::vector<Pending> pending;
    pending.push_back(std::move(from));
    while (!pending.empty()) {
      Pending next = std::move(pending.back());
      pending.pop_back();
      Step(std::move(next), sprouts, pending);
    }
  }

 private:
  struct Candidate {
    std::uint32_t column = 0;
    double rank = 0;
  };

  std::uint32_t AddChildren(std::uint32_t sprout, Spot place, std::uint32_t column,
                            Sprouts& sprouts) const {
    const auto first = static_cast<std::uint32_t>(sprouts.size());
    sprouts[sprout] = {static_cast<std::int32_t>(column), first};
    sprouts.resize(sprouts.size() + problem_.fan_out(place));
    return first;
  }

  // Splits in which one child has all rows. They cost nothing, and come as late as possible: should
  // somebody come later who is in another child, little depends on them.
  void GoAhead(Pending& at, std::uint32_t column, Sprouts& sprouts) const {
    while (at.spots[column] != at.ahead[column]) {
      const Spot place = at.spots[column];
      const std::size_t child = land_.ChildOf(place, column, at.range.begin);
      at.sprout =
          AddChildren(at.sprout, place, column, sprouts) + static_cast<std::uint32_t>(child);
      at.spots[column] = problem_.children(place)[child];
    }
  }

  // Of the splits of a box, those that keep the promise, the best first. Goes ahead where all rows
  // have the same child.
  std::vector<Candidate> Look(const Range& range, Spots& spots) {
    CountAll(range, spots);
    std::vector<Candidate> candidates;
    for (std::uint32_t column = 0; column < problem_.columns(); ++column) {
      while (!problem_.is_leaf(spots[column]) && InOneChild(column)) {
        const std::size_t child = land_.ChildOf(spots[column], column, range.begin);
        spots[column] = problem_.children(spots[column])[child];
        Count(range, spots[column], column);
      }
      if (problem_.is_leaf(spots[column])) continue;
      if (const auto rank = Rank(range, spots[column], column)) {
        candidates.push_back({column, *rank});
      }
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.rank > b.rank; });
    return candidates;
  }

  // Rows per child, of all columns at once.
  void CountAll(const Range& range, const Spots& spots) {
    lanes_.clear();
    for (std::uint32_t column = 0; column < problem_.columns(); ++column) {
      if (!problem_.is_leaf(spots[column])) lanes_.push_back(LaneOf(spots[column], column));
    }
    land_.Count(range, lanes_);
    work_ += lanes_.size() * range.size();
  }

  void Count(const Range& range, Spot place, std::uint32_t column) {
    if (problem_.is_leaf(place)) return;
    const Land::Lane lane = LaneOf(place, column);
    land_.Count(range, {&lane, 1});
    work_ += range.size();
  }

  Land::Lane LaneOf(Spot place, std::uint32_t column) {
    rows_of_child_[column].assign(problem_.fan_out(place), 0);
    return {column, problem_.child_of_leaf(place), rows_of_child_[column].data()};
  }

  bool InOneChild(std::uint32_t column) const {
    return std::ranges::count_if(rows_of_child_[column], [](auto rows) { return rows > 0; }) == 1;
  }

  // After Count. Nothing where the split breaks the promise, or is no gain.
  std::optional<double> Rank(const Range& range, Spot place, std::uint32_t column) {
    const std::vector<std::uint64_t>& rows_of_child = rows_of_child_[column];
    const bool some_fail = std::ranges::any_of(
        rows_of_child, [&](std::uint64_t rows) { return rows > 0 && rows < least_rows_; });
    if (some_fail && !penalty_) return std::nullopt;
    double gain = 0, bits = 0;
    const double survival = survival_.OfSplit(place, rows_of_child);
    if (!sensitive_ && problem_.score() != Score::kClass) {
      for (std::size_t c = 0; c < rows_of_child.size(); ++c) {
        Weigh(range, place, c, rows_of_child[c], rows_of_child[c] >= least_rows_, 0, gain, bits);
      }
    } else {
      const std::vector<Range> children = Split(range, place, column);
      if (problem_.score() == Score::kClass) gain += Entropy(range);
      for (std::size_t c = 0; c < children.size(); ++c) {
        if (rows_of_child[c] == 0) continue;
        const bool keeps = Keeps(children[c]);
        if (!keeps && !penalty_) return std::nullopt;
        const double entropy =
            keeps && problem_.score() == Score::kClass ? Entropy(children[c]) : 0;
        Weigh(range, place, c, rows_of_child[c], keeps, entropy, gain, bits);
      }
    }
    if (gain <= 0) return std::nullopt;
    return gain * (1 - kShareOfLater + kShareOfLater * survival) /
           (bits / static_cast<double>(range.rows) + kBitsOfNothing);
  }

  // Adds what a child brings.
  void Weigh(const Range& range, Spot place, std::size_t child, std::uint64_t child_rows,
             bool keeps, double entropy, double& gain, double& bits) const {
    if (child_rows == 0) return;
    const auto rows = static_cast<double>(child_rows), all = static_cast<double>(range.rows);
    const double detail = problem_.hidden(place) - problem_.hidden(problem_.children(place)[child]);
    if (!keeps) {
      gain -= rows * (LeftOut() + *penalty_);  // its detail is a part of that
      return;
    }
    bits += rows * std::log2(all / rows);
    switch (problem_.score()) {
      case Score::kDiscernibility:
        gain += rows * (all - rows) + kShareOfLoss * rows * detail;
        break;
      case Score::kClass:
        gain += kShareOfLoss * rows * detail - entropy;
        break;
      default:
        gain += rows * detail;
    }
  }

  // What a row costs that is left out, at most.
  double LeftOut() const {
    switch (problem_.score()) {
      case Score::kDiscernibility:
        return static_cast<double>(problem_.rows());
      case Score::kClass:
        return std::log2(static_cast<double>(land_.class_values()) + 1);
      default:
        return land_.all_hidden();
    }
  }

  bool Keeps(const Range& range) {
    if (range.rows < least_rows_) return false;
    if (!sensitive_) return true;
    Histogram(range, rows_of_code_, [&](std::uint32_t tuple) { return problem_.sensitive(tuple); });
    return problem_.checker().KeepsSensitive(bins_, range.rows);
  }

  // Rows times bits of the class.
  double Entropy(const Range& range) {
    if (rows_of_class_.empty()) rows_of_class_.resize(land_.class_values());
    Histogram(range, rows_of_class_, [&](std::uint32_t tuple) { return problem_.classes(tuple); });
    double sum = 0;
    for (const Bin& bin : bins_) {
      const auto rows = static_cast<double>(bin.rows);
      sum += rows * std::log2(static_cast<double>(range.rows) / rows);
    }
    return sum;
  }

  // Into bins_, by code.
  template <typename BinsOf>
  void Histogram(const Range& range, std::vector<std::uint64_t>& rows_of_code, BinsOf&& bins_of) {
    codes_.clear();
    for (std::uint32_t i = range.begin; i < range.end; ++i) {
      for (const Bin& bin : bins_of(land_.tuple(i))) {
        if (rows_of_code[bin.code] == 0) codes_.push_back(bin.code);
        rows_of_code[bin.code] += bin.rows;
      }
    }
    work_ += range.size();
    std::sort(codes_.begin(), codes_.end());
    bins_.clear();
    for (const std::uint32_t code : codes_) {
      bins_.push_back({code, rows_of_code[code]});
      rows_of_code[code] = 0;
    }
  }

  std::vector<Range> Split(const Range& range, Spot place, std::uint32_t column) {
    work_ += range.size();
    return land_.Split(range, place, column);
  }

  // By look-ahead, as far as the work goes.
  std::uint32_t Choose(Pending& at, const std::vector<Candidate>& candidates) {
    std::uint32_t best = candidates[0].column;
    // To look at one alone, or not to the end, tells nothing.
    const std::uint64_t once = at.range.size() * problem_.columns();
    if (candidates.size() == 1 || at.work / 2 < 2 * once) return best;
    const std::uint64_t before = work_;
    double least = std::numeric_limits<double>::infinity();
    std::uint64_t dearest = 0;
    for (std::size_t i = 0; i < std::min(kTried, candidates.size()); ++i) {
      // At most half of what there is goes into one choice; the rest is for those below.
      if (work_ - before + dearest > at.work / 2) break;
      const std::uint64_t from = work_;
      const double cost = Below(at.range, at.spots, at.ahead, candidates[i].column).Both();
      dearest = std::max(dearest, work_ - from);
      if (cost >= least) continue;
      least = cost;
      best = candidates[i].column;
    }
    at.work -= std::min(at.work, work_ - before);
    return best;
  }

  // Of the splits between the box and the split.
  double SurvivalOfAhead(const Range& range, const Spots& spots, const Spots& ahead,
                         std::uint32_t column) const {
    double all = 1;
    for (Spot place = ahead[column]; place != spots[column]; place = problem_.parent(place)) {
      all *= survival_.OfOnly(place, range.rows);
    }
    return all;
  }

  // The cost of what grows greedily after a split, which is not kept.
  Costs Below(const Range& range, Spots spots, Spots ahead, std::uint32_t column) {
    const Spot place = ahead[column];
    const double whole = growth_ > 0 ? Cost(range, spots) : 0;
    const std::vector<Range> children = Split(range, place, column);
    Costs costs;
    double survival = SurvivalOfAhead(range, spots, ahead, column);
    split_rows_.clear();
    for (const Range& child : children) split_rows_.push_back(child.rows);
    survival *= survival_.OfSplit(place, split_rows_);
    for (std::size_t c = 0; c < children.size(); ++c) {
      if (children[c].size() == 0) continue;
      if (!Keeps(children[c])) {
        costs.now += static_cast<double>(children[c].rows) * (LeftOut() + penalty_.value_or(0));
        continue;
      }
      spots[column] = ahead[column] = problem_.children(place)[c];
      const Costs child = Greedy(children[c], spots, ahead);
      costs.now += child.now;
      costs.later += child.later;
    }
    if (growth_ == 0) return {costs.now, costs.now};
    costs.later = survival * costs.later + (1 - survival) * whole;
    return costs;
  }

  Costs Greedy(const Range& range, const Spots& spots, Spots ahead) {
    const std::vector<Candidate> candidates = Look(range, ahead);
    if (!candidates.empty()) {
      return Below(range, spots, std::move(ahead), candidates[0].column);
    }
    return {Cost(range, ahead), growth_ > 0 ? Cost(range, spots) : 0};
  }

  double Cost(const Range& range, const Spots& spots) {
    const auto rows = static_cast<double>(range.rows);
    double detail = 0;
    for (const Spot spot : spots) detail += rows * problem_.hidden(spot);
    switch (problem_.score()) {
      case Score::kDiscernibility:
        return rows * rows + kShareOfLoss * detail;
      case Score::kClass:
        return Entropy(range) + kShareOfLoss * detail;
      default:
        return detail;
    }
  }

  Land& land_;
  const Problem& problem_;
  std::optional<double> penalty_;
  std::uint64_t least_rows_;
  double growth_;
  Survival survival_;
  bool sensitive_;
  std::uint64_t work_ = 0;

  // Scratch.
  std::vector<std::vector<std::uint64_t>> rows_of_child_;  // per column
  std::vector<Land::Lane> lanes_;
  std::vector<std::uint64_t> split_rows_, rows_of_code_, rows_of_class_;
  std::vector<std::uint32_t> codes_;
  std::vector<Bin> bins_;
};

// The leaves of a tree that have rows.
std::vector<Pending> LeavesOf(const SpaceTree& tree, const GrowOptions& options, Land& land) {
  const Problem& problem = land.problem();
  std::vector<Pending> leaves;
  std::vector<std::pair<SpaceTree::Box, Range>> stack = {{0, land.all()}};
  while (!stack.empty()) {
    const auto [box, range] = stack.back();
    stack.pop_back();
    if (range.size() == 0) continue;
    const auto spot = [&](std::size_t j) { return problem.root(j) + tree.nodes(box)[j].raw(); };
    if (!tree.is_leaf(box)) {
      const std::vector<Range> children =
          land.Split(range, spot(tree.column(box)), tree.column(box));
      for (std::uint32_t c = 0; c < children.size(); ++c) {
        stack.emplace_back(tree.first_child(box) + c, children[c]);
      }
      continue;
    }
    Pending leaf{box, range, {}, {}, options.work / problem.tuples() * range.size()};
    for (std::size_t j = 0; j < tree.columns(); ++j) leaf.spots.push_back(spot(j));
    leaf.ahead = leaf.spots;
    leaves.push_back(std::move(leaf));
  }
  return leaves;
}

// Adds to the tree what has grown below a box; returns the box of every sprout.
std::vector<SpaceTree::Box> Attach(SpaceTree::Box box, const Sprouts& sprouts, Grown& grown) {
  std::vector<SpaceTree::Box> boxes(sprouts.size());
  boxes[0] = box;
  // Children come after their parents.
  for (std::uint32_t i = 0; i < sprouts.size(); ++i) {
    if (sprouts[i].column == kLeftOut) grown.left_out.push_back(boxes[i]);
    if (sprouts[i].column < 0) continue;
    grown.tree.Split(boxes[i], static_cast<std::size_t>(sprouts[i].column));
    for (std::uint32_t c = 0; c < grown.tree.fan_out(boxes[i]); ++c) {
      boxes[sprouts[i].first_child + c] = grown.tree.first_child(boxes[i]) + c;
    }
  }
  return boxes;
}

}  // namespace

Grown Grow(Land& land, SpaceTree from, const GrowOptions& options, ThreadPool& pool) {
  std::vector<Pending> pending = LeavesOf(from, options, land);
  Grown grown{std::move(from), {}};
  // Step by step, until there are enough for all threads.
  while (!pending.empty()) {
    const bool whole = pending.size() >= kPieces;
    std::vector<Sprouts> pieces(pending.size(), Sprouts(1));
    std::vector<std::vector<Pending>> below(pending.size());
    pool.Run(pending.size(), [&](std::size_t i) {
      Pending next = pending[i];
      next.sprout = 0;
      Grower grower(land, options);
      whole ? grower.Grow(std::move(next), pieces[i])
            : grower.Step(std::move(next), pieces[i], below[i]);
    });
    std::vector<Pending> rest;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      // Numbers of sprouts become numbers of boxes.
      const std::vector<SpaceTree::Box> boxes = Attach(pending[i].sprout, pieces[i], grown);
      for (Pending& each : below[i]) {
        each.sprout = boxes[each.sprout];
        rest.push_back(std::move(each));
      }
    }
    pending = std::move(rest);
  }
  return grown;
}

}  // namespace reissue::models::k::internal
