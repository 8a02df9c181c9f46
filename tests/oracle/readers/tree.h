#pragma once
// Taxonomies of the cases: small trees of labels, `*` at the top.

#include <string>
#include <vector>

#include "case.h"

namespace reissue::readers {

class Tree {
 public:
  // As in a file: a line per leaf, from the leaf to the root.
  explicit Tree(const std::string& text);

  const std::vector<std::string>& leaves() const { return leaves_; }
  const std::string& text() const { return text_; }
  // Whether the leaf is at or below the label.
  bool Covers(const std::string& label, const std::string& leaf) const;
  bool AtOrBelow(const std::string& label, const std::string& above) const;
  // Whether some leaf is below all of them.
  bool Share(const std::vector<std::string>& labels) const;
  // A label at or above the leaf.
  const std::string& Above(const std::string& leaf, Chance& chance) const;
  // A global recoding: one label per leaf, each with all leaves below it.
  std::vector<std::string> Cut(Chance& chance) const;

 private:
  std::string text_;
  std::vector<std::string> leaves_;
  std::vector<Fields> paths_;  // per leaf, from itself to the root
};

// The quasi-identifiers of the cases; `age` has numbers and ranges `[a,b)`. `state` is sensitive.
const std::vector<std::string>& QuasiColumns();
// Of `age`: some labels to draw from.
const Tree& TreeOf(const std::string& column);

// Whether a raw value lies at or below a label; columns without a tree have no labels.
bool Covers(const std::string& column, const std::string& label, const std::string& raw);
// Whether some raw value lies at or below all of these labels.
bool Share(const std::string& column, const std::vector<std::string>& labels);
bool AtOrBelow(const std::string& column, const std::string& label, const std::string& above);

// Lines of [columns] with the files of their trees. Ranges of `age` are declared.
void AddTrees(const Fields& columns, Case& one, const std::string& role = "quasi");
// Instead, ranges of `age` are found from the data.
void FindRanges(Case& one);

// A table in which every label of a column is replaced by that of one cut.
void Recode(const Fields& columns, Chance& chance, Sheet& sheet);

}  // namespace reissue::readers
