#include "reissue/models/similarity/service/lines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "reissue/taxonomy/numbers.h"

namespace reissue::models::similarity::service {
namespace {

constexpr double kSumTolerance = 1e-6;
constexpr std::string_view kJoint = " / ";

}  // namespace

Result<BeliefLines> BeliefLines::Read(const std::string& path,
                                      const std::vector<std::string>& known,
                                      const std::vector<std::string>& required, std::size_t least,
                                      binding::Context& context) {
  const auto bytes = REISSUE_TRY(context.files.Read(path));
  BeliefLines file;
  file.file_ = path;
  file.lines_ = REISSUE_TRY(io::ReadRecords(bytes->view(), path));
  if (file.lines_.size() < 1 + least) {
    return InputError(
        {path, std::nullopt, std::nullopt, ""},
        least > 0 ? "a header and at least one line were expected" : "a header was expected",
        fmt::format("The columns are: {}.", fmt::join(known, ", ")));
  }
  const io::Record head = file.lines_.front();
  file.header_ = head.fields;
  file.lines_.erase(file.lines_.begin());
  for (std::size_t c = 0; c < head.fields.size(); ++c) {
    const std::string& name = head.fields[c];
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      const std::string nearest = io::Nearest(name, known);
      return file.Wrong(head, c, "a column that does not belong here",
                        nearest.empty()
                            ? fmt::format("The columns are: {}.", fmt::join(known, ", "))
                            : fmt::format("Did you mean \"{}\"?", nearest));
    }
    if (*file.Find(name) != c) return file.Wrong(head, c, "the column stands twice");
  }
  for (const std::string& name : required) {
    if (file.Find(name)) continue;
    return file.Wrong(head, std::nullopt, fmt::format("the column \"{}\" is missing", name),
                      fmt::format("The columns are: {}.", fmt::join(known, ", ")));
  }
  for (const io::Record& line : file.lines_) {
    if (line.fields.size() == head.fields.size()) continue;
    return file.Wrong(
        line, std::nullopt,
        fmt::format("{} fields, where the header has {}", line.fields.size(), head.fields.size()),
        "Put fields with a comma into quotes, for example \"[20,30)\".");
  }
  return file;
}

std::optional<std::size_t> BeliefLines::Find(std::string_view column) const {
  const auto at = std::find(header_.begin(), header_.end(), column);
  if (at == header_.end()) return std::nullopt;
  return static_cast<std::size_t>(at - header_.begin());
}

Result<std::string> BeliefLines::Text(const io::Record& line, std::size_t column) const {
  if (!line.fields[column].empty()) return line.fields[column];
  return Wrong(line, column, "the cell is empty", "Every cell has a value.");
}

Result<double> BeliefLines::Probability(const io::Record& line, std::size_t column) const {
  const auto number = taxonomy::ParseNumber(line.fields[column]);
  if (number && *number >= 0 && *number <= 1) return *number;
  return Wrong(line, column, "a number from 0 to 1 was expected",
               "Write a probability, with a point before its decimals: 0.25.");
}

Result<std::uint32_t> BeliefLines::Count(const io::Record& line, std::size_t column) const {
  constexpr double kMost = 1e9;
  const auto number = taxonomy::ParseNumber(line.fields[column]);
  if (number && *number >= 1 && *number <= kMost && *number == std::floor(*number)) {
    return static_cast<std::uint32_t>(*number);
  }
  return Wrong(line, column, "a whole number from 1 on was expected", "Releases count from 1.");
}

Error BeliefLines::Wrong(const io::Record& line, std::optional<std::size_t> column,
                         std::string message, std::string remedy) const {
  return InputError({file_, line.line, std::nullopt, column ? header_[*column] : ""},
                    std::move(message), std::move(remedy));
}

SensitiveColumns::SensitiveColumns(const io::Policy& policy) {
  for (const io::PolicyColumn* column : policy.WithRole(io::Role::kSensitive)) {
    names_.push_back(column->name);
    numeric_.push_back(column->numeric);
  }
}

Result<binding::ValueTexts> SensitiveColumns::ValueOn(const BeliefLines& file,
                                                      const io::Record& line) const {
  binding::ValueTexts value;
  for (std::size_t c = 0; c < names_.size(); ++c) {
    std::string text = REISSUE_TRY(file.Text(line, *file.Find(names_[c])));
    value.push_back(numeric_[c] ? binding::CanonicalNumber(text) : std::move(text));
  }
  return value;
}

binding::ValueTexts SensitiveColumns::Split(std::string_view text) const {
  binding::ValueTexts value;
  for (std::size_t c = 0; c < names_.size(); ++c) {
    const std::size_t end = c + 1 < names_.size() ? text.find(kJoint) : std::string_view::npos;
    const std::string_view part = text.substr(0, end);
    value.push_back(numeric_[c] ? binding::CanonicalNumber(part) : std::string(part));
    text = end == std::string_view::npos ? "" : text.substr(end + kJoint.size());
  }
  return value;
}

Status MakeSumOne(similarity::Distribution& distribution, bool normalise, const Place& place,
                  std::string_view whose) {
  double sum = 0;
  for (const double p : distribution) sum += p;
  if (!(sum > 0)) {
    return InputError(place, fmt::format("the probabilities of {} are all 0", whose),
                      "Give them probabilities that sum to 1.");
  }
  if (std::abs(sum - 1) > kSumTolerance && !normalise) {
    return InputError(place,
                      fmt::format("the probabilities of {} sum to {:.7g} instead of 1", whose, sum),
                      "Correct them (this is their first line), or write normalise = true into "
                      "[knowledge] to have them scaled.");
  }
  for (double& p : distribution) p /= sum;
  return Ok();
}

}  // namespace reissue::models::similarity::service
