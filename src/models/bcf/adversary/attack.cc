#include "reissue/models/bcf/adversary/attack.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace reissue::models::bcf {
namespace {

constexpr std::uint64_t kNoTarget = std::numeric_limits<std::uint64_t>::max();

// The target of a cell for whom least is left.
struct Least {
  std::uint64_t left = kNoTarget;
  std::uint32_t other = 0;

  void Offer(std::uint64_t offered, std::uint32_t cell) {
    if (offered > 0 && offered < left) *this = {offered, cell};
  }
};

struct Candidate {
  std::uint64_t left;
  AttackKind kind;
  std::uint32_t cell, other;
  auto Order() const { return std::tie(left, kind, cell); }
};

AttackSummary Summarise(AttackKind kind, const Release& attacked, std::span<const Least> least,
                        std::uint64_t k, std::vector<Candidate>& candidates) {
  AttackSummary summary;
  for (std::uint32_t cell = 0; cell < least.size(); ++cell) {
    if (least[cell].left == kNoTarget) continue;
    summary.anonymity = std::min(summary.anonymity.value_or(kNoTarget), least[cell].left);
    if (least[cell].left >= k) continue;
    summary.exposed += attacked.rows_of_cell(cell);
    candidates.push_back({least[cell].left, kind, cell, least[cell].other});
  }
  return summary;
}

}  // namespace

const char* Letter(AttackKind kind) {
  switch (kind) {
    case AttackKind::kForward:
      return "F";
    case AttackKind::kCross:
      return "C";
    case AttackKind::kBackward:
      break;
  }
  return "B";
}

PairReport AttackPair(const Series& series, const Pair& pair, std::uint64_t k, std::size_t limit) {
  const Release& before = series.release(pair.earlier());
  const Release& after = series.release(pair.later());
  PairReport report;
  report.earlier = pair.earlier();
  report.later = pair.later();
  report.method = pair.method();
  report.contradictions = pair.contradictions();
  if (!report.contradictions.empty()) {
    report.satisfied = false;
    return report;
  }

  std::vector<Least> forward(before.cells()), cross(after.cells()), backward(after.cells());
  for (std::uint32_t cell = 0; cell < before.cells(); ++cell) {
    for (const std::uint32_t other : pair.ComparableCells(cell)) {
      const std::uint64_t left = pair.TogetherInCells(series, cell, other);
      forward[cell].Offer(left, other);
      cross[other].Offer(left, cell);
    }
  }
  for (std::uint32_t cell = 0; cell < after.cells(); ++cell) {
    std::uint64_t left = 0;
    for (std::size_t group = after.first_group(cell); group < after.last_group(cell); ++group) {
      left += pair.Newcomers(group);
    }
    backward[cell].Offer(left, 0);
  }

  std::vector<Candidate> candidates;
  report.forward = Summarise(AttackKind::kForward, before, forward, k, candidates);
  report.cross = Summarise(AttackKind::kCross, after, cross, k, candidates);
  report.backward = Summarise(AttackKind::kBackward, after, backward, k, candidates);
  report.satisfied = candidates.empty();
  const std::size_t shown = std::min(limit, candidates.size());
  std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(shown),
                    candidates.end(),
                    [](const auto& a, const auto& b) { return a.Order() < b.Order(); });
  for (std::size_t i = 0; i < shown; ++i) {
    const Candidate& found = candidates[i];
    report.worst.push_back(Explain(series, pair, found.kind, found.cell, found.other));
  }
  return report;
}

Finding Explain(const Series& series, const Pair& pair, AttackKind kind, std::uint32_t cell,
                std::uint32_t other) {
  const bool attacks_earlier = kind == AttackKind::kForward;
  Finding finding;
  finding.kind = kind;
  finding.born = kind == AttackKind::kBackward ? pair.later() : pair.earlier();
  finding.release = attacks_earlier ? pair.earlier() : pair.later();
  finding.against = attacks_earlier ? pair.later() : pair.earlier();
  finding.cell = cell;
  if (kind != AttackKind::kBackward) finding.other = other;
  const Release& attacked = series.release(finding.release);
  const Release& background = series.release(finding.against);
  for (std::size_t group = attacked.first_group(cell); group < attacked.last_group(cell); ++group) {
    GroupCrack crack;
    crack.value = attacked.value(group);
    crack.size = attacked.rows_of_group(group);
    std::uint64_t left = 0;
    if (kind == AttackKind::kBackward) {
      left = pair.Newcomers(group);
      const Pair::ClassRows rows = pair.RowsOfClass(series, group);
      crack.class_earlier = rows.earlier;
      crack.class_later = rows.later;
    } else if (const auto match = background.FindGroup(other, crack.value)) {
      left = attacks_earlier ? pair.Together(series, group, *match)
                             : pair.Together(series, *match, group);
      crack.counterpart = background.rows_of_group(*match);
    }
    crack.excluded = crack.size - left;
    finding.size += crack.size;
    finding.left += left;
    finding.groups.push_back(crack);
  }
  finding.excluded = finding.size - finding.left;
  return finding;
}

}  // namespace reissue::models::bcf
