// People published in parts, each from a vault of its own, and verified together.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "engine_fixture.h"
#include "reissue/binding/part.h"
#include "reissue/ledger/division.h"

namespace reissue {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class PartsTest : public EngineTest {
 protected:
  PartsTest() { Write("parts.key", ledger::Division::NewKey()); }

  contract::PublishRequest Of(const std::string& policy, const std::string& table, int part, int of,
                              int release = 1) const {
    contract::PublishRequest request = Request(policy, table);
    request.vault = Path("vault-" + std::to_string(part));
    request.out = Path(NameOf(part, release));
    request.part = {std::to_string(part) + "/" + std::to_string(of), Path("parts.key")};
    return request;
  }
  static std::string NameOf(int part, int release) {
    return "R" + std::to_string(release) + "-" + std::to_string(part) + ".csv";
  }
  // Publishes all parts; the reports.
  std::vector<contract::PublishReport> All(const std::string& policy, const std::string& table,
                                           int of, int release = 1) {
    std::vector<contract::PublishReport> reports;
    for (int part = 1; part <= of; ++part) {
      auto report = engine::Publish(Of(policy, table, part, of, release), context_);
      EXPECT_TRUE(report) << report.error().ToString();
      if (report) reports.push_back(*report);
    }
    return reports;
  }
  // Certificates of the last release, and all releases, of parts.
  std::vector<std::string> Files(const std::vector<int>& parts, int releases = 1) const {
    std::vector<std::string> files;
    for (const int part : parts) {
      for (int release = 1; release <= releases; ++release) {
        files.push_back(Path(NameOf(part, release)));
      }
      files.push_back(files.back() + ".certificate.json");
    }
    return files;
  }
  contract::VerifyReport Verified(const std::vector<std::string>& files,
                                  const std::vector<std::string>& keys = {}) {
    auto report = engine::VerifyParts(files, context_, keys);
    EXPECT_TRUE(report) << report.error().ToString();
    return report ? *report : contract::VerifyReport{};
  }
  void ExpectRefused(const contract::PublishRequest& request, ErrorCode code,
                     const std::string& words) {
    const auto report = engine::Publish(request, context_);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().code, code) << report.error().ToString();
    EXPECT_THAT(report.error().ToString(), HasSubstr(words));
    EXPECT_FALSE(report.error().remedy.empty());
    EXPECT_FALSE(std::filesystem::exists(request.out));
  }
  std::size_t Lines(const std::string& name) const {
    const std::string text = Read(name);
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) - 1;
  }
};

TEST_F(PartsTest, EverybodyIsInOneOfThem) {
  const std::string policy = WritePolicy("model = \"k\"\nk = 3\ndistinct = 2\n");
  const std::string table = WriteTable(300, 1);
  const auto reports = All(policy, table, 3);
  ASSERT_EQ(reports.size(), 3u);
  std::uint64_t rows = 0;
  for (const contract::PublishReport& report : reports) {
    EXPECT_EQ(report.rows_in + report.passed_over, 300u);
    EXPECT_EQ(report.parts, 3u);
    rows += report.rows_in;
  }
  EXPECT_EQ(rows, 300u);
  const contract::VerifyReport verified = Verified(Files({1, 2, 3}));
  EXPECT_TRUE(verified.valid) << ::testing::PrintToString(verified.failures);
  EXPECT_EQ(verified.verdict(), contract::Verdict::kNotRefuted) << "no key was given";
  EXPECT_EQ(verified.parts, 3u);
  EXPECT_EQ(verified.audit.rows, Lines("R1-1.csv") + Lines("R1-2.csv") + Lines("R1-3.csv"));
  EXPECT_GE(verified.audit.smallest, 3u);
  // A group of all parts together has no fewer rows than the smallest of any part.
  std::uint64_t least = ~std::uint64_t{0};
  for (const auto& report : reports) least = std::min(least, report.audit.smallest);
  EXPECT_GE(verified.audit.smallest, least);
  // With the keys of the holders, in any order, it holds.
  std::vector<std::string> keys;
  for (const int part : {3, 1, 2}) {
    auto vault = ledger::Vault::Open(context_.files, Path("vault-" + std::to_string(part)),
                                     ledger::Access::kUnseal, {true, {}});
    keys.push_back(vault->PublicKey().value());
  }
  EXPECT_EQ(Verified(Files({1, 2, 3}), keys).verdict(), contract::Verdict::kHolds);
  keys.pop_back();
  EXPECT_EQ(Verified(Files({1, 2, 3}), keys).verdict(), contract::Verdict::kBroken);
  // A certificate of a part by itself says so.
  const auto one = engine::Verify(Path("R1-2.csv.certificate.json"), {Path("R1-2.csv")}, context_);
  ASSERT_TRUE(one);
  EXPECT_TRUE(one->valid);
  EXPECT_EQ(one->part, 2u);
  EXPECT_EQ(one->parts, 3u);
}

// A part is published as if the others had never been in the table.
TEST_F(PartsTest, OtherPeopleChangeNothing) {
  const std::string policy =
      Write("policy.toml",
            "title = \"Numbers\"\n[columns]\nid = { role = \"identifier\" }\n"
            "age = { role = \"quasi\", type = \"numeric\" }\nillness = { role = \"sensitive\" }\n"
            "[guarantee]\nmodel = \"k\"\nk = 3\n");
  const ledger::Division mine = ledger::Division::Of(1, 2, Read("parts.key"), "parts.key").value();
  Random random = Random::Seeded(5);
  std::string all = "id,age,illness\n", alone = all;
  for (int i = 0; i < 120; ++i) {
    const std::string id = "p" + std::to_string(i);
    const bool ours = mine.Has(id);
    // The others have ages that nobody of ours has.
    const std::string row = id + "," + std::to_string((ours ? 0 : 1000) + random.Below(50)) + "," +
                            (random.Below(2) != 0 ? "flu" : "gout") + "\n";
    all += row;
    if (ours) alone += row;
  }
  ASSERT_TRUE(engine::Publish(Of(policy, Write("all.csv", all), 1, 2), context_));
  contract::PublishRequest request = Request(policy, Write("alone.csv", alone));
  request.out = Path("alone-release.csv");
  ASSERT_TRUE(engine::Publish(request, context_));
  EXPECT_EQ(Read("R1-1.csv"), Read("alone-release.csv"));
}

TEST_F(PartsTest, WhatIsNotOnePopulation) {
  const std::string policy = WritePolicy("model = \"k\"\nk = 3\n");
  const std::string table = WriteTable(200, 2);
  ASSERT_EQ(All(policy, table, 2).size(), 2u);
  EXPECT_TRUE(Verified(Files({1, 2})).valid);
  EXPECT_THAT(Verified(Files({1})).failures, ElementsAre(HasSubstr("Part 2 of 2 is missing")));
  EXPECT_THAT(Verified(Files({2})).failures, ElementsAre(HasSubstr("Part 1 of 2 is missing")));
  // The same part twice, from two vaults.
  contract::PublishRequest again = Of(policy, table, 1, 2);
  again.vault = Path("again");
  again.out = Path("R1-3.csv");
  again.seed = 8;
  ASSERT_TRUE(engine::Publish(again, context_));
  EXPECT_THAT(Verified(Files({1, 2, 3})).failures,
              ElementsAre(HasSubstr("Part 1 of 2 is there more than once")));
  EXPECT_EQ(Verified(Files({1, 3})).failures.size(), 2u) << "one twice, the other missing";
  // Divided by another key: somebody is in both.
  Write("other.key", ledger::Division::NewKey());
  contract::PublishRequest other = Of(policy, table, 2, 2);
  other.part.key = Path("other.key");
  other.vault = Path("other");
  other.out = Path("R1-4.csv");
  ASSERT_TRUE(engine::Publish(other, context_));
  EXPECT_THAT(Verified(Files({1, 4})).failures,
              ElementsAre(HasSubstr("another key that divides people")));
  // Another number of parts, by the same key.
  contract::PublishRequest third = Of(policy, table, 2, 3);
  third.vault = Path("third");
  third.out = Path("R1-5.csv");
  ASSERT_TRUE(engine::Publish(third, context_));
  EXPECT_FALSE(Verified(Files({1, 5})).valid);
  // A whole table.
  contract::PublishRequest whole = Request(policy, table);
  whole.out = Path("R1-6.csv");
  ASSERT_TRUE(engine::Publish(whole, context_));
  EXPECT_FALSE(Verified(Files({1, 2, 6})).valid);
  EXPECT_FALSE(Verified(Files({6})).valid);
  // Another guarantee.
  contract::PublishRequest weaker =
      Of(WritePolicy("model = \"k\"\nk = 2\n", "weaker.toml"), table, 2, 2);
  weaker.vault = Path("weaker");
  weaker.out = Path("R1-7.csv");
  ASSERT_TRUE(engine::Publish(weaker, context_));
  EXPECT_THAT(Verified(Files({1, 7})).failures, ElementsAre(HasSubstr("another guarantee")));
  // Files that are missing or too many.
  std::vector<std::string> files = Files({1, 2});
  files.erase(files.begin());
  EXPECT_FALSE(engine::VerifyParts(files, context_));
  files = Files({1, 2});
  files.push_back(table);
  EXPECT_FALSE(engine::VerifyParts(files, context_));
  EXPECT_FALSE(engine::VerifyParts({Path("R1-1.csv")}, context_));
}

TEST_F(PartsTest, AChangedReleaseOrCertificateIsNoticed) {
  const std::string policy = WritePolicy("model = \"k\"\nk = 3\n");
  ASSERT_EQ(All(policy, WriteTable(200, 3), 2).size(), 2u);
  const std::string certificate = Read("R1-2.csv.certificate.json");
  // Somebody says that part 2 is part 1.
  std::string bent = certificate;
  bent.replace(bent.find("\"number\": 2"), 11, "\"number\": 1");
  Write("R1-2.csv.certificate.json", bent);
  EXPECT_FALSE(Verified(Files({1, 2})).valid);
  for (const auto& [from, to] : std::map<std::string, std::string>{
           {"\"number\": 2", "\"number\": 3"}, {"\"of\": 2", "\"of\": 1"}}) {
    bent = certificate;
    bent.replace(bent.find(from), from.size(), to);
    Write("R1-2.csv.certificate.json", bent);
    EXPECT_FALSE(engine::VerifyParts(Files({1, 2}), context_)) << to;
  }
  Write("R1-2.csv.certificate.json", certificate);
  EXPECT_TRUE(Verified(Files({1, 2})).valid);
  Write("R1-2.csv", Read("R1-2.csv") + "x");
  EXPECT_FALSE(engine::VerifyParts(Files({1, 2}), context_));
}

TEST_F(PartsTest, AVaultIsOfItsPart) {
  const std::string policy = WritePolicy("model = \"bcf\"\nk = 2\n");
  const std::string table = WriteTable(200, 4);
  ExpectRefused(
      [&] {
        auto request = Of(policy, table, 1, 2);
        request.part.key.clear();
        return request;
      }(),
      ErrorCode::kUsage, "needs the key");
  ExpectRefused(
      [&] {
        auto request = Of(policy, table, 1, 2);
        request.part.part.clear();
        return request;
      }(),
      ErrorCode::kUsage, "no part");
  for (const char* wrong : {"0/2", "3/2", "1/1", "2", "/", "1/2/3", "a/b", "-1/2", "1/10001"}) {
    auto request = Of(policy, table, 1, 2);
    request.part.part = wrong;
    ExpectRefused(request, ErrorCode::kUsage, "is not one of several parts");
  }
  ExpectRefused(
      [&] {
        auto request = Of(policy, table, 1, 2);
        request.part.key = table;
        return request;
      }(),
      ErrorCode::kInput, "not a key");
  ASSERT_EQ(All(policy, table, 2).size(), 2u);
  auto next = Of(policy, table, 1, 2, 2);
  next.part.part = "2/2";
  ExpectRefused(next, ErrorCode::kInput, "this vault is of part 1/2");
  Write("other.key", ledger::Division::NewKey());
  next = Of(policy, table, 1, 2, 2);
  next.part.key = Path("other.key");
  ExpectRefused(next, ErrorCode::kInput, "by another key");
  // It knows its part.
  next.part = {};
  const auto second = engine::Publish(next, context_);
  ASSERT_TRUE(second) << second.error().ToString();
  EXPECT_EQ(second->part, 1u);
  EXPECT_EQ(second->rows_in + second->passed_over, 200u);
  EXPECT_EQ(second->newcomers, 0u) << "everybody stays in their part";
  // One of whole tables stays so.
  auto whole = Request(policy, table);
  ASSERT_TRUE(engine::Publish(whole, context_));
  whole.out = Path("again.csv");
  whole.part = {"1/2", Path("parts.key")};
  ExpectRefused(whole, ErrorCode::kInput, "are of whole tables");
}

TEST_F(PartsTest, WhoHasNoParts) {
  const std::string table = WriteTable(60, 5);
  std::string text = Read(WritePolicy("model = \"k\"\nk = 2\n").substr(Path("").size()));
  text.replace(text.find("\"identifier\""), 12, "\"drop\"");
  ExpectRefused(Of(Write("nobody.toml", text), table, 1, 2), ErrorCode::kInput,
                "divided by their identifiers");
  const std::string linked =
      WritePolicy("model = \"xy\"\n[[guarantee.anonymity]]\nx = [\"age\"]\ny = [\"sex\"]\nk = 2\n",
                  "linked.toml");
  auto request = Of(linked, table, 1, 2);
  request.priors = {{"prior", table}};
  const auto report = engine::Publish(request, context_);
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().ToString(), HasSubstr("has no parts"));
}

TEST_F(PartsTest, Check) {
  const std::string policy = WritePolicy("model = \"k\"\nk = 3\n");
  const std::string table = WriteTable(200, 6);
  const auto checked =
      engine::Check(policy, {table}, context_, {}, false, {"1/2", Path("parts.key")});
  EXPECT_THAT(checked.problems, IsEmpty());
  EXPECT_THAT(checked.notes, ::testing::Contains(HasSubstr("rows are of other parts than 1/2")));
  EXPECT_EQ(engine::Check(policy, {table}, context_, {}, false, {"1/2", ""}).problems.size(), 1u);
  EXPECT_THAT(engine::Check(policy, {table}, context_).problems, IsEmpty());
  EXPECT_EQ(context_.division, nullptr);
}

// Two releases of a growing table in two parts, with states in small pieces.
TEST_F(PartsTest, AGrowingTableInPartsAndPieces) {
  context_.piece_bytes = 50;  // two people and a half
  const std::string policy = WritePolicy("model = \"bcf\"\nk = 2\n");
  WriteTable(120, 7, "all.csv");
  const std::string all = Read("all.csv");
  std::size_t end = 0;
  for (int line = 0; line <= 90; ++line) end = all.find('\n', end) + 1;
  ASSERT_EQ(All(policy, Write("first.csv", all.substr(0, end)), 2, 1).size(), 2u);
  const auto second = All(policy, Path("all.csv"), 2, 2);
  ASSERT_EQ(second.size(), 2u);
  EXPECT_EQ(*second[0].newcomers + *second[1].newcomers, 30u);
  const contract::VerifyReport verified = Verified(Files({1, 2}, 2));
  EXPECT_TRUE(verified.valid) << ::testing::PrintToString(verified.failures);
  EXPECT_EQ(verified.release, 2u);
  for (const int part : {1, 2}) {
    const std::string home = Path("vault-" + std::to_string(part));
    auto vault = ledger::Vault::Open(context_.files, home, ledger::Access::kUnseal, {true, {}});
    ASSERT_TRUE(vault) << vault.error().ToString();
    EXPECT_EQ(vault->format(), 5u);
    EXPECT_EQ(vault->Unseal("persons")->value().size(), 20 * second[part - 1].rows_in);
    // As a copy it goes on.
    const std::string exported = vault->Export().value();
    vault = Error{};
    std::filesystem::remove_all(home);
    ASSERT_TRUE(ledger::Vault::Import(context_.files, exported, "x", home, {true, {}}));
  }
  for (const auto& report : All(policy, Path("all.csv"), 2, 3)) EXPECT_EQ(report.newcomers, 0u);
  // Parts that are not equally far.
  std::vector<std::string> files = Files({1}, 3);
  const std::vector<std::string> behind = Files({2}, 2);
  files.insert(files.end(), behind.begin(), behind.end());
  EXPECT_THAT(Verified(files).failures, ElementsAre(HasSubstr("another number of releases")));
}

TEST_F(PartsTest, ProportionsOfTheUnionAreMeasuredAnew) {
  // Two parts whose people differ: each close to its own, and not to all.
  const std::string policy = WritePolicy("model = \"k\"\nk = 2\nt = 0.2\n");
  const ledger::Division first = ledger::Division::Of(1, 2, Read("parts.key"), "parts.key").value();
  std::string table = "id,age,sex,illness,note\n";
  for (int i = 0; i < 200; ++i) {
    const std::string id = "p" + std::to_string(i);
    table += id + "," + (first.Has(id) ? "21,f,flu" : "44,m,HIV") + ",x\n";
  }
  ASSERT_EQ(All(policy, Write("t.csv", table), 2).size(), 2u);
  const contract::VerifyReport verified = Verified(Files({1, 2}));
  EXPECT_FALSE(verified.valid);
  EXPECT_THAT(verified.failures, ElementsAre(HasSubstr("All parts together do not keep \"t\"")));
  EXPECT_EQ(verified.verdict(), contract::Verdict::kBroken);
}

// Models with groups: nobody's group has people of two parts.
TEST_F(PartsTest, GroupsOfPersons) {
  const auto people = [&](const std::string& extra) {
    return "title = \"Groups\"\n[columns]\nid = { role = \"identifier\" }\n"
           "age = { role = \"quasi\", type = \"numeric\" }\n"
           "illness = { role = \"sensitive\" }\n[guarantee]\n" +
           extra;
  };
  Random random = Random::Seeded(9);
  std::string table = "id,age,illness\n";
  for (int i = 0; i < 120; ++i) {
    table += "p" + std::to_string(i) + "," + std::to_string(20 + random.Below(40)) + "," +
             "abcd"[random.Below(4)] + "\n";
  }
  Write("t.csv", table);
  int vault = 10;
  for (const std::string& model :
       {std::string("model = \"m-invariance\"\nm = 2\n"),
        std::string("model = \"j-similarity\"\nk = 2\nj = 0.9\nbeta = 9\n")}) {
    SCOPED_TRACE(model);
    const std::string policy = Write("groups.toml", people(model));
    std::vector<std::string> files;
    std::uint64_t rows = 0;
    for (const int part : {1, 2}) {
      auto request = Of(policy, Path("t.csv"), part, 2);
      request.vault = Path("vault-" + std::to_string(++vault));
      request.out = Path("G" + std::to_string(vault) + ".csv");
      const auto report = engine::Publish(request, context_);
      ASSERT_TRUE(report) << report.error().ToString();
      EXPECT_EQ(report->rows_in + report->passed_over, 120u);
      rows += report->rows_in;
      files.push_back(request.out);
      files.push_back(request.out + ".certificate.json");
    }
    EXPECT_EQ(rows, 120u);
    const contract::VerifyReport verified = Verified(files);
    EXPECT_TRUE(verified.valid) << ::testing::PrintToString(verified.failures);
  }
}

TEST_F(PartsTest, ADryRunSeesThePart) {
  const std::string policy = WritePolicy("model = \"k\"\nk = 3\n");
  const auto dry = engine::DryRun(Of(policy, WriteTable(200, 8), 2, 3), context_);
  ASSERT_TRUE(dry) << dry.error().ToString();
  EXPECT_EQ(dry->publication.rows_in + dry->publication.passed_over, 200u);
  EXPECT_TRUE(dry->cost.has_value()) << dry->cost_problem;
  EXPECT_FALSE(std::filesystem::exists(Path("vault-2")));
}

}  // namespace
}  // namespace reissue
