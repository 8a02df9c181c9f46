#pragma once
// SQLite behind Result: opening with the durability the vault needs, statements, transactions, and
// errors that say what SQLite's codes mean to the holder of a vault. For src/ledger only. A
// Database owns its connection; a Statement must not outlive its Database. One thread.

#include <sqlite3.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "reissue/core/result.h"

namespace reissue::ledger {

class Statement {
 public:
  // Parameters and columns count from 1 and 0, as in SQLite. Bound bytes are copied.
  Statement& Text(int parameter, std::string_view text);
  Statement& Blob(int parameter, std::string_view bytes);
  Statement& Number(int parameter, std::uint64_t number);
  // Large bytes: not copied, so they must stay until the statement is gone.
  Statement& BlobThatStays(int parameter, std::string_view bytes);

  // True while there is a row.
  Result<bool> Step();
  // For statements without rows.
  Status Finish();

  // Bytes of a text or blob column; empty for NULL.
  std::string Bytes(int column) const;
  // The same until the next step, not copied.
  std::string_view View(int column) const;
  std::uint64_t Number(int column) const;
  int columns() const { return sqlite3_column_count(statement_.get()); }

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  Statement(std::unique_ptr<sqlite3_stmt, Finalize> statement, const class Database* database)
      : statement_(std::move(statement)), database_(database) {}

  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  const class Database* database_;
  int bind_result_ = SQLITE_OK;
};

class Database {
 public:
  enum class Mode {
    kBuild,   // an empty file that nobody else looks at; durable when closed
    kRead,    // beside a writer, also on a read-only medium; may leave an empty log behind
    kGlance,  // a short look while there is no log: nobody may write meanwhile, and nothing is left
    kWrite,   // write-ahead log, full sync
  };
  static Result<std::unique_ptr<Database>> Open(const std::string& path, Mode mode);
  // In memory alone: a copy of what Serialize gave, or, of no bytes, an empty one. `path` is for
  // messages.
  static Result<std::unique_ptr<Database>> InMemory(const std::string& path, std::string bytes);

  // How much of what was read or written last stays in memory and is not read again.
  static constexpr std::size_t kUsually = std::size_t{16} << 20;
  Status KeepPages(std::size_t bytes);

  // Any number of statements whose rows do not matter.
  Status Run(const std::string& sql);
  Result<Statement> Prepare(const char* sql) const;
  // The single number or text that a statement yields.
  Result<std::uint64_t> QueryNumber(const char* sql) const;
  Result<std::string> QueryText(const char* sql) const;
  // `BEGIN` or `BEGIN IMMEDIATE`, after the end of one that was left open: what it wrote is gone.
  Status Begin(const char* kind);
  // All of `body` or nothing of it. An error of the body is handed on.
  Status InTransaction(const std::function<Status()>& body);

  // Its name still leads to it. An error says that it was removed, moved or replaced.
  Status IsInItsPlace() const;

  // The whole file as this connection sees it.
  Result<std::string> Serialize() const;

  const std::string& path() const { return path_; }
  // What the last failure means, with the file and a remedy.
  Error Explain(int code) const;

 private:
  struct Close {
    void operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }
  };
  Database() = default;
  Status Configure(Mode mode);
  Status Take(std::string bytes);

  std::string path_;
  std::unique_ptr<sqlite3, Close> connection_;
};

// What is stored contradicts itself.
Error DamagedError(const std::string& path, std::string_view what);

}  // namespace reissue::ledger
