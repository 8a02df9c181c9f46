#pragma once
// A table as one requirement sees it: its partitions, and what they hold of Y.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "reissue/models/xy/adversary/matching.h"
#include "reissue/models/xy/adversary/tuple_index.h"

namespace reissue::models::xy {

// A code of a sensitive column that no value of the requirement covers. All others are read as the
// lowest value that covers them.
constexpr std::uint32_t kOtherCode = std::numeric_limits<std::uint32_t>::max();

// Rows of one combination on X in one group (so that they match the same rows elsewhere).
struct Part {
  std::uint32_t x = 0;      // in TableParts::x
  std::uint32_t group = 0;  // of Matching
  std::uint64_t rows = 0;
  std::size_t first_y = 0, last_y = 0;  // in TableParts::ys
};

// Rows without a partner are left out.
struct TableParts {
  std::vector<std::size_t> x_columns;  // in the order of Requirement::x
  std::vector<std::size_t> y_columns;  // in the order of Requirement::y, or of the values' columns
  bool key = false;                    // anonymity: each row counts as itself
  std::vector<const taxonomy::Taxonomy*> y_trees;  // per column of Y; null: plain codes
  TupleIndex x, y;
  struct Y {
    std::uint32_t y = 0;  // in TableParts::y
    std::uint64_t rows = 0;
  };
  std::vector<Part> parts;  // by x, then group
  std::vector<Y> ys;        // by part, then y; none where the table has no columns of Y
  bool has_y() const { return !y_columns.empty(); }
  // Whether a y counts as a value of the column at a place among the columns of Y.
  bool Counts(std::uint32_t number, std::size_t place, std::uint32_t value) const {
    const std::uint32_t code = y.key(number)[place];
    return code != kOtherCode && AtOrBelow(y_trees[place], value, code);
  }
  std::span<const Y> y_of(const Part& part) const {
    return {ys.data() + part.first_y, part.last_y - part.first_y};
  }

  // Parts by group.
  std::vector<std::uint32_t> by_group;
  std::vector<std::size_t> group_begin;
  std::span<const std::uint32_t> of_group(std::size_t group) const {
    return {by_group.data() + group_begin[group], group_begin[group + 1] - group_begin[group]};
  }
};

std::vector<TableParts> MakeParts(const Linked& linked, const Matching& matching,
                                  const Requirement& requirement);

// Where in TableParts::x the codes of Requirement::x are: table and position.
std::vector<Attribute> PlacesOfX(const Requirement& requirement, std::size_t tables);

// Every x is one tuple of partitions: X tells, in these tables, to which groups its rows belong.
bool XTellsGroups(const Matching& matching, const std::vector<TableParts>& parts);

std::uint64_t Saturated(Wide value);
// part / whole as the nearest double, whatever both have been multiplied by.
double Share(Wide part, Wide whole);

}  // namespace reissue::models::xy
