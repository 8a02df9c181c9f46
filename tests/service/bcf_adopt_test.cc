// Which releases of others a series can begin with, and what is said where it cannot.

#include "people_fixture.h"

namespace reissue::models::bcf::service {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class AdoptTest : public PublishSeriesTest {
 protected:
  static constexpr char kColumns[] =
      "id = { role = \"identifier\" }\n"
      "place = { role = \"quasi\", taxonomy = \"place.csv\" }\n"
      "job = { role = \"quasi\", taxonomy = \"job.csv\", sets = true }\n"
      "illness = { role = \"sensitive\" }\n";

  AdoptTest() { Write("job.csv", "Lawyer;*\nClerk;*\nPainter;*\nPlumber;*\n"); }

  std::string PolicyFor(const std::string& model, const std::string& guarantee) {
    return Write(model + ".toml", "title = \"Adopted\"\n[columns]\n" + std::string(kColumns) +
                                      "[guarantee]\nmodel = \"" + model + "\"\n" + guarantee);
  }
  // So many of each combination.
  static std::string Everybody(int each) {
    std::string text = "id,place,job,illness\n";
    int number = 0;
    for (const char* place : {"UK", "France", "Canada", "Peru"}) {
      for (const char* job : {"Lawyer", "Clerk", "Painter", "Plumber"}) {
        for (int i = 0; i < each; ++i) {
          text += "p" + std::to_string(++number) + "," + place + "," + job + "," +
                  (i % 2 == 0 ? "flu" : "cold") + "\n";
        }
      }
    }
    return text;
  }
  // Adopts 1.csv, and publishes a second release.
  void GoesOn(const std::string& guarantee) {
    const std::string policy = PolicyFor("bcf", guarantee);
    const auto taken = engine::Adopt(Taking(policy, Releases(1)), context_);
    ASSERT_TRUE(taken) << taken.error().ToString();
    ASSERT_TRUE(taken->recorded) << "k = " << taken->largest_k.value_or(0) << " holds";
    const auto next = engine::Publish(Next(policy, Write("t.csv", Everybody(6)), 2), context_);
    ASSERT_TRUE(next) << next.error().ToString();
    EXPECT_TRUE(KeptTogether(policy, 2));
  }
};

// Two of each of sixteen combinations, told as fine as the place allows.
TEST_F(AdoptTest, Boxes) {
  std::string text = "place,job,illness\n";
  for (const char* row : {"UK,*,flu", "UK,*,cold", "France,*,flu", "France,*,cold"}) {
    text += Times(row, 4);
  }
  for (const char* job : {"Lawyer", "Clerk", "Painter", "Plumber"}) {
    for (const char* illness : {"flu", "cold"}) {
      text += Times("America," + std::string(job) + "," + illness, 2);
    }
  }
  Write("1.csv", text);
  GoesOn("k = 2\nrecoding = \"local\"\n");
  StartAnew();
  Write("1.csv", text);
  GoesOn("k = 2\n");
}

TEST_F(AdoptTest, Stars) {
  std::string text = "place,job,illness\n" + Times("*,*,flu", 3) + Times("*,*,cold", 3);
  text += Times("Europe,*,flu", 7) + Times("Europe,*,cold", 7) + Times("America,*,flu", 6) +
          Times("America,*,cold", 6);
  Write("1.csv", text);
  GoesOn("k = 2\n");
  StartAnew();
  // Whose they are nobody knows: the rule that they stay cannot be kept.
  Write("1.csv", text);
  const std::string policy = PolicyFor("bcf", "k = 2\nrecoding = \"local\"\nsuppression = 4\n");
  const auto refused = engine::Adopt(Taking(policy, Releases(1)), context_);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().ToString(), AllOf(HasSubstr("starred"), HasSubstr("Remove")));
}

TEST_F(AdoptTest, Sets) {
  std::string text = "place,job,illness\n";
  for (const char* jobs : {"\"{Lawyer, Clerk}\"", "\"{Painter, Plumber}\""}) {
    for (const char* illness : {"flu", "cold"}) {
      text += Times("*," + std::string(jobs) + "," + illness, 8);
    }
  }
  Write("1.csv", text);
  GoesOn("k = 2\n");
  StartAnew();
  Write("1.csv", text);
  GoesOn("k = 2\nrecoding = \"local\"\n");
}

// Every other model says why not, and what to do instead.
TEST_F(AdoptTest, OtherModelsSayWhatToDo) {
  Write("1.csv", "place,job,illness\n" + Times("*,*,flu", 6));
  struct Refused {
    const char *model, *guarantee, *why, *way;
  };
  for (const Refused& each : std::initializer_list<Refused>{
           {"k", "k = 2\n", "promises nothing about several releases", "model = \"bcf\""},
           {"xy", "[[guarantee.anonymity]]\nx = [\"job\"]\ny = [\"key\"]\nk = 2\n",
            "promises nothing about several releases", "reissue publish --prior"},
           {"m-invariance", "m = 2\n", "who is in which group", "Start a series with"},
           {"j-similarity", "k = 2\nj = 0.5\nt = 0.5\n", "who is in which group",
            "Start a series with"}}) {
    SCOPED_TRACE(each.model);
    std::string policy = PolicyFor(each.model, each.guarantee);
    std::string text = Read(std::string(each.model) + ".toml");
    text.erase(text.find(", sets = true"), std::string(", sets = true").size());
    policy = Write(std::string(each.model) + ".toml", text);
    const auto refused = engine::Adopt(Taking(policy, Releases(1)), context_);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kUsage);
    EXPECT_THAT(refused.error().ToString(),
                AllOf(HasSubstr(each.why), HasSubstr(each.way), HasSubstr("model = \"bcf\"")));
    EXPECT_FALSE(std::filesystem::exists(Path("vault")));
  }
}

}  // namespace
}  // namespace reissue::models::bcf::service
