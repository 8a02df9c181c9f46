#include "reissue/sources/postgres/shards.h"

#include <fmt/format.h>

#include <mutex>
#include <optional>
#include <thread>

#include "reissue/sources/postgres/errors.h"

namespace reissue::sources::postgres {
namespace {

constexpr std::string_view kNoRight = "42501", kLockTimeout = "55P03", kDeadlock = "40P01";
constexpr std::chrono::milliseconds kShort{200};

// True where it is locked; false where somebody else was in the way.
Result<bool> LockAgainstWriters(Connection& connection, const TableName& table) {
  const std::string schema = REISSUE_TRY(connection.Quoted(table.schema));
  const std::string relation = REISSUE_TRY(connection.Quoted(table.table));
  REISSUE_TRY(connection.Execute("BEGIN"));
  REISSUE_TRY(connection.Execute(
      fmt::format("SET LOCAL lock_timeout = {}", std::chrono::milliseconds(kShort).count())));
  Status locked =
      connection.Execute(fmt::format("LOCK TABLE {}.{} IN SHARE MODE", schema, relation));
  if (locked) return true;
  if (connection.state() == kLockTimeout || connection.state() == kDeadlock) return false;
  if (connection.state() == kNoRight) {
    return InputError({connection.name(), {}, {}, ""},
                      "the table cannot be locked: this user has no right to write to it",
                      "Grant UPDATE on the table to this user, or leave out `consistent = "
                      "\"lock\"`: then report and certificate say what may be wrong.");
  }
  return std::move(locked).error();
}

// All of them. A writer who has begun on one server and waits for us on another would wait for
// ever: so nobody is waited for long, and all is given back before it is tried again.
Status RaiseBarrier(std::vector<std::optional<Connection>>& barrier,
                    const std::vector<TableName>& tables, const Patience& patience) {
  const auto limit = std::chrono::steady_clock::now() + patience.lock;
  while (true) {
    bool all = true;
    for (std::size_t i = 0; i < barrier.size() && all; ++i) {
      all = REISSUE_TRY(LockAgainstWriters(*barrier[i], tables[i]));
    }
    if (all) return Ok();
    for (std::optional<Connection>& connection : barrier) {
      REISSUE_TRY(connection->Execute("ROLLBACK"));
    }
    if (std::chrono::steady_clock::now() > limit) {
      return ErrorOfState(barrier[0]->name(), kLockTimeout);
    }
  }
}

}  // namespace

Status Scatter(std::size_t size, std::atomic<bool>& stop,
               const std::function<Status(std::size_t)>& work) {
  std::mutex mutex;
  std::optional<Error> first;
  const auto run = [&](std::size_t i) {
    Status done = work(i);
    if (done) return;
    const std::lock_guard lock(mutex);
    if (!first) first = std::move(done).error();
    stop = true;
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < size; ++i) threads.emplace_back(run, i);
  run(0);
  for (std::thread& thread : threads) thread.join();
  if (first) return *std::move(first);
  return Ok();
}

Status Shards::ForEach(const std::function<Status(std::size_t, Shard&)>& work) {
  return Scatter(size(), *stop_, [&](std::size_t i) { return work(i, *shards_[i]); });
}

Result<Shards> Shards::Open(const SourceSettings& settings, const TableName& table) {
  Shards shards;
  const std::size_t size = settings.servers.size();
  Patience patience = settings.patience;
  patience.stop = shards.stop_.get();
  std::vector<TableName> names(size, table);
  std::vector<std::optional<Connection>> readers(size), barrier(size);
  const auto open = [&](std::size_t i) -> Status {
    readers[i].emplace(
        REISSUE_TRY(OpenSession(settings.servers[i], names[i], Transaction::kRead, patience)));
    if (!settings.lock) return Ok();
    TableName name = names[i];
    barrier[i].emplace(
        REISSUE_TRY(OpenSession(settings.servers[i], name, Transaction::kWrite, patience)));
    return Ok();
  };
  REISSUE_TRY(Scatter(size, *shards.stop_, open));
  if (settings.lock) REISSUE_TRY(RaiseBarrier(barrier, names, patience));
  REISSUE_TRY(
      Scatter(size, *shards.stop_, [&](std::size_t i) { return TakeSnapshot(*readers[i]); }));
  barrier.clear();
  std::vector<std::optional<Described>> described(size);
  const auto describe = [&](std::size_t i) -> Status {
    described[i].emplace(REISSUE_TRY(Describe(*readers[i], names[i])));
    return Ok();
  };
  REISSUE_TRY(Scatter(size, *shards.stop_, describe));
  for (std::size_t i = 0; i < size; ++i) {
    shards.shards_.push_back(
        std::make_unique<Shard>(Shard{*std::move(readers[i]), *std::move(described[i])}));
    const Shard& first = shards[0];
    const Shard& last = shards[i];
    REISSUE_TRY(
        SameColumns(first.table, first.connection.name(), last.table, last.connection.name()));
  }
  return shards;
}

}  // namespace reissue::sources::postgres
