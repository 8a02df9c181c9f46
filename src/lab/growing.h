#pragma once
// The experiments on growing tables: section 6 of Fung, Wang, Fu and Pei (EDBT 2008) on the Adult
// table, beside searches of our own, and a chain of releases beyond what the paper's formulas
// cover.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/core/result.h"
#include "reissue/lab/adult.h"
#include "reissue/lab/chart.h"
#include "reissue/models/bcf/adversary/worlds.h"

namespace reissue::lab {

struct GrowingOptions {
  std::vector<std::uint64_t> k = {40, 80, 120, 160, 200};
  std::vector<std::size_t> added = {200, 2000, 0};  // people added; 0: all
  double budget_seconds = 1;                        // of our search, per release
  std::uint64_t seed = 1;
  std::size_t chain = 6;  // releases of the chain; 0: none
  std::uint64_t chain_k = 40;
  double chain_growth = 0.1;
};

// One setting. Costs are discernibility, Σ |cell|² / rows²; searches: the paper's unless named.
struct GrowingSetting {
  std::string choice;     // Sen1, Sen3
  std::size_t added = 0;  // people
  std::string case_name;  // "200D2"
  std::uint64_t k = 0;
  // R1 and R2 made k-anonymous each by itself: what the attacks leave.
  std::optional<std::uint64_t> forward, cross, backward;
  bool violated = false;
  double plain_cost = 0;                // that R2: unsafe
  std::optional<double> alone_cost;     // D2 by itself: safe; null where D2 is smaller than k
  std::optional<double> safe_cost;      // R2 that keeps all attacks at k; null: cannot be had
  std::optional<double> greedy_cost;    // the same promise, largest gain first
  std::optional<double> improved_cost;  // the same promise, default search
  bool proven = false;                  // the default search is proven optimal
};

// One release of the chain.
struct ChainLink {
  std::uint64_t rows = 0;
  std::optional<double> cost;                  // null: the promise could not be kept any more
  std::optional<models::bcf::Interval> exact;  // anonymity of the series so far
  std::uint64_t exposed = 0;                   // rows of the newest release in exposed groups
  double seconds = 0;
};
struct Chain {
  std::string name, words;
  std::vector<ChainLink> links;
};

struct GrowingReport {
  std::vector<GrowingSetting> settings;
  double load_seconds = 0;
  double paper_seconds = 0;     // all settings: both baselines, attacks, the paper's safe release
  double improved_seconds = 0;  // all settings: greedy and default search
  // Mean over the settings of (the paper's cost / ours), and the least.
  double mean_gain = 0, least_gain = 0;
  std::uint64_t chain_k = 0;
  std::vector<Chain> chains;
};

Result<GrowingReport> RunGrowing(const AdultFiles& files, const GrowingOptions& options,
                                 binding::Context& context);

// The paper's Figures 1 (what plain releases leave) and 2 (what safe releases cost).
std::vector<Panel> FigureViolations(const GrowingReport& report);
std::vector<Panel> FigureCosts(const GrowingReport& report);
// One line per setting.
std::string SettingsCsv(const GrowingReport& report);

}  // namespace reissue::lab
