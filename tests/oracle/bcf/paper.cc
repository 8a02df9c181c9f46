// The closed forms of the paper: Theorems 4.2 to 4.4 and Section 7.1.

#include <algorithm>

#include "worlds.h"

namespace oracle::bcf {
namespace {

bool Comparable(const Domain& domain, const Row& a, const Row& b) {
  return a.sensitive == b.sensitive && domain.Comparable(a.quasi, b.quasi);
}

// The rows of a release that are comparable to some of the given rows.
Release ComparableRows(const Domain& domain, const Release& release, const Release& given) {
  Release rows;
  for (const Row& row : release) {
    if (std::any_of(given.begin(), given.end(),
                    [&](const Row& other) { return Comparable(domain, row, other); })) {
      rows.push_back(row);
    }
  }
  return rows;
}

}  // namespace

long BackwardCrack(const Domain& domain, const Release& earlier, const Release& later,
                   const Row& group) {
  const long size = GroupSize(later, group.quasi, group.sensitive);
  if (size == 0) return 0;
  const Release g1 = ComparableRows(domain, earlier, {group});
  const Release g2 = ComparableRows(domain, later, g1);
  const long size1 = static_cast<long>(g1.size()), size2 = static_cast<long>(g2.size());
  if (size2 < size) return 0;
  return std::max(0L, size1 - (size2 - size));
}

bool FitTogether(const Domain& domain, const Release& earlier, const Release& later) {
  return std::all_of(earlier.begin(), earlier.end(), [&](const Row& row) {
    const Release g2 = ComparableRows(domain, later, {row});
    return ComparableRows(domain, earlier, g2).size() <= g2.size() && !g2.empty();
  });
}

PaperLeft PaperLeftFor(const Domain& domain, const Series& series, const Target& target) {
  PaperLeft left;
  left.cross.assign(target.cells.size() - 1, 0);
  left.composed_cross = left.cross;
  const Release& own = series[target.birth - 1];
  for (const std::string& value : Values(series)) {
    const long size = GroupSize(own, target.cells[0], value);
    long crack_f = 0;
    long crack_b = 0;
    for (std::size_t i = 0; i + 1 < target.birth; ++i) {
      crack_b = std::max(crack_b, BackwardCrack(domain, series[i], own, {target.cells[0], value}));
    }
    const long reduced = size - crack_b;
    long crack_then_f = 0;
    for (std::size_t l = 1; l < target.cells.size(); ++l) {
      const long other = GroupSize(series[target.birth - 1 + l], target.cells[l], value);
      crack_f = std::max(crack_f, size - std::min(size, other));
      crack_then_f = std::max(crack_then_f, reduced - std::min(reduced, other));
      left.cross[l - 1] += other - (other - std::min(size, other));
      left.composed_cross[l - 1] += other - (other - std::min(reduced, other));
    }
    left.forward += size - crack_f;
    left.backward += reduced;
    left.composed += reduced - crack_then_f;
  }
  return left;
}

long PaperLeft::least() const {
  long least = std::min({forward, backward, composed});
  for (long other : cross) least = std::min(least, other);
  for (long other : composed_cross) least = std::min(least, other);
  return least;
}

PaperAnonymity PaperAnonymityOf(const Domain& domain, const Series& series) {
  PaperAnonymity least;
  for (const Target& target : AllTargets(domain, series)) {
    const PaperLeft left = PaperLeftFor(domain, series, target);
    if (target.birth < series.size() && left.forward > 0) {
      TakeLess(least.by_attack.forward, left.forward);
    }
    if (target.birth > 1 && left.backward > 0) TakeLess(least.by_attack.backward, left.backward);
    for (long other : left.cross) {
      if (other > 0) TakeLess(least.by_attack.cross, other);
    }
    if (left.least() > 0) TakeLess(least.composed, left.least());
  }
  return least;
}

}  // namespace oracle::bcf
