#include "reissue/survey/matching.h"

#include "reissue/survey/cover.h"

namespace reissue::survey {
namespace {

class Matcher {
 public:
  Matcher(const Columns& columns, const Published& file, const OverlapTable& overlaps)
      : columns_(columns), file_(file), meeting_(file, overlaps) {}

  // As far as the steps go.
  CellMatch Look(std::uint32_t cell, std::uint64_t steps) const {
    CellMatch match = Unknown(cell);
    std::vector<std::uint32_t> found;
    if (!meeting_.Find(file_.key(cell), steps, found)) return match;
    const std::uint64_t own = file_.rows(cell);
    std::vector<Cover> others;
    match.overlapping = own;
    for (const std::uint32_t other : found) {
      if (other == cell) continue;
      match.overlapping += file_.rows(other);
      others.push_back({file_.key(other), file_.rows(other)});
    }
    const Box box = BoxOf(columns_, file_.key(cell));
    const FromTo least = LeastCovered(columns_, box, others, steps);
    match.least = {own + least.lower, own + least.upper};
    match.singled_out = {match.overlapping == 1, match.least.lower == 1};
    match.complete = least.exact();
    for (std::size_t s = 0; s < file_.sensitive(); ++s) {
      match.certain[s] = Certain(cell, s, found, box, steps, match.complete);
    }
    return match;
  }

 private:
  CellMatch Unknown(std::uint32_t cell) const {
    CellMatch match;
    match.overlapping = file_.rows();
    match.least = {file_.rows(cell), file_.rows()};
    match.singled_out = {false, file_.rows(cell) == 1};
    for (std::size_t s = 0; s < file_.sensitive(); ++s) {
      match.certain.push_back({false, file_.values(cell, s).size() == 1});
    }
    match.complete = false;
    return match;
  }

  Whether Certain(std::uint32_t cell, std::size_t s, const std::vector<std::uint32_t>& found,
                  const Box& box, std::uint64_t& steps, bool& complete) const {
    const auto own = file_.values(cell, s);
    if (own.size() != 1) return {};
    std::vector<Cover> others;  // with another value
    for (const std::uint32_t other : found) {
      const auto values = file_.values(other, s);
      if (values.size() == 1 && values[0].code == own[0].code) continue;
      others.push_back({file_.key(other), 1});
    }
    if (others.empty()) return {true, true};
    const FromTo least = LeastCovered(columns_, box, others, steps);
    if (least.lower == 0 && least.upper > 0) complete = false;
    return {false, least.lower == 0};
  }

  const Columns& columns_;
  const Published& file_;
  Meeting meeting_;
};

void Count(const Whether& whether, std::uint64_t rows, FromTo& number) {
  if (whether.surely) number.lower += rows;
  if (whether.possibly) number.upper += rows;
}

}  // namespace

Matching Match(const Columns& columns, const Published& file, const OverlapTable& overlaps,
               ThreadPool& pool, const Effort& effort) {
  const Matcher matcher(columns, file, overlaps);
  Matching result;
  result.cells.resize(file.cells());
  InRounds(file.cells(), effort, pool, [&](std::uint32_t cell, std::uint64_t steps) {
    result.cells[cell] = matcher.Look(cell, steps);
    return result.cells[cell].complete;
  });
  result.certain.resize(file.sensitive());
  for (std::size_t cell = 0; cell < file.cells(); ++cell) {
    const CellMatch& match = result.cells[cell];
    const std::uint64_t rows = file.rows(cell);
    Count(match.singled_out, rows, result.singled_out);
    Whether certain;
    for (std::size_t s = 0; s < file.sensitive(); ++s) {
      Count(match.certain[s], rows, result.certain[s]);
      certain.surely = certain.surely || match.certain[s].surely;
      certain.possibly = certain.possibly || match.certain[s].possibly;
    }
    Count(certain, rows, result.value_certain);
    certain.surely = certain.surely || match.singled_out.surely;
    certain.possibly = certain.possibly || match.singled_out.possibly;
    Count(certain, rows, result.exposed);
    const bool first = cell == 0;
    result.least.lower =
        first ? match.least.lower : std::min(result.least.lower, match.least.lower);
    result.least.upper =
        first ? match.least.upper : std::min(result.least.upper, match.least.upper);
    result.fewest_overlapping =
        first ? match.overlapping : std::min(result.fewest_overlapping, match.overlapping);
    if (!match.complete) ++result.incomplete;
  }
  return result;
}

}  // namespace reissue::survey
