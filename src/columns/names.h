#pragma once
// What the name of a column says about it: the only list of such words. English words of tables of
// people, and some others. Who guesses roles adds what values tell: advice of raw tables, survey of
// published files.

#include <string>
#include <string_view>
#include <vector>

namespace reissue::columns {

enum class Meaning {
  kNothing,
  kDirect,     // names somebody: surname, e-mail, telephone
  kPerson,     // a number of a person: patient, member
  kNumbering,  // some other number: id, nr
  kQuasi,      // somebody who knows a person may know it
  kSensitive,  // must not be learned
};

// What a sensitive column is about, from the most telling to the least.
enum class Topic { kHealth, kMoney, kOther };

struct Hint {
  Meaning meaning = Meaning::kNothing;
  std::string word;             // of the name, that says so
  Topic topic = Topic::kOther;  // of kSensitive
  // kQuasi: people know it of each other, and may not want others to learn it: job, religion.
  bool private_too = false;
  bool age = false;       // years of age
  bool code = false;      // numbers in it are names of something: type, code, id
  bool time = false;      // a year or a month: somebody may know when
  bool quantity = false;  // numbers in it count or measure something
};

Hint HintOf(std::string_view name);

// Words that say little by themselves, and more where a column of a published file was left as it
// is while others were generalised: class, score, grade. HintOf does not know them: in raw tables
// they are as often something else (class of worker).
bool MayBeOutcome(std::string_view name);

// `admissionTypeID` → admission, type, id. Lower case.
std::vector<std::string> WordsOf(std::string_view name);

}  // namespace reissue::columns
