#include "reissue/models/k/service/explore.h"

#include <algorithm>

namespace reissue::models::k::service {
namespace {

using contract::Axis;
using Sense = Axis::Sense;

io::Setting NumberSetting(double number, bool integer) {
  io::Setting setting;
  setting.number = number;
  setting.integer = integer;
  return setting;
}

io::Setting WordSetting(const char* word) {
  io::Setting setting;
  setting.kind = io::Setting::Kind::kText;
  setting.text = word;
  return setting;
}

// These and what the policy has, ascending.
std::vector<io::Setting> Around(const io::Policy& policy, const char* key,
                                std::vector<double> numbers, bool integers) {
  const io::Setting* own = policy.Get(key);
  if (own != nullptr && own->kind == io::Setting::Kind::kNumber) numbers.push_back(own->number);
  std::ranges::sort(numbers);
  numbers.erase(std::ranges::unique(numbers).begin(), numbers.end());
  std::vector<io::Setting> settings;
  for (const double number : numbers) {
    settings.push_back(NumberSetting(number, integers || number > 1));
  }
  return settings;
}

// Whether rows can be left out, or starred.
bool CanSuppress(const io::Policy& policy, bool series) {
  if (!series) return true;
  const auto quasi = policy.WithRole(io::Role::kQuasi);
  return !policy.WithRole(io::Role::kIdentifier).empty() &&
         std::ranges::none_of(
             quasi, [](const io::PolicyColumn* column) { return column->ceiling.has_value(); });
}

}  // namespace

std::vector<Axis> AxesOf(const io::Policy& policy, bool series) {
  std::vector<Axis> axes = {
      {"k", Sense::kPromisesMore, false, Around(policy, "k", {2, 5, 10, 25, 50}, true)},
      {"distinct", Sense::kPromisesMore, false, {}},
      {"entropy", Sense::kPromisesMore, false, {}},
      {"alpha", Sense::kPromisesLess, false, {}},
      {"confidence", Sense::kPromisesLess, false, {}},
      {"t", Sense::kPromisesLess, false, {}},
      {"beta", Sense::kPromisesLess, false, {}},
      {"recoding", Sense::kNothing, false, {WordSetting("global"), WordSetting("local")}},
      {"suppression", Sense::kNothing, false, {}},
      {"score", Sense::kNothing, true, {}},
      {"search", Sense::kNothing, true, {}},
  };
  for (Axis& axis : axes) {
    if (axis.key == "suppression" && CanSuppress(policy, series)) {
      axis.grid = Around(policy, "suppression", {0, 0.05}, false);
    }
  }
  return axes;
}

}  // namespace reissue::models::k::service
