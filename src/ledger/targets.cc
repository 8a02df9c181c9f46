#include "reissue/ledger/targets.h"

#include <fmt/format.h>

#include "reissue/ledger/keys.h"

namespace reissue::ledger {
namespace {

constexpr char kTable[] = R"sql(
CREATE TABLE targets (
  release  INTEGER PRIMARY KEY REFERENCES releases (number) ON DELETE CASCADE,
  checksum BLOB NOT NULL,
  seal     TEXT NOT NULL
) STRICT;
)sql";

std::string ChecksumOf(std::uint32_t release, const std::string& seal) {
  const std::string number = std::to_string(release);
  return Checksum(fmt::format("6:target{}:{}{}:{}", number.size(), number, seal.size(), seal));
}

}  // namespace

Result<bool> HasTargets(const Database& database) {
  const std::uint64_t tables = REISSUE_TRY(database.QueryNumber(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'targets'"));
  return tables > 0;
}

Status InsertTarget(Database& database, const ReleaseRecord& record) {
  const bool there = REISSUE_TRY(HasTargets(database));
  if (!there) REISSUE_TRY(database.Run(kTable));
  REISSUE_TRY(RaiseFormat(database, kTargetsFormat));
  Statement insert = REISSUE_TRY(
      database.Prepare("INSERT INTO targets (release, seal, checksum) VALUES (?, ?, ?)"));
  insert.Number(1, record.number).Text(2, record.seal);
  return insert.Blob(3, ChecksumOf(record.number, record.seal)).Finish();
}

Status LoadTargets(const Database& database, std::vector<StoredRelease>& releases) {
  const bool there = REISSUE_TRY(HasTargets(database));
  if (!there) return Ok();
  Statement row =
      REISSUE_TRY(database.Prepare("SELECT release, seal, checksum FROM targets ORDER BY release"));
  while (REISSUE_TRY(row.Step())) {
    const std::uint64_t number = row.Number(0);
    std::string seal = row.Bytes(1);
    if (number < 1 || number > releases.size() || seal.empty() ||
        row.Bytes(2) != ChecksumOf(static_cast<std::uint32_t>(number), seal)) {
      return DamagedError(
          database.path(),
          fmt::format("the record of the table that is release {} has changed", number));
    }
    releases[number - 1].record.seal = std::move(seal);
  }
  return Ok();
}

}  // namespace reissue::ledger
