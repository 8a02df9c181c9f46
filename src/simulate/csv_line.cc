#include "reissue/simulate/csv_line.h"

namespace reissue::simulate {

void AppendNumber(std::string& out, std::uint64_t number, std::size_t width) {
  char digits[20];
  std::size_t used = 0;
  do {
    digits[sizeof(digits) - ++used] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number > 0);
  while (used < width && used < sizeof(digits)) digits[sizeof(digits) - ++used] = '0';
  out.append(digits + sizeof(digits) - used, used);
}

void AppendText(std::string& out, std::string_view text) {
  const bool blanks = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  if (!text.empty() && !blanks && text.find_first_of(",\"\r\n") == std::string_view::npos) {
    out.append(text);
    return;
  }
  out.push_back('"');
  for (const char letter : text) {
    if (letter == '"') out.push_back('"');
    out.push_back(letter);
  }
  out.push_back('"');
}

}  // namespace reissue::simulate
