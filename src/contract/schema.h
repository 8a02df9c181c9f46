#pragma once
// JSON of strangers, read by what it must be. Nothing is taken for granted: what is missing, of
// another type, empty or out of range is an error that names the member ("series.release: a whole
// number was expected").

#include <cstdint>
#include <limits>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reissue/core/result.h"

namespace reissue::contract {

// Errors: `no_json`, also where it is nested deeper than anything of ours; a member twice in one
// object; numbers that no double holds. `file` is for messages.
Result<nlohmann::ordered_json> ParseStrict(std::string_view text, const std::string& file,
                                           const Error& no_json);

// One value, and the way to it. Reading never fails at once: the first misfit is kept, whatever is
// read afterwards is empty, and status() of any member tells in the end.
class Member {
 public:
  // The whole, which must outlive its members. `file` is for messages.
  Member(const nlohmann::ordered_json& json, const std::string& file);

  bool Has(const std::string& name) const;
  Member operator[](const std::string& name) const;
  bool IsNull() const;

  std::string Text() const;
  bool Flag() const;
  double Number() const;
  template <typename T = std::uint64_t>
  T Whole() const {
    return static_cast<T>(WholeUpTo(std::numeric_limits<T>::max()));
  }
  // Of a list, with at least so many entries.
  std::vector<Member> List(std::size_t least = 0) const;
  std::vector<std::string> Texts(std::size_t least = 0) const;
  // Of an object, by name, in the order of the file.
  std::vector<std::pair<std::string, Member>> Members() const;
  // The value as it is; null after a misfit.
  const nlohmann::ordered_json& json() const;

  // It is not what it should be: "NAME: `expected` was expected".
  void Misfit(const std::string& expected) const;
  Status status() const;

 private:
  struct Reading {
    std::string file;
    Status status;
  };
  Member(const nlohmann::ordered_json* json, std::string path, std::shared_ptr<Reading> reading);
  std::uint64_t WholeUpTo(std::uint64_t most) const;
  std::string PathTo(const std::string& name) const;
  void Fail(const std::string& message) const;

  const nlohmann::ordered_json* json_;  // null: there was a misfit
  std::string path_;
  std::shared_ptr<Reading> reading_;
};

}  // namespace reissue::contract
