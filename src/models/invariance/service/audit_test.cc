#include "reissue/models/invariance/service/audit.h"

#include <gtest/gtest.h>

namespace reissue::models::invariance::service {
namespace {

Promise Asked() {
  Promise promise;
  promise.model = "m-invariance";
  promise.m = 2;
  promise.e = 1;
  return promise;
}

SeriesState WithOneBucket() {
  SeriesState state;
  state.state.release = 1;
  state.state.buckets.emplace_back().signature = {0, 1, 2};
  return state;
}

TEST(AuditStateTest, NobodysValueIsCertainWhereAllIsKnown) {
  const contract::AuditReport audit = AuditState(WithOneBucket(), Asked());
  EXPECT_TRUE(audit.satisfied);
  ASSERT_TRUE(audit.exposure.value_certain);
  EXPECT_EQ(audit.exposure.value_certain->upper, 0u);
}

TEST(AuditStateTest, NothingIsSaidWhereTheHistoryWasGivenUp) {
  SeriesState state = WithOneBucket();
  state.state.buckets[0].merged = true;
  state.state.buckets[0].returned = models::invariance::kReturnSlack + 1;
  const contract::AuditReport audit = AuditState(state, Asked());
  EXPECT_FALSE(audit.satisfied);
  EXPECT_FALSE(audit.exposure.value_certain);
}

TEST(AuditStateTest, NothingIsSaidWhereThePromiseIsBroken) {
  SeriesState state = WithOneBucket();
  state.state.buckets[0].signature = {0};
  const contract::AuditReport audit = AuditState(state, Asked());
  EXPECT_FALSE(audit.satisfied);
  EXPECT_FALSE(audit.exposure.value_certain);
}

}  // namespace
}  // namespace reissue::models::invariance::service
