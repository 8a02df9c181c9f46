// Sealed states as rows: tables `secrets` and `pieces`.

#include "reissue/ledger/records.h"

namespace reissue::ledger {
namespace {

constexpr char kPieces[] = R"sql(
CREATE TABLE pieces (
  release INTEGER NOT NULL,
  name    TEXT NOT NULL,
  piece   INTEGER NOT NULL CHECK (piece >= 2),
  tag     BLOB NOT NULL,
  sealed  BLOB NOT NULL,
  PRIMARY KEY (release, name, piece),
  FOREIGN KEY (release, name) REFERENCES secrets (release, name) ON DELETE CASCADE
) STRICT;
)sql";

// Of the pieces of a secret, or of itself, one.
struct Row {
  std::uint64_t release = 0, piece = 1;
  std::string name;
};

Result<std::vector<Row>> RowsOf(const Database& database, const char* sql, std::uint32_t release) {
  Statement row = REISSUE_TRY(database.Prepare(sql));
  row.Number(1, release);
  std::vector<Row> rows;
  while (REISSUE_TRY(row.Step())) rows.push_back({row.Number(0), row.Number(1), row.Bytes(2)});
  return rows;
}

}  // namespace

Result<bool> HasPieces(const Database& database) {
  const std::uint64_t tables = REISSUE_TRY(database.QueryNumber(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'pieces'"));
  return tables > 0;
}

Status InsertSecret(Database& database, std::uint32_t release, std::string_view name,
                    const Sealed& sealed) {
  Statement insert = REISSUE_TRY(
      database.Prepare("INSERT INTO secrets (release, name, tag, sealed) VALUES (?, ?, ?, ?)"));
  insert.Number(1, release).Text(2, name).Blob(3, sealed.tag);
  return insert.BlobThatStays(4, sealed.content).Finish();
}

Status MakePieces(Database& database) {
  const bool there = REISSUE_TRY(HasPieces(database));
  if (!there) REISSUE_TRY(database.Run(kPieces));
  return RaiseFormat(database, kPiecesFormat);
}

Status InsertPiece(Database& database, std::uint32_t release, std::string_view name,
                   std::size_t index, const Sealed& sealed) {
  Statement insert = REISSUE_TRY(database.Prepare(
      "INSERT INTO pieces (release, name, piece, tag, sealed) VALUES (?, ?, ?, ?, ?)"));
  insert.Number(1, release).Text(2, name).Number(3, index).Blob(4, sealed.tag);
  return insert.BlobThatStays(5, sealed.content).Finish();
}

Status EraseSecrets(Database& database, std::uint32_t release, Erased which) {
  const bool own = which == Erased::kItsOwn;
  std::vector<Row> rows;
  const bool pieces = REISSUE_TRY(HasPieces(database));
  if (pieces) {
    rows = REISSUE_TRY(
        RowsOf(database,
               own ? "SELECT release, piece, name FROM pieces WHERE release = ?1"
                   : "SELECT release, piece, name FROM pieces WHERE release < ?1 AND name IN "
                     "(SELECT name FROM secrets WHERE release = ?1)",
               release));
  }
  for (Row& first : REISSUE_TRY(
           RowsOf(database,
                  own ? "SELECT release, 1, name FROM secrets WHERE release = ?1"
                      : "SELECT release, 1, name FROM secrets WHERE release < ?1 AND name IN "
                        "(SELECT name FROM secrets WHERE release = ?1)",
                  release))) {
    rows.push_back(std::move(first));
  }
  for (const Row& row : rows) {
    Statement erase = REISSUE_TRY(database.Prepare(
        row.piece == 1 ? "DELETE FROM secrets WHERE release = ? AND name = ?"
                       : "DELETE FROM pieces WHERE release = ? AND name = ? AND piece = ?"));
    erase.Number(1, row.release).Text(2, row.name);
    if (row.piece > 1) erase.Number(3, row.piece);
    REISSUE_TRY(erase.Finish());
    REISSUE_TRY(KeepAtHand(database));
  }
  return Ok();
}

Result<std::optional<FoundSecret>> FindSecret(const Database& database, std::string_view name) {
  Statement find = REISSUE_TRY(database.Prepare(
      "SELECT release, length(sealed) FROM secrets JOIN releases ON number = release "
      "WHERE name = ? AND state = 'published' ORDER BY release DESC LIMIT 1"));
  const bool found = REISSUE_TRY(find.Text(1, name).Step());
  if (!found) return std::optional<FoundSecret>();
  FoundSecret secret{static_cast<std::uint32_t>(find.Number(0)), 1, find.Number(1)};
  const bool pieces = REISSUE_TRY(HasPieces(database));
  if (!pieces) return std::optional(secret);
  Statement rest = REISSUE_TRY(database.Prepare(
      "SELECT count(*), total(length(sealed)) FROM pieces WHERE release = ? AND name = ?"));
  REISSUE_TRY(rest.Number(1, secret.release).Text(2, name).Step());
  secret.pieces += rest.Number(0);
  secret.bytes += rest.Number(1);
  return std::optional(secret);
}

Result<bool> LoadPiece(const Database& database, std::uint32_t release, std::string_view name,
                       std::size_t index, const UsePiece& use) {
  const std::uint64_t format = REISSUE_TRY(FormatOf(database));
  Statement find = REISSUE_TRY(database.Prepare(
      format < kFormat ? "SELECT '', sealed FROM secrets WHERE release = ? AND name = ?"
      : index == 1
          ? "SELECT tag, sealed FROM secrets WHERE release = ? AND name = ?"
          : "SELECT tag, sealed FROM pieces WHERE release = ? AND name = ? AND piece = ?"));
  find.Number(1, release).Text(2, name);
  if (index > 1) find.Number(3, index);
  const bool found = REISSUE_TRY(find.Step());
  return found && use(find.View(0), find.View(1));
}

Result<std::vector<std::string>> SecretNames(const Database& database) {
  Statement row = REISSUE_TRY(
      database.Prepare("SELECT DISTINCT name FROM secrets JOIN releases ON number = release "
                       "WHERE state = 'published' ORDER BY name"));
  std::vector<std::string> names;
  while (REISSUE_TRY(row.Step())) names.push_back(row.Bytes(0));
  return names;
}

}  // namespace reissue::ledger
