#pragma once
// What an audit of linked releases found, and what a search did, for people and programs. Plain
// values.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reissue/binding/words.h"
#include "reissue/models/xy/adversary/attack.h"
#include "reissue/models/xy/service/promise.h"

namespace reissue::models::xy::service {

using xy::Wide;

// 1234567 → "1,234,567".
std::string Digits(Wide number);

// A combination on X, and what it gives away.
struct JoinFinding {
  binding::LabelledCell x;
  Wide records = 0;  // of the join
  std::uint64_t distinct = 0;
  binding::LabelledCell y;  // linkability: the value that is inferred
  Wide records_with_y = 0;
  double share = 0, threshold = 0;
  bool broken = false;
  std::string words;
};

struct RequirementFindings {
  AskedRequirement asked;
  bool satisfied = true;
  std::optional<std::uint64_t> anonymity;
  std::optional<double> linkability;
  std::uint64_t violating = 0;  // combinations
  bool counted = true;          // `violating` is all of them
  std::vector<JoinFinding> worst;
};

struct JoinFindings {
  std::vector<std::string> names;  // of the files: "" (T1), "prior", …
  std::vector<std::string> joined_on;
  std::vector<RequirementFindings> requirements;
  Wide join_rows = 0;
  std::vector<std::uint64_t> dangling;  // per file
  std::vector<std::string> warnings;    // about them, in words
  bool by_classes = true;
  std::vector<std::string> notes;
};

// What one publication did.
struct JoinSearch {
  std::string score;                 // what the search preferred
  std::uint64_t steps = 0;           // specialisations from the most general release
  std::uint64_t reexamined = 0;      // of them refused at first
  std::vector<std::string> as_is;    // columns published as they are
  std::vector<std::string> exposed;  // those of them that are quasi-identifiers
};

// One combination on X.
struct JoinExplained {
  std::vector<std::string> files, names;
  std::size_t requirement = 1;  // from 1
  AskedRequirement asked;
  binding::LabelledCell x;
  struct Match {
    std::vector<binding::LabelledCell> partitions;  // per file
    std::vector<std::uint64_t> rows;
    Wide records = 0;
  };
  std::vector<Match> matches;
  std::uint64_t more = 0;  // matches that are not listed
  Wide records = 0;
  std::uint64_t distinct = 0;
  struct Y {
    binding::LabelledCell y;
    Wide records = 0;
    double share = 0;
    std::optional<double> threshold;  // sensitive
  };
  std::vector<Y> values;
  bool broken = false;
  std::string words;
};

}  // namespace reissue::models::xy::service
