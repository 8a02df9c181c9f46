#include "reissue/models/bcf/adversary/formulas.h"

#include <algorithm>

#include "reissue/models/bcf/release/overlap.h"

namespace reissue::models::bcf {
namespace {

void Offer(std::optional<std::uint64_t>& least, std::uint64_t left) {
  if (left > 0 && (!least || left < *least)) least = left;
}

}  // namespace

Formulas::Formulas(const Series& series) : series_(series) {
  for (std::size_t i = 0; i < series.size(); ++i) found_.push_back(std::make_shared<Found>(i));
}

Formulas::Formulas(const Series& series, const Formulas& earlier)
    : series_(series), found_(earlier.found_) {
  REISSUE_CHECK(earlier.series_.size() + 1 == series.size());
  found_.push_back(std::make_shared<Found>(series.size() - 1));
}

const Pair& Formulas::pair(std::size_t earlier, std::size_t later) const {
  Found& found = *found_[later];
  std::call_once(found.solved[earlier],
                 [&] { found.pairs[earlier].emplace(Pair::Solve(series_, earlier, later)); });
  return *found.pairs[earlier];
}

std::uint64_t Formulas::AfterBackward(std::size_t release, std::size_t group) const {
  Found& found = *found_[release];
  std::call_once(found.counted, [&] {
    const Release& own = series_.release(release);
    for (std::size_t g = 0; g < own.groups(); ++g) {
      std::uint64_t left = own.rows_of_group(g);
      for (std::size_t earlier = 0; earlier < release; ++earlier) {
        left = std::min(left, pair(earlier, release).Newcomers(g));
      }
      found.after_backward.push_back(left);
    }
  });
  return found.after_backward[group];
}

bool Formulas::consistent() const {
  for (std::size_t later = 1; later < series_.size(); ++later) {
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      if (!pair(earlier, later).contradictions().empty()) return false;
    }
  }
  return true;
}

std::uint64_t Formulas::Left(std::size_t birth, std::span<const std::uint32_t> cells) const {
  const Release& own = series_.release(birth);
  std::uint64_t sum = 0;
  for (std::size_t group = own.first_group(cells[0]); group < own.last_group(cells[0]); ++group) {
    std::uint64_t left = AfterBackward(birth, group);
    for (std::size_t i = 1; i < cells.size() && left > 0; ++i) {
      const auto match = series_.release(birth + i).FindGroup(cells[i], own.value(group));
      left = match ? std::min(left, pair(birth, birth + i).Together(series_, group, *match)) : 0;
    }
    sum += left;
  }
  return sum;
}

// All tuples of one birth, cell by cell and release by release.
class Formulas::Walk {
 public:
  Walk(const Formulas& formulas, std::size_t birth, std::uint64_t limit)
      : formulas_(formulas),
        series_(formulas.series_),
        birth_(birth),
        limit_(limit),
        overlap_(series_) {}

  void Run() {
    const Release& own = series_.release(birth_);
    for (std::uint32_t cell = 0; cell < own.cells() && complete; ++cell) {
      own_cell_ = cell;
      std::vector<std::uint64_t> left;
      for (std::size_t group = own.first_group(cell); group < own.last_group(cell); ++group) {
        left.push_back(formulas_.AfterBackward(birth_, group));
      }
      overlap_.Start(own.key(cell));
      Extend(birth_ + 1, left);
    }
  }

  std::optional<std::uint64_t> least;
  std::uint64_t tuples = 0;
  bool complete = true;

 private:
  void Extend(std::size_t release, const std::vector<std::uint64_t>& left) {
    std::uint64_t sum = 0;
    for (const std::uint64_t one : left) sum += one;
    if (sum == 0) return;
    if (release == series_.size()) {
      if (tuples == limit_) {
        complete = false;
        return;
      }
      ++tuples;
      Offer(least, sum);
      return;
    }
    for (const std::uint32_t cell : series_.ComparableCells(release, overlap_)) {
      if (!complete) return;
      overlap_.Push(series_.release(release).key(cell));
      Extend(release + 1, Narrow(left, release, cell));
      overlap_.Pop();
    }
  }

  std::vector<std::uint64_t> Narrow(const std::vector<std::uint64_t>& left, std::size_t release,
                                    std::uint32_t cell) const {
    const Release& own = series_.release(birth_);
    const Pair& pair = formulas_.pair(birth_, release);
    std::vector<std::uint64_t> narrowed(left.size(), 0);
    ForEachCommonValue(own, own_cell_, series_.release(release), cell,
                       [&](std::uint32_t, std::size_t a, std::size_t b) {
                         const std::size_t i = a - own.first_group(own_cell_);
                         narrowed[i] = std::min(left[i], pair.Together(series_, a, b));
                       });
    return narrowed;
  }

  const Formulas& formulas_;
  const Series& series_;
  std::size_t birth_;
  std::uint64_t limit_;
  Overlap overlap_;  // of the cells so far
  std::uint32_t own_cell_ = 0;
};

std::optional<std::uint64_t> Formulas::LeastCross(std::size_t birth) const {
  const Release& own = series_.release(birth);
  std::optional<std::uint64_t> least;
  for (std::size_t later = birth + 1; later < series_.size(); ++later) {
    const Pair& pair = this->pair(birth, later);
    for (std::size_t cell = 0; cell < own.cells(); ++cell) {
      for (const std::uint32_t other : pair.ComparableCells(cell)) {
        std::uint64_t left = 0;
        ForEachCommonValue(own, cell, series_.release(later), other,
                           [&](std::uint32_t, std::size_t a, std::size_t b) {
                             left +=
                                 std::min(AfterBackward(birth, a), pair.Together(series_, a, b));
                           });
        Offer(least, left);
      }
    }
  }
  return least;
}

std::optional<std::uint64_t> Formulas::LeastBackward(std::size_t birth) const {
  const Release& own = series_.release(birth);
  std::optional<std::uint64_t> least;
  for (std::size_t cell = 0; cell < own.cells(); ++cell) {
    std::uint64_t left = 0;
    for (std::size_t group = own.first_group(cell); group < own.last_group(cell); ++group) {
      left += AfterBackward(birth, group);
    }
    Offer(least, left);
  }
  return least;
}

SeriesBound Formulas::Bound(std::uint64_t limit) const {
  SeriesBound bound;
  for (std::size_t birth = 0; birth < series_.size(); ++birth) {
    BirthBound found;
    if (birth > 0) found.backward = LeastBackward(birth);
    if (birth + 1 < series_.size()) {
      Walk walk(*this, birth, limit - std::min(limit, bound.tuples));
      walk.Run();
      bound.tuples += walk.tuples;
      bound.complete = bound.complete && walk.complete;
      found.forward = walk.least;
      found.cross = LeastCross(birth);
    }
    for (const auto& one : {found.forward, found.cross, found.backward}) {
      if (one) Offer(bound.anonymity, *one);
    }
    bound.births.push_back(found);
  }
  return bound;
}

}  // namespace reissue::models::bcf
