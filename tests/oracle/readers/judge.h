#pragma once
// What a reader finds, what the program says, and where the two differ. Plain values.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "case.h"

namespace reissue::readers {

enum class Verdict { kKept, kBroken, kNotProven, kNotOneSeries, kError };
std::string Word(Verdict verdict);

// Of one series. Numbers that reader and program both name must be the same; a program leaves out
// what it does not claim to know for certain.
struct Finding {
  Verdict verdict = Verdict::kKept;
  std::map<std::string, double> numbers;
  std::string words;  // why it is broken, or what went wrong
};

// Where the program is wrong, in words; nothing where it is right, or says that it does not know.
std::string Difference(const Finding& reader, const Finding& program);

// One line of the table.
struct Tally {
  std::string model, kind;
  std::uint64_t cases = 0, kept = 0, broken = 0, not_proven = 0, refused = 0;
  std::vector<std::string> disagreements = {};  // each with the smallest case that shows it

  void Count(Verdict program);
};
std::string TallyHeader();
std::string LineOf(const Tally& tally);

// What a reader finds out who also runs the publisher.
struct Rates {
  std::string model;
  std::uint64_t cases = 0;   // releases, or series of them, that were looked at
  std::uint64_t people = 0;  // in all of them
  double told = 0;           // of them: the files alone leave one value
  double certain = 0;        // of them: one value is left
  double beyond = 0;         // of them: more is known than the promise allows
};
std::string RatesHeader();
std::string LineOf(const Rates& rates);

}  // namespace reissue::readers
