#include "reissue/binding/source.h"

namespace reissue::binding {

Result<sources::Counted> CountAll(const std::string& name, const io::CsvOptions& options,
                                  Context& context) {
  if (context.catalog == nullptr) {
    io::CsvFile file =
        REISSUE_TRY(io::ReadCsv(context.files, name, options, context.pool, context.progress));
    sources::Counted counted;
    counted.table = std::move(file.table);
    counted.digest = std::move(file.digest);
    counted.fingerprint = file.fingerprint;
    return counted;
  }
  const auto source = REISSUE_TRY(context.catalog->Open(name, options));
  sources::Wanted wanted;
  wanted.columns = source->columns();
  wanted.missing_markers = options.missing_markers;
  wanted.on_missing = options.on_missing;
  return source->Count(wanted);
}

}  // namespace reissue::binding
