#include "reissue/contract/schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

namespace reissue::contract {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Result<Json> Parsed(const std::string& text) {
  return ParseStrict(text, "c.json", InputError("no JSON"));
}

// What reading the text complains about; empty: nothing.
std::string Misfit(const std::string& text, const std::function<void(const Member&)>& read) {
  const Json json = Json::parse(text);
  const Member root(json, "c.json");
  read(root);
  const Status status = root.status();
  return status ? "" : status.error().message;
}

TEST(Schema, ReadsWhatFits) {
  const Json json = Json::parse(
      R"({"a":{"text":"x","flag":true,"number":-0.5,"whole":7},"list":["p","q"],"none":null})");
  const Member root(json, "c.json");
  EXPECT_EQ(root["a"]["text"].Text(), "x");
  EXPECT_TRUE(root["a"]["flag"].Flag());
  EXPECT_EQ(root["a"]["number"].Number(), -0.5);
  EXPECT_EQ(root["a"]["whole"].Whole<std::uint32_t>(), 7u);
  EXPECT_THAT(root["list"].Texts(2), ElementsAre("p", "q"));
  EXPECT_TRUE(root["none"].IsNull());
  EXPECT_FALSE(root.Has("b"));
  EXPECT_EQ(root["a"].Members()[1].first, "flag");
  EXPECT_TRUE(root.status());
}

TEST(Schema, NamesTheMemberThatDoesNotFit) {
  const auto whole = [](const Member& root) {
    (void)root["series"]["release"].Whole<std::uint32_t>();
  };
  const std::string expected = "series.release: a whole number from 0 to 4294967295 was expected";
  for (const char* wrong : {"null", "\"1\"", "-1", "1.5", "4294967296", "true", "[]", "{}"}) {
    EXPECT_EQ(Misfit(std::string("{\"series\":{\"release\":") + wrong + "}}", whole), expected)
        << wrong;
  }
  EXPECT_EQ(Misfit(R"({"series":{}})", whole), "series.release is missing");
  EXPECT_EQ(Misfit(R"({"series":[]})", whole), "series: an object was expected");
  EXPECT_EQ(Misfit(R"({})", whole), "series is missing");
  EXPECT_EQ(Misfit(R"([])", whole), "the whole: an object was expected");
  EXPECT_EQ(Misfit(R"({"a":1})", [](const Member& root) { (void)root["a"].Text(); }),
            "a: a text was expected");
  EXPECT_EQ(Misfit(R"({"a":"1"})", [](const Member& root) { (void)root["a"].Number(); }),
            "a: a number was expected");
  EXPECT_EQ(Misfit(R"({"a":0})", [](const Member& root) { (void)root["a"].Flag(); }),
            "a: true or false was expected");
}

TEST(Schema, ListsAndTheirEntries) {
  const auto texts = [](const Member& root) { (void)root["a"].Texts(1); };
  EXPECT_EQ(Misfit(R"({"a":[]})", texts), "a: a list that is not empty was expected");
  EXPECT_EQ(Misfit(R"({"a":{}})", texts), "a: a list was expected");
  EXPECT_EQ(Misfit(R"({"a":["x",2]})", texts), "a[1]: a text was expected");
  const auto inner = [](const Member& root) {
    for (const Member& entry : root["a"].List()) (void)entry["b"].Text();
  };
  EXPECT_EQ(Misfit(R"({"a":[{"b":"x"},{"b":[]}]})", inner), "a[1].b: a text was expected");
}

TEST(Schema, TheFirstMisfitIsToldAndTheRestIsEmpty) {
  EXPECT_EQ(Misfit(R"({"a":1,"b":{"c":[1]}})",
                   [](const Member& root) {
                     EXPECT_EQ(root["a"].Text(), "");
                     EXPECT_EQ(root["b"]["d"].Whole(), 0u);
                     EXPECT_TRUE(root["b"]["d"]["e"].Texts().empty());
                   }),
            "a: a text was expected");
}

TEST(Schema, AMemberTwiceIsAnError) {
  EXPECT_TRUE(Parsed(R"({"a":{"b":1},"c":{"b":2}})"));
  const auto top = Parsed(R"({"a":1,"b":2,"a":1})");
  ASSERT_FALSE(top);
  EXPECT_EQ(top.error().message, "a stands there twice");
  const auto inner = Parsed(R"({"x":[{"a":{"b":1,"c":{},"b":2}}]})");
  ASSERT_FALSE(inner);
  EXPECT_EQ(inner.error().message, "x.a.b stands there twice");
  EXPECT_EQ(inner.error().place->file, "c.json");
  EXPECT_FALSE(Parsed(R"({"":1,"":1})"));
}

TEST(Schema, WhatIsNoJson) {
  for (const std::string& text :
       {std::string(), std::string("{"), std::string("{}x"), std::string("\xff"),
        std::string(R"({"a":"\ud800"})"), std::string(300000, '['),
        "{\"a\":" + std::string(40, '[') + std::string(40, ']') + "}"}) {
    const auto parsed = Parsed(text);
    ASSERT_FALSE(parsed) << text.substr(0, 20);
    EXPECT_EQ(parsed.error().message, "no JSON");
  }
  const auto huge = Parsed(R"({"a":1e999})");
  ASSERT_FALSE(huge);
  EXPECT_THAT(huge.error().message, HasSubstr("too large"));
}

}  // namespace
}  // namespace reissue::contract
