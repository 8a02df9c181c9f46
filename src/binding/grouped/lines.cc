#include "reissue/binding/grouped/lines.h"

#include <charconv>

#include "reissue/binding/release_writer.h"
#include "reissue/io/csv.h"

namespace reissue::binding {

Status WriteNames(const std::vector<std::string>& names, FileLines& lines) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) lines.buffer() += ',';
    AppendName(lines.buffer(), names[i]);
  }
  return lines.EndLine();
}

std::vector<std::string> ValueFields(const std::vector<ValueTexts>& values) {
  std::vector<std::string> fields(values.size());
  for (std::size_t v = 0; v < values.size(); ++v) {
    for (std::size_t part = 0; part < values[v].size(); ++part) {
      if (part > 0) fields[v] += ',';
      io::AppendField(fields[v], values[v][part]);
    }
  }
  return fields;
}

void AppendNumber(std::uint64_t number, std::string& text) {
  char digits[20];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  text.append(digits, end);
}

}  // namespace reissue::binding
