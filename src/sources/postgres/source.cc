#include "reissue/sources/postgres/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

#include "reissue/sources/digest.h"
#include "reissue/sources/postgres/fetch.h"
#include "reissue/sources/postgres/shards.h"
#include "reissue/sources/tally.h"

namespace reissue::sources::postgres {
namespace {

constexpr std::uint64_t kToldAtOnce = 4096;  // rows, to whoever watches

// Of one server.
struct Part {
  FetchedCounts counts;
  std::vector<Person> persons;  // `row`: the number of the combination, at first
};

// For progress from several threads. A stage begins once: with the first who begins it.
class Shared : public Progress {
 public:
  Shared(Progress& of, std::uint64_t rows) : of_(of), rows_(rows) {}
  void Begin(std::string_view stage, std::uint64_t) override {
    const std::lock_guard lock(mutex_);
    if (std::exchange(stage_, std::string(stage)) != stage) of_.Begin(stage, rows_);
  }
  void Advance(std::uint64_t more) override {
    const std::lock_guard lock(mutex_);
    of_.Advance(more);
  }

 private:
  Progress& of_;
  std::uint64_t rows_;
  std::mutex mutex_;
  std::string stage_;
};

class PostgresTable : public TableSource {
 public:
  PostgresTable(std::string name, Shards shards, bool locked, ThreadPool& pool, Progress& progress)
      : name_(std::move(name)),
        shards_(std::move(shards)),
        locked_(locked),
        pool_(pool),
        progress_(progress) {
    for (const DescribedColumn& column : shards_[0].table.columns) {
      columns_.push_back(column.name);
    }
  }

  const std::string& name() const override { return name_; }
  const std::vector<std::string>& columns() const override { return columns_; }
  Consistency consistency() const override {
    if (shards_.size() == 1) {
      return FarServers() > 1 || shards_[0].table.distributed ? Consistency::kApart
                                                              : Consistency::kOneSnapshot;
    }
    return locked_ ? Consistency::kBarrier : Consistency::kApart;
  }
  Result<Counted> Count(const Wanted& wanted) override;
  Result<Listed> Rows(const Wanted& wanted) override;

 private:
  // Servers whose snapshots this table is made of, where they are not asked directly.
  std::size_t FarServers() const {
    std::set<std::string> servers;
    for (const Leaf& leaf : shards_[0].table.leaves) servers.insert(leaf.server);
    return servers.size();
  }
  // The wanted columns in the order of the first server's table.
  std::vector<std::string> InOrder(const std::vector<std::string>& wanted) const {
    std::vector<std::string> names;
    for (const std::string& column : columns_) {
      if (std::count(wanted.begin(), wanted.end(), column) > 0) names.push_back(column);
    }
    return names;
  }
  Status FetchPart(Shard& shard, const Wanted& wanted, const std::vector<std::string>& names,
                   Part& part, Progress& progress);
  Status Persons(Shard& shard, const Wanted& wanted,
                 const std::vector<const DescribedColumn*>& columns, Part& part,
                 Progress& progress);

  std::string name_;
  Shards shards_;
  bool locked_;
  ThreadPool& pool_;
  Progress& progress_;
  std::vector<std::string> columns_;
};

Result<std::vector<const DescribedColumn*>> ColumnsOf(const Described& table,
                                                      const std::vector<std::string>& names) {
  std::vector<const DescribedColumn*> columns;
  for (const std::string& name : names) columns.push_back(REISSUE_TRY(ColumnOf(table, name)));
  return columns;
}

Status PostgresTable::FetchPart(Shard& shard, const Wanted& wanted,
                                const std::vector<std::string>& names, Part& part,
                                Progress& progress) {
  const std::vector<const DescribedColumn*> columns = REISSUE_TRY(ColumnsOf(shard.table, names));
  // Of foreign tables one combination may come several times: there all values lead to it.
  part.counts.hashed =
      !wanted.identifier.empty() && HashesRows(shard.connection) && shard.table.leaves.empty();
  REISSUE_TRY(FetchCounts(shard, columns, part.counts, progress));
  return wanted.identifier.empty() ? Ok() : Persons(shard, wanted, columns, part, progress);
}

Status PostgresTable::Persons(Shard& shard, const Wanted& wanted,
                              const std::vector<const DescribedColumn*>& columns, Part& part,
                              Progress& progress) {
  const DescribedColumn* const identifier = REISSUE_TRY(ColumnOf(shard.table, wanted.identifier));
  const Values values(wanted.missing_markers, wanted.on_missing);
  Tally& tally = part.counts.tally;
  progress.Begin("reading identifiers", 0);
  std::uint64_t read = 0;
  const auto take = [&](const Field& id, std::optional<std::size_t> entry) -> Status {
    if (++read % kToldAtOnce == 0) progress.Advance(kToldAtOnce);
    if (!entry) return Ok();
    if (!values.IsMissing(id)) {
      part.persons.push_back({wanted.hash(values.TextOf(id)), static_cast<std::uint32_t>(*entry)});
      return Ok();
    }
    if (wanted.on_missing == io::OnMissing::kError) return MissingValue(name_, wanted.identifier);
    tally.Drop(*entry);
    return Ok();
  };
  return FetchPersons(shard, columns, *identifier, part.counts, take);
}

Result<Counted> PostgresTable::Count(const Wanted& wanted) {
  const std::vector<std::string> names = InOrder(wanted.columns);
  std::vector<Part> parts;
  std::uint64_t estimated = 0;
  for (std::size_t i = 0; i < shards_.size(); ++i) {
    parts.push_back({{Tally(name_, names, wanted), {}, false}, {}});
    estimated += shards_[i].table.estimated_rows;
  }
  // Until the first combination comes nobody knows how far the server is.
  progress_.Begin(shards_.size() == 1 ? "counting on the server" : "counting on the servers", 0);
  Shared progress(progress_, estimated);
  REISSUE_TRY(shards_.ForEach([&](std::size_t i, Shard& shard) {
    return FetchPart(shard, wanted, names, parts[i], progress);
  }));
  Counted counted;
  Tally tally = std::move(parts[0].counts.tally);
  counted.persons = std::move(parts[0].persons);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto first = static_cast<std::uint32_t>(tally.size());
    for (const Person& person : parts[i].persons) {
      counted.persons.push_back({person.key, person.row + first});
    }
    tally.Append(parts[i].counts.tally);
    parts[i] = {{Tally("", {}, {}), {}, false}, {}};
  }
  counted.dropped_rows = tally.dropped();
  Tally::Made made = REISSUE_TRY(std::move(tally).Make(pool_, !wanted.identifier.empty()));
  counted.table = std::move(made.table);
  for (Person& person : counted.persons) person.row = made.row_of[person.row];
  counted.twice = FindTwice(counted.persons, Place{name_, {}, {}, wanted.identifier});
  counted.digest = DigestOfCounted(counted.table);
  return counted;
}

Result<Listed> PostgresTable::Rows(const Wanted& wanted) {
  std::vector<std::string> all = wanted.columns;
  if (!wanted.identifier.empty()) all.push_back(wanted.identifier);
  const std::vector<std::string> names = InOrder(all);
  std::vector<std::unique_ptr<RowCollector>> parts;
  for (std::size_t i = 0; i < shards_.size(); ++i) {
    parts.push_back(std::make_unique<RowCollector>(name_, names, wanted));
  }
  std::uint64_t estimated = 0;
  for (std::size_t i = 0; i < shards_.size(); ++i) estimated += shards_[i].table.estimated_rows;
  Shared progress(progress_, estimated);
  progress.Begin("reading rows", 0);
  const auto read = [&](std::size_t i, Shard& shard) -> Status {
    const auto columns = REISSUE_TRY(ColumnsOf(shard.table, names));
    return FetchRows(shard, columns, [&](std::span<const Field> fields) -> Status {
      progress.Advance(1);
      return parts[i]->Add(fields);
    });
  };
  REISSUE_TRY(shards_.ForEach(read));
  for (std::size_t i = 1; i < parts.size(); ++i) parts[0]->Append(*parts[i]);
  Listed listed;
  listed.dropped_rows = parts[0]->dropped();
  listed.table = REISSUE_TRY(std::move(*parts[0]).Make());
  listed.digest = DigestOfCounted(listed.table);
  return listed;
}

}  // namespace

bool Available() { return true; }

Result<std::unique_ptr<TableSource>> OpenTable(const SourceSettings& settings,
                                               const std::string& table, ThreadPool& pool,
                                               Progress& progress) {
  const TableName name = REISSUE_TRY(ReadTableName(table));
  if (settings.servers.empty()) return UsageError("no server is named");
  progress.Begin(settings.lock ? "waiting until nobody writes" : "connecting", 0);
  Shards shards = REISSUE_TRY(Shards::Open(settings, name));
  if (settings.lock && !shards[0].table.leaves.empty()) {
    return InputError({shards[0].table.name.ToString(), {}, {}, ""},
                      "the servers behind foreign tables cannot be locked through them",
                      "Name them in [source] shards = [ … ], or leave out consistent = \"lock\".");
  }
  std::string called = shards[0].table.name.ToString();
  return std::unique_ptr<TableSource>(std::make_unique<PostgresTable>(
      std::move(called), std::move(shards), settings.lock, pool, progress));
}

}  // namespace reissue::sources::postgres
