// The mark: how far a vault has come, said from outside (docs/formats/vault.md, "Mark").

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "reissue/io/csv.h"
#include "reissue/ledger/place.h"
#include "reissue/ledger/signature.h"
#include "reissue/ledger/vault_impl.h"

namespace reissue::ledger {
namespace {

constexpr char kMarkPurpose[] = "mark";

struct MarkParts {
  std::string_view key, last, seal, signed_part;
  std::uint32_t releases = 0;
};

// The rest of a line that begins with this word.
std::optional<std::string_view> Line(std::string_view& text, std::string_view word) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos || !text.starts_with(word)) return std::nullopt;
  const std::string_view rest = text.substr(word.size(), end - word.size());
  text.remove_prefix(end + 1);
  return rest;
}

std::optional<MarkParts> Parse(std::string_view mark) {
  std::string_view rest = mark;
  MarkParts parts;
  const auto head = Line(rest, "reissue mark 1"), key = Line(rest, "key "),
             releases = Line(rest, "releases "), last = Line(rest, "last ");
  parts.signed_part = mark.substr(0, mark.size() - rest.size());
  const auto seal = Line(rest, "seal ");
  if (!head || !head->empty() || !key || !releases || !last || !seal || !rest.empty()) {
    return std::nullopt;
  }
  const auto read =
      std::from_chars(releases->data(), releases->data() + releases->size(), parts.releases);
  if (read.ec != std::errc() || read.ptr != releases->data() + releases->size()) {
    return std::nullopt;
  }
  parts.key = *key;
  parts.last = *last;
  parts.seal = *seal;
  return parts;
}

// What identifies a release to its mark: that of the certificate, or of an adopted file.
std::string NameOf(const ReleaseRecord& record) {
  return record.adopted() ? record.digest : io::Digest(record.certificate);
}

Error OldCopyError(const std::string& home, const std::string& file, std::uint32_t marked,
                   std::size_t present) {
  return InputError(
      At(file),
      fmt::format("release {} was published from this vault, and the vault {} knows of {} only: it "
                  "is an old copy",
                  marked, home, present),
      "Bring back the newest copy of the vault. If it is lost, do not go on with this one: readers "
      "would have two releases of one number. Begin a new vault, and adopt what is out "
      "(`reissue adopt`).");
}

Error OtherWayError(const std::string& home, const std::string& file, std::uint32_t number) {
  return InputError(At(file),
                    fmt::format("release {} of the vault {} is not the release {} that this mark "
                                "tells of: two copies of the vault have published",
                                number, home, number),
                    "Find the copy that made the releases that are out, and go on with that one.");
}

}  // namespace

Result<std::string> Vault::Mark() {
  REISSUE_TRY(impl_->NeedKey());
  const std::vector<ReleaseRecord> history = REISSUE_TRY(History());
  const std::string text =
      fmt::format("reissue mark 1\nkey {}\nreleases {}\nlast {}\n", ToHex(impl_->keys->PublicKey()),
                  history.size(), history.empty() ? "-" : NameOf(history.back()));
  return text + fmt::format("seal {}\n", ToHex(impl_->keys->Authenticate(kMarkPurpose, text)));
}

Status Vault::WriteMark(const std::string& path) {
  REISSUE_TRY(impl_->NeedWrite());
  const io::HoldInterrupts hold;
  const std::string mark = REISSUE_TRY(Mark());
  std::error_code failure;
  const std::string absolute = std::filesystem::absolute(path, failure).string();
  const std::string temporary = io::TemporaryNameFor(failure ? path : absolute);
  REISSUE_TRY(impl_->seal->Write([&] { return PutTemporary(*impl_->database, temporary); }));
  const auto file = REISSUE_TRY(impl_->files.Create(temporary, true));
  REISSUE_TRY(file->Append(mark));
  REISSUE_TRY(file->Sync());
  REISSUE_TRY(file->Close());
  REISSUE_TRY(impl_->files.Rename(temporary, path, true));
  REISSUE_TRY(impl_->files.SyncDirectory(io::DirectoryOf(path)));
  return impl_->seal->Write([&] { return DropTemporary(*impl_->database, temporary); });
}

Result<bool> Vault::CheckMark(std::string_view mark, const std::string& file) {
  REISSUE_TRY(impl_->NeedKey());
  const std::optional<MarkParts> parts = Parse(mark);
  const bool ours = parts && parts->key == ToHex(impl_->keys->PublicKey());
  if (parts && !ours) return false;
  if (!ours || parts->seal != ToHex(impl_->keys->Authenticate(kMarkPurpose, parts->signed_part))) {
    return InputError(At(file), "this is not a mark of a vault, or somebody has changed it",
                      "Restore it from a backup, or remove it if you know why.");
  }
  const std::vector<ReleaseRecord> history = REISSUE_TRY(History());
  const std::string home = io::DirectoryOf(impl_->database->path());
  if (parts->releases > history.size()) {
    return OldCopyError(home, file, parts->releases, history.size());
  }
  if (parts->releases > 0 && NameOf(history[parts->releases - 1]) != parts->last) {
    return OtherWayError(home, file, parts->releases);
  }
  return true;
}

}  // namespace reissue::ledger
