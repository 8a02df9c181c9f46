#include "cli/page/html.h"

#include "cli/style.h"
#include "reissue/core/markup.h"
#include "reissue/io/utf8.h"

namespace reissue::cli::page {
namespace {

// Bytes that are no text, each as one sign of replacement.
std::string WellFormed(std::string_view text) {
  std::string sound;
  sound.reserve(text.size());
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    const std::size_t length = io::internal::CharacterLength(at, end);
    if (length == 0) {
      sound += "\xef\xbf\xbd";
      ++at;
    } else {
      sound.append(at, length);
      at += length;
    }
  }
  return sound;
}

std::string Escaped(std::string_view text) { return EscapedXml(Printable(WellFormed(text))); }

std::string Opened(Word name, const Attributes& attributes) {
  std::string text = "<" + std::string(name.text());
  for (const auto& [key, value] : attributes) {
    text += " " + std::string(key.text()) + "=\"" + Escaped(value) + "\"";
  }
  return text;
}

}  // namespace

Html Text(std::string_view text) { return Html(Escaped(text)); }

Html Literal(Word markup) { return Html(std::string(markup.text())); }

Html Element(Word name, const Attributes& attributes, const Html& inside) {
  return Html(Opened(name, attributes) + ">" + inside.text() + "</" + std::string(name.text()) +
              ">");
}

Html Void(Word name, const Attributes& attributes) { return Html(Opened(name, attributes) + ">"); }

}  // namespace reissue::cli::page
