#include "reissue/ledger/database.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "reissue/io/file_system.h"

namespace reissue::ledger {
namespace {

constexpr int kBusyMilliseconds = 5000;

// `file:` address of a path, for options that only an address can carry.
std::string ImmutableAddress(const std::string& path) {
  std::string address = "file:";
  for (const char c : path) {
    if (c == '%' || c == '?' || c == '#') {
      address += fmt::format("%{:02x}", static_cast<unsigned char>(c));
    } else {
      address += c;
    }
  }
  return address + "?immutable=1";
}

// A log cannot be opened on a medium that nobody can write; without one there is nothing in it.
bool OnReadOnlyMedium(const std::string& path) {
  return ::access(io::DirectoryOf(path).c_str(), W_OK) != 0 &&
         ::access((path + "-wal").c_str(), F_OK) != 0;
}

Error FullDisk(const Place& place) {
  return MachineError(place, "the disk is full; nothing more could be recorded in the vault",
                      "Free some space, then run the command again: the vault itself is in order.");
}

}  // namespace

Error DamagedError(const std::string& path, std::string_view what) {
  return InputError(Place{.file = path, .line = {}, .byte = {}, .column = {}},
                    fmt::format("the vault is damaged: {}", what),
                    "Restore the vault's directory from a backup; do not publish from this one.");
}

Statement& Statement::Text(int parameter, std::string_view text) {
  const int code = sqlite3_bind_text64(statement_.get(), parameter, text.empty() ? "" : text.data(),
                                       text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  if (code != SQLITE_OK) bind_result_ = code;
  return *this;
}

Statement& Statement::Blob(int parameter, std::string_view bytes) {
  const int code =
      sqlite3_bind_blob64(statement_.get(), parameter, bytes.empty() ? "" : bytes.data(),
                          bytes.size(), SQLITE_TRANSIENT);
  if (code != SQLITE_OK) bind_result_ = code;
  return *this;
}

Statement& Statement::BlobThatStays(int parameter, std::string_view bytes) {
  const int code = sqlite3_bind_blob64(
      statement_.get(), parameter, bytes.empty() ? "" : bytes.data(), bytes.size(), SQLITE_STATIC);
  if (code != SQLITE_OK) bind_result_ = code;
  return *this;
}

Statement& Statement::Number(int parameter, std::uint64_t number) {
  const int code =
      sqlite3_bind_int64(statement_.get(), parameter, static_cast<sqlite3_int64>(number));
  if (code != SQLITE_OK) bind_result_ = code;
  return *this;
}

Result<bool> Statement::Step() {
  if (bind_result_ != SQLITE_OK) return database_->Explain(bind_result_);
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return database_->Explain(code);
}

Status Statement::Finish() {
  REISSUE_TRY(Step());
  return Ok();
}

std::string_view Statement::View(int column) const {
  // The size first: of a text in another encoding it is asked for by converting it, elsewhere.
  const int size = sqlite3_column_bytes(statement_.get(), column);
  const void* data = sqlite3_column_blob(statement_.get(), column);
  return data == nullptr
             ? std::string_view("")  // libraries want a place for nothing, too
             : std::string_view(static_cast<const char*>(data), static_cast<std::size_t>(size));
}

std::string Statement::Bytes(int column) const { return std::string(View(column)); }

std::uint64_t Statement::Number(int column) const {
  return static_cast<std::uint64_t>(sqlite3_column_int64(statement_.get(), column));
}

Result<std::unique_ptr<Database>> Database::Open(const std::string& path, Mode mode) {
  std::unique_ptr<Database> database(new Database());
  database->path_ = path;
  const bool reads = mode == Mode::kRead || mode == Mode::kGlance;
  const bool immutable = mode == Mode::kGlance || (reads && OnReadOnlyMedium(path));
  const std::string name = immutable ? ImmutableAddress(path) : path;
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE;
  flags |= reads ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
  if (immutable) flags |= SQLITE_OPEN_URI;
  sqlite3* connection = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &connection, flags, nullptr);
  database->connection_.reset(connection);
  if (code != SQLITE_OK) return database->Explain(code);
  sqlite3_busy_timeout(connection, kBusyMilliseconds);
  REISSUE_TRY(database->Configure(mode));
  return database;
}

Result<std::unique_ptr<Database>> Database::InMemory(const std::string& path, std::string bytes) {
  std::unique_ptr<Database> database(new Database());
  database->path_ = path;
  sqlite3* connection = nullptr;
  const int code = sqlite3_open_v2(":memory:", &connection,
                                   SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX |
                                       SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE,
                                   nullptr);
  database->connection_.reset(connection);
  if (code != SQLITE_OK) return database->Explain(code);
  if (!bytes.empty()) REISSUE_TRY(database->Take(std::move(bytes)));
  REISSUE_TRY(database->Configure(Mode::kBuild));
  return database;
}

Status Database::Take(std::string bytes) {
  // The versions of the file format for writing and reading: there is no log in memory.
  constexpr std::size_t kWriteVersion = 18;
  constexpr std::size_t kReadVersion = 19;
  if (bytes.size() <= kReadVersion) return Explain(SQLITE_NOTADB);
  bytes[kWriteVersion] = bytes[kReadVersion] = 1;
  auto* copy = static_cast<unsigned char*>(sqlite3_malloc64(bytes.size()));
  if (copy == nullptr) return Explain(SQLITE_NOMEM);
  std::memcpy(copy, bytes.data(), bytes.size());
  const auto size = static_cast<sqlite3_int64>(bytes.size());
  const int code =
      sqlite3_deserialize(connection_.get(), "main", copy, size, size,
                          SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE);
  if (code != SQLITE_OK) return Explain(code);
  return Ok();
}

Status Database::Configure(Mode mode) {
  sqlite3_db_config(connection_.get(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(connection_.get(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  REISSUE_TRY(
      Run("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;"
          "PRAGMA cell_size_check = ON; PRAGMA secure_delete = ON"));
  // State is large, and written and read as a whole: larger pages are fewer calls.
  if (mode == Mode::kBuild) return Run("PRAGMA page_size = 16384; PRAGMA journal_mode = MEMORY");
  // Opening reads every page; a state that was read so need not be read again to be taken, or to be
  // erased. And what a seal was checked with stays as it was then, whatever becomes of the file.
  REISSUE_TRY(KeepPages(kUsually));
  if (mode != Mode::kWrite) return Ok();
  const std::string journal = REISSUE_TRY(QueryText("PRAGMA journal_mode = WAL"));
  if (journal == "wal") return Ok();
  return MachineError(Place{.file = path_, .line = {}, .byte = {}, .column = {}},
                      "this file system cannot hold a vault: it has no shared memory files",
                      "Keep the vault on a local disk, not on a network drive.");
}

Status Database::KeepPages(std::size_t bytes) {
  return Run(fmt::format("PRAGMA cache_size = -{}", bytes >> 10));
}

Status Database::Run(const std::string& sql) {
  const int code = sqlite3_exec(connection_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return Explain(code);
  return Ok();
}

Status Database::IsInItsPlace() const {
  int moved = 0;
  sqlite3_file_control(connection_.get(), "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  if (moved == 0) return Ok();
  return MachineError(Place{.file = path_, .line = {}, .byte = {}, .column = {}},
                      "this vault was removed, moved or replaced while the command ran; nothing "
                      "was published",
                      "See to it that its directory stays where it is, and run the command again.");
}

Result<Statement> Database::Prepare(const char* sql) const {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(connection_.get(), sql, -1, &statement, nullptr);
  if (code != SQLITE_OK) return Explain(code);
  return Statement(std::unique_ptr<sqlite3_stmt, Statement::Finalize>(statement), this);
}

Result<std::uint64_t> Database::QueryNumber(const char* sql) const {
  Statement statement = REISSUE_TRY(Prepare(sql));
  const bool row = REISSUE_TRY(statement.Step());
  return row ? statement.Number(0) : std::uint64_t{0};
}

Result<std::string> Database::QueryText(const char* sql) const {
  Statement statement = REISSUE_TRY(Prepare(sql));
  const bool row = REISSUE_TRY(statement.Step());
  return row ? statement.Bytes(0) : std::string();
}

Status Database::Begin(const char* kind) {
  if (sqlite3_get_autocommit(connection_.get()) == 0) REISSUE_TRY(Run("ROLLBACK"));
  return Run(kind);
}

Status Database::InTransaction(const std::function<Status()>& body) {
  REISSUE_TRY(Begin("BEGIN IMMEDIATE"));
  Status status = body();
  if (status) status = Run("COMMIT");
  // A failed COMMIT may have rolled back by itself; a second attempt does no harm.
  if (!status) sqlite3_exec(connection_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
  return status;
}

Result<std::string> Database::Serialize() const {
  sqlite3_int64 size = 0;
  const std::unique_ptr<unsigned char, void (*)(void*)> bytes(
      sqlite3_serialize(connection_.get(), "main", &size, 0), sqlite3_free);
  if (bytes == nullptr) return Explain(SQLITE_NOMEM);
  return std::string(reinterpret_cast<const char*>(bytes.get()), static_cast<std::size_t>(size));
}

Error Database::Explain(int code) const {
  const Place place{.file = path_, .line = {}, .byte = {}, .column = {}};
  const int cause = connection_ == nullptr ? 0 : sqlite3_system_errno(connection_.get());
  const char* detail =
      connection_ == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(connection_.get());
  switch (code & 0xff) {
    case SQLITE_FULL:
      return FullDisk(place);
    case SQLITE_IOERR:
      if (cause == ENOSPC || cause == EDQUOT) return FullDisk(place);
      return MachineError(place,
                          fmt::format("the disk failed while the vault was read or written ({})",
                                      cause == 0 ? detail : std::strerror(cause)),
                          "Check the disk and its cable or network, then run the command again.");
    case SQLITE_NOTADB:
      return InputError(place, "this file is not a vault, or its beginning is damaged",
                        "Name the directory of a vault, or restore this one from a backup.");
    case SQLITE_CORRUPT:
    case SQLITE_ERROR:  // a table or column that we know is not there
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
    case SQLITE_FORMAT:
    case SQLITE_SCHEMA:
      return DamagedError(path_, fmt::format("its database contradicts itself ({})", detail));
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
    case SQLITE_AUTH:
      return MachineError(place, "the vault's database cannot be opened or written",
                          "Check that you own the vault's directory and may write in it, and that "
                          "its path is shorter than 500 bytes.");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return MachineError(place, "another program keeps the vault's database locked",
                          "Close programs that look into the vault, then run the command again.");
    case SQLITE_NOMEM:
      return MachineError(place, "not enough memory to work with the vault",
                          "Close other programs, then run the command again.");
    case SQLITE_TOOBIG:
      return MachineError(place, "the state to be kept is too large for the vault (1 GB a secret)");
    default:
      return MachineError(place, fmt::format("the vault's database refused to work ({})", detail));
  }
}

}  // namespace reissue::ledger
