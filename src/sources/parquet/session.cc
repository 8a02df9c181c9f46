#include "reissue/sources/parquet/session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <utility>
#include <vector>

#include "reissue/sources/parquet/errors.h"
#include "reissue/sources/parquet/numbers.h"

namespace reissue::sources::parquet {
namespace {

// Before it is opened. All versions that are let in know them; one that refuses is not used.
constexpr std::array<std::pair<const char*, const char*>, 9> kSettings = {{
    {"autoinstall_known_extensions", "false"},
    {"autoload_known_extensions", "false"},
    {"allow_community_extensions", "false"},
    {"allow_unsigned_extensions", "false"},
    {"allow_persistent_secrets", "false"},
    {"temp_directory", ""},
    {"max_temp_directory_size", "0KB"},
    // What a file says about its values is not relied on: they are looked at.
    {"disabled_optimizers", "statistics_propagation,compressed_materialization"},
    {"preserve_insertion_order", "true"},
}};

std::uint64_t MemoryOfMachine() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long size = ::sysconf(_SC_PAGE_SIZE);
  if (pages <= 0 || size <= 0) return std::uint64_t{1} << 30;
  return static_cast<std::uint64_t>(pages) / 4 * 3 * static_cast<std::uint64_t>(size);
}

std::string InQuotes(std::string_view text, char quote) {
  std::string quoted(1, quote);
  for (const char c : text) quoted.append(c == quote ? 2 : 1, c);
  return quoted + quote;
}

bool IsThere(const std::uint64_t* validity, std::uint64_t row) {
  return validity == nullptr || (validity[row / 64] >> (row % 64) & 1) != 0;
}

std::string_view TextIn(const DuckText& text) {
  constexpr std::uint32_t kInside = 12;
  return {text.length <= kInside ? text.prefix : text.far, text.length};
}

Error NotSafe(const Library& library) {
  return UsageError(fmt::format("{} (DuckDB {}) cannot be kept from other files and the network",
                                library.path(), library.version()),
                    "Name the library of a released DuckDB with --duckdb FILE.");
}

}  // namespace

std::string Quoted(std::string_view text) { return InQuotes(text, '\''); }

std::string QuotedName(std::string_view name) { return InQuotes(name, '"'); }

// What one statement answers, piece by piece.
class Session::Answer {
 public:
  explicit Answer(Session& of) : duck_(of.duck_), file_(of.file_) {}
  ~Answer() {
    if (chunk_ != nullptr) duck_.destroy_data_chunk(&chunk_);
    duck_.destroy_result(&result_);
    if (pending_ != nullptr) duck_.destroy_pending(&pending_);
    if (statement_ != nullptr) duck_.destroy_prepare(&statement_);
  }
  Answer(const Answer&) = delete;
  Answer& operator=(const Answer&) = delete;

  Status Ask(void* connection, const std::string& sql) {
    if (duck_.prepare(connection, sql.c_str(), &statement_) != 0) {
      return Failure(duck_.prepare_error(statement_));
    }
    if (duck_.pending_prepared_streaming(statement_, &pending_) != 0) {
      return Failure(duck_.pending_error(pending_));
    }
    if (duck_.execute_pending(pending_, &result_) != 0) return FailureOfResult();
    for (std::uint64_t c = 0; c < duck_.column_count(&result_); ++c) {
      types_.push_back(static_cast<DuckType>(duck_.column_type(&result_, c)));
      if (types_[c] == DuckType::kBigint || types_[c] == DuckType::kUbigint) {
        numbers_.push_back(0);
      } else {
        texts_.emplace_back();
      }
    }
    rooms_.resize(texts_.size());
    return Ok();
  }

  Status HandOver(const RowSink& row) {
    while ((chunk_ = duck_.fetch_chunk(result_)) != nullptr) {
      const std::uint64_t rows = duck_.data_chunk_get_size(chunk_);
      if (rows == 0) break;
      std::vector<const void*> data;
      std::vector<const std::uint64_t*> validity;
      for (std::uint64_t c = 0; c < types_.size(); ++c) {
        void* const vector = duck_.data_chunk_get_vector(chunk_, c);
        data.push_back(duck_.vector_get_data(vector));
        validity.push_back(duck_.vector_get_validity(vector));
      }
      for (std::uint64_t r = 0; r < rows; ++r) {
        REISSUE_TRY(Read(data, validity, r));
        REISSUE_TRY(row(texts_, numbers_));
      }
      duck_.destroy_data_chunk(&chunk_);
    }
    const char* const message = duck_.result_error(&result_);
    return message == nullptr || *message == '\0' ? Ok() : Status(FailureOfResult());
  }

 private:
  Error Failure(const char* message) const {
    const std::string_view text = message == nullptr ? "" : message;
    // Before it runs there is no number for the kind of error, but its name comes first.
    DuckFault kind = DuckFault::kNotImplemented;
    if (text.starts_with("Out of Memory")) kind = DuckFault::kOutOfMemory;
    if (text.starts_with("Catalog")) kind = DuckFault::kCatalog;
    if (text.starts_with("Missing Extension")) kind = DuckFault::kMissingExtension;
    if (text.starts_with("IO")) kind = DuckFault::kIo;
    return ErrorOf(file_, static_cast<int>(kind), text);
  }
  Error FailureOfResult() {
    const char* const message = duck_.result_error(&result_);
    return ErrorOf(file_, duck_.result_error_type(&result_), message == nullptr ? "" : message);
  }

  Status Read(const std::vector<const void*>& data,
              const std::vector<const std::uint64_t*>& validity, std::uint64_t row) {
    std::size_t text = 0, number = 0;
    for (std::size_t c = 0; c < types_.size(); ++c) {
      const bool there = IsThere(validity[c], row);
      switch (types_[c]) {
        case DuckType::kVarchar:
          texts_[text++] =
              there ? Field(TextIn(static_cast<const DuckText*>(data[c])[row])) : std::nullopt;
          break;
        case DuckType::kDouble:
          texts_[text] = there
                             ? Field(TextOf(static_cast<const double*>(data[c])[row], rooms_[text]))
                             : std::nullopt;
          ++text;
          break;
        case DuckType::kFloat:
          texts_[text] = there
                             ? Field(TextOf(static_cast<const float*>(data[c])[row], rooms_[text]))
                             : std::nullopt;
          ++text;
          break;
        case DuckType::kBigint:
        case DuckType::kUbigint:
          numbers_[number++] = there ? static_cast<const std::uint64_t*>(data[c])[row] : 0;
          break;
        default:
          return MachineError({file_, {}, {}, ""},
                              "DuckDB answers with a type that was not asked for",
                              "Name the library of a released DuckDB with --duckdb FILE.");
      }
    }
    return Ok();
  }

  const DuckFunctions& duck_;
  const std::string& file_;
  void* statement_ = nullptr;
  void* pending_ = nullptr;
  void* chunk_ = nullptr;
  DuckResult result_;
  std::vector<DuckType> types_;
  std::vector<Field> texts_;
  std::vector<NumberRoom> rooms_;  // per text: where a number is written
  std::vector<std::uint64_t> numbers_;
};

Session::Session(std::shared_ptr<const Library> library, std::string file)
    : library_(std::move(library)), duck_(library_->call()), file_(std::move(file)) {}

Session::~Session() {
  if (connection_ != nullptr) duck_.disconnect(&connection_);
  if (database_ != nullptr) duck_.close(&database_);
}

Status Session::Configure(const SessionSettings& settings) {
  void* config = nullptr;
  if (duck_.create_config(&config) != 0) return NotSafe(*library_);
  bool known = true;
  const auto set = [&](const char* name, const std::string& value) {
    known = known && duck_.set_config(config, name, value.c_str()) == 0;
  };
  for (const auto& [name, value] : kSettings) set(name, value);
  set("threads", std::to_string(settings.threads));
  set("memory_limit",
      fmt::format("{}B", settings.memory == 0 ? MemoryOfMachine() : settings.memory));
  char* message = nullptr;
  const bool open = known && duck_.open_ext(":memory:", &database_, config, &message) == 0;
  if (message != nullptr) duck_.free(message);
  duck_.destroy_config(&config);
  if (!open || duck_.connect(database_, &connection_) != 0) return NotSafe(*library_);
  REISSUE_TRY(Execute(fmt::format("SET allowed_paths = [{}]", Quoted(settings.opened_as))));
  REISSUE_TRY(Execute("SET enable_external_access = false"));
  return Execute("SET lock_configuration = true");
}

Status Session::Execute(const std::string& sql) {
  DuckResult result;
  const bool done = duck_.query(connection_, sql.c_str(), &result) == 0;
  duck_.destroy_result(&result);
  return done ? Ok() : Status(NotSafe(*library_));
}

Result<std::unique_ptr<Session>> Session::Open(std::shared_ptr<const Library> library,
                                               const SessionSettings& settings) {
  std::unique_ptr<Session> session(new Session(std::move(library), settings.file));
  REISSUE_TRY(session->Configure(settings));
  return session;
}

Status Session::Query(const std::string& sql, const RowSink& row) {
  Answer answer(*this);
  REISSUE_TRY(answer.Ask(connection_, sql));
  return answer.HandOver(row);
}

}  // namespace reissue::sources::parquet
