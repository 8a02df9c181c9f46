#include "cli/render/lab.h"

#include "cli/render/json.h"
#include "cli/render/models/bcf_explain.h"
#include "cli/render/text.h"

namespace reissue::cli {
namespace {

using lab::Chain;
using lab::ChainLink;
using lab::GrowingReport;
using lab::GrowingSetting;

using enum TextTable::Align;

std::string Cost(const std::optional<double>& cost) { return cost ? Number(*cost) : "none"; }
std::string Left(const std::optional<std::uint64_t>& left) { return left ? Count(*left) : "–"; }

std::string Violations(const GrowingReport& report) {
  TextTable table({kLeft, kLeft, kRight, kRight, kRight, kRight, kLeft});
  table.Add({"sensitive", "added", "k", "F", "C", "B", ""});
  for (const GrowingSetting& s : report.settings) {
    table.Add({s.choice, s.case_name, Count(s.k), Left(s.forward), Left(s.cross), Left(s.backward),
               s.violated ? "below k" : ""});
  }
  return table.ToString();
}

std::string Costs(const GrowingReport& report) {
  TextTable table({kLeft, kLeft, kRight, kRight, kRight, kRight, kRight, kRight, kLeft});
  table.Add({"sensitive", "added", "k", "R2 unsafe", "D2 alone", "paper", "greedy", "reissue", ""});
  for (const GrowingSetting& s : report.settings) {
    table.Add({s.choice, s.case_name, Count(s.k), Number(s.plain_cost), Cost(s.alone_cost),
               Cost(s.safe_cost), Cost(s.greedy_cost), Cost(s.improved_cost),
               s.proven ? "optimal" : ""});
  }
  return table.ToString();
}

std::string Bounds(const std::optional<models::bcf::Interval>& left) {
  if (!left) return "–";
  if (left->exact()) return Count(left->lower);
  return Count(left->lower) + " to " + Count(left->upper);
}

std::string ChainText(const Chain& chain) {
  TextTable table({kRight, kRight, kRight, kRight, kRight, kRight});
  table.Add({"release", "rows", "cost", "exact anonymity", "exposed", "seconds"});
  for (std::size_t i = 0; i < chain.links.size(); ++i) {
    const ChainLink& link = chain.links[i];
    table.Add({Count(i + 1), Count(link.rows), Cost(link.cost), Bounds(link.exact),
               Count(link.exposed), Number(link.seconds)});
  }
  return table.ToString();
}

Json JsonCost(const std::optional<double>& cost) { return cost ? JsonNumber(*cost) : Json(); }
Json JsonLeft(const std::optional<std::uint64_t>& left) { return left ? Json(*left) : Json(); }

}  // namespace

std::string ToText(const LabGrowingReport& report, const Style& style) {
  const GrowingReport& result = report.result;
  std::string text =
      style.Heading("What two releases leave, each made k-anonymous by itself") + "\n";
  text += Violations(result) + Fill(kAttackLetters, 2) + "\n";
  text += style.Heading("What the second release costs (discernibility, lower is better)") + "\n";
  text += Costs(result) +
          Fill(
              "R2 unsafe: the second release made by itself. D2 alone: the newcomers published by "
              "themselves. Paper, greedy, reissue: safe releases, by three searches.",
              2) +
          "\n";
  std::size_t violated = 0;
  for (const GrowingSetting& setting : result.settings) violated += setting.violated ? 1 : 0;
  text += Fill(Count(violated) + " of " + Count(result.settings.size()) +
               " settings break the promise if each release is made by itself. For safe releases "
               "the paper's search costs " +
               Number(result.mean_gain) + " times what ours does on average, at least " +
               Number(result.least_gain) + " times in every setting.") +
          "\n";
  text += Fill("Loading took " + Number(result.load_seconds) +
               " s; baselines, attacks and the "
               "paper's search for all settings " +
               Number(result.paper_seconds) + " s; our searches " +
               Number(result.improved_seconds) + " s.") +
          "\n";
  for (const Chain& chain : result.chains) {
    text += "\n" + style.Heading("Chain, k = " + Count(result.chain_k) + ", " + chain.name) + ": " +
            chain.words + "\n" + ChainText(chain);
  }
  for (const std::string& file : report.files) text += "\nwrote " + Printable(file);
  if (!report.files.empty()) text += "\n";
  return text;
}

std::string ToJson(const LabGrowingReport& report) {
  const GrowingReport& result = report.result;
  Json json;
  json["experiment"] = "bcf";
  json["settings"] = Json::array();
  for (const GrowingSetting& s : result.settings) {
    json["settings"].push_back({{"sensitive", s.choice},
                                {"case", s.case_name},
                                {"added", s.added},
                                {"k", s.k},
                                {"F", JsonLeft(s.forward)},
                                {"C", JsonLeft(s.cross)},
                                {"B", JsonLeft(s.backward)},
                                {"violated", s.violated},
                                {"cost",
                                 {{"plain", JsonNumber(s.plain_cost)},
                                  {"alone", JsonCost(s.alone_cost)},
                                  {"safe_paper", JsonCost(s.safe_cost)},
                                  {"safe_greedy", JsonCost(s.greedy_cost)},
                                  {"safe_reissue", JsonCost(s.improved_cost)},
                                  {"proven_optimal", s.proven}}}});
  }
  json["gain"] = {{"mean", JsonNumber(result.mean_gain)}, {"least", JsonNumber(result.least_gain)}};
  json["seconds"] = {{"load", result.load_seconds},
                     {"paper", result.paper_seconds},
                     {"reissue", result.improved_seconds}};
  json["chains"] = Json::array();
  for (const Chain& chain : result.chains) {
    Json links = Json::array();
    for (const ChainLink& link : chain.links) {
      Json exact;
      if (link.exact) exact = {{"lower", link.exact->lower}, {"upper", link.exact->upper}};
      links.push_back({{"rows", link.rows},
                       {"cost", JsonCost(link.cost)},
                       {"exact", exact},
                       {"exposed", link.exposed},
                       {"seconds", link.seconds}});
    }
    json["chains"].push_back(
        {{"name", chain.name}, {"k", result.chain_k}, {"words", chain.words}, {"releases", links}});
  }
  json["files"] = report.files;
  return JsonText(json);
}

}  // namespace reissue::cli
