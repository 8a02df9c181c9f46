#include "reissue/engine/explain.h"

#include "reissue/engine/models.h"

namespace reissue::engine {

Result<contract::ExplainReport> Explain(const io::Policy& policy,
                                        const std::vector<std::string>& releases,
                                        const std::string& about, binding::Context& context,
                                        const std::vector<binding::PriorFile>& priors,
                                        std::size_t requirement) {
  const Bound bound = REISSUE_TRY(Bind(policy));
  REISSUE_TRY(TakesPriors(*bound.model, priors));
  return bound.model->Explain({policy, *bound.promise, releases, priors, about, requirement},
                              context);
}

}  // namespace reissue::engine
