#include "tree.h"

#include <algorithm>
#include <map>
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

const std::vector<std::string>& QuasiColumns() {
  static const std::vector<std::string> columns = {"place", "sex", "job", "age"};
  return columns;
}

const Tree& TreeOf(const std::string& column) {
  static const std::map<std::string, Tree> trees = {
      {"place", Tree("a1;A;*\na2;A;*\nb1;B;*\nb2;B;*\n")},
      {"sex", Tree("f;*\nm;*\n")},
      {"job", Tree("x;X;*\ny;X;*\nz;*\n")},
      {"age", Tree("12;[0,20);[0,40);*\n15;[0,20);[0,40);*\n30;[20,40);[0,40);*\n50;[40,60);*\n")},
      {"state", Tree("u;I;*\nv;I;*\nw;*\n")}};
  return trees.at(column);
}

namespace {

constexpr char kBreakpoints[] = "breakpoints = [0, 20, 40, 60, 80]";

bool HasTree(const std::string& column) {
  return column == "place" || column == "sex" || column == "job" || column == "state";
}

// From the first number up to, without, the second; of a number the two are the same.
struct Range {
  double from = -1e9, to = 1e9;

  explicit Range(const std::string& label) {
    if (label == "*") return;
    const bool range = label.front() == '[';
    from = std::stod(range ? label.substr(1) : label);
    to = range ? std::stod(label.substr(label.find(',') + 1)) : from;
  }
  bool Has(double number) const {
    return from == to ? number == from : from <= number && number < to;
  }
  bool Within(const Range& wider) const {
    return wider.Has(from) && (from == to || (to <= wider.to && wider.from != wider.to));
  }
};

}  // namespace

bool Covers(const std::string& column, const std::string& label, const std::string& raw) {
  if (column == "age") return Range(label).Has(std::stod(raw));
  return HasTree(column) ? TreeOf(column).Covers(label, raw) : label == raw;
}

bool Share(const std::string& column, const std::vector<std::string>& labels) {
  if (column != "age") return TreeOf(column).Share(labels);
  // The largest beginning is in all of them, if any number is.
  double from = Range("*").from;
  for (const std::string& label : labels) from = std::max(from, Range(label).from);
  return std::all_of(labels.begin(), labels.end(),
                     [&](const std::string& label) { return Range(label).Has(from); });
}

bool AtOrBelow(const std::string& column, const std::string& label, const std::string& above) {
  if (column == "age") return Range(label).Within(Range(above));
  return HasTree(column) ? TreeOf(column).AtOrBelow(label, above) : label == above;
}

void AddTrees(const Fields& columns, Case& one, const std::string& role) {
  for (const std::string& column : columns) {
    if (column == "age") {
      one.columns += "age = { role = \"quasi\", " + std::string(kBreakpoints) + " }\n";
      continue;
    }
    one.columns += column + " = { role = \"" + role + "\", taxonomy = \"" + column + ".csv\" }\n";
    one.files[column + ".csv"] = TreeOf(column).text();
  }
}

void FindRanges(Case& one) {
  const std::size_t at = one.columns.find(kBreakpoints);
  if (at != std::string::npos) {
    one.columns.replace(at, std::string(kBreakpoints).size(), "type = \"numeric\"");
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
