#include "cli/render/text.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace reissue::cli {

std::string Count(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string Counted(std::uint64_t number, std::string_view one, std::string_view many) {
  return Count(number) + " " + std::string(number == 1 ? one : many);
}

std::string Number(double number) {
  if (std::isnan(number)) return "unknown";
  if (std::isinf(number)) return number > 0 ? "infinite" : "-infinite";
  if (number == std::floor(number) && std::abs(number) < 1e15) {
    const std::string digits = Count(static_cast<std::uint64_t>(std::abs(number)));
    return number < 0 ? "-" + digits : digits;
  }
  char text[32];
  std::snprintf(text, sizeof(text), "%.4g", number);
  return text;
}

std::string Percent(double share) {
  if (!std::isfinite(share)) return Number(share);
  char text[32];
  std::snprintf(text, sizeof(text), "%.3g %%", share * 100);
  return text;
}

std::size_t Columns(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = std::min(text.find('m', i), text.size() - 1);
    } else if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) {
      ++columns;
    }
  }
  return columns;
}

std::optional<std::size_t> ScreenWidth() {
  constexpr std::size_t kLeast = 50, kMost = 100;
  std::size_t width = 0;
  if (const char* asked = std::getenv("COLUMNS"); asked != nullptr) {
    const std::string_view digits = asked;
    std::from_chars(digits.data(), digits.data() + digits.size(), width);
  }
  winsize size{};
  if (width == 0 && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) width = size.ws_col;
  if (width == 0) return std::nullopt;
  return std::clamp(width, kLeast, kMost);
}

namespace {

// The last text of a row goes on below itself where the screen ends.
std::string Hanging(const std::string& line, const std::string& last, std::size_t screen) {
  constexpr std::size_t kLeast = 20;
  const std::size_t before = Columns(line);
  if (before + Columns(last) <= screen || before + kLeast > screen) return line + last;
  std::string text = Fill(last, before, screen);
  text.pop_back();  // the line feed
  return line + text.substr(before);
}

}  // namespace

std::string TextTable::ToString() const {
  std::vector<std::size_t> widths(columns_.size(), 0);
  for (const auto& row : rows_) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], Columns(row[c]));
  }
  const std::optional<std::size_t> screen = ScreenWidth();
  std::string text;
  for (const auto& row : rows_) {
    std::string line(indent_, ' ');
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c > 0) line += "  ";
      if (screen && c + 1 == columns_.size() && columns_[c] == Align::kLeft) {
        line = Hanging(line, row[c], *screen);
        continue;
      }
      const std::string padding(widths[c] - Columns(row[c]), ' ');
      line += columns_[c] == Align::kRight ? padding + row[c] : row[c] + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string Fill(std::string_view text, std::size_t indent, std::size_t width) {
  std::string filled;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view paragraph = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    std::string line;
    while (!paragraph.empty()) {
      const std::size_t blank = std::min(paragraph.find(' '), paragraph.size());
      const std::string_view word = paragraph.substr(0, blank);
      paragraph.remove_prefix(std::min(blank + 1, paragraph.size()));
      if (!line.empty() && indent + Columns(line) + 1 + Columns(word) > width) {
        filled += std::string(indent, ' ') + line + "\n";
        line.clear();
      }
      if (!line.empty()) line += ' ';
      line += word;
    }
    filled += line.empty() ? "\n" : std::string(indent, ' ') + line + "\n";
  }
  return filled;
}

}  // namespace reissue::cli
