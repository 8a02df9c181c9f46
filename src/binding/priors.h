#pragma once
// Earlier releases that readers have, as somebody names them. Plain values.

#include <string>

namespace reissue::binding {

// The first is called `prior`, the others `prior2`, `prior3`, …, and all of them by the name they
// were given, if they were.
struct PriorFile {
  std::string name;  // empty: none was given
  std::string file;
};

// "FILE" or "NAME=FILE", where a name has letters, digits, - and _.
PriorFile ParsePrior(const std::string& text);

}  // namespace reissue::binding
