#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "reissue/models/similarity/publisher/cuts.h"
#include "reissue/models/similarity/publisher/improve.h"
#include "reissue/models/similarity/publisher/place_tree.h"

namespace reissue::models::similarity::internal {
namespace {

constexpr std::size_t kSmallCell = 48;  // rows up to which all cuts are compared
constexpr double kRoomForCuts = 0.7;    // of J: parts are less alike than the whole

// Groups around rows of rare values: a group in which one row may have the value has at least
// 1 / (share · (1 + beta)) rows. The rarest first; each takes near rows whose own values do not
// need a larger group.
class RareFirst {
 public:
  explicit RareFirst(Draft& draft)
      : draft_(draft),
        taken_(draft.table().value.size(), 0),
        tree_(draft.table().points.columns, draft.table().points.place) {}

  std::vector<std::uint32_t> Run() {
    const Table& table = draft_.table();
    std::vector<std::pair<std::size_t, std::uint32_t>> seeds;
    for (std::uint32_t row = 0; row < table.value.size(); ++row) {
      const std::size_t rows = draft_.LeastRows(table.value[row]);
      if (rows > draft_.guarantee().k) seeds.push_back({rows, row});
    }
    std::ranges::sort(seeds, [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    for (const auto& [rows, seed] : seeds) {
      if (!taken_[seed]) Gather(seed, rows);
    }
    std::vector<std::uint32_t> left;
    for (std::uint32_t row = 0; row < taken_.size(); ++row) {
      if (!taken_[row]) left.push_back(row);
    }
    return left;
  }

 private:
  void Gather(std::uint32_t seed, std::size_t rows) {
    const Table& table = draft_.table();
    Bunch bunch = draft_.Empty();
    draft_.Add(bunch, seed);
    std::vector<PlaceTree::Found> near;
    tree_.Nearest(table.points.of(seed), 2 * rows + 8, near);
    for (const PlaceTree::Found& next : near) {
      if (next.item == seed || !draft_.Bears(bunch, table.value[next.item], rows)) continue;
      Bunch& trial = trial_ = bunch;
      draft_.Add(trial, next.item);
      if (!draft_.KeepsSimilarity(trial)) continue;
      std::swap(bunch, trial);
      if (bunch.rows.size() >= rows && draft_.Keeps(bunch)) break;
    }
    if (!draft_.Keeps(bunch)) return;
    for (const std::uint32_t row : bunch.rows) {
      taken_[row] = 1;
      tree_.Remove(row);
    }
    draft_.groups.push_back(std::move(bunch));
  }

  Draft& draft_;
  std::vector<char> taken_;
  PlaceTree tree_;
  Bunch trial_;
};

class TopDown {
 public:
  explicit TopDown(Draft& draft) : draft_(draft), cutter_(draft) {}

  // By beliefs until they are alike, then by places.
  void DivideByBeliefs(std::span<std::uint32_t> rows) {
    const Bunch bunch = Gathered(rows);
    const std::size_t middle = draft_.Alike(bunch, kRoomForCuts) ? 0 : HalveByBelief(rows, bunch);
    if (middle == 0) return Divide(rows);
    DivideByBeliefs(rows.first(middle));
    DivideByBeliefs(rows.subspan(middle));
  }

  void Divide(std::span<std::uint32_t> rows) {
    if (rows.size() > kSmallCell) {
      if (const std::size_t middle = Halve(rows); middle > 0) {
        Divide(rows.first(middle));
        Divide(rows.subspan(middle));
        return;
      }
    }
    Split(Gathered(rows));
  }

 private:
  Bunch Gathered(std::span<const std::uint32_t> rows) const {
    Bunch bunch = draft_.Empty();
    for (const std::uint32_t row : rows) draft_.Add(bunch, row);
    return bunch;
  }

  // At the mean belief in the value about which beliefs differ most; 0 where a part is too small.
  std::size_t HalveByBelief(std::span<std::uint32_t> rows, const Bunch& bunch) const {
    const Table& table = draft_.table();
    const auto belief = [&](std::uint32_t row, std::size_t s) {
      return table.beliefs[table.belief[row]][s];
    };
    double most = 0, cut = 0;
    std::size_t differ = 0;
    for (std::size_t s = 0; s < table.values; ++s) {
      const double mean = bunch.belief[s] / static_cast<double>(rows.size());
      double spread = 0;
      for (const std::uint32_t row : rows) {
        const double away = belief(row, s) - mean;
        spread += away * away;
      }
      if (spread > most) {
        most = spread;
        differ = s;
        cut = mean;
      }
    }
    const auto above =
        std::ranges::partition(rows, [&](std::uint32_t row) { return belief(row, differ) < cut; });
    const auto middle = static_cast<std::size_t>(above.begin() - rows.begin());
    const std::size_t k = draft_.guarantee().k;
    return middle < k || rows.size() - middle < k ? 0 : middle;
  }

  void Split(Bunch bunch) {
    const bool keeps = draft_.Keeps(bunch);
    const double limit = keeps ? draft_.Cost(bunch) : static_cast<double>(bunch.rows.size() + 1);
    if (auto parts = cutter_.Best(bunch.rows, limit, !keeps)) {
      Split(std::move(parts->first));
      Split(std::move(parts->second));
    } else if (keeps) {
      draft_.groups.push_back(std::move(bunch));
    } else {
      draft_.out.insert(draft_.out.end(), bunch.rows.begin(), bunch.rows.end());
    }
  }

  // Rows are put in order around the cheapest of the columns' middle cuts; 0 where there is none.
  std::size_t Halve(std::span<std::uint32_t> rows) {
    const Points& points = draft_.table().points;
    const std::size_t k = draft_.guarantee().k, half = rows.size() / 2;
    double least = std::numeric_limits<double>::infinity();
    std::size_t best = 0, best_middle = 0;
    for (std::size_t c = 0; c < points.columns.size(); ++c) {
      const std::size_t middle = Arrange(rows, c);
      if (middle < k || rows.size() - middle < k) continue;
      Box left, right;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        (i < middle ? left : right).Add(points.of(rows[i]));
      }
      const double cost = static_cast<double>(middle) * left.Penalty(points.columns) +
                          static_cast<double>(rows.size() - middle) * right.Penalty(points.columns);
      if (cost < least) {
        least = cost;
        best = c;
        best_middle = middle;
      }
    }
    if (best_middle == 0 || half == 0) return 0;
    return Arrange(rows, best);
  }

  // Near the half, where a taxonomy has its widest join, or places differ.
  std::size_t Arrange(std::span<std::uint32_t> rows, std::size_t c) {
    const Points& points = draft_.table().points;
    const auto at = [&](std::uint32_t row) { return points.of(row)[c]; };
    const std::size_t half = rows.size() / 2;
    std::ranges::nth_element(
        rows, rows.begin() + static_cast<std::ptrdiff_t>(half),
        [&](std::uint32_t a, std::uint32_t b) { return at(a) != at(b) ? at(a) < at(b) : a < b; });
    double cut = at(rows[half]);
    if (points.columns[c].tree()) cut = WidestJoin(rows, c, cut);
    const auto below =
        std::ranges::partition(rows, [&](std::uint32_t row) { return at(row) < cut; });
    const auto middle = static_cast<std::size_t>(below.begin() - rows.begin());
    return middle == 0
               ? static_cast<std::size_t>(
                     std::ranges::partition(rows, [&](std::uint32_t row) { return at(row) <= cut; })
                         .begin() -
                     rows.begin())
               : middle;
  }

  // The leaf after the widest join between leaves of the rows; of equally wide ones the nearest to
  // the half.
  double WidestJoin(std::span<std::uint32_t> rows, std::size_t c, double half) {
    const Points& points = draft_.table().points;
    double low = half, high = half, cut = half, widest = 0;
    for (const std::uint32_t row : rows) {
      low = std::min(low, points.of(row)[c]);
      high = std::max(high, points.of(row)[c]);
    }
    for (double leaf = low + 1; leaf <= high; ++leaf) {
      const double join = points.columns[c].Penalty(leaf - 1, leaf);
      if (join > widest || (join == widest && std::abs(leaf - half) < std::abs(cut - half))) {
        widest = join;
        cut = leaf;
      }
    }
    return cut;
  }

  Draft& draft_;
  Cutter cutter_;
};

}  // namespace

void Partition(Draft& draft, bool by_beliefs) {
  const Table& table = draft.table();
  std::vector<std::uint32_t> rows(table.value.size());
  std::iota(rows.begin(), rows.end(), 0);
  if (draft.guarantee().beta > 0) rows = RareFirst(draft).Run();
  TopDown top_down(draft);
  if (by_beliefs) {
    top_down.DivideByBeliefs(rows);
  } else {
    top_down.Divide(rows);
  }
  std::ranges::sort(draft.out);
}

}  // namespace reissue::models::similarity::internal
