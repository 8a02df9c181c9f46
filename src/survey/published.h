#pragma once
// Files as their readers have them, without a promise: combinations of labels with their rows, and
// the sensitive values of each. Labels have the same numbers in all files. Plain values.

#include <cstdint>
#include <span>
#include <vector>

#include "reissue/core/cells.h"
#include "reissue/labels/column.h"

namespace reissue::survey {

using Columns = std::vector<labels::ColumnLabels>;

// A number that is at least `lower` and at most `upper`.
struct FromTo {
  std::uint64_t lower = 0, upper = 0;
  bool exact() const { return lower == upper; }
  bool operator==(const FromTo&) const = default;
};

// The values of one sensitive column.
struct Value {
  std::uint32_t code = 0;
  std::uint64_t rows = 0;
};

class Published {
 public:
  Published() = default;
  // Keys: a label per column, then a code per sensitive column. Rows with the same labels are one
  // cell.
  Published(std::size_t columns, std::size_t sensitive, const Cells& rows);

  std::size_t columns() const { return columns_; }
  std::size_t sensitive() const { return values_.size(); }
  std::size_t cells() const { return rows_.size(); }
  std::uint64_t rows() const { return all_rows_; }
  std::span<const std::uint32_t> key(std::size_t cell) const {
    return {keys_.data() + cell * columns_, columns_};
  }
  std::uint64_t rows(std::size_t cell) const { return rows_[cell]; }
  // Codes ascending.
  std::span<const Value> values(std::size_t cell, std::size_t sensitive) const {
    const Histogram& histogram = values_[sensitive];
    return {histogram.values.data() + histogram.first[cell],
            histogram.first[cell + 1] - histogram.first[cell]};
  }

  // The same rows with some of the columns, in this order.
  Published Project(std::span<const std::size_t> columns) const;

 private:
  struct Histogram {
    std::vector<std::size_t> first = {0};  // per cell
    std::vector<Value> values;
  };
  std::size_t columns_ = 0;
  std::vector<std::uint32_t> keys_;
  std::vector<std::uint64_t> rows_;
  std::vector<Histogram> values_;
  std::uint64_t all_rows_ = 0;
};

}  // namespace reissue::survey
