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

std::uint64_t Join(std::uint64_t high, std::uint64_t low) { return high << 32 | low; }

// Numbers that share a class, ascending, one class after the other.
void Sort(std::span<const std::uint32_t> class_of, std::size_t classes,
          std::vector<std::size_t>& begin, std::vector<std::uint32_t>& cells) {
  begin.assign(classes + 1, 0);
  for (const std::uint32_t number : class_of) ++begin[number + 1];
  for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
  cells.resize(class_of.size());
  std::vector<std::size_t> next = begin;
  for (std::uint32_t cell = 0; cell < class_of.size(); ++cell) {
    cells[next[class_of[cell]]++] = cell;
  }
}

CellComparison CellByCell(const Series& series, std::size_t earlier, std::size_t later) {
  const Release& before = series.release(earlier);
  CellComparison cells;
  cells.classes = false;
  cells.later_begin = {0};
  for (std::uint32_t cell = 0; cell < before.cells(); ++cell) {
    const auto comparable = series.ComparableCells(later, before.key(cell));
    cells.class_of_earlier.push_back(cell);
    cells.later_cells.insert(cells.later_cells.end(), comparable.begin(), comparable.end());
    cells.later_begin.push_back(cells.later_cells.size());
  }
  return cells;
}

Contradiction Describe(const Series& series, const Pair& pair, std::uint32_t value,
                       std::span<const std::uint32_t> earlier,
                       std::span<const std::uint32_t> later) {
  Contradiction found;
  found.value = value;
  const auto collect = [&](const Release& release, std::span<const std::uint32_t> of_class,
                           std::vector<std::uint32_t>& cells, std::uint64_t& rows) {
    for (const std::uint32_t cell : of_class) {
      const auto group = release.FindGroup(cell, value);
      if (!group) continue;
      cells.push_back(cell);
      rows += release.rows_of_group(*group);
    }
  };
  collect(series.release(pair.earlier()), earlier, found.earlier_cells, found.earlier_rows);
  collect(series.release(pair.later()), later, found.later_cells, found.later_rows);
  return found;
}

template <typename Work>
void ForEachGroup(const Release& release, std::span<const std::uint32_t> cells, Work&& work) {
  for (const std::uint32_t cell : cells) {
    for (std::size_t g = release.first_group(cell); g < release.last_group(cell); ++g) {
      work(g, release.value(g));
    }
  }
}

}  // namespace

CellComparison CellComparison::Of(const Series& series, std::size_t earlier, std::size_t later,
                                  bool always_flow) {
  const bool global = series.recoding(earlier).global() && series.recoding(later).global();
  std::optional<Classes> classes;
  if (!always_flow) {
    classes = global ? ByEnvelope(series, earlier, later) : ByComparing(series, earlier, later);
  }
  if (!classes) return CellByCell(series, earlier, later);
  CellComparison cells;
  Sort(classes->earlier, classes->size, cells.earlier_begin, cells.earlier_cells);
  Sort(classes->later, classes->size, cells.later_begin, cells.later_cells);
  cells.class_of_earlier = std::move(classes->earlier);
  cells.class_of_later = std::move(classes->later);
  return cells;
}

Pair Pair::Solve(const Series& series, std::size_t earlier, std::size_t later, bool always_flow) {
  REISSUE_CHECK(earlier < later && later < series.size());
  return Solve(series, earlier, later,
               std::make_shared<const CellComparison>(
                   CellComparison::Of(series, earlier, later, always_flow)));
}

Pair Pair::Solve(const Series& series, std::size_t earlier, std::size_t later,
                 std::shared_ptr<const CellComparison> cells) {
  REISSUE_CHECK(earlier < later && later < series.size());
  REISSUE_CHECK(cells->class_of_earlier.size() == series.release(earlier).cells());
  Pair pair;
  pair.earlier_ = earlier;
  pair.later_ = later;
  pair.cells_ = std::move(cells);
  if (pair.cells_->classes) {
    pair.SolveByClasses(series);
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

void Pair::SolveByClasses(const Series& series) {
  const Release& before = series.release(earlier_);
  const Release& after = series.release(later_);
  newcomers_.resize(after.groups());
  std::vector<ClassRows> rows(std::max(before.codes(), after.codes()));  // of one class, by value
  for (std::size_t number = 0; number + 1 < cells_->later_begin.size(); ++number) {
    const auto earlier = cells_->Earlier(number), later = cells_->Later(number);
    ForEachGroup(before, earlier, [&](std::size_t g, std::uint32_t value) {
      rows[value].earlier += before.rows_of_group(g);
    });
    ForEachGroup(after, later, [&](std::size_t g, std::uint32_t value) {
      rows[value].later += after.rows_of_group(g);
    });
    ForEachGroup(after, later, [&](std::size_t g, std::uint32_t value) {
      const ClassRows& total = rows[value];
      const std::uint64_t elsewhere = total.later - after.rows_of_group(g);
      const std::uint64_t older = total.earlier > elsewhere ? total.earlier - elsewhere : 0;
      newcomers_[g] = after.rows_of_group(g) - std::min(older, after.rows_of_group(g));
    });
    ForEachGroup(before, earlier, [&](std::size_t, std::uint32_t value) {
      if (rows[value].earlier > rows[value].later) {
        contradictions_.push_back(Describe(series, *this, value, earlier, later));
      }
      rows[value] = {};
    });
    ForEachGroup(after, later, [&](std::size_t, std::uint32_t value) { rows[value] = {}; });
  }
}

Pair::ClassRows Pair::RowsOfClass(const Series& series, std::size_t later_group) const {
  if (method_ == Method::kFlow) return component_rows_[later_group];
  const Release& before = series.release(earlier_);
  const Release& after = series.release(later_);
  const std::uint32_t number = cells_->class_of_later[after.cell_of_group(later_group)];
  ClassRows rows;
  const auto sum = [&](const Release& release, std::span<const std::uint32_t> cells) {
    std::uint64_t all = 0;
    for (const std::uint32_t cell : cells) {
      const auto group = release.FindGroup(cell, after.value(later_group));
      if (group) all += release.rows_of_group(*group);
    }
    return all;
  };
  rows.earlier = sum(before, cells_->Earlier(number));
  rows.later = sum(after, cells_->Later(number));
  return rows;
}

std::uint64_t Pair::TogetherByFlow(std::size_t earlier_group, std::size_t later_group) const {
  const auto found = together_.find(Join(earlier_group, later_group));
  return found == together_.end() ? 0 : found->second;
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
