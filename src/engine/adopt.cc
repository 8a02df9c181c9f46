#include "reissue/engine/adopt.h"

#include <fmt/format.h>

#include "reissue/engine/models.h"

namespace reissue::engine {

Result<contract::AdoptReport> Adopt(const contract::AdoptRequest& request,
                                    binding::Context& context) {
  const io::Policy policy = REISSUE_TRY(io::ReadPolicy(context.files, request.policy));
  const Bound bound = REISSUE_TRY(Bind(policy));
  const contract::Traits& traits = bound.model->traits();
  // A series that cannot be adopted is refused in the model's own words.
  if (!traits.series && !traits.Takes(contract::Extra::kAdopt)) {
    return UsageError(
        fmt::format("model \"{}\" promises nothing about several releases, so there is no series "
                    "to adopt",
                    traits.name),
        fmt::format("Use a policy with model = {}.", ModelsThatTake(contract::Extra::kAdopt)));
  }
  return bound.model->Adopt({request, policy, *bound.promise}, context);
}

}  // namespace reissue::engine
