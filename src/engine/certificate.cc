#include "reissue/engine/certificate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "reissue/engine/certificate_json.h"
#include "reissue/engine/linked_audit.h"
#include "reissue/engine/series.h"
#include "reissue/engine/series_audit.h"
#include "reissue/io/csv.h"

namespace reissue::engine {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;

// The certificate without its last member, as bytes.
std::string Sealed(Json json) {
  json.erase("checksum");
  return io::Digest(json.dump());
}

Json PromisesJson(const AuditReport& audit) {
  Json list = Json::array();
  for (const PromiseKept& promise : audit.promises) {
    const bool number = std::isfinite(promise.measured);
    list.push_back({{"promise", promise.name},
                    {"asked", promise.asked},
                    {"measured", number ? Json(promise.measured) : Json(nullptr)},
                    {"kept", promise.kept}});
  }
  return list;
}

std::vector<std::string> Strings(const Json& json) {
  std::vector<std::string> list;
  for (const Json& item : json) list.push_back(item.get<std::string>());
  return list;
}

struct Parsed {
  Json json;
  ReleaseColumns columns;
  Promise promise;
  std::vector<std::string> earlier;
  std::vector<ColumnHierarchy> hierarchy;
  LinkedFacts linked;          // model `xy`
  InvarianceFacts invariance;  // model `m-invariance`
  SimilarityFacts similarity;  // model `j-similarity`
};

// Labels with the one above; null for the root.
std::vector<ColumnHierarchy> ReadHierarchy(const Json& json) {
  std::vector<ColumnHierarchy> hierarchy;
  for (const auto& [column, labels] : json.items()) {
    ColumnHierarchy entry{column, {}};
    for (const auto& [label, above] : labels.items()) {
      entry.parents.emplace_back(label, above.is_null() ? "" : above.get<std::string>());
    }
    hierarchy.push_back(std::move(entry));
  }
  return hierarchy;
}

Json HierarchyJson(const std::vector<ColumnHierarchy>& hierarchy) {
  Json json = Json::object();
  for (const ColumnHierarchy& column : hierarchy) {
    Json& labels = json[column.column] = Json::object();
    for (const auto& [label, above] : column.parents) {
      labels[label] = above.empty() ? Json(nullptr) : Json(above);
    }
  }
  return json;
}

Json LinkedJson(const LinkedFacts& facts) {
  Json priors = Json::array();
  for (const LinkedFacts::Prior& prior : facts.priors) {
    priors.push_back({{"name", prior.name},
                      {"digest", prior.digest},
                      {"rows", prior.rows},
                      {"dangling", prior.dangling},
                      {"columns", prior.columns}});
  }
  return {{"columns", facts.columns},
          {"numeric", facts.numeric},
          {"dangling", facts.dangling},
          {"priors", std::move(priors)}};
}

LinkedFacts ReadLinked(const Json& json) {
  LinkedFacts facts;
  facts.columns = Strings(json.at("columns"));
  facts.numeric = Strings(json.at("numeric"));
  facts.dangling = json.at("dangling").get<std::uint64_t>();
  for (const Json& prior : json.at("priors")) {
    facts.priors.push_back(
        {prior.at("name").get<std::string>(), prior.at("digest").get<std::string>(),
         prior.at("rows").get<std::uint64_t>(), prior.at("dangling").get<std::uint64_t>(),
         Strings(prior.at("columns"))});
  }
  return facts;
}

Json InvarianceJson(const InvarianceFacts& facts) {
  Json json = {{"m", facts.promise.m}, {"e", facts.promise.e}, {"files", Json::array()}};
  for (const InvarianceFacts::File& file : facts.files) {
    json["files"].push_back({{"suffix", file.suffix}, {"digest", file.digest}});
  }
  if (facts.counterfeits) json["counterfeits"] = *facts.counterfeits;
  return json;
}

InvarianceFacts ReadInvariance(const Json& json) {
  InvarianceFacts facts;
  for (const Json& file : json.at("files")) {
    facts.files.push_back(
        {file.at("suffix").get<std::string>(), file.at("digest").get<std::string>()});
  }
  if (json.contains("counterfeits")) {
    facts.counterfeits = json.at("counterfeits").get<std::uint64_t>();
  }
  return facts;
}

// nlohmann throws on a missing or mistyped member; everything of it stays inside this function.
Result<Parsed> Parse(std::string_view text, const std::string& path) {
  const Place place{path, std::nullopt, std::nullopt, ""};
  Parsed parsed;
  if (TooDeep(text)) return InputError(place, "this is not a certificate of reissue");
  parsed.json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!parsed.json.is_object() || !parsed.json.contains("reissue_certificate")) {
    return InputError(place, "this is not a certificate of reissue",
                      "`reissue publish` writes one beside each release, named "
                      "RELEASE.certificate.json.");
  }
  try {
    if (parsed.json.at("reissue_certificate").get<int>() > kFormat) {
      return InputError(place, "the certificate was made by a later version of reissue",
                        "Update reissue to check it.");
    }
    const Json& columns = parsed.json.at("columns");
    parsed.columns.quasi = Strings(columns.at("quasi"));
    parsed.columns.sensitive = Strings(columns.at("sensitive"));
    parsed.columns.others = Strings(columns.at("publish"));
    parsed.columns.numeric = Strings(columns.at("numeric"));
    const std::string model = parsed.json.at("guarantee").at("model").get<std::string>();
    const bool changing = model == "m-invariance";
    const bool evolving = model == "j-similarity";
    const bool known = model == "k" || model == "bcf" || model == "xy" || changing || evolving;
    if (!known || parsed.json.at("series").at("model").get<std::string>() != model) {
      return InputError(place, fmt::format("the model \"{}\" is not known", model),
                        "This version of reissue checks certificates of the models \"k\", "
                        "\"bcf\", \"xy\", \"m-invariance\" and \"j-similarity\".");
    }
    if (model == "bcf" && parsed.json.at("series").contains("earlier")) {
      parsed.earlier = Strings(parsed.json.at("series").at("earlier"));
      parsed.hierarchy = ReadHierarchy(parsed.json.at("hierarchy"));
    }
    if (model == "xy") {
      parsed.linked = ReadLinked(parsed.json.at("linked"));
      parsed.hierarchy = ReadHierarchy(parsed.json.at("hierarchy"));
    }
    if (changing || evolving) parsed.earlier = Strings(parsed.json.at("series").at("earlier"));
    if (changing) parsed.invariance = ReadInvariance(parsed.json.at("changing"));
    if (evolving) parsed.similarity = ReadSimilarity(parsed.json.at("evolving"));
    Settings settings;
    for (const auto& [key, value] : parsed.json.at("guarantee").items()) {
      settings.emplace_back(key, FromJson(value));
    }
    parsed.promise = REISSUE_TRY(ReadPromise(settings, path, !parsed.columns.sensitive.empty()));
    if (changing) parsed.invariance.promise = *parsed.promise.invariance;
    parsed.promise.order = Strings(columns.at("order"));
    parsed.promise.numeric_order = columns.at("numeric_order").get<bool>();
    // Touched here so that Verify below cannot meet a missing member.
    (void)parsed.json.at("series").at("release").get<std::uint32_t>();
    (void)parsed.json.at("series").at("title").get<std::string>();
    (void)parsed.json.at("series").at("created").get<std::string>();
    (void)parsed.json.at("release").at("digest").get<std::string>();
    (void)parsed.json.at("release").at("rows").get<std::uint64_t>();
    (void)parsed.json.at("release").at("cells").get<std::uint64_t>();
    (void)parsed.json.at("release").at("smallest_cell").get<std::uint64_t>();
    (void)parsed.json.at("measured").at(0);
    (void)parsed.json.at("checksum").get<std::string>();
  } catch (const nlohmann::json::exception&) {
    return InputError(place, "the certificate is incomplete",
                      "Get it again from whoever published the release, or from the vault.");
  }
  return parsed;
}

// Equal but for the last bits of sums that were made in another order.
bool SameNumbers(const Json& a, const Json& b) {
  if (a.is_number() && b.is_number()) {
    const double x = a.get<double>();
    const double y = b.get<double>();
    return std::abs(x - y) <= 1e-9 * std::max({1.0, std::abs(x), std::abs(y)});
  }
  if (a.type() != b.type() || a.size() != b.size()) return false;
  if (a.is_array()) {
    return std::equal(a.begin(), a.end(), b.begin(), SameNumbers);
  }
  if (!a.is_object()) return a == b;
  for (const auto& [key, value] : a.items()) {
    if (!b.contains(key) || !SameNumbers(value, b.at(key))) return false;
  }
  return true;
}

void Compare(const Json& json, const AuditReport& audit, VerifyReport& report) {
  const auto fail = [&](std::string words) {
    report.valid = false;
    report.failures.push_back(std::move(words));
  };
  const Json& release = json.at("release");
  const auto number = [&](const char* key, std::uint64_t found, const char* what) {
    const auto said = release.at(key).get<std::uint64_t>();
    if (said != found)
      fail(fmt::format("The certificate says {} {}, the file has {}.", said, what, found));
  };
  number("rows", audit.rows, "rows");
  number("cells", audit.cells, "groups");
  number("smallest_cell", audit.smallest, "rows in the smallest group");
  if (!audit.satisfied) fail("The release does not keep the guaranteed promise.");
  if (!SameNumbers(PromisesJson(audit), json.at("measured"))) {
    fail("The measured numbers of the certificate differ from those of the file.");
  }
}

}  // namespace

std::string WriteCertificate(const CertificateFacts& facts) {
  const PublishReport& report = *facts.report;
  const AuditReport& audit = report.audit;
  Json json;
  json["reissue_certificate"] = kFormat;
  json["program"] = "reissue " REISSUE_VERSION;
  json["series"] = {{"title", facts.title},
                    {"model", audit.model},
                    {"release", report.release},
                    {"created", facts.created}};
  const bool groups = facts.invariance || facts.similarity;
  if (audit.model == "bcf" || groups) json["series"]["earlier"] = facts.earlier;
  json["release"] = {{"digest", facts.release_digest},
                     {"rows", audit.rows},
                     {"cells", audit.cells},
                     {"smallest_cell", audit.smallest},
                     {"suppressed_rows", report.suppressed}};
  json["columns"] = {
      {"quasi", facts.columns.quasi},     {"sensitive", facts.columns.sensitive},
      {"numeric", facts.columns.numeric}, {"publish", facts.columns.others},
      {"order", facts.promise.order},     {"numeric_order", facts.promise.numeric_order}};
  Json guarantee = Json::object();
  for (const auto& [key, value] : facts.settings) guarantee[key] = ToJson(value);
  json["guarantee"] = std::move(guarantee);
  json["measured"] = PromisesJson(audit);
  if (facts.invariance) json["changing"] = InvarianceJson(*facts.invariance);
  if (facts.similarity) json["evolving"] = SimilarityJson(*facts.similarity);
  Json recoding = Json::object();
  for (const PublishReport::Recoded& column : report.recoding)
    recoding[column.column] = column.labels;
  json["recoding"] = std::move(recoding);
  if (audit.model != "k" && !groups) json["hierarchy"] = HierarchyJson(facts.hierarchy);
  if (facts.linked) json["linked"] = LinkedJson(*facts.linked);
  if (report.linked) {
    json["search"] = {{"score", report.score}, {"steps", report.linked->steps}};
  } else if (!groups) {
    json["search"] = {
        {"score", report.score}, {"cost", report.cost}, {"proven_optimal", report.optimal}};
  }
  json["inputs"] = {{"policy_digest", facts.policy_digest},
                    {"table_keyed_digest", facts.table_keyed_digest}};
  json["chance"] = {{"row_order", report.row_order_reproducible
                                      ? "from a seed: predictable, for tests only"
                                      : "from the operating system"}};
  json["limits"] = "What this promise does not cover: docs/limits.md of reissue";
  json["checksum"] = Sealed(json);
  return json.dump(2) + "\n";
}

namespace {

void Fail(std::string words, VerifyReport& report) {
  report.valid = false;
  report.failures.push_back(std::move(words));
}

Status RightNumberOfFiles(const Parsed& parsed, std::size_t given) {
  const std::size_t expected = parsed.earlier.size() + 1;
  if (given == expected) return Ok();
  if (parsed.promise.model == "bcf") {
    return UsageError(
        fmt::format("the certificate is about a series of {} releases, and {} file{} given",
                    expected, given, given == 1 ? " was" : "s were"),
        "Give all published files up to the one that it belongs to, oldest first.");
  }
  return UsageError(
      fmt::format("the certificate is about one release, and {} files were given", given),
      "Give the one published file that it belongs to.");
}

void CompareDigests(const Parsed& parsed, const BoundSeries& bound, VerifyReport& report) {
  for (std::size_t i = 0; i < parsed.earlier.size(); ++i) {
    if (bound.releases[i].digest == parsed.earlier[i]) continue;
    Fail(fmt::format("Release {} is not the one that the certificate counts on: its bytes differ.",
                     i + 1),
         report);
  }
}

// Several releases of model `bcf`: read with the labels' hierarchy that the certificate carries.
Result<BoundSeries> BindCertifiedSeries(const Parsed& parsed, const std::string& certificate,
                                        const std::vector<std::string>& files, Context& context) {
  models::bcf::Taxonomies trees =
      REISSUE_TRY(TreesOf(parsed.hierarchy, parsed.columns, certificate));
  std::vector<PublishedRelease> releases;
  for (const std::string& file : files) {
    PublishedRelease release = REISSUE_TRY(ReadPublished(parsed.columns, file, context));
    releases.push_back(std::move(release));
  }
  return BindSeries(parsed.columns, std::move(trees), std::move(releases));
}

void CompareSeries(const Parsed& parsed, VerifyReport& report) {
  const SeriesAudit& series = *report.audit.series;
  if (parsed.promise.targets != Targets::kReal || series.verdict == SeriesVerdict::kNotOneSeries) {
    Compare(parsed.json, report.audit, report);
    return;
  }
  // Only the holder knows who is real: what is measured over everybody is no counterproof.
  AuditReport kept = report.audit;
  kept.satisfied = true;
  Json as_certified = parsed.json;
  as_certified["measured"] = PromisesJson(kept);
  Compare(as_certified, kept, report);
  report.notes.push_back(fmt::format(
      "The promise is about the people of the holder's table (targets = \"real\"). The files do "
      "not tell who they are: that it is kept for them is the holder's word. For everybody who "
      "could be there as far as readers can tell, {} left.",
      series.exact ? fmt::format("at least {} {}", series.exact->lower,
                                 series.exact->lower == 1 ? "row is" : "rows are")
                   : std::string("nothing is")));
}

void CompareDigest(const Parsed& parsed, const std::string& digest, VerifyReport& report) {
  if (digest == parsed.json.at("release").at("digest").get<std::string>()) return;
  Fail(
      "The file is not the one that was certified: its bytes differ (other contents, other line "
      "ends, or compressed).",
      report);
}

// Model `xy`.
Status VerifyLinked(const Parsed& parsed, const std::string& certificate,
                    const std::string& release, const std::vector<PriorFile>& priors,
                    Context& context, VerifyReport& report) {
  const BoundLinked bound =
      REISSUE_TRY(BindCertified(parsed.linked, parsed.hierarchy, *parsed.promise.linked,
                                certificate, release, priors, context));
  CompareDigest(parsed, bound.files[0].digest, report);
  for (std::size_t p = 0; p < priors.size(); ++p) {
    if (bound.files[p + 1].digest == parsed.linked.priors[p].digest) continue;
    Fail(fmt::format("The earlier release {} is not the one that the certificate counts on: its "
                     "bytes differ.",
                     priors[p].file),
         report);
  }
  report.audit = AuditLinked(bound);
  Compare(parsed.json, report.audit, report);
  for (std::string& difference : CompareDangling(parsed.linked, report.audit)) {
    Fail(std::move(difference), report);
  }
  return Ok();
}

// Model `m-invariance`.
Status VerifyChanging(const Parsed& parsed, const std::vector<std::string>& releases,
                      const std::vector<std::string>& copies, Context& context,
                      VerifyReport& report) {
  CertifiedGroups found = REISSUE_TRY(
      CheckCertified(parsed.invariance, parsed.columns, parsed.earlier, releases, copies, context));
  CompareDigest(parsed, found.digest, report);
  for (std::string& failure : found.failures) Fail(std::move(failure), report);
  report.notes = std::move(found.notes);
  report.audit = std::move(found.audit);
  // What only the holder's copies tell is not measured anew without them.
  Json as_certified = parsed.json;
  as_certified["measured"] = PromisesJson(report.audit);
  Compare(as_certified, report.audit, report);
  return Ok();
}

// Model `j-similarity`.
Status VerifyEvolving(const Parsed& parsed, const std::vector<std::string>& releases,
                      Context& context, VerifyReport& report) {
  CertifiedGroups found = REISSUE_TRY(CheckCertifiedEvolving(
      parsed.similarity, *parsed.promise.similarity, parsed.columns,
      {parsed.promise.order, parsed.promise.numeric_order}, parsed.earlier, releases, context));
  CompareDigest(parsed, found.digest, report);
  for (std::string& failure : found.failures) Fail(std::move(failure), report);
  report.notes = std::move(found.notes);
  report.audit = std::move(found.audit);
  // What depends on who is in which group is not measured anew.
  Json as_certified = parsed.json;
  Json& measured = as_certified["measured"] = Json::array();
  for (const Json& said : parsed.json.at("measured")) {
    const auto of_file = [&](const PromiseKept& promise) {
      return said.contains("promise") && said.at("promise") == promise.name;
    };
    if (std::ranges::any_of(report.audit.promises, of_file)) measured.push_back(said);
  }
  Compare(as_certified, report.audit, report);
  return Ok();
}

}  // namespace

Result<VerifyReport> Verify(const std::string& certificate,
                            const std::vector<std::string>& releases, Context& context,
                            const std::vector<PriorFile>& priors,
                            const std::vector<std::string>& copies) {
  const auto bytes = REISSUE_TRY(context.files.Read(certificate));
  const Parsed parsed = REISSUE_TRY(Parse(bytes->view(), certificate));
  if (!parsed.promise.invariance && !parsed.promise.similarity) {
    REISSUE_TRY(RightNumberOfFiles(parsed, releases.size()));
  }
  if (!parsed.promise.linked && !priors.empty()) {
    return UsageError("--prior belongs to certificates of model \"xy\"",
                      "Give the releases of a series one after the other, oldest first.");
  }
  if (!parsed.promise.invariance && !copies.empty()) {
    return UsageError("--holder-copy belongs to certificates of model \"m-invariance\"",
                      "Leave it out.");
  }
  VerifyReport report;
  const Json& series = parsed.json.at("series");
  report.title = series.at("title").get<std::string>();
  report.model = parsed.promise.model;
  report.created = series.at("created").get<std::string>();
  report.release = series.at("release").get<std::uint32_t>();
  report.columns = parsed.columns;
  if (Sealed(parsed.json) != parsed.json.at("checksum").get<std::string>()) {
    Fail("The certificate was changed after it was written (checksum).", report);
  }
  if (parsed.promise.invariance) {
    REISSUE_TRY(VerifyChanging(parsed, releases, copies, context, report));
    return report;
  }
  if (parsed.promise.similarity) {
    REISSUE_TRY(VerifyEvolving(parsed, releases, context, report));
    return report;
  }
  if (parsed.promise.linked) {
    REISSUE_TRY(VerifyLinked(parsed, certificate, releases[0], priors, context, report));
    return report;
  }
  BoundSeries bound;
  std::shared_ptr<const ReleaseTable> certified;
  if (releases.size() > 1) {
    bound = REISSUE_TRY(BindCertifiedSeries(parsed, certificate, releases, context));
    CompareDigests(parsed, bound, report);
    certified = bound.releases.back().source;
  } else {
    ReleaseTable table = REISSUE_TRY(LoadRelease(parsed.columns, releases[0], context));
    certified = std::make_shared<const ReleaseTable>(std::move(table));
  }
  CompareDigest(parsed, certified->digest, report);
  for (const std::string& name : parsed.columns.others) {
    if (certified->table.Find(name)) continue;
    Fail(fmt::format("The file lacks the column \"{}\".", name), report);
  }
  if (releases.size() > 1) {
    report.audit = REISSUE_TRY(AuditSeries(bound, parsed.promise, context));
    CompareSeries(parsed, report);
    return report;
  }
  report.audit = REISSUE_TRY(
      AuditRelease(*certified, parsed.columns, parsed.promise, releases[0], context, 10));
  Compare(parsed.json, report.audit, report);
  return report;
}

}  // namespace reissue::engine
