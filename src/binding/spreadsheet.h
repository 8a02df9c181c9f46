#pragma once
// Cells that other programs take for more than text: formulas, which a spreadsheet runs when it
// opens a file, and control characters, which a terminal obeys. And a copy of a published file in
// which no cell is one. No state.

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reissue/binding/load.h"
#include "reissue/core/result.h"
#include "reissue/core/table.h"

namespace reissue::binding {

enum class CellRisk { kNone, kFormula, kControl };

// A formula begins with = + - @, in full width too, or a tab, whatever blanks are before it;
// numbers
// (-5, +3.2) are none, and a sign alone is none.
// Line ends and tabs inside a cell are no control characters.
CellRisk RiskOf(std::string_view cell);

// How many cells are risky, by column.
class CellRisks {
 public:
  void Add(const std::string& column, std::string_view cell, std::uint64_t times = 1);
  bool none() const { return columns_.empty(); }
  // For people, a line per column and kind. Never the cells.
  std::vector<std::string> Words() const;

 private:
  struct Counts {
    std::uint64_t formulas = 0, controls = 0;
  };
  std::map<std::string, Counts> columns_;
};

// Of what a table would publish, raw values as well as labels that may stand for them.
CellRisks RisksOf(const HolderTable& holder);
// Of a release that was counted.
CellRisks RisksOf(const Table& release);
// Of a published file.
Result<CellRisks> RisksOfFile(const std::string& path, Context& context);

// The same text as a cell that is no risk: an apostrophe before what begins like a formula, also
// behind a semicolon, a tab or the end of a line, which some spreadsheets take for the end of a
// cell; control characters as signs for them. A text that is no risk stays as it is.
std::string NeutralCell(std::string_view cell);

struct NeutralCopy {
  std::uint64_t rows = 0, cells = 0;  // those that had to change; names of columns count
};
// Of a published file, row by row in its order, in pieces of some size. A mark of UTF-8 first, by
// which spreadsheets recognise the encoding.
using WriteText = std::function<Status(std::string_view text)>;
Result<NeutralCopy> CopyForSpreadsheets(const std::string& path, Context& context,
                                        const WriteText& write);

}  // namespace reissue::binding
