#include "reissue/ledger/pieces.h"

#include <fmt/format.h>

#include <algorithm>

#include "reissue/ledger/records.h"

namespace reissue::ledger {
namespace {

Error ChangedError(const Database& database, std::string_view name) {
  return DamagedError(database.path(), fmt::format("the sealed state \"{}\" has changed", name));
}

Status PutPieces(Database& database, const KeyRing& keys, SecretPiece piece,
                 std::string_view content, std::size_t piece_bytes) {
  REISSUE_TRY(MakePieces(database));
  const std::string history = REISSUE_TRY(HistoryUpTo(database, piece.release));
  piece.history = history;
  for (; piece.index <= piece.count; ++piece.index) {
    const Sealed sealed =
        keys.Seal(piece, content.substr((piece.index - 1) * piece_bytes, piece_bytes));
    REISSUE_TRY(piece.index == 1
                    ? InsertSecret(database, piece.release, piece.name, sealed)
                    : InsertPiece(database, piece.release, piece.name, piece.index, sealed));
    REISSUE_TRY(KeepAtHand(database));
  }
  return Ok();
}

}  // namespace

Result<std::string> HistoryUpTo(const Database& database, std::uint32_t release) {
  Statement row = REISSUE_TRY(database.Prepare(
      "SELECT number, digest, certificate FROM releases WHERE number <= ? ORDER BY number"));
  row.Number(1, release);
  std::string history;
  while (REISSUE_TRY(row.Step())) {
    // Certificates are long, so each is one digest here.
    const std::string of = Checksum(row.Bytes(2));
    const std::string digest = row.Bytes(1);
    history += fmt::format("{}:{}:{}", row.Number(0), digest.size(), digest);
    history += of;
  }
  return Checksum(history);
}

Status PutSecret(Database& database, const KeyRing& keys, std::uint32_t release,
                 std::string_view name, std::string_view content, std::size_t piece_bytes) {
  REISSUE_CHECK(piece_bytes > 0);
  const std::size_t count =
      std::max<std::size_t>(1, (content.size() + piece_bytes - 1) / piece_bytes);
  SecretPiece piece{.release = release, .name = name, .history = {}, .index = 1, .count = count};
  if (count > 1) return PutPieces(database, keys, piece, content, piece_bytes);
  REISSUE_TRY(InsertSecret(database, release, name, keys.Seal(piece, content)));
  return KeepAtHand(database);
}

Result<bool> AppendSecret(const Database& database, const KeyRing& keys, std::string_view name,
                          std::string& content, const Appended& appended) {
  const std::optional<FoundSecret> found = REISSUE_TRY(FindSecret(database, name));
  if (!found) return false;
  std::uint64_t left = found->bytes;
  const std::uint64_t format = REISSUE_TRY(FormatOf(database));
  SecretPiece piece{
      .release = found->release, .name = name, .history = {}, .index = 1, .count = found->pieces};
  std::string history;
  if (piece.count > 1) {
    history = REISSUE_TRY(HistoryUpTo(database, piece.release));
    piece.history = history;
  }
  const auto unseal = [&](std::string_view tag, std::string_view sealed) {
    left -= sealed.size();
    return format < kFormat ? keys.UnsealOld(name, sealed, content)
                            : keys.Unseal(piece, tag, sealed, content);
  };
  for (; piece.index <= piece.count; ++piece.index) {
    const bool same = REISSUE_TRY(LoadPiece(database, piece.release, name, piece.index, unseal));
    if (!same) return ChangedError(database, name);
    REISSUE_TRY(appended(left));
  }
  return true;
}

Result<bool> TakeSecret(const Database& database, const KeyRing& keys, std::string_view name,
                        const Vault::TakePiece& take) {
  std::string piece;
  return AppendSecret(database, keys, name, piece, [&](std::uint64_t left) -> Status {
    REISSUE_TRY(take(piece, left));
    piece.clear();
    return Ok();
  });
}

}  // namespace reissue::ledger
