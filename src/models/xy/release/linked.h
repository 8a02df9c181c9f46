#pragma once
// Tables of the same people that readers join, and what is promised about the join (the paper: Wang
// and Fung, KDD 2006). Plain values; see docs/design/0003.

#include <cstdint>
#include <memory>
#include <vector>

#include "reissue/core/cells.h"
#include "reissue/core/ids.h"
#include "reissue/taxonomy/taxonomy.h"

namespace reissue::models::xy {

// A column of one of the tables. Table 0 is the one that is (to be) released; 1, 2, … came earlier.
struct Attribute {
  std::size_t table = 0;
  std::size_t column = 0;
  auto operator<=>(const Attribute&) const = default;
};

// One table as published: distinct combinations of its columns with counts. The code of a column
// with a tree is a raw NodeId, of one without a plain code (of a value or of an interval).
struct LinkedTable {
  std::vector<std::shared_ptr<const taxonomy::Taxonomy>> trees;  // per column; null: plain codes
  Cells cells;
};

// Rows at or below both labels are never the same person. Of a column without a tree: the code
// itself.
struct Inconsistent {
  Attribute a;
  std::uint32_t a_code = 0;
  Attribute b;  // of another table
  std::uint32_t b_code = 0;
};

struct Linked {
  std::vector<LinkedTable> tables;
  // Each is one attribute that several tables have, on the same tree; at most one column per table.
  std::vector<std::vector<Attribute>> joins;
  std::vector<Inconsistent> inconsistent;
};

struct Requirement {
  enum class Kind { kAnonymity, kLinkability };
  Kind kind = Kind::kAnonymity;
  std::vector<Attribute> x;
  // Anonymity: distinct combinations of these columns and of the rows of these tables. Linkability
  // without `values`: every combination of these columns is sensitive.
  std::vector<Attribute> y;
  std::vector<std::size_t> y_keys;  // anonymity only
  std::uint64_t k = 1;              // anonymity
  double confidence = 1;            // linkability, where no threshold of its own is named
  // Labels at or below `code` count as it; of a column without a tree the code itself.
  struct Sensitive {
    Attribute column;
    std::uint32_t code = 0;
    double threshold = 1;
  };
  std::vector<Sensitive> values;  // linkability: single values
};

// Whether a published code is `above` or lies below it. `tree` may be null.
inline bool AtOrBelow(const taxonomy::Taxonomy* tree, std::uint32_t above, std::uint32_t code) {
  return above == code || (tree != nullptr && tree->IsAncestor(NodeId(above), NodeId(code)));
}

}  // namespace reissue::models::xy
