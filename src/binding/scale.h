#pragma once
// The codes of a quasi-identifier: what a raw value and a published label stand for on one scale.
// The one place that knows how labels are written.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reissue/binding/load.h"
#include "reissue/core/result.h"
#include "reissue/core/table.h"
#include "reissue/metrics/coded.h"

namespace reissue::binding {

// The two ends of a label `[a,b]`; nothing for other labels.
std::optional<std::pair<double, double>> EndsOfRange(std::string_view label);

// Codes are the leaves of the column's tree in their order. A column without one: the numbers, or
// texts, of table and release in their order. Refers to the column's policy.
class ColumnScale {
 public:
  ColumnScale(const Quasi& quasi, const Column& table, const Column& release);

  std::uint32_t codes() const { return codes_; }
  // Nothing: the label stands for nothing here.
  std::optional<metrics::Coverage> CoverageOf(std::string_view label) const;
  // Of every text of a column. An error where one stands for nothing: place, not text.
  Result<std::vector<metrics::Coverage>> CoveragesOf(const Table& table, ColumnId id) const;

 private:
  void AddText(std::string_view text);
  std::optional<metrics::Coverage> Between(double low, double high) const;

  const io::PolicyColumn* policy_;
  std::shared_ptr<const taxonomy::Taxonomy> tree_;
  std::map<double, std::uint32_t> numbers_;
  std::map<std::string, std::uint32_t, std::less<>> texts_;
  std::uint32_t codes_ = 0;
};

}  // namespace reissue::binding
