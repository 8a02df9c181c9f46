#include "reissue/models/k/publisher/verify.h"

#include <fmt/format.h>

#include <algorithm>

#include "reissue/models/k/publisher/start.h"

namespace reissue::models::k::internal {
namespace {

struct PublishedCell {
  std::vector<NodeId> nodes;
  std::vector<Bin> bins;
  std::uint64_t rows = 0;
};

std::vector<PublishedCell> Recode(const LeafCells& table, const std::vector<taxonomy::Cut>& cuts) {
  const std::size_t width = cuts.size();
  const Cells recoded = Recoded(table, cuts);
  std::vector<PublishedCell> cells;
  for (std::size_t i = 0; i < recoded.size(); ++i) {
    const auto key = recoded.key(CellId(i));
    const std::uint64_t rows = recoded.count(CellId(i));
    if (rows == 0) continue;
    std::vector<NodeId> nodes;
    for (std::size_t j = 0; j < width; ++j) nodes.emplace_back(key[j]);
    if (cells.empty() || cells.back().nodes != nodes) cells.push_back({std::move(nodes), {}, 0});
    cells.back().bins.push_back({key[width], rows});
    cells.back().rows += rows;
  }
  return cells;
}

std::vector<Bin> OneCell(const Overall& overall) {
  std::vector<Bin> all;
  for (std::uint32_t code = 0; code < overall.size(); ++code) {
    if (overall[code] > 0) all.push_back({code, overall[code]});
  }
  return all;
}

// What one cell of all rows does not keep, and what to ask for instead.
struct Miss {
  std::string what, remedy;
};

Miss MissOf(const Measures& m, const Guarantee& g) {
  if (m.rows < g.k) {
    return Miss{fmt::format("k = {} asked, the table has {} rows", g.k, m.rows),
                "ask for a smaller k, or publish when more rows are there"};
  }
  if (g.distinct && m.distinct < *g.distinct) {
    return Miss{fmt::format("distinct {} asked, the table has {} sensitive values", *g.distinct,
                            m.distinct),
                "ask for fewer distinct values"};
  }
  if (g.alpha && m.top_share > *g.alpha + kTolerance) {
    return Miss{fmt::format("alpha = {} asked, the most frequent sensitive value has a share "
                            "of {:.6g} in the table",
                            *g.alpha, m.top_share),
                fmt::format("ask for alpha of at least {:.6g}", m.top_share)};
  }
  if (m.confidence_excess > kTolerance) {
    return Miss{fmt::format("confidence: a sensitive value exceeds its bound by {:.6g} in the "
                            "table as a whole",
                            m.confidence_excess),
                "raise the bound of that value above its share in the table"};
  }
  if (g.entropy && m.entropy_l < *g.entropy - kTolerance) {
    return Miss{fmt::format("entropy l = {} asked, the table as a whole has {:.6g}", *g.entropy,
                            m.entropy_l),
                fmt::format("ask for l of at most {:.6g}", m.entropy_l)};
  }
  if (g.recursive && m.distinct < g.recursive->l) {
    return Miss{fmt::format("recursive ({}, {}) asked, the table has {} sensitive values",
                            g.recursive->c, g.recursive->l, m.distinct),
                "ask for a smaller l"};
  }
  if (g.recursive && m.recursive_c >= g.recursive->c - kTolerance) {
    return Miss{fmt::format("recursive ({}, {}) asked, the table as a whole needs c above "
                            "{:.6g}",
                            g.recursive->c, g.recursive->l, m.recursive_c),
                fmt::format("ask for c above {:.6g}, or for a smaller l", m.recursive_c)};
  }
  return Miss{"the promise does not hold", "ask for thresholds that are not negative"};
}

}  // namespace

Settled Settle(const LeafCells& table, const std::vector<taxonomy::Cut>& cuts,
               const Guarantee& guarantee) {
  std::vector<PublishedCell> cells = Recode(table, cuts);
  Overall overall(std::max<std::uint32_t>(table.sensitive_values, 1), 0);
  for (const PublishedCell& cell : cells) {
    for (const Bin& bin : cell.bins) {
      if (bin.code >= overall.size()) overall.resize(bin.code + 1, 0);
      overall[bin.code] += bin.rows;
    }
  }
  Settled settled;
  const auto leave = [&](const Guarantee& broken) {
    const PromiseChecker checker(broken, overall);
    const std::size_t before = cells.size();
    std::vector<PublishedCell> kept;
    for (PublishedCell& cell : cells) {
      if (checker.Keeps(cell.bins)) {
        kept.push_back(std::move(cell));
        continue;
      }
      settled.suppressed_rows += cell.rows;
      for (const Bin& bin : cell.bins) overall[bin.code] -= bin.rows;
      settled.suppressed.push_back(std::move(cell.nodes));
    }
    cells = std::move(kept);
    return cells.size() < before;
  };
  leave(guarantee.WithoutOverall());
  while (leave(guarantee)) {
  }
  std::sort(settled.suppressed.begin(), settled.suppressed.end());
  return settled;
}

Status CheckRoot(const Overall& overall, const Guarantee& guarantee, std::uint64_t limit) {
  const std::vector<Bin> all = OneCell(overall);
  if (Keeps(all, overall, guarantee)) return Ok();
  const std::uint64_t must = MustLeaveOut(all, guarantee);
  if (must <= limit) return Ok();
  const Measures measures = Measure(all, overall, guarantee);
  const Miss miss = MissOf(measures, guarantee);
  if (limit == 0) {
    return PromiseError(miss.what + ": even one cell of all rows does not keep the promise",
                        miss.remedy);
  }
  if (must == measures.rows) {
    return PromiseError(miss.what + ": nothing keeps the promise but leaving everybody out",
                        miss.remedy);
  }
  return PromiseError(fmt::format("{}: no release keeps the promise that leaves out fewer than {} "
                                  "rows, and {} may be left out",
                                  miss.what, must, limit),
                      miss.remedy + ", or allow more rows to be left out");
}

Error NothingFound(const Overall& overall, const Guarantee& guarantee, std::uint64_t limit,
                   bool all_seen) {
  const Miss miss = MissOf(Measure(OneCell(overall), overall, guarantee), guarantee);
  return PromiseError(
      fmt::format("{}: no release {} that keeps the promise and leaves out at most {} of the rows",
                  miss.what, all_seen ? "exists" : "was found", limit),
      miss.remedy + ", or allow more rows to be left out");
}

}  // namespace reissue::models::k::internal
