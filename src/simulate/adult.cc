#include "reissue/simulate/adult.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "reissue/simulate/adult_columns.h"
#include "reissue/simulate/adult_tables.h"
#include "reissue/simulate/choice.h"
#include "reissue/simulate/csv_line.h"

namespace reissue::simulate {
namespace {

enum AdultColumn : std::size_t {
  kAgeColumn,
  kWorkclassColumn,
  kSamplingWeightColumn,
  kEducationColumn,
  kEducationNumberColumn,
  kMaritalColumn,
  kOccupationColumn,
  kRelationshipColumn,
  kRaceColumn,
  kSexColumn,
  kGainColumn,
  kLossColumn,
  kHoursColumn,
  kCountryColumn,
  kClassColumn,
  kColumns
};

std::vector<std::string> AdultHeader(bool ids) {
  std::vector<std::string> names(kAdultColumns.begin(), kAdultColumns.end());
  if (ids) names.insert(names.begin(), "id");
  return names;
}

// How many of the ascending `starts` are at most `value`.
template <std::size_t N>
constexpr std::size_t BandOf(const int (&starts)[N], int value) {
  std::size_t band = 0;
  while (band < N && value >= starts[band]) ++band;
  return band;
}

// A choice between amounts, written as text with the comma that follows.
class AmountChoice {
 public:
  explicit AmountChoice(std::span<const adult::Amount> amounts)
      : choice_(WeightsOf(amounts), amounts.size()) {
    for (const adult::Amount& amount : amounts)
      texts_.push_back(std::to_string(amount.value) + ',');
  }
  void Append(Random& random, std::string& out) const { out += texts_[choice_.Draw(random)]; }

 private:
  static std::vector<Weight> WeightsOf(std::span<const adult::Amount> amounts) {
    std::vector<Weight> weights;
    for (const adult::Amount& amount : amounts) weights.push_back(amount.weight);
    return weights;
  }
  Choice choice_;
  std::vector<std::string> texts_;
};

// One person as numbers of labels.
struct Person {
  int age = 0;
  std::uint32_t sex = 0, race = 0, country = 0, education = 0, marital = 0, relationship = 0;
  std::uint32_t occupation = 0, workclass = 0, hours_kind = 0, upper_class = 0;
  std::size_t band = 0;
};

class Adult final : public Generator {
 public:
  Adult(std::uint64_t seed, const GeneratorOptions& options)
      : Generator(seed, AdultHeader(options.ids), options.ids ? 'R' : '\0'), ids_(options.ids) {
    for (int age = 0; age <= adult::kOldest; ++age)
      band_of_age_.push_back(BandOf(adult::kBandStarts, age));
    std::size_t first = 0;
    for (std::size_t i = 1; i <= adult::kHours.size(); ++i) {
      if (i == adult::kHours.size() || HoursKindAt(i) != HoursKindAt(first)) {
        hours_.emplace_back(adult::kHours.subspan(first, i - first));
        first = i;
      }
    }
    for (std::size_t i = 0; i < adult::kEducations.size(); ++i) {
      education_texts_.push_back(std::string(adult::kEducations[i]) + ',' + std::to_string(i + 1) +
                                 ',');
    }
  }

  std::vector<std::string> Domain(std::size_t column) const override;

 protected:
  void AppendValues(std::uint64_t row, Random& random, std::string& out) const override;

 private:
  static std::size_t HoursKindAt(std::size_t i) {
    return BandOf(adult::kHoursKindStarts, static_cast<int>(adult::kHours[i].value));
  }
  void DrawHousehold(Random& random, Person& person) const;
  void DrawWork(Random& random, Person& person) const;

  bool ids_;
  std::vector<std::size_t> band_of_age_;
  std::vector<AmountChoice> hours_;
  std::vector<std::string> education_texts_;
  Choice sex_{adult::kSex, 2};
  Choice age_{adult::kAge, adult::kOldest - adult::kYoungest + 1};
  Choice race_{adult::kRace, adult::kRaces.size()};
  Choice country_{adult::kCountry, adult::kCountries.size()};
  Choice education_{adult::kEducation, adult::kEducations.size()};
  Choice marital_{adult::kMarital, adult::kMaritals.size()};
  Choice relationship_{adult::kRelationship, adult::kRelationships.size()};
  Choice occupation_{adult::kOccupation, adult::kOccupations.size()};
  Choice workclass_{adult::kWorkclass, adult::kWorkclasses.size()};
  Choice hours_kind_{adult::kHoursKind, std::size(adult::kHoursKindStarts) + 1};
  AmountChoice gains_[2] = {AmountChoice(adult::kGains[0]), AmountChoice(adult::kGains[1])};
  AmountChoice losses_[2] = {AmountChoice(adult::kLosses[0]), AmountChoice(adult::kLosses[1])};
};

void Adult::DrawHousehold(Random& random, Person& person) const {
  person.sex = sex_.Draw(random);
  person.age = adult::kYoungest + static_cast<int>(age_.Draw(random, person.sex));
  person.band = band_of_age_[static_cast<std::size_t>(person.age)];
  person.race = race_.Draw(random, person.sex);
  person.country = country_.Draw(random, person.race);
  const std::size_t origin = adult::kOriginOfCountry[person.country];
  const bool schooled_abroad = origin > 0 && person.age >= 23;
  person.education =
      education_.Draw(random, schooled_abroad ? adult::kAgeBands - 1 + origin : person.band);
  person.marital = marital_.Draw(random, person.sex * adult::kAgeBands + person.band);
  person.relationship =
      relationship_.Draw(random, (person.marital * 2 + person.sex) * 2 + (person.age >= 25));
}

void Adult::DrawWork(Random& random, Person& person) const {
  const std::size_t schooling = adult::kSchoolingOfEducation[person.education];
  person.occupation =
      occupation_.Draw(random, (schooling * 2 + person.sex) * 2 + (person.age >= 25));
  const std::size_t career = person.age < 25 ? 0 : person.age < 55 ? 1 : 2;
  person.workclass = workclass_.Draw(random, person.occupation * 3 + career);
  const bool self_employed = person.workclass == 1 || person.workclass == 2;
  const std::size_t work = self_employed ? 0 : adult::kWorkOfOccupation[person.occupation];
  const std::size_t phase = person.age < 20 ? 0 : person.age < 25 ? 1 : person.age < 62 ? 2 : 3;
  person.hours_kind = hours_kind_.Draw(random, (phase * 2 + person.sex) * adult::kWorks + work);

  const int score = adult::kBaseScore + adult::kEducationScore[person.education] +
                    adult::kRelationshipScore[person.relationship] +
                    adult::kAgeBandScore[person.band] + adult::kOccupationScore[person.occupation] +
                    adult::kHoursKindScore[person.hours_kind] +
                    adult::kWorkclassScore[person.workclass] + adult::kSexScore[person.sex];
  const auto steps =
      std::min<std::size_t>(static_cast<std::size_t>(std::abs(score)), adult::kChances.size() - 1);
  const std::uint32_t chance = adult::kChances[steps];
  person.upper_class = random.Below(10000) < (score >= 0 ? chance : 10000 - chance);
}

// The weight with which a person stands for others: uniform between neighbouring quantiles, but
// for the long upper tail, where small values are more frequent.
std::uint64_t DrawSamplingWeight(Random& random) {
  const std::size_t step = random.Below(adult::kSamplingWeights.size() - 1);
  const std::uint64_t low = adult::kSamplingWeights[step];
  const std::uint64_t width = adult::kSamplingWeights[step + 1] - low;
  std::uint64_t above = random.Below(width);
  if (step + 2 == adult::kSamplingWeights.size()) {
    for (int i = 0; i < 4; ++i) above = std::min(above, random.Below(width));
  }
  return low + above;
}

void AppendLabel(std::string& out, std::string_view label) {
  out.append(label);
  out.push_back(',');
}

void Adult::AppendValues(std::uint64_t, Random& random, std::string& out) const {
  Person person;
  DrawHousehold(random, person);
  DrawWork(random, person);
  AppendNumber(out, static_cast<std::uint64_t>(person.age));
  out.push_back(',');
  AppendLabel(out, adult::kWorkclasses[person.workclass]);
  AppendNumber(out, DrawSamplingWeight(random));
  out.push_back(',');
  out += education_texts_[person.education];
  AppendLabel(out, adult::kMaritals[person.marital]);
  AppendLabel(out, adult::kOccupations[person.occupation]);
  AppendLabel(out, adult::kRelationships[person.relationship]);
  AppendLabel(out, adult::kRaces[person.race]);
  AppendLabel(out, adult::kSexes[person.sex]);
  if (random.Below(10000) < adult::kWithGain[person.upper_class]) {
    gains_[person.upper_class].Append(random, out);
    out.append("0,");
  } else {
    out.append("0,");
    if (random.Below(10000) < adult::kWithLoss[person.upper_class]) {
      losses_[person.upper_class].Append(random, out);
    } else {
      out.append("0,");
    }
  }
  hours_[person.hours_kind].Append(random, out);
  AppendLabel(out, adult::kCountries[person.country]);
  out.append(adult::kClasses[person.upper_class]);
  out.push_back('\n');
}

std::vector<std::string> NumbersOf(std::uint32_t first, std::uint32_t last) {
  std::vector<std::string> numbers;
  for (std::uint32_t i = first; i <= last; ++i) numbers.push_back(std::to_string(i));
  return numbers;
}

std::vector<std::string> LabelsOf(adult::Labels labels) { return {labels.begin(), labels.end()}; }

// The amounts of all `lists`, ascending and once each; zero first if `zero`.
std::vector<std::string> AmountsOf(std::span<const std::span<const adult::Amount>> lists,
                                   bool zero) {
  std::vector<std::uint32_t> values;
  if (zero) values.push_back(0);
  for (const auto& list : lists) {
    for (const adult::Amount& amount : list) values.push_back(amount.value);
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  std::vector<std::string> texts;
  for (const std::uint32_t value : values) texts.push_back(std::to_string(value));
  return texts;
}

std::vector<std::string> Adult::Domain(std::size_t column) const {
  if (ids_ && column-- == 0) return {};
  switch (column) {
    case kAgeColumn:
      return NumbersOf(adult::kYoungest, adult::kOldest);
    case kWorkclassColumn:
      return LabelsOf(adult::kWorkclasses);
    case kEducationColumn:
      return LabelsOf(adult::kEducations);
    case kEducationNumberColumn:
      return NumbersOf(1, static_cast<std::uint32_t>(adult::kEducations.size()));
    case kMaritalColumn:
      return LabelsOf(adult::kMaritals);
    case kOccupationColumn:
      return LabelsOf(adult::kOccupations);
    case kRelationshipColumn:
      return LabelsOf(adult::kRelationships);
    case kRaceColumn:
      return LabelsOf(adult::kRaces);
    case kSexColumn:
      return LabelsOf(adult::kSexes);
    case kGainColumn:
      return AmountsOf(adult::kGains, true);
    case kLossColumn:
      return AmountsOf(adult::kLosses, true);
    case kHoursColumn:
      return AmountsOf(std::array{adult::kHours}, false);
    case kCountryColumn:
      return LabelsOf(adult::kCountries);
    case kClassColumn:
      return LabelsOf(adult::kClasses);
    default:
      return {};
  }
}

}  // namespace

std::unique_ptr<Generator> MakeAdult(std::uint64_t seed, const GeneratorOptions& options) {
  return std::make_unique<Adult>(seed, options);
}

}  // namespace reissue::simulate
