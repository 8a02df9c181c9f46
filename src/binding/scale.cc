#include "reissue/binding/scale.h"

#include <algorithm>

#include "reissue/binding/hierarchy.h"
#include "reissue/taxonomy/numbers.h"

namespace reissue::binding {

using metrics::Coverage;

std::optional<std::pair<double, double>> EndsOfRange(std::string_view label) {
  const std::size_t comma = label.find(',');
  if (!label.starts_with('[') || !label.ends_with(']') || comma == std::string_view::npos) {
    return std::nullopt;
  }
  const auto low = taxonomy::ParseNumber(label.substr(1, comma - 1));
  const auto high = taxonomy::ParseNumber(label.substr(comma + 1, label.size() - comma - 2));
  if (!low || !high) return std::nullopt;
  return std::pair(*low, *high);
}

ColumnScale::ColumnScale(const Quasi& quasi, const Column& table, const Column& release)
    : policy_(quasi.policy), tree_(quasi.tree) {
  if (tree_) {
    codes_ = static_cast<std::uint32_t>(tree_->leaves());
    return;
  }
  for (const Column* column : {&table, &release}) {
    for (const std::string_view text : column->dictionary().strings()) AddText(text);
  }
  for (auto& [number, code] : numbers_) code = codes_++;
  for (auto& [text, code] : texts_) code = codes_++;
}

std::optional<Coverage> ColumnScale::CoverageOf(std::string_view label) const {
  if (tree_) {
    const auto node = FindLabel(*tree_, label);
    if (!node) return std::nullopt;
    return Coverage{{tree_->first_leaf(*node), tree_->last_leaf(*node) - 1}};
  }
  if (policy_->numeric) {
    if (const auto ends = EndsOfRange(label)) return Between(ends->first, ends->second);
    if (const auto number = taxonomy::ParseNumber(label)) return Between(*number, *number);
  }
  if (label == "*") return Coverage{{0, codes_ - 1}};
  const auto at = texts_.find(label);
  if (at == texts_.end()) return std::nullopt;
  return Coverage{{at->second, at->second}};
}

Result<std::vector<Coverage>> ColumnScale::CoveragesOf(const Table& table, ColumnId id) const {
  const Column& column = table[id];
  std::vector<Coverage> labels;
  for (const std::string_view text : column.dictionary().strings()) {
    auto label = CoverageOf(text);
    if (label) {
      labels.push_back(*std::move(label));
      continue;
    }
    const auto value = column.dictionary().Find(text);
    return InputError(table.PlaceOf(table.FirstWith(id, *value), id),
                      "this label stands for no value of the table",
                      "Was the release made with this policy and from this table?");
  }
  return labels;
}

void ColumnScale::AddText(std::string_view text) {
  if (!policy_->numeric) {
    texts_.emplace(text, 0);
  } else if (const auto ends = EndsOfRange(text)) {
    numbers_.emplace(ends->first, 0);
    numbers_.emplace(ends->second, 0);
  } else if (const auto number = taxonomy::ParseNumber(text)) {
    numbers_.emplace(*number, 0);
  }
}

std::optional<Coverage> ColumnScale::Between(double low, double high) const {
  const auto from = numbers_.find(low), to = numbers_.find(high);
  if (from == numbers_.end() || to == numbers_.end()) return std::nullopt;
  return Coverage{{from->second, to->second}};
}

}  // namespace reissue::binding
