#include "reissue/simulate/census.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "reissue/simulate/choice.h"
#include "reissue/simulate/csv_line.h"

namespace reissue::simulate {
namespace {

constexpr int kYoungest = 17;
constexpr int kAges = 79;
constexpr int kGenders = 2;
constexpr int kEducations = 17;
constexpr int kBirthplaces = 57;
constexpr int kValues = 50;  // of the sensitive column
// Ages below these are in the phase of that number: 17–22, 23–34, 35–54, 55–69, 70–95.
constexpr int kPhaseEnds[] = {23, 35, 55, 70};
constexpr int kAgePhases = 5;
// Schooling in three tiers for the birthplace: up to 8, up to 13, above.
constexpr int kBirthTiers = 3;

constexpr Weight kEducationWeights[kAgePhases][kEducations] = {
    {4, 1, 2, 3, 6, 30, 60, 40, 290, 90, 130, 260, 30, 50, 3, 1, 0},
    {4, 1, 2, 3, 5, 10, 18, 12, 210, 35, 70, 160, 110, 250, 80, 18, 12},
    {6, 2, 3, 6, 6, 9, 15, 11, 220, 35, 70, 150, 115, 200, 105, 25, 22},
    {7, 2, 5, 9, 8, 13, 20, 13, 250, 38, 75, 155, 95, 170, 95, 23, 22},
    {9, 4, 9, 30, 20, 25, 28, 18, 270, 35, 65, 140, 55, 140, 95, 28, 29},
};

int PhaseOf(int age) {
  int phase = 0;
  while (phase < kAgePhases - 1 && age >= kPhaseEnds[phase]) ++phase;
  return phase;
}

int TierOf(int education) { return education < 8 ? 0 : education < 13 ? 1 : 2; }

// A plateau from 23 to 62, rising before and falling after.
std::vector<Weight> AgeWeights() {
  std::vector<Weight> weights;
  for (int age = kYoungest; age < kYoungest + kAges; ++age) {
    const int height = age < 23 ? 50 + 6 * (age - 17) : age <= 62 ? 86 : 86 - 4 * (age - 62);
    weights.push_back(static_cast<Weight>(std::max(height, 2)));
  }
  return weights;
}

// A few large places and many small ones in mixed order; the last five lie abroad, where people
// have little schooling or much.
std::vector<Weight> BirthplaceWeights() {
  std::vector<Weight> weights;
  for (int tier = 0; tier < kBirthTiers; ++tier) {
    for (int place = 0; place < kBirthplaces; ++place) {
      const int rank = (place * 23) % kBirthplaces + (place % kBirthTiers == tier ? 0 : 5);
      const bool abroad = place >= kBirthplaces - 5;
      const int abroad_boost = tier == 0 ? 6 : tier == 1 ? 1 : 2;
      const int weight = 6000 / (rank + 12) * (abroad ? abroad_boost : 2);
      weights.push_back(static_cast<Weight>(weight));
    }
  }
  return weights;
}

// Each occupation asks for some schooling (codes fall from much to little), leans to one gender,
// and takes fewer of the very young the more schooling it asks for.
std::vector<Weight> OccupationWeights() {
  std::vector<Weight> weights;
  for (int education = 0; education < kEducations; ++education) {
    for (int gender = 0; gender < kGenders; ++gender) {
      for (int phase = 0; phase < kAgePhases; ++phase) {
        for (int job = 0; job < kValues; ++job) {
          const int asked = 16 - job * 13 / (kValues - 1);
          const int fit = 12 + std::max(0, 60 - 11 * std::abs(asked - education));
          const int lean = (job * 17) % 9 - 4;  // −4: men, +4: women
          const int gendered = 6 + (gender == 0 ? -lean : lean);
          const int start = phase == 0 ? 4 + job / 10 : 6;
          weights.push_back(static_cast<Weight>(fit * gendered * start));
        }
      }
    }
  }
  return weights;
}

// Income rises with schooling, and with age until 55; around what is usual it scatters widely.
std::vector<Weight> SalaryWeights() {
  constexpr int kPhaseRise[kAgePhases] = {-14, 0, 8, 6, -4};
  std::vector<Weight> weights;
  for (int education = 0; education < kEducations; ++education) {
    for (int gender = 0; gender < kGenders; ++gender) {
      for (int phase = 0; phase < kAgePhases; ++phase) {
        const int usual = 8 + education * 3 / 2 + kPhaseRise[phase] - 4 * gender;
        for (int code = 0; code < kValues; ++code) {
          const int near = std::max(0, 60 - 3 * std::abs(code - usual));
          weights.push_back(static_cast<Weight>(8 + near + (code * 13) % 11));
        }
      }
    }
  }
  return weights;
}

std::vector<std::string> CensusHeader(CensusColumn sensitive, bool ids) {
  std::vector<std::string> names = {"Age", "Gender", "Education", "Birthplace"};
  names.push_back(sensitive == CensusColumn::kOccupation ? "Occupation" : "Salary");
  if (ids) names.insert(names.begin(), "id");
  return names;
}

class Census final : public Generator {
 public:
  Census(CensusColumn sensitive, std::uint64_t seed, const GeneratorOptions& options)
      : Generator(seed, CensusHeader(sensitive, options.ids), options.ids ? 'R' : '\0'),
        ids_(options.ids),
        value_(sensitive == CensusColumn::kOccupation ? OccupationWeights() : SalaryWeights(),
               kValues) {}

  std::vector<std::string> Domain(std::size_t column) const override {
    if (ids_ && column-- == 0) return {};
    constexpr int kFirsts[] = {kYoungest, 1, 1, 1, 1};
    constexpr int kSizes[] = {kAges, kGenders, kEducations, kBirthplaces, kValues};
    std::vector<std::string> codes;
    for (int i = 0; i < kSizes[column]; ++i) codes.push_back(std::to_string(kFirsts[column] + i));
    return codes;
  }

 protected:
  void AppendValues(std::uint64_t, Random& random, std::string& out) const override {
    const int age = kYoungest + static_cast<int>(age_.Draw(random));
    const auto phase = static_cast<std::size_t>(PhaseOf(age));
    const std::size_t gender = gender_.Draw(random);
    const std::size_t education = education_.Draw(random, phase);
    const auto tier = static_cast<std::size_t>(TierOf(static_cast<int>(education)));
    const std::size_t birthplace = birthplace_.Draw(random, tier);
    const std::size_t value =
        value_.Draw(random, (education * kGenders + gender) * kAgePhases + phase);
    AppendNumber(out, static_cast<std::uint64_t>(age));
    for (const std::size_t code : {gender, education, birthplace, value}) {
      out.push_back(',');
      AppendNumber(out, code + 1);
    }
    out.push_back('\n');
  }

 private:
  static constexpr Weight kGenderWeights[kGenders] = {52, 48};

  bool ids_;
  Choice age_{AgeWeights(), kAges};
  Choice gender_{kGenderWeights, kGenders};
  Choice education_{{&kEducationWeights[0][0], kAgePhases* kEducations}, kEducations};
  Choice birthplace_{BirthplaceWeights(), kBirthplaces};
  Choice value_;
};

}  // namespace

std::unique_ptr<Generator> MakeCensus(CensusColumn sensitive, std::uint64_t seed,
                                      const GeneratorOptions& options) {
  return std::make_unique<Census>(sensitive, seed, options);
}

}  // namespace reissue::simulate
