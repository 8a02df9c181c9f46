#pragma once
// Beliefs learned from tables: how frequent each value is among people of a category, and how often
// values follow one another. docs/formats/knowledge.md has the categories and the smoothing.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "reissue/binding/grouped/table.h"
#include "reissue/binding/state_bytes.h"
#include "reissue/core/result.h"
#include "reissue/io/policy.h"
#include "reissue/models/similarity/release/knowledge.h"

namespace reissue::models::similarity::service {

struct LearnOptions {
  std::uint32_t steps = 1;  // of transitions
  double smoothing = 1;     // how many people the prior of all weighs, above 0
};

// Tables are taken in the order of the series. Kinds keep their numbers; new ones are added.
class Learner {
 public:
  using Value = similarity::Value;
  using Distribution = similarity::Distribution;
  explicit Learner(const LearnOptions& options) : options_(options) {}

  // The kind of every row. `person`: 0, 1, … in order of first appearance over the series.
  std::vector<std::uint32_t> Add(const binding::GroupedTable& table, std::span<const Value> value,
                                 std::span<const similarity::Person> person);

  // Of kind c and value s: (count(c,s) + a · share(s)) / (count(c) + a), where share is that of all
  // rows of all tables. At least one row was added.
  std::vector<Distribution> Priors(std::uint32_t values) const;
  Distribution Shares(std::uint32_t values) const;
  // Of a context c: (count(c,s) + a · P(s | c without its oldest value)) / (count(c) + a), and of
  // the empty context share(s). All values are contexts; longer ones only where they occurred. Says
  // nothing, which is uniform, before anybody was in two tables in a row.
  similarity::Transition Transitions(std::uint32_t values) const;

  // Per quasi-identifier, what the kind covers, as a prior file says it.
  const std::vector<std::vector<std::string>>& kinds() const { return kinds_; }
  // How often somebody's value was followed by another in the next table.
  std::uint64_t sequences() const { return sequences_; }

  void Save(binding::StateWriter& out) const;
  void Restore(binding::StateReader& in);
  // What was restored makes sense: no value or column beyond these.
  bool Coherent(std::uint32_t values, std::size_t columns) const;

 private:
  struct Recent {
    std::uint32_t table = 0;    // the last that had the person; 0: none
    std::vector<Value> values;  // in tables in a row up to that one, the newest last; at most steps
  };
  std::vector<std::string> CategoriesOf(const binding::Quasi& quasi, std::size_t column,
                                        const reissue::Table& table);
  void Follow(std::span<const Value> value, std::span<const similarity::Person> person);

  LearnOptions options_;
  std::uint32_t tables_ = 0;
  std::vector<std::vector<double>> bounds_;  // per quasi-identifier that is a number: ascending
  std::vector<std::vector<std::string>> kinds_;
  std::map<std::vector<std::string>, std::uint32_t> kind_of_;
  std::vector<std::vector<std::uint64_t>> counts_;  // per kind and value
  std::map<std::vector<Value>, std::vector<std::uint64_t>> after_;
  std::uint64_t sequences_ = 0;
  std::vector<Recent> recent_;  // per person
};

// Numbers for the people of tables that are no part of a vault's series.
class PersonNumbers {
 public:
  std::vector<similarity::Person> Of(const binding::GroupedTable& table);
  std::size_t people() const { return number_of_.size(); }

 private:
  std::unordered_map<std::string, similarity::Person> number_of_;
};

// Makes the code of every row that of its pair with the code in `next`. How many pairs there are.
std::uint32_t PairCodes(std::vector<std::uint32_t>& code, std::span<const std::uint32_t> next);

}  // namespace reissue::models::similarity::service
