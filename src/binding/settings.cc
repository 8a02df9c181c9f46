#include "reissue/binding/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace reissue::binding {
namespace {

// What to do about a number that is none, or is out of range. Says nothing about certificates,
// whose settings have no lines: nobody writes them by hand.
std::string NumberRemedy(const io::Setting& setting) {
  if (setting.line == 0) return {};
  return setting.kind == io::Setting::Kind::kText
             ? "Write the number without quotes."
             : "Choose another number; docs/formats/policy.md says what "
               "each one means.";
}

}  // namespace

Error SettingsReader::Wrong(const io::Setting& setting, std::string message,
                            std::string remedy) const {
  Place place{file_, std::nullopt, std::nullopt, ""};
  if (setting.line > 0) {
    place.line = setting.line;
    if (remedy.empty()) remedy = "See docs/formats/policy.md for an example.";
  }
  return InputError(std::move(place), std::move(message), std::move(remedy));
}

Error SettingsReader::WrongFile(std::string message, std::string remedy) const {
  return InputError({file_, std::nullopt, std::nullopt, ""}, std::move(message), std::move(remedy));
}

Error SettingsReader::Expected(const std::string& key, const io::Setting& setting,
                               const std::string& what, std::string remedy) const {
  return Wrong(setting, fmt::format("`{}` must be {}", key, what), std::move(remedy));
}

Error SettingsReader::Unknown(const io::Setting& setting, std::string message,
                              const std::string& key, const Words& known) const {
  const std::string nearest = io::Nearest(key, known);
  return Wrong(setting, std::move(message),
               nearest.empty() ? fmt::format("It knows {}.", fmt::join(known, ", "))
                               : fmt::format("Did you mean `{}`?", nearest));
}

Result<double> SettingsReader::Number(const std::string& key, const io::Setting& setting,
                                      double low, double high, const std::string& expected) const {
  if (setting.kind != io::Setting::Kind::kNumber || !(setting.number >= low) ||
      !(setting.number <= high)) {
    return Expected(key, setting, expected, NumberRemedy(setting));
  }
  return setting.number;
}

Result<std::uint64_t> SettingsReader::Whole(const std::string& key, const io::Setting& setting,
                                            std::uint64_t low, double high,
                                            std::string remedy) const {
  if (setting.kind != io::Setting::Kind::kNumber || !setting.integer ||
      !(setting.number >= static_cast<double>(low)) || !(setting.number <= high)) {
    return Expected(key, setting, fmt::format("a whole number from {} to {:.0f}", low, high),
                    remedy.empty() ? NumberRemedy(setting) : std::move(remedy));
  }
  return static_cast<std::uint64_t>(setting.number);
}

Result<std::size_t> SettingsReader::OneOf(const std::string& key, const io::Setting& setting,
                                          const Words& words) const {
  const auto at = std::find(words.begin(), words.end(), setting.text);
  if (setting.kind == io::Setting::Kind::kText && at != words.end()) {
    return static_cast<std::size_t>(at - words.begin());
  }
  const std::string nearest = setting.line > 0 ? io::Nearest(setting.text, words) : "";
  return Expected(key, setting, fmt::format("one of \"{}\"", fmt::join(words, "\", \"")),
                  nearest.empty() ? "" : fmt::format("Did you mean \"{}\"?", nearest));
}

}  // namespace reissue::binding
