#include "reissue/models/bcf/publisher/parts.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace reissue::models::bcf::internal {
namespace {

using k::internal::Recoding;
using k::internal::Spot;

constexpr std::size_t kMostBytes = std::size_t{32} << 20;
// Simplex steps of all parts together. An audit has four times as many, and asks in another order.
constexpr std::uint64_t kMostSteps = 100'000;
constexpr std::size_t kMostReleases = 32;

}  // namespace

Parts::Parts(const Task& task, const k::LeafCells& searched, const k::internal::Problem& problem)
    : task_(task), searched_(searched), problem_(problem), is_cell_(problem.places(), 0) {
  for (std::size_t i = 0; i < task.earlier.size(); ++i) {
    const Release& release = task.earlier.release(i);
    for (std::size_t cell = 0; cell < release.cells(); ++cell) {
      is_cell_[release.node(cell, 0).index()] = 1;
    }
  }
}

bool Parts::Serve(const Task& task) {
  return task.earlier.columns() == 1 && task.all_global() && task.earlier.size() > 1 &&
         task.earlier.size() < kMostReleases && task.options.search.search == k::Search::kGreedy &&
         task.options.adversary == Adversary::kExact && task.options.targets == Targets::kAny &&
         !task.guarantee.NeedsOverall();
}

Judgement Parts::Ask(const Recoding& recoding, const Say& say) {
  const std::vector<Spot> parts = Of(recoding);
  std::vector<Spot> unknown;
  std::ranges::copy_if(parts, std::back_inserter(unknown),
                       [&](Spot part) { return !known_.contains(KeyOf(part, recoding)); });
  Judgement judgement;
  judgement.work = problem_.places();
  if (!unknown.empty()) {
    Settle(unknown, recoding, problem_.Cuts(recoding)[0], say, judgement.work);
  }
  judgement.kept = true;
  for (const Spot part : parts) {
    const auto known = known_.find(KeyOf(part, recoding));
    judgement.kept = judgement.kept && known != known_.end() && known->second.kept;
    if (known == known_.end()) continue;
    judgement.steps += known->second.steps;
    judgement.targets += known->second.targets;
  }
  judgement.kept = judgement.kept && judgement.steps <= kMostSteps;
  return judgement;
}

std::size_t Parts::FirstBirth(const Recoding& recoding) const {
  for (std::size_t p = task_.earlier.size(); p > 0; --p) {
    const Release& release = task_.earlier.release(p - 1);
    bool finer = false;
    for (std::size_t cell = 0; cell < release.cells() && !finer; ++cell) {
      finer = recoding[release.node(cell, 0).index()] != 0;
    }
    if (!finer) return p;
  }
  return 0;
}

std::size_t Parts::CellsOf(const Recoding& recoding) const {
  std::size_t cells = 0;
  for (Spot p = 0; p < problem_.places(); p = recoding[p] != 0 ? p + 1 : problem_.end(p)) {
    cells += recoding[p] == 0 && problem_.rows_at(p) > 0;
  }
  return cells;
}

std::vector<Spot> Parts::Broken(const Recoding& recoding) const {
  std::vector<Spot> parts = Of(recoding);
  std::erase_if(parts, [&](Spot part) {
    const auto known = known_.find(KeyOf(part, recoding));
    return known == known_.end() || known->second.kept;
  });
  return parts;
}

// The highest nodes that are a cell of some release, the candidate among them.
std::vector<Spot> Parts::Of(const Recoding& recoding) const {
  std::vector<Spot> parts;
  for (Spot p = 0; p < problem_.places();) {
    if (problem_.rows_at(p) > 0 && recoding[p] != 0 && is_cell_[p] == 0) {
      ++p;
      continue;
    }
    if (problem_.rows_at(p) > 0) parts.push_back(p);
    p = problem_.end(p);
  }
  return parts;
}

// What is specialised where there are rows, in preorder.
std::string Parts::KeyOf(Spot part, const Recoding& recoding) const {
  std::string key(reinterpret_cast<const char*>(&part), sizeof part);
  for (Spot p = part; p < problem_.end(part);) {
    const bool further = problem_.rows_at(p) > 0 && recoding[p] != 0;
    if (problem_.rows_at(p) > 0) key.push_back(further ? 1 : 0);
    p = further ? p + 1 : problem_.end(p);
  }
  return key;
}

// Halves of those that are not kept together, until it is known which are not.
void Parts::Settle(std::span<const Spot> parts, const Recoding& recoding, const taxonomy::Cut& cut,
                   const Say& say, std::uint64_t& work) {
  const Past& past = PastOf(parts);
  const auto series = past.series.With(Published(parts, cut));
  REISSUE_CHECK(series.has_value());
  const Judgement judgement =
      say(*series, Formulas(*series, past.formulas), History(*series, past.history));
  work += judgement.of_parts;
  if (!judgement.kept && parts.size() > 1) {
    const std::size_t half = parts.size() / 2;
    Settle(parts.first(half), recoding, cut, say, work);
    Settle(parts.subspan(half), recoding, cut, say, work);
    return;
  }
  // What they took together stands at the first of them.
  Known known{judgement.kept, judgement.steps, judgement.targets};
  for (const Spot part : parts) Keep(KeyOf(part, recoding), std::exchange(known, {known.kept}));
}

void Parts::Keep(std::string key, Known known) {
  bytes_ += key.size() + 100;
  if (bytes_ > kMostBytes) {
    known_.clear();
    bytes_ = key.size() + 100;
  }
  known_[std::move(key)] = known;
}

const Parts::Past& Parts::PastOf(std::span<const Spot> parts) {
  if (past_ && std::ranges::equal(parts, last_)) return *past_;
  std::vector<Cells> published;
  for (std::size_t i = 0; i < task_.earlier.size(); ++i) {
    const Release& release = task_.earlier.release(i);
    std::vector<std::uint32_t> keys;
    std::vector<std::uint64_t> counts;
    std::size_t cell = 0;
    for (const Spot part : parts) {
      // Cells are in the order of their nodes, and so are parts.
      while (cell < release.cells() && release.node(cell, 0).index() < part) ++cell;
      for (; cell < release.cells() && release.node(cell, 0).index() < problem_.end(part); ++cell) {
        for (std::size_t g = release.first_group(cell); g < release.last_group(cell); ++g) {
          keys.insert(keys.end(), {release.node(cell, 0).raw(), release.value(g)});
          counts.push_back(release.rows_of_group(g));
        }
      }
    }
    published.push_back(CollectCells(2, keys, counts));
  }
  auto series = Series::Make(task_.earlier.taxonomies(), published);
  REISSUE_CHECK(series.has_value());
  last_.assign(parts.begin(), parts.end());
  past_ = std::make_unique<Past>(*std::move(series));
  return *past_;
}

Cells Parts::Published(std::span<const Spot> parts, const taxonomy::Cut& cut) const {
  const taxonomy::Taxonomy& tree = task_.earlier.tree(0);
  const Cells& cells = searched_.cells;
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  for (const Spot part : parts) {
    // Cells are in the order of their leaves.
    const auto leaf = [&](std::size_t cell) { return cells.key(CellId(cell))[0]; };
    std::size_t first = 0;
    for (std::size_t end = cells.size(); first < end;) {
      const std::size_t middle = first + (end - first) / 2;
      if (leaf(middle) < tree.first_leaf(NodeId(part))) {
        first = middle + 1;
      } else {
        end = middle;
      }
    }
    const std::size_t last = tree.last_leaf(NodeId(part));
    for (std::size_t cell = first; cell < cells.size() && leaf(cell) < last; ++cell) {
      const auto key = cells.key(CellId(cell));
      keys.insert(keys.end(), {cut.NodeOfLeaf(key[0]).raw(), key[1]});
      counts.push_back(cells.count(CellId(cell)));
    }
  }
  return CollectCells(2, keys, counts);
}

}  // namespace reissue::models::bcf::internal
