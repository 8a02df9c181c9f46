#include "reissue/models/similarity/publisher/cuts.h"

#include <algorithm>

namespace reissue::models::similarity::internal {
namespace {

constexpr std::size_t kCutsTried = 6;
constexpr double kLess = 1e-12;

}  // namespace

Cutter::Cutter(const Draft& draft) : draft_(draft), columns_(draft.table().points.columns.size()) {}

void Cutter::SortAlong(std::size_t line) {
  const Table& table = draft_.table();
  sorted_.clear();
  if (line < columns_) {
    for (const std::uint32_t row : rows_) sorted_.push_back({table.points.of(row)[line], row});
  } else {
    // Along the value about which the beliefs differ most.
    std::size_t differ = 0;
    double most = -1;
    for (std::size_t s = 0; s < table.values; ++s) {
      double sum = 0, squares = 0;
      for (const std::uint32_t row : rows_) {
        const double p = table.beliefs[table.belief[row]][s];
        sum += p;
        squares += p * p;
      }
      const double spread = squares - sum * sum / static_cast<double>(rows_.size());
      if (spread > most) {
        most = spread;
        differ = s;
      }
    }
    for (const std::uint32_t row : rows_) {
      sorted_.push_back({table.beliefs[table.belief[row]][differ], row});
    }
  }
  std::ranges::sort(sorted_);
}

void Cutter::FindCuts(std::uint32_t line, double limit) {
  const Points& points = draft_.table().points;
  const std::size_t rows = sorted_.size(), k = draft_.guarantee().k;
  const auto penalty = [&](std::size_t i, bool first) {
    const std::span<const double> place = points.of(sorted_[i].second);
    double sum = 0;
    for (std::size_t c = 0; c < columns_; ++c) {
      low_[c] = first ? place[c] : std::min(low_[c], place[c]);
      high_[c] = first ? place[c] : std::max(high_[c], place[c]);
      sum += points.columns[c].Penalty(low_[c], high_[c]);
    }
    return sum / static_cast<double>(columns_);
  };
  before_.resize(rows + 1);
  low_.resize(columns_);
  high_.resize(columns_);
  before_[0] = 0;
  std::size_t most = 0;  // rows before the cut
  while (most + k < rows && before_[most] < limit) {
    before_[most + 1] = static_cast<double>(most + 1) * penalty(most, most == 0);
    ++most;
  }
  for (std::size_t i = rows; i-- > k;) {
    const double cost = static_cast<double>(rows - i) * penalty(i, i + 1 == rows);
    if (cost >= limit) break;
    if (i > most || before_[i] + cost >= limit) continue;
    cuts_.push_back({before_[i] + cost, line, static_cast<std::uint32_t>(i)});
  }
}

Bunch Cutter::Gather(std::size_t from, std::size_t to) const {
  Bunch bunch = draft_.Empty();
  for (std::size_t i = from; i < to; ++i) draft_.Add(bunch, sorted_[i].second);
  return bunch;
}

std::optional<std::pair<Bunch, Bunch>> Cutter::Best(std::span<const std::uint32_t> rows,
                                                    double limit, bool beliefs) {
  const std::size_t k = std::max<std::size_t>(1, draft_.guarantee().k);
  if (rows.size() < 2 * k || columns_ == 0) return std::nullopt;
  rows_.assign(rows.begin(), rows.end());
  cuts_.clear();
  const std::size_t lines = columns_ + (beliefs && draft_.beliefs_differ() ? 1 : 0);
  for (std::uint32_t line = 0; line < lines; ++line) {
    SortAlong(line);
    if (sorted_.front().first == sorted_.back().first && line > 0) continue;
    FindCuts(line, limit - kLess);
  }
  const std::size_t tried = std::min(kCutsTried, cuts_.size());
  std::ranges::partial_sort(cuts_, cuts_.begin() + static_cast<std::ptrdiff_t>(tried));
  std::size_t line = lines;
  for (std::size_t i = 0; i < tried; ++i) {
    if (cuts_[i].line != line) SortAlong(line = cuts_[i].line);
    Bunch left = Gather(0, cuts_[i].at);
    if (!draft_.Keeps(left)) continue;
    Bunch right = Gather(cuts_[i].at, sorted_.size());
    if (draft_.Keeps(right)) return std::pair{std::move(left), std::move(right)};
  }
  return std::nullopt;
}

}  // namespace reissue::models::similarity::internal
