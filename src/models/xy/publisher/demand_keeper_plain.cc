// Where a combination on X tells what its rows match: T1 and each side have their own distinct y
// and their own shares, and these multiply.

#include "reissue/models/xy/publisher/demand_keeper.h"

namespace reissue::models::xy::internal {

void DemandKeeper::EvaluatePlain(std::size_t block, Places& places) {
  active_.clear();
  active_.push_back({});
  active_.back().whole = true;
  std::size_t tallies = 1;
  for (std::size_t m = 0; m < blocks_.grouped(); ++m) {
    const Spot place = blocks_.place(block, m);
    effects_[block * blocks_.grouped() + m] = Measure();
    if (!places.open(place)) continue;
    active_.push_back({m, place, places.fork(place), places.fan_out(place), false, tallies});
    tallies += active_.back().fan_out;
  }
  tallies_.assign(tallies, Tally());
  CountRows(block);
  if (has_y_ && !key_ && demand_.anonymity) CountDistinct(block);
  if (has_y_ && !demand_.anonymity) CountRuns(block);
  for (const Active& active : active_) {
    Measure worst;
    for (std::uint32_t i = 0; i < active.fan_out; ++i) {
      const Tally& tally = tallies_[active.first + i];
      if (tally.rows > 0) worst.Worsen(MeasureOf(tally, block, active, i));
      if (worst.broken && final_) break;
    }
    if (active.whole) {
      values_[block] = worst;
    } else {
      effects_[block * blocks_.grouped() + active.m] = worst;
      if (worst.broken && final_) places.Close(active.place);
    }
  }
}

template <typename Visit>
void DemandKeeper::ForEachTally(std::size_t block, const Visit& visit) {
  for (const Active& active : active_) {
    Tally* tallies = tallies_.data() + active.first;
    if (active.whole) {
      for (const std::uint32_t atom : blocks_.atoms(block)) visit(tallies[0], atom);
    } else {
      const Fork fork = active.fork;
      for (const std::uint32_t atom : blocks_.atoms(block)) {
        visit(tallies[fork.Of(blocks_.rank(atom, active.m))], atom);
      }
    }
  }
}

void DemandKeeper::CountRows(std::size_t block) {
  ForEachTally(block, [&](Tally& tally, std::uint32_t atom) { tally.rows += blocks_.rows(atom); });
}

// Atoms come sorted by y.
void DemandKeeper::CountDistinct(std::size_t block) {
  ForEachTally(block, [&](Tally& tally, std::uint32_t atom) {
    tally.distinct += tally.y != blocks_.y(atom);
    tally.y = blocks_.y(atom);
  });
}

void DemandKeeper::EndRun(Tally& tally) const {
  if (tally.run == 0) return;
  if (!limits_.empty()) {
    const double limit = limits_[tally.y];
    if (limit < 0) return;
    tally.broken = tally.broken || ShareOf(tally.run, tally.rows) > limit;
  }
  tally.largest = std::max(tally.largest, tally.run);
}

void DemandKeeper::CountRuns(std::size_t block) {
  ForEachTally(block, [&](Tally& tally, std::uint32_t atom) {
    if (tally.y != blocks_.y(atom)) {
      EndRun(tally);
      tally.run = 0;
      tally.y = blocks_.y(atom);
    }
    tally.run += blocks_.rows(atom);
  });
  for (Tally& tally : tallies_) EndRun(tally);
}

Measure DemandKeeper::MeasureOf(const Tally& tally, std::size_t block, const Active& active,
                                std::uint32_t i) {
  Wide distinct = key_ ? tally.rows : has_y_ ? tally.distinct : 1;
  Wide part = has_y_ ? tally.largest : 1, whole = has_y_ ? tally.rows : 1;
  bool broken = tally.broken;
  for (std::size_t s = 0; s < contexts_.size(); ++s) {
    std::uint32_t id = block_contexts_[block * contexts_.size() + s];
    if (!active.whole && slots_[s][active.m]) {
      id = contexts_[s].Child(id, *slots_[s][active.m], i);
    }
    const Contexts::Context& context = contexts_[s].at(id);
    if (context.empty()) return {};
    distinct = Saturated(distinct * context.distinct);
    part *= context.part;
    whole *= context.whole;
    broken = broken || context.broken;
  }
  Measure measure;
  measure.any = true;
  if (demand_.anonymity) {
    measure.distinct = Saturated(distinct);
    measure.broken = measure.distinct < demand_.k;
  } else {
    measure.share = ShareOf(part, whole);
    measure.broken = demand_.by_value() ? broken : measure.share > demand_.confidence;
  }
  return measure;
}

}  // namespace reissue::models::xy::internal
