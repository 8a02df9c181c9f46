#include "reissue/contract/rollback.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "reissue/contract/certificate.h"
#include "reissue/io/csv.h"

namespace reissue::contract {
namespace {

// Of each vault its own: several may publish into one directory. The name tells no more than the
// certificates do.
Result<std::string> MarkBeside(ledger::Vault& vault, const std::string& directory) {
  const std::string key = REISSUE_TRY(vault.PublicKey());
  return fmt::format("{}.reissue-{}.mark", directory == "." ? "" : directory + "/",
                     key.substr(0, 16));
}

Status LookAtMark(ledger::Vault& vault, const std::string& file, bool named,
                  binding::Context& context) {
  if (!context.files.Exists(file)) return Ok();
  const auto bytes = REISSUE_TRY(context.files.Read(file));
  const bool ours = REISSUE_TRY(vault.CheckMark(bytes->view(), file));
  if (ours || !named) return Ok();
  return InputError({file, std::nullopt, std::nullopt, ""}, "this is the mark of another vault",
                    "Name the mark of this series with --mark, or a file that does not exist.");
}

Error UnknownCertificate(const std::string& file, std::uint32_t release, std::size_t known) {
  const std::string what =
      release > known
          ? fmt::format(
                "this certificate of release {} is signed by the vault, and the vault knows "
                "of {} only: it is an old copy",
                release, known)
          : fmt::format(
                "this certificate is signed by the vault, and is not that of its release "
                "{}: two copies of the vault have published",
                release);
  return InputError({file, std::nullopt, std::nullopt, ""}, what,
                    "Find the newest copy of the vault, and go on with that one. If it is lost, "
                    "begin a new vault and adopt what is out (`reissue adopt`).");
}

Status LookAtCertificates(const std::string& directory, const std::string& key,
                          const std::set<std::string>& known, std::size_t releases,
                          binding::Context& context) {
  std::error_code failure;
  std::filesystem::directory_iterator entry(directory, failure);
  for (; !failure && entry != std::filesystem::directory_iterator(); entry.increment(failure)) {
    const std::string file =
        directory == "." ? entry->path().filename().string() : entry->path().string();
    if (!file.ends_with(kCertificateSuffix)) continue;
    // Files of others, and broken ones, say nothing about this vault.
    const auto bytes = context.files.Read(file);
    if (!bytes || known.contains(io::Digest((*bytes)->view()))) continue;
    const Result<Certificate> certificate = Certificate::Parse((*bytes)->view(), file);
    if (!certificate || certificate->key != key || !certificate->unchanged) continue;
    return UnknownCertificate(file, certificate->release, releases);
  }
  return Ok();
}

// Of the release, or of the certificate of a table.
std::string DirectoryOf(const PublishRequest& request) {
  return io::DirectoryOf(request.out_table.empty() ? request.out : CertificateOf(request));
}

}  // namespace

std::string CertificateOf(const PublishRequest& request) {
  if (request.out_table.empty()) return request.out + kCertificateSuffix;
  return request.certificate.empty() ? request.out_table + kCertificateSuffix : request.certificate;
}

Status IsNewest(ledger::Vault& vault, const std::vector<ledger::ReleaseRecord>& history,
                const std::vector<std::string>& directories, binding::Context& context) {
  const std::string key = REISSUE_TRY(vault.PublicKey());
  std::set<std::string> known, places(directories.begin(), directories.end());
  for (const ledger::ReleaseRecord& record : history) {
    known.insert(io::Digest(record.certificate));
    places.insert(record.directory);
  }
  for (const std::string& place : places) {
    const std::string mark = REISSUE_TRY(MarkBeside(vault, place));
    REISSUE_TRY(LookAtMark(vault, mark, false, context));
    REISSUE_TRY(LookAtCertificates(place, key, known, history.size(), context));
  }
  return Ok();
}

Status IsNewest(ledger::Vault& vault, const std::vector<ledger::ReleaseRecord>& history,
                const PublishRequest& request, binding::Context& context) {
  if (!request.mark.empty()) REISSUE_TRY(LookAtMark(vault, request.mark, true, context));
  return IsNewest(vault, history, std::vector<std::string>{DirectoryOf(request)}, context);
}

Status WriteMark(ledger::Vault& vault, const PublishRequest& request) {
  const std::string beside = REISSUE_TRY(MarkBeside(vault, DirectoryOf(request)));
  return vault.WriteMark(request.mark.empty() ? beside : request.mark);
}

}  // namespace reissue::contract
