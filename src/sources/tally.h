#pragma once
// Distinct combinations of texts with counts, as servers and libraries answer with them, until they
// are one table. Filled by one thread; memory grows with the combinations.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reissue/core/dictionary.h"
#include "reissue/core/parallel.h"
#include "reissue/core/result.h"
#include "reissue/core/table.h"
#include "reissue/sources/table_source.h"

namespace reissue::sources {

// A text as it was read; empty: NULL.
using Field = std::optional<std::string_view>;

// The values of one column, and which of them mean that there is none.
class Values {
 public:
  // `markers` and kValue as in Wanted.
  Values(const std::vector<std::string>& markers, io::OnMissing on_missing);

  struct Coded {
    std::uint32_t code;
    bool missing;  // an error, or a reason to drop the row: never with kValue
  };
  Coded Code(const Field& field);
  bool IsMissing(const Field& field) const;
  const DictionaryBuilder& texts() const { return texts_; }
  std::shared_ptr<const Dictionary> Build() && { return std::move(texts_).Build(); }
  // The text of a field that is not missing, or counts as a value.
  std::string_view TextOf(const Field& field) const;

 private:
  DictionaryBuilder texts_;
  std::vector<std::string> markers_;
  bool as_values_;
  std::string null_text_;
};

class Tally {
 public:
  Tally(std::string table, std::vector<std::string> columns, const Wanted& wanted);

  // One combination of the columns and its rows. False: it is dropped, and counted as dropped. An
  // error where a value is missing and must not be; it names the column.
  Result<bool> Add(std::span<const Field> fields, std::uint64_t rows);
  // What another server has sent; the combinations of this one keep their numbers, those of the
  // other come behind them.
  void Append(const Tally& other);

  std::size_t size() const { return counts_.size(); }
  // One row of a combination is not to be there after all.
  void Drop(std::size_t entry);
  void DropRows(std::uint64_t rows) { dropped_ += rows; }
  std::uint64_t dropped() const { return dropped_; }
  // The number of a combination that was added; empty where it was dropped. After the first call
  // nothing is added.
  std::optional<std::size_t> Find(std::span<const Field> fields);

  // The canonical table (sources::Counted), and if it is wanted, per combination in the order of
  // Add which of its rows it is. An error where there are no rows.
  struct Made {
    Table table;
    std::vector<std::uint32_t> row_of;
  };
  Result<Made> Make(ThreadPool& pool, bool with_row_of) &&;

 private:
  std::string table_;
  std::vector<std::string> columns_;
  io::OnMissing on_missing_;
  std::vector<Values> values_;
  std::vector<std::uint32_t> codes_;
  std::vector<std::uint64_t> counts_;
  std::uint64_t dropped_ = 0;
  std::vector<std::uint32_t> sorted_;  // combinations by their codes, for Find
  std::vector<std::uint32_t> row_;     // of this call
};

// Rows one by one, for models that need them.
class RowCollector {
 public:
  RowCollector(std::string table, std::vector<std::string> columns, const Wanted& wanted);
  // Drops the row, or is an error, where a value is missing.
  Status Add(std::span<const Field> fields);
  void Append(const RowCollector& other);
  std::uint64_t dropped() const { return dropped_; }
  // An error where there are no rows.
  Result<Table> Make() &&;

 private:
  std::string table_;
  std::vector<std::string> columns_;
  io::OnMissing on_missing_;
  std::vector<Values> values_;
  std::vector<std::vector<ValueId>> codes_;
  std::uint64_t dropped_ = 0;
};

Error MissingValue(const std::string& table, const std::string& column);

// Sorts persons by their keys; where two have the same, `identifier` is where to say so.
std::optional<Twice> FindTwice(std::vector<Person>& persons, Place identifier);

}  // namespace reissue::sources
