#include "worlds.h"

#include <algorithm>
#include <cmath>

namespace oracle::counterfeits {
namespace {

constexpr std::size_t kValues = 8;

std::string Text(double number) { return std::to_string(std::lround(number)); }

}  // namespace

const char* NameOf(Shape shape) {
  switch (shape) {
    case Shape::kTwins:
      return "twins";
    case Shape::kUnique:
      return "unique";
    case Shape::kLinked:
      return "linked";
    case Shape::kGrowing:
      return "growing";
    case Shape::kNumbers:
      return "numbers";
  }
  return "";
}

World::World(Shape shape, std::size_t rows, std::uint64_t seed)
    : shape_(shape), rows_(rows), random_(seed) {
  switch (shape) {
    case Shape::kTwins:
      names_ = {"sex", "decade", "region"};
      numeric_ = {false, true, false};
      break;
    case Shape::kUnique:
      names_ = {"age", "sex", "town", "job", "school", "income", "marital", "car", "colour"};
      numeric_ = {true, false, false, false, false, true, false, false, false};
      break;
    case Shape::kLinked:
      names_ = {"age", "sex", "postcode", "town", "marital", "job", "wage"};
      numeric_ = {true, false, false, false, false, false, true};
      break;
    case Shape::kGrowing:
      names_ = {"age", "years", "town", "street", "job", "seen"};
      numeric_ = {true, true, false, false, false, false};
      break;
    case Shape::kNumbers:
      names_ = {"height", "weight", "pressure", "pulse", "ward"};
      numeric_ = {true, true, true, true, false};
      break;
  }
  for (std::size_t i = 0; i < rows_; ++i) there_.push_back(Newcomer());
}

double World::Normal() {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += static_cast<double>(random_() >> 11) * 0x1p-53;
  return sum;
}

std::string World::Pick(const char* what, std::size_t kinds) {
  return what + std::to_string(std::min(Below(kinds), Below(kinds + kinds / 2)));
}

std::vector<std::string> World::Columns(std::size_t value) {
  // Some values are for the old, others for the young.
  const double age = std::clamp(30 + 5 * static_cast<double>(value) + 14 * Normal(), 1.0, 95.0);
  const std::string sex = Chance(0.5) ? "f" : "m";
  switch (shape_) {
    case Shape::kTwins:
      return {sex, Text(std::floor(age / 10) * 10), Pick("region", 5)};
    case Shape::kUnique:
      return {Text(age),          sex,
              Pick("town", 30),   Pick("job", 25),
              Pick("school", 8),  Text(std::exp(7 + 0.4 * Normal())) + "0",
              Pick("marital", 5), Pick("car", 12),
              Pick("colour", 7)};
    case Shape::kLinked: {
      const std::size_t code = std::min(Below(40), Below(60));
      const std::string marital = age < 18            ? "single"
                                  : Chance(age / 120) ? "widowed"
                                  : Chance(0.3)       ? "single"
                                                      : "married";
      const std::string job = age < 18     ? "pupil"
                              : age > 66   ? "pension"
                              : sex == "f" ? Pick("job", 6)
                                           : Pick("job", 9);
      const double wage = job == "pupil"     ? 0
                          : job == "pension" ? 12 + 2 * Normal()
                                             : 20 + 3 * (job.back() - '0') + 4 * Normal();
      return {Text(age), sex, "P" + std::to_string(100 + code), "town" + std::to_string(code / 4),
              marital,   job, Text(std::max(0.0, wage)) + "00"};
    }
    case Shape::kGrowing: {
      const std::size_t street = Below(24);
      return {Text(age),
              time_ == 0 ? std::to_string(Below(6)) : "0",
              "town" + std::to_string(street / 4),
              "street" + std::to_string(street),
              Pick("job", 10),
              "time" + std::to_string(time_)};
    }
    case Shape::kNumbers: {
      const double height = 172 + 9 * Normal(), weight = height - 100 + 9 * Normal();
      const double pressure = 90 + weight / 2 + 8 * Normal();
      return {Text(10 * height), Text(10 * weight), Text(10 * pressure), Text(70 + 8 * Normal()),
              Pick("ward", 4)};
    }
  }
  return {};
}

Person World::Newcomer() {
  const std::size_t value = std::min(Below(kValues), Below(2 * kValues));
  return {"P" + std::to_string(++people_), Columns(value), "illness" + std::to_string(value)};
}

void World::Change(Person& person) {
  auto& columns = person.columns;
  if (shape_ == Shape::kGrowing) {
    columns[0] = std::to_string(std::stoi(columns[0]) + 1);
    columns[1] = std::to_string(std::stoi(columns[1]) + 1);
    columns[5] = "time" + std::to_string(time_);
    if (Chance(0.08)) {
      const std::size_t street = Below(24);
      columns[2] = "town" + std::to_string(street / 4);
      columns[3] = "street" + std::to_string(street);
    }
    if (Chance(0.05)) columns[4] = Pick("job", 10);
  }
  if (shape_ == Shape::kNumbers) {
    columns[1] = std::to_string(std::stoi(columns[1]) + std::lround(6 * Normal()));
    columns[2] = std::to_string(std::stoi(columns[2]) + std::lround(15 * Normal()));
  }
  if (shape_ == Shape::kUnique && Chance(0.1)) columns[3] = Pick("job", 25);
}

void World::Pass() {
  ++time_;
  std::erase_if(there_, [&](const Person&) { return Chance(0.15); });
  for (Person& person : there_) Change(person);
  const std::size_t come =
      static_cast<std::size_t>(0.1 * static_cast<double>(rows_)) + Below(1 + rows_ / 10);
  for (std::size_t i = 0; i < come; ++i) there_.push_back(Newcomer());
}

std::string World::Policy(const std::string& guarantee) const {
  std::string policy = "title = \"Made up\"\n[columns]\nid = { role = \"identifier\" }\n";
  for (std::size_t c = 0; c < names_.size(); ++c) {
    policy += names_[c] + " = { role = \"" + (c + 1 < names_.size() ? "quasi" : "publish") + "\"" +
              (numeric_[c] ? ", type = \"numeric\"" : "") + " }\n";
  }
  return policy + "illness = { role = \"sensitive\" }\n[guarantee]\nmodel = \"m-invariance\"\n" +
         guarantee;
}

std::string World::Csv() const {
  std::string csv = "id,";
  for (const std::string& name : names_) csv += name + ",";
  csv += "illness\n";
  for (const Person& person : there_) {
    csv += person.id + ",";
    for (const std::string& text : person.columns) csv += text + ",";
    csv += person.value + "\n";
  }
  return csv;
}

}  // namespace oracle::counterfeits
