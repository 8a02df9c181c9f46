#include <algorithm>

#include "cli/render/json.h"
#include "cli/render/lab.h"
#include "cli/render/text.h"

namespace reissue::cli {
namespace {

using lab::EquivalenceAttack;
using lab::EquivalenceQueries;
using lab::EquivalenceReport;
using lab::EquivalenceRun;
using lab::EquivalenceTable;

using enum TextTable::Align;

std::string StreamTable(const EquivalenceReport& report) {
  TextTable table({kLeft, kRight, kRight, kRight, kRight});
  table.Add({"table", "people in all", "in each table", "replaced", "releases"});
  for (const EquivalenceTable& entry : report.tables) {
    table.Add({entry.name, Count(entry.rows), Count(entry.first), Count(entry.replaced),
               Count(report.options.releases)});
  }
  return table.ToString();
}

const EquivalenceAttack* FindAttack(const EquivalenceReport& report, const std::string& table,
                                    const std::string& form, std::uint32_t releases) {
  for (const EquivalenceAttack& attack : report.attacks) {
    if (attack.table == table && attack.form == form && attack.releases == releases) return &attack;
  }
  return nullptr;
}

std::string ExposedText(const EquivalenceAttack* attack) {
  if (attack == nullptr) return "–";
  return (attack->complete ? "" : "≥ ") + Count(attack->exposed);
}

std::string AttackTable(const EquivalenceReport& report) {
  TextTable table({kLeft, kRight, kRight, kRight, kRight});
  table.Add({"table", "releases", "fine partitions", "merged buckets", "reissue"});
  for (const EquivalenceTable& entry : report.tables) {
    std::vector<std::uint32_t> moments;
    for (const EquivalenceAttack& attack : report.attacks) {
      if (attack.table == entry.name) moments.push_back(attack.releases);
    }
    std::sort(moments.begin(), moments.end());
    moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
    for (const std::uint32_t releases : moments) {
      const auto people = [&](const char* form) {
        return ExposedText(FindAttack(report, entry.name, form, releases));
      };
      table.Add(
          {entry.name, Count(releases), people("partitions"), people("buckets"), people("exact")});
    }
  }
  return table.ToString();
}

// All releases together, and the most that one shows.
std::string Fakes(const EquivalenceRun* run) {
  if (run == nullptr) return "–";
  return Count(lab::Total(run->counterfeits)) + " (" + Count(lab::Most(run->counterfeits)) + ")";
}

std::string CounterfeitTable(const EquivalenceReport& report) {
  TextTable table({kLeft, kRight, kRight, kRight, kRight});
  table.Add({"table", "e", "m-invariance", "paper's rule", "reissue"});
  for (const EquivalenceTable& entry : report.tables) {
    for (const std::uint64_t e : report.options.es) {
      table.Add({entry.name, Count(e), Fakes(lab::FindRun(report, entry.name, "plain", 1)),
                 Fakes(lab::FindRun(report, entry.name, "paper", e)),
                 Fakes(lab::FindRun(report, entry.name, "exact", e))});
    }
  }
  return table.ToString();
}

std::string SkewTable(const EquivalenceReport& report) {
  TextTable table({kLeft, kRight, kRight, kRight, kRight, kRight});
  table.Add({"table", "skew", "m-invariance", "paper's rule", "reissue", "share of rows"});
  for (const EquivalenceTable& entry : report.tables) {
    for (const double skew : report.options.skews) {
      const auto find = [&](const char* rule, std::uint64_t e) {
        return lab::FindRun(report, entry.name, rule, e, skew);
      };
      const EquivalenceRun* ours = find("exact", report.options.e);
      const double rows =
          static_cast<double>(entry.first) * static_cast<double>(report.options.releases);
      table.Add({entry.name, Number(skew), Fakes(find("plain", 1)),
                 Fakes(find("paper", report.options.e)), Fakes(ours),
                 Percent(static_cast<double>(lab::Total(ours->counterfeits)) / rows)});
    }
  }
  return table.ToString();
}

std::string QueryTable(const EquivalenceReport& report) {
  TextTable table({kLeft, kRight, kRight, kRight, kRight, kRight});
  table.Add({"table", "selectivity", "fine, anatomy", "reissue, anatomy", "fine, ranges",
             "reissue, ranges"});
  for (const EquivalenceTable& entry : report.tables) {
    for (const double selectivity : report.options.selectivities) {
      std::vector<std::string> row = {entry.name, Percent(selectivity)};
      for (const EquivalenceQueries& asked : report.queries) {
        if (asked.table == entry.name && asked.selectivity == selectivity) {
          row.push_back(Percent(asked.mean) + " (" + Percent(asked.median) + ")");
        }
      }
      row.resize(6);
      table.Add(std::move(row));
    }
  }
  return table.ToString();
}

std::string SecondsOf(const EquivalenceRun* run) {
  return run == nullptr ? "–" : Number(run->seconds);
}

std::string TimeTable(const EquivalenceReport& report) {
  TextTable table({kLeft, kRight, kRight, kRight, kRight, kRight});
  table.Add({"table", "e", "m-invariance", "paper's rule", "reissue", "slowest release"});
  for (const EquivalenceTable& entry : report.tables) {
    for (const std::uint64_t e : report.options.es) {
      const EquivalenceRun* ours = lab::FindRun(report, entry.name, "exact", e);
      table.Add({entry.name, Count(e), SecondsOf(lab::FindRun(report, entry.name, "plain", 1)),
                 SecondsOf(lab::FindRun(report, entry.name, "paper", e)), SecondsOf(ours),
                 ours == nullptr ? "–" : Number(ours->slowest)});
    }
  }
  return table.ToString();
}

Json JsonBound(const std::optional<std::uint64_t>& bound) { return bound ? Json(*bound) : Json(); }

}  // namespace

std::string ToText(const LabEquivalenceReport& report, const Style& style) {
  const EquivalenceReport& result = report.result;
  const std::string e = Count(result.options.e);
  std::string text =
      style.Heading("Tables whose rows come and go, m = " + Count(result.options.m)) + "\n" +
      StreamTable(result);
  for (const std::string& words : result.left_out) text += Fill("Left out: " + words, 2);
  const auto section = [&](const std::string& heading, const std::string& table,
                           const std::string& words) {
    text += "\n" + style.Heading(heading) + "\n" + table + Fill(words, 4);
  };
  section("Figure 6: people on a side of an equality of fewer than " + e, AttackTable(result),
          "What readers of the first releases can prove. Left and middle: plain m-invariance, in "
          "fine partitions and in merged buckets; right: ours. The paper: partitions give away a "
          "significant number within five releases (more could not be looked at), merged buckets "
          "still do after 20; none with its algorithm. ≥: not all equalities were looked at.");
  section("Figure 7: counterfeits, random updates", CounterfeitTable(result),
          "Shown in all releases together; in brackets the most in one. The paper: well under 100 "
          "of 200,000, slightly more than m-invariance alone.");
  section("Figure 8: counterfeits, skewed updates, e = " + e, SkewTable(result),
          "Each value of those who come is had by s rows more than the one before (for batches of "
          "20,000; scaled for others). The paper: none below s = 9, and insignificantly few at 15, "
          "close to m-invariance alone.");
  section(
      "Figure 9: relative error of COUNT queries, e = " + e, QueryTable(result),
      "Mean (median) of " + Count(result.options.queries) +
          " queries on the last release. Means are far above medians where hardly anybody who is "
          "asked for has the value. The paper: no significant difference between fine partitions "
          "and merged buckets, both shown as in Anatomy. Ranges are for comparison.");
  section("Figure 10: seconds for all releases", TimeTable(result),
          "Of one processor, without reading and writing. The paper: slightly slower than "
          "m-invariance.");
  for (const std::string& file : report.files) text += "\nwrote " + Printable(file);
  if (!report.files.empty()) text += "\n";
  return text;
}

std::string ToJson(const LabEquivalenceReport& report) {
  const EquivalenceReport& result = report.result;
  Json json;
  json["experiment"] = "equivalence";
  json["m"] = result.options.m;
  json["e"] = result.options.e;
  json["tables"] = Json::array();
  for (const EquivalenceTable& table : result.tables) {
    json["tables"].push_back({{"table", table.name},
                              {"people", table.rows},
                              {"rows", table.first},
                              {"replaced", table.replaced},
                              {"releases", result.options.releases}});
  }
  json["attacks"] = Json::array();
  for (const EquivalenceAttack& attack : result.attacks) {
    json["attacks"].push_back(
        {{"table", attack.table},
         {"form", attack.form},
         {"releases", attack.releases},
         {"found_out", attack.exposed},
         {"complete", attack.complete},
         {"least_values", attack.least_values},
         {"least", {{"lower", JsonBound(attack.lower)}, {"upper", JsonBound(attack.upper)}}}});
  }
  json["runs"] = Json::array();
  for (const EquivalenceRun& run : result.runs) {
    json["runs"].push_back({{"table", run.table},
                            {"rule", run.rule},
                            {"e", run.e},
                            {"skew", run.skew ? JsonNumber(*run.skew) : Json()},
                            {"counterfeits", run.counterfeits},
                            {"new_counterfeits", run.new_counterfeits},
                            {"buckets", run.buckets},
                            {"seconds", run.seconds},
                            {"slowest", run.slowest}});
  }
  json["queries"] = Json::array();
  for (const EquivalenceQueries& asked : result.queries) {
    json["queries"].push_back({{"table", asked.table},
                               {"form", asked.form},
                               {"shown", asked.shown},
                               {"selectivity", JsonNumber(asked.selectivity)},
                               {"mean", JsonNumber(asked.mean)},
                               {"median", JsonNumber(asked.median)}});
  }
  json["left_out"] = result.left_out;
  json["files"] = report.files;
  return JsonText(json);
}

}  // namespace reissue::cli
