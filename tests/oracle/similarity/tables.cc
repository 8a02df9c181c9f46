#include "tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace oracle::similarity {
namespace {

// Cuts the leaves from `first` to `last` into two to four parts again and again.
void Grow(Axis& axis, int first, int last, reissue::Random& random) {
  axis.nodes.push_back({first, last});
  const int leaves = last - first + 1;
  if (leaves <= 2 || random.Below(6) == 0) return;
  const int parts = 2 + int(random.Below(std::uint64_t(std::min(3, leaves - 1))));
  int from = first;
  for (int part = 0; part < parts; ++part) {
    const int left = parts - part - 1;
    const int most = last - left - from + 1;
    const int take = left == 0 ? most : 1 + int(random.Below(std::uint64_t(most)));
    if (take > 1) Grow(axis, from, from + take - 1, random);
    from += take;
  }
}

std::vector<std::uint32_t> JoinsOf(const Axis& axis) {
  std::vector<std::uint32_t> joins;
  for (int leaf = 0; leaf + 1 < axis.leaves; ++leaf) {
    joins.push_back(std::uint32_t(std::lround(axis.Penalty(leaf, leaf + 1) * axis.leaves)));
  }
  return joins;
}

Axis DrawAxis(bool tree, reissue::Random& random) {
  Axis axis;
  axis.tree = tree;
  if (!tree) return axis;
  axis.leaves = 1 + int(random.Below(12));
  Grow(axis, 0, axis.leaves - 1, random);
  return axis;
}

void SetReach(Rows& rows, std::size_t a) {
  Axis& axis = rows.axes[a];
  double mean = 0, squares = 0;
  axis.least = axis.largest = rows.place[0][a];
  for (const auto& place : rows.place) {
    axis.least = std::min(axis.least, place[a]);
    axis.largest = std::max(axis.largest, place[a]);
    mean += place[a] / double(rows.size());
  }
  for (const auto& place : rows.place) squares += (place[a] - mean) * (place[a] - mean);
  axis.deviation = std::sqrt(squares / double(rows.size()));
}

}  // namespace

Drawn DrawTable(const TableShape& shape, reissue::Random& random) {
  Drawn drawn;
  Rows& rows = drawn.rows;
  rows.values = shape.values;
  for (int a = 0; a < shape.columns; ++a) {
    rows.axes.push_back(DrawAxis(!shape.numbers_only && random.Below(2) == 0, random));
  }
  std::vector<Belief> beliefs;
  for (int b = 0; b < shape.beliefs; ++b) {
    beliefs.emplace_back();
    double total = 0;
    for (int s = 0; s < shape.values; ++s) {
      beliefs.back().push_back(1 - shape.spread + shape.spread * std::pow(random.Unit(), 2));
      total += beliefs.back().back();
    }
    for (double& p : beliefs.back()) p /= total;
  }
  for (std::size_t row = 0; row < shape.rows; ++row) {
    const std::size_t kind = random.Below(beliefs.size());
    rows.belief.push_back(beliefs[kind]);
    drawn.table.belief.push_back(std::uint32_t(kind));
    // Values as the belief says, or any.
    double u = random.Unit();
    int value = 0;
    while (value + 1 < shape.values && (u -= beliefs[kind][std::size_t(value)]) > 0) ++value;
    if (random.Below(4) == 0) value = int(random.Below(std::uint64_t(shape.values)));
    rows.value.push_back(value);
    if (row > 0 && random.Unit() < shape.twins) {
      rows.place.push_back(rows.place[random.Below(row)]);
      continue;
    }
    rows.place.emplace_back();
    for (const Axis& axis : rows.axes) {
      const double number = shape.whole ? double(random.Below(10)) : 100 * random.Unit() - 20;
      rows.place.back().push_back(axis.tree ? double(random.Below(std::uint64_t(axis.leaves)))
                                            : number);
    }
  }
  for (std::size_t a = 0; a < rows.axes.size(); ++a) {
    SetReach(rows, a);
    const Axis& axis = rows.axes[a];
    drawn.table.points.columns.push_back(axis.tree
                                             ? model::Column::Tree(JoinsOf(axis))
                                             : model::Column::Number(axis.least, axis.largest));
  }
  for (const auto& place : rows.place) {
    for (const double number : place) drawn.table.points.place.push_back(number);
  }
  for (const int value : rows.value) drawn.table.value.push_back(std::uint32_t(value));
  drawn.table.beliefs = beliefs;
  drawn.table.values = std::uint32_t(shape.values);
  model::Standardise(drawn.table.points);
  return drawn;
}

Promise DrawPromise(reissue::Random& random) {
  Promise promise;
  Asked& asked = promise.asked;
  asked.k = 1 + int(random.Below(5));
  asked.j = random.Below(3) == 0 ? 1 : 0.02 + 0.3 * random.Unit();
  if (random.Below(3) > 0) asked.beta = 0.5 + 4 * random.Unit();
  if (asked.beta == 0 || random.Below(3) == 0) asked.t = 0.1 + 0.6 * random.Unit();
  asked.ordered = random.Below(2) == 0;
  promise.guarantee.k = std::uint64_t(asked.k);
  promise.guarantee.j = asked.j;
  promise.guarantee.beta = asked.beta;
  promise.guarantee.t = asked.t;
  promise.guarantee.ordered = asked.ordered;
  return promise;
}

Groups GroupsOf(const model::Outcome& outcome) {
  Groups groups;
  for (const std::uint32_t group : outcome.group) {
    groups.of.push_back(group == model::kSuppressed ? -1 : int(group));
  }
  for (const model::Value value : outcome.shown) groups.shown.push_back(int(value));
  return groups;
}

model::Outcome OutcomeOf(const Groups& groups) {
  model::Outcome outcome;
  outcome.group.assign(groups.of.size(), model::kSuppressed);
  for (const auto& members : groups.Members()) {
    for (const std::size_t row : members) outcome.group[row] = outcome.groups;
    ++outcome.groups;
  }
  for (const int value : groups.shown) outcome.shown.push_back(std::uint32_t(value));
  return outcome;
}

Asked KeptBy(const model::Outcome& outcome, const Asked& asked) {
  if (!outcome.relaxed) return asked;
  Asked relaxed = asked;
  relaxed.k = int(outcome.relaxed->k);
  relaxed.j = outcome.relaxed->j;
  relaxed.beta = outcome.relaxed->beta;
  relaxed.t = outcome.relaxed->t;
  return relaxed;
}

std::string Describe(const Drawn& drawn, const Promise& promise, const Groups& groups) {
  const Asked& asked = promise.asked;
  std::string text = fmt::format("k {} j {} beta {} t {} ordered {}\n", asked.k, asked.j,
                                 asked.beta, asked.t, asked.ordered);
  for (std::size_t row = 0; row < drawn.rows.size(); ++row) {
    text += fmt::format("{}: value {} belief {} group {} shown {} at", row, drawn.rows.value[row],
                        drawn.table.belief[row], groups.of.empty() ? -2 : groups.of[row],
                        groups.shown.empty() ? -2 : groups.shown[row]);
    for (const double place : drawn.rows.place[row]) text += fmt::format(" {}", place);
    text += '\n';
  }
  return text;
}

}  // namespace oracle::similarity
