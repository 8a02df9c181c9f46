#include "reissue/models/bcf/publisher/earlier_release.h"

#include <algorithm>

#include "reissue/models/bcf/publisher/numbering.h"

namespace reissue::models::bcf::internal {
void EarlierRelease::Histograms::EndRegion(bool by_rows) {
  const auto first = bins.begin() + static_cast<std::ptrdiff_t>(begin.back());
  if (by_rows) {
    std::stable_sort(first, bins.end(), [](const Bin& a, const Bin& b) { return a.rows > b.rows; });
  }
  begin.push_back(bins.size());
}

EarlierRelease::EarlierRelease(const k::LeafCells& table, const Problem& problem,
                               const Series& series, std::size_t release, bool births, bool by_rows)
    : release_(release),
      global_(series.recoding(release).global()),
      regions_(series.release(release).cells()),
      seen_(problem.tuples(), kOld | kNew) {
  if (global_) FindRegions(problem, series);
  const Release& published = series.release(release);
  words_ = (regions_ + 63) / 64;
  below_cut_.assign(problem.places(), 0);
  Compare(problem, series);
  CountPublished(published, by_rows);
  if (global_) Count(problem, published, by_rows);
  if (births && global_) ReadBirths(table, problem);
}

// Numbers the cells of the release and the combinations of the table together, column by column;
// the cells come first and so keep their numbers.
void EarlierRelease::FindRegions(const Problem& problem, const Series& series) {
  const Release& release = series.release(release_);
  const std::size_t cells = release.cells(), tuples = problem.tuples();
  std::vector<std::uint32_t> numbers(cells + tuples, 0), parts(cells + tuples);
  for (std::size_t j = 0; j < problem.columns(); ++j) {
    const taxonomy::Cut& cut = series.recoding(release_).cuts[j];
    std::vector<std::uint32_t> index(problem.tree(j).nodes(), 0);
    const std::vector<NodeId> nodes = cut.Nodes();
    for (std::uint32_t n = 0; n < nodes.size(); ++n) index[nodes[n].index()] = n;
    for (std::size_t c = 0; c < cells; ++c) parts[c] = index[release.node(c, j).index()];
    for (std::size_t t = 0; t < tuples; ++t) {
      parts[cells + t] = index[cut.NodeOfLeaf(problem.leaves(t)[j]).index()];
    }
    if (nodes.size() > 1) Refine(numbers, parts, nodes.size());
  }
  region_of_tuple_.assign(numbers.begin() + static_cast<std::ptrdiff_t>(cells), numbers.end());
  for (const std::uint32_t region : region_of_tuple_) {
    regions_ = std::max<std::size_t>(regions_, region + 1);
  }
}

void EarlierRelease::Compare(const Problem& problem, const Series& series) {
  const Release& release = series.release(release_);
  const std::size_t columns = problem.columns();
  region_places_.assign(regions_ * columns, 0);
  for (std::size_t c = 0; c < release.cells(); ++c) {
    for (std::size_t j = 0; j < columns; ++j) {
      region_places_[c * columns + j] = problem.root(j) + release.node(c, j).raw();
    }
  }
  comparable_.assign(problem.places() * words_, 0);
  if (global_) {
    const std::vector<taxonomy::Cut>& cuts = series.recoding(release_).cuts;
    for (std::size_t t = 0; t < problem.tuples(); ++t) {
      for (std::size_t j = 0; j < columns; ++j) {
        region_places_[region_of_tuple_[t] * columns + j] =
            problem.root(j) + cuts[j].NodeOfLeaf(problem.leaves(t)[j]).raw();
      }
    }
    for (std::size_t j = 0; j < columns; ++j) {
      for (const NodeId node : cuts[j].Nodes()) {
        const Spot at = problem.root(j) + node.raw();
        std::fill(below_cut_.begin() + at, below_cut_.begin() + problem.end(at), std::uint8_t{1});
      }
    }
  }
  for (std::size_t r = 0; r < regions_; ++r) {
    for (std::size_t j = 0; j < columns; ++j) {
      CompareRegion(problem, j, region_places_[r * columns + j], r);
    }
  }
}

// Marks all places on one path with the node of a region.
void EarlierRelease::CompareRegion(const Problem& problem, std::size_t column, Spot at,
                                   std::size_t region) {
  const std::uint64_t bit = std::uint64_t{1} << (region % 64);
  const std::size_t word = region / 64;
  for (Spot p = at; p < problem.end(at); ++p) comparable_[p * words_ + word] |= bit;
  for (Spot p = at; p != problem.root(column);) {
    p = problem.parent(p);
    comparable_[p * words_ + word] |= bit;
  }
}

void EarlierRelease::CountPublished(const Release& release, bool by_rows) {
  for (std::size_t r = 0; r < regions_; ++r) {
    if (r < release.cells()) {
      for (std::size_t g = release.first_group(r); g < release.last_group(r); ++g) {
        published_.bins.push_back({release.value(g), release.rows_of_group(g)});
      }
    }
    published_.EndRegion(by_rows);
  }
}

// What the table has in each region beyond what was published.
void EarlierRelease::Count(const Problem& problem, const Release& release, bool by_rows) {
  std::vector<std::uint32_t> begin(regions_ + 1, 0), tuples(problem.tuples());
  for (const std::uint32_t region : region_of_tuple_) ++begin[region + 1];
  for (std::size_t r = 0; r < regions_; ++r) begin[r + 1] += begin[r];
  std::vector<std::uint32_t> next = begin;
  for (std::uint32_t t = 0; t < tuples.size(); ++t) tuples[next[region_of_tuple_[t]]++] = t;

  std::size_t codes = problem.overall().size();
  for (std::size_t g = 0; g < release.groups(); ++g) {
    codes = std::max<std::size_t>(codes, release.value(g) + 1);
  }
  std::vector<std::uint64_t> rows(codes, 0);
  std::vector<std::uint32_t> touched;
  for (std::size_t r = 0; r < regions_; ++r) {
    for (std::uint32_t i = begin[r]; i < begin[r + 1]; ++i) {
      for (const Bin& bin : problem.sensitive(tuples[i])) {
        if (rows[bin.code] == 0) touched.push_back(bin.code);
        rows[bin.code] += bin.rows;
      }
    }
    for (const Bin& bin : Published(r)) {
      rows[bin.code] -= std::min(rows[bin.code], bin.rows);
    }
    if (!by_rows) std::sort(touched.begin(), touched.end());
    for (const std::uint32_t code : touched) {
      if (rows[code] > 0) added_.bins.push_back({code, rows[code]});
      rows[code] = 0;
    }
    touched.clear();
    added_.EndRegion(by_rows);
  }
}

// Who was there already, and who came later.
void EarlierRelease::ReadBirths(const k::LeafCells& table, const Problem& problem) {
  const Cells& cells = table.cells;
  std::fill(seen_.begin(), seen_.end(), std::uint8_t{0});
  std::size_t t = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells.count(CellId(i)) == 0) continue;
    const auto leaves = cells.key(CellId(i)).first(problem.columns());
    while (!std::equal(leaves.begin(), leaves.end(), problem.leaves(t).begin())) ++t;
    const std::uint64_t old = cells.CountUpTo(CellId(i), release_);
    if (old < cells.count(CellId(i))) seen_[t] |= kNew;
    if (old > 0) seen_[t] |= kOld;
  }
}

}  // namespace reissue::models::bcf::internal
