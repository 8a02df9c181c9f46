#include "reissue/survey/roles.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

namespace reissue::survey {
namespace {

// Words of a name: letters between anything else, and where a capital follows a small letter.
std::vector<std::string> Words(std::string_view name) {
  std::vector<std::string> words(1);
  char before = ' ';
  for (const char c : name) {
    const bool letter = std::isalpha(static_cast<unsigned char>(c)) != 0;
    const bool hump = std::isupper(static_cast<unsigned char>(c)) != 0 &&
                      std::islower(static_cast<unsigned char>(before)) != 0;
    if ((!letter || hump) && !words.back().empty()) words.emplace_back();
    if (letter) {
      words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    before = c;
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

bool HasWord(std::string_view name, std::span<const std::string_view> wanted) {
  for (const std::string& word : Words(name)) {
    if (std::find(wanted.begin(), wanted.end(), word) != wanted.end()) return true;
  }
  return false;
}

constexpr std::string_view kIdentifying[] = {
    "id",    "identifier", "name",     "surname", "forename", "ssn",  "email", "mail",
    "phone", "telephone",  "passport", "iban",    "uuid",     "guid", "mrn"};
// From the most telling to the least.
constexpr std::string_view kHealth[] = {
    "disease", "diagnosis", "diagnoses",  "illness", "condition", "disorder", "hiv",
    "icd",     "treatment", "medication", "drug",    "symptom",   "cause",    "problem"};
constexpr std::string_view kMoney[] = {"income",  "salary", "wage",    "wages",  "earnings",
                                       "balance", "debt",   "payment", "credit", "loan"};
constexpr std::string_view kOther[] = {"class",    "result",    "outcome", "score",   "grade",
                                       "religion", "sensitive", "offence", "offense", "vote"};
// What people know of each other, and what is published as it is where it is coarse anyway.
constexpr std::string_view kKnown[] = {
    "age",     "born",         "birth",       "birthday",   "birthdate", "year",
    "month",   "date",         "sex",         "gender",     "race",      "ethnicity",
    "zip",     "postcode",     "place",       "city",       "county",    "region",
    "state",   "country",      "nationality", "birthplace", "education", "degree",
    "marital", "relationship", "family",      "children",   "language",  "citizenship"};
constexpr std::string_view kWork[] = {"occupation", "job", "profession"};

bool Identifies(const ColumnLook& column) {
  // Nearly every row has a value of its own, as it is.
  return column.rows >= 2 && !column.generalised && 10 * column.values >= 9 * column.rows;
}

std::optional<std::size_t> ByName(std::span<const ColumnLook> columns,
                                  const std::vector<RoleGuess>& guesses,
                                  std::span<const std::string_view> words) {
  for (std::size_t i = columns.size(); i-- > 0;) {
    if (guesses[i].role != Role::kQuasi || columns[i].values < 2) continue;
    if (HasWord(columns[i].name, words)) return i;
  }
  return std::nullopt;
}

}  // namespace

std::vector<RoleGuess> GuessRoles(std::span<const ColumnLook> columns) {
  std::vector<RoleGuess> guesses(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    guesses[i].reason = columns[i].generalised ? "generalised" : "readers may know it";
    if (!Identifies(columns[i])) continue;
    if (HasWord(columns[i].name, kIdentifying)) {
      guesses[i] = {Role::kIdentifier, "its name, and nearly every row has its own"};
    } else if (columns[i].rows >= 20 && !columns[i].numbers) {
      guesses[i] = {Role::kIdentifier, "nearly every row has its own"};
    }
  }
  const bool some_generalised = std::any_of(
      columns.begin(), columns.end(), [](const ColumnLook& column) { return column.generalised; });
  for (const auto words :
       {std::span<const std::string_view>(kHealth), std::span<const std::string_view>(kMoney),
        std::span<const std::string_view>(kOther)}) {
    if (const auto named = ByName(columns, guesses, words)) {
      guesses[*named] = {Role::kSensitive, "its name"};
      return guesses;
    }
  }
  if (some_generalised) {
    for (std::size_t i = columns.size(); i-- > 0;) {
      if (guesses[i].role != Role::kQuasi || columns[i].generalised || columns[i].values < 2 ||
          HasWord(columns[i].name, kKnown)) {
        continue;
      }
      const bool last = i + 1 == columns.size();
      guesses[i] = {Role::kSensitive, last ? "never generalised while others are, and last"
                                           : "never generalised while others are"};
      return guesses;
    }
  }
  if (const auto named = ByName(columns, guesses, kWork)) {
    guesses[*named] = {Role::kSensitive, "its name"};
  }
  return guesses;
}

}  // namespace reissue::survey
