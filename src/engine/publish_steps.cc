#include "reissue/engine/publish_steps.h"

#include <fmt/format.h>

#include <filesystem>

namespace reissue::engine {
namespace {

// File names have at most 255 bytes; temporaries of certificates add 40 to the name of a release.
constexpr std::size_t kLongestName = 200;

}  // namespace

Result<std::string> PolicyPath(const PublishRequest& request, Context& context) {
  if (!request.policy.empty()) return request.policy;
  const ledger::Vault vault =
      REISSUE_TRY(ledger::Vault::Open(context.files, request.vault, ledger::Access::kRead));
  if (!context.files.Exists(vault.policy().path)) {
    return InputError({vault.policy().path, std::nullopt, std::nullopt, ""},
                      "the policy that this series was started with is not there any more",
                      "Name it with --policy; it must be the same, with the same taxonomies.");
  }
  return vault.policy().path;
}

Result<std::optional<ledger::Vault>> OpenVault(const PublishRequest& request, Context& context) {
  if (!ledger::Vault::Exists(context.files, request.vault)) return std::optional<ledger::Vault>();
  ledger::Vault vault = REISSUE_TRY(ledger::Vault::Open(
      context.files, request.vault, ledger::Access::kWrite, request.passphrase));
  return std::optional<ledger::Vault>(std::move(vault));
}

Status MayPublishAgain(ledger::Vault& vault, const io::Policy& policy, const Promise& promise,
                       const PublishRequest& request) {
  if (vault.policy().digest != policy.digest) {
    return InputError({request.vault, std::nullopt, std::nullopt, ""},
                      fmt::format("this vault belongs to another policy (\"{}\"), or the policy or "
                                  "one of its taxonomies was changed since",
                                  vault.policy().title),
                      "Use the policy that the series was started with, or start another series in "
                      "a new vault.");
  }
  const auto history = REISSUE_TRY(vault.History());
  if (history.empty() || promise.model == "bcf" || promise.invariance || promise.similarity) {
    return Ok();
  }
  if (promise.model == "xy") {
    return PromiseError(
        fmt::format("this vault has a release already ({}), and with model \"xy\" every release "
                    "has a promise, and a vault, of its own",
                    history.back().target),
        "Start a new vault with a policy for this release, and name everything that is out, that "
        "release too, with --prior.");
  }
  return PromiseError(
      fmt::format("this series has a release already ({}), and model \"k\" promises nothing about "
                  "two releases together",
                  history.back().target),
      "Readers of both could combine them. For a table of other people, start a new vault. For the "
      "same people again, start a series with the model \"bcf\": `reissue adopt` takes up what is "
      "published already.");
}

Status CheckTarget(const PublishRequest& request, Context& context) {
  namespace fs = std::filesystem;
  const std::string name = fs::path(request.out).filename().string();
  if (name.empty() || name == "." || name == "..") {
    return UsageError(fmt::format("\"{}\" is not the name of a file", request.out),
                      "Name the file of the release with --out.");
  }
  if (name.size() > kLongestName) {
    return UsageError(fmt::format("the name of the release has {} bytes", name.size()),
                      fmt::format("Choose one of at most {}.", kLongestName));
  }
  if (context.files.Exists(request.out)) {
    return UsageError(fmt::format("{} exists already", request.out),
                      "A release is never overwritten: choose another name, or move the old file.");
  }
  std::error_code none;
  const fs::path directory = io::DirectoryOf(request.out);
  if (!fs::is_directory(directory, none)) {
    return UsageError(fmt::format("{} is not a directory", directory.string()),
                      "Make it first, or choose another place for the release.");
  }
  if (fs::exists(request.vault, none) && fs::equivalent(directory, request.vault, none)) {
    return UsageError("a release cannot lie inside the vault",
                      "The vault is private; choose another place for the release.");
  }
  return Ok();
}

Status CheckHolderCopy(const PublishRequest& request, const std::vector<std::string>& suffixes,
                       Context& context) {
  const std::string& copy = request.holder_copy;
  if (copy.empty()) return Ok();
  namespace fs = std::filesystem;
  std::error_code none;
  if (copy == "-" || fs::path(copy).filename().empty() ||
      !fs::is_directory(io::DirectoryOf(copy), none)) {
    return UsageError(fmt::format("\"{}\" cannot be the holder's copy", copy),
                      "Name a file in a directory that exists, where nobody else can read.");
  }
  std::vector<std::string> taken = {request.out, request.out + ".certificate.json"};
  for (const std::string& suffix : suffixes) taken.push_back(request.out + suffix);
  for (const std::string& path : taken) {
    if (Absolute(path) != Absolute(copy)) continue;
    return UsageError("the holder's copy cannot be a file of the release itself",
                      "It has identifiers in it: choose another name, better in a private place.");
  }
  if (fs::exists(request.vault, none) &&
      fs::equivalent(io::DirectoryOf(copy), request.vault, none)) {
    return UsageError("the holder's copy cannot lie inside the vault",
                      "Choose another private place.");
  }
  if (!context.files.Exists(copy)) return Ok();
  return UsageError(fmt::format("{} exists already", copy),
                    "A holder's copy is never overwritten: choose another name, or move the old "
                    "file.");
}

Status Reserve(const PublishRequest& request, const io::Policy& policy, const Promise& promise,
               std::optional<ledger::Vault>& vault, ledger::Vault::Pending& pending,
               PublishReport& report, Context& context) {
  report.out = request.out;
  report.certificate = request.out + ".certificate.json";
  report.row_order_reproducible = request.seed.has_value();
  if (!vault) {
    const ledger::VaultPolicy record{promise.model, policy.title, policy.text, policy.digest,
                                     Absolute(policy.file)};
    vault = REISSUE_TRY(
        ledger::Vault::Create(context.files, request.vault, record, request.passphrase));
  }
  report.vault_unprotected = vault->unprotected();
  pending.record.target = Absolute(request.out);
  pending.certificate_file = Absolute(report.certificate);
  pending.temporary = REISSUE_TRY(vault->Reserve(pending.record.target));
  return Ok();
}

std::string Absolute(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path directory = std::filesystem::canonical(io::DirectoryOf(path), failed);
  return (directory / std::filesystem::path(path).filename()).string();
}

Status PutInPlace(CertificateFacts facts, const PublishRequest& request, const io::Policy& policy,
                  const PublishReport& report, ledger::Vault::Pending pending,
                  ledger::Vault& vault) {
  facts.title = policy.title;
  facts.policy_digest = policy.digest;
  facts.settings = policy.guarantee;
  facts.release_digest = pending.record.digest;
  facts.created = request.created;
  facts.report = &report;
  pending.record.certificate = WriteCertificate(facts);
  pending.record.created = request.created;
  pending.record.rows = report.rows_out;
  const std::uint32_t given = REISSUE_TRY(vault.Prepare(std::move(pending)));
  REISSUE_CHECK(given == report.release);
  return vault.Commit(given);
}

}  // namespace reissue::engine
