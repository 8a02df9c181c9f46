#include "reissue/contract/certificate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "reissue/io/csv.h"

namespace reissue::contract {
namespace {

constexpr int kFormat = 1;

// The certificate without its last member, as bytes.
std::string Sealed(Json json) {
  json.erase("checksum");
  return io::Digest(json.dump());
}

Json PromisesJson(const std::vector<PromiseKept>& promises) {
  Json list = Json::array();
  for (const PromiseKept& promise : promises) {
    const bool number = std::isfinite(promise.measured) && !promise.by_rule;
    list.push_back({{"promise", promise.name},
                    {"asked", promise.asked},
                    {"measured", number ? Json(promise.measured) : Json(nullptr)},
                    {"kept", promise.kept}});
    if (promise.by_rule) list.back()["proof"] = "by rule";
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

io::Setting FromJson(const Json& json) {
  io::Setting setting;
  if (json.is_number()) {
    setting.number = json.get<double>();
    setting.integer = json.is_number_integer();
  } else if (json.is_string()) {
    setting.kind = io::Setting::Kind::kText;
    setting.text = json.get<std::string>();
  } else if (json.is_boolean()) {
    setting.kind = io::Setting::Kind::kFlag;
    setting.flag = json.get<bool>();
  } else if (json.is_array()) {
    setting.kind = io::Setting::Kind::kList;
    for (const Json& item : json) setting.list.push_back(FromJson(item));
  } else {
    setting.kind = io::Setting::Kind::kTable;
    if (json.is_object()) {
      for (const auto& [key, value] : json.items())
        setting.table.emplace_back(key, FromJson(value));
    }
  }
  return setting;
}

// Certificates come from strangers: nesting that no certificate has is not even parsed. Brackets in
// strings are labels of ranges.
bool TooDeep(std::string_view text) {
  constexpr int kDeepest = 32;
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') in_string = !in_string;
    if (in_string) {
      if (c == '\\') ++i;
      continue;
    }
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth > kDeepest) return true;
  }
  return false;
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

Error Incomplete(const std::string& file) {
  return InputError({file, std::nullopt, std::nullopt, ""}, "the certificate is incomplete",
                    "Get it again from whoever published the release, or from the vault.");
}

}  // namespace

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

std::vector<binding::ColumnHierarchy> ReadHierarchy(const Json& json) {
  std::vector<binding::ColumnHierarchy> hierarchy;
  for (const auto& [column, labels] : json.items()) {
    binding::ColumnHierarchy entry{column, {}};
    for (const auto& [label, above] : labels.items()) {
      entry.parents.emplace_back(label, above.is_null() ? "" : above.get<std::string>());
    }
    hierarchy.push_back(std::move(entry));
  }
  return hierarchy;
}

std::vector<std::string> ReadStrings(const Json& json) {
  std::vector<std::string> list;
  for (const Json& item : json) list.push_back(item.get<std::string>());
  return list;
}

std::string WriteCertificate(const Envelope& envelope, const std::function<void(Json&)>& own) {
  const PublishReport& report = *envelope.report;
  const AuditReport& audit = report.audit;
  const binding::ReleaseColumns& columns = envelope.columns;
  Json json;
  json["reissue_certificate"] = kFormat;
  json["program"] = "reissue " REISSUE_VERSION;
  json["series"] = {{"title", envelope.title},
                    {"model", audit.model},
                    {"release", report.release},
                    {"created", envelope.created}};
  if (envelope.series) json["series"]["earlier"] = envelope.earlier;
  json["release"] = {{"digest", envelope.release_digest},
                     {"rows", audit.rows},
                     {"cells", audit.cells},
                     {"smallest_cell", audit.smallest},
                     {"suppressed_rows", report.suppressed}};
  json["columns"] = {{"quasi", columns.quasi},       {"sensitive", columns.sensitive},
                     {"numeric", columns.numeric},   {"publish", columns.others},
                     {"order", columns.order.texts}, {"numeric_order", columns.order.numeric}};
  Json guarantee = Json::object();
  for (const auto& [key, value] : envelope.guarantee) guarantee[key] = ToJson(value);
  json["guarantee"] = std::move(guarantee);
  json["measured"] = PromisesJson(audit.promises);
  own(json);
  json["inputs"] = {{"policy_digest", envelope.policy_digest},
                    {"table_keyed_digest", envelope.table_keyed_digest}};
  json["chance"] = {{"row_order", report.row_order_reproducible
                                      ? "from a seed: predictable, for tests only"
                                      : "from the operating system"}};
  json["limits"] = "What this promise does not cover: docs/limits.md of reissue";
  json["checksum"] = Sealed(json);
  return json.dump(2) + "\n";
}

Result<Certificate> Certificate::Parse(std::string_view text, const std::string& file) {
  const Place place{file, std::nullopt, std::nullopt, ""};
  if (TooDeep(text)) return InputError(place, "this is not a certificate of reissue");
  auto json = std::make_shared<Json>(Json::parse(text, nullptr, /*allow_exceptions=*/false));
  if (!json->is_object() || !json->contains("reissue_certificate")) {
    return InputError(place, "this is not a certificate of reissue",
                      "`reissue publish` writes one beside each release, named "
                      "RELEASE.certificate.json.");
  }
  Certificate certificate;
  certificate.file = file;
  certificate.json_ = std::move(json);
  REISSUE_TRY(certificate.ParseMembers());
  return certificate;
}

// nlohmann throws on a missing or mistyped member; everything of it stays inside here and Own.
Status Certificate::ParseMembers() {
  const Json& json = *json_;
  try {
    if (json.at("reissue_certificate").get<int>() > kFormat) {
      return InputError({file, std::nullopt, std::nullopt, ""},
                        "the certificate was made by a later version of reissue",
                        "Update reissue to check it.");
    }
    const Json& roles = json.at("columns");
    columns.quasi = ReadStrings(roles.at("quasi"));
    columns.sensitive = ReadStrings(roles.at("sensitive"));
    columns.others = ReadStrings(roles.at("publish"));
    columns.numeric = ReadStrings(roles.at("numeric"));
    columns.order = {ReadStrings(roles.at("order")), roles.at("numeric_order").get<bool>()};
    for (const auto& [key, value] : json.at("guarantee").items()) {
      guarantee.emplace_back(key, FromJson(value));
    }
    model = json.at("guarantee").at("model").get<std::string>();
    const Json& about = json.at("series");
    one_model = about.at("model").get<std::string>() == model;
    series = about.contains("earlier");
    if (series) earlier = ReadStrings(about.at("earlier"));
    release = about.at("release").get<std::uint32_t>();
    title = about.at("title").get<std::string>();
    created = about.at("created").get<std::string>();
    const Json& certified = json.at("release");
    digest = certified.at("digest").get<std::string>();
    rows = certified.at("rows").get<std::uint64_t>();
    cells = certified.at("cells").get<std::uint64_t>();
    smallest = certified.at("smallest_cell").get<std::uint64_t>();
    (void)json.at("measured").at(0);  // for Compare
    unchanged = Sealed(json) == json.at("checksum").get<std::string>();
  } catch (const nlohmann::json::exception&) {
    return Incomplete(file);
  }
  return Ok();
}

Status Certificate::SaysEarlier() const {
  if (series) return Ok();
  return Incomplete(file);
}

Status Certificate::Own(const std::function<void(const Json&)>& read) const {
  try {
    read(*json_);
  } catch (const nlohmann::json::exception&) {
    return Incomplete(file);
  }
  return Ok();
}

bool Certificate::SameMeasured(const std::vector<PromiseKept>& promises, bool only_these) const {
  Json said = json_->at("measured");
  if (only_these) {
    said = Json::array();
    for (const Json& entry : json_->at("measured")) {
      const auto same = [&](const PromiseKept& kept) {
        return entry.contains("promise") && entry.at("promise") == kept.name;
      };
      if (std::ranges::any_of(promises, same)) said.push_back(entry);
    }
  }
  return SameNumbers(PromisesJson(promises), said);
}

void Compare(const Certificate& certificate, const AuditReport& audit, Anew anew,
             VerifyReport& report) {
  const auto number = [&](std::uint64_t said, std::uint64_t found, const char* what) {
    if (said == found) return;
    report.Fail(fmt::format("The certificate says {} {}, the file has {}.", said, what, found));
  };
  number(certificate.rows, audit.rows, "rows");
  number(certificate.cells, audit.cells, "groups");
  number(certificate.smallest, audit.smallest, "rows in the smallest group");
  if (!audit.satisfied) report.Fail("The release does not keep the guaranteed promise.");
  if (anew == Anew::kNothing || certificate.SameMeasured(audit.promises, anew == Anew::kMeasured)) {
    return;
  }
  report.Fail("The measured numbers of the certificate differ from those of the file.");
}

void CompareDigest(const Certificate& certificate, const std::string& digest,
                   VerifyReport& report) {
  if (digest == certificate.digest) return;
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
    const auto bytes = REISSUE_TRY(context.files.Read(files[i]));
    CompareEarlier(certificate, i, io::Digest(bytes->view()), report);
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
