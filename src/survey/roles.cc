#include "reissue/survey/roles.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "reissue/columns/names.h"

namespace reissue::survey {
namespace {

using columns::Hint;
using columns::Meaning;
using columns::Topic;

bool NamesSomebody(const Hint& hint) {
  return hint.meaning == Meaning::kDirect || hint.meaning == Meaning::kPerson ||
         hint.meaning == Meaning::kNumbering;
}

bool Identifies(const ColumnLook& column) {
  // Nearly every row has a value of its own, as it is.
  return column.rows >= 2 && !column.generalised && 10 * column.values >= 9 * column.rows;
}

// The last column that may be sensitive and is as wanted.
std::optional<std::size_t> Last(std::span<const ColumnLook> columns,
                                const std::vector<RoleGuess>& guesses,
                                const std::function<bool(std::size_t)>& wanted) {
  for (std::size_t i = columns.size(); i-- > 0;) {
    if (guesses[i].role != Role::kQuasi || columns[i].values < 2) continue;
    if (wanted(i)) return i;
  }
  return std::nullopt;
}

}  // namespace

std::vector<RoleGuess> GuessRoles(std::span<const ColumnLook> columns) {
  std::vector<RoleGuess> guesses(columns.size());
  std::vector<Hint> hints;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    hints.push_back(columns::HintOf(columns[i].name));
    guesses[i].reason = columns[i].generalised ? "generalised" : "readers may know it";
    if (!Identifies(columns[i])) continue;
    if (NamesSomebody(hints[i])) {
      guesses[i] = {Role::kIdentifier, "its name, and nearly every row has its own",
                    hints[i].meaning == Meaning::kDirect};
    } else if (columns[i].rows >= 20 && !columns[i].numbers) {
      guesses[i] = {Role::kIdentifier, "nearly every row has its own", false};
    }
  }
  const auto take = [&](const std::function<bool(std::size_t)>& wanted, const char* reason) {
    const auto found = Last(columns, guesses, wanted);
    if (found) guesses[*found] = {Role::kSensitive, reason, false};
    return found.has_value();
  };
  for (const Topic topic : {Topic::kHealth, Topic::kMoney, Topic::kOther}) {
    const auto about = [&](std::size_t i) {
      return hints[i].meaning == Meaning::kSensitive && hints[i].topic == topic;
    };
    if (take(about, "its name")) return guesses;
  }
  if (take([&](std::size_t i) { return columns::MayBeOutcome(columns[i].name); }, "its name")) {
    return guesses;
  }
  const bool some_generalised = std::any_of(
      columns.begin(), columns.end(), [](const ColumnLook& column) { return column.generalised; });
  const auto left_as_it_is = [&](std::size_t i) {
    const Meaning meaning = hints[i].meaning;
    const bool known =
        ((meaning == Meaning::kQuasi || meaning == Meaning::kDirect) && !hints[i].private_too) ||
        (meaning == Meaning::kNothing && hints[i].time);
    return some_generalised && !columns[i].generalised && !known;
  };
  if (const auto found = Last(columns, guesses, left_as_it_is)) {
    const bool last = *found + 1 == columns.size();
    guesses[*found] = {Role::kSensitive,
                       last ? "never generalised while others are, and last"
                            : "never generalised while others are",
                       false};
    return guesses;
  }
  take([&](std::size_t i) { return hints[i].private_too; }, "its name");
  return guesses;
}

}  // namespace reissue::survey
