#include "reissue/simulate/hospital.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "reissue/simulate/choice.h"
#include "reissue/simulate/csv_line.h"

namespace reissue::simulate {
namespace {

constexpr std::string_view kSexes[] = {"female", "male"};
constexpr std::string_view kJobs[] = {"Child",  "Pupil",       "Student", "Nurse",       "Teacher",
                                      "Lawyer", "Engineer",    "Clerk",   "Salesperson", "Cook",
                                      "Driver", "Electrician", "Farmer",  "Homemaker",   "Retired"};
enum Job : std::size_t { kChild = 0, kPupil = 1, kDriver = 10, kFarmer = 12 };
constexpr std::string_view kDiseases[] = {
    "Influenza",  "Pneumonia",    "Asthma",        "Appendicitis",
    "Gastritis",  "Gallstones",   "Kidney stones", "Bone fracture",
    "Diabetes",   "Hypertension", "Heart failure", "Stroke",
    "Depression", "HIV",          "Breast cancer", "Prostate cancer"};
constexpr std::size_t kFracture = 7;
constexpr std::size_t kDiseaseCount = std::size(kDiseases);
constexpr std::size_t kJobCount = std::size(kJobs);

// Ages 0–99 by decade.
constexpr std::size_t kDecades = 10;
constexpr Weight kDecade[kDecades] = {60, 50, 90, 110, 120, 150, 170, 150, 85, 15};
constexpr Weight kSexGivenDecade[kDecades][2] = {
    {47, 53}, {50, 50}, {54, 46}, {53, 47}, {49, 51},
    {48, 52}, {47, 53}, {51, 49}, {58, 42}, {68, 32},
};

// Three counties: 00110–00149 around Alder, 00210–00249 around Brook, 00310–00339 around Cliff; in
// each town (the first four digits) four codes. The centre is larger than the rest.
constexpr std::size_t kTowns = 11;
constexpr int kTownCodes[kTowns] = {11, 12, 13, 14, 21, 22, 23, 24, 31, 32, 33};
constexpr Weight kTown[kTowns] = {200, 110, 90, 60, 140, 90, 70, 50, 90, 60, 40};
constexpr Weight kStreet[4] = {40, 30, 20, 10};
constexpr int kStreetDigits[4] = {0, 2, 5, 7};

// Working life in four phases (18–24, 25–44, 45–64, 65+), women first.
constexpr std::size_t kPhases = 4;
constexpr Weight kJobGivenPhaseAndSex[kPhases * 2][kJobCount] = {
    {0, 0, 420, 110, 20, 0, 20, 90, 180, 60, 10, 5, 15, 70, 0},
    {0, 0, 380, 20, 10, 0, 50, 60, 110, 80, 90, 150, 45, 5, 0},
    {0, 0, 40, 150, 130, 35, 60, 190, 150, 60, 15, 10, 30, 130, 0},
    {0, 0, 40, 30, 60, 40, 180, 110, 110, 70, 150, 150, 50, 10, 0},
    {0, 0, 0, 130, 130, 30, 50, 200, 150, 60, 15, 10, 45, 140, 40},
    {0, 0, 0, 25, 70, 45, 170, 120, 100, 60, 150, 130, 70, 10, 50},
    {0, 0, 0, 5, 8, 6, 3, 10, 10, 4, 0, 0, 24, 70, 860},
    {0, 0, 0, 2, 6, 14, 10, 8, 10, 3, 12, 5, 30, 2, 898},
};

// Age in six tiers (0–14, 15–29, 30–44, 45–59, 60–74, 75+), women first.
constexpr std::size_t kTiers = 6;
constexpr Weight kDiseaseGivenTierAndSex[kTiers * 2][kDiseaseCount] = {
    {150, 130, 220, 160, 60, 2, 5, 190, 60, 2, 3, 1, 12, 1, 0, 0},
    {150, 130, 240, 150, 60, 2, 5, 220, 50, 2, 3, 1, 6, 1, 0, 0},
    {90, 50, 90, 170, 120, 50, 60, 110, 50, 15, 4, 3, 160, 18, 10, 0},
    {90, 50, 80, 170, 110, 20, 80, 260, 45, 20, 5, 3, 90, 35, 0, 0},
    {70, 45, 60, 90, 110, 130, 80, 80, 70, 60, 12, 12, 140, 22, 70, 0},
    {70, 50, 50, 90, 110, 60, 130, 160, 70, 90, 20, 15, 90, 45, 0, 4},
    {60, 55, 45, 45, 90, 140, 80, 80, 110, 120, 45, 40, 90, 10, 120, 0},
    {60, 60, 35, 45, 90, 90, 120, 90, 120, 160, 80, 60, 60, 18, 2, 50},
    {60, 80, 35, 25, 70, 110, 60, 110, 130, 150, 110, 90, 45, 3, 100, 0},
    {60, 90, 30, 25, 70, 90, 80, 70, 130, 150, 140, 110, 30, 5, 2, 120},
    {80, 130, 20, 12, 50, 60, 35, 210, 90, 110, 170, 130, 30, 1, 60, 0},
    {80, 140, 20, 12, 50, 60, 45, 110, 90, 110, 190, 130, 20, 1, 1, 110},
};

// Days: the shortest stay, and how far two equal draws go beyond it.
struct Stay {
  int shortest;
  int spread;
};
constexpr Stay kStays[kDiseaseCount] = {{1, 5},  {3, 8},  {1, 4}, {2, 4}, {1, 3},  {2, 4},
                                        {1, 4},  {2, 10}, {2, 8}, {1, 5}, {4, 10}, {6, 17},
                                        {7, 22}, {3, 12}, {3, 9}, {3, 9}};
constexpr int kLongestStay = 55;

// Months of 2025; the first row is for what comes in winter.
constexpr std::size_t kMonths = 12;
constexpr Weight kMonthGivenSeason[2][kMonths] = {
    {180, 190, 140, 80, 40, 20, 15, 15, 30, 60, 90, 140},
    {85, 80, 85, 83, 85, 82, 84, 83, 82, 85, 83, 83},
};

template <std::size_t Rows, std::size_t Width>
Choice FromTable(const Weight (&table)[Rows][Width]) {
  return Choice({&table[0][0], Rows * Width}, Width);
}

std::size_t TierOf(std::uint32_t age) {
  return age < 15 ? 0 : std::min<std::size_t>(age / 15, kTiers - 1);
}

std::size_t PhaseOf(std::uint32_t age) { return age < 25 ? 0 : age < 45 ? 1 : age < 65 ? 2 : 3; }

class Hospital final : public Generator {
 public:
  explicit Hospital(std::uint64_t seed)
      : Generator(seed, {"patient", "age", "sex", "zip", "job", "admitted", "disease", "days"},
                  'P') {}

  std::vector<std::string> Domain(std::size_t column) const override;

 protected:
  void AppendValues(std::uint64_t, Random& random, std::string& out) const override;

 private:
  std::size_t DrawJob(Random& random, std::uint32_t age, std::size_t sex) const {
    if (age < 6) return kChild;
    if (age < 18) return kPupil;
    return job_.Draw(random, PhaseOf(age) * 2 + sex);
  }
  std::size_t DrawDisease(Random& random, std::uint32_t age, std::size_t sex,
                          std::size_t job) const {
    // One in twelve of those who drive, wire or farm is there because of an accident.
    if (job >= kDriver && job <= kFarmer && random.Below(12) == 0) return kFracture;
    return disease_.Draw(random, TierOf(age) * 2 + sex);
  }

  Choice decade_{kDecade, kDecades};
  Choice sex_ = FromTable(kSexGivenDecade);
  Choice town_{kTown, kTowns};
  Choice street_{kStreet, std::size(kStreet)};
  Choice job_ = FromTable(kJobGivenPhaseAndSex);
  Choice disease_ = FromTable(kDiseaseGivenTierAndSex);
  Choice month_ = FromTable(kMonthGivenSeason);
};

void AppendZip(std::string& out, std::size_t town, std::size_t street) {
  AppendNumber(out, static_cast<std::uint64_t>(kTownCodes[town] * 10 + kStreetDigits[street]), 5);
}

void AppendMonth(std::string& out, std::size_t month) {
  out.append("2025-");
  AppendNumber(out, month + 1, 2);
}

void Hospital::AppendValues(std::uint64_t, Random& random, std::string& out) const {
  const std::uint32_t decade = decade_.Draw(random);
  const auto age = static_cast<std::uint32_t>(decade * 10 + random.Below(10));
  const std::size_t sex = sex_.Draw(random, decade);
  const std::size_t town = town_.Draw(random);
  const std::size_t street = street_.Draw(random);
  const std::size_t job = DrawJob(random, age, sex);
  const std::size_t disease = DrawDisease(random, age, sex, job);
  const std::size_t season = disease <= 1 ? 0 : 1;
  const std::size_t month = month_.Draw(random, season);
  const Stay& stay = kStays[disease];
  const auto spread = static_cast<std::uint64_t>(stay.spread + (age >= 70 ? 3 : 0));
  const std::uint64_t days =
      static_cast<std::uint64_t>(stay.shortest) + random.Below(spread) + random.Below(spread);

  AppendNumber(out, age);
  out.push_back(',');
  out.append(kSexes[sex]);
  out.push_back(',');
  AppendZip(out, town, street);
  out.push_back(',');
  out.append(kJobs[job]);
  out.push_back(',');
  AppendMonth(out, month);
  out.push_back(',');
  out.append(kDiseases[disease]);
  out.push_back(',');
  AppendNumber(out, days);
  out.push_back('\n');
}

std::vector<std::string> Numbers(int first, int last) {
  std::vector<std::string> numbers;
  for (int i = first; i <= last; ++i) numbers.push_back(std::to_string(i));
  return numbers;
}

std::vector<std::string> Hospital::Domain(std::size_t column) const {
  std::vector<std::string> values;
  switch (column) {
    case 1:
      return Numbers(0, 99);
    case 2:
      return {std::begin(kSexes), std::end(kSexes)};
    case 3:
      for (std::size_t town = 0; town < kTowns; ++town) {
        for (std::size_t street = 0; street < std::size(kStreet); ++street) {
          AppendZip(values.emplace_back(), town, street);
        }
      }
      return values;
    case 4:
      return {std::begin(kJobs), std::end(kJobs)};
    case 5:
      for (std::size_t month = 0; month < kMonths; ++month) {
        AppendMonth(values.emplace_back(), month);
      }
      return values;
    case 6:
      return {std::begin(kDiseases), std::end(kDiseases)};
    case 7:
      return Numbers(1, kLongestStay);
    default:
      return values;
  }
}

}  // namespace

std::unique_ptr<Generator> MakeHospital(std::uint64_t seed) {
  return std::make_unique<Hospital>(seed);
}

}  // namespace reissue::simulate
