// Promises of belief through files: what a reader with nothing but published files, her knowledge
// and who is in which group can compute, and that no verdict depends on anything else.

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>

#include "engine_fixture.h"
#include "reissue/models/similarity/service/report.h"

namespace reissue::models::similarity::service {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kReaders[] = {"bayes", "sum", "exact", "omega", "scaling"};

class BeliefTest : public EngineTest {
 protected:
  std::string PolicyOf(const std::string& guarantee, const std::string& knowledge) {
    return Write("policy.toml",
                 "[columns]\nid = { role = \"identifier\" }\n"
                 "age = { role = \"quasi\", type = \"numeric\" }\nill = { role = \"sensitive\" }\n"
                 "[guarantee]\nmodel = \"j-similarity\"\n" +
                     guarantee + "[knowledge]\n" + knowledge);
  }
  contract::AuditReport AuditOf(const std::string& policy, const std::vector<std::string>& copies) {
    const auto read = io::ReadPolicy(context_.files, policy);
    auto audit = engine::Audit(*read, copies, context_, 1000);
    EXPECT_TRUE(audit.has_value()) << audit.error().ToString();
    return audit ? *audit : contract::AuditReport{};
  }
  static const contract::PromiseKept& Promised(const contract::AuditReport& audit,
                                               const std::string& name) {
    for (const contract::PromiseKept& promise : audit.promises) {
      if (promise.name == name) return promise;
    }
    ADD_FAILURE() << name;
    return audit.promises[0];
  }
  std::set<std::string> Files() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
      // The vault's mark has a name of its own in each vault.
      if (entry.path().extension() == ".mark") continue;
      names.insert(entry.path().filename().string());
    }
    return names;
  }
};

// A holder's copy in groups, whoever made it.
struct Copy {
  struct Line {
    std::string id;
    std::size_t group = 0;
    std::string age, ill;
  };
  std::vector<Line> lines;

  std::string Text() const {
    std::string text = "id,group,age,ill\n";
    for (const Line& line : lines) {
      text += fmt::format("{},{},{},{}\n", line.id, line.group, line.age, line.ill);
    }
    return text;
  }
  // Another world that looks the same: within groups, values belong to others.
  Copy Permuted(Random& random) const {
    Copy other = *this;
    std::map<std::size_t, std::vector<std::size_t>> members;
    for (std::size_t i = 0; i < lines.size(); ++i) members[lines[i].group].push_back(i);
    for (const auto& [group, rows] : members) {
      std::vector<std::size_t> from = rows;
      random.Shuffle(from);
      for (std::size_t i = 0; i < rows.size(); ++i) other.lines[rows[i]].ill = lines[from[i]].ill;
    }
    return other;
  }
};

Copy DrawCopy(Random& random, std::size_t values) {
  Copy copy;
  const std::size_t people = 8 + random.Below(12), groups = 2 + random.Below(2);
  for (std::size_t i = 0; i < people; ++i) {
    copy.lines.push_back({"p" + std::to_string(i), i < groups ? i : random.Below(groups),
                          std::to_string(20 + 5 * random.Below(10)),
                          "ill" + std::to_string(random.Below(values))});
  }
  return copy;
}

TEST_F(BeliefTest, NoVerdictDependsOnWhoseValueIsWhose) {
  Random random = Random::Seeded(77);
  Write("prior.csv",
        "age,ill,probability\n\"[0,45)\",ill0,0.6\n\"[0,45)\",ill1,0.3\n\"[0,45)\",ill2,0.1\n"
        "\"[45,99)\",ill0,0.2\n\"[45,99)\",ill1,0.2\n\"[45,99)\",ill2,0.6\n");
  Write("next.csv",
        "from,to,probability\nill0,ill0,0.8\nill0,ill1,0.2\nill0,ill2,0\nill1,ill0,0.1\n"
        "ill1,ill1,0.6\nill1,ill2,0.3\nill2,ill0,0\nill2,ill1,0.1\nill2,ill2,0.9\n");
  Write("known.csv", "id,ill,release,confidence\np0,ill1,1,1\np3,ill2,2,0.6\n");
  const std::string file = "prior = \"prior.csv\"\ntransition = \"next.csv\"\n";
  std::map<contract::AuditReport::Failure, int> failures;
  int kept = 0;
  for (int round = 0; round < 60; ++round) {
    const std::string knowledge =
        round % 3 == 0 ? "" : file + (round % 3 == 1 ? "" : "compromised = \"known.csv\"\n");
    const std::vector<Copy> copies = {DrawCopy(random, 3), DrawCopy(random, 3)};
    std::vector<std::string> here, there;
    for (std::size_t i = 0; i < copies.size(); ++i) {
      here.push_back(Write(fmt::format("H{}.csv", i), copies[i].Text()));
      there.push_back(Write(fmt::format("P{}.csv", i), copies[i].Permuted(random).Text()));
    }
    for (const char* reader : kReaders) {
      SCOPED_TRACE(fmt::format("{} {}", round, reader));
      const std::string policy = PolicyOf(
          fmt::format("k = 1\nj = 1\nbeta = 99\nagainst = \"{}\"\nmax_belief = {}\nmax_gain = {}\n",
                      reader, 0.5 + 0.5 * random.Unit(), 0.5 + 0.5 * random.Unit()),
          knowledge);
      const contract::AuditReport one = AuditOf(policy, here), two = AuditOf(policy, there);
      EXPECT_EQ(one.satisfied, two.satisfied);
      ASSERT_EQ(one.promises.size(), two.promises.size());
      for (std::size_t p = 0; p < one.promises.size(); ++p) {
        EXPECT_EQ(one.promises[p].kept, two.promises[p].kept);
        EXPECT_NEAR(one.promises[p].measured, two.promises[p].measured, 1e-9);
      }
      ++(one.satisfied ? kept : failures[one.failure]);
      EXPECT_TRUE(one.satisfied || one.failure == two.failure);
    }
  }
  // Else nothing of it was tried.
  EXPECT_GT(kept, 5);
  EXPECT_GT(failures[contract::AuditReport::Failure::kBroken], 50);
}

// Two values, two people, and a bound on true values only: she would know that the one she believes
// is false.
TEST_F(BeliefTest, AReleaseThatMakesHerBelieveSomethingFalseBreaksThePromise) {
  Write("prior.csv", "age,ill,probability\n20,u,0.75\n20,v,0.25\n60,u,0.25\n60,v,0.75\n");
  const std::string policy =
      PolicyOf("k = 2\nj = 1\nbeta = 9\nmax_belief = 0.8\n", "prior = \"prior.csv\"\n");
  const contract::AuditReport audit =
      AuditOf(policy, {Write("H.csv", "id,group,age,ill\np1,1,20,v\np2,1,60,u\n")});
  EXPECT_FALSE(audit.satisfied);
  EXPECT_NEAR(Promised(audit, "max_belief").measured, 0.9, 1e-9);
  const ReaderFindings& exact = audit.findings.As<SimilarityFindings>().releases[0].readers[2];
  EXPECT_EQ(exact.beyond, 2U);
  EXPECT_NEAR(exact.strongest, 0.1, 1e-9);  // in a true value
  EXPECT_EQ(audit.exposed, 0U);
}

TEST_F(BeliefTest, AGroupOfOneValueBreaksEveryPromiseOfGain) {
  const std::string policy = PolicyOf("k = 2\nj = 1\nbeta = 9\nmax_gain = 1\n", "");
  const std::string copy =
      Write("H.csv", "id,group,age,ill\np1,1,20,v\np2,1,60,v\np3,2,20,u\np4,2,60,v\n");
  const contract::AuditReport audit = AuditOf(policy, {copy});
  EXPECT_FALSE(audit.satisfied);
  EXPECT_EQ(Promised(audit, "max_gain").measured, 0);
  EXPECT_FALSE(Promised(audit, "max_gain").kept);
  EXPECT_EQ(audit.findings.As<SimilarityFindings>().releases[0].readers[2].certain, 2U);
}

TEST_F(BeliefTest, WhereHerKnowledgeExcludesAGroupNothingIsProven) {
  Write("prior.csv", "ill,probability\nu,0.5\nv,0.5\nw,0\n");
  const std::string policy =
      PolicyOf("k = 2\nj = 1\nbeta = 9\nmax_belief = 0.9\n", "prior = \"prior.csv\"\n");
  const contract::AuditReport audit =
      AuditOf(policy, {Write("H.csv", "id,group,age,ill\np1,1,20,u\np2,1,60,v\np3,1,20,w\n")});
  EXPECT_FALSE(audit.satisfied);
  EXPECT_EQ(audit.failure, contract::AuditReport::Failure::kNotProven);
  EXPECT_THAT(audit.findings.As<SimilarityFindings>().releases[0].unproven,
              ElementsAre("max_belief"));
}

// Of somebody whose value she was told she gains everything; that is no fault of the release.
TEST_F(BeliefTest, PeopleToldForCertainDoNotStandInTheWayOfAPublication) {
  Write("known.csv", "id,ill,release,confidence\np1,u,1,1\n");
  const std::string policy =
      PolicyOf("k = 4\nj = 1\nbeta = 9\nmax_gain = 0.5\n", "compromised = \"known.csv\"\n");
  contract::PublishRequest request =
      Request(policy, Write("t.csv", "id,age,ill\np1,20,u\np2,21,v\np3,22,v\np4,23,u\n"));
  request.holder_copy = Path("H.csv");
  const auto report = engine::Publish(request, context_);
  ASSERT_TRUE(report.has_value()) << report.error().ToString();
  EXPECT_NEAR(Promised(report->audit, "max_gain").measured, 1.0 / 3, 1e-9);
  EXPECT_TRUE(AuditOf(policy, {Path("H.csv")}).satisfied);
  EXPECT_EQ(Files(), (std::set<std::string>{"H.csv", "known.csv", "policy.toml", "release.csv",
                                            "release.csv.certificate.json", "t.csv", "vault"}));
}

// Few people, two values, all sorts of certain and doubtful knowledge: whatever is planned passes
// the attack on it.
TEST_F(BeliefTest, WhatIsPlannedPassesItsAttack) {
  Random random = Random::Seeded(5);
  int published = 0, refused = 0;
  for (int round = 0; round < 150; ++round) {
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_);
    std::string table = "id,age,ill\n", known = "id,ill,release,confidence\nnobody,u,1,1\n";
    const std::size_t people = 4 + random.Below(8);
    for (std::size_t i = 0; i < people; ++i) {
      const char* ill = i == 0 || (i > 1 && random.Below(2) == 0) ? "u" : "v";
      table += fmt::format("p{},{},{}\n", i, 20 + random.Below(9), ill);
      if (random.Below(3) > 0) continue;
      // Some of what she was told is wrong.
      known += fmt::format("p{},{},1,{}\n", i, random.Below(5) == 0 ? "u" : ill,
                           random.Below(2) == 0 ? 1 : 0.7);
    }
    Write("known.csv", known);
    const std::string policy = PolicyOf(
        fmt::format("k = {}\nj = 1\nbeta = 9\nagainst = \"{}\"\n{}{}", 2 + random.Below(3),
                    kReaders[random.Below(5)], random.Below(2) == 0 ? "max_belief = 0.8\n" : "",
                    random.Below(2) == 0 ? "max_gain = 0.6\n" : ""),
        "compromised = \"known.csv\"\n");
    const auto report = engine::Publish(Request(policy, Write("t.csv", table)), context_);
    if (!report) {
      ASSERT_EQ(report.error().code, ErrorCode::kPromise) << report.error().ToString();
      ++refused;
      continue;
    }
    ++published;
    EXPECT_TRUE(report->audit.satisfied);
  }
  EXPECT_GT(published, 100);
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace reissue::models::similarity::service
