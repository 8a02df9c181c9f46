#include "reissue/contract/certificate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "reissue/io/csv.h"
#include "reissue/io/file_digest.h"
#include "reissue/ledger/division.h"
#include "reissue/ledger/signature.h"

namespace reissue::contract {
namespace {

constexpr std::uint32_t kFormat = 3;
// Of tables: programs before could not make their digest.
constexpr std::uint32_t kOfTables = 4;
// From here on certificates are signed, and name the one before.
constexpr std::uint32_t kSigned = 3;
constexpr char kAudited[] = "audited";
constexpr char kByRule[] = "by rule";
constexpr char kOfCounts[] = "combinations and counts";

// Before they were signed: the certificate without its last member, as bytes.
std::string ChecksumOf(Json json) {
  json.erase("checksum");
  return io::Digest(json.dump());
}

// A certificate ends with its signature, and all bytes before this are signed.
constexpr std::string_view kBeforeSignature = "  \"signature\": \"";
constexpr std::string_view kAfterSignature = "\"\n}\n";

struct SignedText {
  std::string_view bytes, signature;
};

std::optional<SignedText> Split(std::string_view text) {
  constexpr std::size_t kEnd =
      kBeforeSignature.size() + ledger::kSignatureDigits + kAfterSignature.size();
  if (text.size() < kEnd || !text.ends_with(kAfterSignature)) return std::nullopt;
  const std::string_view end = text.substr(text.size() - kEnd);
  if (!end.starts_with(kBeforeSignature)) return std::nullopt;
  return SignedText{text.substr(0, text.size() - kEnd),
                    end.substr(kBeforeSignature.size(), ledger::kSignatureDigits)};
}

// The number where whoever has the files measures the same; of everything else that it is kept, and
// how the holder knows.
Json PromisesJson(const std::vector<PromiseKept>& promises) {
  Json list = Json::array();
  for (const PromiseKept& promise : promises) {
    const bool derived = promise.basis == Basis::kFiles;
    const bool open = promise.basis == Basis::kOpen;
    REISSUE_CHECK(derived || open || promise.kept);  // nothing else is published
    list.push_back({{"promise", promise.name},
                    {"asked", promise.asked},
                    {"measured", derived && std::isfinite(promise.measured) ? Json(promise.measured)
                                                                            : Json(nullptr)},
                    {"kept", open ? Json(nullptr) : Json(promise.kept)}});
    if (promise.basis == Basis::kHolder) list.back()["proof"] = kAudited;
    if (promise.basis == Basis::kRule) list.back()["proof"] = kByRule;
  }
  return list;
}

Json ToJson(const io::Setting& setting) {
  switch (setting.kind) {
    case io::Setting::Kind::kNumber:
      if (setting.integer) return static_cast<std::int64_t>(setting.number);
      return setting.number;
    case io::Setting::Kind::kText:
      return setting.text;
    case io::Setting::Kind::kFlag:
      return setting.flag;
    case io::Setting::Kind::kList: {
      Json list = Json::array();
      for (const io::Setting& item : setting.list) list.push_back(ToJson(item));
      return list;
    }
    case io::Setting::Kind::kTable:
      break;
  }
  Json table = Json::object();
  for (const auto& [key, value] : setting.table) table[key] = ToJson(value);
  return table;
}

io::Setting ReadSetting(const Member& member) {
  const Json& json = member.json();
  io::Setting setting;
  if (json.is_number()) {
    setting.number = member.Number();
    setting.integer = json.is_number_integer();
  } else if (json.is_string()) {
    setting.kind = io::Setting::Kind::kText;
    setting.text = member.Text();
  } else if (json.is_boolean()) {
    setting.kind = io::Setting::Kind::kFlag;
    setting.flag = member.Flag();
  } else if (json.is_array()) {
    setting.kind = io::Setting::Kind::kList;
    for (const Member& item : member.List()) setting.list.push_back(ReadSetting(item));
  } else if (json.is_object()) {
    setting.kind = io::Setting::Kind::kTable;
    for (const auto& [key, value] : member.Members()) {
      setting.table.emplace_back(key, ReadSetting(value));
    }
  } else {
    member.Misfit("a number, a text, true or false, a list or an object");
  }
  return setting;
}

// Equal but for the last bits of sums that were made in another order.
bool SameNumber(double a, double b) {
  return a == b || std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)});
}

}  // namespace

bool SameSettings(const binding::Settings& a, const binding::Settings& b) {
  std::map<std::string, Json> ours, theirs;
  for (const auto& [key, value] : a) ours[key] = ToJson(value);
  for (const auto& [key, value] : b) theirs[key] = ToJson(value);
  return ours == theirs;
}

Json RecodingJson(const PublishReport& report) {
  Json recoding = Json::object();
  for (const PublishReport::Recoded& column : report.recoding) {
    recoding[column.column] = column.labels;
  }
  return recoding;
}

Json HierarchyJson(const std::vector<binding::ColumnHierarchy>& hierarchy) {
  Json json = Json::object();
  for (const binding::ColumnHierarchy& column : hierarchy) {
    Json& labels = json[column.column] = Json::object();
    for (const auto& [label, above] : column.parents) {
      labels[label] = above.empty() ? Json(nullptr) : Json(above);
    }
  }
  return json;
}

std::vector<binding::ColumnHierarchy> ReadHierarchy(const Member& member) {
  std::vector<binding::ColumnHierarchy> hierarchy;
  for (const auto& [column, labels] : member.Members()) {
    binding::ColumnHierarchy entry{column, {}};
    for (const auto& [label, above] : labels.Members()) {
      entry.parents.emplace_back(label, above.IsNull() ? "" : above.Text());
    }
    hierarchy.push_back(std::move(entry));
  }
  return hierarchy;
}

Result<std::string> WriteCertificate(const Envelope& envelope,
                                     const std::function<void(Json&)>& own, const Sign& sign) {
  const PublishReport& report = *envelope.report;
  const AuditReport& audit = report.audit;
  const binding::ReleaseColumns& columns = envelope.columns;
  Json json;
  json["reissue_certificate"] = envelope.table ? kOfTables : kFormat;
  json["program"] = "reissue " REISSUE_VERSION;
  json["series"] = {{"title", envelope.title},
                    {"model", audit.model},
                    {"release", report.release},
                    {"created", envelope.created},
                    {"key", envelope.key}};
  if (envelope.series) {
    json["series"]["previous"] =
        envelope.previous.empty() ? Json(nullptr) : Json(envelope.previous);
    json["series"]["earlier"] = envelope.earlier;
    if (envelope.policy_since > 1) json["series"]["policy_since"] = envelope.policy_since;
  }
  if (envelope.part.parts > 0) {
    json["series"]["part"] = {{"number", envelope.part.part},
                              {"of", envelope.part.parts},
                              {"keyed_digest", envelope.part.keyed_digest}};
  }
  json["release"] = {{"digest", envelope.release_digest},
                     {"rows", audit.rows},
                     {"cells", audit.cells},
                     {"smallest_cell", audit.smallest}};
  if (envelope.table) json["release"]["digest_of"] = kOfCounts;
  json["columns"] = {{"quasi", columns.quasi},       {"sensitive", columns.sensitive},
                     {"numeric", columns.numeric},   {"publish", columns.others},
                     {"order", columns.order.texts}, {"numeric_order", columns.order.numeric}};
  Json guarantee = Json::object();
  for (const auto& [key, value] : envelope.guarantee) guarantee[key] = ToJson(value);
  json["guarantee"] = std::move(guarantee);
  json["measured"] = PromisesJson(audit.promises);
  own(json);
  json["inputs"] = {{"policy_keyed_digest", envelope.policy_keyed_digest},
                    {"table_keyed_digest", envelope.table_keyed_digest}};
  if (!report.consistency.empty()) json["inputs"]["consistency"] = report.consistency;
  json["chance"] = {{"row_order", report.row_order_reproducible
                                      ? "from a seed: predictable, for tests only"
                                      : "from the operating system"}};
  json["limits"] = "What this promise does not cover: docs/limits.md of reissue";
  std::string text = json.dump(2);
  text.replace(text.size() - 2, 2, ",\n");  // instead of the end of the object
  const std::string signature = REISSUE_TRY(sign(text));
  return text.append(kBeforeSignature).append(signature).append(kAfterSignature);
}

Result<Certificate> Certificate::Parse(std::string_view text, const std::string& file) {
  const Error none = InputError(
      {file, std::nullopt, std::nullopt, ""}, "this is not a certificate of reissue",
      "`reissue publish` writes one beside each release, named RELEASE.certificate.json.");
  Json json = REISSUE_TRY(ParseStrict(text, file, none));
  if (!json.is_object() || !json.contains("reissue_certificate")) return none;
  Certificate certificate;
  certificate.file = file;
  certificate.json_ = std::make_shared<const Json>(std::move(json));
  REISSUE_TRY(certificate.ParseMembers(text));
  return certificate;
}

Status Certificate::ParseMembers(std::string_view text) {
  const Member root(*json_, file);
  format = root["reissue_certificate"].Whole<std::uint32_t>();
  if (format > kOfTables) {
    return InputError({file, std::nullopt, std::nullopt, ""},
                      "the certificate was made by a later version of reissue",
                      "Update reissue to check it.");
  }
  if (format == 0) root["reissue_certificate"].Misfit("a whole number above 0");
  (void)root["program"].Text();
  ReadSeries(root["series"]);
  ReadRelease(root["release"]);
  ReadColumns(root["columns"]);
  ReadGuarantee(root["guarantee"]);
  for (const Member& entry : root["measured"].List(1)) ReadStated(entry);
  for (const auto& [column, labels] : root["recoding"].Members()) {
    recoding.emplace_back(column, labels.Texts());
  }
  const Member inputs = root["inputs"];
  policy_keyed_digest = inputs[format == 1 ? "policy_digest" : "policy_keyed_digest"].Text();
  (void)inputs["table_keyed_digest"].Text();
  if (inputs.Has("consistency")) consistency = inputs["consistency"].Text();
  (void)root["chance"]["row_order"].Text();
  (void)root["limits"].Text();
  if (format < kSigned) {
    unchanged = ChecksumOf(*json_) == root["checksum"].Text();
  } else {
    const std::string signature = root["signature"].Text();
    const std::optional<SignedText> parts = Split(text);
    unchanged = parts && parts->signature == signature &&
                ledger::SignatureFits(key, parts->bytes, signature);
  }
  return root.status();
}

void Certificate::ReadSeries(const Member& about) {
  title = about["title"].Text();
  series_model = about["model"].Text();
  release = about["release"].Whole<std::uint32_t>();
  created = about["created"].Text();
  if (about.Has("earlier")) earlier = about["earlier"].Texts();
  if (about.Has("policy_since")) {
    policy_since = about["policy_since"].Whole<std::uint32_t>();
    if (policy_since < 1 || policy_since > release) {
      about["policy_since"].Misfit(fmt::format("a release from 1 to {}", release));
    }
  }
  if (about.Has("part")) ReadPart(about["part"]);
  if (format < kSigned) return;
  key = about["key"].Text();
  if (!about.Has("earlier")) return;
  const Member before = about["previous"];
  if (!before.IsNull()) previous = before.Text();
}

void Certificate::ReadPart(const Member& member) {
  part.parts = member["of"].Whole<std::uint32_t>();
  part.part = member["number"].Whole<std::uint32_t>();
  part.keyed_digest = member["keyed_digest"].Text();
  constexpr std::size_t kDigits = 64;
  if (part.parts < 2 || part.parts > ledger::Division::kMostParts) {
    member["of"].Misfit(fmt::format("a whole number from 2 to {}", ledger::Division::kMostParts));
  } else if (part.part < 1 || part.part > part.parts) {
    member["number"].Misfit(fmt::format("a part from 1 to {}", part.parts));
  } else if (part.keyed_digest.size() != kDigits || !ledger::FromHex(part.keyed_digest)) {
    member["keyed_digest"].Misfit("64 digits 0-9 and a-f");
  }
}

void Certificate::ReadRelease(const Member& certified) {
  digest = certified["digest"].Text();
  rows = certified["rows"].Whole();
  cells = certified["cells"].Whole();
  smallest = certified["smallest_cell"].Whole();
  table = certified.Has("digest_of");
  if (table && certified["digest_of"].Text() != kOfCounts) {
    certified["digest_of"].Misfit(fmt::format("\"{}\"", kOfCounts));
  }
}

void Certificate::ReadColumns(const Member& roles) {
  columns.quasi = roles["quasi"].Texts();
  columns.sensitive = roles["sensitive"].Texts();
  columns.others = roles["publish"].Texts();
  columns.numeric = roles["numeric"].Texts();
  columns.order = {roles["order"].Texts(), roles["numeric_order"].Flag()};
}

void Certificate::ReadGuarantee(const Member& promised) {
  model = promised["model"].Text();
  for (const auto& [name, value] : promised.Members()) {
    guarantee.emplace_back(name, ReadSetting(value));
  }
}

void Certificate::ReadStated(const Member& entry) {
  Stated stated;
  stated.promise = entry["promise"].Text();
  stated.asked = entry["asked"].Number();
  const Member measured = entry["measured"], kept = entry["kept"];
  if (!measured.IsNull()) stated.measured = measured.Number();
  if (!kept.IsNull()) stated.kept = kept.Flag();
  if (entry.Has("proof")) {
    stated.proof = entry["proof"].Text();
    if (stated.proof != kAudited && stated.proof != kByRule) {
      entry["proof"].Misfit(fmt::format("\"{}\" or \"{}\"", kAudited, kByRule));
    }
  }
  stated_.push_back(std::move(stated));
}

Status Certificate::Own(const std::function<void(const Member&)>& read) const {
  const Member root(*json_, file);
  read(root);
  return root.status();
}

bool Certificate::Same(const Stated& stated, const PromiseKept& promise) {
  if (stated.promise != promise.name || !SameNumber(stated.asked, promise.asked)) return false;
  const auto says = [&](const std::string& proof, std::optional<bool> kept) {
    return !stated.measured && stated.proof == proof && stated.kept == kept;
  };
  switch (promise.basis) {
    case Basis::kHolder:
      return says(kAudited, true);
    case Basis::kRule:
      return says(kByRule, true);
    case Basis::kOpen:
      return says("", std::nullopt);
    case Basis::kFiles:
      break;
  }
  if (!std::isfinite(promise.measured)) return says("", promise.kept);
  return stated.proof.empty() && stated.kept == promise.kept && stated.measured &&
         SameNumber(*stated.measured, promise.measured);
}

bool Certificate::SameMeasured(const std::vector<PromiseKept>& promises) const {
  if (format > 1) return std::ranges::equal(stated_, promises, Same);
  return std::ranges::all_of(promises, [&](const PromiseKept& measured) {
    const auto same = [&](const Stated& stated) { return Same(stated, measured); };
    return measured.basis != Basis::kFiles || std::ranges::any_of(stated_, same);
  });
}

void Compare(const Certificate& certificate, const AuditReport& audit, VerifyReport& report) {
  const auto number = [&](std::uint64_t said, std::uint64_t found, const char* what) {
    if (said == found) return;
    report.Fail(fmt::format("The certificate says {} {}, the file has {}.", said, what, found));
  };
  number(certificate.rows, audit.rows, "rows");
  number(certificate.cells, audit.cells, "groups");
  number(certificate.smallest, audit.smallest, "rows in the smallest group");
  if (certificate.release != certificate.earlier.size() + 1) {
    report.Fail(fmt::format("The certificate is about release {} and counts on {} before it.",
                            certificate.release, certificate.earlier.size()));
  }
  if (!audit.satisfied) report.Fail("The release does not keep the guaranteed promise.");
  if (certificate.SameMeasured(audit.promises)) return;
  report.Fail("The measured numbers of the certificate differ from those of the file.");
}

void CompareRecoding(const Certificate& certificate, const std::vector<std::string>& recoded,
                     const Table& release, VerifyReport& report) {
  std::set<std::string> said;
  for (const auto& [column, labels] : certificate.recoding) {
    said.insert(column);
    const auto id = release.Find(column);
    const std::set<std::string_view> once(labels.begin(), labels.end());
    std::set<std::string_view> found;
    if (id) {
      const auto& strings = release[*id].dictionary().strings();
      found.insert(strings.begin(), strings.end());
    }
    if (once == found && once.size() == labels.size()) continue;
    report.Fail(fmt::format(
        "The labels of column \"{}\" in the certificate differ from those of the file.", column));
  }
  if (said == std::set<std::string>(recoded.begin(), recoded.end())) return;
  report.Fail("The certificate says of other columns than the guarantee that they were recoded.");
}

void CompareDigest(const Certificate& certificate, const std::string& digest,
                   VerifyReport& report) {
  if (digest == certificate.digest) return;
  if (certificate.table) {
    report.Fail(
        "The table is not the one that was certified: its columns, rows or their counts differ; or "
        "a file was given, and the certificate is of a table of a database (name its server with "
        "-d).");
    return;
  }
  report.Fail(
      "The file is not the one that was certified: its bytes differ (other contents, other line "
      "ends, or compressed).");
}

void CompareEarlier(const Certificate& certificate, std::size_t index, const std::string& digest,
                    VerifyReport& report) {
  if (digest == certificate.earlier[index]) return;
  report.Fail(fmt::format(
      "Release {} is not the one that the certificate counts on: its bytes differ.", index + 1));
}

Status CompareEarlierFiles(const Certificate& certificate, const std::vector<std::string>& files,
                           binding::Context& context, VerifyReport& report) {
  for (std::size_t i = 0; i + 1 < files.size(); ++i) {
    const std::string digest = REISSUE_TRY(io::DigestOfFile(context.files, files[i]));
    CompareEarlier(certificate, i, digest, report);
  }
  return Ok();
}

Status OneFile(std::size_t given) {
  if (given == 1) return Ok();
  return UsageError(
      fmt::format("the certificate is about one release, and {} files were given", given),
      "Give the one published file that it belongs to.");
}

}  // namespace reissue::contract
