#include <fmt/format.h>

#include <cmath>

#include "engine_fixture.h"
#include "reissue/engine/learn.h"
#include "reissue/models/similarity/service/knowledge.h"
#include "reissue/models/similarity/service/learn.h"
#include "reissue/models/similarity/service/learner.h"

namespace reissue::models::similarity::service {
namespace {

namespace sim = models::similarity;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SimilarityLearnTest : public EngineTest {
 protected:
  std::string LearnPolicy(const std::string& knowledge) {
    Write("job.csv", "nurse;health;*\ndoctor;health;*\ncook;kitchen;*\n");
    return Write("policy.toml",
                 "[columns]\nid = { role = \"identifier\" }\n"
                 "age = { role = \"quasi\", type = \"numeric\" }\n"
                 "job = { role = \"quasi\", taxonomy = \"job.csv\" }\n"
                 "town = { role = \"quasi\" }\nillness = { role = \"sensitive\" }\n"
                 "note = { role = \"publish\" }\n[guarantee]\nmodel = \"j-similarity\"\nk = 2\n"
                 "j = 0.5\nbeta = 5\n[knowledge]\n" +
                     knowledge);
  }
  // People stay, leave and come back; values follow one another.
  std::vector<std::string> Series(std::size_t tables, std::size_t people, std::uint64_t seed) {
    Random random = Random::Seeded(seed);
    const std::vector<std::string> jobs = {"nurse", "doctor", "cook"};
    const std::vector<std::string> ills = {"flu", "cold", "\"gout, bad\"", "HIV"};
    std::vector<std::size_t> ill(people), job(people), age(people);
    for (std::size_t p = 0; p < people; ++p) {
      ill[p] = random.Below(4);
      job[p] = random.Below(3);
      age[p] = 20 + random.Below(60);
    }
    std::vector<std::string> names;
    for (std::size_t t = 0; t < tables; ++t) {
      std::string text = "id,age,job,town,illness,note\n";
      for (std::size_t p = 0; p < people; ++p) {
        if (random.Below(2) == 0) ill[p] = std::min<std::size_t>(3, ill[p] + random.Below(2));
        if (random.Below(4) == 0) continue;
        text += fmt::format("p{},{},{},{},{},x\n", p, age[p], jobs[job[p]], p % 2 ? "A" : "B",
                            ills[ill[p]]);
      }
      names.push_back(Write(fmt::format("t{}.csv", t), text));
    }
    return names;
  }
  Background TakeAll(const std::string& policy_path, const std::vector<std::string>& tables,
                     std::vector<Background::CodedRows>& taken) {
    policies_.push_back(
        std::make_unique<io::Policy>(io::ReadPolicy(io::SystemFiles(), policy_path).value()));
    const io::Policy& policy = *policies_.back();
    Background background = Background::Read(policy, PromiseOf<Promise>(policy), context_).value();
    PersonNumbers people;
    for (const std::string& path : tables) {
      const binding::GroupedTable table = binding::LoadGrouped(policy, path, context_).value();
      const auto person = people.Of(table);
      auto one = background.Take(table, person);
      EXPECT_TRUE(one) << one.error().ToString();
      taken.push_back(std::move(one).value());
    }
    return background;
  }
  std::vector<std::unique_ptr<io::Policy>> policies_;
};

// Values in the order of the other's.
std::vector<sim::Value> Matching(const Background& a, const Background& b) {
  std::vector<sim::Value> match;
  for (const binding::ValueTexts& value : a.values()) {
    const auto at = std::find(b.values().begin(), b.values().end(), value);
    EXPECT_NE(at, b.values().end());
    match.push_back(static_cast<sim::Value>(at - b.values().begin()));
  }
  return match;
}

TEST_F(SimilarityLearnTest, WhatIsWrittenIsReadBackAsTheSameKnowledge) {
  for (const std::uint32_t steps : {1u, 2u, 3u}) {
    const std::vector<std::string> tables = Series(4, 150, steps);
    const std::string out = Path(fmt::format("beliefs{}", steps));
    const std::string policy = LearnPolicy(fmt::format(
        "prior = \"beliefs{0}/prior.csv\"\ntransition = \"beliefs{0}/transition.csv\"\nsteps = "
        "{0}\n",
        steps));
    const contract::LearnReport report =
        engine::Learn({policy, tables, std::nullopt, 1, out}, context_).value();
    EXPECT_EQ(report.steps, steps);
    EXPECT_EQ(report.values, 4u);
    EXPECT_EQ(report.tables, 4u);
    EXPECT_LE(report.people, 150u);
    std::vector<Background::CodedRows> from_files, learned;
    const Background files = TakeAll(policy, tables, from_files);
    const Background own =
        TakeAll(LearnPolicy(fmt::format(
                    "prior = \"learned\"\ntransition = \"learned\"\nsteps = {}\n", steps)),
                tables, learned);
    const std::vector<sim::Value> match = Matching(own, files);
    for (std::size_t t = 0; t < tables.size(); ++t) {
      for (std::size_t row = 0; row < learned[t].value.size(); ++row) {
        ASSERT_EQ(match[learned[t].value[row]], from_files[t].value[row]);
        for (std::size_t v = 0; v < match.size(); ++v) {
          ASSERT_NEAR(own.knowledge().prior[learned[t].kind[row]][v],
                      files.knowledge().prior[from_files[t].kind[row]][match[v]], 2e-12);
        }
      }
    }
    EXPECT_EQ(report.kinds, own.knowledge().prior.size());
    const auto& after = files.knowledge().transition.after;
    ASSERT_EQ(own.knowledge().transition.after.size(), after.size());
    EXPECT_EQ(report.contexts, after.size());
    for (const auto& [context, next] : own.knowledge().transition.after) {
      std::vector<sim::Value> same;
      for (const sim::Value value : context) same.push_back(match[value]);
      ASSERT_TRUE(after.contains(same));
      for (std::size_t v = 0; v < match.size(); ++v) {
        ASSERT_NEAR(next[v], after.at(same)[match[v]], 2e-12);
      }
    }
  }
}

TEST_F(SimilarityLearnTest, ASingleTableGivesThePriorAndUniformTransitions) {
  const std::string policy = LearnPolicy("prior = \"not-there-yet.csv\"\n");
  // Of other people, without identifiers, and without a column that nothing is learned from.
  const std::string table = Write("other.csv",
                                  "age,job,town,illness\n30,cook,A,flu\n30,cook,A,cold\n"
                                  "30,nurse,A,flu\n30,doctor,B,flu\n");
  const contract::LearnReport report =
      engine::Learn({policy, {table}, std::nullopt, 2, directory_.string()}, context_).value();
  EXPECT_EQ(report.sequences, 0u);
  EXPECT_EQ(report.kinds, 3u);
  // Of all: flu 3/4. Cooks: (1 + 2 · 3/4) / 4. Ages are all the same, and say nothing.
  EXPECT_EQ(Read("prior.csv"),
            "age,job,town,illness,probability\n"
            "*,*,*,cold,0.25\n*,*,*,flu,0.75\n"
            "*,health,A,cold,0.166666666667\n*,health,A,flu,0.833333333333\n"
            "*,health,B,cold,0.166666666667\n*,health,B,flu,0.833333333333\n"
            "*,kitchen,A,cold,0.375\n*,kitchen,A,flu,0.625\n");
  EXPECT_EQ(Read("transition.csv"),
            "from,to,probability\ncold,cold,0.5\ncold,flu,0.5\nflu,cold,0.5\nflu,flu,0.5\n");
  const auto permissions = std::filesystem::status(Path("prior.csv")).permissions();
  EXPECT_EQ(permissions & std::filesystem::perms::others_read, std::filesystem::perms::none);
  const auto again =
      engine::Learn({policy, {table}, std::nullopt, 2, directory_.string()}, context_);
  EXPECT_EQ(again.error().code, ErrorCode::kUsage);
  EXPECT_THAT(again.error().message, HasSubstr("prior.csv exists already"));
}

TEST_F(SimilarityLearnTest, WhereEverybodyIsAlikeThereIsOneKind) {
  const std::string policy =
      Write("p.toml",
            "[columns]\nid = { role = \"identifier\" }\nage = { role = \"quasi\", type = "
            "\"numeric\" }\nill = { role = \"sensitive\" }\n[guarantee]\nmodel = "
            "\"j-similarity\"\nk = 2\nj = 0.5\nbeta = 5\n");
  const std::string table = Write("t.csv", "id,age,ill\na,30,flu\nb,30,cold\n");
  ASSERT_TRUE(engine::Learn({policy, {table}, std::nullopt, 1, directory_.string()}, context_));
  EXPECT_EQ(Read("prior.csv"), "age,ill,probability\n*,cold,0.5\n*,flu,0.5\n");
}

TEST_F(SimilarityLearnTest, SaysWhatItCannotLearnFrom) {
  const std::string policy = LearnPolicy("");
  const std::string table = Write("t.csv", "age,job,town,illness\n30,cook,A,flu\n");
  const auto several = engine::Learn({policy, {table, table}, std::nullopt, 1, Path("")}, context_);
  EXPECT_THAT(several.error().ToString(), HasSubstr("t.csv:1, column \"id\": the table lacks"));
  Write("u.csv", "id,age,town,illness\na,30,A,flu\n");
  const auto lacking =
      engine::Learn({policy, {Path("u.csv")}, std::nullopt, 1, Path("")}, context_);
  EXPECT_THAT(lacking.error().ToString(), HasSubstr("u.csv:1, column \"job\": the table lacks"));
  const auto other = engine::Learn(
      {WritePolicy("model = \"k\"\nk = 2\n", "k.toml"), {table}, std::nullopt, 1, Path("")},
      context_);
  EXPECT_THAT(other.error().ToString(), HasSubstr("model \"k\" has no use for beliefs"));
  EXPECT_FALSE(std::filesystem::exists(Path("prior.csv")));
}

TEST(DecimalsOf, SumToOneExactly) {
  Random random = Random::Seeded(5);
  for (int round = 0; round < 2000; ++round) {
    std::vector<double> distribution(1 + random.Below(40));
    double sum = 0;
    for (double& p : distribution) {
      p = random.Below(5) == 0 ? 0 : std::pow(static_cast<double>(random.Below(1000)), 4);
      sum += p;
    }
    if (sum == 0) distribution[0] = sum = 1;
    for (double& p : distribution) p /= sum;
    std::uint64_t units = 0;
    const std::vector<std::string> texts = DecimalsOf(distribution);
    ASSERT_EQ(texts.size(), distribution.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      ASSERT_NEAR(std::stod(texts[i]), distribution[i], 1.001e-12) << texts[i];
      units += static_cast<std::uint64_t>(std::llround(std::stod(texts[i]) * 1e12));
    }
    ASSERT_EQ(units, 1'000'000'000'000u);
  }
  EXPECT_THAT(DecimalsOf({1, 0}), ElementsAre("1", "0"));
}

}  // namespace
}  // namespace reissue::models::similarity::service
