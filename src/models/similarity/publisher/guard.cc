#include "reissue/models/similarity/publisher/guard.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "reissue/models/similarity/publisher/leftover.h"

namespace reissue::models::similarity::internal {
namespace {

constexpr double kTolerated = kBeliefTolerance / 2;  // less than what an audit allows
constexpr std::size_t kNearToAsk = 8;
constexpr std::size_t kExchanges = 24;  // that the reader is asked about, per group
constexpr std::size_t kExpelled = 2;    // rows for which another group is looked for
constexpr std::size_t kMostToAsk = 40;  // rows, and
constexpr double kMostStates = 10'000;  // states of the exact estimator, of groups tried in numbers
constexpr std::size_t kAtOnce = 8;      // one row in so many is taken out of others at a time
constexpr std::size_t kJoins = 12;      // groups that are tried to join, or to put a row into
constexpr std::size_t kChunk = 64;      // groups asked about at a time

// A group in which she believes too much.
struct Broken {
  std::uint32_t group = 0;
  std::size_t rows = 0;
  Guard::Verdict verdict;
};

class Repairs {
 public:
  Repairs(Draft& draft, const Guard& guard) : draft_(draft), guard_(guard) {}

  // Groups in which she believes too much, of those changed since she was last asked.
  std::vector<Broken> Ask(ThreadPool& pool) {
    std::vector<std::uint32_t> asked;
    for (std::uint32_t g = 0; g < draft_.groups.size(); ++g) {
      if (!draft_.groups[g].rows.empty() && !draft_.groups[g].judged) asked.push_back(g);
    }
    std::vector<Guard::Verdict> verdicts(asked.size());
    pool.Run((asked.size() + kChunk - 1) / kChunk, [&](std::size_t chunk) {
      const std::size_t to = std::min(asked.size(), (chunk + 1) * kChunk);
      for (std::size_t i = chunk * kChunk; i < to; ++i) {
        verdicts[i] = guard_.Judge(draft_, draft_.groups[asked[i]]);
      }
    });
    std::vector<Broken> broken;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      Bunch& bunch = draft_.groups[asked[i]];
      bunch.judged = verdicts[i].fine();
      if (!bunch.judged) broken.push_back({asked[i], bunch.rows.size(), std::move(verdicts[i])});
    }
    return broken;
  }

  void Mend(const std::vector<Broken>& broken) {
    const NearGroups near(draft_);
    for (const auto& [group, rows, verdict] : broken) {
      const Bunch& bunch = draft_.groups[group];
      if (bunch.rows.size() != rows || bunch.judged) continue;  // changed by another's repair
      if (guard_.Quick(bunch)) {
        near.OfGroup(group, kNearToAsk, found_);
        if (Exchange(group, verdict)) continue;
        if (Expel(group, verdict, near, false)) continue;
        const Guard::Verdict rest = guard_.Judge(draft_, bunch);  // some may be gone
        if (Join(group, rest, near)) continue;
        if (!Expel(group, rest, near, true)) Scatter(group, near);
      } else if (!Expel(group, verdict, near, true)) {
        Scatter(group, near);
      }
    }
  }

 private:
  bool Fine(const Bunch& bunch) const {
    return draft_.Keeps(bunch) && guard_.Judge(draft_, bunch).fine();
  }
  void Replace(std::uint32_t group, Bunch bunch) {
    bunch.judged = true;
    draft_.groups[group] = std::move(bunch);
  }

  struct Swap {
    double cost = 0;
    std::uint32_t group = 0, mine = 0, theirs = 0;
    auto operator<=>(const Swap&) const = default;
  };

  // The person of whom she believes most changes places with somebody of a near group.
  bool Exchange(std::uint32_t group, const Guard::Verdict& verdict) {
    const std::uint32_t mine = verdict.offenders.front();
    Bunch rest = draft_.groups[group];
    draft_.Remove(rest, mine);
    if (rest.rows.empty()) return false;
    std::vector<Swap> swaps;
    for (const std::uint32_t other : found_) {
      const Bunch& near = draft_.groups[other];
      if (other == group || !near.judged || !guard_.Quick(near)) continue;
      for (const std::uint32_t theirs : near.rows) {
        if (draft_.shown[theirs] == draft_.shown[mine] &&
            draft_.table().belief[theirs] == draft_.table().belief[mine]) {
          continue;
        }
        swaps.push_back({draft_.CostOfAdding(rest, theirs) + draft_.CostOfAdding(near, mine), other,
                         mine, theirs});
      }
    }
    const std::size_t tried = std::min(kExchanges, swaps.size());
    std::ranges::partial_sort(swaps, swaps.begin() + static_cast<std::ptrdiff_t>(tried));
    for (std::size_t i = 0; i < tried; ++i) {
      Bunch here = rest, there = draft_.groups[swaps[i].group];
      draft_.Add(here, swaps[i].theirs);
      draft_.Remove(there, swaps[i].theirs);
      draft_.Add(there, mine);
      if (!Fine(here) || !Fine(there)) continue;
      Replace(group, std::move(here));
      Replace(swaps[i].group, std::move(there));
      return true;
    }
    return false;
  }

  // Those of whom she believes too much go elsewhere, one by one; with `out`, those whom no group
  // takes are out. False where that does not help, or the rest would not keep the guarantee.
  bool Expel(std::uint32_t group, Guard::Verdict verdict, const NearGroups& near, bool out) {
    for (std::size_t expelled = 0; out || expelled < kExpelled; ++expelled) {
      const Bunch& bunch = draft_.groups[group];
      std::size_t several = guard_.Quick(bunch) ? 1 : 1 + bunch.rows.size() / kAtOnce;
      for (const std::uint32_t row : verdict.offenders) {
        if (several-- == 0) break;
        Bunch rest = draft_.groups[group];
        draft_.Remove(rest, row);
        if (!draft_.Keeps(rest)) return false;
        const Value shown = std::exchange(draft_.shown[row], draft_.table().value[row]);
        if (!PutAside(row, group, near)) {
          if (!out) {
            draft_.shown[row] = shown;
            return false;
          }
          draft_.out.push_back(row);
        }
        draft_.groups[group] = std::move(rest);
      }
      verdict = guard_.Judge(draft_, draft_.groups[group]);
      if (verdict.fine()) {
        draft_.groups[group].judged = true;
        return true;
      }
    }
    return false;
  }

  // With the near group that makes one of both in which she believes little, at the least cost;
  // else with the one in which she believes least, if that is less than now.
  bool Join(std::uint32_t group, const Guard::Verdict& before, const NearGroups& near) {
    near.OfGroup(group, kJoins, found_);
    std::vector<std::pair<double, std::uint32_t>> candidates;
    for (const std::uint32_t other : found_) {
      if (other == group || draft_.groups[other].rows.empty()) continue;
      candidates.push_back(
          {draft_.CostOfJoining(draft_.groups[group], draft_.groups[other]), other});
    }
    std::ranges::sort(candidates);
    candidates.resize(std::min(kJoins, candidates.size()));
    double least = before.excess;
    std::optional<std::pair<std::uint32_t, Bunch>> best;
    for (const auto& [cost, other] : candidates) {
      Bunch both = draft_.groups[other];
      draft_.Join(both, draft_.groups[group]);
      if (!guard_.Quick(both) || !draft_.Keeps(both)) continue;
      const Guard::Verdict verdict = guard_.Judge(draft_, both);
      if (verdict.excess >= least) continue;
      least = verdict.excess;
      both.judged = verdict.fine();
      best = {other, std::move(both)};
      if (verdict.fine()) break;
    }
    if (!best) return false;
    draft_.groups[best->first] = std::move(best->second);
    draft_.groups[group] = draft_.Empty();
    return true;
  }

  // Every row into a near group, where there is one; the others are out.
  void Scatter(std::uint32_t group, const NearGroups& near) {
    for (const std::uint32_t row : draft_.Dissolve(draft_.groups[group])) {
      if (!PutAside(row, group, near)) draft_.out.push_back(row);
    }
  }

  bool PutAside(std::uint32_t row, std::uint32_t from, const NearGroups& near) {
    near.Of(draft_.table().points.of(row), kJoins, found_);
    std::vector<std::pair<double, std::uint32_t>> candidates;
    for (const std::uint32_t other : found_) {
      const Bunch& bunch = draft_.groups[other];
      if (other == from || !bunch.judged || !guard_.Quick(bunch)) continue;
      candidates.push_back({draft_.CostOfAdding(draft_.groups[other], row), other});
    }
    std::ranges::sort(candidates);
    candidates.resize(std::min(kJoins, candidates.size()));
    for (const auto& [cost, other] : candidates) {
      Bunch with = draft_.groups[other];
      draft_.Add(with, row);
      if (!Fine(with)) continue;
      Replace(other, std::move(with));
      return true;
    }
    return false;
  }

  Draft& draft_;
  const Guard& guard_;
  std::vector<std::uint32_t> found_;
};

}  // namespace

Guard::Guard(const Table& table, const ReaderLimits& limits)
    : table_(table), limits_(limits), reader_(limits.reader), statements_(limits.statements) {
  // Whichever of several best assignments she takes to be the likeliest.
  reader_.estimate.all_choices = true;
  if (statements_.empty()) return;
  std::ranges::stable_sort(statements_, {}, &Statement::person);
  begin_.assign(table.value.size() + 1, 0);
  for (const Statement& statement : statements_) ++begin_[statement.person + 1];
  for (std::size_t row = 1; row < begin_.size(); ++row) begin_[row] += begin_[row - 1];
}

Guard::Verdict Guard::Judge(const Draft& draft, const Bunch& bunch) const {
  std::vector<std::uint32_t> rows = bunch.rows;
  std::ranges::sort(rows);
  std::vector<Suspect> suspects;
  suspects.reserve(rows.size());
  for (const std::uint32_t row : rows) {
    Suspect& suspect = suspects.emplace_back();
    suspect.value = draft.shown[row];
    suspect.prior = &table_.beliefs[table_.belief[row]];
    if (begin_.empty()) continue;
    suspect.statements = {statements_.data() + begin_[row], begin_[row + 1] - begin_[row]};
  }
  const GroupBeliefs found = Consider(suspects, table_.values, reader_, reader_.estimate.seed);
  const GroupJudgement judged = similarity::Judge(suspects, found, limits_.bounds);
  Verdict verdict{.excess = -1, .offenders = {}};
  std::vector<std::pair<double, std::uint32_t>> offenders;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double excess = judged.excess[i];
    verdict.excess = std::max(verdict.excess, excess);
    if (excess > kTolerated) offenders.push_back({-excess, rows[i]});
  }
  std::ranges::sort(offenders);
  for (const auto& [excess, row] : offenders) verdict.offenders.push_back(row);
  return verdict;
}

bool Guard::Quick(const Bunch& bunch) const {
  if (bunch.rows.size() > kMostToAsk) return false;
  if (limits_.reader.estimator != inference::Estimator::kExact) return true;
  double states = 1;
  for (const std::uint32_t rows : bunch.counts) states *= rows + 1;
  return states <= kMostStates;
}

std::uint64_t Repair(Draft& draft, const Guard& guard, ThreadPool& pool) {
  Repairs repairs(draft, guard);
  std::uint64_t changed = 0;
  while (true) {
    const std::vector<Broken> broken = repairs.Ask(pool);
    if (broken.empty()) return changed;
    changed += broken.size();
    repairs.Mend(broken);
    std::ranges::sort(draft.out);
    Settle(draft, Leftover::kSuppress);
  }
}

}  // namespace reissue::models::similarity::internal
