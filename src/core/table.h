#pragma once
// An immutable table in columns: each column is a vector of value ids with a shared dictionary.
// Built once by a reader or a test, then read by any number of threads.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reissue/core/dictionary.h"
#include "reissue/core/ids.h"
#include "reissue/core/result.h"

namespace reissue {

class Column {
 public:
  Column(std::string name, std::shared_ptr<const Dictionary> dictionary,
         std::vector<ValueId> values);

  const std::string& name() const { return name_; }
  const Dictionary& dictionary() const { return *dictionary_; }
  const std::shared_ptr<const Dictionary>& shared_dictionary() const { return dictionary_; }
  std::span<const ValueId> values() const { return values_; }
  ValueId operator[](RowId row) const { return values_[row.index()]; }
  std::string_view text(RowId row) const { return (*dictionary_)[values_[row.index()]]; }

 private:
  std::string name_;
  std::shared_ptr<const Dictionary> dictionary_;
  std::vector<ValueId> values_;
};

// Where the rows came from, for error messages.
struct Origin {
  std::string file;
  // Line of row 0 where `lines` is empty; 0: rows have no lines, as those of a database.
  std::uint64_t first_line = 1;
  // Line of every row; empty where row i stands on line first_line + i.
  std::vector<std::uint64_t> lines;
};

class Table {
 public:
  Table() = default;
  // All columns have the same number of values. `weights` is empty, or says for every row how many
  // rows of the source it stands for: distinct combinations are a table, too (a counted one).
  Table(std::vector<Column> columns, std::size_t rows, Origin origin = {},
        std::vector<std::uint64_t> weights = {});

  std::size_t rows() const { return rows_; }
  bool counted() const { return !weights_.empty(); }
  std::uint64_t weight(RowId row) const { return weights_.empty() ? 1 : weights_[row.index()]; }
  const std::vector<std::uint64_t>& weights() const { return weights_; }
  // Rows of the source: who counts people counts these.
  std::uint64_t total() const { return total_; }
  std::size_t width() const { return columns_.size(); }
  const Column& operator[](ColumnId id) const { return columns_[id.index()]; }
  const std::vector<Column>& columns() const { return columns_; }
  std::optional<ColumnId> Find(std::string_view name) const;
  const Origin& origin() const { return origin_; }
  // File, line and column name of a value.
  Place PlaceOf(RowId row, ColumnId column) const;
  // Of the rows with a value the one that stands first in the source; Invalid() where there is
  // none.
  RowId FirstWith(ColumnId column, ValueId value) const;

 private:
  std::vector<Column> columns_;
  std::size_t rows_ = 0;
  Origin origin_;
  std::vector<std::uint64_t> weights_;
  std::uint64_t total_ = 0;
};

// For tests and small tables: rows of strings.
Table MakeTable(const std::vector<std::string>& names,
                const std::vector<std::vector<std::string>>& rows);

}  // namespace reissue
