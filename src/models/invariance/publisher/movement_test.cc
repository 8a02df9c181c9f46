#include "reissue/models/invariance/publisher/movement.h"

#include <gtest/gtest.h>

namespace reissue::models::invariance::internal {
namespace {

// Room for so many people is what moments are merged with; the history goes with the next one.
TEST(Movement, HistoriesLastAsLongAsThereIsRoomForReturns) {
  Bucket bucket{{0, 1}, {}, true, kReturnSlack};
  EXPECT_FALSE(GivenUp(bucket));
  ++bucket.returned;
  EXPECT_TRUE(GivenUp(bucket));
  // Where nothing was merged people come back as they like.
  bucket.merged = false;
  EXPECT_FALSE(GivenUp(bucket));
}

}  // namespace
}  // namespace reissue::models::invariance::internal
