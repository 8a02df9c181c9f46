#include "reissue/sources/postgres/target.h"

#include <fmt/format.h>

#include <array>

#include "reissue/sources/digest.h"
#include "reissue/sources/postgres/fetch.h"
#include "reissue/sources/postgres/seal.h"
#include "reissue/sources/postgres/session.h"

namespace reissue::sources::postgres {
namespace {

constexpr int kFirstWithTransactionIds = 130000;
constexpr int kFirstWithRandomIds = 130000;
constexpr std::size_t kPiece = 1 << 16;

std::string FreshNonce() {
  Random random = Random::FromSystem();
  const std::uint64_t high = random.Next();
  return fmt::format("{:016x}{:016x}", high, random.Next());
}

// As COPY reads them.
void AppendEscaped(std::string& line, std::string_view text) {
  for (const char c : text) {
    switch (c) {
      case '\\':
        line += "\\\\";
        break;
      case '\t':
        line += "\\t";
        break;
      case '\n':
        line += "\\n";
        break;
      case '\r':
        line += "\\r";
        break;
      default:
        line += c;
    }
  }
}

Result<std::string> One(Connection& connection, const std::string& sql,
                        const std::vector<std::string>& parameters = {}) {
  const auto rows = REISSUE_TRY(connection.Rows(sql, parameters));
  return rows.empty() || rows[0].empty() ? std::string() : rows[0][0].value_or("");
}

// Which server, and which database of it: others would know nothing of our transaction.
Status Identify(Connection& connection, TargetSeal& seal) {
  seal.system =
      REISSUE_TRY(One(connection, "SELECT system_identifier FROM pg_catalog.pg_control_system()"));
  seal.database = REISSUE_TRY(
      One(connection, "SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()"));
  return Ok();
}

// What is committed must stay so, even if the server falls the next moment.
Status KeepCommits(Connection& connection) {
  REISSUE_TRY(
      connection.Rows("SELECT set_config('synchronous_commit', 'on', false) WHERE "
                      "current_setting('synchronous_commit') = 'off'"));
  return Ok();
}

// A server that falls forgets numbers of transactions of which nothing is on its disk, and gives
// them to others. A small transaction beside ours that is committed brings all that was written
// before to the disk.
Status Flush(const Address& address, const Patience& patience) {
  constexpr std::array<std::string_view, 3> kNoMessages = {"42883", "42501", "0A000"};
  Connection connection = REISSUE_TRY(Connection::Open(address, patience));
  REISSUE_TRY(Pin(connection));
  REISSUE_TRY(KeepCommits(connection));
  const bool other_way = REISSUE_TRY(connection.ExecuteUnless(
      "SELECT pg_catalog.pg_logical_emit_message(true, 'reissue', '')", kNoMessages));
  if (!other_way) return Ok();
  return connection.Execute("CREATE TEMPORARY TABLE reissue_flush (a int)");
}

// Before anything is written, and before anybody has computed for hours.
Status MayMakeTables(Connection& connection, const TableName& table) {
  const auto rights = REISSUE_TRY(
      connection.Rows("SELECT pg_catalog.has_schema_privilege(oid, 'CREATE'), "
                      "pg_catalog.has_database_privilege(current_database(), 'TEMPORARY') "
                      "FROM pg_catalog.pg_namespace WHERE nspname = $1",
                      {table.schema}));
  const Place place{table.ToString(), {}, {}, ""};
  if (rights.empty()) {
    return InputError(place, "there is no schema of that name", "Make it first, or name another.");
  }
  if (rights[0][0] != "t") {
    return InputError(place, "this user may not make tables in that schema",
                      "GRANT CREATE ON SCHEMA to the user, or name another schema.");
  }
  if (rights[0][1] != "t") {
    return InputError(place, "this user may not make temporary tables in that database",
                      "GRANT TEMPORARY ON DATABASE to the user: a release goes through one.");
  }
  return Ok();
}

class PostgresTarget : public ReleaseTarget {
 public:
  PostgresTarget(const Address& address, Connection connection, TargetSeal seal, ThreadPool& pool)
      : address_(address), connection_(std::move(connection)), seal_(std::move(seal)), pool_(pool) {
    name_ = seal_.table.ToString();
  }

  const std::string& name() const override { return name_; }

  Status Write(const PublishedRows& rows, Random&) override {
    const std::string schema = REISSUE_TRY(connection_.Quoted(seal_.table.schema));
    const std::string table = REISSUE_TRY(connection_.Quoted(seal_.table.table));
    const std::string target = schema + "." + table;
    std::string columns, list;
    for (const std::string& name : rows.names) {
      const std::string quoted = REISSUE_TRY(connection_.Quoted(name));
      list += (list.empty() ? "" : ", ") + quoted;
      columns += (columns.empty() ? "" : ", ") + quoted + " text";
      columns_.push_back(name);
    }
    REISSUE_TRY(connection_.Execute(fmt::format("CREATE TABLE {} ({})", target, columns)));
    REISSUE_TRY(connection_.Execute(
        fmt::format("COMMENT ON TABLE {} IS 'reissue {}'", target, seal_.nonce)));
    // Never from the raw table, in whose order rows would stand.
    REISSUE_TRY(connection_.Execute(fmt::format(
        "CREATE TEMPORARY TABLE reissue_lines ({}, reissue_rows bigint) ON COMMIT DROP", columns)));
    REISSUE_TRY(Send(rows, list));
    // By numbers that nobody can tell from one another, where the server has such.
    const char* const order = connection_.server_version() >= kFirstWithRandomIds
                                  ? "pg_catalog.gen_random_uuid()"
                                  : "random()";
    REISSUE_TRY(
        connection_.Execute(fmt::format("INSERT INTO {} ({}) SELECT {} FROM pg_temp.reissue_lines, "
                                        "generate_series(1, reissue_rows) ORDER BY {}",
                                        target, list, list, order)));
    return connection_.Execute("DROP TABLE pg_temp.reissue_lines");
  }

  Result<Counted> ReadBack() override {
    Shard shard{std::move(connection_), {}};
    Result<Counted> counted = Count(shard);
    connection_ = std::move(shard.connection);
    return counted;
  }

  Result<std::string> Seal() override {
    seal_.transaction =
        REISSUE_TRY(One(connection_, connection_.server_version() >= kFirstWithTransactionIds
                                         ? "SELECT pg_catalog.pg_current_xact_id()"
                                         : "SELECT pg_catalog.txid_current()"));
    REISSUE_TRY(Flush(address_, connection_.patience()));
    return seal_.ToString();
  }

  Status Commit() override {
    const std::string tag = REISSUE_TRY(connection_.ExecuteTagged("COMMIT"));
    if (tag == "COMMIT") return Ok();
    return MachineError({name_, {}, {}, ""}, "the server has taken the table back",
                        "Nothing was published. The server's log says why.");
  }

 private:
  Status Send(const PublishedRows& rows, const std::string& list) {
    const std::size_t width = rows.names.size();
    std::size_t next = 0;
    std::string piece;
    return connection_.CopyIn(
        fmt::format("COPY pg_temp.reissue_lines ({}, reissue_rows) FROM STDIN", list),
        [&]() -> Result<std::string_view> {
          piece.clear();
          for (; next < rows.counts.size() && piece.size() < kPiece; ++next) {
            for (std::size_t c = 0; c < width; ++c) {
              AppendEscaped(piece, rows.texts[c][rows.codes[next * width + c]]);
              piece += '\t';
            }
            piece += fmt::format("{}\n", rows.counts[next]);
          }
          return std::string_view(piece);
        });
  }

  Result<Counted> Count(Shard& shard) {
    shard.table = REISSUE_TRY(Describe(shard.connection, seal_.table));
    std::vector<const DescribedColumn*> columns;
    for (const std::string& name : columns_) {
      columns.push_back(REISSUE_TRY(ColumnOf(shard.table, name)));
    }
    Wanted wanted;
    wanted.on_missing = io::OnMissing::kValue;
    FetchedCounts counts{Tally(name_, columns_, wanted), {}, false};
    Progress silent;
    REISSUE_TRY(FetchCounts(shard, columns, counts, silent));
    Counted counted;
    Tally::Made made = REISSUE_TRY(std::move(counts.tally).Make(pool_, /*with_row_of=*/false));
    counted.table = std::move(made.table);
    counted.digest = DigestOfCounted(counted.table);
    return counted;
  }

  Address address_;
  Connection connection_;
  TargetSeal seal_;
  ThreadPool& pool_;
  std::string name_;
  std::vector<std::string> columns_;
};

class PostgresRecovery : public TargetRecovery {
 public:
  PostgresRecovery(Address address, const Patience& patience)
      : address_(std::move(address)), patience_(patience) {}

  Result<Fate> FateOf(std::string_view text) override {
    TargetSeal seal = REISSUE_TRY(TargetSeal::Parse(text));
    Connection connection =
        REISSUE_TRY(OpenSession(address_, seal.table, Transaction::kWrite, patience_));
    TargetSeal here;
    REISSUE_TRY(Identify(connection, here));
    if (here.system != seal.system || here.database != seal.database) {
      return InputError({connection.name(), {}, {}, ""},
                        fmt::format("this is not the server on which {} was about to be published",
                                    seal.table.ToString()),
                        "Name the server and the database of that publication: whether the table "
                        "was published is not guessed.");
    }
    REISSUE_TRY(connection.Execute("BEGIN"));
    // Whoever still holds it has not ended: its transaction may still be committed.
    REISSUE_TRY(connection.Execute(
        fmt::format("SELECT pg_catalog.pg_advisory_xact_lock({})", LockOf(seal.table))));
    const std::string there = REISSUE_TRY(
        One(connection,
            "SELECT 1 FROM pg_catalog.pg_description WHERE classoid = "
            "'pg_catalog.pg_class'::pg_catalog.regclass AND objsubid = 0 AND description = $1",
            {"reissue " + seal.nonce}));
    if (!there.empty()) return Fate::kPublished;
    const std::string status =
        REISSUE_TRY(One(connection,
                        connection.server_version() >= kFirstWithTransactionIds
                            ? "SELECT pg_catalog.pg_xact_status(CAST($1 AS pg_catalog.xid8))"
                            : "SELECT pg_catalog.txid_status(CAST($1 AS bigint))",
                        {seal.transaction}));
    if (status == "committed") return Fate::kPublished;  // and dropped since
    if (status == "aborted") return Fate::kForgotten;
    return MachineError({connection.name(), {}, {}, ""},
                        fmt::format("the server does not know any more whether {} was published",
                                    seal.table.ToString()),
                        "The table is not there now, and may have been published and dropped. This "
                        "is not guessed.");
  }

 private:
  Address address_;
  Patience patience_;
};

}  // namespace

Result<std::unique_ptr<ReleaseTarget>> OpenTarget(const Address& address, const std::string& table,
                                                  const Patience& patience, ThreadPool& pool) {
  TargetSeal seal;
  seal.table = REISSUE_TRY(ReadTableName(table));
  seal.nonce = FreshNonce();
  Connection connection = REISSUE_TRY(Connection::Open(address, patience));
  if (seal.table.schema.empty()) {
    seal.table.schema = REISSUE_TRY(One(connection, "SELECT current_schema()"));
    if (seal.table.schema.empty()) {
      return InputError({connection.name(), {}, {}, ""}, "the server has no schema for new tables",
                        "Name the table as SCHEMA.TABLE.");
    }
  }
  REISSUE_TRY(Pin(connection));
  REISSUE_TRY(KeepCommits(connection));
  REISSUE_TRY(MayMakeTables(connection, seal.table));
  REISSUE_TRY(Identify(connection, seal));
  REISSUE_TRY(connection.Execute("BEGIN"));
  // Whoever has just gone may still hold it for a moment: servers end sessions by and by.
  constexpr std::array<std::string_view, 1> kLocked = {"55P03"};
  REISSUE_TRY(connection.Execute("SET LOCAL lock_timeout = '5s'"));
  const bool busy = REISSUE_TRY(connection.ExecuteUnless(
      fmt::format("SELECT pg_catalog.pg_advisory_xact_lock({})", LockOf(seal.table)), kLocked));
  if (busy) {
    return MachineError({seal.table.ToString(), {}, {}, ""},
                        "somebody else is publishing to this table",
                        "Wait until that has ended, or choose another name.");
  }
  REISSUE_TRY(
      connection.Execute(fmt::format("SET LOCAL lock_timeout = {}", patience.lock.count() * 1000)));
  const std::string taken = REISSUE_TRY(
      One(connection,
          "SELECT 1 FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = "
          "c.relnamespace WHERE n.nspname = $1 AND c.relname = $2",
          {seal.table.schema, seal.table.table}));
  if (!taken.empty()) {
    return InputError({seal.table.ToString(), {}, {}, ""}, "there is a table of that name already",
                      "Choose another name, or drop the table if nobody needs it.");
  }
  return std::unique_ptr<ReleaseTarget>(
      std::make_unique<PostgresTarget>(address, std::move(connection), std::move(seal), pool));
}

std::unique_ptr<TargetRecovery> RecoveryAt(const Address& address, const Patience& patience) {
  return std::make_unique<PostgresRecovery>(address, patience);
}

}  // namespace reissue::sources::postgres
