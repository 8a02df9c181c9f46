#include "reissue/metrics/matching.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace reissue::metrics {
namespace {

constexpr std::size_t kRounds = 100;
constexpr std::size_t kFittingWork = 200'000'000;

// Calls visit(code) for each code of a label, in order.
template <typename Visit>
void ForEachCode(const Coverage& label, const Visit& visit) {
  for (const CodeRange& part : label) {
    for (std::uint32_t code = part.first; code <= part.last; ++code) visit(code);
  }
}

// Of any two labels, one contains the other or they have nothing in common. Labels of several parts
// are not looked into.
bool Nested(std::span<const Coverage> labels, std::span<const std::size_t> used) {
  std::vector<CodeRange> ranges;
  for (const std::size_t label : used) {
    if (labels[label].size() > 1) return false;
    ranges.push_back(labels[label].front());
  }
  std::ranges::sort(ranges, [](const CodeRange& a, const CodeRange& b) {
    return a.first != b.first ? a.first < b.first : a.last > b.last;
  });
  std::vector<CodeRange> around;
  for (const CodeRange& range : ranges) {
    while (!around.empty() && around.back().last < range.first) around.pop_back();
    if (!around.empty() && around.back().last < range.last) return false;
    around.push_back(range);
  }
  return true;
}

using Matched = std::vector<std::vector<double>>;

// From the narrowest label to the widest, each takes the same share of every code that is left.
// What a code gives a label is then a factor of the code times a factor of the label, which is what
// the matching of greatest entropy is known by.
void TakeInTurn(std::vector<double> left, std::span<const Coverage> labels,
                std::vector<std::size_t> used, std::span<const std::uint64_t> published,
                Matched& matched) {
  std::ranges::stable_sort(used, {}, [&](std::size_t label) { return CodesIn(labels[label]); });
  for (const std::size_t label : used) {
    double there = 0;
    ForEachCode(labels[label], [&](std::uint32_t code) { there += left[code]; });
    const double share =
        there > 0 ? std::min(1.0, static_cast<double>(published[label]) / there) : 0;
    ForEachCode(labels[label], [&](std::uint32_t code) {
      matched[label].push_back(left[code] * share);
      left[code] *= 1 - share;
    });
  }
}

// Rows of codes and of labels are made right in turn. Rows that were left out take part: they may
// have had any code.
void Fit(const std::vector<double>& raw, std::span<const Coverage> labels,
         const std::vector<std::size_t>& used, std::span<const std::uint64_t> published,
         Matched& matched) {
  std::size_t entries = raw.size();
  double shown = 0;
  for (const std::size_t label : used) {
    ForEachCode(labels[label], [&](std::uint32_t code) { matched[label].push_back(raw[code]); });
    entries += matched[label].size();
    shown += static_cast<double>(published[label]);
  }
  const double all = std::accumulate(raw.begin(), raw.end(), 0.0);
  const double left_out = std::max(0.0, all - shown);
  std::vector<double> unseen = raw, given(raw.size());
  const auto scale = [](std::vector<double>& rows, double wanted) {
    const double sum = std::accumulate(rows.begin(), rows.end(), 0.0);
    for (double& row : rows) row *= sum > 0 ? wanted / sum : 0;
  };
  const std::size_t rounds = std::clamp<std::size_t>(kFittingWork / entries, 5, kRounds);
  for (std::size_t round = 0; round <= rounds; ++round) {
    scale(unseen, left_out);
    for (const std::size_t label : used) {
      scale(matched[label], static_cast<double>(published[label]));
    }
    if (round == rounds) return;
    given = unseen;
    for (const std::size_t label : used) {
      std::size_t i = 0;
      ForEachCode(labels[label], [&](std::uint32_t code) { given[code] += matched[label][i++]; });
    }
    for (std::size_t code = 0; code < raw.size(); ++code) {
      given[code] = given[code] > 0 ? raw[code] / given[code] : 0;
      unseen[code] *= given[code];
    }
    for (const std::size_t label : used) {
      std::size_t i = 0;
      ForEachCode(labels[label], [&](std::uint32_t code) { matched[label][i++] *= given[code]; });
    }
  }
}

}  // namespace

std::vector<std::vector<double>> MatchLabels(std::span<const std::uint64_t> raw,
                                             std::span<const Coverage> labels,
                                             std::span<const std::uint64_t> published) {
  Matched matched(labels.size());
  std::vector<std::size_t> used;
  for (std::size_t label = 0; label < labels.size(); ++label) {
    if (published[label] > 0) used.push_back(label);
  }
  const std::vector<double> rows(raw.begin(), raw.end());
  if (Nested(labels, used)) {
    TakeInTurn(rows, labels, used, published, matched);
  } else {
    Fit(rows, labels, used, published, matched);
  }
  return matched;
}

}  // namespace reissue::metrics
