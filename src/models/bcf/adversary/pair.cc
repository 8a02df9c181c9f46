#include "reissue/models/bcf/adversary/pair.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <tuple>

namespace reissue::models::bcf {
namespace {

// Cells of two releases in classes: each cell of the one is comparable with all cells of the other
// in its class, and with no others.
struct Classes {
  std::vector<std::uint32_t> earlier, later;  // class of each cell
  std::uint32_t size = 0;
};

// Numbers envelope classes: cells of both releases with the same nodes in the envelope.
class EnvelopeClasses {
 public:
  EnvelopeClasses(const Series& series, std::size_t earlier, std::size_t later) {
    for (std::size_t column = 0; column < series.columns(); ++column) {
      envelope_.push_back(taxonomy::Envelope(series.tree(column),
                                             series.recoding(earlier).cuts[column],
                                             series.recoding(later).cuts[column]));
    }
  }

  std::vector<std::uint32_t> Number(const Series& series, std::size_t release) {
    const Release& cells = series.release(release);
    std::vector<std::uint32_t> numbers(cells.cells());
    std::string key(series.columns() * sizeof(std::uint32_t), '\0');
    for (std::size_t cell = 0; cell < cells.cells(); ++cell) {
      for (std::size_t column = 0; column < series.columns(); ++column) {
        const std::size_t leaf = series.tree(column).first_leaf(cells.node(cell, column));
        const std::uint32_t node = envelope_[column].NodeOfLeaf(leaf).raw();
        for (std::size_t byte = 0; byte < sizeof(node); ++byte) {
          key[column * sizeof(node) + byte] = static_cast<char>(node >> (8 * byte));
        }
      }
      numbers[cell] = classes_.try_emplace(key, size()).first->second;
    }
    return numbers;
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(classes_.size()); }

 private:
  std::vector<taxonomy::Cut> envelope_;
  std::unordered_map<std::string, std::uint32_t> classes_;
};

Classes ByEnvelope(const Series& series, std::size_t earlier, std::size_t later) {
  EnvelopeClasses numbers(series, earlier, later);
  Classes classes;
  classes.earlier = numbers.Number(series, earlier);
  classes.later = numbers.Number(series, later);
  classes.size = numbers.size();
  return classes;
}

// The same from the cells, however they were recoded; nothing where there are no such classes.
// Boxes of one tree have them: of two that intersect one contains the other.
std::optional<Classes> ByComparing(const Series& series, std::size_t earlier, std::size_t later) {
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  const Release& before = series.release(earlier);
  Classes classes;
  classes.later.assign(series.release(later).cells(), kNone);
  std::vector<std::size_t> sizes;
  for (std::size_t cell = 0; cell < before.cells(); ++cell) {
    const auto comparable = series.ComparableCells(later, before.key(cell));
    std::uint32_t number = comparable.empty() ? kNone : classes.later[comparable[0]];
    for (const std::uint32_t other : comparable) {
      if (classes.later[other] != number) return std::nullopt;
    }
    if (number == kNone) {
      number = classes.size++;
      for (const std::uint32_t other : comparable) classes.later[other] = number;
      sizes.push_back(comparable.size());
    }
    if (sizes[number] != comparable.size()) return std::nullopt;
    classes.earlier.push_back(number);
  }
  for (std::uint32_t& number : classes.later) {
    if (number == kNone) number = classes.size++;
  }
  return classes;
}

// The rows of one value in one class.
struct ClassRows {
  std::uint64_t earlier = 0, later = 0;
};
using RowsOfClasses = std::unordered_map<std::uint64_t, ClassRows>;

std::uint64_t Join(std::uint64_t high, std::uint64_t low) { return high << 32 | low; }

Contradiction Describe(const Series& series, const Pair& pair, std::uint32_t value,
                       std::span<const std::uint32_t> earlier_class_of,
                       std::span<const std::uint32_t> later_class_of, std::uint32_t number) {
  Contradiction found;
  found.value = value;
  const auto collect = [&](const Release& release, std::span<const std::uint32_t> class_of,
                           std::vector<std::uint32_t>& cells, std::uint64_t& rows) {
    for (std::uint32_t cell = 0; cell < class_of.size(); ++cell) {
      if (class_of[cell] != number) continue;
      const auto group = release.FindGroup(cell, value);
      if (!group) continue;
      cells.push_back(cell);
      rows += release.rows_of_group(*group);
    }
  };
  collect(series.release(pair.earlier()), earlier_class_of, found.earlier_cells,
          found.earlier_rows);
  collect(series.release(pair.later()), later_class_of, found.later_cells, found.later_rows);
  return found;
}

}  // namespace

Pair Pair::Solve(const Series& series, std::size_t earlier, std::size_t later, bool always_flow) {
  REISSUE_CHECK(earlier < later && later < series.size());
  Pair pair;
  pair.earlier_ = earlier;
  pair.later_ = later;
  const bool global = series.recoding(earlier).global() && series.recoding(later).global();
  std::optional<Classes> classes;
  if (!always_flow) {
    classes = global ? ByEnvelope(series, earlier, later) : ByComparing(series, earlier, later);
  }
  if (classes) {
    pair.SolveByClasses(series, std::move(classes->earlier), classes->later, classes->size);
  } else {
    pair.method_ = Method::kFlow;
    pair.SolveByFlow(series);
  }
  std::sort(pair.contradictions_.begin(), pair.contradictions_.end(),
            [](const Contradiction& a, const Contradiction& b) {
              return std::tie(a.value, a.earlier_cells) < std::tie(b.value, b.earlier_cells);
            });
  return pair;
}

void Pair::SolveByClasses(const Series& series, std::vector<std::uint32_t> earlier_class_of,
                          const std::vector<std::uint32_t>& class_of, std::uint32_t classes) {
  const Release& before = series.release(earlier_);
  const Release& after = series.release(later_);
  list_of_ = std::move(earlier_class_of);

  list_begin_.assign(classes + 1, 0);
  for (const std::uint32_t number : class_of) ++list_begin_[number + 1];
  for (std::size_t i = 1; i < list_begin_.size(); ++i) list_begin_[i] += list_begin_[i - 1];
  list_cells_.resize(class_of.size());
  std::vector<std::size_t> next = list_begin_;
  for (std::uint32_t cell = 0; cell < class_of.size(); ++cell) {
    list_cells_[next[class_of[cell]]++] = cell;
  }

  RowsOfClasses rows;
  for (std::size_t group = 0; group < before.groups(); ++group) {
    rows[Join(list_of_[before.cell_of_group(group)], before.value(group))].earlier +=
        before.rows_of_group(group);
  }
  for (std::size_t group = 0; group < after.groups(); ++group) {
    rows[Join(class_of[after.cell_of_group(group)], after.value(group))].later +=
        after.rows_of_group(group);
  }
  for (const auto& [key, total] : rows) {
    if (total.earlier <= total.later) continue;
    contradictions_.push_back(Describe(series, *this, static_cast<std::uint32_t>(key), list_of_,
                                       class_of, static_cast<std::uint32_t>(key >> 32)));
  }
  for (std::size_t group = 0; group < after.groups(); ++group) {
    const ClassRows& total = rows[Join(class_of[after.cell_of_group(group)], after.value(group))];
    const std::uint64_t elsewhere = total.later - after.rows_of_group(group);
    const std::uint64_t older = total.earlier > elsewhere ? total.earlier - elsewhere : 0;
    newcomers_.push_back(after.rows_of_group(group) - std::min(older, after.rows_of_group(group)));
    class_earlier_.push_back(total.earlier);
    class_later_.push_back(total.later);
  }
}

std::uint64_t Pair::Together(const Series& series, std::size_t earlier_group,
                             std::size_t later_group) const {
  if (method_ == Method::kFlow) {
    const auto found = together_.find(Join(earlier_group, later_group));
    return found == together_.end() ? 0 : found->second;
  }
  return std::min(series.release(earlier_).rows_of_group(earlier_group),
                  series.release(later_).rows_of_group(later_group));
}

std::uint64_t Pair::TogetherInCells(const Series& series, std::size_t earlier_cell,
                                    std::size_t later_cell) const {
  std::uint64_t sum = 0;
  ForEachCommonValue(
      series.release(earlier_), earlier_cell, series.release(later_), later_cell,
      [&](std::uint32_t, std::size_t a, std::size_t b) { sum += Together(series, a, b); });
  return sum;
}

}  // namespace reissue::models::bcf
