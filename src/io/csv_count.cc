#include "reissue/io/csv_count.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "reissue/core/combinations.h"
#include "reissue/core/let_go.h"
#include "reissue/io/csv_count_tuned.h"
#include "reissue/io/csv_opening.h"
#include "reissue/io/csv_pieces.h"
#include "reissue/io/encoding.h"

namespace reissue::io {
namespace internal {
namespace {

// Which line every row stands on, where few rows are out of step.
class LinesOfRows {
 public:
  void Add(std::uint64_t line, std::uint64_t rows) {
    if (rows == 0) return;
    if (runs_.empty() || runs_.back().line + (rows_ - runs_.back().row) != line) {
      runs_.push_back({rows_, line});
    }
    rows_ += rows;
  }
  // Where rows come from that are all there, in order.
  Origin OriginIn(std::string file) const {
    Origin origin{std::move(file), runs_.front().line, {}};
    if (runs_.size() == 1) return origin;
    origin.lines.reserve(rows_);
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const std::uint64_t end = i + 1 < runs_.size() ? runs_[i + 1].row : rows_;
      for (std::uint64_t row = runs_[i].row; row < end; ++row) {
        origin.lines.push_back(runs_[i].line + (row - runs_[i].row));
      }
    }
    return origin;
  }
  std::uint64_t Of(std::uint64_t row) const {
    const auto after =
        std::upper_bound(runs_.begin(), runs_.end(), row,
                         [](std::uint64_t value, const Run& run) { return value < run.row; });
    return after[-1].line + (row - after[-1].row);
  }

 private:
  struct Run {
    std::uint64_t row, line;
  };
  std::vector<Run> runs_;
  std::uint64_t rows_ = 0;
};

// The first row whose key an earlier one has, and that one.
std::optional<std::pair<std::uint32_t, std::uint32_t>> FirstTwice(
    const std::vector<KeyedRow>& persons, ThreadPool& pool) {
  constexpr std::size_t kBuckets = 256;
  std::array<std::size_t, kBuckets + 1> begin{};
  for (const KeyedRow& person : persons) ++begin[person.key[0] + 1u];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::uint32_t> order(persons.size());
  auto next = begin;
  for (std::uint32_t i = 0; i < order.size(); ++i) order[next[persons[i].key[0]]++] = i;
  constexpr auto kNone = static_cast<std::uint32_t>(-1);
  std::array<std::pair<std::uint32_t, std::uint32_t>, kBuckets> found;
  pool.Run(kBuckets, [&](std::size_t bucket) {
    const auto from = order.begin() + static_cast<std::ptrdiff_t>(begin[bucket]);
    const auto to = order.begin() + static_cast<std::ptrdiff_t>(begin[bucket + 1]);
    std::sort(from, to, [&](std::uint32_t a, std::uint32_t b) {
      return persons[a].key != persons[b].key ? persons[a].key < persons[b].key : a < b;
    });
    found[bucket] = {kNone, kNone};
    for (auto at = from; at != to; ++at) {
      if (at == from || persons[*at].key != persons[at[-1]].key || *at > found[bucket].first) {
        continue;
      }
      found[bucket] = {*at, at[-1]};
    }
  });
  const auto first = *std::min_element(found.begin(), found.end());
  if (first.first == kNone) return std::nullopt;
  return first;
}

class Counting final : public CsvStream {
 public:
  Counting(const std::string& path, CsvOptions options, ThreadPool& pool, Progress& progress,
           const CountTuning& tuning)
      : file_(NameOf(path)),
        options_(std::move(options)),
        pool_(pool),
        progress_(progress),
        tuning_(tuning) {}

  Status Begin(FileSystem& files, const std::string& path);
  const std::vector<std::string>& header() const override { return opening_->names(); }
  Result<CsvCounted> Count(const std::vector<std::string>& columns, const std::string& identifier,
                           const HashIdentifier& hash) override;
  Result<CsvFile> List(const std::vector<std::string>& columns) override;

 private:
  Status ReadAll();
  Status Choose(const std::vector<std::string>& columns, const std::string& identifier);
  Result<std::string_view> Whole();
  void DecideOnLines(std::string_view text);
  Status ReadPiece(std::string_view text);
  std::size_t LanesFor(std::string_view text) const;
  Status CheckLanes(std::size_t lanes);
  void MergeDictionaries(std::size_t lanes);
  void CountLanes(std::size_t lanes);
  void ListLanes(std::size_t lanes);
  void TakePersons(std::size_t lanes, const std::vector<EntryId>& entries);
  Result<CsvCounted> Finish();
  Result<CsvFile> FinishList();

  std::string file_;
  CsvOptions options_;
  ThreadPool& pool_;
  Progress& progress_;
  CountTuning tuning_;
  std::optional<CsvOpening> opening_;
  std::unique_ptr<PieceReader> reader_;
  Piece piece_, next_;
  std::string_view rest_;  // of piece_: what is still to be read

  LanePlan plan_;
  bool begun_ = false;                     // the first piece was looked at
  std::vector<std::size_t> counted_;       // which of plan_.kept
  std::optional<std::size_t> identifier_;  // likewise
  const HashIdentifier* hash_ = nullptr;
  std::vector<Lane> lanes_;  // those of a piece; dictionaries last, those of the first are of all
  std::vector<std::vector<std::vector<std::uint32_t>>> becomes_;  // per lane and column
  std::optional<Combinations> combinations_;                      // nothing: rows are listed
  std::vector<std::vector<ValueId>> listed_;                      // per column
  std::uint64_t line_ = 1, rows_ = 0, dropped_ = 0;
  std::vector<KeyedRow> persons_;
  LinesOfRows lines_;
};

Status Counting::Begin(FileSystem& files, const std::string& path) {
  reader_ = REISSUE_TRY(PieceReader::Open(files, path, options_.digest, options_.encoding));
  // The header is whole, and what tells the separator, where a record follows it.
  for (std::size_t target = tuning_.piece_bytes;; target *= 2) {
    REISSUE_TRY(reader_->Fill(piece_, target));
    opening_.emplace(file_, options_, tuning_.csv);
    const Status opened = opening_->Open(piece_.text());
    const bool enough = reader_->ended() || target >= tuning_.longest_record;
    if (opened && (enough || (opening_->text().find('\n') != std::string_view::npos &&
                              WholeRecords(opening_->text(), opening_->plan()) > 0))) {
      break;
    }
    if (!opened && (enough || opening_->settled())) {
      return InWordsOf(options_.encoding, opened.error());
    }
  }
  line_ = opening_->line();
  const std::string_view all = piece_.text(), left = opening_->text();
  rest_ = left.data() == nullptr ? std::string_view()
                                 : all.substr(static_cast<std::size_t>(left.data() - all.data()));
  return Ok();
}

Status Counting::Choose(const std::vector<std::string>& columns, const std::string& identifier) {
  plan_ = opening_->plan();
  plan_.kept.clear();
  for (std::size_t i = 0; i < header().size(); ++i) {
    const bool counts = std::find(columns.begin(), columns.end(), header()[i]) != columns.end();
    const bool identifies = !identifier.empty() && header()[i] == identifier;
    if (!counts && !identifies) continue;
    if (identifies) {
      identifier_ = plan_.kept.size();
    } else {
      counted_.push_back(plan_.kept.size());
    }
    plan_.kept.push_back(i);
  }
  REISSUE_CHECK(counted_.size() == columns.size() && identifier.empty() == !identifier_);
  return Ok();
}

// Of rest_, what can be read now: reads on until there is something.
Result<std::string_view> Counting::Whole() {
  std::size_t target = tuning_.piece_bytes;
  while (true) {
    if (reader_->ended()) return WithoutEmptyLinesAtEnd(rest_);
    const std::size_t whole = WholeRecords(rest_, plan_);
    if (whole > 0) return rest_.substr(0, whole);
    if (rest_.find('"') != std::string_view::npos) {
      // A quote in a wrong place is told at once; one that is open may still be closed.
      plan_.record_by_record = NeedsRecords(plan_, rest_);
      Lane lane;
      lane.text = rest_;
      Progress nobody;
      ReadLane(plan_, lane, nobody);
      if (lane.fault &&
          (lane.fault->fault == Fault::kBareQuote || lane.fault->fault == Fault::kAfterQuote)) {
        return ErrorOf(*lane.fault, file_, line_ + lane.fault->line, header().size(),
                       options_.header, {});
      }
    }
    if (rest_.size() >= tuning_.longest_record) {
      return InputError({.file = file_, .line = line_, .byte = {}, .column = {}},
                        fmt::format("the record that begins here does not end within {} MiB",
                                    tuning_.longest_record >> 20),
                        "Look for a quote that is never closed, or for lines that end with CR "
                        "alone.");
    }
    target = std::max(target, rest_.size() * 2);
    next_.Assign(rest_);
    REISSUE_TRY(reader_->Fill(next_, target));
    std::swap(piece_, next_);
    rest_ = piece_.text();
  }
}

std::size_t Counting::LanesFor(std::string_view text) const {
  if (plan_.record_by_record) return 1;
  if (tuning_.csv.lanes != 0) return tuning_.csv.lanes;
  if (pool_.threads() == 1) return 1;
  constexpr std::size_t kBytesWorthALane = 1 << 17, kMostLanes = 32;
  return std::clamp<std::size_t>(text.size() / kBytesWorthALane, 1,
                                 std::min(kMostLanes, pool_.threads() * 2));
}

// Reads some whole records, and at the same time digests them and reads what follows in the file.
Status Counting::ReadPiece(std::string_view text) {
  plan_.record_by_record = NeedsRecords(plan_, text);
  const bool quotes = text.find('"') != std::string_view::npos;
  const auto parts = CutIntoLanes(text, LanesFor(text), quotes, pool_);
  if (lanes_.size() < parts.size()) lanes_.resize(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Lane& lane = lanes_[i];
    std::vector<ColumnBuilder> columns = std::move(lane.columns);
    KnownLines known = std::move(lane.known);
    lane = Lane();
    lane.text = parts[i];
    lane.columns = std::move(columns);
    lane.known = std::move(known);
    if (!identifier_ || !lane.columns.empty()) continue;
    for (std::size_t c = 0; c < plan_.kept.size(); ++c) lane.columns.emplace_back(text.data());
    lane.columns[*identifier_].HashWith(hash_);
  }
  const std::string_view left = rest_.substr(text.size());
  Status filled = Ok();
  reader_->TakeForDigest();
  pool_.Run(2 + parts.size(), [&](std::size_t task) {
    if (task == 0) return reader_->DigestTaken();
    if (task > 1) return ReadLane(plan_, lanes_[task - 2], progress_);
    next_.Assign(left);
    filled = reader_->Fill(next_, std::max(tuning_.piece_bytes, left.size()));
  });
  REISSUE_TRY(CheckLanes(parts.size()));
  CountLanes(parts.size());
  REISSUE_TRY(std::move(filled));
  std::swap(piece_, next_);
  rest_ = piece_.text();
  return Ok();
}

// Lines are counted where a row is what its line says and nothing else, and where that pays.
void Counting::DecideOnLines(std::string_view text) {
  const bool may =
      combinations_ && !identifier_ && plan_.comment_prefix.empty() && plan_.missing.empty();
  plan_.lines = tuning_.lines;
  plan_.counts_lines = may && LinesRepeat(text, plan_.lines);
}

Status Counting::CheckLanes(std::size_t lanes) {
  std::uint64_t line = line_;
  for (std::size_t i = 0; i < lanes; ++i) {
    if (const auto& fault = lanes_[i].fault) {
      const std::string column =
          fault->fault == Fault::kMissing ? header()[fault->column] : std::string();
      return InWordsOf(options_.encoding, ErrorOf(*fault, file_, line + fault->line,
                                                  header().size(), options_.header, column));
    }
    line += lanes_[i].line_count;
  }
  return Ok();
}

void Counting::MergeDictionaries(std::size_t lanes) {
  becomes_.resize(std::max(becomes_.size(), lanes));
  const auto fresh = [&](std::size_t l, std::size_t c) {
    return becomes_[l][c].size() < lanes_[l].columns[counted_[c]].dictionary().size();
  };
  std::vector<std::size_t> waiting;
  for (std::size_t l = 1; l < lanes; ++l) becomes_[l].resize(counted_.size());
  for (std::size_t c = 0; c < counted_.size(); ++c) {
    bool any = false;
    for (std::size_t l = 1; l < lanes; ++l) any = any || fresh(l, c);
    if (any) waiting.push_back(c);
  }
  pool_.Run(waiting.size(), [&](std::size_t i) {
    const std::size_t c = waiting[i];
    DictionaryBuilder& all = lanes_[0].columns[counted_[c]].dictionary();
    for (std::size_t l = 1; l < lanes; ++l) {
      const DictionaryBuilder& own = lanes_[l].columns[counted_[c]].dictionary();
      for (std::size_t id = becomes_[l][c].size(); id < own.size(); ++id) {
        becomes_[l][c].push_back(all.Intern(own[ValueId(id)]).raw());
      }
    }
  });
}

void Counting::CountLanes(std::size_t lanes) {
  MergeDictionaries(lanes);
  if (!combinations_) return ListLanes(lanes);
  std::vector<CodeBlock> blocks(lanes);
  std::size_t rows = 0;
  for (std::size_t l = 0; l < lanes; ++l) {
    Lane& lane = lanes_[l];
    CodeBlock& block = blocks[l];
    block.rows = lane.rows;
    for (std::size_t c = 0; c < counted_.size(); ++c) {
      block.columns.emplace_back(lane.columns[counted_[c]].codes());
      if (l > 0) block.becomes.emplace_back(becomes_[l][c]);
    }
    block.first_line = line_ + (lane.lines.empty() ? lane.first_line : 0);
    block.lines = lane.lines;
    block.weights = lane.weights;
    if (identifier_) {
      if (lane.lines.empty()) lines_.Add(block.first_line, lane.rows);
      for (const std::uint64_t line : lane.lines) lines_.Add(line_ + line, 1);
    }
    line_ += lane.line_count;
    rows += lane.rows;
    dropped_ += lane.dropped;
  }
  std::vector<std::uint64_t> domains;
  for (const std::size_t c : counted_) domains.push_back(lanes_[0].columns[c].dictionary().size());
  std::vector<EntryId> entries(identifier_ ? rows : 0);
  combinations_->Add(blocks, domains, pool_, entries);
  rows_ += rows;
  if (identifier_) TakePersons(lanes, entries);
}

void Counting::ListLanes(std::size_t lanes) {
  pool_.Run(counted_.size(), [&](std::size_t c) {
    for (std::size_t l = 0; l < lanes; ++l) {
      for (const ValueId code : lanes_[l].columns[counted_[c]].codes()) {
        listed_[c].push_back(l == 0 ? code : ValueId(becomes_[l][c][code.index()]));
      }
    }
  });
  for (std::size_t l = 0; l < lanes; ++l) {
    const Lane& lane = lanes_[l];
    if (lane.lines.empty()) lines_.Add(line_ + lane.first_line, lane.rows);
    for (const std::uint64_t line : lane.lines) lines_.Add(line_ + line, 1);
    line_ += lane.line_count;
    rows_ += lane.rows;
    dropped_ += lane.dropped;
  }
}

void Counting::TakePersons(std::size_t lanes, const std::vector<EntryId>& entries) {
  std::size_t row = 0;
  for (std::size_t l = 0; l < lanes; ++l) {
    for (const FieldKey& key : lanes_[l].columns[*identifier_].keys()) {
      persons_.push_back({key, entries[row++]});
    }
  }
}

Result<CsvCounted> Counting::Count(const std::vector<std::string>& columns,
                                   const std::string& identifier, const HashIdentifier& hash) {
  REISSUE_TRY(Choose(columns, identifier));
  hash_ = &hash;
  combinations_.emplace(counted_.size());
  REISSUE_TRY(ReadAll());
  return Finish();
}

Result<CsvFile> Counting::List(const std::vector<std::string>& columns) {
  REISSUE_TRY(Choose(columns, {}));
  listed_.resize(counted_.size());
  REISSUE_TRY(ReadAll());
  return FinishList();
}

Status Counting::ReadAll() {
  progress_.Begin("reading", reader_->size());
  while (true) {
    const std::string_view text = REISSUE_TRY(Whole());
    if (text.empty()) break;  // at the end
    if (!std::exchange(begun_, true)) DecideOnLines(text);
    REISSUE_TRY(ReadPiece(text));
  }
  return RowsAreThere(rows_, dropped_, file_, options_.header);
}

Result<CsvFile> Counting::FinishList() {
  if (rows_ >= std::numeric_limits<RowId::Raw>::max()) {
    return InputError({.file = file_, .line = {}, .byte = {}, .column = {}},
                      "more than 4 billion rows", "Split the table.");
  }
  CsvFile listed;
  listed.dropped_rows = dropped_;
  listed.header = header();
  listed.separator = opening_->separator();
  if (options_.digest) std::tie(listed.digest, listed.fingerprint) = reader_->Digest();
  std::vector<Column> columns;
  for (std::size_t c = 0; c < counted_.size(); ++c) {
    columns.emplace_back(header()[plan_.kept[counted_[c]]],
                         std::move(lanes_[0].columns[counted_[c]].dictionary()).Build(),
                         std::move(listed_[c]));
  }
  listed.table = Table(std::move(columns), rows_, lines_.OriginIn(file_));
  REISSUE_TRY(HasNoPoints(listed.table, options_));
  return listed;
}

Result<CsvCounted> Counting::Finish() {
  CsvCounted counted;
  counted.dropped_rows = dropped_;
  if (options_.digest) std::tie(counted.digest, counted.fingerprint) = reader_->Digest();
  std::vector<std::string> names;
  std::vector<DictionaryBuilder> dictionaries;
  for (const std::size_t c : counted_) {
    names.push_back(header()[plan_.kept[c]]);
    dictionaries.push_back(std::move(lanes_[0].columns[c].dictionary()));
  }
  lanes_.clear();
  LetGo(becomes_);
  piece_ = {};
  next_ = {};
  counted.persons = std::move(persons_);
  if (const auto twice = FirstTwice(counted.persons, pool_)) {
    counted.twice = {lines_.Of(twice->first), lines_.Of(twice->second)};
  }
  Combinations::Sorted places;
  counted.table = CountedTable(std::move(names), std::move(dictionaries), *std::move(combinations_),
                               {file_, 1, {}}, pool_, &places);
  for (KeyedRow& person : counted.persons) person.row = places.PlaceOf(person.row);
  REISSUE_TRY(HasNoPoints(counted.table, options_));
  return counted;
}

}  // namespace

Result<std::unique_ptr<CsvStream>> StreamCsvTuned(FileSystem& files, const std::string& path,
                                                  const CsvOptions& options, ThreadPool& pool,
                                                  Progress& progress, const CountTuning& tuning) {
  auto counting = std::make_unique<Counting>(path, options, pool, progress, tuning);
  REISSUE_TRY(counting->Begin(files, path));
  return std::unique_ptr<CsvStream>(std::move(counting));
}

}  // namespace internal

Result<std::unique_ptr<CsvStream>> CsvStream::Open(FileSystem& files, const std::string& path,
                                                   const CsvOptions& options, ThreadPool& pool,
                                                   Progress& progress) {
  return internal::StreamCsvTuned(files, path, options, pool, progress, {});
}

}  // namespace reissue::io
