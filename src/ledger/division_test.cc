#include "reissue/ledger/division.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace reissue::ledger {
namespace {

TEST(DivisionTest, EverybodyIsInOnePart) {
  const std::string key = Division::NewKey();
  for (const std::uint32_t parts : {2u, 3u, 7u}) {
    std::vector<Division> all;
    for (std::uint32_t i = 1; i <= parts; ++i)
      all.push_back(Division::Of(i, parts, key, "f").value());
    std::vector<int> size(parts, 0);
    for (int person = 0; person < 7000; ++person) {
      int in = 0;
      for (std::uint32_t i = 0; i < parts; ++i) {
        if (!all[i].Has("person " + std::to_string(person))) continue;
        ++in;
        ++size[i];
      }
      EXPECT_EQ(in, 1) << person;
    }
    // Six standard deviations.
    for (const int people : size) EXPECT_NEAR(people, 7000.0 / parts, 6 * 42);
    for (const Division& part : all) EXPECT_EQ(part.Digest(), all[0].Digest());
  }
}

TEST(DivisionTest, TheDigestIsThatOfKeyAndNumber) {
  const std::string key = Division::NewKey();
  const Division one = Division::Of(1, 2, key, "f").value();
  EXPECT_EQ(one.Digest().size(), 64u);
  EXPECT_EQ(one.Digest(), Division::Of(2, 2, key, "f")->Digest());
  EXPECT_NE(one.Digest(), Division::Of(1, 3, key, "f")->Digest());
  EXPECT_NE(one.Digest(), Division::Of(1, 2, Division::NewKey(), "f")->Digest());
}

TEST(DivisionTest, ComesBackFromAVault) {
  const Division before = Division::Of(2, 3, Division::NewKey(), "f").value();
  const auto after = Division::Load(before.Save());
  ASSERT_TRUE(after);
  EXPECT_EQ(after->part(), 2u);
  EXPECT_EQ(after->parts(), 3u);
  EXPECT_EQ(after->Digest(), before.Digest());
  for (int person = 0; person < 100; ++person) {
    const std::string id = std::to_string(person);
    EXPECT_EQ(after->Has(id), before.Has(id));
  }
}

TEST(DivisionTest, WhatMakesNoSense) {
  const std::string key = Division::NewKey();
  for (const std::string& text : {std::string(), std::string("x"), key.substr(0, key.size() - 3),
                                  key + "x", "reissue part key 2\n" + key.substr(19)}) {
    EXPECT_FALSE(Division::Of(1, 2, text, "f")) << text;
  }
  const std::string state = Division::Of(1, 2, key, "f")->Save();
  for (std::size_t cut = 0; cut + 1 < state.size(); ++cut) {
    EXPECT_FALSE(Division::Load(state.substr(0, cut))) << cut;
  }
  for (const char* wrong : {"0/2", "3/2", "1/20000", "-1/2", "1/2/3", "/", "1/"}) {
    std::string bad = state;
    bad.replace(bad.find("1/2"), 3, wrong);
    EXPECT_FALSE(Division::Load(bad)) << wrong;
  }
}

}  // namespace
}  // namespace reissue::ledger
