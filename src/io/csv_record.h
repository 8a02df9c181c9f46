#pragma once
// One record at a time, byte by byte: the reader for everything out of the ordinary (headers,
// escaped quotes, line breaks inside fields, comments between quotes) and for finding out exactly
// what is wrong with a record. A parser belongs to one thread; fields point into the text or into
// the parser and live until the next Parse.

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace reissue::io::internal {

// What can be wrong with a record.
enum class Fault {
  kNone,
  kOpenQuote,   // a quoted field that never ends
  kAfterQuote,  // something between a closing quote and the next separator
  kBareQuote,   // a quote inside a field that does not begin with one
  kFieldCount,
  kIllFormed,  // not UTF-8
  kNul,        // a NUL byte
  kMissing,
};

// What is wrong with the ill-formed character at `at`.
inline Fault FaultOfText(const char* at) { return *at == '\0' ? Fault::kNul : Fault::kIllFormed; }

inline bool IsBlank(char c) { return c == ' ' || c == '\t'; }

class RecordParser {
 public:
  RecordParser(char separator, bool trim) : separator_(separator), trim_(trim) {}

  // Reads the record that begins at `at` (before or at `end`).
  Fault Parse(const char* at, const char* end);

  const std::vector<std::string_view>& fields() const { return fields_; }
  // Behind the line end of the record.
  const char* next() const { return next_; }
  // Where the fault is (for an open quote: where it opens).
  const char* fault_at() const { return fault_at_; }

 private:
  Fault ParseField(const char*& at, const char* end);
  Fault ParseQuoted(const char*& at, const char* end);
  Fault ParsePlain(const char*& at, const char* end);
  bool AtRecordEnd(const char* at, const char* end) const;
  Fault Fail(Fault fault, const char* at) {
    fault_at_ = at;
    return fault;
  }

  char separator_;
  bool trim_;
  std::vector<std::string_view> fields_;
  std::deque<std::string> unescaped_;
  std::size_t unescaped_used_ = 0;
  const char* next_ = nullptr;
  const char* fault_at_ = nullptr;
};

// The text without empty lines at its end; the last record keeps its own line end.
std::string_view WithoutEmptyLinesAtEnd(std::string_view text);

}  // namespace reissue::io::internal
