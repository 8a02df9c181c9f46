#include "reissue/models/invariance/service/promise.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "reissue/binding/grouped/table.h"

namespace reissue::models::invariance::service {
namespace {

using binding::Words;
using io::Setting;

const Words kKeys = {"m", "e", "form", "counterfeits", "rule"};
const Words kForms = {"anatomy", "generalized", "partitions"};  // in the order of Form

class InvarianceReader : private binding::SettingsReader {
 public:
  InvarianceReader(const std::string& file, Promise& promise)
      : SettingsReader(file), promise_(promise) {}

  Status Read(const binding::Settings& settings) {
    const Setting* e = nullptr;
    bool says_m = false;
    for (const auto& [key, setting] : settings) {
      if (key == "model") continue;
      if (key == "m") {
        promise_.m = REISSUE_TRY(
            Whole(key, setting, 2, kMost,
                  "With m = 1 everybody's value could be known: at least 2 are needed."));
        says_m = true;
      } else if (key == "e") {
        e = &setting;
      } else if (key == "form") {
        const std::size_t form = REISSUE_TRY(OneOf(key, setting, kForms));
        promise_.form = static_cast<Form>(form);
      } else if (key == "counterfeits") {
        const std::size_t which = REISSUE_TRY(OneOf(key, setting, {"secret", "published"}));
        promise_.counterfeits_published = which == 1;
      } else if (key == "rule") {
        const std::size_t which = REISSUE_TRY(OneOf(key, setting, {"exact", "paper"}));
        promise_.rule = which == 1 ? Rule::kPaper : Rule::kExact;
      } else {
        return UnknownKey(key, setting);
      }
    }
    if (!says_m) {
      return WrongFile("model \"m-invariance\" needs `m`: how many values everybody could have",
                       "Add m = 5, for example: at least 5 values are possible for everybody.");
    }
    const bool partitions = promise_.form == Form::kPartitions;
    promise_.e = partitions ? 1 : promise_.m;
    return e != nullptr ? ReadE(*e, partitions) : Ok();
  }

 private:
  Status ReadE(const Setting& setting, bool partitions) {
    promise_.e = REISSUE_TRY(
        Whole("e", setting, 1, kMost, "It is at most m; e = 1 promises nothing beyond m."));
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

  Error UnknownKey(const std::string& key, const Setting& setting) const {
    const std::string message = fmt::format("model \"m-invariance\" has no setting `{}`", key);
    if (key != "k") return Unknown(setting, message, key, kKeys);
    return Wrong(setting, message,
                 "It promises m possible values for everybody (m = 5, for example).");
  }

  static constexpr double kMost = 1e6;
  Promise& promise_;
};

}  // namespace

std::string FormName(Form form) { return kForms[static_cast<std::size_t>(form)]; }

Result<contract::PromisePtr> ReadPromise(const contract::Asked& asked, const std::string& model) {
  auto promise = std::make_shared<Promise>();
  promise->model = model;
  REISSUE_TRY(InvarianceReader(asked.file, *promise).Read(asked.guarantee));
  constexpr const char* kTaken[] = {binding::kGroupColumn, binding::kCountColumn,
                                    kCounterfeitColumn, binding::kCounterfeitsColumn};
  if (asked.policy != nullptr) {
    REISSUE_TRY(
        binding::CheckGroupedColumns(*asked.policy, model, kTaken, "the files of a release"));
  }
  return contract::PromisePtr(std::move(promise));
}

binding::GroupedFiles FilesOf(const Promise& promise) {
  return {.values_apart = promise.form == Form::kAnatomy,
          .counterfeits = promise.counterfeits_published};
}

std::vector<std::string> ShownRanges(const io::Policy& policy, const Promise& promise) {
  if (promise.form == Form::kAnatomy) return {};
  return binding::RangesFromData(policy);
}

}  // namespace reissue::models::invariance::service
