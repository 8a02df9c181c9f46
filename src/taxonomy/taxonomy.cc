#include "reissue/taxonomy/taxonomy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "reissue/taxonomy/numbers.h"
#include "reissue/taxonomy/tree_builder.h"

namespace reissue::taxonomy {

std::string Taxonomy::label(NodeId node) const {
  if (index_) return std::string((*index_)[ValueId(node.index())]);
  if (is_leaf(node)) return std::string(LeafText(node));
  if (node == root()) return root_text_;
  return RangeLabel(range(node).low, range(node).high);
}

std::string_view Taxonomy::LeafText(NodeId leaf) const {
  const std::size_t begin = leaf_starts_[first_leaf(leaf)], end = leaf_starts_[last_leaf(leaf)];
  return std::string_view(leaf_texts_).substr(begin, end - begin);
}

std::optional<NodeId> Taxonomy::Find(std::string_view label) const {
  if (index_) {
    const std::optional<ValueId> found = index_->Find(label);
    if (!found) return std::nullopt;
    return NodeId(found->index());
  }
  if (nodes() == 0) return std::nullopt;
  if (label == root_text_ && !is_leaf(root())) return root();
  return label.starts_with('[') ? FindRange(label) : FindNumber(label);
}

// Down from the root, wherever the range may be.
std::optional<NodeId> Taxonomy::FindRange(std::string_view label) const {
  const std::size_t comma = label.find(',');
  if (comma == std::string_view::npos || !label.ends_with(')')) return std::nullopt;
  const auto low = ParseNumber(label.substr(1, comma - 1));
  const auto high = ParseNumber(label.substr(comma + 1, label.size() - comma - 2));
  if (!low || !high) return std::nullopt;
  for (NodeId node = root(); !is_leaf(node);) {
    if (node != root() && range(node).low == *low && range(node).high == *high) {
      if (this->label(node) == label) return node;
      return std::nullopt;
    }
    const auto below = children(node);
    const auto after = std::ranges::upper_bound(below, *low, {},
                                                [this](NodeId child) { return range(child).low; });
    if (after == below.begin()) return std::nullopt;
    node = after[-1];
  }
  return std::nullopt;
}

std::optional<NodeId> Taxonomy::FindNumber(std::string_view label) const {
  const auto number = ParseNumber(label);
  if (!number) return std::nullopt;
  auto leaf = std::ranges::lower_bound(leaf_nodes_, *number, {},
                                       [this](NodeId each) { return range(each).low; });
  for (; leaf != leaf_nodes_.end() && range(*leaf).low == *number; ++leaf) {
    if (LeafText(*leaf) == label) return *leaf;
  }
  return std::nullopt;
}

std::span<const NodeId> Taxonomy::children(NodeId node) const {
  const std::uint32_t begin = children_begin_[node.index()];
  return {children_.data() + begin, children_begin_[node.index() + 1] - begin};
}

std::size_t Taxonomy::ChildWith(NodeId node, std::uint32_t leaf_rank) const {
  const auto below = children(node);
  const auto after = std::ranges::upper_bound(below, leaf_rank, {},
                                              [this](NodeId child) { return first_leaf(child); });
  return static_cast<std::size_t>(after - below.begin()) - 1;
}

std::vector<std::vector<std::uint32_t>> ChildrenOfLeaves(const Taxonomy& tree, bool but_of_two) {
  std::vector<std::vector<std::uint32_t>> by_depth(tree.height() + 1);
  for (std::size_t n = 0; n < tree.nodes(); ++n) {
    if (but_of_two && tree.children(NodeId(n)).size() <= 2) continue;
    by_depth[tree.depth(NodeId(n))].resize(tree.leaves());
  }
  for (std::size_t n = 0; n < tree.nodes(); ++n) {
    const auto children = tree.children(NodeId(n));
    std::vector<std::uint32_t>& of_leaf = by_depth[tree.depth(NodeId(n))];
    if (of_leaf.empty()) continue;
    for (std::uint32_t c = 0; c < children.size(); ++c) {
      std::fill(of_leaf.begin() + tree.first_leaf(children[c]),
                of_leaf.begin() + tree.last_leaf(children[c]), c);
    }
  }
  return by_depth;
}

namespace {

// Grows a tree line by line, from the root down to the leaf.
class HierarchyReader {
 public:
  // What can be wrong with a line.
  enum class Kind { kNoLabels, kRoot, kTwiceOnLine, kLeafAndGroup, kTwoParents, kLeafTwice };
  static constexpr std::size_t kKinds = 6;
  Kind last_kind() const { return last_kind_; }

  explicit HierarchyReader(const std::string& file) : file_(file) {}

  // After an error the line counts for nothing, but for nodes that it was the first to name.
  Status ReadLine(const HierarchyLine& line) {
    ++visits_;
    const std::vector<std::string>& labels = line.labels;
    if (labels.empty()) {
      return At(Kind::kNoLabels, line, "a line without labels",
                "remove the line, or write `leaf;parent;…;*`");
    }
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (labels[i].empty()) {
        return At(
            Kind::kNoLabels, line, fmt::format("label {} of {} is empty", i + 1, labels.size()),
            "give every level a name, and repeat the label next to the leaf where a branch is "
            "shorter than the others");
      }
    }
    if (nodes_.empty()) {
      AddNode(labels.back(), TreeBuilder::kNoParent, line);
    } else if (labels.back() != builder_.label(0)) {
      return At(
          Kind::kRoot, line,
          fmt::format("the line ends in \"{}\", but line {} ends in \"{}\"", labels.back(),
                      details_[0].first_line, builder_.label(0)),
          fmt::format("end every line in the same root, for example \"{}\"", builder_.label(0)));
    }
    std::size_t node = 0;
    REISSUE_TRY(Visit(0, line));
    for (std::size_t i = labels.size() - 1; i-- > 0;) {
      if (labels[i] == labels[i + 1]) continue;
      node = REISSUE_TRY(Descend(node, labels[i], line));
    }
    return Finish(node, line);
  }

  Taxonomy Build() && { return std::move(builder_).Build(); }

 private:
  struct Detail {
    std::uint64_t first_line = 0;  // that names the node
    std::uint64_t leaf_line = 0;   // that has it as its leaf; 0: none
    bool inner = false;
    std::size_t last_visit = 0;
  };

  Error At(Kind kind, const HierarchyLine& line, std::string message, std::string remedy) {
    last_kind_ = kind;
    return InputError({file_, line.line, std::nullopt, ""}, std::move(message), std::move(remedy));
  }

  std::size_t AddNode(const std::string& label, std::size_t parent, const HierarchyLine& line) {
    const std::size_t node = builder_.Add(label, parent);
    nodes_.emplace(label, node);
    details_.push_back({line.line, 0, false, 0});
    if (parent != TreeBuilder::kNoParent) details_[parent].inner = true;
    return node;
  }

  Status Visit(std::size_t node, const HierarchyLine& line) {
    if (details_[node].last_visit == visits_) {
      return At(Kind::kTwiceOnLine, line,
                fmt::format("\"{}\" occurs twice on this line, with other labels in between",
                            builder_.label(node)),
                "a value cannot lie above itself: rename one of the two");
    }
    details_[node].last_visit = visits_;
    return Ok();
  }

  // The child of `parent` with that label, new or known.
  Result<std::size_t> Descend(std::size_t parent, const std::string& label,
                              const HierarchyLine& line) {
    if (details_[parent].leaf_line != 0) {
      return At(Kind::kLeafAndGroup, line,
                fmt::format("\"{}\" has \"{}\" below it here, but is a leaf on line {}",
                            builder_.label(parent), label, details_[parent].leaf_line),
                "a label is either a raw value or a group of values: give the group another name");
    }
    const auto found = nodes_.find(label);
    if (found == nodes_.end()) {
      const std::size_t node = AddNode(label, parent, line);
      details_[node].last_visit = visits_;
      return node;
    }
    const std::size_t node = found->second;
    REISSUE_TRY(Visit(node, line));
    if (builder_.parent(node) != parent) {
      return At(Kind::kTwoParents, line,
                fmt::format("\"{}\" lies below \"{}\" here, but below \"{}\" on line {}", label,
                            builder_.label(parent), builder_.label(builder_.parent(node)),
                            details_[node].first_line),
                "give every label one parent: correct one of the two lines, or rename one label");
    }
    return node;
  }

  Status Finish(std::size_t node, const HierarchyLine& line) {
    Detail& detail = details_[node];
    const std::string_view label = builder_.label(node);
    if (detail.leaf_line != 0) {
      return At(Kind::kLeafTwice, line,
                fmt::format("the leaf \"{}\" is already on line {}", label, detail.leaf_line),
                "remove one of the two lines: every raw value has one line");
    }
    if (detail.inner) {
      return At(Kind::kLeafAndGroup, line,
                fmt::format("\"{}\" is a leaf here, but has other labels below it on line {}",
                            label, detail.first_line),
                "a label is either a raw value or a group of values: give the group another name");
    }
    detail.leaf_line = line.line;
    return Ok();
  }

  const std::string& file_;
  TreeBuilder builder_;
  std::unordered_map<std::string, std::size_t> nodes_;
  std::vector<Detail> details_;
  std::size_t visits_ = 0;  // lines begun
  Kind last_kind_ = Kind::kNoLabels;
};

// Of the problems that are not told one by one.
constexpr const char* kOfKind[HierarchyReader::kKinds] = {
    "with a label that is empty",
    "that ends in another root",
    "on which a label occurs twice, with others in between",
    "on which a label is a leaf and elsewhere has others below it, or the other way round",
    "on which a label lies below another one than before",
    "whose leaf stands on an earlier line",
};

Error NoLines(const std::string& file) {
  return InputError({file, std::nullopt, std::nullopt, ""}, "the hierarchy has no lines",
                    "write one line per value, from the leaf to the root: `leaf;parent;…;*`");
}

}  // namespace

Result<Taxonomy> FromHierarchy(std::span<const HierarchyLine> lines, const std::string& file) {
  if (lines.empty()) return NoLines(file);
  HierarchyReader reader(file);
  for (const HierarchyLine& line : lines) REISSUE_TRY(reader.ReadLine(line));
  return std::move(reader).Build();
}

std::vector<Error> HierarchyProblems(std::span<const HierarchyLine> lines, const std::string& file,
                                     std::size_t most) {
  if (lines.empty()) return {NoLines(file)};
  HierarchyReader reader(file);
  std::vector<Error> problems;
  std::array<std::size_t, HierarchyReader::kKinds> found = {};
  for (const HierarchyLine& line : lines) {
    const Status read = reader.ReadLine(line);
    if (read) continue;
    if (++found[static_cast<std::size_t>(reader.last_kind())] <= most) {
      problems.push_back(read.error());
    }
  }
  for (std::size_t kind = 0; kind < found.size(); ++kind) {
    if (found[kind] <= most) continue;
    const std::size_t more = found[kind] - most;
    problems.push_back(
        InputError({file, std::nullopt, std::nullopt, ""},
                   fmt::format("and {} more line{} {}", more, more == 1 ? "" : "s", kOfKind[kind]),
                   "correct them as those above"));
  }
  return problems;
}

std::vector<HierarchyLine> ToHierarchy(const Taxonomy& tree) {
  std::vector<HierarchyLine> lines;
  lines.reserve(tree.leaves());
  for (std::size_t rank = 0; rank < tree.leaves(); ++rank) {
    HierarchyLine line;
    line.line = rank + 1;
    const NodeId leaf = tree.leaf(rank);
    line.labels.assign(tree.height() - tree.depth(leaf), tree.label(leaf));
    for (NodeId node = leaf; node.valid(); node = tree.parent(node)) {
      line.labels.push_back(tree.label(node));
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

Result<Taxonomy> WithRanges(Taxonomy tree, const std::string& file) {
  std::vector<Range> ranges(tree.nodes());
  for (std::size_t i = tree.nodes(); i-- > 0;) {
    const NodeId node(i);
    if (tree.is_leaf(node)) {
      const std::optional<double> number = ParseNumber(tree.label(node));
      if (!number) {
        return InputError({file, std::nullopt, std::nullopt, ""},
                          fmt::format("the leaf \"{}\" is not a number, but its column is declared "
                                      "numeric",
                                      tree.label(node)),
                          "correct the leaf, or remove `type = \"numeric\"` from the column");
      }
      ranges[i] = {*number, *number};
      continue;
    }
    const auto children = tree.children(node);
    ranges[i] = ranges[children.front().index()];
    for (const NodeId child : children) {
      ranges[i].low = std::min(ranges[i].low, ranges[child.index()].low);
      ranges[i].high = std::max(ranges[i].high, ranges[child.index()].high);
    }
  }
  return TreeBuilder::ReplaceRanges(std::move(tree), std::move(ranges));
}

}  // namespace reissue::taxonomy
