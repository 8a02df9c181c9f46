#include "reissue/models/bcf/service/promise.h"

#include <fmt/format.h>

#include <memory>

namespace reissue::models::bcf::service {

Result<contract::PromisePtr> ReadPromise(const contract::Asked& asked, const std::string& model) {
  auto promise = std::make_shared<Promise>();
  promise->model = model;
  for (const auto& [key, setting] : asked.guarantee) {
    if (key != "suppression") continue;
    return binding::SettingsReader(asked.file)
        .Wrong(
            setting, fmt::format("model \"{}\" has no setting `suppression`", model),
            "In a series nobody may be left out: readers rely on it that whoever is in a release "
            "is in every later one. Remove the key.");
  }
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
  return contract::PromisePtr(std::move(promise));
}

}  // namespace reissue::models::bcf::service
