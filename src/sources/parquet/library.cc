#include "reissue/sources/parquet/library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <string_view>
#include <utility>

namespace reissue::sources::parquet {
namespace {

// From the first that can be told which files it may open, up to where its interface is promised to
// stay.
constexpr int kMajor = 1, kFirstMinor = 2;

constexpr char kHowToGetIt[] =
    "Parquet is read by DuckDB, which is no part of this program. Get libduckdb.so of DuckDB 1.2 "
    "or a later 1.x, from its project, from conda-forge (libduckdb) or from npm "
    "(@duckdb/node-bindings-linux-x64), and name the file: --duckdb FILE, or REISSUE_DUCKDB=FILE. "
    "Or convert the table to CSV.";

template <typename Function>
bool Find(void* handle, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(handle, name));
  return function != nullptr;
}

// The name of the first function that is missing; null: all are there.
const char* FindAll(void* handle, DuckFunctions& f) {
#define REISSUE_FIND(name) \
  if (!Find(handle, "duckdb_" #name, f.name)) return "duckdb_" #name
  REISSUE_FIND(library_version);
  REISSUE_FIND(create_config);
  REISSUE_FIND(set_config);
  REISSUE_FIND(destroy_config);
  REISSUE_FIND(open_ext);
  REISSUE_FIND(close);
  REISSUE_FIND(connect);
  REISSUE_FIND(disconnect);
  REISSUE_FIND(query);
  REISSUE_FIND(prepare);
  REISSUE_FIND(destroy_prepare);
  REISSUE_FIND(prepare_error);
  REISSUE_FIND(pending_prepared_streaming);
  REISSUE_FIND(pending_error);
  REISSUE_FIND(execute_pending);
  REISSUE_FIND(destroy_pending);
  REISSUE_FIND(destroy_result);
  REISSUE_FIND(result_error);
  REISSUE_FIND(result_error_type);
  REISSUE_FIND(column_count);
  REISSUE_FIND(column_type);
  REISSUE_FIND(fetch_chunk);
  REISSUE_FIND(destroy_data_chunk);
  REISSUE_FIND(data_chunk_get_size);
  REISSUE_FIND(data_chunk_get_vector);
  REISSUE_FIND(vector_get_data);
  REISSUE_FIND(vector_get_validity);
  REISSUE_FIND(free);
#undef REISSUE_FIND
  return nullptr;
}

// The reason of the last failure: about files and symbols, never about a table.
std::string Reason() {
  const char* const reason = ::dlerror();
  return reason == nullptr ? "no reason is given" : reason;
}

// Without a slash the loader would look elsewhere.
std::string AsFile(const std::string& path) {
  return path.find('/') == std::string::npos ? "./" + path : path;
}

constexpr int kHow = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE;

Result<std::pair<void*, std::string>> Load(const std::string& path) {
  if (!path.empty()) {
    if (void* const handle = ::dlopen(AsFile(path).c_str(), kHow)) return std::pair(handle, path);
    return UsageError(fmt::format("{} cannot be loaded as the DuckDB library: {}", path, Reason()),
                      kHowToGetIt);
  }
  for (const char* const name : {"libduckdb.so", "libduckdb.so.1"}) {
    if (void* const handle = ::dlopen(name, kHow)) return std::pair(handle, std::string(name));
  }
  return UsageError("no DuckDB library was found", kHowToGetIt);
}

}  // namespace

Status KnownVersion(const std::string& library, const std::string& version) {
  int major = 0, minor = 0;
  std::string_view text = version;
  if (text.starts_with('v')) text.remove_prefix(1);
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, major);
  bool read = first.ec == std::errc() && first.ptr != end && *first.ptr == '.';
  if (read) read = std::from_chars(first.ptr + 1, end, minor).ec == std::errc();
  const std::string wanted =
      fmt::format("versions from {}.{} on, and before {}.0, are", kMajor, kFirstMinor, kMajor + 1);
  if (!read) {
    return UsageError(
        fmt::format("{} does not say which version of DuckDB it is; {} used", library, wanted),
        kHowToGetIt);
  }
  if (major == kMajor && minor >= kFirstMinor) return Ok();
  const bool old = major < kMajor || (major == kMajor && minor < kFirstMinor);
  return UsageError(fmt::format("{} is DuckDB {}.{}, which is too {}: {} used", library, major,
                                minor, old ? "old" : "new", wanted),
                    kHowToGetIt);
}

Result<std::shared_ptr<const Library>> Library::Open(const std::string& path) {
  const auto [handle, name] = REISSUE_TRY(Load(path));
  std::shared_ptr<Library> library(new Library);
  library->path_ = name;
  DuckFunctions& functions = library->functions_;
  if (!Find(handle, "duckdb_library_version", functions.library_version)) {
    return UsageError(fmt::format("{} is a library, but not DuckDB", name), kHowToGetIt);
  }
  const char* const version = functions.library_version();
  library->version_ = version == nullptr ? "" : version;
  REISSUE_TRY(KnownVersion(name, library->version_));
  if (const char* const missing = FindAll(handle, functions)) {
    return UsageError(fmt::format("{} lacks {}, which DuckDB has", name, missing), kHowToGetIt);
  }
  return std::shared_ptr<const Library>(std::move(library));
}

}  // namespace reissue::sources::parquet
