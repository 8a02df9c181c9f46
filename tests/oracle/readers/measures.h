#pragma once
// The promises of models `k` and `bcf`, as docs/formats/policy.md words them.

#include <map>
#include <string>
#include <vector>

#include "case.h"

namespace reissue::readers {

// Rows by sensitive value.
using Counts = std::map<std::string, double>;

// Promises that rows with these values break; `all`: the values of the whole release.
std::vector<std::string> Broken(const Case& one, const Counts& rows, const Counts& all);

// Draws one to three promises that a few rows may or may not keep.
void AskSomething(Chance& chance, Case& one);

// The sensitive column of the cases; its values are ordered by their names.
std::string DiseaseColumn(const std::vector<Sheet>& sheets);

}  // namespace reissue::readers
