#include "reissue/io/policy_source.h"

#include <fmt/format.h>

#include <algorithm>

namespace reissue::io {
namespace {

using Kind = Setting::Kind;

constexpr double kLongest = 7 * 24 * 3600;

Status ReadConsistent(const Setting& value, const PolicyWords& words, PolicySource& source) {
  static const std::vector<std::string> known = {"lock", "apart"};
  REISSUE_TRY(words.Expect(value, Kind::kText, "\"consistent\" in [source]"));
  if (std::find(known.begin(), known.end(), value.text) == known.end()) {
    return words.At(value, fmt::format("unknown way to be consistent, \"{}\"", value.text),
                    Suggest(value.text, known, "use one of"));
  }
  source.lock = value.text == "lock";
  return Ok();
}

Status ReadTimeout(const Setting& value, const PolicyWords& words, PolicySource& source) {
  REISSUE_TRY(words.Expect(value, Kind::kNumber, "\"timeout\" in [source]"));
  if (!value.integer || value.number < 1 || value.number > kLongest) {
    return words.At(value, "\"timeout\" in [source] must be a whole number of seconds, at least 1",
                    "for an hour, which is the default, write 3600; a week is the most");
  }
  source.timeout = static_cast<std::uint64_t>(value.number);
  return Ok();
}

Status ReadKey(const std::string& key, const Setting& value, const PolicyWords& words,
               PolicySource& source) {
  static const std::vector<std::string> known = {"connection", "shards", "consistent", "timeout"};
  if (key == "consistent") return ReadConsistent(value, words, source);
  if (key == "timeout") return ReadTimeout(value, words, source);
  if (key != "connection" && key != "shards") {
    return words.At(value, fmt::format("unknown key \"{}\" in [source]", key),
                    Suggest(key, known, "known are"));
  }
  if (!source.servers.empty()) {
    return words.At(value, "[source] has both \"connection\" and \"shards\"",
                    "keep `connection` for one server, `shards` for several");
  }
  source.line = value.line;
  if (key == "shards") {
    source.servers = REISSUE_TRY(words.Texts(value, "\"shards\" in [source]"));
    if (source.servers.size() > 1) return Ok();
    return words.At(value, "\"shards\" in [source] must name two servers or more",
                    "one server is `connection = \"…\"`");
  }
  REISSUE_TRY(words.Expect(value, Kind::kText, "\"connection\" in [source]"));
  source.servers = {value.text};
  return Ok();
}

}  // namespace

Result<PolicySource> ReadPolicySource(const Setting& setting, const PolicyWords& words) {
  REISSUE_TRY(words.Expect(setting, Kind::kTable, "[source]"));
  PolicySource source;
  source.file = words.file();
  for (const auto& [key, value] : setting.table) {
    REISSUE_TRY(ReadKey(key, value, words, source));
  }
  if (source.servers.empty()) {
    return words.At(setting, "[source] names no server",
                    "add `connection = \"host=… dbname=…\"`, as for psql, or `shards = [ … ]`");
  }
  if (source.lock && source.servers.size() == 1) {
    return words.At(setting, "consistent = \"lock\" is for shards, and [source] names one server",
                    "leave it out: all that is read of one server is of one moment anyway");
  }
  return source;
}

}  // namespace reissue::io
