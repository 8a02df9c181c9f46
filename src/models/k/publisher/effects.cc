// What a specialisation would do: the steps of a Partition that are looked at before one is made.

#include <algorithm>

#include "reissue/models/k/publisher/partition.h"

namespace reissue::models::k::internal {

// Squares in integers; suppressed rows cost the whole table each.
std::int64_t Partition::CostOfRows(std::uint64_t rows, bool kept) const {
  return static_cast<std::int64_t>(rows * (kept ? rows : problem_.rows()));
}

void Partition::Evaluate(std::size_t index) {
  const Cell& cell = cells_[index];
  active_.clear();
  work_ += problem_.columns();
  if (bare_) return;
  std::uint64_t* child_rows = child_rows_.data();
  for (std::uint32_t j = 0; j < problem_.columns(); ++j) {
    const Spot place = place_of(index, j);
    if (!IsOpen(place)) continue;
    active_.push_back({j, place, problem_.child_of_leaf(place), child_rows});
    child_rows += problem_.fan_out(place);
    StepAt(place).squares += cell.rows * cell.rows;
  }
  if (active_.empty()) return;
  CountChildren(cell, static_cast<std::size_t>(child_rows - child_rows_.data()));
  work_ += (cell.end - cell.begin) * active_.size();
  work_ += static_cast<std::uint64_t>(child_rows - child_rows_.data());
  const double per_row = weighs_ ? BenefitOf(index) : 0;
  for (const Active& a : active_) {
    const Effect effect = EffectOf(cell, a, per_row);
    std::fill_n(a.rows, problem_.fan_out(a.place), 0);
    effects_[index * problem_.columns() + a.column] = effect;
    Step& step = StepAt(a.place);
    step.gain += effect.gain;
    step.lost += effect.lost;
    step.benefit += effect.benefit;
    if (problem_.anti_monotone() && !Allowed(a.place)) status_[a.place] = Status::kDead;
  }
}

// The rows of each child of each active place, `children` in all.
void Partition::CountChildren(const Cell& cell, std::size_t children) {
  const std::uint32_t* order = order_.data();
  const std::uint64_t* rows_of_tuple = problem_.rows_of_tuples().data();
  const auto count = [&](std::uint32_t begin, std::uint32_t end, std::ptrdiff_t to) {
    for (std::uint32_t i = begin; i < end; ++i) {
      const std::uint32_t* leaves = problem_.leaves(order[i]).data();
      const std::uint64_t rows = rows_of_tuple[order[i]];
      for (const Active& a : active_) a.rows[to + a.child_of_leaf[leaves[a.column]]] += rows;
    }
  };
  const std::uint32_t tuples = cell.end - cell.begin;
  if (pool_ == nullptr || pool_->threads() == 1 || tuples < kWorthSharing) {
    return count(cell.begin, cell.end, 0);
  }
  // A part of the tuples at a time, each with numbers of its own behind those of the first.
  const std::size_t most = child_rows_.size();
  if (shared_rows_.size() < kShares * most) shared_rows_.assign(kShares * most, 0);
  for (Active& a : active_) a.rows = shared_rows_.data() + (a.rows - child_rows_.data());
  pool_->Run(kShares, [&](std::size_t share) {
    const auto at = [&](std::size_t s) {
      return cell.begin + static_cast<std::uint32_t>(std::uint64_t{tuples} * s / kShares);
    };
    count(at(share), at(share + 1), static_cast<std::ptrdiff_t>(share * most));
  });
  for (std::size_t share = 0; share < kShares; ++share) {
    std::uint64_t* part = shared_rows_.data() + share * most;
    for (std::size_t c = 0; c < children; ++c) child_rows_[c] += part[c];
    std::fill_n(part, children, 0);
  }
  for (Active& a : active_) a.rows = child_rows_.data() + (a.rows - shared_rows_.data());
}

// `per_row`: the benefit of a row of the cell, where it stays.
Partition::Effect Partition::EffectOf(const Cell& cell, const Active& active, double per_row) {
  const std::uint32_t children = problem_.fan_out(active.place);
  Effect effect;
  effect.gain = CostOfRows(cell.rows, cell.kept != 0);
  if (early_exit_) {
    for (std::uint32_t c = 0; c < children; ++c) {
      const std::uint64_t rows = active.rows[c];
      if (rows > 0 && rows < problem_.k()) {
        effect.lost = static_cast<std::int64_t>(rows);
        return effect;
      }
      effect.gain -= static_cast<std::int64_t>(rows * rows);
    }
    if (problem_.guarantee().NeedsSensitive() && !ChildrenKeep(cell, active)) effect.lost = 1;
    return effect;
  }
  const auto kept = KeptChildren(cell, active);
  std::uint64_t suppressed = 0;
  for (std::uint32_t c = 0; c < children; ++c) {
    effect.gain -= CostOfRows(active.rows[c], kept[c] != 0);
    if (kept[c] == 0) suppressed += active.rows[c];
  }
  if (weighs_) effect.benefit = BenefitGained(cell, active, per_row);
  effect.lost = static_cast<std::int64_t>(suppressed) -
                (cell.kept ? 0 : static_cast<std::int64_t>(cell.rows));
  return effect;
}

// What the rows that stay have more of; `child_kept_` says which do.
double Partition::BenefitGained(const Cell& cell, const Active& active, double per_row) const {
  double gained = cell.kept ? -static_cast<double>(cell.rows) * per_row : 0;
  const double others = per_row - problem_.benefit(active.place);
  const auto children = problem_.children(active.place);
  for (std::uint32_t c = 0; c < children.size(); ++c) {
    if (child_kept_[c] == 0) continue;
    gained += static_cast<double>(active.rows[c]) * (others + problem_.benefit(children[c]));
  }
  return gained;
}

double Partition::BenefitOf(std::size_t cell) const {
  double benefit = 0;
  for (std::size_t j = 0; j < problem_.columns(); ++j) benefit += problem_.benefit(place(cell, j));
  return benefit;
}

// Whether all children keep the promises beyond k; stops at the first that does not.
bool Partition::ChildrenKeep(const Cell& cell, const Active& active) {
  const std::uint32_t children = problem_.fan_out(active.place);
  for (std::uint32_t c = 0; c < children; ++c) {
    if (active.rows[c] == cell.rows) return cell.kept != 0;
  }
  for (std::uint32_t i = cell.end; i-- > cell.begin;) {
    std::uint32_t& head =
        child_head_[active.child_of_leaf[problem_.leaves(order_[i])[active.column]]];
    next_[i] = head;
    head = i;
  }
  bool keep = true;
  for (std::uint32_t c = 0; c < children; ++c) {
    if (keep && active.rows[c] > 0) {
      for (std::uint32_t i = child_head_[c]; i != kNobody; i = next_[i]) {
        CountSensitive(order_[i]);
        work_ += kSensitiveVisit;
      }
      keep = CountedKeep(active.rows[c]);
    }
    child_head_[c] = kNobody;
  }
  return keep;
}

// Which children keep the whole promise, all of them looked at.
std::span<const std::uint8_t> Partition::KeptChildren(const Cell& cell, const Active& active) {
  const std::uint32_t children = problem_.fan_out(active.place);
  const bool sensitive = problem_.guarantee().NeedsSensitive();
  if (sensitive) {
    for (std::uint32_t i = cell.end; i-- > cell.begin;) {
      std::uint32_t& head =
          child_head_[active.child_of_leaf[problem_.leaves(order_[i])[active.column]]];
      next_[i] = head;
      head = i;
    }
  }
  for (std::uint32_t c = 0; c < children; ++c) {
    child_kept_[c] = active.rows[c] >= problem_.k() || active.rows[c] == 0;
    if (!sensitive) continue;
    if (active.rows[c] > 0 && child_kept_[c] != 0) {
      for (std::uint32_t i = child_head_[c]; i != kNobody; i = next_[i]) CountSensitive(order_[i]);
      child_kept_[c] = CountedKeep(active.rows[c]);
    }
    child_head_[c] = kNobody;
  }
  if (sensitive) work_ += kSensitiveVisit * (cell.end - cell.begin);
  return {child_kept_.data(), children};
}

bool Partition::Allowed(Spot place) const {
  if (!IsOpen(place)) return false;
  return static_cast<std::int64_t>(suppressed_rows_) + lost(place) <=
         static_cast<std::int64_t>(problem_.suppression_limit());
}

double Partition::Gain(Spot place) const {
  const Step& step = StepAt(place);
  if (problem_.score() == Score::kDiscernibility) return static_cast<double>(step.gain);
  if (weighs_) return step.benefit;
  if (step.lost == 0) return problem_.saving(place);
  // A row that is newly left out loses what an average row has gained so far.
  return problem_.saving(place) - static_cast<double>(step.lost) * Gained();
}

// As if nobody were left out: that is quickly told.
double Partition::Gained() const {
  if (!gained_) {
    gained_ = problem_.RootCost() - problem_.Cost(recoding_, 0, {});
    work_ += 2 * problem_.places();
  }
  return *gained_;
}

}  // namespace reissue::models::k::internal
