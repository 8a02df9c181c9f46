#pragma once
// Pieces of the line of numbers, cut where any of them begins or ends.

#include <cstdint>
#include <span>
#include <vector>

#include "reissue/labels/atoms.h"
#include "reissue/labels/notation.h"

namespace reissue::labels {

struct Line {
  std::uint32_t atoms = 0;     // parts that some piece covers, in the order of the line
  std::vector<Span> of_piece;  // never empty
  bool whole = false;          // all ends are whole numbers, and so are all numbers
  bool complete = false;       // the pieces leave no number out
};

// Where all ends are whole numbers only whole numbers count, unless a piece would have none.
// O(pieces log pieces).
Line CutLine(std::span<const Piece> pieces);

}  // namespace reissue::labels
