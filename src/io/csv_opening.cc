#include "reissue/io/csv_opening.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>

#include "reissue/io/encoding.h"
#include "reissue/io/utf8.h"

namespace reissue::io::internal {
namespace {

constexpr std::string_view kMarkOfUtf8 = "\xEF\xBB\xBF";

bool CanSeparate(char c) { return c == '\t' || (c >= ' ' && c <= '~' && c != '"'); }

}  // namespace

Status CsvOpening::Open(std::string_view text) {
  settled_ = true;  // the first bytes say it
  REISSUE_TRY(IsNoOtherFormat(text, file_));
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    return InputError(At(1), "the file is UTF-16, not UTF-8",
                      "Save the file as UTF-8; for example: iconv -f UTF-16 -t UTF-8.");
  }
  settled_ = false;
  if (text.starts_with(kMarkOfUtf8)) text.remove_prefix(kMarkOfUtf8.size());
  text_ = WithoutEmptyLinesAtEnd(text);
  TakeWordOfExcel();
  if (text_.empty()) {
    return InputError({.file = file_, .line = {}, .byte = {}, .column = {}}, "the file is empty",
                      "A table has a header with the names of its columns, and rows.");
  }
  if (options_.separator && !CanSeparate(*options_.separator)) {
    return UsageError("the separator must be a printable ASCII character or a tab, no quote");
  }
  REISSUE_TRY(SkipComments());
  RecogniseSeparator();
  REISSUE_TRY(ReadHeader());
  REISSUE_TRY(CheckNames());
  if (options_.check_header) REISSUE_TRY(options_.check_header(names_));
  plan_ = MakePlan();
  return Ok();
}

// A first line such as `sep=;` tells Excel the separator, and is no record.
void CsvOpening::TakeWordOfExcel() {
  constexpr std::string_view kWord = "sep=";
  if (!text_.starts_with(kWord) || text_.size() <= kWord.size()) return;
  if (!CanSeparate(text_[kWord.size()])) return;
  const std::string_view behind = text_.substr(kWord.size() + 1);
  const std::size_t end = behind.starts_with("\r\n") ? 2 : behind.starts_with('\n') ? 1 : 0;
  if (end == 0) return;
  told_ = text_[kWord.size()];
  text_ = behind.substr(end);
  ++line_;
}

// Comments before the first record.
Status CsvOpening::SkipComments() {
  while (!options_.comment_prefix.empty() && text_.starts_with(options_.comment_prefix)) {
    const std::size_t newline = text_.find('\n');
    const std::string_view comment = text_.substr(0, newline);
    settled_ = newline != std::string_view::npos;
    const char* end = text_.data() + text_.size();
    if (const char* at = FirstIllFormed(comment.data(), comment.data() + comment.size(), end)) {
      return ErrorOf({FaultOfText(at), 0, 0, 0}, file_, line_, 0, true, {});
    }
    if (newline == std::string_view::npos) {
      text_ = {};
      break;
    }
    text_.remove_prefix(newline + 1);
    ++line_;
  }
  return Ok();
}

// The candidate that the first record has most of, outside quotes. Where that ends, no more text
// changes what is said of it.
void CsvOpening::RecogniseSeparator() {
  constexpr std::string_view kCandidates = ",;\t";
  std::array<std::uint64_t, kCandidates.size()> counts{};
  bool inside = false;
  settled_ = !options_.header;
  for (const char c : text_) {
    if (c == '"') inside = !inside;
    if (inside) continue;
    if (c == '\n') {
      settled_ = true;
      break;
    }
    const std::size_t candidate = kCandidates.find(c);
    if (candidate != std::string_view::npos) ++counts[candidate];
  }
  if (options_.separator || told_) {
    separator_ = options_.separator ? *options_.separator : *told_;
    return;
  }
  separator_ = kCandidates[static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) -
                                                    counts.begin())];
}

Status CsvOpening::ReadHeader() {
  header_line_ = line_;
  if (!options_.header) {
    names_ = options_.columns;
    if (names_.empty()) {
      return InputError({.file = file_, .line = {}, .byte = {}, .column = {}},
                        "the table has no header, and the policy names no columns for it",
                        "Name them in order: [table] columns = [\"…\", \"…\"].");
    }
    return Ok();
  }
  if (text_.empty()) {
    return InputError({.file = file_, .line = {}, .byte = {}, .column = {}},
                      "the file has comments and no header",
                      "The first line that is no comment names the columns.");
  }
  RecordParser parser(separator_, options_.trim);
  const char* end = text_.data() + text_.size();
  const Fault fault = parser.Parse(text_.data(), end);
  const char* next = fault == Fault::kNone ? parser.next() : end;
  const char* ill_formed = FirstIllFormed(text_.data(), next, end);
  const auto fail = [&](Fault kind, const char* at) {
    const auto before = static_cast<std::size_t>(at - text_.data());
    return ErrorOf({kind, 0, 0, 0}, file_, line_ + CountByte(text_.substr(0, before), '\n'), 0,
                   true, {});
  };
  if (ill_formed != nullptr &&
      (fault == Fault::kNone || fault == Fault::kOpenQuote || ill_formed <= parser.fault_at())) {
    return fail(FaultOfText(ill_formed), ill_formed);
  }
  if (fault != Fault::kNone) return fail(fault, parser.fault_at());
  names_.assign(parser.fields().begin(), parser.fields().end());
  const auto length = static_cast<std::size_t>(next - text_.data());
  const std::string_view header = text_.substr(0, length);
  if (!header.ends_with('\n') && header.find('\r') < header.size() - 1) {
    return InputError(At(line_), "the lines of this file end with CR alone",
                      "Convert the line ends to LF or CR LF; for example: tr '\\r' '\\n'.");
  }
  line_ += CountByte(header, '\n');
  text_.remove_prefix(length);
  return Ok();
}

Status CsvOpening::CheckNames() const {
  // Names are not shown: where the header is forgotten, they are somebody's data.
  const std::string whose = options_.header ? "header" : "list of column names";
  std::map<std::string_view, std::size_t> seen;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (names_[i].empty()) {
      return InputError(At(header_line_), fmt::format("column {} has no name", i + 1),
                        fmt::format("Give it a name in the {}.", whose));
    }
    const auto [first, is_new] = seen.emplace(names_[i], i);
    if (!is_new) {
      return InputError(
          At(header_line_),
          fmt::format("columns {} and {} have the same name", first->second + 1, i + 1),
          fmt::format("Rename one of them in the {}. If the file has no header, set header = false "
                      "and name the columns in the policy.",
                      whose));
    }
  }
  if (!options_.header || options_.expected_columns.empty()) return Ok();
  std::size_t known = 0;
  for (const std::string& name : options_.expected_columns) known += seen.count(name);
  const bool others = options_.others != OtherColumns::kUnexpected;
  const std::size_t of =
      others ? std::min(options_.expected_columns.size(), names_.size()) : names_.size();
  if (known * 2 >= of) return Ok();
  if (options_.separator && names_.size() == 1 &&
      names_[0].find_first_of(",;\t|") != std::string::npos) {
    return InputError(
        At(header_line_),
        fmt::format("this line is one field where the fields are separated by `{}`",
                    *options_.separator == '\t' ? "\\t" : std::string(1, *options_.separator)),
        "Correct `separator` in [table] of the policy, or remove it: it is found from the file "
        "then.");
  }
  return InputError(
      At(header_line_),
      fmt::format(
          "this line is no header: {} of its {} fields are names of columns that the policy "
          "names",
          known, names_.size()),
      !options_.no_header_remedy.empty()
          ? options_.no_header_remedy
          : fmt::format("Name every column in [columns] of the policy, which names {}. If the file "
                        "has no header, set header = false and columns = [...] in [table].",
                        fmt::join(options_.expected_columns, ", ")));
}

LanePlan CsvOpening::MakePlan() const {
  LanePlan plan;
  plan.separator = separator_;
  plan.trim = options_.trim;
  plan.comment_prefix = options_.comment_prefix;
  plan.width = names_.size();
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const auto among = [&](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), names_[i]) != names.end();
    };
    const bool other =
        options_.others == OtherColumns::kSkipped && !among(options_.expected_columns);
    if (!other && !among(options_.skip_columns)) plan.kept.push_back(i);
    if (among(options_.decimal_comma)) plan.decimal_comma.push_back(i);
  }
  if (options_.on_missing != OnMissing::kValue) {
    plan.missing = MissingTest(options_.missing_markers);
  }
  plan.drop_missing = options_.on_missing == OnMissing::kDropRow;
  plan.window_bytes = tuning_.window_bytes;
  plan.portable = tuning_.portable;
  plan.record_by_record = NeedsRecords(plan, text_);
  return plan;
}

bool NeedsRecords(const LanePlan& plan, std::string_view text) {
  return !plan.comment_prefix.empty() && text.find('"') != std::string_view::npos;
}

Status RowsAreThere(std::uint64_t rows, std::uint64_t dropped, const std::string& file,
                    bool header) {
  if (rows > 0) return Ok();
  const Place place{.file = file, .line = {}, .byte = {}, .column = {}};
  if (dropped > 0) {
    return InputError(place,
                      fmt::format("all {} rows were left out because a value is missing", dropped),
                      "Check the markers for missing values in the policy.");
  }
  return InputError(place, header ? "the file has a header and no rows" : "no rows",
                    "There is nothing to protect in this file; check that it is the right one.");
}

}  // namespace reissue::io::internal
