#include "cli/render/worth.h"

#include <cmath>
#include <cstdint>

#include "cli/render/text.h"

namespace reissue::cli {
namespace {

using metrics::QueryError;
using metrics::Worth;

// Errors have no upper end.
std::string ErrorShare(double share) {
  return share < 10 ? Percent(share) : Count(static_cast<std::uint64_t>(100 * share)) + " %";
}

std::string QueriesText(const std::vector<QueryError>& queries, const Style& style) {
  TextTable table({Align::kLeft, Align::kRight, Align::kRight, Align::kRight, Align::kRight});
  table.Add({"", "selectivity", "queries", "median", "mean"});
  for (const QueryError& error : queries) {
    const bool ranges = error.kind == QueryError::Kind::kRanges;
    table.Add({ranges ? "ranges" : "points", ranges ? Percent(error.selectivity) : "",
               Count(error.queries), ErrorShare(error.median), ErrorShare(error.mean)});
  }
  return style.Heading("How far answers to COUNT queries are from the truth") + "\n" +
         table.ToString() +
         Fill(
             "A query counts the rows in ranges of up to four quasi-identifiers (ranges), or with "
             "given "
             "values of two of them (points), that have one sensitive value, where there is one; "
             "the error is relative to the true number.",
             2);
}

std::string InformationText(const Worth& worth, const Style& style) {
  TextTable table({Align::kLeft, Align::kRight, Align::kRight});
  table.Add({"column", "bits", "kept"});
  for (const metrics::ColumnInformation& column : worth.columns) {
    table.Add({Printable(column.name), Number(column.entropy), Percent(column.kept)});
  }
  return style.Heading("How much labels tell about values") + "\n" + table.ToString() +
         Fill(
             "bits: the entropy of the raw column. kept: how much of it whoever sees the label "
             "knows; 100 %: the value itself, 0 %: nothing.",
             2);
}

std::string PairsText(const Worth& worth, const Style& style) {
  if (worth.pairs.empty()) return "";
  TextTable table({Align::kLeft, Align::kRight, Align::kLeft});
  const Worth::Pair& worst = worth.pairs[worth.worst_pair];
  table.Add({"mean difference", Number(worth.mean_difference),
             "over " + Counted(worth.pairs.size(), "pair", "pairs") + "; 0: all is kept"});
  table.Add({"worst pair", Number(std::abs(worst.raw - worst.published)),
             Printable(worst.first) + " and " + Printable(worst.second) + ": " + Number(worst.raw) +
                 " in the table, " + Number(worst.published) + " in the release"});
  for (std::size_t i = 0; style.whole() && i < worth.pairs.size(); ++i) {
    const Worth::Pair& pair = worth.pairs[i];
    table.Add({"", Number(std::abs(pair.raw - pair.published)),
               Printable(pair.first) + " and " + Printable(pair.second) + ": " + Number(pair.raw) +
                   " in the table, " + Number(pair.published) + " in the release"});
  }
  return "\n" + style.Heading("How columns hang together (Cramér's V)") + "\n" + table.ToString();
}

Json QueriesJson(const std::vector<QueryError>& queries) {
  Json list = Json::array();
  for (const QueryError& error : queries) {
    const bool ranges = error.kind == QueryError::Kind::kRanges;
    Json entry;
    entry["kind"] = ranges ? "ranges" : "points";
    entry["selectivity"] = ranges ? JsonNumber(error.selectivity) : Json(nullptr);
    entry["queries"] = error.queries;
    entry["median_error"] = JsonNumber(error.median);
    entry["mean_error"] = JsonNumber(error.mean);
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace

std::string WorthText(const Worth& worth, const Style& style) {
  return "\n" + QueriesText(worth.queries, style) + "\n" + InformationText(worth, style) +
         PairsText(worth, style);
}

void AddWorth(const Worth& worth, Json& json) {
  json["queries"] = QueriesJson(worth.queries);
  json["information"] = Json::array();
  for (const metrics::ColumnInformation& column : worth.columns) {
    json["information"].push_back({{"column", column.name},
                                   {"entropy", JsonNumber(column.entropy)},
                                   {"kept", JsonNumber(column.kept)}});
  }
  Json pairs = Json::array();
  for (const Worth::Pair& pair : worth.pairs) {
    pairs.push_back({{"columns", {pair.first, pair.second}},
                     {"table", JsonNumber(pair.raw)},
                     {"release", JsonNumber(pair.published)}});
  }
  json["correlation"] = {{"mean_difference", JsonNumber(worth.mean_difference)},
                         {"worst", pairs.empty() ? Json(nullptr) : pairs[worth.worst_pair]},
                         {"pairs", pairs}};
}

}  // namespace reissue::cli
