#include "reissue/io/csv_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <tuple>

#include "reissue/io/compression.h"
#include "reissue/io/utf8.h"

namespace reissue::io {
namespace internal {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

class CsvReading {
 public:
  CsvReading(std::string file, const CsvOptions& options, ThreadPool& pool, Progress& progress,
             const CsvTuning& tuning)
      : file_(std::move(file)),
        options_(options),
        pool_(pool),
        progress_(progress),
        tuning_(tuning) {}

  // Everything up to the first record of data.
  Status Open(std::string_view text);
  // Reads the records; the digest of `stored` is taken on the side.
  Status ReadRows(std::string_view stored);
  // What is wrong with the first rows, of which `text` has a part: the last one may be cut off.
  Status Glance(std::string_view text);
  // Makes the table. The text may be gone by now.
  Result<CsvFile> Finish();

 private:
  Place At(std::uint64_t line) const {
    return {.file = file_, .line = line, .byte = {}, .column = {}};
  }
  Status SkipComments();
  void RecogniseSeparator();
  Status ReadHeader();
  Status CheckNames() const;
  LanePlan MakePlan() const;
  std::size_t LaneCount() const;
  Error LaneError(std::size_t failed) const;
  Status CheckRows() const;
  std::vector<std::vector<std::vector<ValueId>>> MergeDictionaries();
  std::vector<Column> MergeColumns();
  Origin MergeLines() const;

  std::string file_;
  const CsvOptions& options_;
  ThreadPool& pool_;
  Progress& progress_;
  CsvTuning tuning_;

  std::string_view text_;   // what is still to be read
  std::uint64_t line_ = 1;  // of text_[0]
  std::uint64_t header_line_ = 1;
  char separator_ = ',';
  std::vector<std::string> names_;
  LanePlan plan_;
  std::vector<Lane> lanes_;
  std::string digest_;
  Fingerprint fingerprint_;
  std::vector<DictionaryBuilder> dictionaries_;  // per kept column, once merged
};

Status CsvReading::Open(std::string_view text) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    return InputError(At(1), "the file is UTF-16, not UTF-8",
                      "Save the file as UTF-8; for example: iconv -f UTF-16 -t UTF-8.");
  }
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  text_ = WithoutEmptyLinesAtEnd(text);
  if (text_.empty()) {
    return InputError({.file = file_, .line = {}, .byte = {}, .column = {}}, "the file is empty",
                      "A table has a header with the names of its columns, and rows.");
  }
  if (options_.separator) {
    const char separator = *options_.separator;
    if (separator != '\t' && (separator < ' ' || separator > '~' || separator == '"')) {
      return UsageError("the separator must be a printable ASCII character or a tab, no quote");
    }
  }
  REISSUE_TRY(SkipComments());
  RecogniseSeparator();
  REISSUE_TRY(ReadHeader());
  REISSUE_TRY(CheckNames());
  plan_ = MakePlan();
  return Ok();
}

// Comments before the first record.
Status CsvReading::SkipComments() {
  while (!options_.comment_prefix.empty() && text_.starts_with(options_.comment_prefix)) {
    const std::size_t newline = text_.find('\n');
    const std::string_view comment = text_.substr(0, newline);
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

// The candidate that the first record has most of, outside quotes.
void CsvReading::RecogniseSeparator() {
  constexpr std::string_view kCandidates = ",;\t";
  if (options_.separator) {
    separator_ = *options_.separator;
    return;
  }
  std::array<std::uint64_t, kCandidates.size()> counts{};
  bool inside = false;
  for (const char c : text_) {
    if (c == '"') inside = !inside;
    if (inside) continue;
    if (c == '\n') break;
    const std::size_t candidate = kCandidates.find(c);
    if (candidate != std::string_view::npos) ++counts[candidate];
  }
  separator_ = kCandidates[static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) -
                                                    counts.begin())];
}

Status CsvReading::ReadHeader() {
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

Status CsvReading::CheckNames() const {
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

LanePlan CsvReading::MakePlan() const {
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
  }
  if (options_.on_missing != OnMissing::kValue) {
    plan.missing = MissingTest(options_.missing_markers);
  }
  plan.drop_missing = options_.on_missing == OnMissing::kDropRow;
  plan.window_bytes = tuning_.window_bytes;
  plan.portable = tuning_.portable;
  plan.record_by_record = !plan.comment_prefix.empty() && text_.find('"') != std::string_view::npos;
  return plan;
}

std::size_t CsvReading::LaneCount() const {
  if (plan_.record_by_record) return 1;
  if (tuning_.lanes != 0) return tuning_.lanes;
  if (pool_.threads() == 1) return 1;
  constexpr std::size_t kBytesWorthALane = 1 << 18;
  constexpr std::size_t kLanesPerThread = 3;
  return std::clamp<std::size_t>(text_.size() / kBytesWorthALane, 1,
                                 pool_.threads() * kLanesPerThread);
}

Status CsvReading::ReadRows(std::string_view stored) {
  const std::size_t count = LaneCount();
  const bool quotes = count > 1 && text_.find('"') != std::string_view::npos;
  for (const std::string_view part : CutIntoLanes(text_, count, quotes, pool_)) {
    lanes_.emplace_back().text = part;
  }
  progress_.Begin("reading", text_.size());
  const std::size_t digests = options_.digest ? 1 : 0;
  pool_.Run(lanes_.size() + digests, [&](std::size_t task) {
    if (task < digests) {
      std::tie(digest_, fingerprint_) = DigestAndFingerprint(stored);
    } else {
      ReadLane(plan_, lanes_[task - digests], progress_);
    }
  });
  progress_.Begin("computing", 0);  // until whoever asked says what
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    if (lanes_[i].fault) return LaneError(i);
  }
  return CheckRows();
}

Status CsvReading::Glance(std::string_view text) {
  const std::size_t end = text.rfind('\n');
  if (end == std::string_view::npos) {
    return InputError(At(1),
                      fmt::format("the first line does not end within {} bytes", text.size()),
                      "This is no table; check that it is the right file.");
  }
  REISSUE_TRY(Open(text.substr(0, end + 1)));
  lanes_.emplace_back().text = text_;
  ReadLane(plan_, lanes_[0], progress_);
  if (!lanes_[0].fault || lanes_[0].fault->fault == Fault::kOpenQuote) return Ok();
  return LaneError(0);
}

Error CsvReading::LaneError(std::size_t failed) const {
  const LaneFault& fault = *lanes_[failed].fault;
  std::uint64_t line = line_ + fault.line;
  for (std::size_t i = 0; i < failed; ++i) line += lanes_[i].line_count;
  const std::string column = fault.fault == Fault::kMissing ? names_[fault.column] : std::string();
  return ErrorOf(fault, file_, line, names_.size(), options_.header, column);
}

Status CsvReading::CheckRows() const {
  std::uint64_t rows = 0;
  std::uint64_t dropped = 0;
  for (const Lane& lane : lanes_) {
    rows += lane.rows;
    dropped += lane.dropped;
  }
  const Place place{.file = file_, .line = {}, .byte = {}, .column = {}};
  if (rows >= std::numeric_limits<RowId::Raw>::max()) {
    return InputError(place, "more than 4 billion rows", "Split the table.");
  }
  if (rows > 0) return Ok();
  if (dropped > 0) {
    return InputError(place,
                      fmt::format("all {} rows were left out because a value is missing", dropped),
                      "Check the markers for missing values in the policy.");
  }
  return InputError(place, options_.header ? "the file has a header and no rows" : "no rows",
                    "There is nothing to protect in this file; check that it is the right one.");
}

// One dictionary per column, in order of first appearance in the file; what every lane's codes
// become (nothing for the first lane, whose codes stay).
std::vector<std::vector<std::vector<ValueId>>> CsvReading::MergeDictionaries() {
  const std::size_t columns = plan_.kept.size();
  std::vector<std::vector<std::vector<ValueId>>> becomes(columns);
  dictionaries_.resize(columns);
  pool_.Run(columns, [&](std::size_t c) {
    dictionaries_[c] = std::move(lanes_[0].columns[c].dictionary());
    becomes[c].resize(lanes_.size());
    for (std::size_t l = 1; l < lanes_.size(); ++l) {
      DictionaryBuilder& local = lanes_[l].columns[c].dictionary();
      becomes[c][l].reserve(local.size());
      for (std::size_t id = 0; id < local.size(); ++id) {
        becomes[c][l].push_back(dictionaries_[c].Intern(local[ValueId(id)]));
      }
      DictionaryBuilder finished = std::move(local);
    }
  });
  return becomes;
}

std::vector<Column> CsvReading::MergeColumns() {
  const std::size_t columns = plan_.kept.size();
  const auto becomes = MergeDictionaries();
  std::vector<std::vector<ValueId>> values(columns);
  std::vector<std::size_t> first_row = {0};
  for (const Lane& lane : lanes_) first_row.push_back(first_row.back() + lane.rows);
  if (lanes_.size() == 1) {
    for (std::size_t c = 0; c < columns; ++c) values[c] = std::move(lanes_[0].columns[c].codes());
  } else {
    pool_.Run(columns, [&](std::size_t c) {
      values[c].reserve(first_row.back());
      for (std::size_t l = 0; l < lanes_.size(); ++l) {
        std::vector<ValueId> codes = std::move(lanes_[l].columns[c].codes());
        if (l == 0) {
          values[c].insert(values[c].end(), codes.begin(), codes.end());
        } else {
          for (const ValueId code : codes) values[c].push_back(becomes[c][l][code.index()]);
        }
      }
    });
  }
  std::vector<Column> merged;
  for (std::size_t c = 0; c < columns; ++c) {
    merged.emplace_back(names_[plan_.kept[c]], std::move(dictionaries_[c]).Build(),
                        std::move(values[c]));
  }
  return merged;
}

Origin CsvReading::MergeLines() const {
  Origin origin{.file = file_, .first_line = line_, .lines = {}};
  std::uint64_t lines_before = line_;
  std::uint64_t rows_before = 0;
  bool regular = true;
  for (const Lane& lane : lanes_) {
    if (lane.rows > 0) {
      if (rows_before == 0) origin.first_line = lines_before + lane.first_line;
      regular = regular && lane.lines.empty() &&
                lines_before + lane.first_line == origin.first_line + rows_before;
    }
    rows_before += lane.rows;
    lines_before += lane.line_count;
  }
  if (regular) return origin;
  origin.lines.reserve(rows_before);
  lines_before = line_;
  for (const Lane& lane : lanes_) {
    for (std::uint64_t row = 0; row < lane.rows; ++row) {
      origin.lines.push_back(lines_before +
                             (lane.lines.empty() ? lane.first_line + row : lane.lines[row]));
    }
    lines_before += lane.line_count;
  }
  return origin;
}

Result<CsvFile> CsvReading::Finish() {
  CsvFile result;
  Origin origin = MergeLines();
  std::uint64_t rows = 0;
  for (const Lane& lane : lanes_) {
    rows += lane.rows;
    result.dropped_rows += lane.dropped;
  }
  result.table = Table(MergeColumns(), rows, std::move(origin));
  result.header = std::move(names_);
  result.separator = separator_;
  result.digest = std::move(digest_);
  result.fingerprint = fingerprint_;
  return result;
}

}  // namespace

Result<CsvFile> ReadCsvTuned(FileSystem& files, const std::string& path, const CsvOptions& options,
                             ThreadPool& pool, Progress& progress, const CsvTuning& tuning) {
  std::unique_ptr<Bytes> bytes = REISSUE_TRY(files.Read(path));
  CsvReading reading(NameOf(path), options, pool, progress, tuning);
  {
    GrowingBuffer unpacked;
    std::string_view text = bytes->view();
    if (IsCompressed(text)) {
      UnpackLimits limits;
      limits.most = files.most_unpacked;
      limits.glance = [&](std::string_view first) {
        return CsvReading(NameOf(path), options, pool, progress, tuning).Glance(first);
      };
      unpacked = REISSUE_TRY(Decompress(text, NameOf(path), limits));
      text = unpacked.view();
    }
    REISSUE_TRY(reading.Open(text));
    REISSUE_TRY(reading.ReadRows(bytes->view()));
  }
  bytes.reset();
  return reading.Finish();
}

}  // namespace internal

Result<CsvFile> ReadCsv(FileSystem& files, const std::string& path, const CsvOptions& options,
                        ThreadPool& pool, Progress& progress) {
  return internal::ReadCsvTuned(files, path, options, pool, progress, {});
}

}  // namespace reissue::io
