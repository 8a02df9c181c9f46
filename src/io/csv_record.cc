#include "reissue/io/csv_record.h"

#include <algorithm>

namespace reissue::io::internal {

// A line ends with LF, CR LF, or the end of the text, with or without a CR before it.
bool RecordParser::AtRecordEnd(const char* at, const char* end) const {
  if (at == end || *at == '\n') return true;
  return *at == '\r' && (at + 1 == end || at[1] == '\n');
}

Fault RecordParser::Parse(const char* at, const char* end) {
  fields_.clear();
  unescaped_used_ = 0;
  while (true) {
    if (const Fault fault = ParseField(at, end); fault != Fault::kNone) return fault;
    if (at == end || *at != separator_) break;
    ++at;
  }
  if (at != end && *at == '\r') ++at;
  next_ = at == end ? end : at + 1;
  return Fault::kNone;
}

// Leaves `at` on the separator or on the end of the record.
Fault RecordParser::ParseField(const char*& at, const char* end) {
  const char* first = at;
  if (trim_) {
    while (first != end && IsBlank(*first) && *first != separator_) ++first;
  }
  if (first != end && *first == '"') {
    at = first;
    return ParseQuoted(at, end);
  }
  return ParsePlain(at, end);
}

Fault RecordParser::ParseQuoted(const char*& at, const char* end) {
  const char* opening = at;
  const char* part = ++at;
  std::string* whole = nullptr;
  while (true) {
    at = std::find(at, end, '"');
    if (at == end) return Fail(Fault::kOpenQuote, opening);
    if (at + 1 == end || at[1] != '"') break;
    if (whole == nullptr) {
      if (unescaped_used_ == unescaped_.size()) unescaped_.emplace_back();
      whole = &unescaped_[unescaped_used_++];
      whole->clear();
    }
    whole->append(part, at + 1);
    at += 2;
    part = at;
  }
  const std::string_view last(part, static_cast<std::size_t>(at - part));
  fields_.push_back(whole == nullptr ? last : std::string_view(whole->append(last)));
  ++at;
  if (trim_) {
    while (at != end && IsBlank(*at) && *at != separator_) ++at;
  }
  if (AtRecordEnd(at, end) || *at == separator_) return Fault::kNone;
  return Fail(Fault::kAfterQuote, at);
}

Fault RecordParser::ParsePlain(const char*& at, const char* end) {
  const char* begin = at;
  while (!AtRecordEnd(at, end) && *at != separator_) {
    if (*at == '"') return Fail(Fault::kBareQuote, at);
    ++at;
  }
  const char* stop = at;
  if (trim_) {
    while (begin != stop && IsBlank(*begin)) ++begin;
    while (begin != stop && IsBlank(stop[-1])) --stop;
  }
  fields_.emplace_back(begin, static_cast<std::size_t>(stop - begin));
  return Fault::kNone;
}

std::string_view WithoutEmptyLinesAtEnd(std::string_view text) {
  if (text == "\r" || text.ends_with("\n\r")) text.remove_suffix(1);
  while (text.ends_with('\n')) {
    std::string_view before = text.substr(0, text.size() - 1);
    if (before.ends_with('\r')) before.remove_suffix(1);
    if (!before.empty() && !before.ends_with('\n')) break;
    text = before;
  }
  return text;
}

}  // namespace reissue::io::internal
