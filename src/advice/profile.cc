#include "reissue/advice/profile.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "reissue/taxonomy/draft.h"
#include "reissue/taxonomy/numbers.h"

namespace reissue::advice {
namespace {

void LookAtNumbers(Profile& profile) {
  profile.numeric = profile.whole = !profile.values.empty();
  for (const std::string& value : profile.values) {
    const auto number = taxonomy::ParseNumber(value);
    if (!number || value.starts_with('+')) {
      profile.numeric = profile.whole = false;
      return;
    }
    profile.whole = profile.whole && *number == std::floor(*number);
    const bool first = &value == &profile.values.front();
    profile.low = first ? *number : std::min(profile.low, *number);
    profile.high = first ? *number : std::max(profile.high, *number);
  }
}

}  // namespace

Profile ProfileOf(std::span<const Column* const> columns) {
  Profile profile;
  std::map<std::string_view, std::uint64_t> counts;
  for (const Column* column : columns) {
    profile.name = column->name();
    std::vector<std::uint64_t> rows(column->dictionary().size());
    for (const ValueId value : column->values()) ++rows[value.index()];
    for (std::size_t v = 0; v < rows.size(); ++v) {
      if (rows[v] == 0) continue;
      counts[column->dictionary()[ValueId(v)]] += rows[v];
      profile.once = profile.once && rows[v] == 1;
      profile.most = std::max(profile.most, rows[v]);
    }
    profile.rows += column->values().size();
  }
  double sum = 0;
  for (const auto& [text, rows] : counts) {
    if (text.empty()) {
      profile.empty += rows;
    } else if (taxonomy::IsMissingMark(text)) {
      profile.marked += rows;
      profile.marks.emplace_back(text);
    } else if (text == "*") {
      profile.starred += rows;
    } else {
      profile.values.emplace_back(text);
      profile.counts.push_back(rows);
      const double share = static_cast<double>(rows);
      sum += share * std::log2(share);
    }
  }
  const auto present = static_cast<double>(profile.present());
  profile.entropy = present > 0 ? std::log2(present) - sum / present : 0;
  LookAtNumbers(profile);
  return profile;
}

std::vector<double> Profile::Numbers() const {
  constexpr std::uint64_t kEnough = 100'000;
  const std::uint64_t each = present() / kEnough + 1;
  std::vector<double> numbers;
  for (std::size_t v = 0; v < values.size(); ++v) {
    numbers.insert(numbers.end(), (counts[v] + each - 1) / each,
                   taxonomy::ParseNumber(values[v]).value_or(0));
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

}  // namespace reissue::advice
