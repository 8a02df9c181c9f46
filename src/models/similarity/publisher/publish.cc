#include "reissue/models/similarity/publisher/publish.h"

#include "reissue/core/result.h"

namespace reissue::models::similarity {

Result<Outcome> Publish(const Table&, const PublishOptions&, ThreadPool&) { REISSUE_CHECK(false); }
std::vector<std::uint32_t> NearestPointNext(const Points&) { REISSUE_CHECK(false); }
std::vector<std::uint32_t> HilbertOrder(const Points&) { REISSUE_CHECK(false); }
Shape ShapeOf(const Table&, const Outcome&, bool) { REISSUE_CHECK(false); }

}  // namespace reissue::models::similarity
