#pragma once
// How a table is written, guessed from its first lines. Pure functions.

#include <string_view>
#include <vector>

#include "reissue/io/csv.h"

namespace reissue::advice {

struct Shape {
  // Separator, header, names c1, c2, … where there is none, trim, comment prefix, which columns
  // have decimal commas. No missing markers: every field is a value.
  io::CsvOptions csv;
  std::vector<std::string> reasons;  // for people: what is out of the ordinary, and why
};

// `beginning`: the first lines of the file, unpacked; what stands behind the last line feed is not
// looked at, unless there is none. A file that is no CSV gets the shape of a plain one: whoever
// reads it finds the fault.
Shape GuessShape(std::string_view beginning);

}  // namespace reissue::advice
