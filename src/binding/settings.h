#pragma once
// Settings of a policy or certificate, read with the same words whatever the model: what was
// expected, where it stands, and for an unknown key the nearest known one.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/io/policy.h"

namespace reissue::binding {

using Settings = std::vector<std::pair<std::string, io::Setting>>;
using Words = std::vector<std::string>;

class SettingsReader {
 public:
  // `file` is for error messages.
  explicit SettingsReader(std::string file) : file_(std::move(file)) {}
  const std::string& file() const { return file_; }

  // About a setting: where it has a line (in policies), with that and some remedy; about the file.
  Error Wrong(const io::Setting& setting, std::string message, std::string remedy = {}) const;
  Error WrongFile(std::string message, std::string remedy) const;
  // "`key` must be …".
  Error Expected(const std::string& key, const io::Setting& setting, const std::string& what,
                 std::string remedy = {}) const;
  // `message`: "model "k" has no setting `kk`". `key` is looked for among the `known` ones.
  Error Unknown(const io::Setting& setting, std::string message, const std::string& key,
                const Words& known) const;

  Result<double> Number(const std::string& key, const io::Setting& setting, double low, double high,
                        const std::string& expected) const;
  // By default up to more than any table has rows or values.
  Result<std::uint64_t> Whole(const std::string& key, const io::Setting& setting, std::uint64_t low,
                              double high = 4e9, std::string remedy = {}) const;
  // Which of the words it is.
  Result<std::size_t> OneOf(const std::string& key, const io::Setting& setting,
                            const Words& words) const;

 private:
  std::string file_;
};

}  // namespace reissue::binding
