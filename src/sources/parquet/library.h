#pragma once
// The DuckDB library, found at run time: whoever reads no Parquet needs none. Declarations of what
// is used of its C interface are our own; they hold for the versions that are let in, and no others
// are. A library that was opened stays until the process ends. Thread-safe.

#include <cstdint>
#include <memory>
#include <string>

#include "reissue/core/result.h"

namespace reissue::sources::parquet {

// A result as the C interface lays it out. It is handed over by value.
struct DuckResult {
  std::uint64_t unused_counts[3] = {};
  void* unused_columns = nullptr;
  char* unused_message = nullptr;
  void* data = nullptr;
};

// A text in a vector: up to 12 bytes lie in it, others where it points to.
struct DuckText {
  std::uint32_t length;
  char prefix[4];
  union {
    char rest[8];
    const char* far;
  };
};
static_assert(sizeof(DuckText) == 16);

// Types of columns of results.
enum class DuckType : int {
  kBigint = 5,
  kUbigint = 9,
  kFloat = 10,
  kDouble = 11,
  kVarchar = 17,
};

// Kinds of errors that are told apart.
enum class DuckFault : int {
  kNotImplemented = 11,
  kCatalog = 13,
  kIo = 28,
  kInterrupt = 29,
  kOutOfMemory = 33,
  kMissingExtension = 39,
};

// Each as duckdb_NAME; 0 is success where an int comes back.
struct DuckFunctions {
  const char* (*library_version)();
  int (*create_config)(void** config);
  int (*set_config)(void* config, const char* name, const char* value);
  void (*destroy_config)(void** config);
  int (*open_ext)(const char* path, void** database, void* config, char** message);
  void (*close)(void** database);
  int (*connect)(void* database, void** connection);
  void (*disconnect)(void** connection);
  int (*query)(void* connection, const char* sql, DuckResult* result);
  int (*prepare)(void* connection, const char* sql, void** statement);
  void (*destroy_prepare)(void** statement);
  const char* (*prepare_error)(void* statement);
  int (*pending_prepared_streaming)(void* statement, void** pending);
  const char* (*pending_error)(void* pending);
  int (*execute_pending)(void* pending, DuckResult* result);
  void (*destroy_pending)(void** pending);
  void (*destroy_result)(DuckResult* result);
  const char* (*result_error)(DuckResult* result);
  int (*result_error_type)(DuckResult* result);
  std::uint64_t (*column_count)(DuckResult* result);
  int (*column_type)(DuckResult* result, std::uint64_t column);
  void* (*fetch_chunk)(DuckResult result);
  void (*destroy_data_chunk)(void** chunk);
  std::uint64_t (*data_chunk_get_size)(void* chunk);
  void* (*data_chunk_get_vector)(void* chunk, std::uint64_t column);
  void* (*vector_get_data)(void* vector);
  std::uint64_t* (*vector_get_validity)(void* vector);
  void (*free)(void* memory);
};

class Library {
 public:
  // `path`: the file; empty: where the system looks for libraries. Errors (kUsage): there is none,
  // it is no DuckDB, or one of a version that is not known to answer as expected.
  static Result<std::shared_ptr<const Library>> Open(const std::string& path);

  const DuckFunctions& call() const { return functions_; }
  const std::string& path() const { return path_; }        // as messages call it
  const std::string& version() const { return version_; }  // for example v1.5.6

 private:
  Library() = default;
  DuckFunctions functions_{};
  std::string path_, version_;
};

// Whether a version is let in: an error says which are.
Status KnownVersion(const std::string& library, const std::string& version);

}  // namespace reissue::sources::parquet
