#include "reissue/contract/publication.h"

#include <functional>
#include <nlohmann/json.hpp>

#include "faulty_file_system.h"
#include "files_fixture.h"
#include "reissue/contract/certificate.h"
#include "reissue/contract/model.h"

namespace reissue::contract {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Notes its steps, and does wrong what a test asks for.
class ToyPublication : public Publication {
 public:
  using Publication::Publication;
  std::vector<std::string> steps;
  std::function<void(Proof&)> spoil = [](Proof&) {};
  std::function<void()> meanwhile = [] {};  // while the table is read

 private:
  Status Refuse() override { return Note("refuse"); }
  Status Recall() override { return Note("recall"); }
  Result<Loaded> Load() override {
    steps.emplace_back("load");
    meanwhile();
    return Loaded{2, 0, "digest of the table"};
  }
  Result<Planned> Plan() override {
    steps.emplace_back("plan");
    return Planned{2, 0, 0};
  }
  Status Write(const std::string& path) override {
    steps.emplace_back("write");
    const auto file = REISSUE_TRY(context().files.Create(path, /*owner_only=*/true));
    REISSUE_TRY(file->Append("sex\n*\n*\n"));
    REISSUE_TRY(file->Sync());
    return file->Close();
  }
  Result<Proof> Attack(const std::string& path, const std::vector<std::string>&) override {
    steps.emplace_back("attack");
    const auto bytes = REISSUE_TRY(context().files.Read(path));
    Proof proof;
    proof.digest = io::Digest(bytes->view());
    proof.kept = true;
    proof.audit.model = promise().model;
    proof.audit.rows = 2;
    proof.audit.promises.push_back({"k", 2, 2, true});
    spoil(proof);
    return proof;
  }
  Status WriteHolderCopy(const std::string& path) override { return Write(path); }
  void Certify(nlohmann::ordered_json& certificate) const override {
    certificate["recoding"] = RecodingJson(report());
  }
  Status Note(const char* step) {
    steps.emplace_back(step);
    return Ok();
  }
};

class PublicationTest : public FilesTest {
 protected:
  PublicationTest() {
    Write("sex.csv", "f;*\nm;*\n");
    policy_ = io::ReadPolicy(context_.files,
                             Write("p.toml",
                                   "[columns]\nsex = { role = \"quasi\", taxonomy = \"sex.csv\" }\n"
                                   "[guarantee]\nmodel = \"toy\"\n"))
                  .value();
    auto promise = std::make_shared<Promise>();
    promise->model = "toy";
    promise_ = promise;
    request_.vault = Path("vault");
    request_.out = Path("R1.csv");
    request_.passphrase.none = true;
    request_.created = "2026-01-02T03:04:05Z";
  }
  std::unique_ptr<ToyPublication> Start() {
    return std::make_unique<ToyPublication>(PublishTask{request_, policy_, promise_}, traits_,
                                            context_);
  }
  // The publication ends with an error that says so, and leaves nothing.
  void ExpectBug(const std::function<void(Proof&)>& bug, const std::string& words) {
    request_.holder_copy = Path("H1.csv");
    auto wrong = Start();
    wrong->spoil = bug;
    const auto report = wrong->Run();
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().code, ErrorCode::kMachine);
    EXPECT_THAT(report.error().ToString(), HasSubstr("bug of reissue"));
    EXPECT_THAT(report.error().ToString(), HasSubstr(words));
    wrong.reset();
    ExpectNothingLeft();
    ExpectNothingPublished();
  }
  // Before anybody looks into the vault again, which would clear up as well.
  void ExpectNothingLeft() {
    for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
      EXPECT_THAT(entry.path().filename().string(), ::testing::Not(HasSubstr("R1.csv")));
      EXPECT_THAT(entry.path().filename().string(), ::testing::Not(HasSubstr("H1.csv")));
    }
  }
  // What is out, and what the vault knows, after whatever it was has ended.
  void ExpectNothingPublished() {
    EXPECT_FALSE(context_.files.Exists(Path("R1.csv")));
    EXPECT_FALSE(context_.files.Exists(Path("R1.csv.certificate.json")));
    auto vault = ledger::Vault::Open(context_.files, Path("vault"), ledger::Access::kWrite,
                                     request_.passphrase);
    ASSERT_TRUE(vault) << vault.error().ToString();
    EXPECT_TRUE(vault->History()->empty());
    for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
      EXPECT_THAT(entry.path().filename().string(), ::testing::Not(HasSubstr("R1.csv")));
    }
  }

  Traits traits_{.name = "toy", .about = "two rows", .series = true};
  io::Policy policy_;
  PromisePtr promise_;
  PublishRequest request_;
};

// What may become of a directory.
struct Mishap {
  const char* name;
  bool removes;  // the files too
  std::function<void(const std::string& directory)> happens;
};
const std::vector<Mishap>& Mishaps() {
  namespace fs = std::filesystem;
  static const std::vector<Mishap> mishaps = {
      {"removed", true, [](const std::string& d) { fs::remove_all(d); }},
      {"moved", false, [](const std::string& d) { fs::rename(d, d + "-moved"); }},
      {"removed and made anew", true,
       [](const std::string& d) {
         fs::remove_all(d);
         fs::create_directory(d);
       }},
      {"replaced by another one", false,
       [](const std::string& d) {
         fs::rename(d, d + "-moved");
         fs::create_directory(d);
       }},
      {"replaced by a link to another one", false,
       [](const std::string& d) {
         fs::rename(d, d + "-moved");
         fs::create_directory(d + "-public");
         fs::create_directory_symlink(d + "-public", d);
       }},
  };
  return mishaps;
}

// When it happens: while the table is read, when the files are written, when the vault knows them.
enum class Moment { kLoad, kAttack, kCommit };

// A disk on which something happens before the release gets its name.
class TreacherousFiles : public io::FaultyFileSystem {
 public:
  using FaultyFileSystem::FaultyFileSystem;
  std::function<void()> happens;

 private:
  Status Rename(const std::string& from, const std::string& to, bool replace) override {
    if (happens && to.ends_with("/held-R1.csv")) std::exchange(happens, nullptr)();
    return FaultyFileSystem::Rename(from, to, replace);
  }
};

// A private file belongs into its directory or nowhere, and success is not told where the release
// is not what its name leads to.
class MovedDirectoryTest : public PublicationTest,
                           public ::testing::WithParamInterface<std::tuple<Moment, std::size_t>> {
 protected:
  Moment moment() const { return std::get<0>(GetParam()); }
  const Mishap& mishap() const { return Mishaps()[std::get<1>(GetParam())]; }

  // Files with the name of the holder's copy or of the release, wherever they are, temporaries too.
  std::vector<std::string> Found() const {
    std::vector<std::string> found;
    const auto look = [&](const std::filesystem::directory_entry& entry) {
      const std::string name = entry.path().filename().string();
      if (name.find("held-") != std::string::npos) found.push_back(entry.path().string());
    };
    namespace fs = std::filesystem;
    for (const auto& entry : fs::directory_iterator(fs::current_path())) look(entry);
    for (const auto& entry : fs::recursive_directory_iterator(directory_)) look(entry);
    return found;
  }

  void Lose(const std::string& which) {
    const std::string root = Path(which + "-case");
    for (const char* part : {"", "/holder", "/release"}) {
      std::filesystem::create_directory(root + part);
    }
    const std::string lost = root + "/" + which;
    request_.vault = root + "/vault";
    request_.out = root + "/release/held-R1.csv";
    request_.holder_copy = root + "/holder/held-H1.csv";
    TreacherousFiles files(io::SystemFiles());
    binding::Context context{files, pool_, progress_};
    ToyPublication publication({request_, policy_, promise_}, traits_, context);
    const auto happens = [&] { mishap().happens(lost); };
    if (moment() == Moment::kLoad) publication.meanwhile = happens;
    if (moment() == Moment::kAttack) publication.spoil = [&](Proof&) { happens(); };
    if (moment() == Moment::kCommit) files.happens = happens;
    const auto report = publication.Run();
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().code, ErrorCode::kMachine);
    EXPECT_THAT(report.error().ToString(), HasSubstr(lost));
  }
};

TEST_P(MovedDirectoryTest, LeavesNoPrivateFileAnywhereAndIsToldOf) {
  SCOPED_TRACE(mishap().name);
  for (const std::string which : {"holder", "release"}) {
    Lose(which);
    if (moment() == Moment::kCommit && which == "release" && mishap().removes) {
      // What is gone once the vault knew it may have been seen: the vault waits for the directory,
      // and the holder's copy with it, in its place.
      EXPECT_THAT(Found(), ElementsAre(HasSubstr(which + "-case/holder/.held-H1.csv")));
      continue;
    }
    if (moment() == Moment::kCommit && which == "holder") {
      // The release is out by then; its holder's copy is where it was written, or nowhere.
      for (const std::string& file : Found()) {
        if (file.find("held-H1") == std::string::npos) continue;
        EXPECT_THAT(file, HasSubstr("holder-case/holder-moved/.held-H1.csv"));
        EXPECT_EQ(std::filesystem::status(file).permissions(),
                  std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
      }
      auto vault = ledger::Vault::Open(context_.files, request_.vault, ledger::Access::kRead, {});
      ASSERT_TRUE(vault) << vault.error().ToString();
      EXPECT_EQ(vault->History()->size(), 1u);
      std::filesystem::remove_all(Path("holder-case"));
      continue;
    }
    EXPECT_THAT(Found(), ElementsAre());
    auto vault = ledger::Vault::Open(context_.files, request_.vault, ledger::Access::kRead, {});
    ASSERT_TRUE(vault) << vault.error().ToString();
    EXPECT_TRUE(vault->History()->empty());
  }
}

INSTANTIATE_TEST_SUITE_P(AnyTime, MovedDirectoryTest,
                         ::testing::Combine(::testing::Values(Moment::kLoad, Moment::kAttack,
                                                              Moment::kCommit),
                                            ::testing::Range<std::size_t>(0, 5)));

// The directory is what it was, but a link on the way to it leads elsewhere now.
TEST_F(PublicationTest, ALinkThatIsTurnedAwayIsToldOf) {
  for (const char* name : {"real", "other"}) std::filesystem::create_directory(Path(name));
  std::filesystem::create_directory_symlink(Path("real"), Path("link"));
  request_.out = Path("link/R1.csv");
  auto publication = Start();
  publication->spoil = [&](Proof&) {
    std::filesystem::remove(Path("link"));
    std::filesystem::create_directory_symlink(Path("other"), Path("link"));
  };
  const auto report = publication->Run();
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().ToString(), HasSubstr(Path("link") + ": this directory was removed"));
  publication.reset();
  EXPECT_TRUE(std::filesystem::is_empty(Path("real")));
  EXPECT_TRUE(std::filesystem::is_empty(Path("other")));
}

TEST_F(PublicationTest, TakesTheStepsInTheirOrder) {
  auto first = Start();
  const auto report = first->Run();
  ASSERT_TRUE(report) << report.error().ToString();
  EXPECT_THAT(first->steps, ElementsAre("refuse", "load", "plan", "write", "attack"));
  EXPECT_EQ(Read("R1.csv"), "sex\n*\n*\n");
  first.reset();
  request_.out = Path("R2.csv");
  auto second = Start();
  ASSERT_TRUE(second->Run());
  EXPECT_THAT(second->steps, ElementsAre("refuse", "recall", "load", "plan", "write", "attack"));
}

// Planted bugs: a publisher that is beaten, one that reads nothing back, one that reads back
// something else, one that publishes other rows than it planned.
TEST_F(PublicationTest, WhatTheAdversaryBeatsIsNotPutInPlace) {
  ExpectBug([](Proof& proof) { proof.kept = false; }, "does not find the promise kept");
}

TEST_F(PublicationTest, WhatWasNotReadBackIsNotPutInPlace) {
  ExpectBug([](Proof& proof) { proof.digest.clear(); }, "read back");
  ExpectBug([](Proof& proof) { proof.beside.emplace_back(); }, "read back");
}

TEST_F(PublicationTest, WhatWasReadElsewhereIsNotPutInPlace) {
  auto elsewhere = Start();
  elsewhere->spoil = [](Proof& proof) { proof.digest = io::Digest("something else"); };
  EXPECT_FALSE(elsewhere->Run());
  elsewhere.reset();
  ExpectNothingPublished();
}

TEST_F(PublicationTest, OtherRowsThanPlannedAreNotPutInPlace) {
  ExpectBug([](Proof& proof) { proof.audit.rows = 1; }, "other rows");
}

TEST_F(PublicationTest, NoSecondReleaseOfAModelThatJudgesOneAlone) {
  traits_.series = false;
  ASSERT_TRUE(Start()->Run());
  request_.out = Path("R2.csv");
  const auto again = Start()->Run();
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::kPromise);
  EXPECT_FALSE(context_.files.Exists(Path("R2.csv")));
}

TEST_F(PublicationTest, WhatFilesDoNotTellHasNoNumberInTheCertificate) {
  auto toy = Start();
  toy->spoil = [](Proof& proof) {
    proof.audit.promises = {{"k", 2, 7, true, Basis::kFiles},
                            {"j", 2, 7, true, Basis::kHolder},
                            {"e", 2, 7, true, Basis::kRule},
                            {"i", 2, 7, false, Basis::kOpen}};
  };
  ASSERT_TRUE(toy->Run());
  const Json certificate = Json::parse(Read("R1.csv.certificate.json"));
  EXPECT_EQ(certificate.at("measured").dump(),
            R"([{"promise":"k","asked":2.0,"measured":7.0,"kept":true},)"
            R"({"promise":"j","asked":2.0,"measured":null,"kept":true,"proof":"audited"},)"
            R"({"promise":"e","asked":2.0,"measured":null,"kept":true,"proof":"by rule"},)"
            R"({"promise":"i","asked":2.0,"measured":null,"kept":null}])");
}

TEST_F(PublicationTest, WhatTheHolderSeesBrokenIsNotCertified) {
  auto toy = Start();
  toy->spoil = [](Proof& proof) { proof.audit.promises = {{"j", 2, 7, false, Basis::kHolder}}; };
  EXPECT_DEATH((void)toy->Run(), "promise.kept");
  ExpectNothingPublished();
}

}  // namespace
}  // namespace reissue::contract
