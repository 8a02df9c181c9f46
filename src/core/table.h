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
  std::uint64_t first_line = 1;  // line of row 0 where `lines` is empty
  // Line of every row; empty where row i stands on line first_line + i.
  std::vector<std::uint64_t> lines;
};

class Table {
 public:
  Table() = default;
  // All columns have the same number of values.
  Table(std::vector<Column> columns, std::size_t rows, Origin origin = {});

  std::size_t rows() const { return rows_; }
  std::size_t width() const { return columns_.size(); }
  const Column& operator[](ColumnId id) const { return columns_[id.index()]; }
  const std::vector<Column>& columns() const { return columns_; }
  std::optional<ColumnId> Find(std::string_view name) const;
  const Origin& origin() const { return origin_; }
  // File, line and column name of a value.
  Place PlaceOf(RowId row, ColumnId column) const;

 private:
  std::vector<Column> columns_;
  std::size_t rows_ = 0;
  Origin origin_;
};

// For tests and small tables: rows of strings.
Table MakeTable(const std::vector<std::string>& names,
                const std::vector<std::vector<std::string>>& rows);

}  // namespace reissue
