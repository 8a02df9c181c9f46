#include "reissue/engine/verify.h"

#include <fmt/format.h>

#include "reissue/binding/words.h"
#include "reissue/engine/models.h"

namespace reissue::engine {
namespace {

using contract::Extra;

Result<const contract::Model*> ModelOf(const contract::Certificate& certificate) {
  const contract::Model* const model = FindModel(certificate.model);
  if (model != nullptr && certificate.series_model == certificate.model) {
    // Which releases were before is a matter of course where they are judged together.
    REISSUE_TRY(certificate.Own([&](const contract::Member& root) {
      if (model->traits().series) (void)root["series"]["earlier"].List();
    }));
    return model;
  }
  std::vector<std::string> names;
  for (const contract::Model* each : Models()) names.push_back("\"" + each->traits().name + "\"");
  return InputError({certificate.file, std::nullopt, std::nullopt, ""},
                    fmt::format("the model \"{}\" is not known", certificate.model),
                    fmt::format("This version of reissue checks certificates of the models {}.",
                                binding::Listed(names)));
}

// What the model of the certificate has no use for.
Status RefuseExtras(const contract::Traits& traits, bool priors, bool copies) {
  if (priors && !traits.Takes(Extra::kPriors)) {
    return UsageError(
        fmt::format("--prior belongs to certificates of model {}", ModelsThatTake(Extra::kPriors)),
        "Give the releases of a series one after the other, oldest first.");
  }
  if (copies && !traits.Takes(Extra::kVerifyCopy)) {
    return UsageError(fmt::format("--holder-copy belongs to certificates of model {}",
                                  ModelsThatTake(Extra::kVerifyCopy)),
                      "Leave it out.");
  }
  return Ok();
}

}  // namespace

Result<contract::VerifyReport> Verify(const std::string& file,
                                      const std::vector<std::string>& releases,
                                      binding::Context& context,
                                      const std::vector<binding::PriorFile>& priors,
                                      const std::vector<std::string>& copies) {
  const auto bytes = REISSUE_TRY(context.files.Read(file));
  contract::Certificate certificate =
      REISSUE_TRY(contract::Certificate::Parse(bytes->view(), file));
  const contract::Model* const model = REISSUE_TRY(ModelOf(certificate));
  certificate.promise =
      REISSUE_TRY(model->Read({certificate.guarantee, {}, certificate.columns, file, nullptr}));
  REISSUE_TRY(RefuseExtras(model->traits(), !priors.empty(), !copies.empty()));
  contract::VerifyReport report;
  report.title = certificate.title;
  report.model = certificate.model;
  report.created = certificate.created;
  report.release = certificate.release;
  report.columns = certificate.columns;
  if (!certificate.unchanged) {
    report.Fail("The certificate was changed after it was written (checksum).");
  }
  REISSUE_TRY(model->Verify(certificate, {releases, priors, copies}, context, report));
  return report;
}

}  // namespace reissue::engine
