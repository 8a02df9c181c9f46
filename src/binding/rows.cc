#include "reissue/binding/rows.h"

#include <algorithm>

#include "reissue/binding/source.h"
#include "reissue/sources/parquet/source.h"
#include "reissue/sources/table_source.h"

namespace reissue::binding {
namespace {

bool Among(const std::string& name, const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The columns that are kept.
std::vector<std::string> Kept(const std::vector<std::string>& header,
                              const io::CsvOptions& options) {
  std::vector<std::string> kept;
  for (const std::string& name : header) {
    if (Among(name, options.skip_columns)) continue;
    const bool other = options.others == io::OtherColumns::kSkipped &&
                       !options.expected_columns.empty() && !Among(name, options.expected_columns);
    if (!other) kept.push_back(name);
  }
  return kept;
}

}  // namespace

bool IsFile(const std::string& name, const Context& context) {
  if (sources::parquet::IsParquet(name)) return false;
  return context.catalog == nullptr || context.catalog->IsFile(name);
}

std::optional<std::uint64_t> HeaderLine(const std::string& name, const Context& context) {
  return IsFile(name, context) ? std::optional<std::uint64_t>(1) : std::nullopt;
}

io::OnMissing MissingIn(const io::CsvOptions& options) {
  const bool none = options.missing_markers.empty() && options.on_missing == io::OnMissing::kError;
  return none ? io::OnMissing::kValue : options.on_missing;
}

Result<io::CsvFile> ReadRows(const std::string& name, const io::CsvOptions& options,
                             Context& context) {
  if (IsFile(name, context)) {
    return io::ReadCsv(context.files, name, options, context.pool, context.progress);
  }
  const auto source = REISSUE_TRY(OpenSource(name, options, context));
  io::CsvFile file;
  file.header = source->columns();
  if (options.check_header) REISSUE_TRY(options.check_header(file.header));
  sources::Wanted wanted;
  wanted.columns = Kept(file.header, options);
  wanted.missing_markers = options.missing_markers;
  wanted.on_missing = MissingIn(options);
  sources::Listed listed = REISSUE_TRY(source->Rows(wanted));
  file.table = std::move(listed.table);
  file.dropped_rows = listed.dropped_rows;
  file.digest = std::move(listed.digest);
  return file;
}

}  // namespace reissue::binding
