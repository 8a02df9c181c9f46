// What a certificate says of readers and of policies, and no file tells: whoever invents it gets at
// best that nothing contradicts it, with what that rests on; never that it holds.

#include <functional>

#include "fixture.h"
#include "stranger.h"

namespace certificates {
namespace {

using reissue::ErrorCode;
using reissue::contract::Verdict;
using ::testing::Contains;
using ::testing::HasSubstr;
using Invention = std::function<void(Json&)>;

class Invented : public CertificateTest {
 protected:
  void Publish(const std::string& name) {
    of_ = PublishAll(CaseOf(name)).back();
    honest_ = Json::parse(Read(std::filesystem::path(of_.certificate).filename()));
  }
  auto Verify(const Invention& invent, const reissue::engine::Trusted& trusted = {}) {
    Json forged = honest_;
    invent(forged);
    const std::string file = Write("forged.json", stranger_.Sealed(forged));
    return reissue::engine::Verify(file, of_.releases, context_, of_.priors, {}, trusted);
  }
  // A lie that only the holder, or whoever has the policy, can tell from the truth.
  void ExpectItsWord(const Invention& invent, const std::string& rests) {
    const auto alone = Verify(invent);
    ASSERT_TRUE(alone) << alone.error().ToString();
    EXPECT_EQ(alone->verdict(), Verdict::kNotRefuted);
    EXPECT_THAT(alone->rests, Contains(HasSubstr(rests)));
    const auto keyed = Verify(invent, {.key = honest_.at("series").at("key"), .policy = {}});
    ASSERT_TRUE(keyed) << keyed.error().ToString();
    EXPECT_EQ(keyed->verdict(), Verdict::kBroken);
  }
  void ExpectBroken(const Invention& invent, const std::string& words,
                    const reissue::engine::Trusted& trusted = {}) {
    const auto verified = Verify(invent, trusted);
    ASSERT_TRUE(verified) << verified.error().ToString();
    EXPECT_EQ(verified->verdict(), Verdict::kBroken);
    EXPECT_THAT(verified->failures, Contains(HasSubstr(words)));
  }
  void ExpectRefused(const Invention& invent, const std::string& words) {
    const auto verified = Verify(invent);
    ASSERT_FALSE(verified);
    EXPECT_EQ(verified.error().code, ErrorCode::kInput);
    EXPECT_THAT(verified.error().message, HasSubstr(words));
  }
  reissue::engine::Trusted Policy() const { return {.key = {}, .policy = Path("policy.toml")}; }

  Stranger stranger_;
  Certified of_;
  Json honest_;
};

Json& Knowledge(Json& certificate) { return certificate.at("evolving").at("knowledge"); }

TEST_F(Invented, BeliefsAreItsWordAndThePolicyTells) {
  Publish("KnowledgeFromFiles");
  ExpectItsWord([](Json&) {}, "is in a file that only the holder has");
  ExpectItsWord([](Json&) {}, "that she knows the values of no others than a file has");
  for (const std::string part : {"prior", "transition"}) {
    for (const std::string source : {"uniform", "learned"}) {
      const Invention other = [&](Json& json) { Knowledge(json)[part] = {{"source", source}}; };
      ExpectItsWord(other, source == "uniform" ? "is the same of all values"
                                               : "is learned from the holder's tables");
      ExpectBroken(other, "`" + part + "` of [knowledge] is \"" + source + "\"", Policy());
    }
    // Another file than the holder's.
    ExpectItsWord([&](Json& json) { Knowledge(json)[part]["keyed_digest"] = std::string(64, 'a'); },
                  "in a file");
  }
  const Invention innocent = [](Json& json) { Knowledge(json)["compromised"] = false; };
  ExpectItsWord(innocent, "that she knows nobody's value");
  ExpectBroken(innocent, "`compromised`", Policy());
  const Invention far = [](Json& json) { Knowledge(json)["steps"] = 2; };
  ExpectItsWord(far, "what she knows");
  ExpectBroken(far, "`steps`", Policy());
}

TEST_F(Invented, BeliefsThatNobodyHasAreRefused) {
  Publish("KnowledgeFromFiles");
  const auto set = [](const char* part, const char* member, const Json& value) {
    return [=](Json& json) { Knowledge(json)[part][member] = value; };
  };
  for (const char* part : {"prior", "transition"}) {
    const std::string at = std::string("evolving.knowledge.") + part;
    ExpectRefused(set(part, "source", "clairvoyant"), at + ".source");
    ExpectRefused(set(part, "source", "uniform"), at + ".keyed_digest");
    ExpectRefused(set(part, "keyed_digest", "ab"), at + ".keyed_digest");
    ExpectRefused(set(part, "keyed_digest", std::string(64, 'x')), at + ".keyed_digest");
  }
  ExpectRefused([](Json& json) { Knowledge(json)["steps"] = 0; }, "evolving.knowledge.steps");
  ExpectRefused([](Json& json) { Knowledge(json)["steps"] = 99; }, "evolving.knowledge.steps");
  ExpectRefused([](Json& json) { json.at("evolving")["against"] = "sum"; }, "evolving.against");
}

// Releases that were made under one policy say so to each other.
TEST_F(Invented, PoliciesThatNeverChangedAreNoticed) {
  Publish("ThreeReleases");
  const auto since = [](const Json& value) {
    return [=](Json& json) { json.at("series")["policy_since"] = value; };
  };
  ExpectRefused(since(0), "series.policy_since");
  ExpectRefused(since(4), "series.policy_since");
  ExpectRefused(since("2"), "series.policy_since");
  ExpectBroken(since(2), "Release 1 was made under the same policy");
  ExpectBroken(since(3), "Release 2 was made under the same policy");
  const Invention other = [](Json& json) {
    json.at("inputs")["policy_keyed_digest"] = std::string(64, 'a');
  };
  ExpectBroken(other, "Release 2 was made under another policy");
  // Who also invents the digest has a story that fits, and no key.
  const Invention both = [&](Json& json) {
    other(json);
    since(3)(json);
  };
  const auto alone = Verify(both);
  ASSERT_TRUE(alone) << alone.error().ToString();
  EXPECT_EQ(alone->verdict(), Verdict::kNotRefuted);
  ExpectBroken(both, "another key", {.key = honest_.at("series").at("key"), .policy = {}});
}

}  // namespace
}  // namespace certificates
