#include "tree.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace reissue::readers {

Tree::Tree(const std::string& text) : text_(text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    Fields path;
    std::istringstream labels(line);
    for (std::string label; std::getline(labels, label, ';');) path.push_back(label);
    leaves_.push_back(path.front());
    paths_.push_back(std::move(path));
  }
}

bool Tree::Covers(const std::string& label, const std::string& leaf) const {
  const auto at = std::find(leaves_.begin(), leaves_.end(), leaf);
  if (at == leaves_.end()) throw std::logic_error("no leaf " + leaf);
  const Fields& path = paths_[static_cast<std::size_t>(at - leaves_.begin())];
  return std::find(path.begin(), path.end(), label) != path.end();
}

bool Tree::AtOrBelow(const std::string& label, const std::string& above) const {
  return std::all_of(leaves_.begin(), leaves_.end(), [&](const std::string& leaf) {
    return !Covers(label, leaf) || Covers(above, leaf);
  });
}

bool Tree::Share(const std::vector<std::string>& labels) const {
  return std::any_of(leaves_.begin(), leaves_.end(), [&](const std::string& leaf) {
    return std::all_of(labels.begin(), labels.end(),
                       [&](const std::string& label) { return Covers(label, leaf); });
  });
}

const std::string& Tree::Above(const std::string& leaf, Chance& chance) const {
  const auto at = std::find(leaves_.begin(), leaves_.end(), leaf);
  return chance.Of(paths_[static_cast<std::size_t>(at - leaves_.begin())]);
}

std::vector<std::string> Tree::Cut(Chance& chance) const {
  // From the root, labels give way to those below them as long as chance says so.
  std::vector<std::string> cut(leaves_.size(), "*");
  for (bool finer = true; finer;) {
    finer = false;
    for (std::size_t l = 0; l < leaves_.size(); ++l) {
      const std::string label = cut[l];
      if (label == leaves_[l] || chance.OneIn(2)) continue;
      for (std::size_t other = 0; other < leaves_.size(); ++other) {
        if (cut[other] != label) continue;
        const Fields& path = paths_[other];
        const auto at = std::find(path.begin(), path.end(), label);
        cut[other] = at == path.begin() ? label : *(at - 1);
      }
      finer = true;
    }
    finer = finer && chance.OneIn(2);
  }
  return cut;
}

bool HasTree(const std::string& column) {
  const auto& columns = TreeColumns();
  return column == "state" || std::find(columns.begin(), columns.end(), column) != columns.end();
}

const std::vector<std::string>& TreeColumns() {
  static const std::vector<std::string> columns = {"place", "sex", "job"};
  return columns;
}

const Tree& TreeOf(const std::string& column) {
  static const Tree place("a1;A;*\na2;A;*\nb1;B;*\nb2;B;*\n");
  static const Tree sex("f;*\nm;*\n");
  static const Tree job("x;X;*\ny;X;*\nz;*\n");
  static const Tree state("u;I;*\nv;I;*\nw;*\n");
  return column == "place" ? place : column == "sex" ? sex : column == "job" ? job : state;
}

void AddTrees(const Fields& columns, Case& one, const std::string& role) {
  for (const std::string& column : columns) {
    one.columns +=
        column + " = { role = \"" + role + "\", taxonomy = \"" + column + ".csv\" }\n";
    one.files[column + ".csv"] = TreeOf(column).text();
  }
}

void Recode(const Fields& columns, Chance& chance, Sheet& sheet) {
  for (const std::string& column : columns) {
    const Tree& tree = TreeOf(column);
    const std::vector<std::string> cut = tree.Cut(chance);
    for (Fields& row : sheet.rows) {
      std::string& field = row[sheet.Column(column)];
      const auto at = std::find(tree.leaves().begin(), tree.leaves().end(), field);
      field = cut[static_cast<std::size_t>(at - tree.leaves().begin())];
    }
  }
}

}  // namespace reissue::readers
