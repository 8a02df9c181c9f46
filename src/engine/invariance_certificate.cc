#include "reissue/engine/invariance_certificate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reissue/engine/invariance_audit.h"
#include "reissue/engine/invariance_files.h"
#include "reissue/engine/invariance_forms.h"
#include "reissue/io/csv.h"

namespace reissue::engine {
namespace {

// Values with counts per group, to compare files.
using Contents = std::map<std::string, std::map<std::string, std::uint64_t>>;

Contents ContentsOf(const ReleasedGroups& released) {
  Contents contents;
  for (const auto& group : released.groups) {
    for (const auto& [value, rows] : group.values) {
      contents[group.name][Joined(released.values[value])] += rows;
    }
  }
  return contents;
}

Contents LastOf(const HolderCopies& copies) {
  Contents contents;
  for (const auto& row : copies.series.releases.back().rows) {
    ++contents[copies.files.back().group_names[row.group]][copies.values[row.value]];
  }
  return contents;
}

AuditReport AuditGroups(const ReleasedGroups& released, const InvariancePromise& promise,
                        const std::string& release) {
  AuditReport audit;
  audit.model = "m-invariance";
  audit.rows = released.table.rows();
  audit.cells = released.groups.size();
  audit.smallest = audit.rows;
  for (const auto& group : released.groups) audit.smallest = std::min(audit.smallest, group.rows);
  audit.releases.push_back({release, audit.rows, audit.cells, audit.smallest, released.digests[0]});
  const bool kept = released.least_values >= promise.m;
  audit.promises.push_back(
      {"m", static_cast<double>(promise.m), static_cast<double>(released.least_values), kept});
  audit.satisfied = kept && released.faults.empty();
  return audit;
}

// Whoever lists all files of a release means the release.
std::vector<std::string> WithoutFilesBeside(const std::vector<std::string>& given,
                                            const InvarianceFacts& facts) {
  std::vector<std::string> releases;
  for (const std::string& file : given) {
    const bool beside =
        std::any_of(facts.files.begin(), facts.files.end(), [&](const InvarianceFacts::File& own) {
          return file.ends_with(own.suffix) &&
                 std::find(given.begin(), given.end(),
                           file.substr(0, file.size() - own.suffix.size())) != given.end();
        });
    if (!beside) releases.push_back(file);
  }
  return releases;
}

Status RightFiles(std::size_t series, std::size_t releases, std::size_t copies) {
  if (releases != 1 && releases != series) {
    return UsageError(fmt::format("the certificate is about release {} of its series, and {} files "
                                  "were given",
                                  series, releases),
                      "Give the published file that it belongs to, or all up to it, oldest first. "
                      "The files beside a release are found by their names.");
  }
  if (copies == 0 || copies == series) return Ok();
  return UsageError(
      fmt::format("the certificate is about release {} of its series, and {} holder's {} given",
                  series, copies, copies == 1 ? "copy was" : "copies were"),
      "Give those of all releases up to it, oldest first.");
}

}  // namespace

Result<CertifiedGroups> CheckCertified(const InvarianceFacts& facts, const ReleaseColumns& columns,
                                       const std::vector<std::string>& earlier,
                                       const std::vector<std::string>& given,
                                       const std::vector<std::string>& copies, Context& context) {
  const std::vector<std::string> releases = WithoutFilesBeside(given, facts);
  REISSUE_TRY(RightFiles(earlier.size() + 1, releases.size(), copies.size()));
  const std::string& release = releases.back();
  std::vector<std::string> beside;
  for (const InvarianceFacts::File& file : facts.files) {
    beside.push_back(release + file.suffix);
    if (context.files.Exists(beside.back())) continue;
    return InputError({beside.back(), std::nullopt, std::nullopt, ""},
                      "this file belongs to the release, and is not there",
                      "The release has several files: keep them together, under the names that "
                      "they were published with.");
  }
  const ReleasedGroups released =
      REISSUE_TRY(ReadReleased(columns, facts.promise, release, beside, context));
  CertifiedGroups found;
  for (std::size_t i = 0; i + 1 < releases.size(); ++i) {
    const auto bytes = REISSUE_TRY(context.files.Read(releases[i]));
    if (io::Digest(bytes->view()) == earlier[i]) continue;
    found.failures.push_back(fmt::format(
        "Release {} is not the one that the certificate counts on: its bytes differ.", i + 1));
  }
  found.digest = released.digests[0];
  found.audit = AuditGroups(released, facts.promise, release);
  for (std::size_t i = 0; i < facts.files.size(); ++i) {
    if (released.digests[i + 1] == facts.files[i].digest) continue;
    found.failures.push_back(
        fmt::format("{} is not the file that was certified: its bytes differ.", beside[i]));
  }
  for (const std::string& fault : released.faults) {
    found.failures.push_back(fmt::format("The files have {}.", fault));
  }
  for (const std::string& column : released.columns) {
    found.failures.push_back(
        fmt::format("The file has a column that the certificate does not name (\"{}\").", column));
  }
  if (facts.counterfeits && *facts.counterfeits != released.counterfeits) {
    found.failures.push_back(fmt::format("The certificate says {} counterfeits, the files {}.",
                                         *facts.counterfeits, released.counterfeits));
  }
  if (copies.empty()) {
    found.notes.push_back(
        "That everybody keeps their group's values from release to release, and that no two sides "
        "of fewer than e people are shown to have the same values, depends on who is in which "
        "group. The files do not tell: it is the holder's word. With the holder's copies "
        "(--holder-copy, once for each release) it is checked.");
    return found;
  }
  const HolderCopies read = REISSUE_TRY(ReadCopies(columns, copies, context));
  if (ContentsOf(released) != LastOf(read)) {
    found.failures.push_back("The last holder's copy is not one of this release.");
  }
  AuditReport audit = REISSUE_TRY(AuditCopies(read, facts.promise, 10, {}, context));
  // The numbers of the certified file stay.
  audit.rows = found.audit.rows;
  audit.cells = found.audit.cells;
  audit.smallest = found.audit.smallest;
  audit.satisfied = audit.satisfied && found.audit.satisfied;
  found.audit = std::move(audit);
  return found;
}

}  // namespace reissue::engine
