// What can be refused before the table is read: places that are taken, unfit or not safe.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "reissue/contract/certificate.h"
#include "reissue/contract/publication.h"
#include "reissue/contract/rollback.h"
#include "reissue/contract/table_release.h"
#include "reissue/sources/parquet/source.h"

namespace reissue::contract {
namespace {

// File names have at most 255 bytes; temporaries of certificates add 40 to the name of a release.
constexpr std::size_t kLongestName = 200;

}  // namespace

// Everything that can be refused before the table is read.
Status Publication::Prepare() {
  REISSUE_TRY(Refuse());
  REISSUE_TRY(request_.out_table.empty() ? CheckTarget() : CheckTableTarget());
  REISSUE_TRY(CheckHolderCopy());
  REISSUE_TRY(CheckMarkPlace());
  REISSUE_TRY(OpenVault());
  REISSUE_TRY(Divide());
  report_.release = number();
  report_.earlier_releases = number() - 1;
  return vault_ ? Recall() : Ok();
}

Status Publication::IsFree(const std::string& path, const std::string& what) const {
  if (!context_.files.Exists(path)) return Ok();
  return UsageError(
      fmt::format("{} exists already", path),
      fmt::format("{} is never overwritten: choose another name, or move the old file.", what));
}

// The file from the root. Its directory is held from now on: a private file must not end up in
// another one that takes its name.
Result<std::string> Publication::Settle(const std::string& path) {
  std::string absolute = REISSUE_TRY(io::Absolute(path));
  held_.push_back(REISSUE_TRY(context_.files.HoldDirectory(io::DirectoryOf(absolute))));
  return absolute;
}

// A place where a release can be written, before any work is done.
Status Publication::CheckTarget() {
  namespace fs = std::filesystem;
  const std::string name = fs::path(request_.out).filename().string();
  if (name.empty() || name == "." || name == "..") {
    return UsageError(fmt::format("\"{}\" is not the name of a file", request_.out),
                      "Name the file of the release with --out.");
  }
  if (name.size() > kLongestName) {
    return UsageError(fmt::format("the name of the release has {} bytes", name.size()),
                      fmt::format("Choose one of at most {}.", kLongestName));
  }
  REISSUE_TRY(IsFree(request_.out, "A release"));
  REISSUE_TRY(CheckFormat());
  std::error_code none;
  const fs::path directory = io::DirectoryOf(request_.out);
  if (!fs::is_directory(directory, none)) {
    return UsageError(fmt::format("{} is not a directory", directory.string()),
                      "Make it first, or choose another place for the release.");
  }
  out_ = REISSUE_TRY(Settle(request_.out));
  if (fs::exists(request_.vault, none) &&
      fs::equivalent(io::DirectoryOf(out_), request_.vault, none)) {
    return UsageError("a release cannot lie inside the vault",
                      "The vault is private; choose another place for the release.");
  }
  for (const std::string& suffix : Suffixes()) {
    REISSUE_TRY(IsFree(request_.out + suffix, "A file of a release"));
  }
  return Ok();
}

// A release in Parquet is read back by DuckDB: without it none is begun.
Status Publication::CheckFormat() const {
  if (!sources::parquet::IsParquet(request_.out)) return Ok();
  if (!WritesParquet()) {
    return UsageError(
        fmt::format("releases of model \"{}\" are several files in CSV", traits_.name),
        "Choose a name that ends in .csv; most tools that read Parquet read CSV, too.");
  }
  return sources::parquet::LibraryIsThere({context_.duckdb, 0});
}

// The same of a table, whose server is asked, and of the file that its certificate is.
Status Publication::CheckTableTarget() {
  namespace fs = std::filesystem;
  REISSUE_CHECK(request_.out.empty() && rehearsal_ == nullptr && Suffixes().empty());
  const std::string path = CertificateOf(request_);
  const std::string name = fs::path(path).filename().string();
  const bool named = !request_.certificate.empty();
  std::error_code none;
  if ((!named && name != path) || name.empty() || name.size() > kLongestName ||
      !fs::is_directory(io::DirectoryOf(path), none)) {
    return UsageError(fmt::format("\"{}\" cannot be the certificate", path),
                      "Name a file in a directory that exists with --certificate.");
  }
  if (!path.ends_with(kCertificateSuffix)) {
    return UsageError(
        fmt::format("the name of the certificate does not end in {}", kCertificateSuffix),
        "Others look for certificates by that ending: add it.");
  }
  REISSUE_TRY(IsFree(path, "A certificate"));
  out_ = REISSUE_TRY(Settle(path));
  if (fs::exists(request_.vault, none) &&
      fs::equivalent(io::DirectoryOf(out_), request_.vault, none)) {
    return UsageError("a certificate cannot lie inside the vault",
                      "The vault is private; choose another place for it with --certificate.");
  }
  return TableRelease::Check(request_.out_table, context_);
}

Status Publication::CheckHolderCopy() {
  const std::string& copy = request_.holder_copy;
  if (copy.empty()) return Ok();
  namespace fs = std::filesystem;
  std::error_code none;
  if (copy == "-" || fs::path(copy).filename().empty() ||
      !fs::is_directory(io::DirectoryOf(copy), none)) {
    return UsageError(fmt::format("\"{}\" cannot be the holder's copy", copy),
                      "Name a file in a directory that exists, where nobody else can read.");
  }
  holder_copy_ = REISSUE_TRY(Settle(copy));
  std::vector<std::string> taken = {out_, out_ + kCertificateSuffix};
  for (const std::string& suffix : Suffixes()) taken.push_back(out_ + suffix);
  if (std::ranges::find(taken, holder_copy_) != taken.end()) {
    return UsageError("the holder's copy cannot be a file of the release itself",
                      "It has identifiers in it: choose another name, better in a private place.");
  }
  if (fs::exists(request_.vault, none) &&
      fs::equivalent(io::DirectoryOf(holder_copy_), request_.vault, none)) {
    return UsageError("the holder's copy cannot lie inside the vault",
                      "Choose another private place.");
  }
  return IsFree(copy, "A holder's copy");
}

// A mark that cannot be written, or that goes with the vault, would tell nothing.
Status Publication::CheckMarkPlace() const {
  const std::string& mark = request_.mark;
  if (mark.empty()) return Ok();
  namespace fs = std::filesystem;
  std::error_code none;
  const std::string directory = io::DirectoryOf(mark);
  if (mark == "-" || fs::path(mark).filename().empty() || !fs::is_directory(directory, none) ||
      fs::is_directory(mark, none)) {
    return UsageError(fmt::format("\"{}\" cannot be the mark", mark),
                      "Name a file in a directory that exists.");
  }
  if (fs::exists(request_.vault, none) && fs::equivalent(directory, request_.vault, none)) {
    return UsageError("the mark cannot lie inside the vault",
                      "A backup of the vault would bring it back, too: choose another place.");
  }
  return Ok();
}

}  // namespace reissue::contract
