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
  // Asked for again and again.
  if (const Pair* known = found.known[earlier].load(std::memory_order_acquire)) return *known;
  std::call_once(found.solved[earlier], [&] {
    found.pairs[earlier].emplace(Pair::Solve(series_, earlier, later, Compared(earlier, later)));
    found.known[earlier].store(&*found.pairs[earlier], std::memory_order_release);
  });
  return *found.pairs[earlier];
}

std::shared_ptr<const CellComparison> Formulas::Compared(std::size_t earlier,
                                                         std::size_t later) const {
  Found& found = *found_[series_.shape(later)];
  const std::lock_guard lock(found.comparing);
  auto& known = found.compared[series_.shape(earlier)];
  if (!known) {
    known = std::make_shared<const CellComparison>(CellComparison::Of(series_, earlier, later));
  }
  return known;
}

std::uint64_t Formulas::AfterBackward(std::size_t release, std::size_t group) const {
  return AfterBackward(release)[group];
}

const std::vector<std::uint64_t>& Formulas::AfterBackward(std::size_t release) const {
  Found& found = *found_[release];
  std::call_once(found.counted, [&] {
    const Release& own = series_.release(release);
    std::vector<std::uint64_t>& left = found.after_backward;
    for (std::size_t g = 0; g < own.groups(); ++g) left.push_back(own.rows_of_group(g));
    for (std::size_t earlier = 0; earlier < release; ++earlier) {
      const Pair& solved = pair(earlier, release);
      for (std::size_t g = 0; g < left.size(); ++g)
        left[g] = std::min(left[g], solved.Newcomers(g));
    }
  });
  return found.after_backward;
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
      : series_(formulas.series_),
        birth_(birth),
        limit_(limit),
        overlap_(series_),
        left_(series_.size() - birth) {
    for (std::size_t later = birth + 1; later < series_.size(); ++later) {
      pairs_.push_back(&formulas.pair(birth, later));
    }
    after_backward_ = formulas.AfterBackward(birth);
  }

  void Run() {
    const Release& own = series_.release(birth_);
    for (std::uint32_t cell = 0; cell < own.cells() && complete; ++cell) {
      own_cell_ = cell;
      left_[0].assign(after_backward_.begin() + static_cast<std::ptrdiff_t>(own.first_group(cell)),
                      after_backward_.begin() + static_cast<std::ptrdiff_t>(own.last_group(cell)));
      overlap_.Start(own.key(cell));
      std::uint64_t sum = 0;
      for (const std::uint64_t one : left_[0]) sum += one;
      Extend(birth_ + 1, sum);
    }
  }

  std::optional<std::uint64_t> least;
  std::uint64_t tuples = 0;
  bool complete = true;

 private:
  // More cells than these are searched, not tried one by one.
  static constexpr std::size_t kTried = 8;

  // `sum`: of what is left in the releases before.
  void Extend(std::size_t release, std::uint64_t sum) {
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
    const auto comparable = pairs_[release - birth_ - 1]->ComparableCells(own_cell_);
    if (comparable.size() <= kTried) {
      for (const std::uint32_t cell : comparable) {
        if (overlap_.Fits(series_.release(release).key(cell))) Step(release, cell);
      }
    } else {
      for (const std::uint32_t cell : series_.ComparableCells(release, overlap_)) {
        Step(release, cell);
      }
    }
  }

  void Step(std::size_t release, std::uint32_t cell) {
    if (!complete) return;
    overlap_.Push(series_.release(release).key(cell));
    Extend(release + 1, Narrow(release, cell));
    overlap_.Pop();
  }

  // What is left of each group of the own cell; the sum.
  std::uint64_t Narrow(std::size_t release, std::uint32_t cell) {
    const Release& own = series_.release(birth_);
    const Pair& pair = *pairs_[release - birth_ - 1];
    const std::vector<std::uint64_t>& left = left_[release - birth_ - 1];
    std::vector<std::uint64_t>& narrowed = left_[release - birth_];
    narrowed.assign(left.size(), 0);
    std::uint64_t sum = 0;
    ForEachCommonValue(own, own_cell_, series_.release(release), cell,
                       [&](std::uint32_t, std::size_t a, std::size_t b) {
                         const std::size_t i = a - own.first_group(own_cell_);
                         narrowed[i] = std::min(left[i], pair.Together(series_, a, b));
                         sum += narrowed[i];
                       });
    return sum;
  }

  const Series& series_;
  std::size_t birth_;
  std::uint64_t limit_;
  Overlap overlap_;                 // of the cells so far
  std::vector<const Pair*> pairs_;  // of the birth with each later release
  std::vector<std::uint64_t> after_backward_;
  std::vector<std::vector<std::uint64_t>> left_;  // per cell so far, by group of the own one
  std::uint32_t own_cell_ = 0;
};

std::optional<std::uint64_t> Formulas::LeastCross(std::size_t birth) const {
  const Release& own = series_.release(birth);
  const std::vector<std::uint64_t>& after_backward = AfterBackward(birth);
  std::optional<std::uint64_t> least;
  for (std::size_t later = birth + 1; later < series_.size(); ++later) {
    const Pair& pair = this->pair(birth, later);
    for (std::size_t cell = 0; cell < own.cells(); ++cell) {
      for (const std::uint32_t other : pair.ComparableCells(cell)) {
        std::uint64_t left = 0;
        ForEachCommonValue(own, cell, series_.release(later), other,
                           [&](std::uint32_t, std::size_t a, std::size_t b) {
                             left += std::min(after_backward[a], pair.Together(series_, a, b));
                           });
        Offer(least, left);
      }
    }
  }
  return least;
}

std::optional<std::uint64_t> Formulas::LeastBackward(std::size_t birth) const {
  const Release& own = series_.release(birth);
  const std::vector<std::uint64_t>& after_backward = AfterBackward(birth);
  std::optional<std::uint64_t> least;
  for (std::size_t cell = 0; cell < own.cells(); ++cell) {
    std::uint64_t left = 0;
    for (std::size_t group = own.first_group(cell); group < own.last_group(cell); ++group) {
      left += after_backward[group];
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
