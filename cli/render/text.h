#pragma once
// Aligned columns, numbers and sentences for people.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reissue::cli {

// 48842 → "48,842".
std::string Count(std::uint64_t number);
// "1 row", "2 rows", "48,842 rows".
std::string Counted(std::uint64_t number, std::string_view one, std::string_view many);
// Four significant digits, without trailing zeros; "infinite" and "unknown" where it is none.
std::string Number(double number);
// 0.0123 → "1.23 %".
std::string Percent(double share);

// Columns of text, each as wide as its widest entry, two blanks apart. Entries may be UTF-8; each
// code point counts as one column. The last column is not padded.
class TextTable {
 public:
  enum class Align { kLeft, kRight };
  explicit TextTable(std::vector<Align> columns, std::size_t indent = 2)
      : columns_(std::move(columns)), indent_(indent) {}
  void Add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  bool empty() const { return rows_.empty(); }
  std::string ToString() const;

 private:
  std::vector<Align> columns_;
  std::size_t indent_;
  std::vector<std::vector<std::string>> rows_;
};

using Align = TextTable::Align;

// How wide a line may be: the terminal's width, or COLUMNS, from 50 to 100. Nothing where neither
// says: files and pipes.
std::optional<std::size_t> ScreenWidth();

// Breaks `text` at blanks into lines of at most `width` columns, each indented. Line feeds stay.
std::string Fill(std::string_view text, std::size_t indent = 0,
                 std::size_t width = ScreenWidth().value_or(80));

// Code points of a UTF-8 text, colour codes left out.
std::size_t Columns(std::string_view text);

}  // namespace reissue::cli
