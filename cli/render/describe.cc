#include "reissue/engine/describe.h"

#include <algorithm>

#include "cli/render/json.h"
#include "cli/render/reports.h"
#include "cli/render/text.h"
#include "reissue/advice/policy_text.h"

namespace reissue::cli {
namespace {

using engine::DescribedColumn;
using engine::Distribution;

std::string OverviewText(const engine::DescribeReport& report) {
  TextTable table(
      {Align::kLeft, Align::kLeft, Align::kRight, Align::kRight, Align::kLeft, Align::kLeft});
  table.Add({"column", "type", "distinct", "missing", "role", "because"});
  for (const DescribedColumn& column : report.columns) {
    table.Add({Printable(column.name), column.type, Count(column.distinct), Count(column.missing),
               std::string(advice::RoleName(column.role)) + (column.sure ? "" : " ?"),
               Printable(column.reason)});
  }
  return table.ToString();
}

// Values in full only where that was asked for.
std::string DistributionText(const DescribedColumn& column, std::uint64_t rows,
                             const Style& style) {
  constexpr std::size_t kBar = 30;
  const Distribution& distribution = column.distribution;
  TextTable table({Align::kLeft, Align::kRight, Align::kLeft});
  std::uint64_t most = distribution.other_rows;
  for (const Distribution::Bin& bin : distribution.bins) most = std::max(most, bin.rows);
  const auto add = [&](const std::string& label, std::uint64_t count) {
    const double share =
        most == 0 ? 0 : static_cast<double>(count) / static_cast<double>(most) * kBar;
    table.Add({label, Count(count), std::string(static_cast<std::size_t>(share), '#')});
  };
  for (const Distribution::Bin& bin : distribution.bins) add(Printable(bin.label), bin.rows);
  if (distribution.other_rows > 0) {
    add("(" + Counted(distribution.other_values, "other value", "other values") + ")",
        distribution.other_rows);
  }
  if (column.missing > 0) add("(missing)", column.missing);
  return "\n" + style.Heading(Printable(column.name)) + ": " +
         Counted(column.distinct, "value", "values") + " in " + Counted(rows, "row", "rows") +
         "\n" + table.ToString();
}

Json DistributionJson(const Distribution& distribution) {
  Json json;
  json["kind"] = distribution.numbers ? "numbers" : "values";
  json["bins"] = Json::array();
  for (const Distribution::Bin& bin : distribution.bins) {
    json["bins"].push_back({{"label", bin.label}, {"rows", bin.rows}});
  }
  json["others"] = {{"values", distribution.other_values}, {"rows", distribution.other_rows}};
  return json;
}

}  // namespace

std::string ToText(const engine::DescribeReport& report, const Style& style) {
  std::string text = style.Heading(Printable(report.table)) + ": " +
                     Counted(report.rows, "row", "rows") + ", " +
                     Counted(report.columns.size(), "column", "columns") + "\n";
  for (const std::string& reason : report.written) text += Fill("- " + reason, 2);
  text += "\n" + OverviewText(report);
  const bool unsure = std::any_of(report.columns.begin(), report.columns.end(),
                                  [](const DescribedColumn& column) { return !column.sure; });
  if (unsure) text += "\n" + Fill("A role with a question mark is a guess that is not sure.");
  if (style.whole()) {
    for (const DescribedColumn& column : report.columns) {
      text += DistributionText(column, report.rows, style);
    }
  }
  if (!report.notes.empty()) text += "\n" + style.Heading("Mind") + "\n";
  for (const std::string& note : report.notes) text += Fill("- " + Printable(note), 2);
  return text;
}

std::string ToJson(const engine::DescribeReport& report) {
  Json json;
  json["table"] = report.table;
  json["rows"] = report.rows;
  json["columns"] = Json::array();
  for (const DescribedColumn& column : report.columns) {
    Json entry;
    entry["name"] = column.name;
    entry["type"] = column.type;
    entry["distinct"] = column.distinct;
    entry["missing"] = column.missing;
    entry["role"] = advice::RoleName(column.role);
    entry["sure"] = column.sure;
    entry["reason"] = column.reason;
    entry["distribution"] = DistributionJson(column.distribution);
    json["columns"].push_back(std::move(entry));
  }
  json["written_as"] = report.written;
  json["notes"] = report.notes;
  return JsonText(json);
}

}  // namespace reissue::cli
