// Certificates come from strangers: every member in turn is taken away, emptied, doubled, or made
// something else. Verify answers or complains, and believes nothing that the files contradict.

#include <cstdint>
#include <limits>

#include "fixture.h"
#include "stranger.h"

namespace certificates {
namespace {

using reissue::ErrorCode;

std::vector<Json> Others(const Json& value) {
  std::vector<Json> others = {nullptr,
                              true,
                              false,
                              "text",
                              "",
                              0,
                              1,
                              -1,
                              2.5,
                              1e300,
                              -1e300,
                              std::numeric_limits<std::uint64_t>::max(),
                              Json::array(),
                              Json::object(),
                              {Json::array()},
                              Json{{"", nullptr}}};
  if (value.is_array() && !value.empty()) {
    Json twice = value;
    twice.push_back(value.front());
    others.push_back(twice);
  }
  std::erase(others, value);
  return others;
}

// The text with one member of one object written twice.
std::string WithTwice(const Json& json, const Json* object, const std::string& member) {
  if (!json.is_structured()) return json.dump();
  std::string text;
  for (const auto& [key, value] : json.items()) {
    const std::string entry =
        (json.is_object() ? Json(key).dump() + ":" : "") + WithTwice(value, object, member);
    text += (text.empty() ? "" : ",") + entry;
    if (&json == object && key == member) text += "," + entry;
  }
  return json.is_object() ? "{" + text + "}" : "[" + text + "]";
}

// What whoever has the files and the policy can tell: another certificate is not believed.
bool IsDerived(const std::string& path) {
  if (path.starts_with("/linked/priors/") && path.ends_with("/name")) return false;
  for (const char* part :
       {"/release", "/series/release", "/series/earlier", "/measured", "/recoding",
        "/linked/columns", "/linked/dangling", "/linked/priors", "/changing"}) {
    if (path.starts_with(part)) return true;
  }
  return false;
}

class Strangers : public CertificateTest, public ::testing::WithParamInterface<std::string> {
 protected:
  void Try(const std::string& text, const std::string& what, bool derived) {
    const std::string file = Write("crafted.json", text);
    for (const bool copies : {false, true}) {
      if (copies && of_.copies.empty()) continue;
      const auto verified = reissue::engine::Verify(file, of_.releases, context_, of_.priors,
                                                    copies ? of_.copies : no_copies_);
      ++tried_;
      if (verified) {
        EXPECT_FALSE(derived && verified->valid) << what;
        // Whatever it says, nobody who has not the key gets more than that nothing contradicts it.
        EXPECT_NE(verified->verdict(), reissue::contract::Verdict::kHolds) << what;
        continue;
      }
      ++refused_;
      const reissue::Error& error = verified.error();
      EXPECT_TRUE(error.code == ErrorCode::kInput || error.code == ErrorCode::kUsage) << what;
      EXPECT_FALSE(error.message.empty()) << what;
    }
  }

  void Spoil(const Json& whole, Json& part, const std::string& path) {
    for (std::size_t i = 0; i < part.size(); ++i) {
      const auto at = std::next(part.items().begin(), static_cast<std::ptrdiff_t>(i));
      const std::string key = at.key(), here = path + "/" + key;
      const Json value = at.value();
      if (here == "/signature") continue;
      Json& place = part.is_object() ? part[key] : part[i];
      for (const Json& other : Others(value)) {
        place = other;
        Try(stranger_.Sealed(whole), here + " is " + other.dump(), IsDerived(here));
      }
      place = value;
      const Json before = part;
      if (part.is_object()) {
        Try(WithTwice(whole, &part, key), here + " stands twice", true);
        part.erase(key);
      } else {
        part.erase(i);
      }
      Try(stranger_.Sealed(whole), here + " is missing", IsDerived(here));
      part = before;
      Json& again = part.is_object() ? part[key] : part[i];
      if (again.is_structured()) Spoil(whole, again, here);
    }
  }

  Stranger stranger_;
  Certified of_;
  const std::vector<std::string> no_copies_;
  std::size_t tried_ = 0, refused_ = 0;
};
// One of every kind of members.
INSTANTIATE_TEST_SUITE_P(Certificates, Strangers,
                         ::testing::Values("EveryPromise", "Numbers", "ThreeReleases",
                                           "OnlyRealPeople", "BesideAnEarlierRelease",
                                           "BesideTwoAndRowsWithoutPartner",
                                           "PublishedCounterfeits", "AnatomyOfSeveralColumns",
                                           "RelaxedLeftovers", "KnowledgeFromFiles",
                                           "DeclaredOrder"),
                         [](const auto& of) { return of.param; });

TEST_P(Strangers, GetAnAnswerOrAComplaint) {
  of_ = PublishAll(CaseOf(GetParam())).back();
  Json json = Json::parse(Read(std::filesystem::path(of_.certificate).filename()));
  Write("whole.json", stranger_.Sealed(json));
  const auto whole =
      reissue::engine::Verify(Path("whole.json"), of_.releases, context_, of_.priors);
  ASSERT_TRUE(whole) << whole.error().ToString();
  EXPECT_TRUE(whole->valid);
  Spoil(json, json, "");
  EXPECT_GT(refused_, 300u);
  EXPECT_LT(refused_, tried_);
}

}  // namespace
}  // namespace certificates
