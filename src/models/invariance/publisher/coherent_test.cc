#include "reissue/models/invariance/publisher/coherent.h"

#include <gtest/gtest.h>

#include <functional>

namespace reissue::models::invariance {
namespace {

// Three releases: two people stay, two leave, one of them comes back.
State SomeState() {
  PublishOptions options;
  options.e = 2;
  Plan plan =
      Publish({},
              std::vector<Present>{{kNewcomer, 3}, {kNewcomer, 5}, {kNewcomer, 3}, {kNewcomer, 5}},
              options)
          .value();
  const std::vector<std::uint32_t> member = plan.member;
  plan = Publish(plan.state, std::vector<Present>{{member[0], 3}, {member[1], 5}}, options).value();
  plan = Publish(plan.state, std::vector<Present>{{member[0], 3}, {member[1], 5}, {member[2], 3}},
                 options)
             .value();
  return plan.state;
}

TEST(CoherentTest, WhatPublishMakesIs) {
  EXPECT_TRUE(Coherent({}));
  const State state = SomeState();
  EXPECT_TRUE(Coherent(state));
  ASSERT_EQ(state.buckets.size(), 1u);
  EXPECT_FALSE(state.buckets[0].history.returns.empty());
  EXPECT_GE(state.buckets[0].history.stays.size(), 2u);
}

// Each would be an access to nowhere, a number below nothing, or work without an end.
TEST(CoherentTest, WhatItCannotMakeIsNot) {
  const std::vector<std::pair<const char*, std::function<void(State&)>>> bent = {
      {"a value beside the signature", [](State& s) { s.members[0].value = 4; }},
      {"a bucket that is not there", [](State& s) { s.members[0].bucket = 1; }},
      {"stays that are not there", [](State& s) { s.members[0].stays = 9; }},
      {"a moment that has not come", [](State& s) { s.members[0].came = 4; }},
      {"a stay that the history lacks", [](State& s) { s.members[0].came = 2; }},
      {"more members than people", [](State& s) { s.buckets[0].history.stays[0].people = 1; }},
      {"more returned than people", [](State& s) { s.buckets[0].history.returns[0].people = 0; }},
      {"a person too many of a value", [](State& s) { s.members.push_back(s.members[2]); }},
      {"a counterfeit that came back",
       [](State& s) {
         for (Member& member : s.members) member.counterfeit = member.stays != kOneStay;
       }},
      {"stays of nobody",
       [](State& s) {
         s.buckets[0].history.stays.push_back({3, 1, 0});
       }},
      {"stays in disorder", [](State& s) { std::ranges::reverse(s.buckets[0].history.stays); }},
      {"more people than there can be",
       [](State& s) { s.buckets[0].history.stays[0].people = std::uint64_t{1} << 57; }},
      {"a return of one stay", [](State& s) { s.buckets[0].history.returns[0].stays.resize(1); }},
      {"a return of no stay", [](State& s) { s.buckets[0].history.returns[0].stays.clear(); }},
      {"a signature of one value", [](State& s) { s.buckets[0].signature = {3}; }},
      {"a signature in disorder",
       [](State& s) {
         s.buckets[0].signature = {5, 3};
       }},
      {"a history that was given up",
       [](State& s) {
         s.buckets[0].merged = true;
         s.buckets[0].returned = kReturnSlack + 1;
       }},
  };
  for (const auto& [what, bend] : bent) {
    State state = SomeState();
    bend(state);
    EXPECT_FALSE(Coherent(state)) << what;
  }
}

}  // namespace
}  // namespace reissue::models::invariance
