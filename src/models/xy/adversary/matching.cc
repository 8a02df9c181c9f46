#include "reissue/models/xy/adversary/matching.h"

#include <algorithm>

#include "reissue/core/result.h"

namespace reissue::models::xy {
namespace {

constexpr std::uint32_t kNone = JoinLabels::kNone;

std::size_t Words(const Linked& linked) { return (linked.inconsistent.size() + 31) / 32; }

void SetBit(std::span<std::uint32_t> bits, std::size_t i) { bits[i / 32] |= 1u << (i % 32); }

bool Meets(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if ((a[i] & b[i]) != 0) return true;
  }
  return false;
}

// Finds the groups of one table that agree with lists of classes, one list per attribute.
class Search {
 public:
  // `attributes` are positions in the keys of `groups`.
  Search(const TupleIndex& groups, std::vector<std::size_t> attributes)
      : groups_(groups), attributes_(std::move(attributes)), order_(groups.size()) {
    for (std::uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
    std::ranges::stable_sort(order_, [&](std::uint32_t a, std::uint32_t b) {
      for (const std::size_t attribute : attributes_) {
        if (groups_.key(a)[attribute] != groups_.key(b)[attribute]) {
          return groups_.key(a)[attribute] < groups_.key(b)[attribute];
        }
      }
      return false;
    });
  }

  template <typename Visit>
  void Run(std::span<const std::span<const std::uint32_t>> lists, const Visit& visit) const {
    Narrow(lists, 0, 0, order_.size(), visit);
  }

 private:
  std::uint32_t At(std::size_t position, std::size_t depth) const {
    return groups_.key(order_[position])[attributes_[depth]];
  }
  // The first position in [first, last) whose class is `number` or more.
  std::size_t Lower(std::size_t depth, std::size_t first, std::size_t last,
                    std::uint64_t number) const {
    while (first < last) {
      const std::size_t middle = first + (last - first) / 2;
      if (At(middle, depth) < number) {
        first = middle + 1;
      } else {
        last = middle;
      }
    }
    return first;
  }

  // Positions first … last − 1 agree on the attributes before `depth`.
  template <typename Visit>
  void Narrow(std::span<const std::span<const std::uint32_t>> lists, std::size_t depth,
              std::size_t first, std::size_t last, const Visit& visit) const {
    if (depth == attributes_.size()) {
      for (std::size_t i = first; i < last; ++i) visit(order_[i]);
      return;
    }
    for (const std::uint32_t number : lists[depth]) {
      first = Lower(depth, first, last, number);
      if (first == last) return;
      if (At(first, depth) != number) continue;
      const std::size_t end = Lower(depth, first, last, std::uint64_t{number} + 1);
      Narrow(lists, depth + 1, first, end, visit);
      first = end;
    }
  }

  const TupleIndex& groups_;
  std::vector<std::size_t> attributes_;
  std::vector<std::uint32_t> order_;
};

}  // namespace

Matching::Matching(const Linked& linked)
    : columns_(linked.tables.size()), group_of_cell_(linked.tables.size()) {
  REISSUE_CHECK(!linked.tables.empty());
  for (const auto& join : linked.joins) {
    joins_.emplace_back(linked, join);
    global_ = global_ && joins_.back().global();
  }
  FindColumns(linked);
  for (std::size_t table = 0; table < tables(); ++table) MakeGroups(linked, table);
  // A group of the first table becomes a state: the label of each class, and the pairs.
  TupleIndex states(joins_.size() + Words(linked));
  for (std::size_t group = 0; group < groups(0); ++group) {
    const auto key = groups_[0].key(group);
    std::vector<std::uint32_t> state(key.begin(), key.end());
    for (std::size_t i = 0; i < joins_.size(); ++i) {
      if (state[i] != kNone) state[i] = joins_[i].label_of(0, state[i]);
    }
    states.Add(state);
  }
  states_.push_back(states.size());
  for (std::size_t table = 1; table < tables(); ++table) Join(linked, table, states);
  DropDeadEnds();
  Count(linked);
}

void Matching::FindColumns(const Linked& linked) {
  for (const auto& join : linked.joins) {
    for (const Attribute& attribute : join) columns_[attribute.table].push_back(attribute.column);
  }
  for (const Inconsistent& pair : linked.inconsistent) {
    REISSUE_CHECK(pair.a.table != pair.b.table);
    columns_[pair.a.table].push_back(pair.a.column);
    columns_[pair.b.table].push_back(pair.b.column);
  }
  for (auto& columns : columns_) {
    std::ranges::sort(columns);
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  }
}

void Matching::MakeGroups(const Linked& linked, std::size_t table) {
  const LinkedTable& published = linked.tables[table];
  groups_.emplace_back(joins_.size() + Words(linked));
  group_of_cell_[table].assign(published.cells.size(), kDangling);
  std::vector<std::uint32_t> key(joins_.size() + Words(linked));
  for (std::size_t cell = 0; cell < published.cells.size(); ++cell) {
    if (published.cells.count(CellId(cell)) == 0) continue;
    const auto codes = published.cells.key(CellId(cell));
    std::ranges::fill(key, 0u);
    for (std::size_t i = 0; i < joins_.size(); ++i) {
      const JoinLabels& join = joins_[i];
      key[i] = join.has(table) ? join.class_of(table, codes[join.column(table)]) : kNone;
    }
    const auto bits = std::span(key).subspan(joins_.size());
    for (std::size_t i = 0; i < linked.inconsistent.size(); ++i) {
      const Inconsistent& pair = linked.inconsistent[i];
      const bool first = pair.a.table == table;
      if (!first && pair.b.table != table) continue;
      const std::size_t column = first ? pair.a.column : pair.b.column;
      const std::uint32_t above = first ? pair.a_code : pair.b_code;
      if (AtOrBelow(published.trees[column].get(), above, codes[column])) SetBit(bits, i);
    }
    group_of_cell_[table][cell] = groups_[table].Add(key);
  }
}

void Matching::Join(const Linked& linked, std::size_t table, TupleIndex& state_keys) {
  // What the table has in common with earlier ones, and what later ones will ask for.
  std::vector<std::size_t> shared;
  std::vector<bool> asked(joins_.size(), false);
  for (std::size_t i = 0; i < joins_.size(); ++i) {
    bool earlier = false;
    for (std::size_t other = 0; other < tables(); ++other) {
      earlier = earlier || (other < table && joins_[i].has(other));
      asked[i] = asked[i] || (other > table && joins_[i].has(other));
    }
    if (earlier && joins_[i].has(table)) shared.push_back(i);
  }
  std::vector<std::uint32_t> pairs_to_come(Words(linked), 0);
  for (std::size_t i = 0; i < linked.inconsistent.size(); ++i) {
    const auto [low, high] =
        std::minmax(linked.inconsistent[i].a.table, linked.inconsistent[i].b.table);
    if (low <= table && high > table) SetBit(pairs_to_come, i);
  }

  const Search search(groups_[table], shared);
  TupleIndex next(state_keys.width());
  auto& steps = steps_.emplace_back();
  auto& begin = begin_.emplace_back(1, 0);
  std::vector<std::span<const std::uint32_t>> lists(shared.size());
  std::vector<std::uint32_t> key(state_keys.width());
  for (std::size_t state = 0; state < state_keys.size(); ++state) {
    const auto before = state_keys.key(state);
    for (std::size_t i = 0; i < shared.size(); ++i) {
      const JoinLabels& join = joins_[shared[i]];
      const std::uint32_t label = before[shared[i]];
      // Any earlier table that has this label knows what it matches.
      std::size_t source = 0;
      while (!join.has(source) || join.class_of(source, label) == kNone) ++source;
      lists[i] = join.Matches(source, join.class_of(source, label), table);
    }
    search.Run(lists, [&](std::uint32_t group) {
      const auto own = groups_[table].key(group);
      if (Meets(before.subspan(joins_.size()), own.subspan(joins_.size()))) return;
      for (std::size_t i = 0; i < joins_.size(); ++i) {
        // Of labels on one path the lowest decides; it has the largest number.
        key[i] = kNone;
        if (!asked[i]) continue;
        key[i] = before[i];
        if (own[i] == kNone) continue;
        const std::uint32_t label = joins_[i].label_of(table, own[i]);
        key[i] = before[i] == kNone ? label : std::max(before[i], label);
      }
      for (std::size_t i = 0; i < pairs_to_come.size(); ++i) {
        const std::size_t at = joins_.size() + i;
        key[at] = (before[at] | own[at]) & pairs_to_come[i];
      }
      steps.push_back({group, next.Add(key)});
    });
    begin.push_back(steps.size());
  }
  state_keys = std::move(next);
  states_.push_back(state_keys.size());
}

void Matching::DropDeadEnds() {
  std::vector<bool> alive(states_.back(), true);
  for (std::size_t table = tables() - 1; table-- > 0;) {
    std::vector<bool> before(states_[table], false);
    std::vector<Step> kept;
    std::vector<std::size_t> begin = {0};
    for (std::size_t state = 0; state < states_[table]; ++state) {
      for (const Step& step : steps(table, state)) {
        if (alive[step.state]) kept.push_back(step);
      }
      before[state] = kept.size() > begin.back();
      begin.push_back(kept.size());
    }
    steps_[table] = std::move(kept);
    begin_[table] = std::move(begin);
    alive = std::move(before);
  }
  std::vector<std::vector<bool>> partnered(tables());
  partnered[0] = std::move(alive);
  for (std::size_t table = 1; table < tables(); ++table) {
    partnered[table].assign(groups(table), false);
    for (const Step& step : steps_[table - 1]) partnered[table][step.group] = true;
  }
  for (std::size_t table = 0; table < tables(); ++table) {
    for (std::uint32_t& group : group_of_cell_[table]) {
      if (group != kDangling && !partnered[table][group]) group = kDangling;
    }
  }
}

void Matching::Count(const Linked& linked) {
  std::vector<std::vector<Wide>> rows(tables());
  for (std::size_t table = 0; table < tables(); ++table) {
    const Cells& cells = linked.tables[table].cells;
    rows[table].assign(groups(table), 0);
    std::uint64_t dangling = cells.rows();
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      if (group_of_cell_[table][cell] == kDangling) continue;
      rows[table][group_of_cell_[table][cell]] += cells.count(CellId(cell));
      dangling -= cells.count(CellId(cell));
    }
    dangling_.push_back(dangling);
  }
  std::vector<Wide> tuples = rows[0];
  for (std::size_t table = 0; table + 1 < tables(); ++table) {
    std::vector<Wide> next(states_[table + 1], 0);
    for (std::size_t state = 0; state < states_[table]; ++state) {
      for (const Step& step : steps(table, state)) {
        next[step.state] += tuples[state] * rows[table + 1][step.group];
      }
    }
    tuples = std::move(next);
  }
  for (const Wide count : tuples) join_rows_ += count;
}

}  // namespace reissue::models::xy
