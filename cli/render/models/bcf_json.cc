#include "cli/render/models/bcf_json.h"

#include <string_view>
#include <utility>

#include "cli/render/models/cells.h"

namespace reissue::cli {
namespace {

namespace bcf = models::bcf::service;
using bcf::SeriesFindings;
using bcf::SeriesVerdict;

std::string_view VerdictWord(SeriesVerdict verdict) {
  switch (verdict) {
    case SeriesVerdict::kKept:
      return "kept";
    case SeriesVerdict::kBroken:
      return "broken";
    case SeriesVerdict::kUnknown:
      return "unknown";
    case SeriesVerdict::kNotOneSeries:
      break;
  }
  return "not one series";
}

Json JsonOrNull(const std::optional<std::uint64_t>& number) {
  return number ? Json(*number) : Json(nullptr);
}

Json BoundsJson(const std::optional<bcf::Bounds>& bounds) {
  if (!bounds) return nullptr;
  Json json;
  json["lower"] = bounds->lower;
  json["upper"] = bounds->upper;
  return json;
}

Json AttackJson(const bcf::PairAudit::Attack& attack) {
  Json json;
  json["anonymity"] = JsonOrNull(attack.anonymity);
  json["exposed"] = attack.exposed;
  return json;
}

Json PairJson(const bcf::PairAudit& pair) {
  Json json;
  json["earlier"] = pair.earlier;
  json["later"] = pair.later;
  json["method"] = pair.method;
  json["why"] = pair.why.empty() ? Json(nullptr) : Json(pair.why);
  json["F"] = AttackJson(pair.forward);
  json["C"] = AttackJson(pair.cross);
  json["B"] = AttackJson(pair.backward);
  json["broken"] = Json::array();
  for (const bcf::PairAudit::Breach& breach : pair.broken) {
    Json entry;
    entry["attack"] = breach.attack;
    entry["promise"] = breach.promise;
    entry["cell"] = CellJson(breach.cell);
    entry["left"] = breach.left;
    json["broken"].push_back(std::move(entry));
  }
  return json;
}

Json ConflictJson(const bcf::SeriesConflict& conflict) {
  Json json;
  json["value"] = conflict.value.empty() ? Json(nullptr) : Json(conflict.value);
  json["groups"] = Json::array();
  for (const bcf::SeriesConflict::Group& group : conflict.groups) {
    Json entry;
    entry["release"] = group.release;
    entry["cell"] = CellJson(group.cell);
    entry["rows"] = group.rows;
    entry["times"] = group.times;
    json["groups"].push_back(std::move(entry));
  }
  json["more_groups"] = conflict.more_groups;
  json["words"] = conflict.words;
  return json;
}

}  // namespace

Json AnonymityJson(const SeriesFindings& series) {
  Json json;
  json["F"] = JsonOrNull(series.forward);
  json["C"] = JsonOrNull(series.cross);
  json["B"] = JsonOrNull(series.backward);
  json["exact"] = BoundsJson(series.exact);
  return json;
}

Json SeriesWorstJson(const SeriesFindings& series) {
  Json list = Json::array();
  for (const bcf::SeriesExposure& exposure : series.worst) {
    Json json;
    json["attack"] = exposure.attack;
    json["promise"] = exposure.promise;
    json["born"] = exposure.born;
    json["release"] = exposure.release;
    json["against"] = exposure.against;
    json["cell"] = CellJson(exposure.cell);
    json["size"] = exposure.size;
    json["excluded"] = exposure.excluded;
    json["left"] = exposure.left;
    json["elsewhere"] = Json::array();
    for (const auto& place : exposure.elsewhere) {
      Json entry;
      entry["release"] = place.release;
      entry["cell"] = CellJson(place.cell);
      entry["size"] = place.size;
      json["elsewhere"].push_back(std::move(entry));
    }
    json["words"] = exposure.words;
    list.push_back(std::move(json));
  }
  return list;
}

void AddSeriesMembers(const SeriesFindings& series, Json& json) {
  json["verdict"] = VerdictWord(series.verdict);
  json["targets"] = series.targets;
  json["promised_targets"] = series.promised;
  json["broken"] = series.broken;
  json["targets_seen"] = series.targets_seen;
  json["undecided"] = series.undecided;
  if (series.starred) {
    json["starred"] = {{"rows", series.starred->rows},
                       {"rule", series.starred->rule_broken ? "broken" : "kept"}};
  }
  json["pairs"] = Json::array();
  for (const bcf::PairAudit& pair : series.pairs) json["pairs"].push_back(PairJson(pair));
  json["births"] = Json::array();
  for (const bcf::BirthAudit& birth : series.births) {
    Json entry;
    entry["release"] = birth.release;
    entry["exact"] = BoundsJson(birth.exact);
    if (series.pairs.size() > 1) {
      entry["formulas"] = {{"F", JsonOrNull(birth.forward)},
                           {"C", JsonOrNull(birth.cross)},
                           {"B", JsonOrNull(birth.backward)}};
    }
    json["births"].push_back(std::move(entry));
  }
  json["formulas"] = JsonOrNull(series.formulas);
  json["formulas_complete"] = series.formulas_complete;
  json["not_one_series"] = Json::array();
  for (const bcf::SeriesConflict& conflict : series.conflicts) {
    json["not_one_series"].push_back(ConflictJson(conflict));
  }
}

}  // namespace reissue::cli
