#include "reissue/engine/publish.h"

#include <fmt/format.h>

#include "reissue/engine/models.h"

namespace reissue::engine {

Result<contract::PublishReport> Publish(const contract::PublishRequest& request,
                                        binding::Context& context) {
  const std::string path =
      REISSUE_TRY(contract::PolicyPath(request.policy, request.vault, request.passphrase, context));
  const io::Policy policy = REISSUE_TRY(io::ReadPolicy(context.files, path));
  const Bound bound = REISSUE_TRY(Bind(policy));
  REISSUE_TRY(TakesPriors(*bound.model, request.priors));
  REISSUE_TRY(Explains(*bound.model, request.why));
  if (!request.holder_copy.empty() && !bound.model->traits().Takes(contract::Extra::kHolderCopy)) {
    return UsageError(fmt::format("--holder-copy belongs to the models {}",
                                  ModelsThatTake(contract::Extra::kHolderCopy)),
                      "With the other models a release is all there is: leave it out.");
  }
  return bound.model->Start({request, policy, bound.promise, bound.model}, context)->Run();
}

}  // namespace reissue::engine
