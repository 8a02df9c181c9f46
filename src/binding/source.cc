#include "reissue/binding/source.h"

#include "reissue/binding/rows.h"
#include "reissue/sources/files.h"
#include "reissue/sources/parquet/source.h"

namespace reissue::binding {

Result<std::unique_ptr<sources::TableSource>> OpenSource(const std::string& name,
                                                         const io::CsvOptions& options,
                                                         Context& context) {
  if (sources::parquet::IsParquet(name)) {
    return sources::parquet::OpenTable({context.duckdb, 0}, context.files, name, context.pool,
                                       context.progress);
  }
  if (!IsFile(name, context)) return context.catalog->Open(name, options);
  return sources::OpenFile(context.files, name, options, context.pool, context.progress);
}

Result<sources::Counted> CountAll(const std::string& name, const io::CsvOptions& options,
                                  Context& context) {
  const auto source = REISSUE_TRY(OpenSource(name, options, context));
  return source->Count({.columns = source->columns(),
                        .identifier = {},
                        .hash = {},
                        .missing_markers = options.missing_markers,
                        .on_missing = MissingIn(options)});
}

}  // namespace reissue::binding
