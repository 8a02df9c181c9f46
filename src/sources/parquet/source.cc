#include "reissue/sources/parquet/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "reissue/io/utf8.h"
#include "reissue/sources/parquet/described.h"
#include "reissue/sources/parquet/file.h"
#include "reissue/sources/parquet/library.h"
#include "reissue/sources/parquet/session.h"
#include "reissue/sources/tally.h"

namespace reissue::sources::parquet {
namespace {

using Columns = std::vector<const DescribedColumn*>;
using Texts = std::span<const Field>;
using Numbers = std::span<const std::uint64_t>;

// SQL: a list with c0, c1, … in place of {0}, and the column's name in place of {1}.
std::string ListOf(const Columns& columns, std::string_view form) {
  std::string list;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::string alias = fmt::format("c{}", i);
    if (i > 0) list += ", ";
    list += form == "shown" ? fmt::format(fmt::runtime(columns[i]->shown), alias)
                            : fmt::format(fmt::runtime(form), alias, QuotedName(columns[i]->name));
  }
  return list;
}

class ParquetTable : public TableSource {
 public:
  ParquetTable(std::unique_ptr<ReadableFile> file, std::unique_ptr<Session> session,
               Described table, ThreadPool& pool, Progress& progress)
      : file_(std::move(file)),
        session_(std::move(session)),
        table_(std::move(table)),
        pool_(pool),
        progress_(progress) {
    for (const DescribedColumn& column : table_.columns) columns_.push_back(column.name);
  }

  const std::string& name() const override { return file_->name(); }
  const std::vector<std::string>& columns() const override { return columns_; }
  Consistency consistency() const override { return Consistency::kOneReading; }
  Result<Counted> Count(const Wanted& wanted) override;
  Result<Listed> Rows(const Wanted& wanted) override;

 private:
  // Which combination a hash is of; empty where that one was dropped.
  using Entries = std::unordered_map<std::uint64_t, std::optional<std::size_t>>;
  using EachPerson = std::function<Status(const Field&, std::optional<std::size_t>)>;

  Result<Columns> InOrder(const std::vector<std::string>& wanted) const;
  Status Combinations(const Columns& columns, Tally& tally, std::optional<Entries>& entries);
  Status PersonsOf(const Columns& columns, const DescribedColumn& identifier, Tally& tally,
                   const std::optional<Entries>& entries, const EachPerson& each);
  Status Persons(const Wanted& wanted, const Columns& columns, Tally& tally,
                 const std::optional<Entries>& entries, std::vector<Person>& persons);
  Status AreTexts(const Table& table) const;

  std::unique_ptr<ReadableFile> file_;
  std::unique_ptr<Session> session_;
  Described table_;
  ThreadPool& pool_;
  Progress& progress_;
  std::vector<std::string> columns_;
};

std::vector<std::string> NamesOf(const Columns& columns) {
  std::vector<std::string> names;
  for (const DescribedColumn* column : columns) names.push_back(column->name);
  return names;
}

// The wanted columns in the order of the file.
Result<Columns> ParquetTable::InOrder(const std::vector<std::string>& wanted) const {
  Columns columns;
  for (const std::string& name : columns_) {
    if (std::count(wanted.begin(), wanted.end(), name) == 0) continue;
    columns.push_back(REISSUE_TRY(ColumnOf(table_, file_->name(), name)));
  }
  return columns;
}

Status ParquetTable::Combinations(const Columns& columns, Tally& tally,
                                  std::optional<Entries>& entries) {
  const std::string sql =
      fmt::format("SELECT {}, n, {} FROM (SELECT {}, count(*) AS n FROM {} GROUP BY ALL)",
                  ListOf(columns, "shown"), fmt::format("hash({})", ListOf(columns, "{0}")),
                  ListOf(columns, "{1} AS {0}"), table_.from);
  return session_->Query(sql, [&](Texts texts, Numbers numbers) -> Status {
    const bool kept = REISSUE_TRY(tally.Add(texts, numbers[0]));
    progress_.Advance(numbers[0]);
    if (!entries) return Ok();
    const std::optional<std::size_t> entry = kept ? std::optional(tally.size() - 1) : std::nullopt;
    // Two combinations with one hash: all values lead to them then.
    if (!entries->emplace(numbers[1], entry).second) entries.reset();
    return Ok();
  });
}

Status ParquetTable::PersonsOf(const Columns& columns, const DescribedColumn& identifier,
                               Tally& tally, const std::optional<Entries>& entries,
                               const EachPerson& each) {
  const std::string inner =
      fmt::format("(SELECT {}, {} AS person FROM {})", ListOf(columns, "{1} AS {0}"),
                  QuotedName(identifier.name), table_.from);
  const std::string person = fmt::format(fmt::runtime(identifier.shown), "person");
  if (!entries) {
    return session_->Query(
        fmt::format("SELECT {}, {} FROM {}", person, ListOf(columns, "shown"), inner),
        [&](Texts texts, Numbers) { return each(texts[0], tally.Find(texts.subspan(1))); });
  }
  return session_->Query(
      fmt::format("SELECT {}, hash({}) FROM {}", person, ListOf(columns, "{0}"), inner),
      [&](Texts texts, Numbers numbers) -> Status {
        const auto found = entries->find(numbers[0]);
        if (found != entries->end()) return each(texts[0], found->second);
        return MachineError({file_->name(), {}, {}, ""},
                            "DuckDB read a row of no combination that it has counted",
                            "The file was changed meanwhile, or the library is at fault.");
      });
}

Status ParquetTable::Persons(const Wanted& wanted, const Columns& columns, Tally& tally,
                             const std::optional<Entries>& entries, std::vector<Person>& persons) {
  const DescribedColumn* const identifier =
      REISSUE_TRY(ColumnOf(table_, file_->name(), wanted.identifier));
  const Values values(wanted.missing_markers, wanted.on_missing);
  persons.reserve(std::min<std::uint64_t>(table_.rows, std::uint64_t{1} << 20));
  return PersonsOf(
      columns, *identifier, tally, entries,
      [&](const Field& id, std::optional<std::size_t> entry) -> Status {
        if (!entry) return Ok();
        if (!values.IsMissing(id)) {
          persons.push_back({wanted.hash(values.TextOf(id)), static_cast<std::uint32_t>(*entry)});
          return Ok();
        }
        if (wanted.on_missing == io::OnMissing::kError) {
          return MissingValue(file_->name(), wanted.identifier);
        }
        tally.Drop(*entry);
        return Ok();
      });
}

// Whatever the library lets through, what goes on is text.
Status ParquetTable::AreTexts(const Table& table) const {
  for (const Column& column : table.columns()) {
    for (const std::string_view text : column.dictionary().strings()) {
      const char* const end = text.data() + text.size();
      if (io::internal::FirstIllFormed(text.data(), end, end) == nullptr) continue;
      return InputError({file_->name(), {}, {}, column.name()},
                        "the column holds text that is not UTF-8, or has a NUL in it",
                        "Correct it where the file is made.");
    }
  }
  return Ok();
}

Result<Counted> ParquetTable::Count(const Wanted& wanted) {
  const Columns columns = REISSUE_TRY(InOrder(wanted.columns));
  if (columns.empty()) return UsageError("no column is asked for");
  Tally tally(file_->name(), NamesOf(columns), wanted);
  std::optional<Entries> entries;
  if (!wanted.identifier.empty()) entries.emplace();
  progress_.Begin("counting in the file", table_.rows);
  REISSUE_TRY(Combinations(columns, tally, entries));
  Counted counted;
  if (!wanted.identifier.empty()) {
    progress_.Begin("reading identifiers", table_.rows);
    REISSUE_TRY(Persons(wanted, columns, tally, entries, counted.persons));
  }
  counted.dropped_rows = tally.dropped();
  Tally::Made made = REISSUE_TRY(std::move(tally).Make(pool_));
  counted.table = std::move(made.table);
  REISSUE_TRY(AreTexts(counted.table));
  for (Person& person : counted.persons) person.row = made.row_of[person.row];
  counted.twice = FindTwice(counted.persons, {file_->name(), {}, {}, wanted.identifier});
  counted.digest = file_->digest();
  counted.fingerprint = file_->fingerprint();
  REISSUE_TRY(file_->IsUnchanged());
  return counted;
}

Result<Listed> ParquetTable::Rows(const Wanted& wanted) {
  std::vector<std::string> all = wanted.columns;
  if (!wanted.identifier.empty()) all.push_back(wanted.identifier);
  const Columns columns = REISSUE_TRY(InOrder(all));
  if (columns.empty()) return UsageError("no column is asked for");
  RowCollector rows(file_->name(), NamesOf(columns), wanted);
  progress_.Begin("reading rows", table_.rows);
  REISSUE_TRY(
      session_->Query(fmt::format("SELECT {} FROM (SELECT {} FROM {})", ListOf(columns, "shown"),
                                  ListOf(columns, "{1} AS {0}"), table_.from),
                      [&](Texts texts, Numbers) -> Status {
                        progress_.Advance(1);
                        return rows.Add(texts);
                      }));
  Listed listed;
  listed.dropped_rows = rows.dropped();
  listed.table = REISSUE_TRY(std::move(rows).Make());
  REISSUE_TRY(AreTexts(listed.table));
  listed.digest = file_->digest();
  REISSUE_TRY(file_->IsUnchanged());
  return listed;
}

}  // namespace

bool IsParquet(std::string_view path) {
  constexpr std::string_view kEnding = ".parquet";
  if (io::IsTemporaryName(std::string(path))) path = path.substr(0, path.rfind(".reissue-"));
  if (path.size() <= kEnding.size()) return false;
  const std::string_view ending = path.substr(path.size() - kEnding.size());
  return std::equal(ending.begin(), ending.end(), kEnding.begin(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

Status LibraryIsThere(const Settings& settings) {
  const auto library = Library::Open(settings.library);
  return library ? Ok() : Status(library.error());
}

Result<std::unique_ptr<TableSource>> OpenTable(const Settings& settings, io::FileSystem& files,
                                               const std::string& path, ThreadPool& pool,
                                               Progress& progress) {
  auto library = REISSUE_TRY(Library::Open(settings.library));
  auto file = REISSUE_TRY(ReadableFile::Open(files, path));
  auto session = REISSUE_TRY(Session::Open(
      std::move(library), {file->name(), file->opened_as(), pool.threads(), settings.memory}));
  Described table = REISSUE_TRY(Describe(*session, file->name(), file->opened_as()));
  return std::unique_ptr<TableSource>(std::make_unique<ParquetTable>(
      std::move(file), std::move(session), std::move(table), pool, progress));
}

}  // namespace reissue::sources::parquet
