#include "reissue/models/xy/publisher/prior.h"

#include <fmt/format.h>

#include <numeric>
#include <unordered_map>

namespace reissue::models::xy::internal {
namespace {

using Codes = std::vector<std::uint32_t>;
constexpr std::size_t kMostTuples = 100'000'000;

struct CodesHash {
  std::size_t operator()(const Codes& codes) const {
    std::uint64_t h = 0x9e3779b97f4a7c15u;
    for (const std::uint32_t code : codes) {
      h = (h ^ code) * 0xff51afd7ed558ccdu;
      h ^= h >> 29;
    }
    return h;
  }
};

class Numbering {
 public:
  std::uint32_t Of(const Codes& codes) {
    return numbers_.emplace(codes, static_cast<std::uint32_t>(numbers_.size())).first->second;
  }

 private:
  std::unordered_map<Codes, std::uint32_t, CodesHash> numbers_;
};

// A table cut down to the columns that matter here.
struct Reduced {
  std::size_t table = 0;
  Codes columns;
  Cells cells;
  std::uint32_t Code(std::size_t cell, std::uint32_t column) const {
    const auto at = std::ranges::lower_bound(columns, column) - columns.begin();
    return cells.key(CellId(cell))[static_cast<std::size_t>(at)];
  }
};

class SideBuilder {
 public:
  SideBuilder(const View& view, const Demand& demand, std::vector<std::size_t> tables, bool with_x)
      : view_(view), demand_(demand), tables_(std::move(tables)), with_x_(with_x) {}

  Result<Side> Build() {
    for (const std::size_t table : tables_) {
      reduced_.push_back(Reduce(table));
      side_.has_y = side_.has_y || demand_.HasYOf(table);
    }
    MakeSlots();
    chosen_.assign(reduced_.size(), 0);
    if (!Extend(0)) {
      return MachineError(
          fmt::format("the earlier releases match each other in more than {} ways", kMostTuples),
          "name fewer columns of them in X, or promise without one of them");
    }
    Sort();
    return std::move(side_);
  }

 private:
  const taxonomy::Taxonomy* Tree(const Attribute& column) const { return view_.Tree(column); }

  bool Has(std::size_t table) const { return std::ranges::count(tables_, table) > 0; }

  Reduced Reduce(std::size_t table) const {
    Reduced reduced;
    reduced.table = table;
    const auto want = [&](const Attribute& column) {
      if (column.table != table) return;
      reduced.columns.push_back(static_cast<std::uint32_t>(column.column));
    };
    for (const auto& join : view_.joins) std::ranges::for_each(join, want);
    for (const Inconsistent& pair : view_.inconsistent) {
      want(pair.a);
      want(pair.b);
    }
    if (with_x_) std::ranges::for_each(demand_.x, want);
    if (!demand_.HasKey(table)) std::ranges::for_each(demand_.y, want);
    std::ranges::sort(reduced.columns);
    reduced.columns.erase(std::unique(reduced.columns.begin(), reduced.columns.end()),
                          reduced.columns.end());
    const Cells& cells = view_.prior[table - 1].cells;
    Codes keys;
    std::vector<std::uint64_t> counts;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (cells.count(CellId(i)) == 0) continue;
      for (const std::uint32_t column : reduced.columns) {
        keys.push_back(cells.key(CellId(i))[column]);
      }
      counts.push_back(cells.count(CellId(i)));
    }
    reduced.cells = CollectCells(reduced.columns.size(), keys, counts);
    return reduced;
  }

  Side::Slot& SlotOf(std::size_t column) {
    const auto found = std::ranges::find(side_.slots, column, &Side::Slot::column);
    if (found != side_.slots.end()) return *found;
    side_.slots.push_back({static_cast<std::uint32_t>(column), false, {}});
    return side_.slots.back();
  }

  void MakeSlots() {
    for (const auto& join : view_.joins) {
      const auto own = std::ranges::find(join, std::size_t{0}, &Attribute::table);
      if (own == join.end()) continue;
      const bool shared =
          std::ranges::any_of(join, [&](const Attribute& a) { return Has(a.table); });
      if (shared) SlotOf(own->column).join = true;
    }
    for (const Inconsistent& pair : view_.inconsistent) {
      const bool first = pair.a.table == 0;
      if (!first && pair.b.table != 0) continue;
      const Attribute& theirs = first ? pair.b : pair.a;
      if (!Has(theirs.table)) continue;
      const Attribute& own = first ? pair.a : pair.b;
      SlotOf(own.column).never.push_back({first ? pair.a_code : pair.b_code, marks_.size()});
      marks_.push_back({theirs, first ? pair.b_code : pair.a_code});
    }
    side_.words = (marks_.size() + 63) / 64;
  }

  std::uint32_t Code(std::size_t position, const Attribute& column) const {
    return reduced_[position].Code(chosen_[position], static_cast<std::uint32_t>(column.column));
  }

  // The position of a table among those that are chosen already.
  std::optional<std::size_t> Position(std::size_t table, std::size_t chosen) const {
    for (std::size_t i = 0; i < chosen; ++i) {
      if (tables_[i] == table) return i;
    }
    return std::nullopt;
  }

  bool Matches(std::size_t newest) const {
    if (newest == 0) return true;
    for (const auto& join : view_.joins) {
      const auto own = std::ranges::find(join, tables_[newest], &Attribute::table);
      if (own == join.end()) continue;
      const NodeId node(Code(newest, *own));
      for (const Attribute& other : join) {
        const auto at = Position(other.table, newest);
        if (at && !Tree(*own)->OnOnePath(node, NodeId(Code(*at, other)))) return false;
      }
    }
    for (const Inconsistent& pair : view_.inconsistent) {
      const auto a = Position(pair.a.table, newest + 1), b = Position(pair.b.table, newest + 1);
      if (!a || !b || std::max(*a, *b) != newest) continue;
      if (AtOrBelow(Tree(pair.a), pair.a_code, Code(*a, pair.a)) &&
          AtOrBelow(Tree(pair.b), pair.b_code, Code(*b, pair.b))) {
        return false;
      }
    }
    return true;
  }

  // False where there are too many.
  bool Extend(std::size_t position) {
    if (position == reduced_.size()) {
      Add();
      return side_.tuples.size() <= kMostTuples;
    }
    for (std::size_t cell = 0; cell < reduced_[position].cells.size(); ++cell) {
      chosen_[position] = cell;
      if (Matches(position) && !Extend(position + 1)) return false;
    }
    return true;
  }

  void Add() {
    Side::Tuple tuple;
    Codes x, y;
    tuple.rows = 1;
    for (std::size_t i = 0; i < reduced_.size(); ++i) {
      const std::size_t table = tables_[i];
      const std::uint64_t rows = reduced_[i].cells.count(CellId(chosen_[i]));
      tuple.rows *= rows;
      if (demand_.HasKey(table)) {
        y.push_back(static_cast<std::uint32_t>(chosen_[i]));
        tuple.distinct *= rows;
      } else {
        for (const std::uint32_t c : demand_.YOf(table)) {
          y.push_back(demand_.CountsAs(Code(i, {table, c})));
        }
      }
      if (!with_x_) continue;
      for (const std::uint32_t c : demand_.XOf(table)) x.push_back(Code(i, {table, c}));
    }
    tuple.x = xs_.Of(x);
    tuple.y = ys_.Of(y);
    if (demand_.by_value() && side_.has_y && tuple.y == side_.limits.size()) {
      side_.limits.push_back(demand_.LimitOf(y.front()));
    }
    side_.tuples.push_back(tuple);
    AddLabels();
    side_.bits.resize(side_.tuples.size() * side_.words, 0);
    std::uint64_t* bits = side_.bits.data() + side_.bits.size() - side_.words;
    for (std::size_t m = 0; m < marks_.size(); ++m) {
      const auto at = *Position(marks_[m].column.table, tables_.size());
      if (AtOrBelow(Tree(marks_[m].column), marks_[m].code, Code(at, marks_[m].column))) {
        bits[m / 64] |= std::uint64_t{1} << (m % 64);
      }
    }
  }

  void AddLabels() {
    for (const Side::Slot& slot : side_.slots) {
      const taxonomy::Taxonomy* tree = view_.source.columns[slot.column].tree.get();
      std::uint32_t label = 0;
      for (const auto& join : view_.joins) {
        if (std::ranges::count(join, Attribute{0, slot.column}) == 0) continue;
        for (const Attribute& other : join) {
          const auto at = Position(other.table, tables_.size());
          if (!at) continue;
          const std::uint32_t theirs = Code(*at, other);
          if (tree->depth(NodeId(theirs)) > tree->depth(NodeId(label))) label = theirs;
        }
      }
      side_.labels.push_back(label);
    }
  }

  // By (x, y), and equal tuples become one.
  void Sort() {
    const std::size_t width = side_.slots.size(), words = side_.words;
    Codes order(side_.tuples.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto labels = [&](std::uint32_t i) {
      return std::span(side_.labels).subspan(i * width, width);
    };
    const auto bits = [&](std::uint32_t i) {
      return std::span(side_.bits).subspan(i * words, words);
    };
    const auto compare = [&](std::uint32_t a, std::uint32_t b) {
      const Side::Tuple &s = side_.tuples[a], &t = side_.tuples[b];
      if (s.x != t.x) return s.x <=> t.x;
      if (s.y != t.y) return s.y <=> t.y;
      const auto by_label = std::lexicographical_compare_three_way(
          labels(a).begin(), labels(a).end(), labels(b).begin(), labels(b).end());
      if (by_label != 0) return by_label;
      return std::lexicographical_compare_three_way(bits(a).begin(), bits(a).end(), bits(b).begin(),
                                                    bits(b).end());
    };
    std::ranges::sort(order, [&](auto a, auto b) { return compare(a, b) < 0; });
    Side sorted = side_;
    sorted.tuples.clear();
    sorted.labels.clear();
    sorted.bits.clear();
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i > 0 && compare(order[i - 1], order[i]) == 0) {
        sorted.tuples.back().rows += side_.tuples[order[i]].rows;
        continue;
      }
      sorted.tuples.push_back(side_.tuples[order[i]]);
      const auto own_labels = labels(order[i]);
      const auto own_bits = bits(order[i]);
      sorted.labels.insert(sorted.labels.end(), own_labels.begin(), own_labels.end());
      sorted.bits.insert(sorted.bits.end(), own_bits.begin(), own_bits.end());
    }
    side_ = std::move(sorted);
  }

  struct Mark {
    Attribute column;
    std::uint32_t code;
  };
  const View& view_;
  const Demand& demand_;
  std::vector<std::size_t> tables_;
  bool with_x_;
  std::vector<Reduced> reduced_;
  std::vector<Mark> marks_;
  std::vector<std::size_t> chosen_;
  Numbering xs_, ys_;
  Side side_;
};

// Tables that constrain one another get the same number.
std::vector<std::size_t> Groups(const View& view, bool together) {
  std::vector<std::size_t> group(view.prior.size() + 1);
  std::iota(group.begin(), group.end(), std::size_t{0});
  const auto unite = [&](std::size_t a, std::size_t b) {
    if (a == 0 || b == 0) return;
    const std::size_t from = group[a], to = group[b];
    for (std::size_t& g : group) {
      if (g == from) g = to;
    }
  };
  for (const auto& join : view.joins) {
    for (const Attribute& a : join) {
      for (const Attribute& b : join) unite(a.table, b.table);
    }
  }
  for (const Inconsistent& pair : view.inconsistent) unite(pair.a.table, pair.b.table);
  for (std::size_t t = 2; together && t < group.size(); ++t) unite(t, t - 1);
  return group;
}

}  // namespace

const taxonomy::Taxonomy* View::Tree(const Attribute& column) const {
  return column.table == 0 ? source.columns[column.column].tree.get()
                           : prior[column.table - 1].trees[column.column].get();
}

std::vector<std::uint32_t> View::MatchingColumns() const {
  std::vector<std::uint32_t> columns;
  for (const auto& join : joins) {
    const auto own = std::ranges::find(join, std::size_t{0}, &Attribute::table);
    if (own != join.end() && join.size() > 1) {
      columns.push_back(static_cast<std::uint32_t>(own->column));
    }
  }
  for (const Inconsistent& pair : inconsistent) {
    if (pair.a.table == 0) columns.push_back(static_cast<std::uint32_t>(pair.a.column));
    if (pair.b.table == 0) columns.push_back(static_cast<std::uint32_t>(pair.b.column));
  }
  std::ranges::sort(columns);
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

Result<std::vector<Side>> MakeSides(const View& view, const Demand& demand, bool plain) {
  const std::vector<std::size_t> group = Groups(view, !plain);
  std::vector<Side> sides;
  for (std::size_t first = 1; first < group.size(); ++first) {
    std::vector<std::size_t> tables;
    for (std::size_t t = 1; t < group.size(); ++t) {
      if (group[t] == group[first]) tables.push_back(t);
    }
    if (tables.front() != first) continue;
    // Where T1 tells what it matches and no y is here, the combinations here do not matter.
    const bool with_x =
        !plain || std::ranges::any_of(tables, [&](std::size_t t) { return demand.HasYOf(t); });
    SideBuilder builder(view, demand, std::move(tables), with_x);
    Side side = REISSUE_TRY(builder.Build());
    sides.push_back(std::move(side));
  }
  return sides;
}

}  // namespace reissue::models::xy::internal
