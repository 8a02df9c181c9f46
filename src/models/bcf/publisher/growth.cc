#include "reissue/models/bcf/publisher/growth.h"

#include <algorithm>

#include "reissue/models/bcf/publisher/numbering.h"

namespace reissue::models::bcf::internal {
namespace {

// The rows of a table by the release in which they first appeared.
class RowsByBirth {
 public:
  struct Rows {
    std::uint32_t cell;
    std::uint64_t count;
  };

  explicit RowsByBirth(const Cells& cells) : begin_(cells.origins() + 1, 0) {
    const auto for_each = [&](const auto& visit) {
      for (std::size_t i = 0; i < cells.size(); ++i) {
        cells.ForEachPart(CellId(i), [&](const Cells::Part& part) { visit(i, part); });
      }
    };
    for_each([&](std::size_t, const Cells::Part& part) { ++begin_[part.origin + 1]; });
    for (std::size_t b = 1; b < begin_.size(); ++b) begin_[b] += begin_[b - 1];
    rows_.resize(begin_.back());
    std::vector<std::size_t> next = begin_;
    for_each([&](std::size_t i, const Cells::Part& part) {
      rows_[next[part.origin]++] = {static_cast<std::uint32_t>(i), part.rows};
    });
  }

  std::span<const Rows> Born(std::size_t birth) const {
    return {rows_.data() + begin_[birth], begin_[birth + 1] - begin_[birth]};
  }

 private:
  std::vector<std::size_t> begin_;
  std::vector<Rows> rows_;
};

// Some releases with the same cuts, beside the table.
class Alike {
 public:
  Alike(const k::LeafCells& table, const Series& series, std::vector<std::size_t> releases)
      : cells_(table.cells), series_(series), releases_(std::move(releases)) {
    for (const std::size_t r : releases_) groups_ += series_.release(r).groups();
    Number();
  }

  void Compare(const RowsByBirth* births, std::vector<Growth>& growth) const {
    const std::span<const std::uint32_t> of_cell(numbers_.data() + groups_, cells_.size());
    std::vector<std::uint64_t> there(all_, 0), born(all_, 0);
    for (std::size_t i = 0; i < cells_.size(); ++i) there[of_cell[i]] += cells_.count(CellId(i));
    std::size_t birth = 0, group = 0;
    std::uint64_t all_born = 0;
    for (const std::size_t r : releases_) {
      for (; births != nullptr && birth <= r; ++birth) {
        for (const RowsByBirth::Rows& rows : births->Born(birth)) {
          born[of_cell[rows.cell]] += rows.count;
          all_born += rows.count;
        }
      }
      const Release& release = series_.release(r);
      bool differ = all_born != release.rows();
      for (std::size_t g = 0; g < release.groups(); ++g, ++group) {
        const std::uint64_t rows = release.rows_of_group(g);
        growth[r].missing += rows - std::min(rows, there[numbers_[group]]);
        differ = differ || born[numbers_[group]] != rows;
      }
      growth[r].births_differ = births != nullptr && differ;
    }
  }

 private:
  // Equal numbers for what the cuts do not tell apart: the groups of all releases, then the cells
  // of the table.
  void Number() {
    const std::size_t columns = series_.columns();
    numbers_.assign(groups_ + cells_.size(), 0);
    std::vector<std::uint32_t> parts(numbers_.size());
    for (std::size_t j = 0; j <= columns; ++j) {
      const std::size_t all = j < columns ? PartsByColumn(j, parts) : PartsByValue(parts);
      if (all > 1) Refine(numbers_, parts, all);
    }
    for (const std::uint32_t number : numbers_) all_ = std::max<std::size_t>(all_, number + 1);
  }

  std::size_t PartsByColumn(std::size_t column, std::vector<std::uint32_t>& parts) const {
    const taxonomy::Cut& cut = series_.recoding(releases_[0]).cuts[column];
    const std::vector<NodeId> nodes = cut.Nodes();
    std::vector<std::uint32_t> index(series_.tree(column).nodes(), 0);
    for (std::uint32_t n = 0; n < nodes.size(); ++n) index[nodes[n].index()] = n;
    auto part = parts.begin();
    ForEachGroup([&](const Release& release, std::size_t g) {
      *part++ = index[release.node(release.cell_of_group(g), column).index()];
    });
    std::vector<std::uint32_t> of_leaf;
    for (const NodeId node : cut.node_of_leaf()) of_leaf.push_back(index[node.index()]);
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      *part++ = of_leaf[cells_.key(CellId(i))[column]];
    }
    return nodes.size();
  }

  std::size_t PartsByValue(std::vector<std::uint32_t>& parts) const {
    auto part = parts.begin();
    ForEachGroup([&](const Release& release, std::size_t g) { *part++ = release.value(g); });
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      *part++ = cells_.key(CellId(i))[series_.columns()];
    }
    return parts.empty() ? 0 : *std::max_element(parts.begin(), parts.end()) + std::size_t{1};
  }

  template <typename Visit>
  void ForEachGroup(const Visit& visit) const {
    for (const std::size_t r : releases_) {
      const Release& release = series_.release(r);
      for (std::size_t g = 0; g < release.groups(); ++g) visit(release, g);
    }
  }

  const Cells& cells_;
  const Series& series_;
  std::vector<std::size_t> releases_;  // ascending
  std::size_t groups_ = 0, all_ = 0;
  std::vector<std::uint32_t> numbers_;
};

}  // namespace

std::vector<Growth> GrowthOf(const k::LeafCells& table, const Series& earlier, bool births) {
  std::vector<std::vector<std::size_t>> alike;
  for (std::size_t i = 0; i < earlier.size(); ++i) {
    if (!earlier.recoding(i).global()) continue;
    const auto same = std::ranges::find_if(alike, [&](const std::vector<std::size_t>& others) {
      return earlier.recoding(others[0]).cuts == earlier.recoding(i).cuts;
    });
    if (same == alike.end()) {
      alike.push_back({i});
    } else {
      same->push_back(i);
    }
  }
  std::vector<Growth> growth(earlier.size());
  std::optional<RowsByBirth> by_birth;
  if (births) by_birth.emplace(table.cells);
  for (std::vector<std::size_t>& releases : alike) {
    Alike(table, earlier, std::move(releases)).Compare(by_birth ? &*by_birth : nullptr, growth);
  }
  return growth;
}

}  // namespace reissue::models::bcf::internal
