#pragma once
// What the readers of a policy say about a value that is not as expected: where it stands, what is
// wrong, what to do. Internal to io.

#include <string>
#include <string_view>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/io/policy.h"

namespace reissue::io {

// "a number", "text", …
std::string_view KindName(Setting::Kind kind);

// `did you mean "x"? ` where there is a near word, then the whole list.
std::string Suggest(std::string_view word, const std::vector<std::string>& known,
                    std::string_view list_name);

class PolicyWords {
 public:
  explicit PolicyWords(std::string file) : file_(std::move(file)) {}
  const std::string& file() const { return file_; }

  Error At(const Setting& setting, std::string message, std::string remedy,
           std::string column = {}) const;
  Error AtColumn(const PolicyColumn& column, std::string message, std::string remedy) const;
  Error Whole(std::string message, std::string remedy) const;

  // `what` is the quoted key, with the table it stands in.
  Status Expect(const Setting& setting, Setting::Kind kind, std::string_view what,
                const std::string& column = {}) const;
  // A list of texts, each once.
  Result<std::vector<std::string>> Texts(const Setting& setting, std::string_view what,
                                         const std::string& column = {}) const;

 private:
  std::string file_;
};

}  // namespace reissue::io
