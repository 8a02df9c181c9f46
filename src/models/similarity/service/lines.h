#pragma once
// Files of beliefs (docs/formats/knowledge.md): CSV with a header, one probability a line.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/binding/grouped/table.h"
#include "reissue/core/result.h"
#include "reissue/io/csv.h"
#include "reissue/io/policy.h"
#include "reissue/models/similarity/release/knowledge.h"

namespace reissue::models::similarity::service {

class BeliefLines {
 public:
  // Errors: a column that is not `known` (with the nearest one) or stands twice, a `required` one
  // that is missing, a line of another length than the header, fewer lines than `least`.
  static Result<BeliefLines> Read(const std::string& path, const std::vector<std::string>& known,
                                  const std::vector<std::string>& required, std::size_t least,
                                  binding::Context& context);

  const std::string& file() const { return file_; }
  const std::vector<io::Record>& lines() const { return lines_; }
  std::optional<std::size_t> Find(std::string_view column) const;
  const std::string& header(std::size_t column) const { return header_[column]; }

  // Errors where a cell is empty; where it is no number from 0 to 1; where it is no whole number
  // from 1 on.
  Result<std::string> Text(const io::Record& line, std::size_t column) const;
  Result<double> Probability(const io::Record& line, std::size_t column) const;
  Result<std::uint32_t> Count(const io::Record& line, std::size_t column) const;

  // About a line; `column` may be left out.
  Error Wrong(const io::Record& line, std::optional<std::size_t> column, std::string message,
              std::string remedy = {}) const;

 private:
  std::string file_;
  std::vector<std::string> header_;
  std::vector<io::Record> lines_;
};

// The sensitive columns of a policy as they stand in a file.
class SensitiveColumns {
 public:
  explicit SensitiveColumns(const io::Policy& policy);
  const std::vector<std::string>& names() const { return names_; }
  // The value on a line. All columns are in the file.
  Result<binding::ValueTexts> ValueOn(const BeliefLines& file, const io::Record& line) const;
  // The value that `text` names where several columns are joined by " / ".
  binding::ValueTexts Split(std::string_view text) const;

 private:
  std::vector<std::string> names_;
  std::vector<bool> numeric_;
};

// Makes the sum 1. An error at `place`, the first line of the distribution, where it is further
// away than 1e-6, unless `normalise`; and where there is no probability at all. `whose` completes
// "the probabilities of …".
Status MakeSumOne(similarity::Distribution& distribution, bool normalise, const Place& place,
                  std::string_view whose);

}  // namespace reissue::models::similarity::service
