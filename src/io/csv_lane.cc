#include "reissue/io/csv_lane.h"

#include <algorithm>
#include <cstring>

#include "reissue/io/utf8.h"

namespace reissue::io::internal {
namespace {

class LaneReader {
 public:
  LaneReader(const LanePlan& plan, Lane& lane)
      : plan_(plan),
        lane_(lane),
        begin_(lane.text.data()),
        end_(lane.text.data() + lane.text.size()),
        parser_(plan.separator, plan.trim) {
    for (ColumnBuilder& column : lane.columns) column.Continue(end_);
    while (lane.columns.size() < plan.kept.size()) lane.columns.emplace_back(end_);
    for (const std::size_t field : plan.decimal_comma) {
      const auto at = std::find(plan.kept.begin(), plan.kept.end(), field) - plan.kept.begin();
      const auto column = static_cast<std::size_t>(at);
      if (column < plan.kept.size()) lane.columns[column].ReadDecimalCommas();
    }
  }

  void ReadKnownLines(Progress& progress);
  void ReadWindows(Progress& progress);
  void ReadRecordByRecord();
  std::uint64_t lines_read() const { return line_; }

 private:
  void AddKnown(std::uint32_t number);
  const char* TakeStranger(const char* at, std::size_t length);
  void TakeBatch(const Scanner& scanner);
  bool IsRegular(const Scanner& scanner) const;
  void TakeGrid(const FieldGrid& grid);
  void TakeRows(const FieldGrid& grid);
  void MarkMissing(const FieldGrid& grid);
  void TakeRecords(const char* at, const char* stop);
  void TakeRecord();
  void NoteRows(std::uint64_t count);
  void Fail(Fault fault, std::uint64_t line, std::size_t fields = 0, std::size_t column = 0) {
    lane_.fault = LaneFault{fault, line, fields, column};
  }
  bool IsComment(const char* at) const {
    return !plan_.comment_prefix.empty() &&
           std::string_view(at, static_cast<std::size_t>(end_ - at))
               .starts_with(plan_.comment_prefix);
  }
  std::uint64_t LinesBetween(const char* from, const char* to) const {
    return CountByte({from, static_cast<std::size_t>(to - from)}, '\n');
  }

  const LanePlan& plan_;
  Lane& lane_;
  const char* begin_;  // of what windows read
  const char* end_;
  RecordParser parser_;
  const char* ill_formed_ = nullptr;
  std::uint64_t line_ = 0;                // lines before the current record
  std::vector<std::uint8_t> is_missing_;  // per record of a grid
  std::vector<ValueId> codes_;            // of a record
};

// Ends where windows go on: before a line without an end, one that is out of the ordinary, and
// where most lines are new.
void LaneReader::ReadKnownLines(Progress& progress) {
  KnownLines& known = lane_.known;
  known.ForgetRows();
  constexpr std::size_t kOneIn = 16;
  std::size_t strangers = 0, met = 0;
  for (; begin_ != end_ && !known.given_up(); ++met) {
    const auto left = static_cast<std::size_t>(end_ - begin_);
    const auto* newline = static_cast<const char*>(std::memchr(begin_, '\n', left));
    if (newline == nullptr) break;
    const auto length = static_cast<std::size_t>(newline - begin_) + 1;
    const std::uint32_t number = known.Find({begin_, length});
    if (number != KnownLines::kNone) {
      AddKnown(number);
      begin_ += length;
      continue;
    }
    if (++strangers > plan_.lines.strangers + met / kOneIn) known.GiveUp();
    const char* next = TakeStranger(begin_, length);
    if (next == nullptr) break;
    begin_ = next;
  }
  progress.Advance(static_cast<std::uint64_t>(begin_ - lane_.text.data()));
}

void LaneReader::AddKnown(std::uint32_t number) {
  KnownLines& known = lane_.known;
  if (known.row_of(number) != KnownLines::kNone) {
    ++lane_.weights[known.row_of(number)];
    ++line_;
    return;
  }
  known.StandsIn(number, static_cast<std::uint32_t>(lane_.rows));
  const auto codes = known.CodesOf(number);
  for (std::size_t i = 0; i < codes.size(); ++i) lane_.columns[i].codes().push_back(codes[i]);
  NoteRows(1);
}

// Adds the record that begins with this line and remembers it, if it is the whole of it; where it
// ends. nullptr: there is something about it, and nothing was done.
const char* LaneReader::TakeStranger(const char* at, std::size_t length) {
  if (parser_.Parse(at, end_) != Fault::kNone) return nullptr;
  const char* next = parser_.next();
  if (parser_.fields().size() != plan_.width || FirstIllFormed(at, next, end_) != nullptr) {
    return nullptr;
  }
  const auto row = static_cast<std::uint32_t>(lane_.rows);
  TakeRecord();
  if (next == at + length) {
    codes_.clear();
    for (ColumnBuilder& column : lane_.columns) codes_.push_back(column.codes().back());
    lane_.known.Remember({at, length}, codes_, row, plan_.lines.most);
  } else {
    line_ += LinesBetween(at, next) - 1;
  }
  return next;
}

void LaneReader::ReadWindows(Progress& progress) {
  Scanner scanner({begin_, static_cast<std::size_t>(end_ - begin_)}, plan_.separator,
                  plan_.window_bytes, plan_.portable);
  const char* told = begin_;
  const char* next = told;
  constexpr std::ptrdiff_t kBytesPerTelling = 1 << 20;
  while (scanner.Advance()) {
    if (scanner.records() == 0) continue;
    next = scanner.batch_end();
    TakeBatch(scanner);
    if (lane_.fault) return;
    scanner.Consume();
    if (next - told >= kBytesPerTelling) {
      progress.Advance(static_cast<std::uint64_t>(next - told));
      told = next;
    }
  }
  ill_formed_ = scanner.ill_formed();
  if (scanner.EndLastRecord()) {
    TakeBatch(scanner);
  } else if (next != end_) {
    TakeRecords(next, end_);
  }
  progress.Advance(static_cast<std::uint64_t>(end_ - told));
}

void LaneReader::ReadRecordByRecord() {
  ill_formed_ = FirstIllFormed(lane_.text.data(), end_, end_);
  TakeRecords(lane_.text.data(), end_);
}

// True where every record has its fields and no surprises, so that columns can be filled one after
// the other.
bool LaneReader::IsRegular(const Scanner& scanner) const {
  const auto record_ends = scanner.record_ends();
  const std::size_t width = plan_.width;
  for (std::size_t r = 0; r < record_ends.size(); ++r) {
    if (record_ends[r] != (r + 1) * width) return false;
  }
  if (!plan_.comment_prefix.empty()) {
    for (std::size_t r = 0; r < record_ends.size(); ++r) {
      if (IsComment(scanner.ends()[r * width] + 1)) return false;
    }
  }
  if (scanner.quotes() == 0) return true;
  if (scanner.newlines() > record_ends.size()) return false;
  // Every quote must be the first or the last byte of a field that has both.
  const FieldGrid grid{scanner.ends(), width, record_ends.size(), plan_.trim, false};
  std::uint64_t enclosing = 0;
  for (std::size_t r = 0; r < grid.records; ++r) {
    for (std::size_t f = 0; f < width; ++f) {
      const std::string_view field = grid.Field(r, f);
      if (field.empty() || field.front() != '"') continue;
      if (field.size() < 2 || field.back() != '"') return false;
      enclosing += 2;
    }
  }
  return enclosing == scanner.quotes();
}

void LaneReader::TakeBatch(const Scanner& scanner) {
  if (lane_.rows == 0) {
    const auto bytes = static_cast<double>(scanner.batch_end() - scanner.batch_begin());
    const double rows = static_cast<double>(lane_.text.size()) / bytes *
                        static_cast<double>(scanner.records()) * 1.02;
    for (ColumnBuilder& column : lane_.columns) column.Reserve(static_cast<std::size_t>(rows) + 8);
  }
  if (!IsRegular(scanner)) {
    TakeRecords(scanner.batch_begin(), scanner.batch_end());
    return;
  }
  TakeGrid({scanner.ends(), plan_.width, scanner.records(), plan_.trim, scanner.quotes() > 0});
}

void LaneReader::TakeGrid(const FieldGrid& grid) {
  if (!plan_.missing.empty()) {
    MarkMissing(grid);
    const auto first = std::find(is_missing_.begin(), is_missing_.end(), 1);
    if (first != is_missing_.end()) {
      if (plan_.drop_missing) {
        TakeRows(grid);
        return;
      }
      const auto record = static_cast<std::size_t>(first - is_missing_.begin());
      for (const std::size_t field : plan_.kept) {
        if (!plan_.missing(grid.Field(record, field))) continue;
        Fail(Fault::kMissing, line_ + record, 0, field);
        return;
      }
    }
  }
  for (std::size_t i = 0; i < plan_.kept.size(); ++i) lane_.columns[i].AddAll(grid, plan_.kept[i]);
  NoteRows(grid.records);
}

void LaneReader::MarkMissing(const FieldGrid& grid) {
  is_missing_.assign(grid.records, 0);
  for (const std::size_t field : plan_.kept) {
    for (std::size_t r = 0; r < grid.records; ++r) {
      is_missing_[r] |= static_cast<std::uint8_t>(plan_.missing(grid.Field(r, field)));
    }
  }
}

// Adds the records that miss nothing, run by run.
void LaneReader::TakeRows(const FieldGrid& grid) {
  for (std::size_t r = 0; r < grid.records;) {
    const auto run_end =
        std::find(is_missing_.begin() + static_cast<std::ptrdiff_t>(r), is_missing_.end(), 1);
    const std::size_t stop = static_cast<std::size_t>(run_end - is_missing_.begin());
    if (stop > r) {
      FieldGrid run = grid;
      run.ends += r * grid.width;
      run.records = stop - r;
      for (std::size_t i = 0; i < plan_.kept.size(); ++i) {
        lane_.columns[i].AddAll(run, plan_.kept[i]);
      }
      NoteRows(run.records);
    }
    for (r = stop; r < grid.records && is_missing_[r] != 0; ++r) {
      ++lane_.dropped;
      ++line_;
    }
  }
}

// The slow way, for anything unusual.
void LaneReader::TakeRecords(const char* at, const char* stop) {
  while (at < stop && !lane_.fault) {
    const char* next = nullptr;
    Fault fault = Fault::kNone;
    const bool comment = IsComment(at);
    if (comment) {
      next = std::find(at, end_, '\n');
      if (next != end_) ++next;
    } else {
      fault = parser_.Parse(at, end_);
      next = fault == Fault::kNone ? parser_.next() : end_;
    }
    // What comes first in the file is told: a syntax error, or a byte that is no text.
    if (ill_formed_ != nullptr && ill_formed_ < next &&
        (fault == Fault::kNone || fault == Fault::kOpenQuote ||
         ill_formed_ <= parser_.fault_at())) {
      return Fail(FaultOfText(ill_formed_), line_ + LinesBetween(at, ill_formed_));
    }
    if (fault != Fault::kNone) return Fail(fault, line_ + LinesBetween(at, parser_.fault_at()));
    const std::uint64_t lines = LinesBetween(at, next);
    if (comment) {
      line_ += lines;
    } else {
      TakeRecord();
      // NoteRows and the count of dropped rows have counted one line.
      line_ += lines - 1;
    }
    at = next;
  }
}

void LaneReader::TakeRecord() {
  const auto& fields = parser_.fields();
  if (fields.size() != plan_.width) return Fail(Fault::kFieldCount, line_, fields.size());
  if (!plan_.missing.empty()) {
    for (const std::size_t field : plan_.kept) {
      if (!plan_.missing(fields[field])) continue;
      if (!plan_.drop_missing) return Fail(Fault::kMissing, line_, 0, field);
      ++lane_.dropped;
      ++line_;
      return;
    }
  }
  for (std::size_t i = 0; i < plan_.kept.size(); ++i) lane_.columns[i].Add(fields[plan_.kept[i]]);
  NoteRows(1);
}

// `count` rows were added, one line each from line_ on.
void LaneReader::NoteRows(std::uint64_t count) {
  if (lane_.rows == 0) lane_.first_line = line_;
  if (lane_.lines.empty() && lane_.first_line + lane_.rows != line_) {
    for (std::uint64_t row = 0; row < lane_.rows; ++row) {
      lane_.lines.push_back(lane_.first_line + row);
    }
  }
  if (!lane_.lines.empty()) {
    for (std::uint64_t i = 0; i < count; ++i) lane_.lines.push_back(line_ + i);
  }
  lane_.rows += count;
  line_ += count;
  if (plan_.counts_lines) lane_.weights.resize(lane_.rows, 1);
}

}  // namespace

MissingTest::MissingTest(std::vector<std::string> markers) : markers_(std::move(markers)) {
  for (const std::string& marker : markers_) longest_ = std::max(longest_, marker.size());
  lengths_.assign(longest_ + 1, 0);
  for (const std::string& marker : markers_) {
    lengths_[marker.size()] = 1;
    if (!marker.empty()) first_bytes_[static_cast<unsigned char>(marker[0])] = true;
  }
}

bool MissingTest::Find(std::string_view field) const {
  return std::find(markers_.begin(), markers_.end(), field) != markers_.end();
}

void ReadLane(const LanePlan& plan, Lane& lane, Progress& progress) {
  if (lane.text.empty()) {
    LaneReader(plan, lane);
    return;
  }
  LaneReader reader(plan, lane);
  if (plan.record_by_record) {
    reader.ReadRecordByRecord();
    progress.Advance(lane.text.size());
  } else {
    if (plan.counts_lines) reader.ReadKnownLines(progress);
    reader.ReadWindows(progress);
  }
  lane.line_count = reader.lines_read();
}

std::vector<std::string_view> CutIntoLanes(std::string_view text, std::size_t count, bool quotes,
                                           ThreadPool& pool) {
  if (count <= 1) return {text};
  const auto cut = [&](std::size_t i) { return text.size() / count * i; };
  std::vector<std::uint64_t> quotes_in(count, 0);
  if (quotes) {
    pool.Run(count, [&](std::size_t i) {
      quotes_in[i] = CountByte(text.substr(cut(i), cut(i + 1) - cut(i)), '"');
    });
  }
  std::vector<std::string_view> lanes;
  std::uint64_t quotes_before = 0;
  std::size_t begin = 0;
  for (std::size_t i = 1; i < count; ++i) {
    quotes_before += quotes_in[i - 1];
    bool inside = quotes_before % 2 != 0;
    std::size_t at = cut(i);
    for (; at < text.size(); ++at) {
      if (text[at] == '"') inside = !inside;
      if (text[at] == '\n' && !inside) break;
    }
    const std::size_t next = std::min(at + 1, text.size());
    if (next <= begin) continue;
    lanes.push_back(text.substr(begin, next - begin));
    begin = next;
  }
  if (begin < text.size() || lanes.empty()) lanes.push_back(text.substr(begin));
  return lanes;
}

}  // namespace reissue::io::internal
