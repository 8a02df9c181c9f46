#include "reissue/models/invariance/service/certificate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "reissue/binding/grouped/reader.h"
#include "reissue/models/invariance/service/audit.h"
#include "reissue/models/invariance/service/forms.h"

namespace reissue::models::invariance::service {
namespace {

using contract::Json;

// Values with counts per group, to compare files.
using Contents = std::map<std::string, std::map<std::string, std::uint64_t>>;

Contents ContentsOf(const binding::ReleasedGroups& released) {
  Contents contents;
  for (const auto& group : released.groups) {
    for (const auto& [value, rows] : group.values) {
      contents[group.name][binding::Joined(released.values[value])] += rows;
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

contract::AuditReport AuditGroups(const binding::ReleasedGroups& released, const Promise& promise,
                                  const std::string& release) {
  contract::AuditReport audit;
  audit.model = promise.model;
  audit.rows = released.table.rows();
  audit.cells = released.groups.size();
  audit.smallest = audit.rows;
  for (const auto& group : released.groups) audit.smallest = std::min(audit.smallest, group.rows);
  audit.releases.push_back({release, audit.rows, audit.cells, audit.smallest, released.digests[0]});
  const bool kept = released.least_values >= promise.m;
  audit.promises.push_back(
      {"m", static_cast<double>(promise.m), static_cast<double>(released.least_values), kept});
  if (promise.e > 1) {
    audit.promises.push_back({"e", static_cast<double>(promise.e), 0, true, contract::Basis::kRule,
                              contract::PromiseKept::Number::kNone});
  }
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

InvarianceFacts ReadFacts(const contract::Member& changing, const Promise& promise) {
  InvarianceFacts facts;
  facts.m = changing["m"].Whole();
  facts.e = changing["e"].Whole();
  if (facts.m != promise.m) changing["m"].Misfit("the guarantee's m");
  if (facts.e != promise.e) changing["e"].Misfit("the guarantee's e");
  // Which files there are follows from the guarantee: no others are looked for.
  const std::vector<std::string> suffixes = binding::SuffixesOf(FilesOf(promise));
  const std::vector<contract::Member> files = changing["files"].List(suffixes.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    facts.files.push_back({files[i]["suffix"].Text(), files[i]["digest"].Text()});
    if (i < suffixes.size() && facts.files[i].suffix == suffixes[i]) continue;
    files[i]["suffix"].Misfit("the name of a file that belongs to the form of the release");
  }
  if (promise.counterfeits_published) facts.counterfeits = changing["counterfeits"].Whole();
  return facts;
}

Result<std::vector<std::string>> FilesBeside(const InvarianceFacts& facts,
                                             const std::string& release,
                                             binding::Context& context) {
  std::vector<std::string> beside;
  for (const InvarianceFacts::File& file : facts.files) {
    beside.push_back(release + file.suffix);
    if (context.files.Exists(beside.back())) continue;
    return InputError({beside.back(), std::nullopt, std::nullopt, ""},
                      "this file belongs to the release, and is not there",
                      "The release has several files: keep them together, under the names that "
                      "they were published with.");
  }
  return beside;
}

// What the published files say otherwise than the certificate.
void CompareFiles(const InvarianceFacts& facts, const binding::ReleasedGroups& released,
                  const std::vector<std::string>& beside, contract::VerifyReport& report) {
  for (std::size_t i = 0; i < facts.files.size(); ++i) {
    if (released.digests[i + 1] == facts.files[i].digest) continue;
    report.Fail(fmt::format("{} is not the file that was certified: its bytes differ.", beside[i]));
  }
  for (const std::string& fault : released.faults) {
    report.Fail(fmt::format("The files have {}.", fault));
  }
  for (const std::string& column : released.columns) {
    report.Fail(
        fmt::format("The file has a column that the certificate does not name (\"{}\").", column));
  }
  if (facts.counterfeits && *facts.counterfeits != released.counterfeits) {
    report.Fail(fmt::format("The certificate says {} counterfeits, the files {}.",
                            *facts.counterfeits, released.counterfeits));
  }
}

// What only the holder's copies tell.
Status CompareCopies(const contract::Certificate& certificate, const contract::VerifyTask& task,
                     const binding::ReleasedGroups& released, binding::Context& context,
                     contract::VerifyReport& report) {
  if (task.copies.empty()) {
    report.rests.push_back(
        "That everybody keeps their group's values from release to release, and that no two sides "
        "of fewer than e people are shown to have the same values, depends on who is in which "
        "group. The files do not tell: it is the holder's word. With the holder's copies "
        "(--holder-copy, once for each release) it is checked.");
    return Ok();
  }
  const HolderCopies copies = REISSUE_TRY(ReadCopies(certificate.columns, task.copies, context));
  if (ContentsOf(released) != LastOf(copies)) {
    report.Fail("The last holder's copy is not one of this release.");
  }
  contract::AuditReport audit = REISSUE_TRY(
      AuditCopies(copies, certificate.promise->As<Promise>(), contract::kWorstShown, {}, context));
  if (!audit.satisfied && report.audit.satisfied) {
    report.Fail("The release does not keep the guaranteed promise.");
  }
  // The numbers of the certified file stay.
  audit.rows = report.audit.rows;
  audit.cells = report.audit.cells;
  audit.smallest = report.audit.smallest;
  audit.satisfied = audit.satisfied && report.audit.satisfied;
  report.audit = std::move(audit);
  return Ok();
}

}  // namespace

Json FactsJson(const InvarianceFacts& facts) {
  Json json = {{"m", facts.m}, {"e", facts.e}, {"files", Json::array()}};
  for (const InvarianceFacts::File& file : facts.files) {
    json["files"].push_back({{"suffix", file.suffix}, {"digest", file.digest}});
  }
  if (facts.counterfeits) json["counterfeits"] = *facts.counterfeits;
  return json;
}

Status VerifyGroups(const contract::Certificate& certificate, const contract::VerifyTask& task,
                    binding::Context& context, contract::VerifyReport& report) {
  const Promise& promise = certificate.promise->As<Promise>();
  InvarianceFacts facts;
  REISSUE_TRY(certificate.Own([&](const contract::Member& root) {
    facts = ReadFacts(root["changing"], promise);
    (void)root["columns"]["sensitive"].List(1);
  }));
  const std::vector<std::string> releases = WithoutFilesBeside(task.releases, facts);
  REISSUE_TRY(RightFiles(certificate.earlier.size() + 1, releases.size(), task.copies.size()));
  const std::string& release = releases.back();
  const std::vector<std::string> beside = REISSUE_TRY(FilesBeside(facts, release, context));
  const binding::ReleasedGroups released = REISSUE_TRY(
      binding::ReadReleased(certificate.columns, FilesOf(promise), release, beside, context));
  contract::CompareDigest(certificate, released.digests[0], report);
  REISSUE_TRY(contract::CompareEarlierFiles(certificate, releases, context, report));
  report.audit = AuditGroups(released, promise, release);
  CompareFiles(facts, released, beside, report);
  // Format 1 had the least number of values of all releases together.
  if (certificate.format == 1) report.audit.promises[0].basis = contract::Basis::kHolder;
  contract::Compare(certificate, report.audit, report);
  contract::CompareRecoding(certificate, {}, released.table, report);
  return CompareCopies(certificate, task, released, context, report);
}

}  // namespace reissue::models::invariance::service
