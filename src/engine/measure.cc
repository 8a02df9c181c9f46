#include "reissue/engine/measure.h"

#include "reissue/engine/catalog.h"
#include "reissue/engine/models.h"

namespace reissue::engine {

Result<contract::MetricsReport> Measure(const io::Policy& policy,
                                        const contract::MeasureRequest& request,
                                        binding::Context& context) {
  REISSUE_TRY(FollowSource(policy, context));
  const Bound bound = REISSUE_TRY(Bind(policy));
  return bound.model->Measure({policy, *bound.promise, request}, context);
}

}  // namespace reissue::engine
