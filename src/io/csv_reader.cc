#include "reissue/io/csv_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>

#include "reissue/io/compression.h"
#include "reissue/io/csv_opening.h"
#include "reissue/io/encoding.h"

namespace reissue::io {
namespace internal {
namespace {

class CsvReading {
 public:
  CsvReading(std::string file, const CsvOptions& options, ThreadPool& pool, Progress& progress,
             const CsvTuning& tuning)
      : file_(std::move(file)),
        options_(options),
        pool_(pool),
        progress_(progress),
        tuning_(tuning),
        opening_(file_, options, tuning) {}

  // Everything up to the first record of data.
  Status Open(std::string_view text) { return opening_.Open(text); }
  // Reads the records; the digest of `stored` is taken on the side.
  Status ReadRows(std::string_view stored);
  // What is wrong with the first rows, of which `text` has a part: the last one may be cut off.
  Status Glance(std::string_view text);
  // Makes the table. The text may be gone by now.
  Result<CsvFile> Finish();

 private:
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

  CsvOpening opening_;
  std::vector<Lane> lanes_;
  std::string digest_;
  Fingerprint fingerprint_;
  std::vector<DictionaryBuilder> dictionaries_;  // per kept column, once merged
};

std::size_t CsvReading::LaneCount() const {
  if (opening_.plan().record_by_record) return 1;
  if (tuning_.lanes != 0) return tuning_.lanes;
  if (pool_.threads() == 1) return 1;
  constexpr std::size_t kBytesWorthALane = 1 << 18;
  constexpr std::size_t kLanesPerThread = 3;
  return std::clamp<std::size_t>(opening_.text().size() / kBytesWorthALane, 1,
                                 pool_.threads() * kLanesPerThread);
}

Status CsvReading::ReadRows(std::string_view stored) {
  const std::size_t count = LaneCount();
  const bool quotes = count > 1 && opening_.text().find('"') != std::string_view::npos;
  for (const std::string_view part : CutIntoLanes(opening_.text(), count, quotes, pool_)) {
    lanes_.emplace_back().text = part;
  }
  progress_.Begin("reading", opening_.text().size());
  const std::size_t digests = options_.digest ? 1 : 0;
  pool_.Run(lanes_.size() + digests, [&](std::size_t task) {
    if (task < digests) {
      std::tie(digest_, fingerprint_) = DigestAndFingerprint(stored);
    } else {
      ReadLane(opening_.plan(), lanes_[task - digests], progress_);
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
    return InputError({.file = file_, .line = 1, .byte = {}, .column = {}},
                      fmt::format("the first line does not end within {} bytes", text.size()),
                      "This is no table; check that it is the right file.");
  }
  REISSUE_TRY(Open(text.substr(0, end + 1)));
  lanes_.emplace_back().text = opening_.text();
  ReadLane(opening_.plan(), lanes_[0], progress_);
  if (!lanes_[0].fault || lanes_[0].fault->fault == Fault::kOpenQuote) return Ok();
  return LaneError(0);
}

Error CsvReading::LaneError(std::size_t failed) const {
  const LaneFault& fault = *lanes_[failed].fault;
  std::uint64_t line = opening_.line() + fault.line;
  for (std::size_t i = 0; i < failed; ++i) line += lanes_[i].line_count;
  const std::string column =
      fault.fault == Fault::kMissing ? opening_.names()[fault.column] : std::string();
  return ErrorOf(fault, file_, line, opening_.names().size(), options_.header, column);
}

Status CsvReading::CheckRows() const {
  std::uint64_t rows = 0;
  std::uint64_t dropped = 0;
  for (const Lane& lane : lanes_) {
    rows += lane.rows;
    dropped += lane.dropped;
  }
  if (rows >= std::numeric_limits<RowId::Raw>::max()) {
    return InputError({.file = file_, .line = {}, .byte = {}, .column = {}},
                      "more than 4 billion rows", "Split the table.");
  }
  return RowsAreThere(rows, dropped, file_, options_.header);
}

// One dictionary per column, in order of first appearance in the file; what every lane's codes
// become (nothing for the first lane, whose codes stay).
std::vector<std::vector<std::vector<ValueId>>> CsvReading::MergeDictionaries() {
  const std::size_t columns = opening_.plan().kept.size();
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
  const std::size_t columns = opening_.plan().kept.size();
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
    merged.emplace_back(opening_.names()[opening_.plan().kept[c]],
                        std::move(dictionaries_[c]).Build(), std::move(values[c]));
  }
  return merged;
}

Origin CsvReading::MergeLines() const {
  Origin origin{.file = file_, .first_line = opening_.line(), .lines = {}};
  std::uint64_t lines_before = opening_.line();
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
  lines_before = opening_.line();
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
  result.header = opening_.names();
  result.separator = opening_.separator();
  result.digest = std::move(digest_);
  result.fingerprint = fingerprint_;
  return result;
}

}  // namespace

namespace {

// The text in UTF-8: as it is, or in `room`.
Result<std::string_view> AsUtf8(std::string_view text, const CsvOptions& options,
                                const std::string& file, std::string& room) {
  if (options.encoding == Encoding::kUtf8) return text;
  REISSUE_TRY(IsNotMarkedUtf8(text, file));
  room.reserve(text.size() + text.size() / 8);
  AppendFromWindows1252(text, room);
  return std::string_view(room);
}

Result<CsvFile> ReadWhole(FileSystem& files, const std::string& path, const CsvOptions& options,
                          ThreadPool& pool, Progress& progress, const CsvTuning& tuning) {
  std::unique_ptr<Bytes> bytes = REISSUE_TRY(files.Read(path));
  CsvReading reading(NameOf(path), options, pool, progress, tuning);
  {
    GrowingBuffer unpacked;
    std::string_view text = bytes->view();
    if (IsCompressed(text)) {
      UnpackLimits limits;
      limits.most = files.most_unpacked;
      limits.glance = [&](std::string_view first) -> Status {
        std::string room;
        first = REISSUE_TRY(AsUtf8(first, options, NameOf(path), room));
        return CsvReading(NameOf(path), options, pool, progress, tuning).Glance(first);
      };
      unpacked = REISSUE_TRY(Decompress(text, NameOf(path), limits));
      text = unpacked.view();
    }
    std::string room;
    text = REISSUE_TRY(AsUtf8(text, options, NameOf(path), room));
    REISSUE_TRY(reading.Open(text));
    REISSUE_TRY(reading.ReadRows(bytes->view()));
  }
  bytes.reset();
  CsvFile file = REISSUE_TRY(reading.Finish());
  REISSUE_TRY(HasNoPoints(file.table, options));
  return file;
}

}  // namespace

Result<CsvFile> ReadCsvTuned(FileSystem& files, const std::string& path, const CsvOptions& options,
                             ThreadPool& pool, Progress& progress, const CsvTuning& tuning) {
  Result<CsvFile> file = ReadWhole(files, path, options, pool, progress, tuning);
  if (file) return file;
  return InWordsOf(options.encoding, std::move(file).error());
}

}  // namespace internal

Result<CsvFile> ReadCsv(FileSystem& files, const std::string& path, const CsvOptions& options,
                        ThreadPool& pool, Progress& progress) {
  return internal::ReadCsvTuned(files, path, options, pool, progress, {});
}

}  // namespace reissue::io
