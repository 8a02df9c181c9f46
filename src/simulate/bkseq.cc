#include "reissue/simulate/bkseq.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <utility>

#include "reissue/simulate/csv_line.h"

namespace reissue::simulate {
namespace {

constexpr std::uint64_t kBkseqFamily = 7;  // apart from the generators

// ---- results: normal, and four conditions with two or three stages each

struct BkseqResult {
  const char* name;
  std::size_t condition, stage;  // stage from 0
  Weight usual;                  // where nothing is known of the person; they sum to 1000
};
constexpr BkseqResult kResults[] = {
    {"normal", 0, 0, 150},       {"raised sugar", 1, 0, 110},    {"diabetes", 1, 1, 90},
    {"late diabetes", 1, 2, 60}, {"raised pressure", 2, 0, 110}, {"high pressure", 2, 1, 80},
    {"heart failure", 2, 2, 60}, {"bronchitis", 3, 0, 110},      {"chronic lung disease", 3, 1, 70},
    {"growth", 4, 0, 60},        {"cancer I", 4, 1, 60},         {"cancer II", 4, 2, 40},
};
constexpr std::size_t kResultCount = std::size(kResults);
constexpr std::size_t kConditions = 5;

bool IsLater(std::size_t a, std::size_t b) {  // a is the stage after b
  return a == b + 1 && kResults[a].condition == kResults[b].condition;
}

// ---- who the patients are

constexpr Weight kTenYears[] = {80, 110, 140, 180, 200, 170, 90, 30};  // from 18 on
constexpr std::uint32_t kYoungestPatient = 18, kOldestPatient = 120;
constexpr std::uint32_t kAgeBounds[] = {18, 40, 55, 70, 121};
constexpr std::uint32_t kWeightBounds[] = {40, 65, 85, 150};
constexpr std::size_t kAgeClasses = std::size(kAgeBounds) - 1;
constexpr std::size_t kWeightClasses = std::size(kWeightBounds) - 1;

// Percent, per condition.
constexpr std::uint64_t kBySex[2][kConditions] = {{100, 90, 90, 90, 110}, {100, 110, 110, 110, 90}};
constexpr std::uint64_t kByAge[kAgeClasses][kConditions] = {{180, 60, 50, 140, 50},
                                                            {120, 90, 90, 100, 90},
                                                            {80, 120, 130, 90, 120},
                                                            {60, 130, 150, 100, 130}};
constexpr std::uint64_t kByWeight[kWeightClasses][kConditions] = {
    {120, 50, 70, 110, 100}, {110, 90, 95, 100, 100}, {70, 170, 140, 95, 100}};
// Percent, per stage.
constexpr std::uint64_t kStageByAge[kAgeClasses][3] = {
    {100, 60, 40}, {100, 80, 70}, {100, 110, 110}, {100, 120, 140}};

// ---- how results follow one another

// Parts of 4000: the same again, one stage worse, one better; the remaining 1000 are `usual`.
struct Course {
  Weight same, worse, better;
};
constexpr Course kFirstCourse = {2000, 600, 400};  // after a change of the condition
constexpr Course kAfterSame = {2400, 400, 200};
constexpr Course kAfterWorse = {1600, 1100, 300};
constexpr Course kAfterBetter = {1600, 400, 1000};
constexpr Weight kCourseWhole = 4000;

// Of 1000, per month.
constexpr std::uint64_t kLeaving = 100, kReturning = 50;

template <typename Number>
std::vector<Weight> Millionths(const std::vector<Number>& weights) {
  double sum = 0;
  for (const Number weight : weights) sum += static_cast<double>(weight);
  std::vector<Weight> whole;
  std::vector<std::pair<double, std::size_t>> rest;  // what rounding down takes, negated
  Weight given = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double exact = static_cast<double>(weights[i]) / sum * kBkseqWhole;
    whole.push_back(static_cast<Weight>(exact));
    rest.emplace_back(static_cast<double>(whole.back()) - exact, i);
    given += whole.back();
  }
  std::sort(rest.begin(), rest.end());
  for (std::size_t i = 0; given < kBkseqWhole; ++i, ++given) ++whole[rest[i % rest.size()].second];
  return whole;
}

Course CourseAfter(std::size_t before, std::size_t last) {
  if (before == last) return kAfterSame;
  if (IsLater(last, before) || (before == 0 && kResults[last].stage == 0)) return kAfterWorse;
  if (IsLater(before, last) || (last == 0 && kResults[before].stage == 0)) return kAfterBetter;
  return kFirstCourse;
}

// Parts of 4000.
std::vector<Weight> NextResult(std::size_t before, std::size_t last) {
  const Course course = CourseAfter(before, last);
  std::vector<Weight> next;
  for (const BkseqResult& result : kResults) next.push_back(result.usual);
  next[last] += course.same;
  if (last == 0) {
    // From normal any of the four conditions may begin; better is normal again.
    for (std::size_t i = 1; i < kResultCount; ++i) {
      if (kResults[i].stage == 0) next[i] += course.worse / (kConditions - 1);
    }
    next[last] += course.better;
    return next;
  }
  const bool final_stage = last + 1 == kResultCount || !IsLater(last + 1, last);
  next[final_stage ? last : last + 1] += course.worse;
  next[kResults[last].stage == 0 ? 0 : last - 1] += course.better;
  return next;
}

// Transitions of one step: those of two, in the long run.
std::vector<std::vector<Weight>> OneStep(const std::vector<std::vector<Weight>>& twice) {
  constexpr std::size_t kPairs = kResultCount * kResultCount;
  std::vector<double> share(kPairs, 1.0 / kPairs);  // of (before, last)
  for (int round = 0; round < 300; ++round) {
    std::vector<double> then(kPairs, 0);
    for (std::size_t pair = 0; pair < kPairs; ++pair) {
      for (std::size_t next = 0; next < kResultCount; ++next) {
        then[pair % kResultCount * kResultCount + next] +=
            share[pair] * twice[pair][next] / kBkseqWhole;
      }
    }
    share = std::move(then);
  }
  std::vector<std::vector<Weight>> once;
  for (std::size_t from = 0; from < kResultCount; ++from) {
    const auto begin = share.begin() + static_cast<std::ptrdiff_t>(from * kResultCount);
    once.push_back(Millionths(std::vector<double>(begin, begin + kResultCount)));
  }
  return once;
}

std::vector<Weight> FirstResult(std::size_t sex, std::size_t age, std::size_t weight) {
  std::vector<std::uint64_t> share;
  for (const BkseqResult& result : kResults) {
    share.push_back(result.usual * kBySex[sex][result.condition] * kByAge[age][result.condition] *
                    kByWeight[weight][result.condition] * kStageByAge[age][result.stage]);
  }
  return Millionths(share);
}

BkseqModel MakeTrueBkseq() {
  BkseqModel model;
  for (const BkseqResult& result : kResults) model.values.emplace_back(result.name);
  for (std::uint32_t sex = 0; sex < 2; ++sex) {
    for (std::size_t age = 0; age < kAgeClasses; ++age) {
      for (std::size_t weight = 0; weight < kWeightClasses; ++weight) {
        model.kinds.push_back({sex, kAgeBounds[age], kAgeBounds[age + 1], kWeightBounds[weight],
                               kWeightBounds[weight + 1]});
        model.prior.push_back(FirstResult(sex, age, weight));
      }
    }
  }
  for (std::size_t before = 0; before < kResultCount; ++before) {
    for (std::size_t last = 0; last < kResultCount; ++last) {
      std::vector<Weight> next = NextResult(before, last);
      for (Weight& weight : next) weight *= kBkseqWhole / kCourseWhole;
      model.twice.push_back(std::move(next));
    }
  }
  model.once = OneStep(model.twice);
  return model;
}

Choice ChoiceOf(const std::vector<std::vector<Weight>>& contexts) {
  std::vector<Weight> weights;
  for (const auto& context : contexts) {
    weights.insert(weights.end(), context.begin(), context.end());
  }
  return Choice(weights, kResultCount);
}

std::size_t ClassOf(std::uint32_t number, std::span<const std::uint32_t> bounds) {
  std::size_t at = 0;
  while (at + 2 < bounds.size() && number >= bounds[at + 1]) ++at;
  return at;
}

// ---- files

void AppendProbability(std::string& out, Weight millionths) {
  AppendNumber(out, millionths / kBkseqWhole);
  out.push_back('.');
  AppendNumber(out, millionths % kBkseqWhole, 6);
  out.push_back('\n');
}

void AppendBkseqRange(std::string& out, std::uint32_t from, std::uint32_t below) {
  std::string range = "[";
  AppendNumber(range, from);
  range.push_back(',');
  AppendNumber(range, below);
  range.push_back(')');
  AppendText(out, range);
}

}  // namespace

const std::vector<std::string>& BkseqSexes() {
  static const auto* const sexes = new std::vector<std::string>{"female", "male"};
  return *sexes;
}

const BkseqModel& TrueBkseq() {
  static const auto* const model = new BkseqModel(MakeTrueBkseq());
  return *model;
}

std::uint32_t BkseqKindOf(const BkseqRow& row) {
  return static_cast<std::uint32_t>((row.sex * kAgeClasses + ClassOf(row.age, kAgeBounds)) *
                                        kWeightClasses +
                                    ClassOf(row.weight, kWeightBounds));
}

Bkseq::Bkseq(const BkseqOptions& options)
    : options_(options),
      random_(Random::Seeded(DeriveSeed(options.seed, kBkseqFamily))),
      first_(ChoiceOf(TrueBkseq().prior)),
      second_(ChoiceOf(TrueBkseq().once)),
      later_(ChoiceOf(TrueBkseq().twice)) {}

Bkseq::Patient Bkseq::NewPatient() {
  static const Choice decades(kTenYears, std::size(kTenYears));
  Patient patient;
  BkseqRow& row = patient.row;
  row.person = persons();
  row.sex = random_.Below(100) < 52 ? 0 : 1;
  row.age =
      kYoungestPatient + decades.Draw(random_) * 10 + static_cast<std::uint32_t>(random_.Below(10));
  // Kilograms: a hump, and every sixth patient heavier than that.
  std::uint64_t weight = row.sex == 0 ? 45 : 54;
  for (int i = 0; i < 3; ++i) weight += random_.Below(18);
  if (random_.Below(6) == 0) weight += random_.Below(26);
  row.weight = static_cast<std::uint32_t>(weight);
  patient.birthday = static_cast<std::uint32_t>(random_.Below(12));
  return patient;
}

void Bkseq::Examine(Patient& patient) {
  const std::uint32_t last = patient.row.exam;
  if (patient.visits == 0) {
    patient.row.exam = first_.Draw(random_, BkseqKindOf(patient.row));
  } else if (patient.visits == 1) {
    patient.row.exam = second_.Draw(random_, last);
  } else {
    patient.row.exam = later_.Draw(random_, patient.before * kResultCount + last);
  }
  patient.before = last;
  ++patient.visits;
}

std::vector<BkseqRow> Bkseq::Next() {
  std::uint64_t present = 0;
  for (Patient& patient : patients_) {
    const bool birthday = patient.birthday == month_ % 12;
    patient.row.age = std::min(kOldestPatient, patient.row.age + (birthday ? 1 : 0));
    const std::uint64_t chance = random_.Below(1000);
    patient.away = patient.away ? chance >= kReturning : chance < kLeaving;
    present += patient.away ? 0 : 1;
  }
  // So many new ones that the table has 99 to 101 percent of its size.
  const std::uint64_t hundredth = options_.rows / 100;
  const std::uint64_t wanted = options_.rows - hundredth + random_.Below(2 * hundredth + 1);
  for (; present < wanted; ++present) patients_.push_back(NewPatient());
  std::vector<BkseqRow> rows;
  rows.reserve(present);
  for (Patient& patient : patients_) {
    if (patient.away) continue;
    Examine(patient);
    rows.push_back(patient.row);
  }
  ++month_;
  return rows;
}

std::string BkseqTable(const std::vector<BkseqRow>& rows) {
  std::string out = "patient,sex,age,weight,exam\n";
  for (const BkseqRow& row : rows) {
    out.push_back('P');
    AppendNumber(out, row.person + std::uint64_t{1}, 7);
    out.push_back(',');
    out += BkseqSexes()[row.sex];
    out.push_back(',');
    AppendNumber(out, row.age);
    out.push_back(',');
    AppendNumber(out, row.weight);
    out.push_back(',');
    AppendText(out, kResults[row.exam].name);
    out.push_back('\n');
  }
  return out;
}

std::string BkseqPolicy() {
  return "# Monthly tables of imaginary patients (reissue simulate bkseq).\n"
         "[columns]\n"
         "patient = { role = \"identifier\" }\n"
         "sex = { role = \"quasi\" }\n"
         "age = { role = \"quasi\", type = \"numeric\" }\n"
         "weight = { role = \"quasi\", type = \"numeric\" }\n"
         "exam = { role = \"sensitive\" }\n"
         "\n"
         "[guarantee]\n"
         "model = \"j-similarity\"\n"
         "k = 3\n"
         "j = 0.6\n"
         "beta = 5                         # or t = 0.5\n"
         "\n"
         "[knowledge]\n"
         "prior = \"prior.csv\"\n"
         "transition = \"transition.csv\"    # or transition2.csv with steps = 2\n"
         "steps = 1\n";
}

std::string BkseqPrior() {
  const BkseqModel& model = TrueBkseq();
  std::string out = "sex,age,weight,exam,probability\n";
  for (std::size_t kind = 0; kind < model.kinds.size(); ++kind) {
    const BkseqKind& people = model.kinds[kind];
    for (std::size_t value = 0; value < kResultCount; ++value) {
      out += BkseqSexes()[people.sex];
      out.push_back(',');
      AppendBkseqRange(out, people.age_from, people.age_below);
      out.push_back(',');
      AppendBkseqRange(out, people.weight_from, people.weight_below);
      out.push_back(',');
      AppendText(out, model.values[value]);
      out.push_back(',');
      AppendProbability(out, model.prior[kind][value]);
    }
  }
  return out;
}

std::string BkseqTransition(std::uint32_t steps) {
  const BkseqModel& model = TrueBkseq();
  std::string out = steps == 1 ? "from,to,probability\n" : "from2,from1,to,probability\n";
  const auto append = [&](const std::string* before, std::size_t last,
                          const std::vector<Weight>& next) {
    for (std::size_t value = 0; value < kResultCount; ++value) {
      if (before != nullptr) AppendText(out, *before);
      if (steps == 2) out.push_back(',');
      AppendText(out, model.values[last]);
      out.push_back(',');
      AppendText(out, model.values[value]);
      out.push_back(',');
      AppendProbability(out, next[value]);
    }
  };
  for (std::size_t last = 0; last < kResultCount; ++last) append(nullptr, last, model.once[last]);
  for (std::size_t pair = 0; steps == 2 && pair < model.twice.size(); ++pair) {
    append(&model.values[pair / kResultCount], pair % kResultCount, model.twice[pair]);
  }
  return out;
}

}  // namespace reissue::simulate
