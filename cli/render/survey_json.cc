#include "cli/render/json.h"
#include "cli/render/reports.h"
#include "cli/render/text.h"

namespace reissue::cli {
namespace {

using Survey = engine::SurveyReport;
using Assumption = Survey::Assumption;
using FromTo = survey::FromTo;

Json FromToJson(const FromTo& number) { return {{"lower", number.lower}, {"upper", number.upper}}; }
Json FromToJson(const std::optional<FromTo>& number) {
  return number ? FromToJson(*number) : Json(nullptr);
}

Json ColumnJson(const Survey& report, const Survey::Column& column) {
  Json json;
  json["column"] = column.name;
  json["role"] = column.role;
  json["guessed"] = column.guessed;
  json["reason"] = column.reason;
  json["notation"] = column.notation.empty() ? Json(nullptr) : Json(column.notation);
  json["taxonomy"] = column.taxonomy.empty() ? Json(nullptr) : Json(column.taxonomy);
  json["labels"] = column.labels;
  if (!column.texts.empty()) json["texts"] = column.texts;
  json["overlapping"] = column.overlap;
  json["beginnings"] = column.cut;
  json["missing_rows"] = column.missing;
  json["odd_labels"] = column.odd;
  json["unshared_rows"] = column.unshared;
  json["files"] = Json::array();
  for (const std::uint32_t file : column.files) json["files"].push_back(report.files[file].file);
  return json;
}

Json FileJson(const Survey::File& file) {
  Json json;
  json["file"] = file.file;
  json["rows"] = file.rows;
  json["groups"] = file.groups;
  json["singled_out"] = FromToJson(file.singled_out);
  json["value_certain"] = FromToJson(file.value_certain);
  json["exposed"] = FromToJson(file.exposed);
  json["published_identifiers"] = file.identifiers;
  json["k"] = file.smallest;
  json["unique_rows"] = file.unique_rows;
  json["fewest_overlapping"] = file.fewest_overlapping;
  json["fewest_matching"] = FromToJson(file.fewest_matching);
  json["measures"] = Json::array();
  for (const Survey::Measures& measures : file.measures) {
    Json each;
    each["sensitive"] = measures.sensitive;
    each["certain"] = FromToJson(measures.certain);
    each["equal_rows_of_one_value"] = measures.one_value;
    each["distinct"] = measures.distinct;
    each["entropy"] = JsonNumber(measures.entropy);
    each["recursive"] = JsonNumber(measures.recursive);
    each["alpha"] = JsonNumber(measures.alpha);
    each["t"] = JsonNumber(measures.t);
    each["beta"] = JsonNumber(measures.beta);
    each["delta"] = JsonNumber(measures.delta);
    json["measures"].push_back(std::move(each));
  }
  Json risk;
  risk["prosecutor"] = {{"lower", JsonNumber(file.highest_risk_from)},
                        {"upper", JsonNumber(file.highest_risk_to)}};
  risk["marketer"] = {{"lower", JsonNumber(file.average_risk_from)},
                      {"upper", JsonNumber(file.average_risk_to)}};
  if (file.population) {
    const Survey::Population& population = *file.population;
    risk["journalist"] = JsonNumber(population.journalist_highest);
    risk["journalist_average"] = JsonNumber(population.journalist_average);
    risk["population"] = JsonNumber(population.size);
    risk["estimator"] = population.estimator;
    risk["population_uniques"] = JsonNumber(population.uniques);
    risk["unique_rows_unique_in_population"] = JsonNumber(population.sample_uniques);
  }
  json["risk"] = std::move(risk);
  json["unfinished_groups"] = file.unfinished;
  return json;
}

Json AssumptionJson(const Survey& report, const Assumption& assumption) {
  const char* const kinds[] = {"came-and-went", "grew", "joined"};
  const char* const verdicts[] = {"played", "contradicted", "left-out"};
  Json json;
  json["assumption"] = kinds[static_cast<int>(assumption.kind)];
  json["verdict"] = verdicts[static_cast<int>(assumption.verdict)];
  json["files"] = Json::array();
  for (const std::uint32_t file : assumption.files)
    json["files"].push_back(report.files[file].file);
  json["sensitive"] = assumption.sensitive.empty() ? Json(nullptr) : Json(assumption.sensitive);
  if (assumption.kind == Assumption::Kind::kJoined) json["common"] = assumption.common;
  json["why"] = assumption.why.empty() ? Json(nullptr) : Json(assumption.why);
  json["exposed"] = Json::array();
  for (const Assumption::Exposed& exposed : assumption.exposed) {
    Json each;
    each["file"] = report.files[exposed.file].file;
    each["singled_out"] = FromToJson(exposed.singled_out);
    each["value_certain"] = FromToJson(exposed.value_certain);
    each["exposed"] = FromToJson(exposed.exposed);
    each["match_nobody"] = exposed.alone;
    json["exposed"].push_back(std::move(each));
  }
  json["unfinished_groups"] = assumption.unfinished;
  json["worst"] = assumption.worst;
  return json;
}

}  // namespace

std::string ToJson(const engine::SurveyReport& report) {
  Json json;
  json["exposed"] = FromToJson(report.exposed);
  json["files"] = Json::array();
  for (const Survey::File& file : report.files) json["files"].push_back(FileJson(file));
  json["assumptions"] = Json::array();
  for (const Assumption& assumption : report.assumptions) {
    json["assumptions"].push_back(AssumptionJson(report, assumption));
  }
  json["columns"] = Json::array();
  for (const Survey::Column& column : report.columns) {
    json["columns"].push_back(ColumnJson(report, column));
  }
  json["worst"] = Json::array();
  for (const Survey::Group& group : report.worst) {
    Json each;
    each["file"] = report.files[group.file].file;
    each["cell"] = CellJson(group.cell);
    each["rows"] = group.rows;
    each["matching"] = FromToJson(group.matching);
    each["words"] = group.words;
    json["worst"].push_back(std::move(each));
  }
  return JsonText(json);
}

}  // namespace reissue::cli
