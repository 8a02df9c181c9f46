#include "reissue/models/bcf/adversary/walk.h"

#include <algorithm>

namespace reissue::models::bcf {

bool Walk::AllTargets(std::size_t first_birth) {
  for (std::size_t birth = first_birth; birth < series_.size(); ++birth) {
    for (std::uint32_t cell = 0; cell < series_.release(birth).cells(); ++cell) {
      Start(birth, cell);
      if (!Extend(birth)) return false;
    }
  }
  return true;
}

bool Walk::TheseTargets(std::size_t birth, std::span<const std::vector<std::uint32_t>> tuples) {
  const auto telling = history_.releases(birth);
  for (const std::vector<std::uint32_t>& tuple : tuples) {
    Start(birth, tuple[0]);
    for (std::size_t a = 1; a < telling.size(); ++a) Push(telling[a], tuple[telling[a] - birth]);
    if (!Visit(birth)) return false;
  }
  return true;
}

void Walk::Start(std::size_t birth, std::uint32_t cell) {
  const Release& release = series_.release(birth);
  cells_.assign(1, cell);
  alive_.resize(std::max<std::size_t>(alive_.size(), series_.size()));
  overlap_.Start(release.key(cell));
  alive_[0].clear();
  for (std::size_t g = release.first_group(cell); g < release.last_group(cell); ++g) {
    alive_[0].push_back({release.value(g), g, 0});
  }
}

bool Walk::Push(std::size_t release_number, std::uint32_t cell) {
  const Release& release = series_.release(release_number);
  const std::vector<Alive>& before = alive_[cells_.size() - 1];
  std::vector<Alive>& after = alive_[cells_.size()];
  after.clear();
  std::size_t g = release.first_group(cell);
  for (std::size_t a = 0; a < before.size() && g < release.last_group(cell);) {
    if (before[a].value < release.value(g)) {
      ++a;
    } else if (release.value(g) < before[a].value) {
      ++g;
    } else {
      after.push_back({before[a].value, g, a});
      ++a;
      ++g;
    }
  }
  overlap_.Push(release.key(cell));
  cells_.push_back(cell);
  return !after.empty();
}

bool Walk::Extend(std::size_t birth) {
  const auto telling = history_.releases(birth);
  if (cells_.size() == telling.size()) return Visit(birth);
  const std::size_t next = telling[cells_.size()];
  for (const std::uint32_t cell : formulas_.pair(birth, next).ComparableCells(cells_[0])) {
    if (!overlap_.Fits(series_.release(next).key(cell))) continue;
    const bool any = Push(next, cell);
    const bool more = !any || Extend(birth);
    cells_.pop_back();
    overlap_.Pop();
    if (!more) return false;
  }
  return true;
}

bool Walk::Visit(std::size_t birth) {
  const std::size_t length = cells_.size();
  strands_.resize(std::max(strands_.size(), alive_[length - 1].size()));
  std::size_t count = 0;
  for (const Alive& last : alive_[length - 1]) {
    Strand& strand = strands_[count++];
    strand.value = last.value;
    strand.groups.resize(length);
    const Alive* at = &last;
    for (std::size_t a = length; a-- > 0;) {
      strand.groups[a] = at->group;
      if (a > 0) at = &alive_[a - 1][at->parent];
    }
  }
  return visitor_(birth, cells_, {strands_.data(), count});
}

}  // namespace reissue::models::bcf
