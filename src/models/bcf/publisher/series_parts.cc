// What SeriesCondition asks about parts of a candidate.

#include <algorithm>

#include "reissue/models/bcf/publisher/series_condition.h"

namespace reissue::models::bcf::internal {

using k::internal::Recoding;

std::vector<Spot> SeriesCondition::Broken(const Recoding& recoding) const {
  const std::lock_guard lock(mutex_);
  return parts_ ? parts_->Broken(recoding) : std::vector<Spot>();
}

Judgement SeriesCondition::JudgeParts(const Recoding& recoding, Effort effort) const {
  if (frame_ > 0 && parts_->FirstBirth(recoding) <= frame_) return {false, problem_.places()};
  const bool kept = EarlierVerdict() == Verdict::kKept;
  const std::uint64_t affordable = AffordableFor(recoding, kept);
  Judgement judgement = parts_->Ask(recoding, [&](const Series& series, const Formulas& formulas,
                                                  const History& history) {
    const Judgement pairs = PairsKeep(task_, series, formulas, frame_);
    if (!pairs.kept) return Judgement{.of_parts = pairs.work};
    Judgement all = SeriesKeeps(task_, series, formulas, history, effort, kept, &memo_, affordable);
    all.of_parts += pairs.work;
    return all;
  });
  const bool quick = effort != Effort::kThorough;
  judgement.kept = judgement.kept && (!quick || judgement.targets <= affordable);
  return judgement;
}

// As if the candidate was asked about as a whole.
std::uint64_t SeriesCondition::AffordableFor(const Recoding& recoding, bool earlier_kept) const {
  const std::size_t size = task_.earlier.size();
  std::size_t first = earlier_kept ? parts_->FirstBirth(recoding) : 0;
  for (std::size_t i = size; i-- > first;) first = std::min(first, history_.first_birth(i));
  std::size_t cells = parts_->CellsOf(recoding);
  for (std::size_t i = first; i < size; ++i) {
    cells = std::max(cells, task_.earlier.release(i).cells());
  }
  return AffordableTargets(size + 1, cells, first);
}

}  // namespace reissue::models::bcf::internal
