#pragma once
// Colours and plain text for a terminal, and how much of it is wanted. A Style without colour
// returns its argument unchanged, so renderers need not ask where their text goes. Plain values,
// thread-safe.

#include <string>
#include <string_view>
#include <vector>

namespace reissue::cli {

class Style {
 public:
  // No colour at all.
  Style() = default;
  explicit Style(bool colour, bool whole = false) : colour_(colour), whole_(whole) {}
  // Colours where `descriptor` is a terminal that can show them and NO_COLOR is not set.
  static Style For(int descriptor);

  // The same, with lists in full.
  Style Whole() const { return Style(colour_, true); }
  // Whether lists of labels and steps of explanations are given in full, or the text stays short.
  bool whole() const { return whole_; }

  std::string Heading(std::string_view text) const { return Wrap("1", text); }
  std::string Good(std::string_view text) const { return Wrap("1;32", text); }
  std::string Bad(std::string_view text) const { return Wrap("1;31", text); }
  std::string Warning(std::string_view text) const { return Wrap("33", text); }

 private:
  std::string Wrap(std::string_view code, std::string_view text) const;
  bool colour_ = false;
  bool whole_ = false;
};

// Control characters made visible (`\x1b`), so that a label of a foreign file cannot drive the
// terminal. Line feeds stay.
std::string Printable(std::string_view text);
// "a, b", each Printable.
std::string PrintableList(const std::vector<std::string>& texts);

// A file as reports name it, Printable: `-` is standard input.
std::string FileName(const std::string& file);

// Where the locale is not UTF-8: our own signs beyond ASCII in letters of it, `…` as `...`, `≥` as
// `>=`. What comes from files stays as it is.
std::string ForLocale(std::string text);

}  // namespace reissue::cli
