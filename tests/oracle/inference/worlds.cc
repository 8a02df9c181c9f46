#include "worlds.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>
#include <set>

namespace oracle::inference {
namespace {

using Real = long double;
constexpr double kTie = 1e-12;

std::vector<std::vector<Real>> Zeros(const Group& group) {
  return std::vector<std::vector<Real>>(std::size_t(group.people()),
                                        std::vector<Real>(std::size_t(group.values())));
}

Table Divided(const std::vector<std::vector<Real>>& weights, Real total) {
  Table table;
  for (const auto& row : weights) {
    table.emplace_back();
    for (const Real weight : row) table.back().push_back(double(weight / total));
  }
  return table;
}

// The values of the rows, one after the other.
std::vector<int> RowValues(const Group& group) {
  std::vector<int> values;
  for (int s = 0; s < group.values(); ++s) {
    values.insert(values.end(), std::size_t(group.rows[std::size_t(s)]), s);
  }
  return values;
}

}  // namespace

Group Sensible(const Group& group) {
  Group sensible = group;
  for (auto& prior : sensible.prior) {
    if (std::all_of(prior.begin(), prior.end(), [](double p) { return p == 0; })) {
      prior.assign(prior.size(), 1.0 / static_cast<double>(prior.size()));
    }
  }
  return sensible;
}

Answers Enumerate(const Group& given, const std::vector<Told>& told) {
  const Group group = Sensible(given);
  const std::vector<int> row_value = RowValues(group);
  const std::size_t n = row_value.size();
  auto by_sum = Zeros(group), by_product = Zeros(group), weight = Zeros(group);
  Real sums = 0, products = 0, weights = 0, best = -1;
  std::set<std::vector<int>> winners;
  std::vector<std::size_t> row_of(n);
  std::iota(row_of.begin(), row_of.end(), 0u);
  std::vector<int> has(n);
  do {
    Real sum = 0, product = 1, alpha = 1;
    for (std::size_t v = 0; v < n; ++v) {
      has[v] = row_value[row_of[v]];
      sum += group.prior[v][std::size_t(has[v])];
      product *= group.prior[v][std::size_t(has[v])];
    }
    for (const Told& one : told) {
      if (has[std::size_t(one.person)] == one.value) alpha += one.confidence;
    }
    for (std::size_t v = 0; v < n; ++v) {
      by_sum[v][std::size_t(has[v])] += sum;
      by_product[v][std::size_t(has[v])] += product;
      weight[v][std::size_t(has[v])] += alpha;
    }
    sums += sum, products += product, weights += alpha;
    if (sum > best + kTie) winners.clear();
    if (sum > best - kTie) winners.insert(has);
    best = std::max(best, sum);
  } while (std::next_permutation(row_of.begin(), row_of.end()));

  Answers answers;
  answers.sum = Divided(by_sum, sums);
  if (products > 0) answers.exact = Divided(by_product, products);
  answers.weight = Divided(weight, 1);
  answers.total = double(weights);
  answers.best.assign(winners.begin(), winners.end());
  auto shared = Zeros(group);
  for (const auto& winner : answers.best) {
    for (std::size_t v = 0; v < n; ++v) shared[v][std::size_t(winner[v])] += 1;
  }
  answers.shared = Divided(shared, Real(answers.best.size()));
  return answers;
}

Table Answers::Bayes(const std::vector<int>& assignment) const {
  Table belief = weight;
  for (std::size_t v = 0; v < belief.size(); ++v) belief[v][std::size_t(assignment[v])] += 1;
  for (auto& row : belief) {
    for (double& entry : row) entry /= total + 1;
  }
  return belief;
}

Table Answers::BayesShared() const {
  Table belief = weight;
  for (std::size_t v = 0; v < belief.size(); ++v) {
    for (std::size_t s = 0; s < belief[v].size(); ++s) {
      belief[v][s] = (belief[v][s] + shared[v][s]) / (total + 1);
    }
  }
  return belief;
}

std::optional<Table> ExactByRoots(const Group& given) {
  using Complex = std::complex<Real>;
  const Group group = Sensible(given);
  const std::size_t n = std::size_t(group.people()), m = std::size_t(group.values());
  // All terms have degree n, so that one value need not be looked at: the rarest. Powers that
  // differ by the order of a root look alike; those of other values would be negative, or leave a
  // negative one to the rarest.
  const std::size_t free =
      std::size_t(std::min_element(group.rows.begin(), group.rows.end()) - group.rows.begin());
  std::vector<std::vector<Complex>> roots(m);
  for (std::size_t s = 0; s < m; ++s) {
    const int order = s == free ? 1 : group.rows[s] + 1;
    for (int k = 0; k < order; ++k) {
      roots[s].push_back(std::polar<Real>(1, 2 * std::acos(Real(-1)) * k / order));
    }
  }
  std::vector<std::vector<Complex>> sums(n, std::vector<Complex>(m));
  std::vector<std::size_t> k(m);
  std::vector<Complex> row(n), before(n + 1), after(n + 1);
  for (;;) {
    // x_s = root; the coefficient wants x_s^(-rows).
    Complex sign = 1;
    for (std::size_t s = 0; s < m; ++s) {
      if (s == free) continue;
      const std::size_t order = roots[s].size();
      sign *= roots[s][(order - (k[s] * std::size_t(group.rows[s])) % order) % order];
    }
    before[0] = 1, after[n] = 1;
    for (std::size_t v = 0; v < n; ++v) {
      row[v] = 0;
      for (std::size_t s = 0; s < m; ++s) row[v] += Real(group.prior[v][s]) * roots[s][k[s]];
      before[v + 1] = before[v] * row[v];
    }
    for (std::size_t v = n; v-- > 0;) after[v] = after[v + 1] * row[v];
    for (std::size_t v = 0; v < n; ++v) {
      const Complex others = sign * before[v] * after[v + 1];
      for (std::size_t s = 0; s < m; ++s) sums[v][s] += others * roots[s][k[s]];
    }
    std::size_t s = 0;
    while (s < m && ++k[s] == roots[s].size()) k[s++] = 0;
    if (s == m) break;
  }
  Table belief(n, std::vector<double>(m));
  for (std::size_t v = 0; v < n; ++v) {
    Real total = 0;
    for (std::size_t s = 0; s < m; ++s) total += Real(group.prior[v][s]) * sums[v][s].real();
    if (!(total > 1e-15L)) return std::nullopt;
    for (std::size_t s = 0; s < m; ++s) {
      belief[v][s] = double(Real(group.prior[v][s]) * sums[v][s].real() / total);
    }
  }
  return belief;
}

std::optional<Table> Omega(const Group& given) {
  const Group group = Sensible(given);
  Table belief = group.prior;
  for (std::size_t s = 0; s < group.rows.size(); ++s) {
    Real column = 0;
    for (const auto& prior : group.prior) column += prior[s];
    if (column == 0) return std::nullopt;
    for (auto& row : belief) row[s] = double(group.rows[s] * Real(row[s]) / column);
  }
  for (auto& row : belief) {
    Real total = 0;
    for (const double entry : row) total += entry;
    for (double& entry : row) entry = double(entry / total);
  }
  return belief;
}

std::vector<Told> Counting(const Group& group, const std::vector<Told>& told) {
  std::vector<Told> counting;
  for (int v = 0; v < group.people(); ++v) {
    const auto& prior = group.prior[std::size_t(v)];
    std::vector<Told> of_person;
    for (const Told& one : told) {
      if (one.person == v) of_person.push_back(one);
    }
    const bool below = std::any_of(of_person.begin(), of_person.end(), [&](const Told& one) {
      return one.confidence < prior[std::size_t(one.value)];
    });
    if (!below) {
      for (const Told& one : of_person) {
        if (one.confidence > prior[std::size_t(one.value)]) counting.push_back(one);
      }
      continue;
    }
    // The values of the group together have probability 1; what is left goes to the others.
    double rest = 1, others = 0;
    std::vector<bool> spoken(prior.size());
    for (const Told& one : of_person) {
      rest -= one.confidence;
      spoken[std::size_t(one.value)] = true;
    }
    double unspoken = 0;
    for (std::size_t s = 0; s < prior.size(); ++s) {
      others += spoken[s] ? 0 : prior[s];
      unspoken += spoken[s] ? 0 : 1;
    }
    for (std::size_t s = 0; s < prior.size(); ++s) {
      if (spoken[s]) continue;
      // All of them impossible until now: none is likelier than another.
      const double confidence = others > 0 ? rest * prior[s] / others : rest / unspoken;
      if (confidence > prior[s]) counting.push_back({v, int(s), confidence});
    }
  }
  return counting;
}

std::vector<double> Compromised(const std::vector<double>& prior, int value, double confidence) {
  std::vector<double> mixed;
  for (std::size_t s = 0; s < prior.size(); ++s) {
    const double if_compromised = int(s) == value ? 1 : 0;
    mixed.push_back(confidence * if_compromised + (1 - confidence) * prior[s]);
  }
  return mixed;
}

double GainOf(double belief, int rows, int people) {
  if (rows == people) return std::abs(1 - belief);
  const double share = double(rows) / people;
  return std::abs(belief - share) / (1 - share);
}

double LargestDifference(const Table& a, const Table& b) {
  double largest = 0;
  for (std::size_t v = 0; v < a.size(); ++v) {
    for (std::size_t s = 0; s < a[v].size(); ++s) {
      const double difference = std::abs(a[v][s] - b[v][s]);
      if (!(difference <= largest)) largest = difference;  // NaN is not overlooked
    }
  }
  return largest;
}

}  // namespace oracle::inference
