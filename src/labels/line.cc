#include "reissue/labels/line.h"

#include <algorithm>
#include <cmath>

namespace reissue::labels {
namespace {

// Points and the gaps around them, in order: gap 0, point 0, gap 1, point 1, …, last gap.
class PointsAndGaps {
 public:
  explicit PointsAndGaps(std::span<const Piece> pieces) {
    for (const Piece& piece : pieces) {
      if (std::isfinite(piece.low)) points_.push_back(piece.low);
      if (std::isfinite(piece.high)) points_.push_back(piece.high);
    }
    std::sort(points_.begin(), points_.end());
    points_.erase(std::unique(points_.begin(), points_.end()), points_.end());
    whole_ = std::all_of(points_.begin(), points_.end(),
                         [](double point) { return point == std::floor(point); });
  }

  std::size_t parts() const { return 2 * points_.size() + 1; }
  bool whole() const { return whole_; }
  void AllNumbers() { whole_ = false; }
  // Some number is in it.
  bool Possible(std::size_t part) const {
    const std::size_t gap = part / 2;
    if (part % 2 == 1 || gap == 0 || gap == points_.size() || !whole_) return true;
    return points_[gap] - points_[gap - 1] >= 2;
  }
  // First and last part, both included.
  std::size_t First(const Piece& piece) const {
    if (!std::isfinite(piece.low)) return 0;
    return 2 * Index(piece.low) + (piece.with_low ? 1 : 2);
  }
  std::size_t Last(const Piece& piece) const {
    if (!std::isfinite(piece.high)) return parts() - 1;
    return 2 * Index(piece.high) + (piece.with_high ? 1 : 0);
  }

 private:
  std::size_t Index(double point) const {
    return static_cast<std::size_t>(std::lower_bound(points_.begin(), points_.end(), point) -
                                    points_.begin());
  }

  std::vector<double> points_;
  bool whole_ = false;
};

}  // namespace

Line CutLine(std::span<const Piece> pieces) {
  PointsAndGaps line(pieces);
  // Of parts before each: how many are possible.
  std::vector<std::uint32_t> possible_before(line.parts() + 1, 0);
  const auto count = [&] {
    for (std::size_t p = 0; p < line.parts(); ++p) {
      possible_before[p + 1] = possible_before[p] + (line.Possible(p) ? 1 : 0);
    }
  };
  count();
  for (const Piece& piece : pieces) {
    if (possible_before[line.Last(piece) + 1] > possible_before[line.First(piece)]) continue;
    line.AllNumbers();
    count();
    break;
  }
  std::vector<std::int64_t> change(line.parts() + 1, 0);
  std::vector<char> cut(line.parts() + 1, 0);  // before a part
  for (const Piece& piece : pieces) {
    ++change[line.First(piece)];
    --change[line.Last(piece) + 1];
    cut[line.First(piece)] = cut[line.Last(piece) + 1] = 1;
  }
  Line result;
  result.whole = line.whole();
  result.complete = true;
  // Atoms that begin before each part.
  std::vector<std::uint32_t> before(line.parts() + 1, 0);
  std::int64_t covering = 0;
  bool fresh = true;
  for (std::size_t p = 0; p < line.parts(); ++p) {
    covering += change[p];
    fresh = fresh || cut[p] != 0;
    before[p + 1] = before[p];
    if (!line.Possible(p)) continue;
    if (covering == 0) {
      result.complete = false;
      fresh = true;
      continue;
    }
    if (fresh) ++before[p + 1];
    fresh = false;
  }
  result.atoms = before.back();
  for (const Piece& piece : pieces) {
    result.of_piece.push_back({before[line.First(piece)], before[line.Last(piece) + 1]});
  }
  return result;
}

}  // namespace reissue::labels
