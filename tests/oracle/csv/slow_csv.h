#pragma once
// The obvious CSV reader: one byte after the other, one thread, rows of strings. It exists to be
// compared with the fast one and shares no code with it.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reissue::oracle {

enum class SlowFault {
  kNone,
  kOpenQuote,
  kAfterQuote,
  kBareQuote,
  kFieldCount,
  kNotText,
  kNul,
  kMissing,
  kEmpty,
  kNoHeader,
  kNoName,
  kSameName,
  kCarriageReturns,
  kNoRows,
  kOtherFormat,
};

struct SlowOptions {
  std::optional<char> separator;
  bool header = true;
  std::vector<std::string> columns;
  bool trim = false;
  std::vector<std::string> skip_columns;
  std::vector<std::string> missing_markers;
  bool missing_is_value = false;
  bool drop_missing = false;
  std::string comment_prefix;
};

struct SlowRow {
  std::uint64_t line = 0;
  std::vector<std::string> fields;
};

struct SlowTable {
  SlowFault fault = SlowFault::kNone;
  std::uint64_t fault_line = 0;  // 0 where the fault has none
  std::vector<std::string> header;
  std::vector<SlowRow> rows;  // without dropped ones; all fields, also of skipped columns
  std::uint64_t dropped = 0;
  char separator = ',';
};

// Reads the whole text. Quadratic nowhere, clever nowhere.
inline SlowTable ReadCsvSlowly(std::string_view text, const SlowOptions& options);

namespace slow {

struct Reader {
  std::string_view text;
  const SlowOptions& options;
  SlowTable out;
  std::size_t at = 0;
  std::uint64_t line = 1;
  std::optional<char> told = {};

  bool End() const { return at >= text.size(); }
  int Peek(std::size_t ahead = 0) const {
    return at + ahead < text.size() ? static_cast<unsigned char>(text[at + ahead]) : -1;
  }
  bool Fail(SlowFault fault, std::uint64_t where) {
    out.fault = fault;
    out.fault_line = where;
    return false;
  }

  // How many bytes the character here has; 0 if it is none. By decoding it.
  std::size_t Character() const {
    const int lead = Peek();
    if (lead < 0x80) return 1;
    std::size_t length = 0;
    std::uint32_t code = 0;
    if (lead >= 0xC0 && lead <= 0xDF) length = 2, code = static_cast<std::uint32_t>(lead & 0x1F);
    if (lead >= 0xE0 && lead <= 0xEF) length = 3, code = static_cast<std::uint32_t>(lead & 0x0F);
    if (lead >= 0xF0 && lead <= 0xF7) length = 4, code = static_cast<std::uint32_t>(lead & 0x07);
    if (length == 0) return 0;
    for (std::size_t i = 1; i < length; ++i) {
      const int byte = Peek(i);
      if (byte < 0x80 || byte > 0xBF) return 0;
      code = code << 6 | static_cast<std::uint32_t>(byte & 0x3F);
    }
    constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    return code < kSmallest[length] || code > 0x10FFFF || surrogate ? 0 : length;
  }
  // Moves over one character and appends it. False if it is no text.
  bool Take(std::string* to) {
    if (Peek() == 0) return Fail(SlowFault::kNul, line);
    const std::size_t length = Character();
    if (length == 0) return Fail(SlowFault::kNotText, line);
    if (to != nullptr) to->append(text.substr(at, length));
    if (Peek() == '\n') ++line;
    at += length;
    return true;
  }
  bool AtLineEnd() const {
    return End() || Peek() == '\n' || (Peek() == '\r' && (Peek(1) == -1 || Peek(1) == '\n'));
  }
  void TakeLineEnd() {
    if (Peek() == '\r') ++at;
    if (Peek() == '\n') ++at, ++line;
  }
  bool AtBlank() const { return (Peek() == ' ' || Peek() == '\t') && Peek() != out.separator; }

  bool Quoted(std::string& field) {
    const std::uint64_t opened = line;
    ++at;
    while (true) {
      if (End()) return Fail(SlowFault::kOpenQuote, opened);
      if (Peek() == '"' && Peek(1) == '"') {
        field += '"';
        at += 2;
      } else if (Peek() == '"') {
        ++at;
        break;
      } else if (!Take(&field)) {
        return false;
      }
    }
    while (options.trim && AtBlank()) ++at;
    if (AtLineEnd() || Peek() == out.separator) return true;
    if (Peek() == 0) return Fail(SlowFault::kNul, line);
    if (Character() == 0) return Fail(SlowFault::kNotText, line);
    return Fail(SlowFault::kAfterQuote, line);
  }
  bool Plain(std::string& field) {
    while (!AtLineEnd() && Peek() != out.separator) {
      if (Peek() == '"') return Fail(SlowFault::kBareQuote, line);
      if (!Take(&field)) return false;
    }
    if (!options.trim) return true;
    const std::size_t first = field.find_first_not_of(" \t");
    if (first == std::string::npos) {
      field.clear();
    } else {
      field = field.substr(first, field.find_last_not_of(" \t") - first + 1);
    }
    return true;
  }
  bool Record(std::vector<std::string>& fields) {
    while (true) {
      std::string field;
      const std::size_t start = at;
      while (options.trim && AtBlank()) ++at;
      if (Peek() == '"') {
        if (!Quoted(field)) return false;
      } else {
        at = start;
        if (!Plain(field)) return false;
      }
      fields.push_back(field);
      if (Peek() != out.separator) break;
      ++at;
    }
    TakeLineEnd();
    return true;
  }
  // Passes over comments here. False on a fault.
  bool Comments() {
    const std::string& prefix = options.comment_prefix;
    while (!prefix.empty() && text.substr(at).starts_with(prefix)) {
      while (!End() && Peek() != '\n') {
        if (!Take(nullptr)) return false;
      }
      TakeLineEnd();
    }
    return true;
  }
  // True where only empty lines follow.
  bool OnlyEmptyLinesLeft() const {
    std::size_t i = at;
    while (i < text.size()) {
      if (text[i] == '\n') {
        i += 1;
      } else if (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] == '\n')) {
        i += i + 1 == text.size() ? 1 : 2;
      } else {
        return false;
      }
    }
    return true;
  }
  void FindSeparator() {
    std::uint64_t commas = 0, semicolons = 0, tabs = 0;
    bool quoted = false;
    for (std::size_t i = at; i < text.size() && (quoted || text[i] != '\n'); ++i) {
      if (text[i] == '"') quoted = !quoted;
      if (quoted) continue;
      commas += text[i] == ',';
      semicolons += text[i] == ';';
      tabs += text[i] == '\t';
    }
    out.separator = commas >= semicolons && commas >= tabs ? ',' : semicolons >= tabs ? ';' : '\t';
    if (told) out.separator = *told;
    if (options.separator) out.separator = *options.separator;
  }
  bool Names(std::uint64_t header_line) {
    for (std::size_t i = 0; i < out.header.size(); ++i) {
      if (out.header[i].empty()) return Fail(SlowFault::kNoName, header_line);
      for (std::size_t j = 0; j < i; ++j) {
        if (out.header[i] == out.header[j]) return Fail(SlowFault::kSameName, header_line);
      }
    }
    return true;
  }
  bool Header() {
    const std::uint64_t header_line = line;
    if (!options.header) {
      out.header = options.columns;
      return out.header.empty() ? Fail(SlowFault::kNoHeader, 0) : Names(header_line);
    }
    if (OnlyEmptyLinesLeft()) return Fail(SlowFault::kNoHeader, 0);
    const std::size_t start = at;
    if (!Record(out.header)) return false;
    const std::string_view record = text.substr(start, at - start);
    if (!record.ends_with('\n') && record.find('\r') + 1 < record.size() &&
        record.find('\r') != std::string_view::npos) {
      return Fail(SlowFault::kCarriageReturns, header_line);
    }
    return Names(header_line);
  }
  static bool Contains(const std::vector<std::string>& list, const std::string& item) {
    for (const std::string& one : list) {
      if (one == item) return true;
    }
    return false;
  }
  bool Misses(const std::vector<std::string>& fields) const {
    if (options.missing_is_value) return false;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (!Contains(options.skip_columns, out.header[i]) &&
          Contains(options.missing_markers, fields[i])) {
        return true;
      }
    }
    return false;
  }
  bool Rows() {
    while (!OnlyEmptyLinesLeft()) {
      const std::size_t before = at;
      if (!Comments()) return false;
      if (at != before) continue;
      SlowRow row{line, {}};
      if (!Record(row.fields)) return false;
      if (row.fields.size() != out.header.size()) return Fail(SlowFault::kFieldCount, row.line);
      if (!Misses(row.fields)) {
        out.rows.push_back(row);
      } else if (options.drop_missing) {
        ++out.dropped;
      } else {
        return Fail(SlowFault::kMissing, row.line);
      }
    }
    return !out.rows.empty() || Fail(SlowFault::kNoRows, 0);
  }
  // The line `sep=X` at the beginning: X separates, and the line is no record.
  void WordOfExcel() {
    const std::string_view rest = text.substr(at);
    for (int c = ' '; c <= '~' + 1; ++c) {
      const char separator = c > '~' ? '\t' : static_cast<char>(c);
      if (separator == '"') continue;
      for (const char* end : {"\n", "\r\n"}) {
        const std::string first = std::string("sep=") + separator + end;
        if (!rest.starts_with(first)) continue;
        at += first.size();
        ++line;
        told = separator;
        return;
      }
    }
  }
  void Run() {
    if (text.starts_with("\xEF\xBB\xBF")) at = 3;
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
      Fail(SlowFault::kNotText, 1);
      return;
    }
    if (text.starts_with("PK\x03\x04") || text.starts_with("PAR1") ||
        text.starts_with("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1")) {
      Fail(SlowFault::kOtherFormat, 0);
      return;
    }
    WordOfExcel();
    if (OnlyEmptyLinesLeft()) {
      Fail(SlowFault::kEmpty, 0);
      return;
    }
    if (!Comments()) return;
    FindSeparator();
    if (Header()) Rows();
  }
};

}  // namespace slow

inline SlowTable ReadCsvSlowly(std::string_view text, const SlowOptions& options) {
  slow::Reader reader{text, options, {}, 0, 1};
  reader.Run();
  return reader.out;
}

}  // namespace reissue::oracle
