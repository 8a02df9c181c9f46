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
        fmt::format("If the files are releases of one table that only grows, use a policy with "
                    "model = {}. {}",
                    ModelsThatTake(contract::Extra::kAdopt),
                    traits.Takes(contract::Extra::kPriors)
                        ? "What is out of other columns of the same people is named when the next "
                          "release is made: `reissue publish --prior FILE`."
                        : "A single file is judged by `reissue audit`; the next table by itself is "
                          "published from a new vault."));
  }
  return bound.model->Adopt({request, policy, *bound.promise}, context);
}

}  // namespace reissue::engine
