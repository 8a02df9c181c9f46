#include "reissue/engine/learn.h"

#include <fmt/format.h>

#include "reissue/engine/catalog.h"
#include "reissue/engine/models.h"

namespace reissue::engine {

Result<contract::LearnReport> Learn(const contract::LearnRequest& request,
                                    binding::Context& context) {
  const io::Policy policy =
      REISSUE_TRY(io::ReadPolicyWithoutBeliefs(context.files, request.policy));
  REISSUE_TRY(FollowSource(policy, context));
  const Bound bound = REISSUE_TRY(Bind(policy));
  if (!bound.model->traits().Takes(contract::Extra::kKnowledge)) {
    return InputError(
        {policy.file, policy.guarantee_line, std::nullopt, ""},
        fmt::format("model \"{}\" has no use for beliefs", bound.model->traits().name),
        fmt::format("They are for model = {}.", ModelsThatTake(contract::Extra::kKnowledge)));
  }
  return bound.model->Learn({request, policy, *bound.promise}, context);
}

}  // namespace reissue::engine
