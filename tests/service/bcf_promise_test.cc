#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reissue/models/bcf/service/promise.h"

namespace reissue::models::bcf::service {
namespace {

io::Setting Word(const std::string& text) {
  io::Setting setting;
  setting.kind = io::Setting::Kind::kText;
  setting.text = text;
  return setting;
}

io::Setting Five() {
  io::Setting five;
  five.number = 5;
  five.integer = true;
  return five;
}

// As a certificate would have it.
Result<contract::PromisePtr> Read(const binding::Settings& settings) {
  binding::ReleaseColumns columns;
  columns.sensitive = {"illness"};
  const std::string file = "p.toml";
  return ReadPromise({settings, {}, columns, file, nullptr}, "bcf");
}

TEST(SeriesPromise, ProtectsEverybodyOrThePeopleOfTheTable) {
  const auto plain = Read({{"k", Five()}, {"model", Word("bcf")}});
  ASSERT_TRUE(plain);
  EXPECT_EQ((*plain)->model, "bcf");
  EXPECT_EQ((*plain)->As<Promise>().guarantee.k, 5u);
  EXPECT_EQ((*plain)->As<Promise>().targets, Targets::kAny);
  const auto real = Read({{"k", Five()}, {"targets", Word("real")}});
  ASSERT_TRUE(real);
  EXPECT_EQ((*real)->As<Promise>().targets, Targets::kReal);
  EXPECT_FALSE(Read({{"k", Five()}, {"targets", Five()}}));
}

TEST(SeriesPromise, WhoeverIsStarredStaysSo) {
  const auto plain = Read({{"k", Five()}});
  ASSERT_TRUE(plain);
  EXPECT_EQ((*plain)->As<Promise>().stars(), Stars::kAny);
  const auto starred = Read({{"k", Five()}, {"suppression", Five()}});
  ASSERT_TRUE(starred);
  EXPECT_EQ((*starred)->As<Promise>().stars(), Stars::kStay);
}

}  // namespace
}  // namespace reissue::models::bcf::service
