#include "reissue/engine/measure.h"

#include "reissue/engine/models.h"

namespace reissue::engine {

Result<contract::MetricsReport> Measure(const io::Policy& policy, const std::string& table,
                                        const std::string& release, const std::string& class_column,
                                        std::uint64_t seed, binding::Context& context) {
  const Bound bound = REISSUE_TRY(Bind(policy));
  return bound.model->Measure({policy, *bound.promise, table, release, class_column, seed},
                              context);
}

}  // namespace reissue::engine
