#include "reissue/models/invariance/publisher/mixture.h"

#include <ClpSimplex.hpp>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "reissue/core/fragile.h"

namespace reissue::models::invariance::internal {
namespace {

constexpr std::size_t kMostValues = 400, kMostSignatures = 4000;
constexpr int kRounds = 200;

// Costs per row: somebody who finds no place, a counterfeit, a place in a new bucket.
constexpr double kUnplaced = 100, kCounterfeit = 1, kNewBucket = 1e-4;
constexpr double kWhole = 1e-6;

void AddColumn(ClpSimplex& program, const std::vector<std::uint32_t>& values, double cost,
               double sign = 1) {
  const std::vector<int> rows(values.begin(), values.end());
  const std::vector<double> ones(values.size(), sign);
  program.addColumn(static_cast<int>(rows.size()), rows.data(), ones.data(), 0, COIN_DBL_MAX, cost);
}

// The signature of m values that is worth most.
std::vector<std::uint32_t> Dearest(const double* worth, std::size_t values, std::uint64_t m) {
  std::vector<std::uint32_t> order(values);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater<>(), [&](std::uint32_t v) { return worth[v]; });
  order.resize(m);
  std::ranges::sort(order);
  return order;
}

std::uint64_t WholeLayers(double layers) {
  return layers <= 0 ? 0 : static_cast<std::uint64_t>(std::floor(layers + kWhole));
}

}  // namespace

Mixture BestMixture(const UnplacedNewcomers& rest,
                    const std::vector<const std::vector<std::uint32_t>*>& existing) {
  Mixture mixture;
  const std::size_t values = rest.values();
  mixture.existing.resize(existing.size());
  if (values > kMostValues || values < rest.m() || existing.size() > kMostSignatures) {
    return mixture;
  }
  const Fragile<ClpSimplex> solver = MakeFragile<ClpSimplex>();
  ClpSimplex& program = *solver;
  program.setLogLevel(0);
  program.resize(static_cast<int>(values), 0);
  for (std::uint32_t v = 0; v < values; ++v) {
    program.setRowBounds(static_cast<int>(v), static_cast<double>(rest[v]),
                         static_cast<double>(rest[v]));
  }
  for (const auto* signature : existing) AddColumn(program, *signature, 0);
  for (std::uint32_t v = 0; v < values; ++v) {
    AddColumn(program, {v}, kUnplaced);
    AddColumn(program, {v}, kCounterfeit, -1);
  }
  const double price = kNewBucket * static_cast<double>(rest.m());
  const int known = program.numberColumns();
  std::vector<std::vector<std::uint32_t>> made;
  for (int round = 0; round < kRounds; ++round) {
    program.primal(0, round == 0 ? 0 : 3);
    const double* worth = program.dualRowSolution();
    std::vector<std::uint32_t> signature = Dearest(worth, values, rest.m());
    double gain = -price;
    for (const std::uint32_t v : signature) gain += worth[v];
    if (gain < 1e-7) break;
    AddColumn(program, signature, price);
    made.push_back(std::move(signature));
  }
  const double* layers = program.primalColumnSolution();
  for (std::size_t s = 0; s < existing.size(); ++s) mixture.existing[s] = WholeLayers(layers[s]);
  for (std::size_t s = 0; s < made.size(); ++s) {
    const std::uint64_t whole = WholeLayers(layers[static_cast<std::size_t>(known) + s]);
    if (whole > 0) mixture.made.emplace_back(std::move(made[s]), whole);
  }
  return mixture;
}

}  // namespace reissue::models::invariance::internal
