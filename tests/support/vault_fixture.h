#pragma once
// What the tests of the vault share: a directory of their own, releases made in one line, and
// processes that die on the way. For tests only.

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "reissue/io/csv.h"
#include "reissue/io/file_system.h"
#include "reissue/ledger/vault.h"

namespace reissue::ledger {

inline std::string ReadAll(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream content;
  content << in.rdbuf();
  return content.str();
}

inline void WriteAll(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
}

class VaultTest : public testing::Test {
 protected:
  using Secrets = std::vector<std::pair<std::string, std::string>>;

  VaultTest() {
    // Memory where there is some to be had: what is tested here does not depend on the disk.
    const bool memory = ::access("/dev/shm", W_OK) == 0;
    std::string pattern =
        std::string(memory ? "/dev/shm" : testing::TempDir()) + "/reissue-vault-XXXXXX";
    root_ = ::mkdtemp(pattern.data());
    home_ = root_ + "/vault";
  }
  ~VaultTest() override { std::filesystem::remove_all(root_); }

  static VaultPolicy SomePolicy() {
    return {"bcf", "Entlassungen – Köln", "title = \"x\"\n[guarantee]\nk = 5\n", "00ff",
            "/home/köln/policy.toml"};
  }
  static Passphrase None() { return Passphrase{.none = true, .text = {}}; }

  Result<Vault> Make() { return Vault::Create(files_, home_, SomePolicy(), None()); }
  Result<Vault> OpenToWrite() { return Vault::Open(files_, home_, Access::kWrite, None()); }
  Result<Vault> OpenToRead() { return Vault::Open(files_, home_, Access::kRead); }

  std::string Target(const std::string& name) const { return root_ + "/" + name; }

  // A temporary that is complete and synced, as an engine would make it.
  static Result<Vault::Pending> Pend(io::FileSystem& files, Vault& vault, const std::string& target,
                                     const std::string& content, Secrets secrets = {}) {
    Vault::Pending pending;
    pending.record.target = target;
    pending.record.digest = io::Digest(content);
    pending.record.certificate = "{\"of\":\"" + target + "\"}";
    pending.record.created = "2026-01-02T03:04:05Z";
    pending.record.rows = 17;
    pending.record.set_aside = 2;
    pending.certificate_file = target + ".certificate.json";
    pending.secrets = std::move(secrets);
    pending.temporary = REISSUE_TRY(vault.Reserve(target));
    auto file = REISSUE_TRY(files.Create(pending.temporary, false));
    REISSUE_TRY(file->Append(content));
    REISSUE_TRY(file->Sync());
    REISSUE_TRY(file->Close());
    return pending;
  }

  static Status Publish(io::FileSystem& files, Vault& vault, const std::string& target,
                        const std::string& content, Secrets secrets = {}) {
    Vault::Pending pending = REISSUE_TRY(Pend(files, vault, target, content, std::move(secrets)));
    const std::uint32_t number = REISSUE_TRY(vault.Prepare(std::move(pending)));
    return vault.Commit(number);
  }
  Status Publish(Vault& vault, const std::string& name, Secrets secrets = {}) {
    return Publish(files_, vault, Target(name), "content of " + name, std::move(secrets));
  }

  // Runs `body` in a process that ends without destructors, as if it had been killed.
  static void InDyingProcess(const std::function<bool()>& body) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) ::_exit(body() ? 0 : 1);
    int outcome = 0;
    ASSERT_EQ(::waitpid(child, &outcome, 0), child);
    ASSERT_TRUE(WIFEXITED(outcome) && WEXITSTATUS(outcome) == 0) << "the dying process failed";
  }

  // Files whose names say that they are temporaries.
  std::vector<std::string> Temporaries() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(root_)) {
      const std::string name = entry.path().filename().string();
      if (name.ends_with(".tmp")) names.push_back(name);
    }
    return names;
  }

  // Meddles with the database behind the vault's back.
  void Meddle(const std::string& sql) const {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open((home_ + "/vault.db").c_str(), &database), SQLITE_OK);
    char* message = nullptr;
    const int code = sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message);
    EXPECT_EQ(code, SQLITE_OK) << message;
    sqlite3_free(message);
    sqlite3_close(database);
  }

  io::FileSystem& files_ = io::SystemFiles();
  std::string root_;
  std::string home_;
};

// The value, or a test failure that shows the error.
#define ASSERT_VALUE(result) ASSERT_TRUE((result).has_value()) << (result).error().ToString()
#define EXPECT_VALUE(result) EXPECT_TRUE((result).has_value()) << (result).error().ToString()

}  // namespace reissue::ledger
