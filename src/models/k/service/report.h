#pragma once
// What an audit of one release found, and what the search for one did, for people and programs.
// Plain values.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reissue/binding/words.h"

namespace reissue::models::k::service {

// One exposed cell, for people.
struct Exposure {
  std::string attack;   // "identity", "homogeneity", "skew"
  std::string promise;  // which promise it breaks
  binding::LabelledCell cell;
  std::uint64_t rows = 0;
  std::string value;  // the sensitive value that gives it away; empty where none does
  double measured = 0;
  double asked = 0;
  std::string words;  // one sentence
};

struct CellFindings {
  std::uint64_t identity = 0, homogeneity = 0, skew = 0;  // persons
  std::vector<Exposure> worst;
};

struct SearchDetails {
  std::string score;  // what the search minimised
  double cost = 0, greedy_cost = 0;
  std::optional<double> paper_cost;  // where the paper's search ends, if it was run
  bool optimal = false;
  bool framed = false;   // only what is nowhere finer than a recent release was looked at
  bool gave_up = false;  // a proof was asked for, and took too long
  std::uint64_t descents = 0;
  // The cheapest that was found, where another was taken that will last as the table grows.
  std::optional<double> passing_cost;
};

}  // namespace reissue::models::k::service
