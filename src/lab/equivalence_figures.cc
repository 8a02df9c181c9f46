#include <fmt/format.h>

#include <functional>

#include "reissue/lab/equivalence.h"

namespace reissue::lab {
namespace {

// One panel per table; `draw` adds the lines of a table.
std::vector<Panel> PerTable(const EquivalenceReport& report, const std::string& x,
                            const std::string& y,
                            const std::function<void(const std::string&, Panel&)>& draw) {
  std::vector<Panel> panels;
  for (const EquivalenceTable& table : report.tables) {
    Panel panel;
    panel.title = table.name;
    panel.x_label = x;
    panel.y_label = y;
    draw(table.name, panel);
    panels.push_back(std::move(panel));
  }
  return panels;
}

struct Way {
  const char *rule, *name;
};
constexpr Way kWays[] = {
    {"plain", "m-invariance"}, {"paper", "the paper's rule"}, {"exact", "reissue"}};
// Plain m-invariance has no e.
std::uint64_t PromiseOf(const Way& rule, std::uint64_t e) {
  return rule.rule == std::string("plain") ? 1 : e;
}

}  // namespace

std::vector<Panel> FigureExposed(const EquivalenceReport& report) {
  return PerTable(
      report, "releases", "people found out", [&](const std::string& table, Panel& panel) {
        for (const Way& form :
             {Way{"partitions", "m-invariance, fine partitions"},
              Way{"buckets", "m-invariance, merged buckets"}, Way{"exact", "reissue"}}) {
          Line line;
          line.name = form.name;
          for (const EquivalenceAttack& attack : report.attacks) {
            if (attack.table != table || attack.form != form.rule) continue;
            line.points.emplace_back(attack.releases, static_cast<double>(attack.exposed));
          }
          panel.lines.push_back(std::move(line));
        }
      });
}

std::vector<Panel> FigureCounterfeits(const EquivalenceReport& report) {
  return PerTable(
      report, "e", "counterfeits, all releases", [&](const std::string& table, Panel& panel) {
        for (const Way& rule : kWays) {
          Line line;
          line.name = rule.name;
          for (const std::uint64_t e : report.options.es) {
            const EquivalenceRun* run = FindRun(report, table, rule.rule, PromiseOf(rule, e));
            if (run == nullptr) continue;
            line.points.emplace_back(static_cast<double>(e),
                                     static_cast<double>(Total(run->counterfeits)));
          }
          panel.lines.push_back(std::move(line));
        }
      });
}

std::vector<Panel> FigureSkewed(const EquivalenceReport& report) {
  return PerTable(
      report, "skew s", "counterfeits, last release", [&](const std::string& table, Panel& panel) {
        for (const Way& rule : kWays) {
          Line line;
          line.name = rule.name;
          for (const double skew : report.options.skews) {
            const EquivalenceRun* run =
                FindRun(report, table, rule.rule, PromiseOf(rule, report.options.e), skew);
            if (run == nullptr) continue;
            line.points.emplace_back(skew, static_cast<double>(run->counterfeits.back()));
          }
          panel.lines.push_back(std::move(line));
        }
      });
}

std::vector<Panel> FigureQueries(const EquivalenceReport& report) {
  return PerTable(
      report, "selectivity, %", "relative error, %", [&](const std::string& table, Panel& panel) {
        for (const EquivalenceQueries& entry : report.queries) {
          if (entry.table != table) continue;
          const std::string name =
              fmt::format("{}, {}",
                          entry.form == "partitions" ? "m-invariance, fine partitions"
                                                     : "reissue, merged buckets",
                          entry.shown);
          if (panel.lines.empty() || panel.lines.back().name != name) {
            panel.lines.push_back({name, {}});
          }
          panel.lines.back().points.emplace_back(100 * entry.selectivity, 100 * entry.mean);
        }
      });
}

std::vector<Panel> FigureTime(const EquivalenceReport& report) {
  return PerTable(
      report, "e", "seconds, all releases", [&](const std::string& table, Panel& panel) {
        for (const Way& rule : kWays) {
          Line line;
          line.name = rule.name;
          for (const std::uint64_t e : report.options.es) {
            const EquivalenceRun* run = FindRun(report, table, rule.rule, PromiseOf(rule, e));
            if (run == nullptr) continue;
            line.points.emplace_back(static_cast<double>(e), run->seconds);
          }
          panel.lines.push_back(std::move(line));
        }
      });
}

std::string EquivalenceCsv(const EquivalenceReport& report) {
  std::string csv = "measure,table,way,e,skew,release,value,note\n";
  for (const EquivalenceRun& run : report.runs) {
    const std::string skew = run.skew ? fmt::format("{}", *run.skew) : "";
    for (std::size_t i = 0; i < run.counterfeits.size(); ++i) {
      csv += fmt::format("counterfeits,{},{},{},{},{},{},\n", run.table, run.rule, run.e, skew,
                         i + 1, run.counterfeits[i]);
    }
    csv += fmt::format("seconds,{},{},{},{},,{:.4f},\n", run.table, run.rule, run.e, skew,
                       run.seconds);
    csv += fmt::format("buckets,{},{},{},{},,{},\n", run.table, run.rule, run.e, skew, run.buckets);
  }
  for (const EquivalenceAttack& attack : report.attacks) {
    csv +=
        fmt::format("found out,{},{},{},,{},{},{}\n", attack.table, attack.form, report.options.e,
                    attack.releases, attack.exposed, attack.complete ? "" : "at least");
  }
  for (const EquivalenceQueries& entry : report.queries) {
    csv += fmt::format("query error,{},{} {},{},,,{:.6f},selectivity {} median {:.6f}\n",
                       entry.table, entry.form, entry.shown, report.options.e, entry.mean,
                       entry.selectivity, entry.median);
  }
  return csv;
}

}  // namespace reissue::lab
