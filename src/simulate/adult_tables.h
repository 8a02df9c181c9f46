#pragma once
// The numbers of the Adult network: labels, and one table of weights per arrow, contexts one after
// the other. Only adult.cc and its test read them. Constants.

#include <cstdint>
#include <span>
#include <string_view>

#include "reissue/simulate/choice.h"

namespace reissue::simulate::adult {

inline constexpr int kYoungest = 17;
inline constexpr int kOldest = 90;
inline constexpr std::size_t kAgeBands = 10;
// First age of every band but the first: 17, 18–19, 20–22, 23–25, 26–29, 30–34, 35–44, …, 65+.
inline constexpr int kBandStarts[] = {18, 20, 23, 26, 30, 35, 45, 55, 65};
// First hours of every kind but the first: 1–19, 20–34, 35–39, 40, 41–49, 50–59, 60–99.
inline constexpr int kHoursKindStarts[] = {20, 35, 40, 41, 50, 60};

using Labels = std::span<const std::string_view>;
extern const Labels kSexes, kRaces, kCountries, kEducations, kMaritals, kRelationships;
extern const Labels kOccupations, kWorkclasses, kClasses;

enum Sex : std::uint32_t { kMale, kFemale };
enum Marital : std::uint32_t { kNeverMarried, kMarriedCivil, kMarriedForces };

using Weights = std::span<const Weight>;
extern const Weights kSex;           // 1 × 2
extern const Weights kAge;           // sex × age
extern const Weights kRace;          // sex × race
extern const Weights kCountry;       // race × country
extern const Weights kEducation;     // (age band, or two of origin) × education
extern const Weights kMarital;       // sex, age band × marital status
extern const Weights kRelationship;  // marital status, sex, 25+ × relationship
extern const Weights kOccupation;    // schooling, sex, 25+ × occupation
extern const Weights kWorkclass;     // occupation, (<25, 25–54, 55+) × workclass
extern const Weights kHoursKind;     // (<20, 20–24, 25–61, 62+), sex, work × kind

// Where a country's emigrants went to school: 0 United States, 1 few years, 2 elsewhere.
extern const std::span<const std::uint8_t> kOriginOfCountry;
// Education in eight steps.
extern const std::span<const std::uint8_t> kSchoolingOfEducation;
inline constexpr std::size_t kSchoolings = 8;
inline constexpr std::size_t kOrigins = 3;
// Occupations in three sorts as to hours: 1 desk, 2 road and field, 3 other. 0 is self-employment.
extern const std::span<const std::uint8_t> kWorkOfOccupation;
inline constexpr std::size_t kWorks = 4;

struct Amount {
  std::uint32_t value;
  Weight weight;
};
extern const std::span<const Amount> kHours;     // kinds follow from kHoursKindStarts
extern const std::span<const Amount> kGains[2];  // by class, of those above zero
extern const std::span<const Amount> kLosses[2];
// Of ten thousand people of each class, how many have a gain; of those without, a loss.
inline constexpr std::uint32_t kWithGain[2] = {416, 2119};
inline constexpr std::uint32_t kWithLoss[2] = {319, 1243};

// Log-odds of the upper class, in quarters: the base and what each value adds.
using Scores = std::span<const std::int8_t>;
inline constexpr int kBaseScore = -8;
extern const Scores kEducationScore, kRelationshipScore, kAgeBandScore, kOccupationScore;
extern const Scores kHoursKindScore, kWorkclassScore, kSexScore;
// Chances in ten thousand for log-odds 0, ¼, ½ … 8.
extern const std::span<const std::uint16_t> kChances;

// The 33 quantiles (0, 1/32 … 1) of the sampling weight.
extern const std::span<const std::uint32_t> kSamplingWeights;

}  // namespace reissue::simulate::adult
