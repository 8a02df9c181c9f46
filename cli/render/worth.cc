#include "cli/render/worth.h"

#include "cli/render/text.h"

namespace reissue::cli {
namespace {

using metrics::QueryError;

std::string QueriesText(const std::vector<QueryError>& queries, const Style& style) {
  TextTable table({Align::kLeft, Align::kRight, Align::kRight, Align::kRight, Align::kRight});
  table.Add({"", "selectivity", "queries", "median", "mean"});
  for (const QueryError& error : queries) {
    const bool ranges = error.kind == QueryError::Kind::kRanges;
    table.Add({ranges ? "ranges" : "points", ranges ? Percent(error.selectivity) : "",
               Count(error.queries), Percent(error.median), Percent(error.mean)});
  }
  return style.Heading("How far answers to COUNT queries are from the truth") + "\n" +
         table.ToString() +
         Fill(
             "A query counts the rows in a range of every quasi-identifier (ranges), or with given "
             "values of two of them (points), that have one sensitive value, where there is one; "
             "the error is relative to the true number.",
             2);
}

}  // namespace

std::string WorthText(const metrics::Worth& worth, const Style& style) {
  return "\n" + QueriesText(worth.queries, style);
}

void AddWorth(const metrics::Worth& worth, Json& json) {
  json["queries"] = Json::array();
  for (const QueryError& error : worth.queries) {
    const bool ranges = error.kind == QueryError::Kind::kRanges;
    Json entry;
    entry["kind"] = ranges ? "ranges" : "points";
    entry["selectivity"] = ranges ? JsonNumber(error.selectivity) : Json(nullptr);
    entry["queries"] = error.queries;
    entry["median_error"] = JsonNumber(error.median);
    entry["mean_error"] = JsonNumber(error.mean);
    json["queries"].push_back(std::move(entry));
  }
}

}  // namespace reissue::cli
