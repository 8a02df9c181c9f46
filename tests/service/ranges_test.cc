// Ranges of numbers end in numbers of the table, unless the policy wants round ends: then the least
// and the greatest are nowhere.

#include "engine_fixture.h"
#include "reissue/binding/words.h"

namespace reissue::engine {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr char kLeast[] = "17.3", kGreatest[] = "96.7";

struct Model {
  std::string name, guarantee;
  std::size_t releases = 1;
  bool prior = false;
};

class RangesTest : public EngineTest, public ::testing::WithParamInterface<Model> {
 protected:
  // Everybody but the two at the ends shares an age with others.
  std::string TableOf(std::size_t rows) {
    const std::vector<std::string> ages = {"23.5", "31.5", "44.5", "58.5", "71.5"};
    const std::vector<std::string> jobs = {"Nurse", "Cook", "Clerk"};
    const std::vector<std::string> illnesses = {"flu", "cold", "gout", "HIV"};
    std::string text = "id,age,job,illness\n";
    for (std::size_t i = 0; i < rows; ++i) {
      const std::string age = i == 0 ? kLeast : i == 1 ? kGreatest : ages[i % 5];
      text += "p" + std::to_string(i) + "," + age + "," + jobs[i % 3] + "," +
              illnesses[(i + i / 4) % 4] + "\n";
    }
    return Write("t.csv", text);
  }

  // Publishes; everything that is out, one text.
  std::string OutOf(const Model& model, const std::string& column) {
    Write("job.csv", "Nurse;*\nCook;*\nClerk;*\n");
    policy_ = Write("policy.toml",
                    "title = \"T\"\n[columns]\nid = { role = \"identifier\" }\n"
                    "age = { role = \"quasi\", " +
                        column +
                        " }\n"
                        "job = { role = \"quasi\", taxonomy = \"job.csv\" }\n"
                        "illness = { role = \"sensitive\" }\n" +
                        (model.prior ? "ward = { role = \"publish\" }\n" : "") +
                        "[guarantee]\nmodel = \"" + model.name + "\"\n" + model.guarantee);
    std::string out;
    std::vector<std::string> releases;
    for (std::size_t n = 1; n <= model.releases; ++n) {
      const std::string name = column.substr(0, 4) + std::to_string(n) + ".csv";
      contract::PublishRequest request = Request(policy_, TableOf(40 + 20 * n));
      request.vault = Path("vault-" + column.substr(0, 4));
      request.out = Path(name);
      if (model.prior) request.priors = {{"", Write("prior.csv", "job,ward\n*,East\n*,West\n")}};
      const auto report = Publish(request, context_);
      EXPECT_TRUE(report) << report.error().ToString();
      if (!report) return out;
      named_ = report->ranges_from_data;
      releases.push_back(request.out);
      const auto verified =
          Verify(report->certificate, model.name == "bcf" ? releases : std::vector{request.out},
                 context_, request.priors);
      EXPECT_TRUE(verified && verified->valid);
      if (n == 1) {
        const auto read = io::ReadPolicy(context_.files, policy_).value();
        const auto measured = Measure(read, {request.table, request.out}, context_);
        EXPECT_TRUE(measured) << measured.error().ToString();
      }
      for (const char* suffix : {"", ".certificate.json", ".sensitive.csv"}) {
        if (std::filesystem::exists(request.out + suffix)) out += Read(name + suffix);
      }
    }
    return out;
  }

  std::string policy_;
  std::vector<std::string> named_;  // what the last report says of ranges
};
INSTANTIATE_TEST_SUITE_P(
    Models, RangesTest,
    ::testing::Values(
        Model{"k", "k = 5\n"}, Model{"k", "k = 5\nsuppression = 2\n"},
        Model{"bcf", "k = 5\nscore = \"discernibility\"\n", 2},
        Model{"xy", "[[guarantee.anonymity]]\nx = [\"age\", \"job\"]\ny = [\"key\"]\nk = 5\n", 1,
              true},
        Model{"m-invariance", "m = 3\nform = \"generalized\"\n", 2},
        Model{"j-similarity", "k = 5\nj = 1\nt = 0.6\n", 2}));

TEST_P(RangesTest, RoundEndsHideTheExtremes) {
  const std::string out = OutOf(GetParam(), "ranges = \"round\"");
  EXPECT_THAT(out, HasSubstr("["));
  EXPECT_THAT(out, Not(HasSubstr(kLeast)));
  EXPECT_THAT(out, Not(HasSubstr(kGreatest)));
  EXPECT_THAT(out, Not(HasSubstr("96.8")));  // one step above the greatest
  EXPECT_THAT(named_, IsEmpty());
  EXPECT_THAT(Check(policy_, {}, context_).warnings, IsEmpty());
}

TEST_P(RangesTest, EndsFromTheDataAreSaidToBeTelling) {
  const std::string out = OutOf(GetParam(), "type = \"numeric\"");
  EXPECT_THAT(out, ::testing::AnyOf(HasSubstr(kLeast), HasSubstr("96.8"), HasSubstr(kGreatest)));
  EXPECT_THAT(named_, ::testing::ElementsAre("age"));
  EXPECT_THAT(Check(policy_, {}, context_).warnings,
              Contains(binding::RangesFromDataWords({"age"})));
}

}  // namespace
}  // namespace reissue::engine
