#pragma once
// Lines of a file that come again and again, as those of a release do: a few hundred distinct ones
// in a million. What was a record once is the same record wherever its bytes stand again, as long
// as one begins there: it need not be parsed. Belongs to one thread at a time.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reissue/core/ids.h"

namespace reissue::io::internal {

// When lines are remembered. No number changes what is read.
struct LineTuning {
  bool always = false;                           // and not where it pays
  std::size_t looked_at = std::size_t{1} << 15;  // lines, to find out whether it does
  std::size_t most = std::size_t{1} << 12;       // that are remembered
  std::size_t strangers = most;                  // new lines that are no reason to give up
};

// Whether most lines at the beginning of `text` are there several times.
bool LinesRepeat(std::string_view text, const LineTuning& tuning);

class KnownLines {
 public:
  static constexpr std::uint32_t kNone = static_cast<std::uint32_t>(-1);

  // Another text begins: lines and their codes are still known, rows are not.
  void ForgetRows();
  // The number of a line, with its newline; kNone: it is not known.
  std::uint32_t Find(std::string_view line) const;
  // A line that is not known, and is a whole record: its codes, and the row where they stand. Too
  // long ones, and those behind the `most`-th or the first megabyte, stay unknown.
  void Remember(std::string_view line, std::span<const ValueId> codes, std::uint32_t row,
                std::size_t most);
  std::span<const ValueId> CodesOf(std::uint32_t number) const {
    return {codes_.data() + number * width_, width_};
  }
  // Where a line stands in the columns that are filled now; kNone: not yet.
  std::uint32_t row_of(std::uint32_t number) const { return lines_[number].row; }
  void StandsIn(std::uint32_t number, std::uint32_t row) { lines_[number].row = row; }

  // Once too many lines were new, nobody asks again.
  void GiveUp() { given_up_ = true; }
  bool given_up() const { return given_up_; }

 private:
  struct Line {
    std::uint64_t hash = 0;
    std::size_t begin = 0;  // in text_
    std::uint32_t length = 0;
    std::uint32_t row = kNone;
  };

  void Grow();

  std::string text_;  // of the lines, one after the other
  std::vector<Line> lines_;
  std::vector<ValueId> codes_;
  std::size_t width_ = 0;
  std::vector<std::uint32_t> slots_;  // open addressing, at most half full; a number + 1
  bool given_up_ = false;
};

}  // namespace reissue::io::internal
