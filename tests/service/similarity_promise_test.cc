#include <fmt/format.h>

#include "engine_fixture.h"
#include "reissue/models/similarity/service/promise.h"

namespace reissue::models::similarity::service {
namespace {

namespace sim = models::similarity;
using ::testing::HasSubstr;

// The promise of a policy with this [guarantee] and [knowledge].
class SimilarityPromiseTest : public EngineTest {
 protected:
  std::string Fault(const std::string& guarantee, const std::string& columns = "",
                    const std::string& knowledge = "") {
    const std::string path =
        Write("p.toml", "[columns]\n" +
                            (columns.empty() ? std::string("id = { role = \"identifier\" }\n"
                                                           "age = { role = \"quasi\" }\n"
                                                           "ill = { role = \"sensitive\" }\n")
                                             : columns) +
                            "[guarantee]\nmodel = \"j-similarity\"\n" + guarantee + knowledge);
    const auto policy = io::ReadPolicy(io::SystemFiles(), path);
    if (!policy) return policy.error().ToString().substr(directory_.string().size() + 1);
    const auto promise = engine::Bind(*policy);
    if (promise) {
      promise_ = promise->promise->As<Promise>();
      return "fine";
    }
    return promise.error().ToString().substr(directory_.string().size() + 1);
  }
  Promise promise_;
};

TEST_F(SimilarityPromiseTest, ReadsEverySetting) {
  ASSERT_EQ(Fault("k = 3\nj = 0.25\nbeta = 5\nt = 0.5\ndistance = \"ordered\"\n"
                  "against = \"bayes\"\nmax_belief = 0.9\nmax_gain = 0.3\nties = \"shared\"\n"
                  "cascade = \"posterior\"\nalgorithm = \"js-reduce\"\nleftover = \"relax\"\n",
                  "id = { role = \"identifier\" }\nage = { role = \"quasi\" }\n"
                  "ill = { role = \"sensitive\", order = [\"a\", \"b\"] }\n",
                  "[knowledge]\nprior = \"learned\"\ntransition = \"uniform\"\nsteps = 2\n"
                  "compromised = \"known.csv\"\nnormalise = true\n"),
            "fine");
  EXPECT_EQ(promise_.guarantee.k, 3u);
  EXPECT_EQ(promise_.guarantee.j, 0.25);
  EXPECT_EQ(promise_.guarantee.beta, 5);
  EXPECT_EQ(promise_.guarantee.t, 0.5);
  EXPECT_TRUE(promise_.guarantee.ordered);
  EXPECT_EQ(promise_.against, inference::Estimator::kBayes);
  EXPECT_EQ(promise_.bounds.max_belief, 0.9);
  EXPECT_EQ(promise_.bounds.max_gain, 0.3);
  EXPECT_TRUE(promise_.share_ties);
  EXPECT_EQ(promise_.cascade, sim::Cascade::kPosterior);
  EXPECT_EQ(promise_.algorithm, sim::Algorithm::kJsReduce);
  EXPECT_EQ(promise_.leftover, sim::Leftover::kRelax);
  EXPECT_EQ(promise_.prior.kind, KnowledgeSource::Kind::kLearned);
  EXPECT_EQ(promise_.transition.kind, KnowledgeSource::Kind::kUniform);
  EXPECT_EQ(promise_.steps, 2u);
  EXPECT_EQ(promise_.compromised, Path("known.csv"));
  EXPECT_TRUE(promise_.normalise);
  ASSERT_EQ(Fault("k = 3\nj = 0.25\nt = 0.5\n"), "fine");
  EXPECT_EQ(promise_.against, inference::Estimator::kExact);
  EXPECT_EQ(promise_.algorithm, sim::Algorithm::kReissue);
  EXPECT_EQ(promise_.prior.kind, KnowledgeSource::Kind::kUniform);
  EXPECT_EQ(promise_.guarantee.beta, 0);
  for (std::size_t e = 0; e < 5; ++e) {
    const auto estimator = static_cast<inference::Estimator>(e);
    ASSERT_EQ(Fault(fmt::format("k = 3\nj = 0.25\nt = 0.5\nagainst = \"{}\"\n",
                                inference::NameOf(estimator))),
              "fine");
    EXPECT_EQ(promise_.against, estimator);
  }
  for (std::size_t a = 0; a < 3; ++a) {
    ASSERT_EQ(Fault(fmt::format("k = 3\nj = 0.25\nt = 0.5\nalgorithm = \"{}\"\nleftover = "
                                "\"{}\"\n",
                                NameOf(static_cast<sim::Algorithm>(a)),
                                NameOf(static_cast<sim::Leftover>(a)))),
              "fine");
    EXPECT_EQ(static_cast<std::size_t>(promise_.algorithm), a);
    EXPECT_EQ(static_cast<std::size_t>(promise_.leftover), a);
  }
}

TEST_F(SimilarityPromiseTest, SaysWhatIsWrong) {
  EXPECT_THAT(Fault("j = 0.5\nbeta = 5\n"), HasSubstr("needs `k`"));
  EXPECT_THAT(Fault("k = 2\nbeta = 5\n"), HasSubstr("needs `j`"));
  EXPECT_THAT(Fault("k = 2\nj = 0.5\n"), HasSubstr("needs `beta` or `t`"));
  const std::string good = "k = 2\nj = 0.5\nbeta = 5\n";  // lines 7 to 9
  EXPECT_EQ(Fault(good + "betta = 5\n"),
            "p.toml:10: model \"j-similarity\" has no setting `betta`\n  Did you mean `beta`?");
  EXPECT_THAT(Fault(good + "steps = 2\n"), HasSubstr("It belongs into [knowledge]."));
  EXPECT_THAT(Fault(good + "m = 2\n"), HasSubstr("It knows k, j, beta, t,"));
  EXPECT_EQ(Fault("k = 0\nj = 0.5\nbeta = 5\n"),
            "p.toml:7: `k` must be a whole number from 1 to 1000000000\n  Choose another number; "
            "docs/formats/policy.md says what each one means.");
  EXPECT_EQ(Fault("k = 2\nj = \"0.5\"\nbeta = 5\n"),
            "p.toml:8: `j` must be a number from 0 to 1\n  Write the number without quotes.");
  EXPECT_THAT(Fault("k = 2.5\nj = 0.5\nbeta = 5\n"), HasSubstr("a whole number"));
  EXPECT_THAT(Fault("k = 2\nj = 1.5\nbeta = 5\n"),
              HasSubstr("p.toml:8: `j` must be a number from 0 to 1\n  Choose another number"));
  EXPECT_THAT(Fault("k = 2\nj = 1\nbeta = 0\n"), HasSubstr("`beta` must be a number above 0"));
  EXPECT_THAT(Fault("k = 2\nj = 1\nt = 1.1\n"), HasSubstr("`t` must be"));
  EXPECT_THAT(Fault(good + "max_belief = 0\n"), HasSubstr("`max_belief` must be"));
  EXPECT_THAT(Fault(good + "max_gain = 2\n"), HasSubstr("`max_gain` must be"));
  EXPECT_EQ(Fault(good + "against = \"exakt\"\n"),
            "p.toml:10: `against` must be one of \"bayes\", \"sum\", \"exact\", \"omega\", "
            "\"scaling\"\n  Did you mean \"exact\"?");
  EXPECT_THAT(Fault(good + "algorithm = \"best\"\n"),
              HasSubstr("one of \"reissue\", \"bkaa\", \"js-reduce\"\n  See "
                        "docs/formats/policy.md for an example."));
  EXPECT_THAT(Fault(good + "leftover = \"drop\"\n"),
              HasSubstr("one of \"suppress\", \"relax\", \"counterfeit\""));
  EXPECT_THAT(Fault(good + "cascade = \"posterior\"\n"), HasSubstr("against = \"bayes\" only"));
  EXPECT_THAT(Fault(good + "ties = \"shared\"\n"), HasSubstr("against = \"bayes\" only"));
  EXPECT_THAT(Fault(good + "distance = \"ordered\"\n"), HasSubstr("is about `t`"));
  EXPECT_THAT(Fault(good + "t = 0.5\ndistance = \"ordered\"\n"), HasSubstr("values have an order"));
}

TEST_F(SimilarityPromiseTest, SaysWhatIsWrongWithKnowledge) {
  const auto fault = [&](const std::string& knowledge) {
    return Fault("k = 2\nj = 0.5\nbeta = 5\n", "", "[knowledge]\n" + knowledge);
  };
  EXPECT_EQ(fault("priors = \"uniform\"\n"),
            "p.toml:11: [knowledge] has no setting `priors`\n  Did you mean `prior`?");
  EXPECT_THAT(fault("against = \"sum\"\n"), HasSubstr("It belongs into [guarantee]."));
  EXPECT_EQ(fault("prior = 1\n"),
            "p.toml:11: `prior` must be \"uniform\", \"learned\" or the name of a file\n"
            "  See docs/formats/policy.md for an example.");
  EXPECT_THAT(fault("steps = 7\n"), HasSubstr("`steps` must be a whole number from 1 to 6"));
  EXPECT_THAT(fault("compromised = true\n"), HasSubstr("must be the name of a file"));
  EXPECT_THAT(fault("normalise = 1\n"), HasSubstr("`normalise` must be true or false"));
  EXPECT_THAT(fault("prior = \"none.csv\"\n"), HasSubstr("p.toml:11: the prior beliefs "));
}

TEST_F(SimilarityPromiseTest, SaysWhatIsWrongWithColumns) {
  const std::string good = "k = 2\nj = 0.5\nbeta = 5\n";
  const std::string id = "id = { role = \"identifier\" }\n",
                    ill = "ill = { role = \"sensitive\" }\n";
  const std::string age = "age = { role = \"quasi\" }\n";
  EXPECT_THAT(Fault(good, age + ill), HasSubstr("needs a column with role = \"identifier\""));
  EXPECT_THAT(Fault(good, id + age), HasSubstr("no column is sensitive"));
  EXPECT_EQ(Fault(good, id + age + ill + "group = { role = \"publish\" }\n"),
            "p.toml:5, column \"group\": holder's copies and files of knowledge have a column of "
            "this name themselves\n  Rename the column in the table and in the policy.");
  EXPECT_EQ(Fault(good, id + age + ill + "group = { role = \"drop\" }\n"), "fine");
  Write("k.toml",
        "[columns]\nage = { role = \"quasi\", type = \"numeric\" }\n[guarantee]\nmodel = "
        "\"k\"\nk = 2\n[knowledge]\nprior = \"uniform\"\n");
  const io::Policy other = io::ReadPolicy(io::SystemFiles(), Path("k.toml")).value();
  EXPECT_THAT(engine::Bind(other).error().ToString(),
              HasSubstr("k.toml:6: model \"k\" is not about what readers know beforehand"));
}

}  // namespace
}  // namespace reissue::models::similarity::service
