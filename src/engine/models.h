#pragma once
// The list of models.

#include <span>
#include <string>
#include <string_view>

#include "reissue/binding/settings.h"
#include "reissue/contract/model.h"
#include "reissue/core/result.h"

namespace reissue::engine {

std::span<const contract::Model* const> Models();

// By the name that policies write; null where there is none.
const contract::Model* FindModel(std::string_view name);

// What a policy promises, and the model that keeps it.
struct Bound {
  const contract::Model* model = nullptr;
  contract::PromisePtr promise;
};
// Errors: an unknown model (with those there are), and what the model has to say.
Result<Bound> Bind(const io::Policy& policy);

// "\"a\" and \"b\"": the models that can be given something.
std::string ModelsThatTake(contract::Extra extra);
// `models "a", "b" and "c"`: those whose releases are judged together.
std::string SeriesModels();
// The usage error for an option that the promised model has no use for; `option`: "--prior".
Status Takes(const contract::Model& model, contract::Extra extra, const std::string& option,
             std::string remedy);

// The same of earlier releases, where some are given.
Status TakesPriors(const contract::Model& model, const std::vector<binding::PriorFile>& priors);
// The same of --why.
Status Explains(const contract::Model& model, bool why);

}  // namespace reissue::engine
