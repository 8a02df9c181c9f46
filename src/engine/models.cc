#include "reissue/engine/models.h"

#include <fmt/format.h>

#include "reissue/binding/words.h"
#include "reissue/models/bcf/service/model.h"
#include "reissue/models/invariance/service/model.h"
#include "reissue/models/k/service/model.h"
#include "reissue/models/similarity/service/model.h"
#include "reissue/models/xy/service/model.h"

namespace reissue::engine {

std::span<const contract::Model* const> Models() {
  static const contract::Model* const models[] = {
      &models::k::service::TheModel(),          &models::bcf::service::TheModel(),
      &models::xy::service::TheModel(),         &models::invariance::service::TheModel(),
      &models::similarity::service::TheModel(),
  };
  return models;
}

const contract::Model* FindModel(std::string_view name) {
  for (const contract::Model* model : Models()) {
    if (model->traits().name == name) return model;
  }
  return nullptr;
}

Result<Bound> Bind(const io::Policy& policy) {
  const io::Setting& name = *policy.Get("model");
  const contract::Model* const model = FindModel(name.text);
  if (model == nullptr) {
    std::vector<std::string> known;
    for (const contract::Model* each : Models()) {
      known.push_back(
          fmt::format("model = \"{}\" ({})", each->traits().name, each->traits().about));
    }
    return binding::SettingsReader(policy.file)
        .Wrong(name, fmt::format("the model \"{}\" is not known", name.text),
               fmt::format("This version knows {}.", binding::Listed(known)));
  }
  const binding::ReleaseColumns columns = binding::ColumnsOf(policy);
  contract::PromisePtr promise =
      REISSUE_TRY(model->Read({policy.guarantee, policy.knowledge, columns, policy.file, &policy}));
  if (policy.knowledge_line > 0 && !model->traits().Takes(contract::Extra::kKnowledge)) {
    return InputError(
        {policy.file, policy.knowledge_line, std::nullopt, ""},
        fmt::format("model \"{}\" is not about what readers know beforehand", name.text),
        fmt::format("Remove [knowledge], or choose model = {}.",
                    ModelsThatTake(contract::Extra::kKnowledge)));
  }
  for (const io::PolicyColumn& column : policy.columns) {
    const bool wishes = column.weight != 1 || column.floor || column.ceiling;
    if (!wishes || model->traits().Takes(contract::Extra::kWishes)) continue;
    return InputError(
        {policy.file, column.line, std::nullopt, column.name},
        fmt::format("model \"{}\" knows no weight, floor, ceiling or `keep` of a column",
                    name.text),
        fmt::format("Remove the key, or choose model = {}.",
                    ModelsThatTake(contract::Extra::kWishes)));
  }
  return Bound{model, std::move(promise)};
}

std::string ModelsThatTake(contract::Extra extra) {
  std::vector<std::string> names;
  for (const contract::Model* model : Models()) {
    if (model->traits().Takes(extra)) names.push_back("\"" + model->traits().name + "\"");
  }
  return binding::Listed(names);
}

std::string SeriesModels() {
  std::vector<std::string> names;
  for (const contract::Model* model : Models()) {
    if (model->traits().series) names.push_back("\"" + model->traits().name + "\"");
  }
  return "models " + binding::Listed(names);
}

Status Takes(const contract::Model& model, contract::Extra extra, const std::string& option,
             std::string remedy) {
  if (model.traits().Takes(extra)) return Ok();
  return UsageError(fmt::format("{} belongs to model {}, and the policy promises model \"{}\"",
                                option, ModelsThatTake(extra), model.traits().name),
                    std::move(remedy));
}

Status TakesPriors(const contract::Model& model, const std::vector<binding::PriorFile>& priors) {
  if (priors.empty()) return Ok();
  std::string remedy;
  for (const contract::Model* each : Models()) {
    if (each->traits().Takes(contract::Extra::kPriors)) remedy = each->traits().priors_elsewhere;
  }
  return Takes(model, contract::Extra::kPriors, "--prior", std::move(remedy));
}

Status Explains(const contract::Model& model, bool why) {
  if (!why) return Ok();
  return Takes(model, contract::Extra::kWhy, "--why",
               "`reissue metrics` says what a release of this model costs, column by column.");
}

}  // namespace reissue::engine
