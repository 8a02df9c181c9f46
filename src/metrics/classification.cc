#include "reissue/metrics/classification.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

namespace reissue::metrics {

Result<ClassificationReport> ClassificationError(const Schema& schema, const Examples& train,
                                                 const Examples& test, const TreeOptions& options) {
  if (Status status = CheckExamples(schema, test); !status) return std::move(status).error();
  if (test.rows() == 0) {
    return InputError("a classification error needs test rows, and there are none",
                      "give a table with more rows, or a larger share of test rows");
  }
  const DecisionTree tree = REISSUE_TRY(DecisionTree::Learn(schema, train, options));
  ClassificationReport report;
  report.train_rows = train.rows();
  report.test_rows = test.rows();
  report.train_errors = tree.CountErrors(train);
  report.test_errors = tree.CountErrors(test);
  const std::uint32_t majority = tree.nodes().front().majority;
  report.majority_errors = static_cast<std::uint64_t>(
      std::count_if(test.classes.begin(), test.classes.end(),
                    [majority](std::uint32_t code) { return code != majority; }));
  const auto share = [](std::uint64_t part, std::uint64_t all) {
    return static_cast<double>(part) / static_cast<double>(all);
  };
  report.train_error = share(report.train_errors, report.train_rows);
  report.test_error = share(report.test_errors, report.test_rows);
  report.majority_error = share(report.majority_errors, report.test_rows);
  report.nodes = tree.nodes().size();
  report.leaves = tree.leaves();
  report.depth = tree.depth();
  return report;
}

Result<TrainTestRows> SplitTrainTest(std::size_t rows, Random& random, double test_share) {
  if (!(test_share > 0 && test_share < 1)) {
    return UsageError("the share of test rows must lie between 0 and 1",
                      "one third is the usual choice");
  }
  auto chosen = static_cast<std::size_t>(std::llround(static_cast<double>(rows) * test_share));
  if (rows >= 2) chosen = std::clamp<std::size_t>(chosen, 1, rows - 1);
  std::vector<RowId> order;
  order.reserve(rows);
  for (std::size_t row = 0; row < rows; ++row) order.push_back(RowId(row));
  random.Shuffle(order);
  const auto border = order.begin() + static_cast<std::ptrdiff_t>(chosen);
  TrainTestRows parts;
  parts.test.assign(order.begin(), border);
  parts.train.assign(border, order.end());
  std::sort(parts.test.begin(), parts.test.end());
  std::sort(parts.train.begin(), parts.train.end());
  return parts;
}

std::vector<std::uint32_t> DrawRows(std::span<const std::uint64_t> counts, std::uint64_t wanted,
                                    Random& random) {
  std::vector<std::uint32_t> drawn;
  std::uint64_t left = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  for (std::uint32_t i = 0; i < counts.size(); ++i) {
    for (std::uint64_t row = 0; row < counts[i]; ++row, --left) {
      if (left > wanted - drawn.size() && random.Below(left) >= wanted - drawn.size()) continue;
      drawn.push_back(i);
    }
  }
  return drawn;
}

Result<std::uint64_t> CrossValidatedErrors(const Schema& schema, const Examples& examples,
                                           std::size_t parts, Random& random,
                                           const TreeOptions& options) {
  std::vector<RowId> order;
  for (std::size_t row = 0; row < examples.rows(); ++row) order.push_back(RowId(row));
  random.Shuffle(order);
  std::uint64_t errors = 0;
  for (std::size_t part = 0; part < parts; ++part) {
    std::vector<RowId> train, test;
    for (std::size_t i = 0; i < order.size(); ++i) {
      (i % parts == part ? test : train).push_back(order[i]);
    }
    if (train.empty() || test.empty()) continue;
    const DecisionTree tree =
        REISSUE_TRY(DecisionTree::Learn(schema, SelectRows(examples, train), options));
    errors += tree.CountErrors(SelectRows(examples, test));
  }
  return errors;
}

Examples SelectRows(const Examples& examples, std::span<const RowId> rows) {
  const auto select = [rows](const std::vector<std::uint32_t>& column) {
    std::vector<std::uint32_t> selected;
    selected.reserve(rows.size());
    for (const RowId row : rows) selected.push_back(column[row.index()]);
    return selected;
  };
  Examples selection;
  selection.classes = select(examples.classes);
  for (const auto& column : examples.columns) selection.columns.push_back(select(column));
  return selection;
}

}  // namespace reissue::metrics
