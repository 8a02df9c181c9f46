#pragma once
// What a release costs: how much of the table's detail it no longer has. Takes counts, never rows:
// the table's values per leaf and the release's cells are enough, because every measure is a sum
// over rows that does not care which row became which. Works for any recoding, global or local,
// whoever made it. docs/metrics.md explains each number. Pure function, any thread.
//
// Two ways to suppress a row cost the same: a row left out of the release, and a row that is in it
// with every quasi-identifier at the root (a starred row) although not every row is like that.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reissue/core/cells.h"
#include "reissue/core/result.h"
#include "reissue/taxonomy/taxonomy.h"

namespace reissue::metrics {

// One quasi-identifier of the table. Refers to memory of the caller.
struct QuasiIdentifier {
  std::string name;
  const taxonomy::Taxonomy* tree = nullptr;
  std::span<const std::uint64_t> table_counts;  // rows of the raw table per leaf rank
};

struct AttributeLoss {
  std::string name;
  bool numeric = false;
  // Per row of the table. Categorical: levels climbed. Numeric: width of the published range over
  // the full range of the tree, 0 … 1.
  double distortion = 0;
  double ncp = 0;                  // mean over the rows of the table, 0 … 1
  std::uint64_t values = 0;        // distinct raw values in the table
  std::uint64_t labels = 0;        // distinct labels in the release
  std::uint64_t exact_rows = 0;    // published with the raw value
  std::uint64_t removed_rows = 0;  // published as the root of a tree of several nodes, or left out
};

struct Loss {
  std::uint64_t table_rows = 0;
  std::uint64_t release_rows = 0;
  std::uint64_t left_out = 0;    // table_rows − release_rows
  std::uint64_t starred = 0;     // published rows that say nothing, where other rows do
  std::uint64_t suppressed = 0;  // left_out + starred

  // Of the release, starred rows included.
  std::uint64_t cells = 0;
  std::uint64_t smallest = 0;  // 0 without rows
  std::uint64_t largest = 0;
  double average = 0;
  std::optional<double> average_over_k;  // C_avg; only where k is given and there are cells

  // Σ over rows of the number of rows it cannot be told from: its cell, or the whole table if it is
  // suppressed. Normalised by table_rows².
  std::uint64_t discernibility = 0;
  double discernibility_normalised = 0;

  // Sums of the attributes' distortions: per row of the table, categorical and numeric apart.
  double distortion_categorical = 0;
  double distortion_continuous = 0;

  double gcp_sum = 0;  // Σ over rows and attributes of NCP with weights 1 (paper 004)
  double gcp = 0;      // gcp_sum / (table_rows · attributes), 0 … 1

  // Expected number of rows that a linker assigns correctly who knows all raw quasi-identifiers and
  // guesses within the nearest cell (RL of paper 004). Exact where no two cells overlap: then the
  // nearest cell is the row's own, and every cell yields one. Empty where cells overlap (which cell
  // is nearest is then not settled by the release) or the check was given up; the bound holds
  // always.
  std::optional<double> record_linkage;
  double record_linkage_bound = 0;

  std::vector<AttributeLoss> attributes;
};

struct LossOptions {
  std::optional<std::uint64_t> k;  // promised size of cells, for average_over_k
};

// `release` has, at position i of every key, a NodeId of the tree of quasi[i]. Errors: kUsage where
// the arguments do not fit each other; kInput where the release cannot have been made from the
// table (more rows than the table, or more rows below some node than the table has there). O(cells
// · attributes + nodes) plus the overlap check.
Result<Loss> MeasureLoss(std::span<const QuasiIdentifier> quasi, std::uint64_t table_rows,
                         const Cells& release, const LossOptions& options = {});

// Normalized certainty penalty of publishing `node`, 0 … 1. Leaf: 0. Categorical: share of the
// tree's leaves below it. Numeric: width of the node's range, as far as it lies within [data_min,
// data_max], over data_max − data_min (all data equal: over the range of the root).
double CertaintyPenalty(const taxonomy::Taxonomy& tree, NodeId node, double data_min,
                        double data_max);

// Distortion of publishing a node of a numeric tree: its width over the width of the root. Leaf: 0.
double RangeDistortion(const taxonomy::Taxonomy& tree, NodeId node);

}  // namespace reissue::metrics
