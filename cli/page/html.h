#pragma once
// HTML that cannot be anything else than meant: what files and people have written becomes part of
// it through Text and attribute values alone, both escaped. Plain values, thread-safe.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace reissue::cli::page {

// A word of our own: a literal of the program, never something that was read.
class Word {
 public:
  template <std::size_t N>
  consteval Word(const char (&literal)[N]) : text_(literal, N - 1) {}  // NOLINT: meant to convert
  constexpr std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

struct Attribute {
  Word name;
  std::string value;
};
using Attributes = std::vector<Attribute>;

// Finished markup. Only the functions below make it.
class Html {
 public:
  Html() = default;
  Html& operator+=(const Html& more) {
    text_ += more.text_;
    return *this;
  }
  friend Html operator+(Html a, const Html& b) { return a += b; }
  const std::string& text() const { return text_; }
  bool empty() const { return text_.empty(); }

 private:
  explicit Html(std::string text) : text_(std::move(text)) {}
  std::string text_;
  friend Html Text(std::string_view text);
  friend Html Literal(Word markup);
  friend Html Element(Word name, const Attributes& attributes, const Html& inside);
  friend Html Void(Word name, const Attributes& attributes);
};

// Any text. Control characters are made visible, bytes that are no UTF-8 are replaced.
Html Text(std::string_view text);
// Markup of our own.
Html Literal(Word markup);
Html Element(Word name, const Attributes& attributes, const Html& inside);
inline Html Element(Word name, const Html& inside) { return Element(name, Attributes{}, inside); }
// An element without an end, as <meta>.
Html Void(Word name, const Attributes& attributes);

}  // namespace reissue::cli::page
