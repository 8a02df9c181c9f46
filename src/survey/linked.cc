#include "reissue/survey/linked.h"

#include "reissue/survey/cover.h"

namespace reissue::survey {
namespace {

class Linker {
 public:
  Linker(const Columns& columns, const Published& from, const Published& to,
         const OverlapTable& overlaps)
      : columns_(columns), from_(from), to_(to), meeting_(to, overlaps) {}

  CellLink Look(std::uint32_t cell, std::uint64_t steps) const {
    CellLink link;
    std::vector<std::uint32_t> found;
    if (!meeting_.Find(from_.key(cell), steps, found)) {
      link.partners = to_.rows();
      link.one_row.possibly = true;
      link.certain.assign(to_.sensitive(), {false, true});
      link.complete = false;
      return link;
    }
    const Box box = BoxOf(columns_, from_.key(cell));
    for (const std::uint32_t other : found) link.partners += to_.rows(other);
    const auto alone = [&](std::uint32_t other) { return to_.rows(other) == 1; };
    link.one_row = Only(
        box, found, alone, [](auto, auto) { return false; }, steps, link.complete);
    for (std::size_t s = 0; s < to_.sensitive(); ++s) {
      const auto one = [&](std::uint32_t other) { return to_.values(other, s).size() == 1; };
      const auto same = [&](std::uint32_t a, std::uint32_t b) {
        return one(b) && to_.values(a, s)[0].code == to_.values(b, s)[0].code;
      };
      link.certain.push_back(Only(box, found, one, same, steps, link.complete));
    }
    return link;
  }

 private:
  // Whether x lies in cells of one kind only: in a good one, and in others that go with it.
  template <typename Good, typename With>
  Whether Only(const Box& box, const std::vector<std::uint32_t>& found, Good&& good, With&& with,
               std::uint64_t& steps, bool& complete) const {
    Whether result{!found.empty(), false};
    for (const std::uint32_t cell : found) {
      if (!good(cell)) {
        result.surely = false;
        continue;
      }
      Box within;
      for (std::size_t q = 0; q < box.size(); ++q) {
        within.push_back(box[q].And(columns_[q].labels[to_.key(cell)[q]]));
      }
      std::vector<Cover> against;
      for (const std::uint32_t other : found) {
        if (other == cell || with(cell, other) || !Meets(other, within)) continue;
        against.push_back({to_.key(other), 1});
      }
      if (steps <= found.size()) {
        complete = false;
        return {false, true};
      }
      steps -= found.size();
      if (!against.empty()) result.surely = false;
      if (result.possibly) continue;
      const FromTo least = LeastCovered(columns_, within, against, steps);
      if (least.lower == 0 && least.upper > 0) complete = false;
      result.possibly = least.lower == 0;
    }
    result.surely = result.surely && result.possibly;
    return result;
  }

  bool Meets(std::uint32_t cell, const Box& box) const {
    for (std::size_t q = 0; q < box.size(); ++q) {
      if (!columns_[q].labels[to_.key(cell)[q]].Meets(box[q])) return false;
    }
    return true;
  }

  const Columns& columns_;
  const Published& from_;
  const Published& to_;
  Meeting meeting_;
};

void AddRows(const Whether& whether, std::uint64_t rows, FromTo& number) {
  if (whether.surely) number.lower += rows;
  if (whether.possibly) number.upper += rows;
}

}  // namespace

Linked Link(const Columns& columns, const Published& from, const Published& to,
            const OverlapTable& overlaps, ThreadPool& pool, const Effort& effort) {
  const Linker linker(columns, from, to, overlaps);
  Linked result;
  result.cells.resize(from.cells());
  InRounds(from.cells(), effort, pool, [&](std::uint32_t cell, std::uint64_t steps) {
    result.cells[cell] = linker.Look(cell, steps);
    return result.cells[cell].complete;
  });
  result.certain.resize(to.sensitive());
  for (std::size_t cell = 0; cell < from.cells(); ++cell) {
    const CellLink& link = result.cells[cell];
    const std::uint64_t rows = from.rows(cell);
    if (link.partners > 0) result.matched += rows;
    AddRows(link.one_row, rows, result.one_row);
    for (std::size_t s = 0; s < to.sensitive(); ++s) {
      AddRows(link.certain[s], rows, result.certain[s]);
    }
    if (!link.complete) ++result.incomplete;
  }
  return result;
}

}  // namespace reissue::survey
