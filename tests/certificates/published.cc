#include "published.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <stdexcept>

namespace certificates {
namespace {

struct Range {
  std::string label;
  double low = 0, high = 0;
};

Range RangeOf(const std::string& label) {
  constexpr double kAll = std::numeric_limits<double>::infinity();
  if (label == "*") return {label, -kAll, kAll};
  if (label[0] != '[') return {label, std::stod(label), std::stod(label)};
  const std::size_t comma = label.find(',');
  return {label, std::stod(label.substr(1)), std::stod(label.substr(comma + 1))};
}

bool Inside(const Range& inner, const Range& outer) {
  if (inner.low == inner.high && outer.low == outer.high) return false;
  return outer.low <= inner.low && inner.high <= outer.high &&
         (inner.low < outer.high || inner.low < inner.high);
}

std::vector<std::string> Split(const std::string& text, char by) {
  std::vector<std::string> parts = {""};
  for (const char c : text) {
    if (c == by) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

void Preorder(const std::map<std::string, std::vector<std::string>>& children,
              const std::string& node, std::vector<std::string>& labels) {
  labels.push_back(node);
  const auto below = children.find(node);
  if (below == children.end()) return;
  for (const std::string& child : below->second) Preorder(children, child, labels);
}

}  // namespace

std::size_t File::At(const std::string& name) const {
  const auto at = std::find(header.begin(), header.end(), name);
  if (at == header.end()) throw std::logic_error("no column " + name);
  return static_cast<std::size_t>(at - header.begin());
}

bool File::Has(const std::string& name) const {
  return std::find(header.begin(), header.end(), name) != header.end();
}

std::vector<std::string> File::Column(const std::string& name) const {
  std::vector<std::string> column;
  for (const auto& row : rows) column.push_back(row[At(name)]);
  return column;
}

File ReadCsv(const std::string& text) {
  std::vector<std::vector<std::string>> records = {{""}};
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      if (quoted && i + 1 < text.size() && text[i + 1] == '"') {
        records.back().back() += text[++i];
      } else {
        quoted = !quoted;
      }
    } else if (c == ',' && !quoted) {
      records.back().emplace_back();
    } else if (c == '\n' && !quoted) {
      records.push_back({""});
    } else {
      records.back().back() += c;
    }
  }
  records.pop_back();
  File file;
  file.header = records.front();
  file.rows.assign(records.begin() + 1, records.end());
  return file;
}

bool Tree::AtOrAbove(const std::string& upper, const std::string& lower) const {
  for (std::string at = lower; !at.empty(); at = above.at(at)) {
    if (at == upper) return true;
  }
  return false;
}

Tree ReadTaxonomy(const std::string& text) {
  Tree tree;
  std::map<std::string, std::vector<std::string>> children;
  std::string root;
  for (const std::string& line : Split(text, '\n')) {
    if (line.empty()) continue;
    const std::vector<std::string> labels = Split(line, ';');
    root = labels.back();
    tree.above[root] = "";
    for (std::size_t i = labels.size() - 1; i-- > 0;) {
      if (labels[i] == labels[i + 1] || tree.above.contains(labels[i])) continue;
      tree.above[labels[i]] = labels[i + 1];
      children[labels[i + 1]].push_back(labels[i]);
    }
  }
  Preorder(children, root, tree.labels);
  return tree;
}

Tree TreeOfRanges(const std::vector<std::string>& labels) {
  std::set<std::string> once(labels.begin(), labels.end());
  once.insert("*");
  std::vector<Range> ranges;
  for (const std::string& label : once) ranges.push_back(RangeOf(label));
  std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) {
    return a.low != b.low ? a.low < b.low : a.high > b.high;
  });
  Tree tree;
  for (const Range& range : ranges) {
    tree.labels.push_back(range.label);
    const Range* nearest = nullptr;
    for (const Range& other : ranges) {
      if (other.label == range.label || !Inside(range, other)) continue;
      if (nearest == nullptr || Inside(other, *nearest)) nearest = &other;
    }
    tree.above[range.label] = nearest == nullptr ? "" : nearest->label;
  }
  return tree;
}

std::string Canonical(const std::string& number) {
  const double worth = std::stod(number);
  return fmt::format("{}", worth == 0 ? 0.0 : worth);
}

}  // namespace certificates
