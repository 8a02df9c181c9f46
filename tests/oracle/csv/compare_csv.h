#pragma once
// Reads the same bytes with the fast reader and with the slow one and says where they differ. For
// property tests and for the fuzzer.

#include <string>
#include <string_view>
#include <utility>

#include "csv/slow_csv.h"
#include "memory_file_system.h"
#include "reissue/io/csv_reader.h"

namespace reissue::oracle {

// The kind of fault behind a message of the fast reader.
inline SlowFault FaultOfMessage(std::string_view message) {
  constexpr std::pair<std::string_view, SlowFault> kKinds[] = {
      {"never closed", SlowFault::kOpenQuote},
      {"follows a closing quote", SlowFault::kAfterQuote},
      {"does not begin with one", SlowFault::kBareQuote},
      {"where the header has", SlowFault::kFieldCount},
      {"where the policy names", SlowFault::kFieldCount},
      {"not UTF-8", SlowFault::kNotText},
      {"NUL byte", SlowFault::kNul},
      {"the value is missing", SlowFault::kMissing},
      {"the file is empty", SlowFault::kEmpty},
      {"no header", SlowFault::kNoHeader},
      {"has no name", SlowFault::kNoName},
      {"have the same name", SlowFault::kSameName},
      {"end with CR alone", SlowFault::kCarriageReturns},
      {"no rows", SlowFault::kNoRows},
      {"rows were left out", SlowFault::kNoRows},
      {"and no CSV", SlowFault::kOtherFormat},
      {"a Parquet file", SlowFault::kOtherFormat},
  };
  for (const auto& [part, kind] : kKinds) {
    if (message.find(part) != std::string_view::npos) return kind;
  }
  return SlowFault::kNone;
}

inline SlowOptions ForSlowReader(const io::CsvOptions& options) {
  return {options.separator,
          options.header,
          options.columns,
          options.trim,
          options.skip_columns,
          options.missing_markers,
          options.on_missing == io::OnMissing::kValue,
          options.on_missing == io::OnMissing::kDropRow,
          options.comment_prefix};
}

// Codes must be numbered by first appearance, and every one must be used.
inline bool CodesInOrder(const Column& column) {
  std::uint32_t next = 0;
  for (const ValueId value : column.values()) {
    if (value.raw() > next) return false;
    if (value.raw() == next) ++next;
  }
  return next == column.dictionary().size();
}

inline std::string CompareTables(const io::CsvFile& fast, const SlowTable& slow,
                                 const io::CsvOptions& options) {
  if (fast.header != slow.header) return "header";
  if (fast.separator != slow.separator) return "separator";
  if (fast.dropped_rows != slow.dropped) return "dropped rows";
  if (fast.table.rows() != slow.rows.size()) return "number of rows";
  std::size_t kept = 0;
  for (std::size_t c = 0; c < slow.header.size(); ++c) {
    if (slow::Reader::Contains(options.skip_columns, slow.header[c])) continue;
    if (kept == fast.table.width()) return "number of columns";
    const Column& column = fast.table[ColumnId(kept)];
    if (column.name() != slow.header[c]) return "name of a column";
    if (!CodesInOrder(column)) return "order of codes";
    for (std::size_t r = 0; r < slow.rows.size(); ++r) {
      if (column.text(RowId(r)) != slow.rows[r].fields[c]) return "value";
      if (fast.table.PlaceOf(RowId(r), ColumnId(kept)).line != slow.rows[r].line) return "line";
    }
    ++kept;
  }
  return kept == fast.table.width() ? "" : "number of columns";
}

// Empty where both agree on everything: values, order of codes, lines, or the fault and its line.
inline std::string CompareReaders(std::string_view text, const io::CsvOptions& options,
                                  ThreadPool& pool, const io::internal::CsvTuning& tuning) {
  io::MemoryFileSystem files;
  files.Put("table.csv", std::string(text));
  Progress progress;
  const auto fast = io::internal::ReadCsvTuned(files, "table.csv", options, pool, progress, tuning);
  const SlowTable slow = ReadCsvSlowly(text, ForSlowReader(options));
  if (fast.has_value() != (slow.fault == SlowFault::kNone)) {
    return fast ? "only the slow reader fails, on line " + std::to_string(slow.fault_line)
                : "only the fast reader fails: " + fast.error().ToString();
  }
  if (fast) return CompareTables(*fast, slow, options);
  const Error& error = fast.error();
  const std::uint64_t line = error.place && error.place->line ? *error.place->line : 0;
  if (FaultOfMessage(error.message) != slow.fault) return "kind of fault: " + error.ToString();
  if (line != slow.fault_line) {
    return "line of fault: " + error.ToString() + ", expected " + std::to_string(slow.fault_line);
  }
  return "";
}

}  // namespace reissue::oracle
