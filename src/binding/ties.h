#pragma once
// Columns that are published as they are and tell nearly every row apart: who has two releases
// joins their rows on them, whatever is promised about the rest.

#include <cstdint>
#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/core/result.h"
#include "reissue/core/table.h"

namespace reissue::binding {

struct Tie {
  std::vector<std::string> columns;   // one, or several together
  std::uint64_t alone = 0, rows = 0;  // rows whose values no other row has, of so many
};

// Of the `columns` that the table has: each that tells half of the rows apart by itself; where
// there is none, all of them together if they do. Tables of fewer than ten rows tell nothing.
std::vector<Tie> TiesOf(const Table& table, const std::vector<std::string>& columns,
                        ThreadPool& pool);
// The same of a file, which is not read where there are no columns to look at.
Result<std::vector<Tie>> TiesOfFile(const std::string& path,
                                    const std::vector<std::string>& columns, Context& context);

std::string TieWords(const Tie& tie);

}  // namespace reissue::binding
