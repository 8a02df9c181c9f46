#include "reissue/binding/source.h"

#include "reissue/sources/files.h"

namespace reissue::binding {

Result<std::unique_ptr<sources::TableSource>> OpenSource(const std::string& name,
                                                         const io::CsvOptions& options,
                                                         Context& context) {
  if (context.catalog != nullptr) return context.catalog->Open(name, options);
  return sources::OpenFile(context.files, name, options, context.pool, context.progress);
}

Result<sources::Counted> CountAll(const std::string& name, const io::CsvOptions& options,
                                  Context& context) {
  const auto source = REISSUE_TRY(OpenSource(name, options, context));
  return source->Count({.columns = source->columns(),
                        .identifier = {},
                        .hash = {},
                        .missing_markers = options.missing_markers,
                        .on_missing = options.on_missing});
}

}  // namespace reissue::binding
