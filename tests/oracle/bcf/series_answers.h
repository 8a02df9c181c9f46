#pragma once
// Everything there is to say about a series of any length, as plain values, once by the oracle and
// once by the product, so that one == compares them. For tests only.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "product.h"
#include "promise.h"
#include "reissue/models/bcf/adversary/series_attack.h"
#include "worlds.h"

namespace oracle::bcf {

struct Range {
  long least = 0, most = 0;
  friend bool operator==(const Range&, const Range&) = default;
};

// Over the targets that have something left: all of them, or those that somebody real is.
struct SiegeAnswers {
  std::optional<long> anonymity;
  std::vector<std::optional<long>> of_birth;
  std::size_t targets = 0;
  std::set<std::string> broken;
  std::vector<long> exposed;  // per release: rows in cells of targets that break a promise
  // How many people may have one row left, or one value: per cell at most as many as are left to
  // such targets, at least those for whom the others have no room. At most: in the newest release,
  // at least: in some release.
  Range singled_out, value_certain;
  friend bool operator==(const SiegeAnswers&, const SiegeAnswers&) = default;
};

struct SeriesAnswers {
  bool possible = false;           // where not, everything else is empty
  std::map<Target, ByValue> left;  // of each target; values with nothing left are not there
  std::map<Target, std::set<std::string>> broken;
  SiegeAnswers any, real;
  friend bool operator==(const SeriesAnswers&, const SeriesAnswers&) = default;
};

// A series and what is asked about it. All must outlive the question.
struct Question {
  const Translator& translator;
  const Series& series;
  const std::vector<Target>& people;  // where the real people are; without them no real targets
  Promise promise;
};

SeriesAnswers AnswersByWorlds(const Question& question);
// What the numbers left to the targets mean for the promise.
SeriesAnswers Conclude(const Question& question, const std::map<Target, ByValue>& left);

// By Worlds, AttackSeries and LeftTo. Also checks what only the product says, from scratch: that
// numbers are exact, that witnesses are worlds that reach them, that proofs of impossibility are
// proofs. `complaint` has the first fault of that kind.
struct ProductAnswers {
  SeriesAnswers answers;
  model::WorldStatistics statistics;
  std::size_t witnesses = 0, proofs = 0;
  std::size_t unproven = 0;  // impossible, but no proof is given
  std::string complaint;
};
ProductAnswers AnswersOfProduct(const Question& question);

// The groups of a value in the cells of a target; empty where a cell has none.
std::vector<std::size_t> GroupsOf(const model::Series& series, const model::Target& target,
                                  std::uint32_t value);

// The formulas of the paper for each target, by value: from all worlds of each pair of releases,
// and as the product has them. Only what is left.
std::map<Target, ByValue> FormulasByWorlds(const Domain& domain, const Series& series);
std::map<Target, ByValue> FormulasOfProduct(const Translator& translator, const Series& series);

std::string Describe(const SeriesAnswers& answers);

}  // namespace oracle::bcf
