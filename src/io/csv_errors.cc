#include <fmt/format.h>

#include "reissue/io/csv_reader.h"
#include "reissue/io/encoding.h"

namespace reissue::io::internal {

std::string NameOf(const std::string& path) { return path == "-" ? "standard input" : path; }

Error ErrorOf(const LaneFault& fault, const std::string& file, std::uint64_t line,
              std::size_t width, bool header, const std::string& column) {
  Place place{.file = file, .line = line, .byte = {}, .column = {}};
  switch (fault.fault) {
    case Fault::kOpenQuote:
      return InputError(place, "a quote opens here and is never closed",
                        "Close the quoted field; a quote inside it is written twice (\"\").");
    case Fault::kAfterQuote:
      return InputError(place, "something follows a closing quote",
                        "After a quoted field comes a separator or the end of the line; a quote "
                        "inside the field is written twice (\"\").");
    case Fault::kBareQuote:
      return InputError(place, "a quote inside a field that does not begin with one",
                        "Put the whole field in quotes and write the quote inside it twice (\"\"). "
                        "If there are blanks before the opening quote, set trim = true.");
    case Fault::kFieldCount:
      return InputError(
          place,
          fmt::format("{} field{} where {} {}", fault.fields, fault.fields == 1 ? "" : "s",
                      header ? "the header has" : "the policy names", width),
          "Check the separators and quotes on this line. An empty line inside the table counts as "
          "one field: remove it.");
    case Fault::kIllFormed:
      return InputError(place, kNotUtf8,
                        "Save the file as UTF-8; for example: iconv -f WINDOWS-1252 -t UTF-8. For "
                        "a table of Excel's, [table] encoding = \"windows-1252\" in the policy may "
                        "be right.");
    case Fault::kNul:
      return InputError(
          place, "a NUL byte, which no text has",
          "The file may be damaged, UTF-16, or no CSV at all; save it as UTF-8 text.");
    case Fault::kMissing:
      place.column = column;
      return InputError(place, "the value is missing",
                        "Complete it, or decide in the policy: [table] missing = \"drop-row\" "
                        "leaves such rows out, missing = \"value\" treats the marker as a value.");
    case Fault::kNone:
      break;
  }
  REISSUE_CHECK(false);
  return InputError(place, {}, {});
}

}  // namespace reissue::io::internal
