#pragma once
// Readers who know since when the values of a taxonomy are there (docs/design/0012): whoever is in
// a release has a value that was there then. What they know is one column more for each release
// that brought values, with the nodes `before`, `since` and `*`.

#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "reissue/core/cells.h"
#include "reissue/models/bcf/release/series.h"
#include "reissue/taxonomy/taxonomy.h"

namespace reissue::models::bcf {

// Per quasi-identifier and leaf the releases, from 0, that it came with: one, or several where the
// leaf is a group of values that are not told apart. A column without any has always been as it is.
using Ages = std::vector<std::vector<std::vector<std::uint32_t>>>;

// Which values of a column came before release `change`.
struct AgeColumn {
  std::size_t column = 0;
  std::uint32_t change = 0;
  friend auto operator<=>(const AgeColumn&, const AgeColumn&) = default;
};
// Those that there can be: one per column and release that brought values.
std::vector<AgeColumn> AgeColumns(const Ages& ages);

// `*` over `before` and `since`, in the order of their ranks.
std::shared_ptr<const taxonomy::Taxonomy> AgeTree();
inline constexpr std::uint32_t kBefore = 0, kSince = 1;

// The trees with one for each of the columns, after the column of stars (release/stars.h) where
// there is one.
Taxonomies WithAges(Taxonomies trees, std::span<const AgeColumn> columns);

// A release, as Release::Make takes it, with these columns: a label is `before` or `since` where
// all leaves below it are, as far as they were there then, and `*` where they are not the same.
// Whoever is starred stays so in all releases, and the columns say nothing of her.
Cells WithAges(const Taxonomies& trees, const Cells& published, std::uint32_t release,
               const Ages& ages, std::span<const AgeColumn> columns);

// Those of the columns that say anything: where no label of any release stands for new values
// alone, nobody is known to have one. `telling` has an entry per column, to be set.
void FindTelling(const Taxonomies& trees, const Cells& published, std::uint32_t release,
                 const Ages& ages, std::span<const AgeColumn> columns, std::vector<char>& telling);

}  // namespace reissue::models::bcf
