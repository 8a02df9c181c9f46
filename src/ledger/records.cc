#include "reissue/ledger/records.h"

#include <fmt/format.h>

#include <cstring>
#include <initializer_list>

#include "reissue/ledger/targets.h"

namespace reissue::ledger {
namespace {

constexpr std::uint64_t kApplicationId = 0x72697375;
constexpr std::uint64_t kFirstFormat = 1;
// From here on there is a table of companions.
constexpr std::uint64_t kWithCompanions = 2;

// What is looked at in every transaction stands before what is long.
constexpr char kTables[] = R"sql(
CREATE TABLE vault (
  only          INTEGER PRIMARY KEY CHECK (only = 1),
  checksum      BLOB NOT NULL,
  id            BLOB NOT NULL,
  wrapped       INTEGER NOT NULL CHECK (wrapped IN (0, 1)),
  salt          BLOB NOT NULL,
  operations    INTEGER NOT NULL,
  memory        INTEGER NOT NULL,
  key           BLOB NOT NULL,
  model         TEXT NOT NULL,
  title         TEXT NOT NULL,
  policy        TEXT NOT NULL,
  policy_digest TEXT NOT NULL,
  policy_path   TEXT NOT NULL
) STRICT;
CREATE TABLE releases (
  number                INTEGER PRIMARY KEY CHECK (number >= 1),
  state                 TEXT NOT NULL CHECK (state IN ('prepared', 'published')),
  checksum              BLOB NOT NULL,
  target                TEXT NOT NULL,
  temporary             TEXT NOT NULL,
  digest                TEXT NOT NULL,
  certificate           TEXT NOT NULL,
  certificate_file      TEXT NOT NULL,
  certificate_temporary TEXT NOT NULL,
  created               TEXT NOT NULL,
  rows                  INTEGER NOT NULL,
  suppressed            INTEGER NOT NULL
) STRICT;
CREATE TABLE companions (
  release    INTEGER NOT NULL REFERENCES releases (number) ON DELETE CASCADE,
  position   INTEGER NOT NULL CHECK (position >= 1),
  checksum   BLOB NOT NULL,
  target     TEXT NOT NULL,
  temporary  TEXT NOT NULL,
  digest     TEXT NOT NULL,
  owner_only INTEGER NOT NULL CHECK (owner_only IN (0, 1)),
  PRIMARY KEY (release, position)
) STRICT;
CREATE TABLE secrets (
  release INTEGER NOT NULL REFERENCES releases (number) ON DELETE CASCADE,
  name    TEXT NOT NULL,
  tag     BLOB NOT NULL,
  sealed  BLOB NOT NULL,
  PRIMARY KEY (release, name)
) STRICT;
CREATE TABLE temporaries (
  path TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
CREATE TABLE seal (
  only    INTEGER PRIMARY KEY CHECK (only = 1),
  content BLOB NOT NULL
) STRICT;
)sql";

// Tables of earlier formats that have another shape or none now.
constexpr char kDropOldTables[] = R"sql(
DROP TABLE IF EXISTS companions;
DROP TABLE secrets;
DROP TABLE releases;
DROP TABLE temporaries;
DROP TABLE vault;
)sql";

// Fields one after the other, each with its length in front.
std::string ChecksumOf(std::initializer_list<std::string_view> fields) {
  std::string joined;
  for (const std::string_view field : fields) {
    joined += fmt::format("{}:", field.size());
    joined += field;
  }
  return Checksum(joined);
}

std::string ChecksumOf(const Header& header) {
  const StoredKey& key = header.key;
  const VaultPolicy& policy = header.policy;
  return ChecksumOf({"vault", header.id, key.wrapped ? "1" : "0", key.salt,
                     std::to_string(key.operations), std::to_string(key.memory), key.content,
                     policy.model, policy.title, policy.text, policy.digest, policy.path});
}

std::string ChecksumOf(const StoredRelease& release) {
  const ReleaseRecord& record = release.record;
  return ChecksumOf({"release", std::to_string(record.number), record.target, release.temporary,
                     record.digest, record.certificate, release.certificate_file,
                     release.certificate_temporary, record.created, std::to_string(record.rows),
                     std::to_string(record.set_aside)});
}

std::string ChecksumOf(std::uint32_t release, std::uint64_t position, const Companion& companion) {
  return ChecksumOf({"companion", std::to_string(release), std::to_string(position),
                     companion.target, companion.temporary, companion.digest,
                     companion.owner_only ? "1" : "0"});
}

Result<std::vector<Companion>> LoadCompanions(const Database& database, std::uint32_t release) {
  Statement row = REISSUE_TRY(database.Prepare(
      "SELECT position, target, temporary, digest, owner_only, checksum FROM companions "
      "WHERE release = ? ORDER BY position"));
  row.Number(1, release);
  std::vector<Companion> companions;
  while (REISSUE_TRY(row.Step())) {
    Companion companion{row.Bytes(1), row.Bytes(2), row.Bytes(3), row.Number(4) != 0};
    if (row.Number(0) != companions.size() + 1 ||
        row.Bytes(5) != ChecksumOf(release, companions.size() + 1, companion)) {
      return DamagedError(
          database.path(),
          fmt::format("the record of the files of release {} has changed", release));
    }
    companions.push_back(std::move(companion));
  }
  return companions;
}

Status InsertCompanions(Database& database, std::uint32_t release,
                        const std::vector<Companion>& companions) {
  for (std::size_t i = 0; i < companions.size(); ++i) {
    const Companion& companion = companions[i];
    Statement insert = REISSUE_TRY(
        database.Prepare("INSERT INTO companions (release, position, target, temporary, "
                         "digest, owner_only, checksum) VALUES (?, ?, ?, ?, ?, ?, ?)"));
    insert.Number(1, release).Number(2, i + 1).Text(3, companion.target);
    insert.Text(4, companion.temporary).Text(5, companion.digest);
    insert.Number(6, companion.owner_only ? 1 : 0);
    REISSUE_TRY(insert.Blob(7, ChecksumOf(release, i + 1, companion)).Finish());
  }
  return Ok();
}

Result<StoredRelease> ReadRelease(const Statement& row, const std::string& file) {
  StoredRelease release;
  ReleaseRecord& record = release.record;
  const std::uint64_t number = row.Number(0);
  const std::string state = row.Bytes(1);
  record.number = static_cast<std::uint32_t>(number);
  record.target = row.Bytes(2);
  release.temporary = row.Bytes(3);
  record.digest = row.Bytes(4);
  record.certificate = row.Bytes(5);
  release.certificate_file = row.Bytes(6);
  release.certificate_temporary = row.Bytes(7);
  record.created = row.Bytes(8);
  record.rows = row.Number(9);
  record.set_aside = row.Number(10);
  release.published = state == "published";
  if (number != record.number || (!release.published && state != "prepared") ||
      row.Bytes(11) != ChecksumOf(release)) {
    return DamagedError(file, fmt::format("the record of release {} has changed", number));
  }
  return release;
}

Status InsertHeader(Database& database, const Header& header) {
  Statement insert = REISSUE_TRY(database.Prepare(
      "INSERT INTO vault (only, id, wrapped, salt, operations, memory, key, model, title, policy, "
      "policy_digest, policy_path, checksum) VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  const StoredKey& key = header.key;
  const VaultPolicy& policy = header.policy;
  insert.Blob(1, header.id).Number(2, key.wrapped ? 1 : 0).Blob(3, key.salt);
  insert.Number(4, key.operations).Number(5, key.memory).Blob(6, key.content);
  insert.Text(7, policy.model).Text(8, policy.title).Text(9, policy.text);
  insert.Text(10, policy.digest).Text(11, policy.path);
  return insert.Blob(12, ChecksumOf(header)).Finish();
}

Status MakeTables(Database& database, const Header& header) {
  REISSUE_TRY(database.Run(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}; {}",
                                       kApplicationId, kFormat, kTables)));
  return InsertHeader(database, header);
}

struct OldSecret {
  std::uint32_t release = 0;
  std::string name, sealed;
};

Result<std::vector<OldSecret>> LoadOldSecrets(const Database& database) {
  Statement row = REISSUE_TRY(database.Prepare("SELECT release, name, sealed FROM secrets"));
  std::vector<OldSecret> secrets;
  while (REISSUE_TRY(row.Step())) {
    secrets.push_back({static_cast<std::uint32_t>(row.Number(0)), row.Bytes(1), row.Bytes(2)});
  }
  return secrets;
}

// Fields one after the other, each with its length in front.
Status Append(const Database& database, const char* sql, std::string& contents) {
  Statement row = REISSUE_TRY(database.Prepare(sql));
  contents += fmt::format("{}:{}", std::strlen(sql), sql);
  while (REISSUE_TRY(row.Step())) {
    contents += '|';
    for (int column = 0; column < row.columns(); ++column) {
      const std::string field = row.Bytes(column);
      contents += fmt::format("{}:{}", field.size(), field);
    }
  }
  return Ok();
}

}  // namespace

Result<std::uint64_t> FormatOf(const Database& database) {
  return database.QueryNumber("PRAGMA user_version");
}

Status RaiseFormat(Database& database, std::uint64_t format) {
  const std::uint64_t now = REISSUE_TRY(FormatOf(database));
  if (now >= format) return Ok();
  return database.Run(fmt::format("PRAGMA user_version = {}", format));
}

Status WriteNewVault(Database& database, const Header& header) {
  return database.InTransaction([&] { return MakeTables(database, header); });
}

Status ReplaceKey(Database& database, const Header& header) {
  REISSUE_TRY(database.Run("DELETE FROM vault"));
  return InsertHeader(database, header);
}

Status ReplaceTables(Database& database, const Header& header, const Reseal& reseal) {
  const std::vector<StoredRelease> releases = REISSUE_TRY(LoadReleases(database));
  const std::vector<OldSecret> secrets = REISSUE_TRY(LoadOldSecrets(database));
  const std::vector<std::string> temporaries = REISSUE_TRY(LoadTemporaries(database));
  REISSUE_TRY(database.Run(kDropOldTables));
  REISSUE_TRY(MakeTables(database, header));
  for (const StoredRelease& release : releases) {
    REISSUE_TRY(InsertRelease(database, release));
    if (release.published) REISSUE_TRY(MarkPublished(database, release.record.number));
  }
  for (const OldSecret& secret : secrets) {
    REISSUE_TRY(reseal(secret.release, secret.name, secret.sealed));
  }
  for (const std::string& path : temporaries) REISSUE_TRY(PutTemporary(database, path));
  return Ok();
}

Result<std::string> Contents(const Database& database) {
  std::string contents;
  for (const char* sql : {
           "PRAGMA application_id",
           "PRAGMA user_version",
           "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name",
           "SELECT only, checksum FROM vault ORDER BY only",
           "SELECT number, state, checksum FROM releases ORDER BY number",
           "SELECT release, position, checksum FROM companions ORDER BY release, position",
           "SELECT release, name, tag, length(sealed) FROM secrets ORDER BY release, name",
           "SELECT path FROM temporaries ORDER BY path",
       }) {
    REISSUE_TRY(Append(database, sql, contents));
  }
  const bool pieces = REISSUE_TRY(HasPieces(database));
  if (pieces) {
    REISSUE_TRY(Append(database,
                       "SELECT release, name, piece, tag, length(sealed) FROM pieces "
                       "ORDER BY release, name, piece",
                       contents));
  }
  const bool targets = REISSUE_TRY(HasTargets(database));
  if (targets) {
    REISSUE_TRY(
        Append(database, "SELECT release, checksum FROM targets ORDER BY release", contents));
  }
  return contents;
}

Status KeepAtHand(const Database& database) {
  REISSUE_TRY(Contents(database));
  return Ok();
}

Result<std::string> LoadSeal(const Database& database) {
  return database.QueryText("SELECT content FROM seal");
}

Status PutSeal(Database& database, std::string_view seal) {
  Statement put = REISSUE_TRY(database.Prepare("INSERT OR REPLACE INTO seal VALUES (1, ?)"));
  return put.Blob(1, seal).Finish();
}

Status CheckFormat(Database& database) {
  const Place place{.file = database.path(), .line = {}, .byte = {}, .column = {}};
  const std::uint64_t application = REISSUE_TRY(database.QueryNumber("PRAGMA application_id"));
  if (application != kApplicationId) {
    return InputError(place, "this is a database, but not a vault",
                      "Name the directory of a vault, or a new directory to make one.");
  }
  const std::uint64_t version = REISSUE_TRY(FormatOf(database));
  if (version > kNewestFormat) {
    return InputError(
        place,
        fmt::format("the vault has format {}, and this program knows formats up to {}", version,
                    kNewestFormat),
        "Use the version of reissue that wrote it, or a later one.");
  }
  if (version < kFirstFormat) {
    return DamagedError(database.path(), fmt::format("there is no format {}", version));
  }
  const std::string verdict = REISSUE_TRY(database.QueryText("PRAGMA integrity_check(1)"));
  if (verdict != "ok") return DamagedError(database.path(), "its database contradicts itself");
  return Ok();
}

Result<Header> LoadHeader(const Database& database) {
  Statement row = REISSUE_TRY(
      database.Prepare("SELECT id, wrapped, salt, operations, memory, key, model, title, policy, "
                       "policy_digest, policy_path, checksum FROM vault"));
  const bool found = REISSUE_TRY(row.Step());
  if (!found) return DamagedError(database.path(), "its first record is missing");
  Header header;
  header.id = row.Bytes(0);
  header.key.wrapped = row.Number(1) != 0;
  header.key.salt = row.Bytes(2);
  header.key.operations = row.Number(3);
  header.key.memory = row.Number(4);
  header.key.content = row.Bytes(5);
  header.policy = {row.Bytes(6), row.Bytes(7), row.Bytes(8), row.Bytes(9), row.Bytes(10)};
  if (header.id.size() != kVaultIdBytes || row.Bytes(11) != ChecksumOf(header)) {
    return DamagedError(database.path(), "the record of its policy and key has changed");
  }
  return header;
}

Result<std::vector<StoredRelease>> LoadReleases(const Database& database) {
  Statement row = REISSUE_TRY(database.Prepare(
      "SELECT number, state, target, temporary, digest, certificate, certificate_file, "
      "certificate_temporary, created, rows, suppressed, checksum FROM releases ORDER BY number"));
  std::vector<StoredRelease> releases;
  while (REISSUE_TRY(row.Step())) {
    StoredRelease release = REISSUE_TRY(ReadRelease(row, database.path()));
    if (release.record.number != releases.size() + 1 ||
        (!releases.empty() && !releases.back().published)) {
      return DamagedError(database.path(),
                          fmt::format("the record of release {} is missing", releases.size() + 1));
    }
    releases.push_back(std::move(release));
  }
  const std::uint64_t format = REISSUE_TRY(FormatOf(database));
  if (format < kWithCompanions) return releases;
  for (StoredRelease& release : releases) {
    release.companions = REISSUE_TRY(LoadCompanions(database, release.record.number));
  }
  REISSUE_TRY(LoadTargets(database, releases));
  return releases;
}

Status InsertRelease(Database& database, const StoredRelease& release) {
  Statement insert = REISSUE_TRY(database.Prepare(
      "INSERT INTO releases (number, state, target, temporary, digest, certificate, "
      "certificate_file, certificate_temporary, created, rows, suppressed, checksum) "
      "VALUES (?, 'prepared', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  const ReleaseRecord& record = release.record;
  insert.Number(1, record.number).Text(2, record.target).Text(3, release.temporary);
  insert.Text(4, record.digest).Text(5, record.certificate).Text(6, release.certificate_file);
  insert.Text(7, release.certificate_temporary).Text(8, record.created).Number(9, record.rows);
  REISSUE_TRY(insert.Number(10, record.set_aside).Blob(11, ChecksumOf(release)).Finish());
  if (record.is_table()) REISSUE_TRY(InsertTarget(database, record));
  return InsertCompanions(database, record.number, release.companions);
}

Status MarkPublished(Database& database, std::uint32_t number) {
  Statement mark =
      REISSUE_TRY(database.Prepare("UPDATE releases SET state = 'published' WHERE number = ?"));
  REISSUE_TRY(mark.Number(1, number).Finish());
  return EraseSecrets(database, number, Erased::kReplaced);
}

Status DeleteRelease(Database& database, std::uint32_t number) {
  REISSUE_TRY(EraseSecrets(database, number, Erased::kItsOwn));
  Statement remove = REISSUE_TRY(database.Prepare("DELETE FROM releases WHERE number = ?"));
  return remove.Number(1, number).Finish();
}

Result<std::vector<std::string>> LoadTemporaries(const Database& database) {
  Statement row = REISSUE_TRY(database.Prepare("SELECT path FROM temporaries"));
  std::vector<std::string> paths;
  while (REISSUE_TRY(row.Step())) paths.push_back(row.Bytes(0));
  return paths;
}

Status PutTemporary(Database& database, std::string_view path) {
  Statement put = REISSUE_TRY(database.Prepare("INSERT OR REPLACE INTO temporaries VALUES (?)"));
  return put.Text(1, path).Finish();
}

Status DropTemporary(Database& database, std::string_view path) {
  Statement drop = REISSUE_TRY(database.Prepare("DELETE FROM temporaries WHERE path = ?"));
  return drop.Text(1, path).Finish();
}

}  // namespace reissue::ledger
