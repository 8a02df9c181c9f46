// Releases that are tables, of a model that does as it is told, on a server in memory.

#include "reissue/contract/table_release.h"

#include <nlohmann/json.hpp>

#include "files_fixture.h"
#include "memory_target.h"
#include "reissue/contract/certificate.h"
#include "reissue/contract/model.h"
#include "reissue/contract/publication.h"

namespace reissue::contract {
namespace {

using ::reissue::testing::MemoryServer;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Publishes "*" twice, and reads what came back.
class TableToy : public Publication {
 public:
  using Publication::Publication;

 private:
  Result<Loaded> Load() override { return Loaded{2, 0, "digest of the table"}; }
  Result<Planned> Plan() override { return Planned{2, 0, 0}; }
  Status Write(const std::string& path) override {
    REISSUE_CHECK(context().target != nullptr && path == context().target->name());
    return context().target->Write({{"sex"}, {{"*"}}, {0}, {2}}, random());
  }
  Result<Proof> Attack(const std::string& path, const std::vector<std::string>&) override {
    binding::Context files = context().OfFiles();
    const auto release = REISSUE_TRY(binding::LoadRelease(columns(), path, files));
    Proof proof;
    proof.digest = release.digest;
    proof.audit.model = promise().model;
    proof.audit.rows = release.table.total();
    proof.kept = release.table[release.quasi[0]].dictionary().Find("*").has_value();
    proof.audit.promises.push_back({"k", 2, 2, true});
    return proof;
  }
  void Certify(nlohmann::ordered_json& certificate) const override {
    certificate["recoding"] = RecodingJson(report());
  }
};

class TableReleaseTest : public FilesTest {
 protected:
  TableReleaseTest() : server_(pool_) {
    Write("sex.csv", "f;*\nm;*\n");
    policy_ = io::ReadPolicy(context_.files,
                             Write("p.toml",
                                   "[columns]\nsex = { role = \"quasi\", taxonomy = \"sex.csv\" }\n"
                                   "[guarantee]\nmodel = \"toy\"\n"))
                  .value();
    auto promise = std::make_shared<Promise>();
    promise->model = "toy";
    promise_ = promise;
    context_.server = &server_;
    Ask("w.r1");
    request_.vault = Path("vault");
    request_.passphrase.none = true;
    request_.created = "2026-01-02T03:04:05Z";
  }
  void Ask(const std::string& table) {
    request_.out_table = table;
    request_.certificate = Path(table + ".certificate.json");
    server_.steps.clear();
  }
  Result<PublishReport> Run() {
    return TableToy(PublishTask{request_, policy_, promise_}, traits_, context_).Run();
  }
  Result<ledger::Vault> Open(ledger::Access access = ledger::Access::kWrite) {
    return ledger::Vault::Open(context_.files, Path("vault"), access, request_.passphrase,
                               AskServer(context_));
  }
  // Vault and server say the same, and nothing lies about.
  void ExpectReleases(const std::vector<std::string>& tables) {
    auto vault = Open();
    ASSERT_TRUE(vault) << vault.error().ToString();
    const auto history = vault->History();
    ASSERT_TRUE(history) << history.error().ToString();
    std::vector<std::string> known, there;
    for (const ledger::ReleaseRecord& record : *history) known.push_back(record.target);
    for (const auto& [name, rows] : server_.committed) there.push_back(name);
    EXPECT_EQ(known, tables);
    EXPECT_EQ(there, tables);
    for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
      EXPECT_THAT(entry.path().filename().string(), ::testing::Not(HasSubstr(".tmp")));
    }
  }

  MemoryServer server_;
  Traits traits_{.name = "toy", .about = "two rows", .series = true};
  io::Policy policy_;
  PromisePtr promise_;
  PublishRequest request_;
};

TEST_F(TableReleaseTest, IsReadBackBeforeTheVaultKnowsAndCommittedAfter) {
  server_.at_commit = [&]() -> Status {
    // The intent is there already: whoever dies now leaves it to be asked about.
    server_.silent = true;
    auto reader = Open(ledger::Access::kRead);
    EXPECT_THAT(reader->History().error().ToString(), HasSubstr("w.r1"));
    server_.silent = false;
    server_.steps.pop_back();  // that question
    return Ok();
  };
  const auto report = Run();
  ASSERT_TRUE(report) << report.error().ToString();
  EXPECT_THAT(server_.steps, ElementsAre("open", "open", "write", "read back", "seal", "commit"));
  EXPECT_EQ(report->out, "w.r1");
  EXPECT_TRUE(report->table);
  ExpectReleases({"w.r1"});
  const auto certificate = Certificate::Parse(Read("w.r1.certificate.json"), "c");
  ASSERT_TRUE(certificate) << certificate.error().ToString();
  EXPECT_TRUE(certificate->table);
  EXPECT_EQ(certificate->digest, report->digest);
  EXPECT_TRUE(certificate->unchanged);
}

TEST_F(TableReleaseTest, GoesOnWithTablesAndFiles) {
  ASSERT_TRUE(Run());
  Ask("w.r2");
  const auto second = Run();
  ASSERT_TRUE(second) << second.error().ToString();
  EXPECT_EQ(second->release, 2u);
  ExpectReleases({"w.r1", "w.r2"});
  // The mark lies beside the certificates.
  bool marked = false;
  for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
    marked = marked || entry.path().extension() == ".mark";
  }
  EXPECT_TRUE(marked);
}

TEST_F(TableReleaseTest, WhatIsWrongIsToldBeforeTheTableIsRead) {
  ASSERT_TRUE(Run());
  request_.certificate = Path("other.certificate.json");
  EXPECT_THAT(Run().error().ToString(), HasSubstr("of that name already"));
  Ask("w.r2");
  request_.certificate = Path("w.r1.certificate.json");
  EXPECT_THAT(Run().error().ToString(), HasSubstr("exists already"));
  request_.certificate = Path("vault/c.certificate.json");
  EXPECT_THAT(Run().error().ToString(), HasSubstr("inside the vault"));
  request_.certificate = Path("no/c.certificate.json");
  EXPECT_THAT(Run().error().ToString(), HasSubstr("directory that exists"));
  request_.certificate = Path("c.json");
  EXPECT_THAT(Run().error().ToString(), HasSubstr("does not end in"));
  context_.server = nullptr;
  request_.certificate.clear();
  EXPECT_THAT(Run().error().ToString(), HasSubstr("-d CONNINFO"));
}

// Bugs on purpose: what is on the server is what is judged.
TEST_F(TableReleaseTest, AServerThatHasSomethingElseIsNotedInTime) {
  server_.spoil = [](sources::PublishedRows& rows) { rows.texts[0][0] = "f"; };
  EXPECT_THAT(Run().error().ToString(), HasSubstr("bug of reissue"));
  server_.spoil = [](sources::PublishedRows& rows) { rows.counts[0] = 1; };
  EXPECT_THAT(Run().error().ToString(), HasSubstr("other rows than were planned"));
  ExpectReleases({});
}

TEST_F(TableReleaseTest, ACommitThatFailsLeavesNothing) {
  server_.at_commit = [] { return Status(MachineError("the server has taken it back")); };
  EXPECT_THAT(Run().error().ToString(), HasSubstr("taken it back"));
  ExpectReleases({});
  server_.at_commit = nullptr;
  ASSERT_TRUE(Run());
  ExpectReleases({"w.r1"});
}

TEST_F(TableReleaseTest, ACommitWhoseAnswerIsLostIsAskedAbout) {
  server_.after_commit = [] { return Status(MachineError("the connection broke")); };
  const auto report = Run();
  EXPECT_TRUE(report) << report.error().ToString();
  EXPECT_EQ(server_.steps.back(), "ask");
  ExpectReleases({"w.r1"});
}

TEST_F(TableReleaseTest, NothingIsGuessedWhileTheServerIsSilent) {
  server_.after_commit = [&] {
    server_.silent = true;
    return Status(MachineError("the connection broke"));
  };
  EXPECT_THAT(Run().error().ToString(), HasSubstr("not known whether release 1"));
  server_.after_commit = nullptr;
  Ask("w.r2");
  EXPECT_THAT(Run().error().ToString(), HasSubstr("only its server knows"));
  server_.silent = false;
  const auto report = Run();
  ASSERT_TRUE(report) << report.error().ToString();
  EXPECT_EQ(report->release, 2u);
  ExpectReleases({"w.r1", "w.r2"});
}

}  // namespace
}  // namespace reissue::contract
