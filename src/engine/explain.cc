#include "reissue/engine/explain.h"

#include <fmt/format.h>

#include "reissue/engine/catalog.h"
#include "reissue/engine/models.h"

namespace reissue::engine {

Result<contract::ExplainReport> Explain(const io::Policy& policy,
                                        const std::vector<std::string>& releases,
                                        const std::string& about, binding::Context& context,
                                        const std::vector<binding::PriorFile>& priors,
                                        std::size_t requirement) {
  REISSUE_TRY(FollowSource(policy, context));
  const Bound bound = REISSUE_TRY(Bind(policy));
  const contract::Traits& traits = bound.model->traits();
  if (!traits.Takes(contract::Extra::kExplain)) {
    return UsageError(fmt::format("--explain belongs to the models {}",
                                  ModelsThatTake(contract::Extra::kExplain)),
                      traits.explain_instead.empty() ? "Leave it out." : traits.explain_instead);
  }
  REISSUE_TRY(TakesPriors(*bound.model, priors));
  return bound.model->Explain({policy, *bound.promise, releases, priors, about, requirement},
                              context);
}

}  // namespace reissue::engine
