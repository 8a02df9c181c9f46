#pragma once
// The experiments on linked releases: section 6 of Wang and Fung (KDD 2006) on the Adult table. The
// taxation department gets T1 (with the class to be predicted), the immigration department has got
// T2; both have marital-status, relationship and sex.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/core/result.h"
#include "reissue/lab/adult.h"
#include "reissue/lab/chart.h"

namespace reissue::lab {

struct LinkedOptions {
  std::vector<std::uint64_t> k = {40, 80, 120, 160, 200};
  std::vector<double> confidence = {0.1, 0.3, 0.5, 0.7, 0.9};
  std::vector<std::string> sets = {"A", "B"};
};

// Detail lost per row: levels climbed, and shares of the full range.
struct Distortion {
  double categorical = 0, continuous = 0;
};

// One requirement at one threshold. Null where the promise cannot be kept.
struct LinkedSetting {
  std::string set;   // "A": categorical columns; "B": numbers too
  std::string kind;  // "anonymity", "linkability"
  std::size_t top = 0;
  double threshold = 0;                  // k, or confidence
  std::optional<double> error;           // XYE
  std::optional<double> error_rows;      // XYE(row): Y = {K1, K2}; anonymity only
  std::optional<double> error_ours;      // by our search too; anonymity only
  std::optional<Distortion> distortion;  // XYD, of the release that `error` is about
  std::optional<Distortion> least;       // of a release for which that counts; anonymity only
  std::optional<double> without_y;       // RSE: Y removed from T1; linkability only
  double seconds = 0;                    // of the search for `error`
};

// k-anonymity of T1 on all its columns.
struct PlainSetting {
  std::string set;
  std::uint64_t k = 0;
  std::optional<double> error;           // KAE
  std::optional<Distortion> distortion;  // KAD, of the same release
  std::optional<Distortion> least;       // of a release for which that counts
};

struct LinkedSet {
  std::string name;
  double unmodified = 0;     // BLE
  double without_joins = 0;  // RJE
  double majority = 0;       // error of always guessing the more frequent class
};

struct LinkedReport {
  std::vector<LinkedSet> sets;
  std::vector<PlainSetting> plain;
  std::vector<LinkedSetting> settings;
  // Combinations of the join columns in T2, and those in which somebody is the only one with their
  // values on all columns of T2.
  std::size_t join_values = 0, join_values_with_one = 0;
  double load_seconds = 0, search_seconds = 0;
};

Result<LinkedReport> RunLinked(const AdultFiles& files, const LinkedOptions& options,
                               binding::Context& context);

// A number that the paper states, and ours. Errors are in %, distortion is per row.
struct PaperNumber {
  std::size_t figure = 0;
  std::string set, what;
  double paper = 0;
  std::optional<double> ours;
};
std::vector<PaperNumber> ComparedWithPaper(const LinkedReport& report);
// Why some of them differ, a sentence or two each; only what these results bear out.
std::vector<std::string> WhyNumbersDiffer(const LinkedReport& report);

// Means over the thresholds that can be kept; null where none can. Of LinkedSetting …
using PickLinked = std::optional<double> (*)(const LinkedSetting&);
std::optional<double> MeanOf(const LinkedReport& report, const std::string& set,
                             const std::string& kind, std::size_t top, PickLinked pick);
// … and of PlainSetting.
using PickPlain = std::optional<double> (*)(const PlainSetting&);
std::optional<double> MeanOf(const LinkedReport& report, const std::string& set, PickPlain pick);
// The requirements of a kind: how many columns are in X (anonymity) or Y (linkability).
std::vector<std::size_t> TopsOf(const LinkedReport& report, const std::string& set,
                                const std::string& kind);

// The paper's Figures 1 to 4 (anonymity) and 6, 7 (linkability).
std::vector<Panel> FigureLinkedAnonymity(const LinkedReport& report);
std::vector<Panel> FigureLinkedLinkability(const LinkedReport& report);
std::string LinkedCsv(const LinkedReport& report);

}  // namespace reissue::lab
