#include <fmt/format.h>

#include <algorithm>

#include "reissue/binding/load.h"
#include "reissue/binding/sensitive.h"
#include "reissue/binding/source.h"
#include "reissue/binding/words.h"

namespace reissue::binding {
namespace {

// The columns that readers look at are there, and no others than the policy names.
Status MatchRelease(const ReleaseColumns& columns, const Table& table, const std::string& path) {
  std::vector<std::string> known, unnamed, absent, there;
  for (const auto* names : {&columns.quasi, &columns.sensitive, &columns.others, &columns.hidden}) {
    known.insert(known.end(), names->begin(), names->end());
  }
  for (const Column& column : table.columns()) {
    there.push_back(column.name());
    if (!columns.hides_others &&
        std::find(known.begin(), known.end(), column.name()) == known.end()) {
      unnamed.push_back(column.name());
    }
  }
  for (const auto* names : {&columns.quasi, &columns.sensitive}) {
    for (const std::string& name : *names) {
      if (!table.Find(name)) absent.push_back(name);
    }
  }
  const bool has_lines = table.origin().first_line > 0 || !table.origin().lines.empty();
  const auto line = has_lines ? std::optional<std::uint64_t>(1) : std::nullopt;
  const auto place = [&](const std::vector<std::string>& names) {
    return Place{path, line, std::nullopt, names.size() == 1 ? names[0] : ""};
  };
  const std::string both = fmt::format(" The release has {}; the policy names {}.",
                                       QuotedNames(there), QuotedNames(known));
  const std::string lacking = absent.empty()
                                  ? ""
                                  : fmt::format("the release lacks the column{} {}",
                                                absent.size() == 1 ? "" : "s", QuotedNames(absent));
  if (!unnamed.empty()) {
    return InputError(
        place(unnamed),
        (unnamed.size() == 1 ? "the policy does not name this column of the release"
                             : fmt::format("the policy does not name {} columns of the release: {}",
                                           unnamed.size(), QuotedNames(unnamed))) +
            (lacking.empty() ? "" : ", and " + lacking),
        "Add what the policy does not name to [columns]: role = \"publish\" if it is meant to be "
        "there." +
            both);
  }
  if (absent.empty()) return Ok();
  return InputError(place(absent), absent.size() == 1 ? "the release lacks this column" : lacking,
                    "Readers cannot attack what is not there; if it was never published, give "
                    "it role = \"drop\"." +
                        both);
}

}  // namespace

Result<ReleaseTable> LoadRelease(const ReleaseColumns& columns, const std::string& path,
                                 Context& context) {
  io::CsvOptions options;
  if (columns.hides_others) options.others = io::OtherColumns::kKept;
  for (const auto* names : {&columns.quasi, &columns.sensitive, &columns.others, &columns.hidden}) {
    options.expected_columns.insert(options.expected_columns.end(), names->begin(), names->end());
  }
  options.no_header_remedy =
      "A published file begins with a line of column names, whatever [table] says of the holder's "
      "table: give the release as it was published, or add that line. The policy names " +
      QuotedNames(options.expected_columns) + ".";
  sources::Counted file = REISSUE_TRY(CountAll(path, options, context));
  return BindRelease(columns, std::move(file), path);
}

Result<ReleaseTable> BindRelease(const ReleaseColumns& columns, sources::Counted file,
                                 const std::string& path) {
  ReleaseTable release;
  release.digest = std::move(file.digest);
  release.fingerprint = file.fingerprint.value_or(io::Fingerprint{});
  release.table = std::move(file.table);
  REISSUE_TRY(MatchRelease(columns, release.table, path));
  for (const Column& column : release.table.columns()) {
    const auto among = [&](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), column.name()) != names.end();
    };
    if (among(columns.identifiers)) {
      release.identifiers.push_back(column.name());
    } else if (!among(columns.quasi) && !among(columns.sensitive) && !among(columns.others)) {
      release.dropped.push_back(column.name());
    }
  }
  const auto find = [&](const std::vector<std::string>& names) {
    std::vector<ColumnId> ids;
    for (const std::string& name : names) ids.push_back(*release.table.Find(name));
    return ids;
  };
  release.quasi = find(columns.quasi);
  std::vector<ColumnId> sensitive = find(columns.sensitive);
  release.sensitive = BindSensitive(release.table, std::move(sensitive), columns.numeric);
  return release;
}

Cells CellsWithSensitive(const Table& table, std::vector<ColumnId> columns,
                         std::optional<ColumnId> last, ThreadPool& pool) {
  if (last) {
    columns.push_back(*last);
    return BuildCells(table, columns, pool);
  }
  const Cells cells = BuildCells(table, columns, pool);
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto key = cells.key(CellId(i));
    keys.insert(keys.end(), key.begin(), key.end());
    keys.push_back(0);
    counts.push_back(cells.count(CellId(i)));
  }
  return Cells(columns.size() + 1, std::move(keys), std::move(counts));
}

Cells ReleaseCells(const ReleaseTable& release, ThreadPool& pool) {
  return CellsWithSensitive(release.table, release.quasi, release.sensitive.column, pool);
}

}  // namespace reissue::binding
