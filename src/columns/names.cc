#include "reissue/columns/names.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace reissue::columns {
namespace {

using Words = std::span<const std::string_view>;

constexpr std::string_view kDirectWords[] = {
    "surname",  "firstname", "lastname", "forename", "fullname", "email", "mail",
    "phone",    "telephone", "mobile",   "fax",      "street",   "ssn",   "iban",
    "passport", "vorname",   "nachname", "strasse",  "telefon"};
constexpr std::string_view kPersonWords[] = {
    "patient",   "person",   "subject",    "member",   "respondent", "participant", "beneficiary",
    "bene",      "customer", "client",     "employee", "student",    "pid",         "mrn",
    "pseudonym", "desynpuf", "individual", "citizen",  "user",       "idcode",      "personid",
    "patientid", "owner",    "resident",   "pupil"};
constexpr std::string_view kNumberingWords[] = {"id",     "ids",   "nbr",      "nr",        "no",
                                                "key",    "uuid",  "guid",     "rownames",  "index",
                                                "serial", "seqno", "recordid", "identifier"};
constexpr std::string_view kQuasiWords[] = {
    "age",          "alter",       "sex",         "gender",     "geschlecht", "race",
    "ethnicity",    "ethnic",      "hispanic",    "birth",      "born",       "dob",
    "yob",          "birthdate",   "birthday",    "birthplace", "zip",        "zipcode",
    "postcode",     "postal",      "plz",         "city",       "town",       "village",
    "county",       "state",       "region",      "district",   "province",   "country",
    "land",         "nationality", "citizenship", "native",     "place",      "residence",
    "address",      "latitude",    "longitude",   "marital",    "married",    "education",
    "educ",         "school",      "schooling",   "degree",     "occupation", "occup",
    "job",          "profession",  "employment",  "employer",   "workclass",  "industry",
    "religion",     "language",    "household",   "family",     "children",   "kids",
    "relationship", "veteran",     "military",    "weight",     "height",     "admission",
    "admitted",     "admit",       "discharge",   "discharged", "date",       "dt",
    "hospital",     "ward",        "clinic",      "specialty",  "payer",      "insurance",
    "hours",        "beruf",       "wohnort"};
constexpr std::string_view kPrivateWords[] = {"occupation", "job", "profession", "religion",
                                              "beruf"};
constexpr std::string_view kHealthWords[] = {
    "disease",   "diagnosis", "diagnoses",  "diag", "dx",     "icd",      "condition",
    "illness",   "symptom",   "disorder",   "hiv",  "cancer", "drug",     "medication",
    "treatment", "therapy",   "readmitted", "died", "death",  "diagnose", "krankheit"};
constexpr std::string_view kMoneyWords[] = {
    "salary", "income",        "wage",    "wages",    "earnings",    "debt",
    "credit", "loan",          "balance", "spending", "expenditure", "cost",
    "charge", "reimbursement", "payment", "lwklywge", "einkommen"};
constexpr std::string_view kOtherSensitiveWords[] = {"test",    "result",     "crime",    "offence",
                                                     "offense", "conviction", "outcome",  "vote",
                                                     "party",   "opinion",    "sensitive"};
constexpr std::string_view kOutcomeWords[] = {"class", "score", "grade", "cause", "problem"};
constexpr std::string_view kTimeWords[] = {"year", "month"};
constexpr std::string_view kCodeWords[] = {"id",       "code",   "codes", "type",        "kind",
                                           "category", "status", "class", "group",       "flag",
                                           "source",   "cd",     "ind",   "disposition", "recode"};
constexpr std::string_view kQuantityWords[] = {
    "age",   "number",  "num",    "count",  "amount", "sum",    "total", "time",     "days",
    "weeks", "months",  "years",  "year",   "hours",  "income", "wage",  "score",    "rate",
    "size",  "weight",  "height", "gain",   "loss",   "price",  "cost",  "length",   "level",
    "share", "percent", "visits", "salary", "amt",    "mos",    "kids",  "children", "n"};

bool IsLower(char c) { return 'a' <= c && c <= 'z'; }
bool IsUpper(char c) { return 'A' <= c && c <= 'Z'; }

bool Among(Words list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// The last of the words that is in the list: names end in what they are about.
std::string LastAmong(Words list, const std::vector<std::string>& words) {
  for (auto it = words.rbegin(); it != words.rend(); ++it) {
    if (Among(list, *it)) return *it;
  }
  return {};
}

// `first name`, `name` alone; not `hospital name`.
bool IsSomebodysName(const std::vector<std::string>& words) {
  if (words.empty() || words.back() != "name") return false;
  static constexpr std::array<std::string_view, 7> kBefore = {"first", "last",   "full",   "family",
                                                              "given", "person", "patient"};
  return words.size() == 1 || Among(kBefore, words[words.size() - 2]);
}

// `number of diagnoses` is none of them.
bool CountsSomething(const std::vector<std::string>& words) {
  return words.size() > 1 && (words[0] == "number" || words[0] == "num" || words[0] == "count");
}

// `instance weight`: how many people of a population a row of a sample stands for; no weight of
// anybody.
bool IsWeightOfSample(const std::vector<std::string>& words) {
  static constexpr std::array<std::string_view, 7> kBefore = {
      "instance", "sample", "sampling", "survey", "final", "design", "statistical"};
  return words.size() > 1 && words.back() == "weight" && Among(kBefore, words[words.size() - 2]);
}

}  // namespace

std::vector<std::string> WordsOf(std::string_view name) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool letter = IsLower(c) || IsUpper(c) || (static_cast<unsigned char>(c) & 0x80) != 0;
    const bool begins = IsUpper(c) && i > 0 && IsLower(name[i - 1]);
    if ((!letter || begins) && !words.back().empty()) words.emplace_back();
    if (letter) words.back() += IsUpper(c) ? static_cast<char>(c | 0x20) : c;
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

Hint HintOf(std::string_view name) {
  const std::vector<std::string> words = WordsOf(name);
  Hint hint;
  const auto say = [&](Meaning meaning, std::string word) {
    if (hint.meaning != Meaning::kNothing || word.empty()) return;
    hint.meaning = meaning;
    hint.word = std::move(word);
  };
  hint.age = std::find(words.begin(), words.end(), "age") != words.end();
  hint.code = !words.empty() && Among(kCodeWords, words.back());
  hint.quantity = !LastAmong(kQuantityWords, words).empty();
  hint.time = !LastAmong(kTimeWords, words).empty();
  if (CountsSomething(words) || IsWeightOfSample(words)) return hint;
  if (IsSomebodysName(words)) say(Meaning::kDirect, "name");
  say(Meaning::kDirect, LastAmong(kDirectWords, words));
  // `days in hospital` is about the hospital: the last word that says something counts.
  const auto place = [&](const std::string& word) {  // from the end
    return std::find(words.rbegin(), words.rend(), word) - words.rbegin();
  };
  std::string quasi = LastAmong(kQuasiWords, words), sensitive;
  for (const auto& [topic, list] : {std::pair(Topic::kHealth, Words(kHealthWords)),
                                    std::pair(Topic::kMoney, Words(kMoneyWords)),
                                    std::pair(Topic::kOther, Words(kOtherSensitiveWords))}) {
    const std::string word = LastAmong(list, words);
    if (word.empty() || (!sensitive.empty() && place(word) > place(sensitive))) continue;
    sensitive = word;
    hint.topic = topic;
  }
  if (!sensitive.empty() && (quasi.empty() || place(sensitive) < place(quasi))) {
    say(Meaning::kSensitive, std::move(sensitive));
  }
  hint.private_too = hint.meaning == Meaning::kNothing && Among(kPrivateWords, quasi);
  say(Meaning::kQuasi, std::move(quasi));
  say(Meaning::kPerson, LastAmong(kPersonWords, words));
  say(Meaning::kNumbering, LastAmong(kNumberingWords, words));
  return hint;
}

bool MayBeOutcome(std::string_view name) {
  return !LastAmong(kOutcomeWords, WordsOf(name)).empty();
}

}  // namespace reissue::columns
