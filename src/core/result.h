#pragma once
// Errors as values. The library throws nothing of its own, prints nothing and never aborts on bad
// input: what a user or a machine can get wrong comes back as an Error inside a Result; what only a
// bug of ours can get wrong is a REISSUE_CHECK. Thread safety: plain values.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace reissue {

// Whose fault it is, and so which exit code a front end chooses.
enum class ErrorCode {
  kUsage,    // the call itself makes no sense (exit 2)
  kInput,    // a policy, taxonomy, table or release is wrong (exit 3)
  kPromise,  // the guarantee is broken or cannot be kept (exit 1)
  kMachine,  // disk, permission, lock, memory (exit 4)
};

// Where something is wrong. All numbers count from 1; whatever is unknown stays empty.
struct Place {
  std::string file;
  std::optional<std::uint64_t> line;
  std::optional<std::uint64_t> byte;  // offset in the file, for what has no lines
  std::string column;                 // name of a table column or policy key

  // For example: `adult.csv:17, column "age"`.
  std::string ToString() const;
};

// What went wrong. `message` names the runtime values (never a raw personal value); `remedy` says
// what the user can do about it, where we know.
struct Error {
  ErrorCode code = ErrorCode::kInput;
  std::string message;
  std::optional<Place> place;
  std::string remedy;

  // One to three lines for a terminal: place and message, then the remedy.
  std::string ToString() const;
};

Error UsageError(std::string message, std::string remedy = {});
Error InputError(Place place, std::string message, std::string remedy = {});
Error InputError(std::string message, std::string remedy = {});
Error PromiseError(std::string message, std::string remedy = {});
Error MachineError(Place place, std::string message, std::string remedy = {});
Error MachineError(std::string message, std::string remedy = {});

// A value or an Error. Member names follow std::expected.
template <typename T>
class [[nodiscard]] Result {
 public:
  using value_type = T;
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}      // NOLINT
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  Error& error() & { return std::get<1>(state_); }
  const Error& error() const& { return std::get<1>(state_); }
  Error&& error() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT

  bool has_value() const { return !error_.has_value(); }
  explicit operator bool() const { return has_value(); }
  void value() const {}

  Error& error() & { return *error_; }
  const Error& error() const& { return *error_; }
  Error&& error() && { return std::move(*error_); }

 private:
  std::optional<Error> error_;
};

using Status = Result<void>;
inline Status Ok() { return Status(); }

namespace internal {
[[noreturn]] void CheckFailed(const char* file, int line, const char* condition);
}  // namespace internal

}  // namespace reissue

// Evaluates a Result; returns its error from the enclosing function, or yields its value.
// One to an expression, alone: leaving from among braces or arguments leaks what is half built.
#define REISSUE_TRY(expression)                                                        \
  __extension__({                                                                      \
    auto reissue_try_result = (expression);                                            \
    if (!reissue_try_result.has_value()) return std::move(reissue_try_result).error(); \
    std::move(reissue_try_result).value();                                             \
  })

// Ends the program when our own code is wrong. Never for input, never with a value of the data.
#define REISSUE_CHECK(condition) \
  ((condition) ? void() : ::reissue::internal::CheckFailed(__FILE__, __LINE__, #condition))
