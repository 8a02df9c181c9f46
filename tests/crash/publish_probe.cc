// The smallest publisher there is, to be killed: opens or makes a vault without a passphrase, and
// publishes CONTENT as TARGET with its certificate and a secret.
//
//   publish_probe publish VAULT TARGET CONTENT
//   publish_probe careless VAULT TARGET CONTENT   shows the file before the vault knows it: a bug
//                                            on purpose, which the crash tests must find
//   publish_probe history VAULT              a line per release: number, present or absent, target
//   publish_probe recover VAULT              opens for writing and closes

#include <cstdio>
#include <cstring>
#include <string>

#include "reissue/io/csv.h"
#include "reissue/io/file_system.h"
#include "reissue/ledger/vault.h"

namespace reissue {
namespace {

using ledger::Access;
using ledger::Vault;

const ledger::Passphrase kNone{.none = true, .text = {}};

Result<Vault> OpenOrCreate(io::FileSystem& files, const std::string& directory) {
  if (Vault::Exists(files, directory)) {
    return Vault::Open(files, directory, Access::kWrite, kNone);
  }
  return Vault::Create(files, directory, {"k", "probe", "k = 2\n", "00", ""}, kNone);
}

Status Publish(const std::string& directory, const std::string& target, const std::string& content,
               bool careless) {
  io::FileSystem& files = io::SystemFiles();
  Vault vault = REISSUE_TRY(OpenOrCreate(files, directory));
  Vault::Pending pending;
  pending.temporary = REISSUE_TRY(vault.Reserve(target));
  auto file = REISSUE_TRY(files.Create(careless ? target : pending.temporary, false));
  REISSUE_TRY(file->Append(content));
  REISSUE_TRY(file->Sync());
  REISSUE_TRY(file->Close());
  if (careless) REISSUE_TRY(files.Rename(target, pending.temporary, false));
  pending.record.target = target;
  pending.record.digest = io::Digest(content);
  pending.record.certificate = "{}";
  pending.certificate_file = target + ".certificate.json";
  pending.secrets.emplace_back("state", content);
  const std::uint32_t number = REISSUE_TRY(vault.Prepare(std::move(pending)));
  return vault.Commit(number);
}

Status History(const std::string& directory) {
  Vault vault = REISSUE_TRY(Vault::Open(io::SystemFiles(), directory, Access::kRead));
  const auto history = REISSUE_TRY(vault.History());
  for (const auto& record : history) {
    std::printf("%u %s %s\n", record.number, record.file_present ? "present" : "absent",
                record.target.c_str());
  }
  return Ok();
}

Status Recover(const std::string& directory) {
  REISSUE_TRY(Vault::Open(io::SystemFiles(), directory, Access::kWrite, kNone));
  return Ok();
}

int Main(int count, char** words) {
  Status status = UsageError("publish VAULT TARGET CONTENT | history VAULT | recover VAULT");
  if (count == 5 && std::strcmp(words[1], "publish") == 0) {
    status = Publish(words[2], words[3], words[4], false);
  } else if (count == 5 && std::strcmp(words[1], "careless") == 0) {
    status = Publish(words[2], words[3], words[4], true);
  } else if (count == 3 && std::strcmp(words[1], "history") == 0) {
    status = History(words[2]);
  } else if (count == 3 && std::strcmp(words[1], "recover") == 0) {
    status = Recover(words[2]);
  }
  if (status) return 0;
  std::fprintf(stderr, "%s\n", status.error().ToString().c_str());
  constexpr int kExit[] = {2, 3, 1, 4};
  return kExit[static_cast<int>(status.error().code)];
}

}  // namespace
}  // namespace reissue

int main(int count, char** words) { return reissue::Main(count, words); }
