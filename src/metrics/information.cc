#include "reissue/metrics/information.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

#include "reissue/metrics/matching.h"

namespace reissue::metrics {
namespace {

constexpr double kNothing = 1e-12;  // what rounding leaves of a sum that is 0

double EntropyOf(std::span<const std::uint64_t> counts, double all) {
  double bits = 0;
  for (const std::uint64_t count : counts) {
    if (count == 0) continue;
    const double share = static_cast<double>(count) / all;
    bits -= share * std::log2(share);
  }
  return bits;
}

// How far what is behind a label is from the whole column, in bits (Kullback and Leibler).
double BitsTold(std::span<const double> behind, const Coverage& label,
                std::span<const std::uint64_t> raw, double all) {
  const double sum = std::accumulate(behind.begin(), behind.end(), 0.0);
  if (!(sum > 0)) return 0;
  double bits = 0;
  std::size_t i = 0;
  for (const CodeRange& part : label) {
    for (std::uint32_t code = part.first; code <= part.last; ++code, ++i) {
      if (!(behind[i] > 0)) continue;
      const double share = behind[i] / sum;
      bits += share * std::log2(share * all / static_cast<double>(raw[code]));
    }
  }
  return bits;
}

using Weights = std::vector<std::pair<std::size_t, double>>;  // of categories

// The values of a column in at most so many kinds.
struct Categories {
  std::vector<std::size_t> of_code;
  std::size_t count = 0;

  // Every code that some raw row has begins a category, unless there are too many of them: then
  // one that finds the last category full.
  Categories(std::span<const std::uint64_t> rows_of_code, std::size_t most) {
    std::uint64_t rows = 0;
    for (const std::uint64_t of_this : rows_of_code) rows += of_this;
    const auto there = static_cast<std::size_t>(
        std::ranges::count_if(rows_of_code, [](std::uint64_t of_this) { return of_this > 0; }));
    std::uint64_t before = 0;
    for (const std::uint64_t of_this : rows_of_code) {
      const bool full = there <= most || before * most >= rows * count;
      if (of_this > 0 && full) ++count;
      before += of_this;
      of_code.push_back(std::max<std::size_t>(count, 1) - 1);
    }
  }

  Weights Of(const Coverage& label) const {
    Weights weights;
    const double each = 1 / static_cast<double>(CodesIn(label));
    for (const CodeRange& part : label) {
      for (std::uint32_t code = part.first; code <= part.last; ++code) {
        if (weights.empty() || weights.back().first != of_code[code]) {
          weights.emplace_back(of_code[code], 0);
        }
        weights.back().second += each;
      }
    }
    return weights;
  }
};

std::vector<std::uint64_t> RowsPerCode(const CodedTable& table, std::size_t column,
                                       std::size_t codes) {
  std::vector<std::uint64_t> rows(codes, 0);
  for (std::size_t row = 0; row < table.values.size(); ++row) {
    rows[table.codes[row * table.columns + column]] += table.weight(row);
  }
  return rows;
}

class CorrelationMeasure {
 public:
  CorrelationMeasure(const CodedTable& table, const CodedRelease& release,
                     std::span<const std::uint32_t> domain)
      : table_(table), release_(release) {
    for (std::size_t c = 0; c < table.columns; ++c) {
      categories_.emplace_back(RowsPerCode(table, c, domain[c]), kMostCategories);
      weights_.emplace_back();
      for (const Coverage& label : release.labels[c]) {
        weights_.back().push_back(categories_[c].Of(label));
      }
    }
    std::uint32_t values = 0;
    for (const std::uint32_t value : table.values) values = std::max(values, value + 1);
    for (const CodedRelease::Count& count : release.counts) {
      values = std::max(values, count.value + 1);
    }
    std::vector<std::uint64_t> rows(values, 0);
    for (std::size_t row = 0; row < table.values.size(); ++row) {
      rows[table.values[row]] += table.weight(row);
    }
    categories_.emplace_back(rows, rows.size());
  }

  Correlations Run() {
    Correlations result;
    for (std::size_t b = 1; b < categories_.size(); ++b) {
      for (std::size_t a = 0; a < b; ++a) {
        if (std::min(categories_[a].count, categories_[b].count) < 2) continue;
        const Correlations::Pair pair{a, b, V(a, b, OfTable(a, b)), V(a, b, OfRelease(a, b))};
        result.mean_difference += pair.difference();
        result.pairs.push_back(pair);
      }
    }
    if (result.pairs.empty()) return result;
    result.mean_difference /= static_cast<double>(result.pairs.size());
    const auto worst = std::ranges::max_element(result.pairs, {}, &Correlations::Pair::difference);
    result.worst = static_cast<std::size_t>(worst - result.pairs.begin());
    return result;
  }

 private:
  bool sensitive(std::size_t column) const { return column == table_.columns; }

  double V(std::size_t a, std::size_t b, const std::vector<double>& rows) const {
    return CramersV(rows, categories_[a].count, categories_[b].count);
  }

  std::vector<double> OfTable(std::size_t a, std::size_t b) const {
    const std::size_t width = categories_[b].count;
    std::vector<double> shares(categories_[a].count * width, 0);
    for (std::size_t row = 0; row < table_.values.size(); ++row) {
      const std::uint32_t* codes = &table_.codes[row * table_.columns];
      const std::uint32_t second = sensitive(b) ? table_.values[row] : codes[b];
      shares[categories_[a].of_code[codes[a]] * width + categories_[b].of_code[second]] +=
          static_cast<double>(table_.weight(row));
    }
    return shares;
  }

  std::vector<double> OfRelease(std::size_t a, std::size_t b) const {
    if (sensitive(b)) return WithValues(a);
    const std::size_t width = categories_[b].count;
    std::vector<double> shares(categories_[a].count * width, 0);
    for (std::size_t entry = 0; entry < release_.group.size(); ++entry) {
      const std::uint32_t* labels = &release_.shown[entry * table_.columns];
      for (const auto& [first, part] : weights_[a][labels[a]]) {
        const double rows = part * static_cast<double>(release_.rows[entry]);
        for (const auto& [second, other] : weights_[b][labels[b]]) {
          shares[first * width + second] += rows * other;
        }
      }
    }
    return shares;
  }

  // Within a group nothing is known of who has which value.
  std::vector<double> WithValues(std::size_t a) const {
    const std::size_t height = categories_[a].count, width = categories_.back().count;
    std::uint32_t groups = 0;
    for (const std::uint32_t group : release_.group) groups = std::max(groups, group + 1);
    std::vector<double> there(groups * height, 0), size(groups, 0);
    for (std::size_t entry = 0; entry < release_.group.size(); ++entry) {
      const auto rows = static_cast<double>(release_.rows[entry]);
      size[release_.group[entry]] += rows;
      for (const auto& [first, part] : weights_[a][release_.shown[entry * table_.columns + a]]) {
        there[release_.group[entry] * height + first] += rows * part;
      }
    }
    std::vector<double> shares(height * width, 0);
    for (const CodedRelease::Count& count : release_.counts) {
      if (count.group >= groups || size[count.group] == 0) continue;
      const double part = static_cast<double>(count.rows) / size[count.group];
      for (std::size_t first = 0; first < height; ++first) {
        shares[first * width + categories_.back().of_code[count.value]] +=
            there[count.group * height + first] * part;
      }
    }
    return shares;
  }

  const CodedTable& table_;
  const CodedRelease& release_;
  std::vector<Categories> categories_;         // the sensitive values last
  std::vector<std::vector<Weights>> weights_;  // per column and label
};

}  // namespace

ColumnInformation MeasureInformation(const CodedTable& table, const CodedRelease& release,
                                     std::size_t column, std::uint32_t codes) {
  const std::vector<std::uint64_t> raw = RowsPerCode(table, column, codes);
  const std::vector<Coverage>& labels = release.labels[column];
  std::vector<std::uint64_t> published(labels.size(), 0);
  std::uint64_t shown = 0;
  for (std::size_t entry = 0; entry < release.group.size(); ++entry) {
    published[release.shown[entry * release.columns() + column]] += release.rows[entry];
    shown += release.rows[entry];
  }
  const auto all = static_cast<double>(table.total());
  ColumnInformation information;
  information.entropy = EntropyOf(raw, all);
  if (!(information.entropy > 0)) return information;
  const auto matched = MatchLabels(raw, labels, published);
  double told = 0;
  for (std::size_t label = 0; label < labels.size(); ++label) {
    if (published[label] == 0 || CodesIn(labels[label]) == codes) continue;
    told +=
        static_cast<double>(published[label]) * BitsTold(matched[label], labels[label], raw, all);
  }
  // Counterfeits make more rows than there are people.
  told /= std::max(all, static_cast<double>(shown));
  information.kept = std::clamp(told / information.entropy, 0.0, 1.0);
  return information;
}

Correlations MeasureCorrelations(const CodedTable& table, const CodedRelease& release,
                                 std::span<const std::uint32_t> domain) {
  return CorrelationMeasure(table, release, domain).Run();
}

double CramersV(std::span<const double> shares, std::size_t rows, std::size_t columns) {
  const std::size_t least = std::min(rows, columns);
  const double all = std::accumulate(shares.begin(), shares.end(), 0.0);
  if (least < 2 || !(all > 0)) return 0;
  std::vector<double> of_row(rows, 0), of_column(columns, 0);
  for (std::size_t i = 0; i < shares.size(); ++i) {
    of_row[i / columns] += shares[i] / all;
    of_column[i % columns] += shares[i] / all;
  }
  double sum = -1;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (!(shares[i] > 0)) continue;
    const double share = shares[i] / all;
    sum += share / of_row[i / columns] * share / of_column[i % columns];
  }
  if (sum < kNothing) return 0;
  return std::sqrt(std::min(sum / static_cast<double>(least - 1), 1.0));
}

}  // namespace reissue::metrics
