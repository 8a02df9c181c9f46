#pragma once
// Labels and trees: where a label stands, and what certificates say of the trees.

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/taxonomy/taxonomy.h"

namespace reissue::binding {

// What labels of a tree may be. Numeric trees are always of numbers; which trees of a certificate
// are, it does not say of all.
enum class Labels { kWords, kMaybeNumbers };

// The node of a label; nothing where the tree has none. `*` always means the root. Numbers and
// ranges are known by their worth: `5.0` is `5`.
std::optional<NodeId> FindLabel(const taxonomy::Taxonomy& tree, std::string_view label,
                                Labels labels = Labels::kWords);

// The smallest range of a numeric tree that contains the number; the root where none does.
NodeId Containing(const taxonomy::Taxonomy& tree, double number);

// The lines of a hierarchy as the CSV file that policies name.
std::string HierarchyText(const std::vector<taxonomy::HierarchyLine>& lines);

// What certificates say of a column with a taxonomy: for every label that occurs the nearest one
// above it that occurs; the root is always there. Enough to tell which labels lie on one path, and
// nothing of the taxonomy that was not published.
struct ColumnHierarchy {
  std::string column;
  std::vector<std::pair<std::string, std::string>> parents;  // label, label above; root: nothing
};
ColumnHierarchy HierarchyOf(const std::string& column, const taxonomy::Taxonomy& tree,
                            std::set<NodeId> occur);
// The opposite, in the order of `columns`; null for columns that are not named. `file` is for
// messages. Errors: no tree, two trees, labels above themselves.
Result<std::vector<std::shared_ptr<const taxonomy::Taxonomy>>> TreesOf(
    const std::vector<ColumnHierarchy>& hierarchy, const std::vector<std::string>& columns,
    const std::string& file);

}  // namespace reissue::binding
