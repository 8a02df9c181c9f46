#pragma once
// What the name of a column says about it. English words of tables of people, and some others.

#include <string>
#include <string_view>
#include <vector>

namespace reissue::advice {

enum class Meaning {
  kNothing,
  kDirect,     // names somebody: surname, e-mail, telephone
  kPerson,     // a number of a person: patient, member
  kNumbering,  // some other number: id, nr
  kQuasi,      // somebody who knows a person may know it
  kSensitive,  // must not be learned
};

struct Hint {
  Meaning meaning = Meaning::kNothing;
  std::string word;       // of the name, that says so
  bool age = false;       // years of age
  bool code = false;      // numbers in it are names of something: type, code, id
  bool quantity = false;  // numbers in it count or measure something
};

Hint HintOf(std::string_view name);

// `admissionTypeID` → admission, type, id. Lower case.
std::vector<std::string> WordsOf(std::string_view name);

}  // namespace reissue::advice
