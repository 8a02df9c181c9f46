#include "reissue/models/bcf/service/promise.h"

#include <memory>

namespace reissue::models::bcf::service {

namespace {

// Whoever is starred stays so: the vault must know her again, and there must be boxes around her.
Status CanStar(const contract::Asked& asked, const Promise& promise) {
  if (promise.stars() == Stars::kAny || asked.policy == nullptr) return Ok();
  const auto refuse = [&](const char* message, const char* remedy) -> Status {
    return InputError({asked.file, asked.policy->Get("suppression")->line, std::nullopt, ""},
                      message, remedy);
  };
  if (!promise.local) {
    return refuse("in a series `suppression` needs recoding = \"local\"",
                  "Add recoding = \"local\", or remove `suppression`: with one cut per column "
                  "nobody is starred.");
  }
  if (asked.policy->WithRole(io::Role::kIdentifier).empty()) {
    return refuse(
        "in a series `suppression` needs an identifier column: whoever is starred in one "
        "release is starred in every later one, and must be known again",
        "Give a column role = \"identifier\", or remove `suppression`.");
  }
  for (const io::PolicyColumn* column : asked.policy->WithRole(io::Role::kQuasi)) {
    if (!column->ceiling) continue;
    return refuse("a starred row hides every column, and a column may not be hidden altogether",
                  "Remove `suppression`, or `ceiling` and `keep` of the columns.");
  }
  return Ok();
}

}  // namespace

Result<contract::PromisePtr> ReadPromise(const contract::Asked& asked, const std::string& model) {
  auto promise = std::make_shared<Promise>();
  promise->model = model;
  const auto targets = [&](const binding::SettingsReader& reader,
                           const io::Setting& setting) -> Status {
    const std::size_t which = REISSUE_TRY(reader.OneOf("targets", setting, {"any", "real"}));
    promise->targets = which == 1 ? Targets::kReal : Targets::kAny;
    return Ok();
  };
  const auto growth = [&](const binding::SettingsReader& reader,
                          const io::Setting& setting) -> Status {
    promise->growth =
        REISSUE_TRY(reader.Number("growth", setting, 1e-6, 1e6, "a share of the rows, like 0.1"));
    return Ok();
  };
  REISSUE_TRY(
      k::service::ReadGuarantee(asked, {{"targets", targets}, {"growth", growth}}, *promise));
  REISSUE_TRY(CanStar(asked, *promise));
  return contract::PromisePtr(std::move(promise));
}

}  // namespace reissue::models::bcf::service
