#include "reissue/models/similarity/publisher/trial.h"

#include <algorithm>
#include <optional>

namespace reissue::models::similarity::internal {
namespace {

constexpr std::size_t kNearToAsk = 8;
constexpr std::size_t kExchanges = 24;  // that the reader is asked about, per group
constexpr std::size_t kExpelled = 2;    // rows for which another group is looked for
constexpr std::size_t kAtOnce = 8;      // one row in so many is taken out of others at a time
constexpr std::size_t kJoins = 12;      // groups that are tried to join, or to put a row into

struct Swap {
  double cost = 0;
  std::uint32_t group = 0, theirs = 0;
  auto operator<=>(const Swap&) const = default;
};

}  // namespace

Trial::Trial(const Draft& draft, Questions& questions, const NearGroups& near)
    : draft_(draft), questions_(questions), near_(near), shown_{.in_draft = draft.shown} {}

// Stays where it is until the group is put anew.
const Bunch& Trial::Of(std::uint32_t group) const {
  const auto changed = change_.groups.find(group);
  return changed == change_.groups.end() ? draft_.groups[group] : changed->second;
}

void Trial::Put(std::uint32_t group, Bunch bunch) { change_.groups[group] = std::move(bunch); }

void Trial::PutFine(std::uint32_t group, Bunch bunch) {
  bunch.judged = true;
  Put(group, std::move(bunch));
}

// Returns what it showed.
Value Trial::Restore(std::uint32_t row) {
  const Value shown = shown_.Of(row), truth = draft_.table().value[row];
  if (shown != truth) shown_.instead[row] = truth;
  return shown;
}

void Trial::Mend(const Broken& broken) {
  const std::uint32_t group = broken.group;
  const Bunch& bunch = Of(group);
  if (bunch.rows.size() != broken.rows || bunch.judged) return;  // changed by another's repair
  if (!questions_.guard().Quick(bunch)) {
    if (!Expel(group, broken.verdict, true)) Scatter(group);
    return;
  }
  if (Exchange(group, broken.verdict) || Expel(group, broken.verdict, false)) return;
  const Guard::Verdict rest = questions_.Judge(Of(group), shown_);  // some may be gone
  if (!Join(group, rest) && !Expel(group, rest, true)) Scatter(group);
}

bool Trial::Fine(const Bunch& bunch) {
  return draft_.Keeps(bunch) && questions_.Fine(bunch, shown_);
}

// The person of whom she believes most changes places with somebody of a near group.
bool Trial::Exchange(std::uint32_t group, const Guard::Verdict& verdict) {
  const std::uint32_t mine = verdict.offenders.front();
  const Value shown = shown_.Of(mine);
  Bunch rest = Of(group);
  draft_.Remove(rest, mine, shown);
  if (rest.rows.empty()) return false;
  near_.OfGroup(group, kNearToAsk, found_);
  std::vector<Swap> swaps;
  for (const std::uint32_t other : found_) {
    if (other == group) continue;
    const Bunch& near = Of(other);
    if (!near.judged || !questions_.guard().Quick(near)) continue;
    for (const std::uint32_t theirs : near.rows) {
      if (shown_.Of(theirs) == shown &&
          draft_.table().belief[theirs] == draft_.table().belief[mine]) {
        continue;
      }
      swaps.push_back(
          {draft_.CostOfAdding(rest, theirs) + draft_.CostOfAdding(near, mine), other, theirs});
    }
  }
  const std::size_t tried = std::min(kExchanges, swaps.size());
  std::ranges::partial_sort(swaps, swaps.begin() + static_cast<std::ptrdiff_t>(tried));
  for (std::size_t i = 0; i < tried; ++i) {
    const auto& [cost, other, theirs] = swaps[i];
    Bunch here = rest, there = Of(other);
    draft_.Add(here, theirs, shown_.Of(theirs));
    draft_.Remove(there, theirs, shown_.Of(theirs));
    draft_.Add(there, mine, shown);
    const bool here_first = here.rows.size() <= there.rows.size();  // the quicker question
    if (!Fine(here_first ? here : there) || !Fine(here_first ? there : here)) continue;
    PutFine(group, std::move(here));
    PutFine(other, std::move(there));
    return true;
  }
  return false;
}

// Those of whom she believes too much go elsewhere, one by one; with `out`, those whom no group
// takes are out. False where that does not help, or the rest would not keep the guarantee.
bool Trial::Expel(std::uint32_t group, Guard::Verdict verdict, bool out) {
  for (std::size_t expelled = 0; out || expelled < kExpelled; ++expelled) {
    const Bunch& bunch = Of(group);
    std::size_t several = questions_.guard().Quick(bunch) ? 1 : 1 + bunch.rows.size() / kAtOnce;
    for (const std::uint32_t row : verdict.offenders) {
      if (several-- == 0) break;
      if (!ExpelOne(group, row, out)) return false;
    }
    verdict = questions_.Judge(Of(group), shown_);
    if (verdict.fine()) {
      PutFine(group, Of(group));
      return true;
    }
  }
  return false;
}

bool Trial::ExpelOne(std::uint32_t group, std::uint32_t row, bool out) {
  Bunch rest = Of(group);
  draft_.Remove(rest, row, shown_.Of(row));
  if (!draft_.Keeps(rest)) return false;
  const Value shown = Restore(row);
  if (!PutAside(row, group)) {
    if (!out) {
      if (shown != shown_.Of(row)) shown_.instead[row] = shown;
      return false;
    }
    change_.out.push_back(row);
  }
  if (shown != shown_.Of(row)) change_.restored.push_back(row);
  Put(group, std::move(rest));
  return true;
}

// With the near group that makes one of both in which she believes little, at the least cost;
// else with the one in which she believes least, if that is less than now.
bool Trial::Join(std::uint32_t group, const Guard::Verdict& before) {
  near_.OfGroup(group, kJoins, found_);
  std::vector<std::pair<double, std::uint32_t>> candidates;
  for (const std::uint32_t other : found_) {
    if (other == group || Of(other).rows.empty()) continue;
    candidates.push_back({draft_.CostOfJoining(Of(group), Of(other)), other});
  }
  std::ranges::sort(candidates);
  candidates.resize(std::min(kJoins, candidates.size()));
  double least = before.excess;
  std::optional<std::pair<std::uint32_t, Bunch>> best;
  for (const auto& [cost, other] : candidates) {
    Bunch both = Of(other);
    draft_.Join(both, Of(group));
    if (!questions_.guard().Quick(both) || !draft_.Keeps(both)) continue;
    const Guard::Verdict verdict = questions_.Judge(both, shown_);
    if (verdict.excess >= least) continue;
    least = verdict.excess;
    both.judged = verdict.fine();
    best = {other, std::move(both)};
    if (verdict.fine()) break;
  }
  if (!best) return false;
  Put(best->first, std::move(best->second));
  Put(group, draft_.Empty());
  return true;
}

// Every row into a near group, where there is one; the others are out.
void Trial::Scatter(std::uint32_t group) {
  const std::vector<std::uint32_t> rows = Of(group).rows;
  Put(group, draft_.Empty());
  for (const std::uint32_t row : rows) {
    if (Restore(row) != shown_.Of(row)) change_.restored.push_back(row);
  }
  for (const std::uint32_t row : rows) {
    if (!PutAside(row, group)) change_.out.push_back(row);
  }
}

bool Trial::PutAside(std::uint32_t row, std::uint32_t from) {
  near_.Of(draft_.table().points.of(row), kJoins, found_);
  std::vector<std::pair<double, std::uint32_t>> candidates;
  for (const std::uint32_t other : found_) {
    if (other == from) continue;
    const Bunch& bunch = Of(other);
    if (!bunch.judged || !questions_.guard().Quick(bunch)) continue;
    candidates.push_back({draft_.CostOfAdding(bunch, row), other});
  }
  std::ranges::sort(candidates);
  candidates.resize(std::min(kJoins, candidates.size()));
  for (const auto& [cost, other] : candidates) {
    Bunch with = Of(other);
    draft_.Add(with, row, shown_.Of(row));
    if (!Fine(with)) continue;
    PutFine(other, std::move(with));
    return true;
  }
  return false;
}

}  // namespace reissue::models::similarity::internal
