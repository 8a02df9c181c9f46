#include "cli/style.h"

#include <langinfo.h>
#include <unistd.h>

#include <array>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace reissue::cli {
namespace {

bool LocaleIsUtf8() {
  const locale_t locale = ::newlocale(LC_CTYPE_MASK, "", nullptr);
  if (locale == nullptr) return false;  // of a locale that is not installed nothing is known
  const bool utf8 = std::string_view(::nl_langinfo_l(CODESET, locale)) == "UTF-8";
  ::freelocale(locale);
  return utf8;
}

// The signs that our sentences have.
constexpr std::array<std::pair<std::string_view, std::string_view>, 14> kSigns = {{
    {"…", "..."},
    {"–", "-"},
    {"−", "-"},
    {"×", "x"},
    {"·", "*"},
    {"≥", ">="},
    {"≤", "<="},
    {"≠", "!="},
    {"→", "->"},
    {"ℓ", "l"},
    {"α", "alpha"},
    {"β", "beta"},
    {"δ", "delta"},
    {"½", "1/2"},
}};

}  // namespace

std::string ForLocale(std::string text) {
  static const bool utf8 = LocaleIsUtf8();
  if (utf8) return text;
  for (const auto& [sign, letters] : kSigns) {
    for (std::size_t at = text.find(sign); at != std::string::npos;
         at = text.find(sign, at + letters.size())) {
      text.replace(at, sign.size(), letters);
    }
  }
  return text;
}

Style Style::For(int descriptor) {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool refused = no_colour != nullptr && *no_colour != '\0';
  const bool dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return Style(!refused && !dumb && isatty(descriptor) == 1);
}

std::string Style::Wrap(std::string_view code, std::string_view text) const {
  if (!colour_) return std::string(text);
  return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

std::string Printable(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // C1 controls are two bytes in UTF-8: C2 80 … C2 9F.
    const bool c1 = byte == 0xC2 && i + 1 < text.size() &&
                    static_cast<unsigned char>(text[i + 1]) >= 0x80 &&
                    static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if ((byte >= 0x20 && byte != 0x7F && !c1) || byte == '\n') {
      plain += text[i];
      continue;
    }
    char escaped[8];
    const unsigned shown = c1 ? static_cast<unsigned char>(text[++i]) : byte;
    std::snprintf(escaped, sizeof(escaped), "\\x%02x", shown);
    plain += escaped;
  }
  return plain;
}

std::string FileName(const std::string& file) {
  return file == "-" ? "standard input" : Printable(file);
}

std::string PrintableList(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + Printable(text);
  return list;
}

}  // namespace reissue::cli
