#pragma once
// Monthly tables of patients with the result of an examination, after the data set Bkseq of Riboni,
// Pareschi and Bettini: people come, go and return, and results follow one another by a Markov
// model of disease progression that remembers two steps. What a reader may know of it (priors of
// kinds of people, transitions of one and of two steps) is true to the last digit. The model is in
// docs/design/0005, section "Simulated Bkseq".

#include <cstdint>
#include <string>
#include <vector>

#include "reissue/core/random.h"
#include "reissue/simulate/choice.h"

namespace reissue::simulate {

struct BkseqOptions {
  std::uint64_t rows = 4000;  // of a table, about
  std::uint64_t seed = 1;
};

struct BkseqRow {
  std::uint32_t person = 0;  // from 0, in the order in which people first come
  std::uint32_t sex = 0;     // into BkseqSexes
  std::uint32_t age = 0, weight = 0;
  std::uint32_t exam = 0;  // into BkseqModel::values
};

// People of a sex, from an age (weight) up to below another.
struct BkseqKind {
  std::uint32_t sex = 0;
  std::uint32_t age_from = 0, age_below = 0, weight_from = 0, weight_below = 0;
};

// What is true of the tables. Probabilities are whole millionths; each list sums to a million.
struct BkseqModel {
  std::vector<std::string> values;
  std::vector<BkseqKind> kinds;
  std::vector<std::vector<Weight>> prior;  // per kind: of the first result
  std::vector<std::vector<Weight>> once;   // per result: of the next one
  std::vector<std::vector<Weight>> twice;  // per result before the last · values + last one
};
inline constexpr Weight kBkseqWhole = 1'000'000;

const std::vector<std::string>& BkseqSexes();
const BkseqModel& TrueBkseq();
// Into TrueBkseq().kinds. Everybody is of exactly one.
std::uint32_t BkseqKindOf(const BkseqRow& row);

// Tables one after the other. The same options give the same tables.
class Bkseq {
 public:
  explicit Bkseq(const BkseqOptions& options);
  // The next month: who stayed or returned, in the order of arrival, then who is new.
  std::vector<BkseqRow> Next();
  std::uint32_t persons() const { return static_cast<std::uint32_t>(patients_.size()); }

 private:
  struct Patient {
    BkseqRow row;                // of the last visit
    std::uint32_t birthday = 0;  // month of the year
    std::uint32_t before = 0;    // the result before the last
    std::uint32_t visits = 0;    // so far
    bool away = false;
  };
  Patient NewPatient();
  void Examine(Patient& patient);

  BkseqOptions options_;
  Random random_;
  Choice first_, second_, later_;
  std::vector<Patient> patients_;
  std::uint32_t month_ = 0;
};

// As files: tables have the columns patient, sex, age, weight, exam.
std::string BkseqTable(const std::vector<BkseqRow>& rows);
std::string BkseqPolicy();
std::string BkseqPrior();
// `steps` 1 or 2; with 2 the transitions of one step are there, too.
std::string BkseqTransition(std::uint32_t steps);

}  // namespace reissue::simulate
