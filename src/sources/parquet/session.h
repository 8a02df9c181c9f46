#pragma once
// A DuckDB in memory that may open one file, load nothing, reach no network and write nothing, not
// even what does not fit into memory: it holds raw values. Belongs to one thread; it works on as
// many as it is given.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "reissue/core/result.h"
#include "reissue/sources/parquet/library.h"
#include "reissue/sources/tally.h"

namespace reissue::sources::parquet {

// A row of an answer: its texts and floating-point numbers first, then its whole numbers. Valid
// during the call.
using RowSink = std::function<Status(std::span<const Field>, std::span<const std::uint64_t>)>;

struct SessionSettings {
  std::string file;       // as messages call it
  std::string opened_as;  // what DuckDB may open
  std::size_t threads = 1;
  std::uint64_t memory = 0;  // bytes; 0: three quarters of what the machine has
};

class Session {
 public:
  static Result<std::unique_ptr<Session>> Open(std::shared_ptr<const Library> library,
                                               const SessionSettings& settings);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Columns are texts (VARCHAR), numbers (DOUBLE, FLOAT), then whole numbers (BIGINT, UBIGINT) that
  // are not NULL. Rows come as they are found; an error of `row` ends it.
  Status Query(const std::string& sql, const RowSink& row);

 private:
  Session(std::shared_ptr<const Library> library, std::string file);
  Status Configure(const SessionSettings& settings);
  Status Execute(const std::string& sql);
  class Answer;

  std::shared_ptr<const Library> library_;
  const DuckFunctions& duck_;
  std::string file_;
  void* database_ = nullptr;
  void* connection_ = nullptr;
};

// A text as SQL.
std::string Quoted(std::string_view text);
// A name as SQL.
std::string QuotedName(std::string_view name);

}  // namespace reissue::sources::parquet
