#include "reissue/engine/vault.h"

#include <memory>

#include "cli/options.h"
#include "cli/passphrase.h"
#include "cli/print.h"
#include "cli/render/vault.h"
#include "cli/verbs.h"
#include "reissue/ledger/division.h"

namespace reissue::cli {
namespace {

struct VaultOptions {
  std::string vault, file;
  bool no_passphrase = false;
};
using VaultOptionsPtr = std::shared_ptr<VaultOptions>;

Result<ledger::Passphrase> PassphraseOf(const VaultOptions& options, Session& session) {
  binding::Context& context = session.context();
  // A vault that is not there needs no passphrase.
  REISSUE_TRY(ledger::Vault::Open(context.files, options.vault, ledger::Access::kRead));
  return AskPassphrase(session, options.vault, options.no_passphrase);
}

Result<int> RunVaultCheck(const VaultOptions& options, Session& session) {
  const ledger::Passphrase passphrase = REISSUE_TRY(PassphraseOf(options, session));
  const engine::VaultReport report =
      REISSUE_TRY(engine::CheckVault(options.vault, passphrase, session.context()));
  REISSUE_TRY(Print(session, CheckedVault{report}));
  return report.problems.empty() ? kDone : kInputStatus;
}

Result<int> RunUpgrade(const VaultOptions& options, Session& session) {
  const ledger::Passphrase passphrase = REISSUE_TRY(PassphraseOf(options, session));
  const engine::VaultReport report =
      REISSUE_TRY(engine::UpgradeVault(options.vault, passphrase, session.context()));
  REISSUE_TRY(Print(session, VaultDone{"upgraded", options.vault,
                                       "Compare the title, the model and the number of releases "
                                       "with what you know: what the vault says now, it says from "
                                       "now on.",
                                       report}));
  return kDone;
}

Result<int> RunPassphrase(const VaultOptions& options, Session& session) {
  const ledger::Passphrase old = REISSUE_TRY(PassphraseOf(options, session));
  ledger::Vault vault = REISSUE_TRY(
      ledger::Vault::Open(session.context().files, options.vault, ledger::Access::kWrite, old));
  const ledger::Passphrase next = REISSUE_TRY(AskNewPassphrase(session, options.vault));
  REISSUE_TRY(vault.ChangePassphrase(next));
  const char* const advice =
      old.none ? "The key lay bare until now: whoever has an old copy of the directory has it. If "
                 "that may be somebody else, begin a new vault."
               : "Backups and exports made before still open with the old passphrase.";
  REISSUE_TRY(Print(session, VaultDone{"passphrase", options.vault, advice, {}}));
  return kDone;
}

Result<int> RunExport(const VaultOptions& options, Session& session) {
  const ledger::Passphrase passphrase = REISSUE_TRY(PassphraseOf(options, session));
  io::FileSystem& files = session.context().files;
  ledger::Vault vault =
      REISSUE_TRY(ledger::Vault::Open(files, options.vault, ledger::Access::kUnseal, passphrase));
  const std::string exported = REISSUE_TRY(vault.Export());
  REISSUE_TRY(io::WriteAtomically(files, options.file, exported, /*owner_only=*/true,
                                  /*replace=*/false));
  const char* const advice =
      vault.unprotected()
          ? "The vault has no passphrase, so this file has its key: keep it as private."
          : "It opens with the passphrase that the vault has now.";
  REISSUE_TRY(Print(session, VaultDone{"exported", options.file, advice, {}}));
  return kDone;
}

Result<int> RunImport(const VaultOptions& options, Session& session) {
  io::FileSystem& files = session.context().files;
  const auto bytes = REISSUE_TRY(files.Read(options.file));
  const ledger::Passphrase passphrase =
      REISSUE_TRY(AskPassphraseOf(session, options.file, options.no_passphrase));
  REISSUE_TRY(ledger::Vault::Import(files, bytes->view(), options.file, options.vault, passphrase));
  const engine::VaultReport report =
      REISSUE_TRY(engine::CheckVault(options.vault, passphrase, session.context()));
  REISSUE_TRY(Print(session, VaultDone{"imported", options.vault,
                                       "Publish from one copy of a vault only. If releases were "
                                       "made since the export, this copy is too old.",
                                       report}));
  return kDone;
}

using Run = Result<int> (*)(const VaultOptions&, Session&);

CLI::App* AddVaultVerb(CLI::App& family, Session& session, const char* name,
                       const std::string& description, const std::string& example,
                       const VaultOptionsPtr& options, Run run) {
  CLI::App* verb = AddVerb(family, session, name, description, example);
  verb->add_flag("--no-passphrase", options->no_passphrase, "The vault has no passphrase.");
  verb->callback([options, &session, run] {
    session.action = [options, &session, run] { return run(*options, session); };
  });
  return verb;
}

void AddOfDirectory(CLI::App& family, Session& session, const char* name,
                    const std::string& description, const std::string& example, Run run) {
  const auto options = std::make_shared<VaultOptions>();
  CLI::App* verb = AddVaultVerb(family, session, name, description, example, options, run);
  AddInput(*verb, "DIR", options->vault, "The vault.");
}

Result<int> RunKeyShow(const VaultOptions& options, Session& session) {
  const ledger::Passphrase passphrase = REISSUE_TRY(PassphraseOf(options, session));
  ledger::Vault vault = REISSUE_TRY(ledger::Vault::Open(session.context().files, options.vault,
                                                        ledger::Access::kUnseal, passphrase));
  const std::string key = REISSUE_TRY(vault.PublicKey());
  REISSUE_TRY(Print(session, ShownKey{options.vault, key}));
  return kDone;
}

Result<int> RunKeyPart(const VaultOptions& options, Session& session) {
  REISSUE_TRY(io::WriteAtomically(session.context().files, options.file, ledger::Division::NewKey(),
                                  /*owner_only=*/true, /*replace=*/false));
  REISSUE_TRY(Print(session, VaultDone{"made",
                                       options.file,
                                       "Give it to every part with --part-key, and keep it "
                                       "private: who has it can tell which part anybody is in. "
                                       "The vaults keep a copy, sealed; without the file no "
                                       "further part can be begun.",
                                       {}}));
  return kDone;
}

}  // namespace

void AddVault(CLI::App& root, Session& session) {
  CLI::App* family =
      AddFamily(root, "vault",
                "Look after a vault: check it, copy it, change its passphrase.\n\n"
                "Everything in a vault is sealed with a key that its passphrase opens. What was "
                "changed by anybody else is noticed, and nothing is published from it.",
                "reissue vault check vault");
  AddOfDirectory(*family, session, "check",
                 "Open everything in a vault and compare it with the files.\n\n"
                 "Opens every sealed state, checks the signatures and the chain of the "
                 "certificates, compares published files with what was published, and looks for "
                 "signs that this is an old copy. Writes nothing, also while somebody publishes. "
                 "The exit status is 3 if something does not fit.",
                 "reissue vault check vault", RunVaultCheck);
  AddOfDirectory(*family, session, "passphrase",
                 "Change the passphrase of a vault.\n\nThe new one comes from the first line of "
                 "the file that REISSUE_NEW_PASSPHRASE_FILE names, or is asked for on the "
                 "terminal. With --no-passphrase a vault that has none gets one.",
                 "reissue vault passphrase vault", RunPassphrase);
  AddOfDirectory(*family, session, "upgrade",
                 "Bring a vault of an earlier version to the newest format.\n\nLooks at everything "
                 "in it first, and changes nothing if something does not fit.",
                 "reissue vault upgrade vault", RunUpgrade);
  const auto from = std::make_shared<VaultOptions>();
  CLI::App* out = AddVaultVerb(
      *family, session, "export",
      "Copy a vault into one file that only its passphrase opens.\n\nMay be done while somebody "
      "publishes; the copy is the vault of one moment.",
      "reissue vault export vault vault-2026-11.reissue", from, RunExport);
  AddInput(*out, "DIR", from->vault, "The vault.");
  AddInput(*out, "FILE", from->file, "The file to write; it must not exist.");
  const auto to = std::make_shared<VaultOptions>();
  CLI::App* in = AddVaultVerb(*family, session, "import",
                              "Make a vault from an export.\n\nNothing is made unless the file is "
                              "whole and the passphrase opens it.",
                              "reissue vault import vault-2026-11.reissue vault", to, RunImport);
  AddInput(*in, "FILE", to->file, "The export.");
  AddInput(*in, "DIR", to->vault, "The directory to make; it must not exist, or be empty.");
}

void AddKey(CLI::App& root, Session& session) {
  CLI::App* family = AddFamily(root, "key",
                               "The key that signs the certificates of a series, and the one that "
                               "divides people into parts.",
                               "reissue key show vault");
  AddOfDirectory(*family, session, "show",
                 "Print the public key of a vault.\n\nGive it to whoever verifies certificates, by "
                 "a way that whoever could change the releases cannot reach.",
                 "reissue key show vault > hospital.key", RunKeyShow);
  const auto made = std::make_shared<VaultOptions>();
  CLI::App* part = AddVerb(*family, session, "part",
                           "Make a key that divides people into parts.\n\nFor `publish --part`: "
                           "the same key for all parts, so that everybody is in exactly one, and "
                           "stays there. The file is private to you.",
                           "reissue key part parts.key");
  AddInput(*part, "FILE", made->file, "The file to write; it must not exist.");
  part->callback([made, &session] {
    session.action = [made, &session] { return RunKeyPart(*made, session); };
  });
}

}  // namespace reissue::cli
