#include "reissue/metrics/tree_grower.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace reissue::metrics::internal {
namespace {

// Gains and ratios closer than this are equal: what is left is rounding.
constexpr double kTolerance = 1e-9;
// A categorical attribute with more distinct codes than this share of the rows looks like a key: it
// does not raise the average that other tests must reach (after C4.5).
constexpr double kKeyLikeShare = 0.3;

}  // namespace

TreeGrower::TreeGrower(const Schema& schema, const Examples& training, const TreeOptions& options)
    : schema_(schema),
      training_(training),
      options_(options),
      scorer_(schema.classes, options.min_cases),
      rows_(training.rows()),
      sorted_(schema.attributes.size()),
      branch_of_row_(training.rows()),
      buffer_(training.rows()),
      scores_(schema.attributes.size()),
      class_counts_(schema.classes) {}

std::vector<DecisionTree::Node> TreeGrower::Grow() && {
  std::iota(rows_.begin(), rows_.end(), 0U);
  SortNumericColumns();
  nodes_.emplace_back();
  open_.push_back({0, 0, rows_.size()});
  while (!open_.empty()) {
    const Segment segment = open_.back();
    open_.pop_back();
    Describe(segment);
    const DecisionTree::Node& node = nodes_[segment.node];
    if (node.errors == 0 || node.cases < 2 * std::uint64_t{options_.min_cases}) continue;
    const Choice choice = ChooseTest(segment);
    if (choice.split) Split(segment, choice);
  }
  return std::move(nodes_);
}

void TreeGrower::SortNumericColumns() {
  for (std::size_t a = 0; a < schema_.attributes.size(); ++a) {
    const std::vector<double>& numbers = schema_.attributes[a].numbers;
    if (numbers.empty()) continue;
    // Counting sort by the rank of the code.
    std::vector<std::uint32_t> by_number(numbers.size());
    std::iota(by_number.begin(), by_number.end(), 0U);
    std::stable_sort(by_number.begin(), by_number.end(),
                     [&](std::uint32_t x, std::uint32_t y) { return numbers[x] < numbers[y]; });
    std::vector<std::size_t> place(numbers.size());
    for (const std::uint32_t code : training_.columns[a]) ++place[code];
    std::size_t next = 0;
    for (const std::uint32_t code : by_number) {
      const std::size_t count = std::exchange(place[code], next);
      next += count;
    }
    sorted_[a].resize(rows_.size());
    for (std::uint32_t row = 0; row < rows_.size(); ++row) {
      sorted_[a][place[training_.columns[a][row]]++] = row;
    }
  }
}

void TreeGrower::Describe(const Segment& segment) {
  std::fill(class_counts_.begin(), class_counts_.end(), 0);
  for (std::size_t i = segment.begin; i < segment.end; ++i) {
    ++class_counts_[training_.classes[rows_[i]]];
  }
  const auto most = std::max_element(class_counts_.begin(), class_counts_.end());
  DecisionTree::Node& node = nodes_[segment.node];
  node.majority = static_cast<std::uint32_t>(most - class_counts_.begin());
  node.cases = segment.end - segment.begin;
  node.errors = node.cases - *most;
}

TreeGrower::Choice TreeGrower::ChooseTest(const Segment& segment) {
  const std::size_t size = segment.end - segment.begin;
  const double key_like = kKeyLikeShare * static_cast<double>(training_.rows());
  double ordinary_gain = 0;
  double any_gain = 0;
  std::size_t ordinary = 0;
  std::size_t any = 0;
  for (std::size_t a = 0; a < schema_.attributes.size(); ++a) {
    const Attribute& attribute = schema_.attributes[a];
    SplitScore& score = scores_[a];
    if (attribute.numeric()) {
      score = scorer_.Numeric({sorted_[a].data() + segment.begin, size}, training_.columns[a],
                              attribute.numbers, training_.classes);
    } else {
      score = scorer_.Categorical({rows_.data() + segment.begin, size}, training_.columns[a],
                                  attribute.codes, training_.classes);
    }
    if (!score.valid || score.gain <= kTolerance) continue;
    any_gain += score.gain;
    ++any;
    if (!attribute.numeric() && attribute.codes >= key_like) continue;
    ordinary_gain += score.gain;
    ++ordinary;
  }
  Choice choice;
  if (any == 0) return choice;
  const double average = ordinary > 0 ? ordinary_gain / static_cast<double>(ordinary)
                                      : any_gain / static_cast<double>(any);
  double best = 0;
  for (std::size_t a = 0; a < scores_.size(); ++a) {
    const SplitScore& score = scores_[a];
    if (!score.valid || score.gain <= kTolerance || score.gain < average - kTolerance) continue;
    if (choice.split && score.ratio() <= best + kTolerance) continue;
    best = score.ratio();
    choice = {true, a, score.threshold};
  }
  return choice;
}

void TreeGrower::Split(const Segment& segment, const Choice& choice) {
  const Attribute& attribute = schema_.attributes[choice.attribute];
  const std::vector<std::uint32_t>& column = training_.columns[choice.attribute];
  const std::span<const std::uint32_t> rows(rows_.data() + segment.begin,
                                            segment.end - segment.begin);
  std::vector<std::uint32_t> codes;
  if (!attribute.numeric()) {
    scorer_.Categorical(rows, column, attribute.codes, training_.classes);
    codes.assign(scorer_.codes_seen().begin(), scorer_.codes_seen().end());
  }
  const std::size_t branches = attribute.numeric() ? 2 : codes.size();
  std::vector<std::size_t> begins(branches + 1, 0);
  for (const std::uint32_t row : rows) {
    const std::uint32_t code = column[row];
    const std::size_t branch =
        attribute.numeric()
            ? (attribute.numbers[code] <= choice.threshold ? 0 : 1)
            : static_cast<std::size_t>(std::lower_bound(codes.begin(), codes.end(), code) -
                                       codes.begin());
    branch_of_row_[row] = static_cast<std::uint32_t>(branch);
    ++begins[branch + 1];
  }
  begins[0] = segment.begin;
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  Distribute(rows_, segment, begins);
  for (std::vector<std::uint32_t>& order : sorted_) {
    if (!order.empty()) Distribute(order, segment, begins);
  }

  const auto first_child = static_cast<std::uint32_t>(nodes_.size());
  DecisionTree::Node& node = nodes_[segment.node];
  node.attribute = static_cast<std::uint32_t>(choice.attribute);
  node.threshold = choice.threshold;
  node.first_child = first_child;
  node.children = static_cast<std::uint32_t>(branches);
  node.branch_codes = std::move(codes);
  nodes_.resize(nodes_.size() + branches);
  for (std::uint32_t branch = 0; branch < branches; ++branch) {
    open_.push_back({first_child + branch, begins[branch], begins[branch + 1]});
  }
}

void TreeGrower::Distribute(std::vector<std::uint32_t>& order, const Segment& segment,
                            std::span<const std::size_t> branch_begins) {
  std::vector<std::size_t> next(branch_begins.begin(), branch_begins.end());
  for (std::size_t i = segment.begin; i < segment.end; ++i) {
    buffer_[next[branch_of_row_[order[i]]]++] = order[i];
  }
  std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(segment.begin),
            buffer_.begin() + static_cast<std::ptrdiff_t>(segment.end),
            order.begin() + static_cast<std::ptrdiff_t>(segment.begin));
}

}  // namespace reissue::metrics::internal
