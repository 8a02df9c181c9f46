#pragma once
// The experiments on changing tables: section VII of He, Barman and Naughton (ICDE 2011). Census
// records come and go; every table is published by plain m-invariance, by the paper's rule and by
// ours, and attacked.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/core/result.h"
#include "reissue/lab/chart.h"

namespace reissue::lab {

struct EquivalenceOptions {
  std::string census;                 // file with real records (LoadCensus); empty: left out
  std::uint64_t simulated = 600'000;  // rows of each simulated table; 0: left out
  std::uint64_t releases = 20;
  std::uint64_t m = 10;
  std::uint64_t e = 5;  // where one is compared with another
  std::vector<std::uint64_t> es = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};  // each at most m
  // Slopes of Figure 5, for batches of 20,000 rows and 50 values; scaled for others.
  std::vector<double> skews = {0, 3, 6, 8, 9, 12, 15};
  std::vector<double> selectivities = {0.001, 0.005, 0.01, 0.02, 0.05, 0.1};
  std::uint64_t queries = 1000;
  std::size_t fine_releases = 5;  // fine partitions are attacked up to here
  std::uint64_t seed = 1;
};

// A table and the stream that was made of it.
struct EquivalenceTable {
  std::string name;
  std::uint64_t rows = 0, first = 0, replaced = 0;
};

// One stream published one way.
struct EquivalenceRun {
  std::string table;
  std::string rule;  // "plain", "paper", "exact"
  std::uint64_t e = 1;
  std::optional<double> skew;                   // nothing: random updates
  std::vector<std::uint64_t> counterfeits;      // shown per release
  std::vector<std::uint64_t> new_counterfeits;  // of them, not shown before
  std::uint64_t buckets = 0;
  double seconds = 0, slowest = 0;  // all releases, and the slowest one; of one processor
};

// Who is found out by readers of the first releases (Figure 6).
struct EquivalenceAttack {
  std::string table;
  std::string form;  // "partitions" and "buckets" of plain m-invariance, "exact" (ours)
  std::uint32_t releases = 0;
  std::uint64_t exposed = 0;                  // on a side of an equality of fewer than e people
  bool complete = true;                       // else at least so many
  std::optional<std::uint64_t> lower, upper;  // of the least equality; nothing: none
  std::uint64_t least_values = 0;             // that somebody may have
};

// How well COUNT queries are answered from the last release (Figure 9).
struct EquivalenceQueries {
  std::string table;
  // "partitions" of plain m-invariance, "buckets" of ours; "anatomy" or "ranges".
  std::string form, shown;
  double selectivity = 0, mean = 0, median = 0;
};

struct EquivalenceReport {
  EquivalenceOptions options;
  std::vector<EquivalenceTable> tables;
  std::vector<EquivalenceRun> runs;
  std::vector<EquivalenceAttack> attacks;
  std::vector<EquivalenceQueries> queries;
  std::vector<std::string> left_out;  // in words
};

Result<EquivalenceReport> RunEquivalence(const EquivalenceOptions& options,
                                         binding::Context& context);

// The run of a table with random (nothing) or skewed updates; null where there is none.
const EquivalenceRun* FindRun(const EquivalenceReport& report, const std::string& table,
                              const std::string& rule, std::uint64_t e,
                              std::optional<double> skew = std::nullopt);
// Over all releases.
std::uint64_t Total(const std::vector<std::uint64_t>& counts);
std::uint64_t Most(const std::vector<std::uint64_t>& counts);

// The paper's figures: 6 (people found out), 7 and 8 (counterfeits), 9 (query error), 10 (time).
std::vector<Panel> FigureExposed(const EquivalenceReport& report);
std::vector<Panel> FigureCounterfeits(const EquivalenceReport& report);
std::vector<Panel> FigureSkewed(const EquivalenceReport& report);
std::vector<Panel> FigureQueries(const EquivalenceReport& report);
std::vector<Panel> FigureTime(const EquivalenceReport& report);
// One line per run and release, attack, or query form.
std::string EquivalenceCsv(const EquivalenceReport& report);

}  // namespace reissue::lab
