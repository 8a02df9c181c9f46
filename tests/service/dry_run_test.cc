// Publications that are tried out: they find what is then published, and leave no trace.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "reissue/io/rehearsal.h"
#include "series_fixture.h"

namespace reissue {
namespace {

class DryRunTest : public SeriesEngineTest {
 protected:
  std::map<std::string, std::string> Everything() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(directory_)) {
      all[entry.path().string()] =
          entry.is_regular_file() ? io::Digest(BytesAt(entry.path().string())) : "/";
    }
    return all;
  }
  static std::string BytesAt(const std::string& path) {
    return std::string((*io::SystemFiles().Read(path))->view());
  }
};

TEST_F(DryRunTest, FindsWhatIsThenPublished) {
  const std::string policy = WritePolicy("model = \"bcf\"\nk = 3\nrecoding = \"local\"\n");
  const std::string table = WriteTable(60, 1);
  for (std::size_t n = 1; n <= 3; ++n) {
    const std::string grown = WriteTable(60 + 20 * n, 1);
    contract::PublishRequest request = Next(policy, grown, n);
    contract::PublishRequest dry = request;
    dry.out.clear();
    if (n == 1) dry.vault.clear();
    const auto before = Everything();
    const auto tried = engine::DryRun(dry, context_);
    ASSERT_TRUE(tried) << tried.error().ToString();
    EXPECT_EQ(Everything(), before);
    const auto made = engine::Publish(request, context_);
    ASSERT_TRUE(made) << made.error().ToString();
    EXPECT_EQ(tried->publication.digest, io::Digest(BytesAt(request.out)));
    EXPECT_EQ(tried->publication.rows_out, made->rows_out);
    EXPECT_EQ(tried->publication.newcomers, made->newcomers);
    EXPECT_EQ(tried->publication.release, n);
    EXPECT_TRUE(tried->cost) << tried->cost_problem;
    EXPECT_FALSE(tried->publication.vault_unprotected && n == 1);
  }
}

// Somebody who publishes at the same time is not waited for.
TEST_F(DryRunTest, TakesNoLock) {
  const std::string policy = WritePolicy("model = \"bcf\"\nk = 3\n");
  const std::string table = WriteTable(60, 1);
  ASSERT_TRUE(engine::Publish(Next(policy, table, 1), context_));
  const auto open = ledger::Vault::Open(context_.files, Path("vault"), ledger::Access::kWrite,
                                        {.none = true, .text = {}});
  ASSERT_TRUE(open);
  EXPECT_FALSE(engine::Publish(Next(policy, table, 2), context_));
  const auto tried = engine::DryRun(Next(policy, table, 2), context_);
  EXPECT_TRUE(tried) << tried.error().ToString();
}

TEST_F(DryRunTest, RefusesWhatAPublicationRefuses) {
  const std::string policy = WritePolicy("model = \"bcf\"\nk = 3\n");
  const std::string table = WriteTable(60, 1);
  contract::PublishRequest request = Next(policy, table, 1);
  Write("1.csv", "something else");
  const auto taken = engine::DryRun(request, context_);
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().message, engine::Publish(request, context_).error().message);
  std::filesystem::remove(Path("1.csv"));
  ASSERT_TRUE(engine::Publish(request, context_));
  // Somebody has left.
  request = Next(policy, WriteTable(50, 1), 2);
  const auto vanished = engine::DryRun(request, context_);
  ASSERT_FALSE(vanished);
  EXPECT_EQ(vanished.error().message, engine::Publish(request, context_).error().message);
  // Another policy.
  request = Next(WritePolicy("model = \"bcf\"\nk = 4\n"), WriteTable(60, 1), 2);
  const auto other = engine::DryRun(request, context_);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().message, engine::Publish(request, context_).error().message);
}

// What would be written nowhere else is not written either: the file system says so.
TEST_F(DryRunTest, NothingReachesTheDisk) {
  class NeverWritten : public io::FileSystem {
   public:
    Result<std::unique_ptr<io::Bytes>> Read(const std::string& path) override {
      return io::SystemFiles().Read(path);
    }
    Result<std::unique_ptr<io::WritableFile>> Create(const std::string&, bool) override {
      return Written();
    }
    Status Rename(const std::string&, const std::string&, bool) override { return Written(); }
    Status Remove(const std::string&) override { return Written(); }
    Status MakePublic(const std::string&) override { return Written(); }
    Status SyncDirectory(const std::string&) override { return Written(); }
    Status CreateDirectory(const std::string&, bool) override { return Written(); }
    bool Exists(const std::string& path) override { return io::SystemFiles().Exists(path); }
    static Error Written() {
      ADD_FAILURE() << "something is written";
      return MachineError("written", "");
    }
  };
  const std::string policy = WritePolicy("model = \"k\"\nk = 3\n");
  NeverWritten files;
  binding::Context context{files, context_.pool, context_.progress};
  const auto tried = engine::DryRun(Request(policy, WriteTable(60, 1)), context);
  EXPECT_TRUE(tried) << tried.error().ToString();
}

}  // namespace
}  // namespace reissue
