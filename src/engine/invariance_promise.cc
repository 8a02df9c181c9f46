#include "reissue/engine/invariance_promise.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "reissue/engine/changing_columns.h"

namespace reissue::engine {
namespace {

using io::Setting;
using Words = std::vector<std::string>;

const Words kKeys = {"m", "e", "form", "counterfeits", "rule"};
const Words kForms = {"anatomy", "generalized", "partitions"};  // in the order of ChangingForm

class InvarianceReader {
 public:
  explicit InvarianceReader(const std::string& file) : file_(file) {}

  Result<InvariancePromise> Read(const std::vector<std::pair<std::string, Setting>>& settings) {
    const Setting* e = nullptr;
    bool says_m = false;
    for (const auto& [key, setting] : settings) {
      if (key == "model") continue;
      if (key == "m") {
        promise_.m = REISSUE_TRY(Whole(key, setting, 2));
        says_m = true;
      } else if (key == "e") {
        e = &setting;
      } else if (key == "form") {
        const std::size_t form = REISSUE_TRY(OneOf(key, setting, kForms));
        promise_.form = static_cast<ChangingForm>(form);
      } else if (key == "counterfeits") {
        const std::size_t which = REISSUE_TRY(OneOf(key, setting, {"secret", "published"}));
        promise_.counterfeits_published = which == 1;
      } else if (key == "rule") {
        const std::size_t which = REISSUE_TRY(OneOf(key, setting, {"exact", "paper"}));
        promise_.rule =
            which == 1 ? models::invariance::Rule::kPaper : models::invariance::Rule::kExact;
      } else {
        return Unknown(key, setting);
      }
    }
    if (!says_m) {
      return InputError({file_, std::nullopt, std::nullopt, ""},
                        "model \"m-invariance\" needs `m`: how many values everybody could have",
                        "Add m = 5, for example: at least 5 values are possible for everybody.");
    }
    const bool partitions = promise_.form == ChangingForm::kPartitions;
    promise_.e = partitions ? 1 : promise_.m;
    if (e != nullptr) REISSUE_TRY(ReadE(*e, partitions));
    return promise_;
  }

 private:
  Error Wrong(const Setting& setting, std::string message, std::string remedy = {}) const {
    Place place{file_, std::nullopt, std::nullopt, ""};
    if (setting.line > 0) place.line = setting.line;
    return InputError(std::move(place), std::move(message), std::move(remedy));
  }

  Status ReadE(const Setting& setting, bool partitions) {
    promise_.e = REISSUE_TRY(Whole("e", setting, 1));
    if (promise_.e > promise_.m) {
      return Wrong(setting, fmt::format("`e` = {} is more than `m` = {}", promise_.e, promise_.m),
                   "Two groups with the same m values have the same values together, whatever is "
                   "done: no more than e = m can be promised. Lower e, or raise m.");
    }
    if (partitions && promise_.e > 1) {
      return Wrong(
          setting,
          fmt::format("form = \"partitions\" cannot promise e = {}: in groups of m people, when "
                      "one leaves and another takes the place, whoever compares the two releases "
                      "sees that the two have the same value. If one of them becomes known, so "
                      "does the other",
                      promise_.e),
          "Choose form = \"anatomy\" (keeps all detail) or \"generalized\", which publish all "
          "people with the same possible values as one group. Or leave `e` out: partitions then "
          "promise m alone.");
    }
    return Ok();
  }

  Result<std::uint64_t> Whole(const std::string& key, const Setting& setting,
                              std::uint64_t low) const {
    constexpr double kMost = 1e6;
    if (setting.kind != Setting::Kind::kNumber || !setting.integer ||
        setting.number < static_cast<double>(low) || setting.number > kMost) {
      return Wrong(
          setting, fmt::format("`{}` must be a whole number from {} to {:.0f}", key, low, kMost),
          key == "m" ? "With m = 1 everybody's value could be known: at least 2 are needed."
                     : "It is at most m; e = 1 promises nothing beyond m.");
    }
    return static_cast<std::uint64_t>(setting.number);
  }

  Result<std::size_t> OneOf(const std::string& key, const Setting& setting,
                            const Words& words) const {
    const auto at = std::find(words.begin(), words.end(), setting.text);
    if (setting.kind == Setting::Kind::kText && at != words.end()) {
      return static_cast<std::size_t>(at - words.begin());
    }
    return Wrong(setting,
                 fmt::format("`{}` must be one of \"{}\"", key, fmt::join(words, "\", \"")));
  }

  Error Unknown(const std::string& key, const Setting& setting) const {
    const std::string nearest = io::Nearest(key, kKeys);
    std::string remedy = nearest.empty() ? fmt::format("It knows {}.", fmt::join(kKeys, ", "))
                                         : fmt::format("Did you mean `{}`?", nearest);
    if (key == "k") remedy = "It promises m possible values for everybody (m = 5, for example).";
    return Wrong(setting, fmt::format("model \"m-invariance\" has no setting `{}`", key),
                 std::move(remedy));
  }

  const std::string& file_;
  InvariancePromise promise_;
};

}  // namespace

std::string FormName(ChangingForm form) { return kForms[static_cast<std::size_t>(form)]; }

Result<InvariancePromise> ReadInvariancePromise(
    const std::vector<std::pair<std::string, Setting>>& settings, const std::string& file) {
  return InvarianceReader(file).Read(settings);
}

Status CheckChangingColumns(const io::Policy& policy, std::string_view model,
                            std::span<const char* const> taken, std::string_view whose) {
  const Place place{policy.file, std::nullopt, std::nullopt, ""};
  if (policy.WithRole(io::Role::kIdentifier).empty()) {
    return InputError(place,
                      fmt::format("model \"{}\" needs a column with role = \"identifier\": people "
                                  "come and go, and must be known again",
                                  model),
                      "Give the column that links a person across tables that role. It is never "
                      "published, and the vault keeps only keyed hashes of it.");
  }
  if (policy.WithRole(io::Role::kSensitive).empty()) {
    return InputError(
        place,
        fmt::format("model \"{}\" is about sensitive values, and no column is sensitive", model),
        "Give a column role = \"sensitive\".");
  }
  for (const io::PolicyColumn& column : policy.columns) {
    if (column.role == io::Role::kDrop) continue;
    for (const char* name : taken) {
      if (column.name != name) continue;
      return InputError({policy.file, column.line, std::nullopt, column.name},
                        fmt::format("{} have a column of this name themselves", whose),
                        "Rename the column in the table and in the policy.");
    }
  }
  return Ok();
}

Status CheckInvarianceColumns(const io::Policy& policy) {
  constexpr const char* kTaken[] = {kGroupColumn, kCountColumn, kCounterfeitColumn,
                                    kCounterfeitsColumn};
  return CheckChangingColumns(policy, "m-invariance", kTaken, "the files of a release");
}

}  // namespace reissue::engine
