// Where rows of one x may match different tuples of the earlier releases: the join rows of an x
// are added up, and its distinct y united, over the contexts of its rows.

#include <algorithm>

#include "reissue/models/xy/publisher/demand_keeper.h"

namespace reissue::models::xy::internal {

std::uint32_t DemandKeeper::ContextAfter(std::size_t atom, std::size_t m, std::uint32_t child) {
  const auto slot = slots_[0][m];
  const std::uint32_t context = atom_contexts_[atom];
  return slot ? contexts_[0].Child(context, *slot, child) : context;
}

// 2^20 numbers: 8 MB.
constexpr std::size_t kLargestTable = std::size_t{1} << 20;

void DemandKeeper::Sums::Begin(std::size_t contexts, std::size_t values) {
  values_ = std::max<std::size_t>(values, 1);
  contexts_ = contexts * values_ <= kLargestTable ? contexts : 0;
  if (rows_.size() < contexts_ * values_) rows_.resize(contexts_ * values_, 0);
}

void DemandKeeper::Sums::Add(std::uint32_t context, std::uint32_t y, std::uint64_t rows) {
  // Contexts that were found since the table was made.
  if (context >= contexts_) {
    single_.push_back({context, y, rows});
    return;
  }
  const std::size_t at = context * values_ + y;
  if (rows_[at] == 0) touched_.push_back(static_cast<std::uint32_t>(at));
  rows_[at] += rows;
}

void DemandKeeper::Sums::Take(std::vector<Entry>& entries) {
  entries.swap(single_);
  single_.clear();
  for (const std::uint32_t at : touched_) {
    entries.push_back({static_cast<std::uint32_t>(at / values_),
                       static_cast<std::uint32_t>(at % values_), rows_[at]});
    rows_[at] = 0;
  }
  touched_.clear();
}

void DemandKeeper::Begin(std::size_t parts) {
  if (sums_.size() < parts) sums_.resize(parts);
  for (std::size_t i = 0; i < parts; ++i) {
    sums_[i].Begin(contexts_[0].size(), key_ ? 1 : blocks_.y_values());
  }
}

// All columns in one pass over the atoms, which lie scattered in memory.
void DemandKeeper::EvaluateMixed(std::size_t block, const Places& places) {
  active_.clear();
  std::size_t parts = 1;
  for (std::size_t m = 0; m < blocks_.grouped(); ++m) {
    const Spot place = blocks_.place(block, m);
    effects_[block * blocks_.grouped() + m] = Measure();
    if (!places.open(place)) continue;
    active_.push_back({m, place, places.fork(place), places.fan_out(place), false, parts});
    parts += active_.back().fan_out;
  }
  Begin(parts);
  for (const std::uint32_t atom : blocks_.atoms(block)) {
    const std::uint32_t context = atom_contexts_[atom], y = YOf(atom);
    const std::uint64_t rows = blocks_.rows(atom);
    sums_[0].Add(context, y, rows);
    for (const Active& active : active_) {
      const std::uint32_t child = active.fork.Of(blocks_.rank(atom, active.m));
      sums_[active.first + child].Add(ContextAfter(atom, active.m, child), y, rows);
    }
  }
  values_[block] = Judge(sums_[0]);
  for (const Active& active : active_) {
    Measure& effect = effects_[block * blocks_.grouped() + active.m];
    for (std::uint32_t i = 0; i < active.fan_out; ++i) {
      effect.Worsen(Judge(sums_[active.first + i]));
    }
  }
  carried_[block].clear();
  for (std::size_t m = blocks_.grouped(); m < blocks_.moving(); ++m) {
    EvaluateCarried(block, m, places);
  }
}

// The block stays together; some of its rows match less.
void DemandKeeper::EvaluateCarried(std::size_t block, std::size_t m, const Places& places) {
  std::vector<Spot> spots;
  for (const std::uint32_t atom : blocks_.atoms(block)) {
    spots.push_back(atom_places_[atom * blocks_.moving() + m]);
  }
  std::ranges::sort(spots);
  spots.erase(std::unique(spots.begin(), spots.end()), spots.end());
  for (const Spot place : spots) {
    if (!places.open(place)) continue;
    const Fork fork = places.fork(place);
    Begin(1);
    for (const std::uint32_t atom : blocks_.atoms(block)) {
      const bool moves = atom_places_[atom * blocks_.moving() + m] == place;
      const std::uint32_t context =
          moves ? ContextAfter(atom, m, fork.Of(blocks_.rank(atom, m))) : atom_contexts_[atom];
      sums_[0].Add(context, YOf(atom), blocks_.rows(atom));
    }
    carried_[block].emplace_back(place, Judge(sums_[0]));
  }
}

void DemandKeeper::MoveAtoms(Spot place, std::size_t m, const Places& places) {
  const Fork fork = places.fork(place);
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    bool moved = false;
    for (const std::uint32_t atom : blocks_.atoms(b)) {
      Spot& spot = atom_places_[atom * blocks_.moving() + m];
      if (spot != place) continue;
      const std::uint32_t child = fork.Of(blocks_.rank(atom, m));
      atom_contexts_[atom] = ContextAfter(atom, m, child);
      spot = places.child(place, child);
      moved = true;
    }
    if (moved) EvaluateMixed(b, places);
  }
}

// Contexts with the same tuples are one, and so are entries that agree otherwise.
void DemandKeeper::Gather(std::vector<Entry>& entries) const {
  for (Entry& entry : entries) {
    entry.context = contexts_[0].at(entry.context).same;
  }
  std::erase_if(entries, [&](const Entry& e) { return contexts_[0].at(e.context).empty(); });
  std::ranges::sort(entries, [](const Entry& a, const Entry& b) {
    return a.context != b.context ? a.context < b.context : a.y < b.y;
  });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const bool same = kept > 0 && entries[kept - 1].context == entries[i].context &&
                      entries[kept - 1].y == entries[i].y;
    if (same) {
      entries[kept - 1].rows += entries[i].rows;
    } else {
      entries[kept++] = entries[i];
    }
  }
  entries.resize(kept);
}

Measure DemandKeeper::Judge(Sums& sums) {
  sums.Take(entries_);
  Gather(entries_);
  if (entries_.empty()) return {};
  if (key_) return JudgeKeys(entries_);
  items_.clear();
  const Side& side = contexts_[0].side();
  for (const Entry& entry : entries_) {
    for (const std::uint32_t t : *contexts_[0].at(entry.context).tuples) {
      const Side::Tuple& tuple = side.tuples[t];
      const Wide rows = demand_.anonymity ? tuple.distinct : tuple.rows * entry.rows;
      items_.push_back({tuple.x, entry.y, tuple.y, rows});
    }
  }
  std::ranges::sort(items_, [](const Item& a, const Item& b) {
    if (a.x != b.x) return a.x < b.x;
    return a.y1 != b.y1 ? a.y1 < b.y1 : a.y2 < b.y2;
  });
  return demand_.anonymity ? JudgeDistinct() : JudgeShares();
}

// Every row of T1 counts as itself, so contexts have no y in common.
Measure DemandKeeper::JudgeKeys(const std::vector<Entry>& entries) {
  items_.clear();
  const Side& side = contexts_[0].side();
  for (const Entry& entry : entries) {
    const std::vector<std::uint32_t>& tuples = *contexts_[0].at(entry.context).tuples;
    for (std::size_t i = 0; i < tuples.size(); ++i) {
      const Side::Tuple& tuple = side.tuples[tuples[i]];
      const Side::Tuple* before = i > 0 ? &side.tuples[tuples[i - 1]] : nullptr;
      if (before != nullptr && before->x == tuple.x && before->y == tuple.y) continue;
      items_.push_back({tuple.x, 0, 0, tuple.distinct * entry.rows});
    }
  }
  std::ranges::sort(items_, {}, &Item::x);
  Measure worst;
  worst.any = true;
  for (std::size_t i = 0; i < items_.size();) {
    const std::uint32_t x = items_[i].x;
    Wide distinct = 0;
    for (; i < items_.size() && items_[i].x == x; ++i) distinct += items_[i].rows;
    worst.distinct = std::min(worst.distinct, Saturated(distinct));
  }
  worst.broken = worst.distinct < demand_.k;
  return worst;
}

Measure DemandKeeper::JudgeDistinct() {
  Measure worst;
  worst.any = true;
  for (std::size_t i = 0; i < items_.size();) {
    const std::uint32_t x = items_[i].x;
    Wide distinct = 0;
    for (std::size_t first = i; i < items_.size() && items_[i].x == x; ++i) {
      const bool again =
          i > first && items_[i - 1].y1 == items_[i].y1 && items_[i - 1].y2 == items_[i].y2;
      if (!again) distinct += items_[i].rows;
    }
    worst.distinct = std::min(worst.distinct, Saturated(distinct));
  }
  worst.broken = worst.distinct < demand_.k;
  return worst;
}

Measure DemandKeeper::JudgeShares() {
  const Side& side = contexts_[0].side();
  Measure worst;
  worst.any = true;
  for (std::size_t i = 0; i < items_.size();) {
    const std::uint32_t x = items_[i].x;
    Wide whole = 0;
    for (std::size_t j = i; j < items_.size() && items_[j].x == x; ++j) whole += items_[j].rows;
    while (i < items_.size() && items_[i].x == x) {
      const Item first = items_[i];
      Wide part = 0;
      for (; i < items_.size() && items_[i].x == x && items_[i].y1 == first.y1 &&
             items_[i].y2 == first.y2;
           ++i) {
        part += items_[i].rows;
      }
      double limit = demand_.confidence;
      if (demand_.by_value()) limit = has_y_ ? limits_[first.y1] : side.limits[first.y2];
      if (limit < 0) continue;
      worst.share = std::max(worst.share, ShareOf(part, whole));
      worst.broken = worst.broken || ShareOf(part, whole) > limit;
    }
  }
  return worst;
}

}  // namespace reissue::models::xy::internal
