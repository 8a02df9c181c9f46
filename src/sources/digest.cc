#include "reissue/sources/digest.h"

#include <cstdint>
#include <string_view>

#include "reissue/io/csv.h"

namespace reissue::sources {
namespace {

void AppendNumber(std::string& bytes, std::uint64_t number) {
  for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(number >> shift);
}

void AppendText(std::string& bytes, std::string_view text) {
  AppendNumber(bytes, text.size());
  bytes += text;
}

}  // namespace

std::string DigestOfCounted(const Table& table) {
  std::string bytes = "reissue counted 1\n";
  AppendNumber(bytes, table.width());
  for (const Column& column : table.columns()) {
    AppendText(bytes, column.name());
    AppendNumber(bytes, column.dictionary().size());
    for (const std::string_view text : column.dictionary().strings()) AppendText(bytes, text);
  }
  AppendNumber(bytes, table.rows());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (const Column& column : table.columns()) {
      AppendNumber(bytes, column[RowId(row)].raw());
    }
    AppendNumber(bytes, table.weight(RowId(row)));
  }
  return io::Digest(bytes);
}

}  // namespace reissue::sources
