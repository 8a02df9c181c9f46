#include "reissue/io/encoding.h"

#include <algorithm>
#include <array>
#include <utility>

namespace reissue::io::internal {
namespace {

// What 0x80 to 0x9F stand for; 0: nothing.
constexpr std::array<std::uint16_t, 32> kWindows1252 = {
    0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178};

// In front of a number with a point: no field of a table that is text begins with it.
constexpr char kAmbiguous = '\x1f';

void AppendCharacter(std::uint16_t character, std::string& text) {
  if (character < 0x800) {
    text += static_cast<char>(0xc0 | character >> 6);
  } else {
    text += static_cast<char>(0xe0 | character >> 12);
    text += static_cast<char>(0x80 | (character >> 6 & 0x3f));
  }
  text += static_cast<char>(0x80 | (character & 0x3f));
}

bool LooksLikeNumber(std::string_view field) {
  return field.find_first_not_of("0123456789+-.,eE ") == std::string_view::npos &&
         field.find_first_of("0123456789") != std::string_view::npos;
}

}  // namespace

void AppendFromWindows1252(std::string_view bytes, std::string& text) {
  for (const char byte : bytes) {
    const auto code = static_cast<unsigned char>(byte);
    const std::uint16_t character = code < 0x80   ? 0
                                    : code < 0xa0 ? kWindows1252[code - 0x80u]
                                                  : code;
    if (character == 0) {
      text += byte;
    } else {
      AppendCharacter(character, text);
    }
  }
}

Status IsNotMarkedUtf8(std::string_view beginning, const std::string& file) {
  if (!beginning.starts_with("\xEF\xBB\xBF")) return Ok();
  return InputError({.file = file, .line = 1, .byte = {}, .column = {}},
                    "the file begins with the mark of UTF-8, and the policy says that it is "
                    "Windows-1252",
                    "Remove `encoding` from [table] of the policy: UTF-8 needs none.");
}

Error InWordsOf(Encoding encoding, Error error) {
  if (encoding == Encoding::kWindows1252 && error.message == kNotUtf8) {
    error.message = "a byte that no character of Windows-1252 has";
    error.remedy =
        "The file may be in another encoding: correct `encoding` in [table] of the "
        "policy, or save the file as UTF-8.";
  }
  return error;
}

Status IsNoOtherFormat(std::string_view beginning, const std::string& file) {
  const Place place{.file = file, .line = {}, .byte = {}, .column = {}};
  constexpr char kSaveAsCsv[] =
      "Open it in the program that made it (Excel, LibreOffice), choose Save As and \"CSV UTF-8\", "
      "one sheet at a time, and name that file. Check dates and long numbers there: the program "
      "writes them as it shows them.";
  if (beginning.starts_with("PK\x03\x04")) {
    return InputError(place, "this is a workbook (.xlsx, .ods) or another zip archive, and no CSV",
                      kSaveAsCsv);
  }
  if (beginning.starts_with("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1")) {
    return InputError(place, "this is a workbook of an old Excel (.xls), and no CSV", kSaveAsCsv);
  }
  if (beginning.starts_with("PAR1")) {
    return InputError(place, "this is a Parquet file under another name",
                      "Give it a name that ends in .parquet.");
  }
  return Ok();
}

std::string WithDecimalPoint(std::string_view field) {
  std::string text(field);
  if (!LooksLikeNumber(field)) return text;
  if (field.find('.') != std::string_view::npos) return kAmbiguous + text;
  if (std::count(field.begin(), field.end(), ',') == 1) {
    std::replace(text.begin(), text.end(), ',', '.');
  }
  return text;
}

Status HasNoPoints(const Table& table, const CsvOptions& options) {
  for (const std::string& name : options.decimal_comma) {
    const std::optional<ColumnId> column = table.Find(name);
    if (!column) continue;
    // Of several the one that stands first.
    std::optional<Place> first;
    const Dictionary& dictionary = table[*column].dictionary();
    for (std::size_t v = 0; v < dictionary.size(); ++v) {
      if (!dictionary[ValueId(v)].starts_with(kAmbiguous)) continue;
      const RowId row = table.FirstWith(*column, ValueId(v));
      if (!row.valid()) continue;
      Place place = table.PlaceOf(row, *column);
      if (!first || place.line < first->line) first = std::move(place);
    }
    if (!first) continue;
    return InputError(*std::move(first),
                      "a number with a point, where the policy says decimal = \",\": it could mean "
                      "thousands",
                      "Write numbers without points between thousands, or correct `decimal` in "
                      "[table] of the policy.");
  }
  return Ok();
}

}  // namespace reissue::io::internal
