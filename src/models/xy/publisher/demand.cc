#include "reissue/models/xy/publisher/demand.h"

namespace reissue::models::xy::internal {
namespace {

std::vector<std::uint32_t> ColumnsOf(const std::vector<Attribute>& attributes, std::size_t table) {
  std::vector<std::uint32_t> columns;
  for (const Attribute& attribute : attributes) {
    if (attribute.table == table) columns.push_back(static_cast<std::uint32_t>(attribute.column));
  }
  std::ranges::sort(columns);
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

void AddLimit(std::vector<Demand::Limit>& limits, std::uint32_t code, double threshold) {
  const auto same = std::ranges::find(limits, code, &Demand::Limit::code);
  if (same == limits.end()) {
    limits.push_back({code, threshold});
  } else {
    same->threshold = std::min(same->threshold, threshold);
  }
}

// Some limit lies above the code or below it.
bool OnPathWithAnother(const Demand& demand, std::uint32_t code) {
  return std::ranges::any_of(demand.limits, [&](const Demand::Limit& limit) {
    return limit.code != code &&
           (AtOrBelow(demand.tree, limit.code, code) || AtOrBelow(demand.tree, code, limit.code));
  });
}

}  // namespace

std::vector<std::uint32_t> Demand::XOf(std::size_t table) const { return ColumnsOf(x, table); }
std::vector<std::uint32_t> Demand::YOf(std::size_t table) const { return ColumnsOf(y, table); }

std::uint32_t Demand::CountsAs(std::uint32_t code) const {
  if (!by_value()) return code;
  const auto covers = [&](const Limit& limit) { return AtOrBelow(tree, limit.code, code); };
  const auto found = std::ranges::find_if(limits, covers);
  return found == limits.end() ? kNoLimit : found->code;
}

double Demand::LimitOf(std::uint32_t code) const {
  const auto found = std::ranges::find(limits, code, &Limit::code);
  return found == limits.end() ? -1 : found->threshold;
}

std::vector<Demand> DemandsOf(const Requirement& requirement, std::size_t index,
                              const TreeOfColumn& tree) {
  Demand whole;
  whole.requirement = index;
  whole.anonymity = requirement.kind == Requirement::Kind::kAnonymity;
  whole.k = requirement.k;
  whole.confidence = requirement.confidence;
  whole.x = requirement.x;
  if (whole.anonymity) {
    whole.y_keys = requirement.y_keys;
    std::ranges::sort(whole.y_keys);
    whole.y_keys.erase(std::unique(whole.y_keys.begin(), whole.y_keys.end()), whole.y_keys.end());
  }
  if (whole.anonymity || requirement.values.empty()) {
    whole.y = requirement.y;
    return {whole};
  }
  std::vector<Demand> demands;
  for (const Requirement::Sensitive& value : requirement.values) {
    auto demand = std::ranges::find_if(demands, [&](const Demand& d) {
      return d.y.front() == value.column && !OnPathWithAnother(d, value.code);
    });
    if (demand == demands.end()) {
      demands.push_back(whole);
      demands.back().y = {value.column};
      demands.back().tree = tree(value.column);
      demand = demands.end() - 1;
    }
    AddLimit(demand->limits, value.code, value.threshold);
  }
  return demands;
}

}  // namespace reissue::models::xy::internal
