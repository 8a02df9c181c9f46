#include "reissue/models/invariance/service/crowd.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "reissue/taxonomy/numbers.h"

namespace reissue::models::invariance::service {
namespace {

constexpr double kNear = 1.0 / 16;  // in ranks
constexpr double kFew = 4;          // people tell nothing

// Empty where a text that occurs is no number.
Crowd::Numbers RankNumbers(const Column& column, const std::vector<std::uint32_t>& count) {
  Crowd::Numbers numbers;
  numbers.number.resize(count.size());
  numbers.rank.resize(count.size());
  for (Crowd::Code code = 0; code < count.size(); ++code) {
    if (count[code] == 0) continue;
    const auto number = taxonomy::ParseNumber(column.dictionary()[ValueId(code)]);
    if (!number) return {};
    numbers.number[code] = *number;
    numbers.sorted.push_back(code);
  }
  std::ranges::sort(numbers.sorted, {}, [&](Crowd::Code code) { return numbers.number[code]; });
  double before = 0;
  for (const Crowd::Code code : numbers.sorted) {
    numbers.rank[code] = (before + count[code] / 2.0) / static_cast<double>(column.values().size());
    before += count[code];
  }
  return numbers;
}

}  // namespace

std::span<const Crowd::Code> Crowd::LookColumn::Nearby(Code of, double far) const {
  const double here = numbers.rank[of];
  const auto rank_of = [&](Code one) { return numbers.rank[one]; };
  return {std::ranges::lower_bound(numbers.sorted, here - far, {}, rank_of),
          std::ranges::upper_bound(numbers.sorted, here + far, {}, rank_of)};
}

Crowd::Crowd(const binding::GroupedTable& table, const std::vector<bool>& numeric,
             const std::vector<std::uint32_t>& bucket, const std::vector<bool>& fresh,
             Random& random)
    : rows_(bucket.size()) {
  std::iota(rows_.begin(), rows_.end(), 0);
  random.Shuffle(rows_);
  if (rows_.size() > kMost) rows_.resize(kMost);
  for (std::size_t i = 0; i < rows_.size(); ++i) everybody_.set(i);
  std::vector<Code> code(bucket.size());
  for (std::size_t c = 0; c < table.shown.size(); ++c) {
    const Column& column = table.holder.table[table.shown[c]];
    std::ranges::transform(column.values(), code.begin(), &ValueId::raw);
    Add(&column, numeric[c], code);
  }
  Add(nullptr, false, bucket);
  // Newcomers are alike; the others came at different times.
  for (std::uint32_t row = 0; row < fresh.size(); ++row) code[row] = fresh[row] ? 0 : row + 1;
  Add(nullptr, false, code);
  exactly_.resize(columns_.size());
  nearly_.resize(columns_.size());
  ties_.assign(columns_.size(), std::vector<Tie>(columns_.size()));
  FindTies(false);
  FindTies(true);
}

void Crowd::Add(const Column* column, bool numeric, const std::vector<Code>& code) {
  LookColumn look;
  look.column = column;
  for (const Code value : code) {
    if (value >= look.count.size()) look.count.resize(value + 1);
    ++look.count[value];
  }
  for (const std::uint32_t row : rows_) look.code.push_back(code[row]);
  if (numeric) look.numbers = RankNumbers(*column, look.count);
  look.numeric = !look.numbers.sorted.empty();
  look.sparse = std::ranges::count(look.count, 1u) * 5 >= std::ssize(code);
  columns_.push_back(std::move(look));
}

const Crowd::Rows& Crowd::With(std::size_t c, Code code, bool exact) const {
  const LookColumn& column = columns_[c];
  exact = exact || !column.numeric;
  const auto [found, fresh] = (exact ? exactly_ : nearly_)[c].try_emplace(code);
  if (!fresh || code == kNobodys) return found->second;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const bool near = !exact && std::abs(column.numbers.rank[code] -
                                         column.numbers.rank[column.code[i]]) <= kNear;
    if (near || column.code[i] == code) found->second.set(i);
  }
  return found->second;
}

// Of people who are alike in one column, how many more are alike in another. What could be chance
// does not count.
void Crowd::FindTies(bool exact) {
  const std::size_t width = columns_.size();
  std::vector<double> chance(width);
  std::vector<std::vector<double>> both(width, std::vector<double>(width));
  std::vector<double> partnered(width);
  std::vector<Rows> with(width);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    for (std::size_t c = 0; c < width; ++c) {
      with[c] = With(c, columns_[c].code[i], exact);
      with[c].reset(i);
      chance[c] += static_cast<double>(with[c].count()) / static_cast<double>(rows_.size() - 1);
    }
    for (std::size_t from = 0; from < width; ++from) {
      const auto partners = static_cast<double>(with[from].count());
      if (partners == 0) continue;
      ++partnered[from];
      for (std::size_t to = 0; to < width; ++to) {
        both[from][to] += static_cast<double>((with[from] & with[to]).count()) / partners;
      }
    }
  }
  for (std::size_t from = 0; from < width; ++from) {
    if (partnered[from] < kFew) continue;
    for (std::size_t to = 0; to < width; ++to) {
      const double by_chance = chance[to] / static_cast<double>(rows_.size());
      if (from == to || by_chance >= 1) continue;
      const double found = both[from][to] / partnered[from];
      const double strength = (found - by_chance) / (1 - by_chance);
      const double share = std::max(by_chance, found);
      const double error =
          std::sqrt((share * (1 - share) + 1 / partnered[from]) / partnered[from]) /
          (1 - by_chance);
      Tie& tie = ties_[from][to];
      const double least = exact ? tie.strength + 0.1 + 2.5 * error : error;
      if (strength > least) tie = {strength, exact};
    }
  }
}

}  // namespace reissue::models::invariance::service
