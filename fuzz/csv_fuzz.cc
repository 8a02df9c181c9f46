// Any bytes as CSV: the fast reader must agree with the slow one, on one thread and on three, with
// lanes and windows so small that every boundary falls into the middle of something. The first byte
// chooses the options.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "csv/compare_csv.h"
#include "reissue/core/parallel.h"
#include "reissue/io/compression.h"

namespace {

using reissue::io::CsvOptions;
using reissue::io::OnMissing;

CsvOptions OptionsFrom(std::uint8_t choice) {
  CsvOptions options;
  options.trim = (choice & 1) != 0;
  if ((choice & 2) != 0) options.comment_prefix = "#";
  if ((choice & 4) != 0) options.missing_markers = {"?", ""};
  if ((choice & 8) != 0) options.on_missing = OnMissing::kDropRow;
  if ((choice & 16) != 0) options.skip_columns = {"b"};
  if ((choice & 32) != 0) {
    options.header = false;
    options.columns = {"a", "b"};
  }
  if ((choice & 64) != 0) options.separator = ';';
  options.digest = false;
  return options;
}

void Compare(std::string_view text, const CsvOptions& options, reissue::ThreadPool& pool,
             const reissue::io::internal::CsvTuning& tuning) {
  const std::string difference = reissue::oracle::CompareReaders(text, options, pool, tuning);
  if (difference.empty()) return;
  std::fprintf(stderr, "the readers differ: %s\n", difference.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static reissue::ThreadPool one(1);
  static reissue::ThreadPool three(3);
  if (size == 0) return 0;
  const CsvOptions options = OptionsFrom(data[0]);
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (reissue::io::internal::IsCompressed(text)) {
    // The slow reader unpacks nothing; the fast one must only survive.
    (void)reissue::io::internal::Decompress(text, "table.csv").has_value();
    return 0;
  }
  Compare(text, options, one, {1, 1 << 15, false});
  Compare(text, options, one, {1, 64, true});
  Compare(text, options, three, {5, 64, false});
  return 0;
}
