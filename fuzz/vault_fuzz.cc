// Any bytes as what lies about a vault: an answer or a complaint, never a crash. The first line
// says what the rest is: `mark`, looked at by a vault; `export`, imported; or the database itself.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "reissue/core/result.h"
#include "reissue/io/file_system.h"
#include "reissue/ledger/vault.h"
#include "scratch.h"

namespace {

using namespace reissue;
using ledger::Vault;

const ledger::Passphrase kNone{.none = true, .text = {}};

void CheckComplaint(const Error& error) {
  REISSUE_CHECK(!error.message.empty() && error.place.has_value());
}

// A fixed vault: a mark that is not its own says nothing, and nobody can forge one.
void LookAtMark(std::string_view mark) {
  static const fuzz::Scratch home;
  static Vault vault =
      Vault::Create(io::SystemFiles(), home.Path("vault"), {"k", "", "", "00", "p.toml"}, kNone)
          .value();
  const auto ours = vault.CheckMark(mark, "a.mark");
  if (!ours) return CheckComplaint(ours.error());
  REISSUE_CHECK(!*ours);
  const std::string own = vault.Mark().value();
  REISSUE_CHECK(vault.CheckMark(own, "own.mark").value());
  REISSUE_CHECK(!vault.CheckMark(own + std::string(mark), "longer.mark").has_value());
}

// Opens it as each command does. What is there tells its history.
void Look(const std::string& directory) {
  for (const ledger::Access access :
       {ledger::Access::kRead, ledger::Access::kUnseal, ledger::Access::kWrite}) {
    auto vault = Vault::Open(io::SystemFiles(), directory, access, kNone);
    if (!vault) {
      REISSUE_CHECK(!vault.error().message.empty());
      continue;
    }
    const auto history = vault->History();
    REISSUE_CHECK(history || !history.error().message.empty());
    const auto secrets = vault->Secrets();
    for (const std::string& name : secrets ? *secrets : std::vector<std::string>()) {
      const auto content = vault->Unseal(name);
      REISSUE_CHECK(content || !content.error().message.empty());
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::Scratch scratch;
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string_view what = bytes.substr(0, bytes.find('\n'));
  bytes.remove_prefix(std::min(size, what.size() + 1));
  scratch.Clear();
  const std::string home = scratch.Path("vault");
  if (what == "mark") {
    LookAtMark(bytes);
  } else if (what == "export") {
    const Status imported = Vault::Import(io::SystemFiles(), bytes, "a.export", home, kNone);
    if (!imported) return CheckComplaint(imported.error()), 0;
    Look(home);
  } else {
    std::filesystem::create_directory(home);
    std::filesystem::permissions(home, std::filesystem::perms::owner_all);
    scratch.Write("vault/vault.db", bytes);
    Look(home);
  }
  return 0;
}
