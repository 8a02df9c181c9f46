#include "reissue/binding/ties.h"

#include <fmt/format.h>

#include "reissue/binding/source.h"
#include "reissue/binding/words.h"
#include "reissue/core/cells.h"

namespace reissue::binding {
namespace {

constexpr std::uint64_t kFewestRows = 10;

std::uint64_t RowsAlone(const Table& table, const std::vector<ColumnId>& columns,
                        ThreadPool& pool) {
  const Cells cells = BuildCells(table, columns, pool);
  std::uint64_t alone = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) alone += cells.count(CellId(i)) == 1 ? 1 : 0;
  return alone;
}

}  // namespace

std::vector<Tie> TiesOf(const Table& table, const std::vector<std::string>& columns,
                        ThreadPool& pool) {
  std::vector<Tie> ties;
  std::vector<ColumnId> there;
  std::vector<std::string> names;
  if (table.total() < kFewestRows) return ties;
  const auto look = [&](const std::vector<ColumnId>& ids, std::vector<std::string> of) {
    const std::uint64_t alone = RowsAlone(table, ids, pool);
    if (alone * 2 >= table.total()) ties.push_back({std::move(of), alone, table.total()});
  };
  for (const std::string& name : columns) {
    const auto id = table.Find(name);
    if (!id) continue;
    there.push_back(*id);
    names.push_back(name);
    look({*id}, {name});
  }
  if (ties.empty() && there.size() > 1) look(there, names);
  return ties;
}

Result<std::vector<Tie>> TiesOfFile(const std::string& path,
                                    const std::vector<std::string>& columns, Context& context) {
  if (columns.empty()) return std::vector<Tie>();
  io::CsvOptions options;
  options.digest = false;
  const sources::Counted file = REISSUE_TRY(CountAll(path, options, context));
  return TiesOf(file.table, columns, context.pool);
}

std::string TieWords(const Tie& tie) {
  const bool one = tie.columns.size() == 1;
  return fmt::format(
      "{} {}, published as {}, {} {} of {} rows apart from all others: like an identifier, {} "
      "{} rows of two releases, and of other files. No promise covers that. Give {} another role, "
      "or coarser values",
      one ? "column" : "the columns", QuotedNames(tie.columns), one ? "it is" : "they are together",
      one ? "tells" : "tell", tie.alone, tie.rows, one ? "it" : "they", one ? "joins" : "join",
      one ? "it" : "them");
}

}  // namespace reissue::binding
