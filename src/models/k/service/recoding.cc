#include "reissue/models/k/service/recoding.h"

#include <algorithm>
#include <functional>
#include <set>

#include "reissue/binding/release_writer.h"
#include "reissue/io/csv.h"
#include "reissue/models/k/publisher/problem.h"

namespace reissue::models::k::service {
namespace {

// The text of every value of a published column as it stands in the file: quoted where needed,
// generalised where the column is a quasi-identifier with a cut.
std::vector<std::string> FieldTexts(const binding::HolderTable& holder, ColumnId id,
                                    const Outcome& outcome) {
  const Dictionary& dictionary = holder.table[id].dictionary();
  std::vector<std::string> texts(dictionary.size());
  const auto quasi = std::find_if(holder.quasi.begin(), holder.quasi.end(),
                                  [&](const binding::Quasi& q) { return q.column == id; });
  for (std::size_t v = 0; v < dictionary.size(); ++v) {
    std::string_view text = dictionary[ValueId(v)];
    if (quasi != holder.quasi.end() && !outcome.cuts.empty()) {
      const auto q = static_cast<std::size_t>(quasi - holder.quasi.begin());
      text = quasi->tree->label(outcome.cuts[q].NodeOfLeaf(quasi->leaf_of_value[v]));
    }
    io::AppendField(texts[v], text);
  }
  return texts;
}

std::vector<std::vector<std::string>> TextsOf(const binding::HolderTable& holder,
                                              const Outcome& outcome) {
  std::vector<std::vector<std::string>> texts;
  for (const ColumnId id : holder.published) texts.push_back(FieldTexts(holder, id, outcome));
  return texts;
}

// What the nodes hide, where the trees do not tell by themselves: weights are 1 on average, and
// what lies below a floor is lost.
std::vector<std::vector<double>> HiddenIn(const binding::HolderTable& holder, Score score) {
  double weights = 0;
  bool plain = true;
  for (const binding::Quasi& quasi : holder.quasi) {
    weights += quasi.policy->weight;
    plain = plain && quasi.policy->weight == 1 && !quasi.beyond_floor;
  }
  std::vector<std::vector<double>> hidden;
  if (plain) return hidden;
  for (const binding::Quasi& quasi : holder.quasi) {
    const double weight = quasi.policy->weight * static_cast<double>(holder.quasi.size()) / weights;
    const taxonomy::Taxonomy& whole = quasi.whole_tree();
    hidden.emplace_back();
    for (std::size_t n = 0; n < quasi.tree->nodes(); ++n) {
      const NodeId node = *whole.Find(quasi.tree->label(NodeId(n)));
      hidden.back().push_back(weight * internal::Hidden(whole, node, score));
    }
  }
  return hidden;
}

// Where the quasi-identifiers stand among the published columns.
std::vector<std::size_t> PlacesOfQuasi(const binding::HolderTable& holder) {
  std::vector<std::size_t> places;
  for (const binding::Quasi& quasi : holder.quasi) {
    const auto at = std::find(holder.published.begin(), holder.published.end(), quasi.column);
    places.push_back(static_cast<std::size_t>(at - holder.published.begin()));
  }
  return places;
}

// Recoded by cuts.
class CutLines {
 public:
  CutLines(const binding::HolderTable& holder, const Outcome& outcome)
      : holder_(holder),
        outcome_(outcome),
        texts_(TextsOf(holder, outcome)),
        line_(binding::FieldByField(texts_)),
        cells_(outcome.suppressed.begin(), outcome.suppressed.end()),
        nodes_(holder.quasi.size()),
        places_(PlacesOfQuasi(holder)) {}

  bool operator()(std::span<const std::uint32_t> key, std::string& line) {
    return !LeftOut(key) && line_(key, line);
  }

 private:
  bool LeftOut(std::span<const std::uint32_t> key) {
    if (cells_.empty()) return false;
    for (std::size_t q = 0; q < nodes_.size(); ++q) {
      nodes_[q] = outcome_.cuts[q].NodeOfLeaf(holder_.quasi[q].leaf_of_value[key[places_[q]]]);
    }
    return cells_.contains(nodes_);
  }

  const binding::HolderTable& holder_;
  const Outcome& outcome_;
  std::vector<std::vector<std::string>> texts_;
  binding::LineOf line_;
  std::set<std::vector<NodeId>> cells_;
  std::vector<NodeId> nodes_;
  std::vector<std::size_t> places_;
};

// Recoded by boxes.
class BoxLines {
 public:
  BoxLines(const binding::HolderTable& holder, const Outcome& outcome)
      : holder_(holder),
        local_(*outcome.local),
        locate_(local_.tree),
        texts_(TextsOf(holder, outcome)),
        quasi_of_(holder.published.size(), holder.quasi.size()),
        ranks_(holder.quasi.size()),
        places_(PlacesOfQuasi(holder)) {
    for (std::size_t q = 0; q < places_.size(); ++q) {
      quasi_of_[places_[q]] = q;
      const taxonomy::Taxonomy& tree = *holder.quasi[q].tree;
      labels_.emplace_back(tree.nodes());
      for (std::size_t node = 0; node < tree.nodes(); ++node) {
        io::AppendField(labels_[q][node], tree.label(NodeId(node)));
      }
    }
  }

  bool operator()(std::span<const std::uint32_t> key, std::string& line) {
    for (std::size_t q = 0; q < ranks_.size(); ++q) {
      ranks_[q] = holder_.quasi[q].leaf_of_value[key[places_[q]]];
    }
    const auto box = local_.shown[locate_(ranks_)];
    if (box == LocalRecoding::kLeftOut) return false;
    const auto nodes = local_.tree.nodes(box);
    for (std::size_t c = 0; c < texts_.size(); ++c) {
      if (c > 0) line += ',';
      const std::size_t q = quasi_of_[c];
      line += q < nodes.size() ? labels_[q][nodes[q].index()] : texts_[c][key[c]];
    }
    return true;
  }

 private:
  const binding::HolderTable& holder_;
  const LocalRecoding& local_;
  taxonomy::Locator locate_;
  std::vector<std::vector<std::string>> texts_;
  std::vector<std::vector<std::string>> labels_;  // per quasi-identifier and node
  std::vector<std::size_t> quasi_of_;             // per published column
  std::vector<std::uint32_t> ranks_;
  std::vector<std::size_t> places_;
};

// Recoded by boxes; starred rows as a line of roots.
class StarredLines {
 public:
  StarredLines(const binding::HolderTable& holder, const Outcome& outcome)
      : boxes_(holder, outcome), texts_(TextsOf(holder, outcome)) {
    for (const std::size_t place : PlacesOfQuasi(holder)) {
      const auto q = roots_.size();
      roots_.emplace_back(place, "");
      io::AppendField(roots_[q].second, holder.quasi[q].tree->label(taxonomy::Taxonomy::root()));
    }
  }

  bool operator()(std::span<const std::uint32_t> key, std::string& line) {
    if (key.back() == 0) return boxes_(key.first(key.size() - 1), line);
    for (std::size_t c = 0; c < texts_.size(); ++c) {
      if (c > 0) line += ',';
      const auto root = std::ranges::find(roots_, c, &std::pair<std::size_t, std::string>::first);
      line += root != roots_.end() ? root->second : texts_[c][key[c]];
    }
    return true;
  }

 private:
  BoxLines boxes_;
  std::vector<std::vector<std::string>> texts_;
  std::vector<std::pair<std::size_t, std::string>> roots_;  // places of quasi-identifiers, labels
};

// Those that may stand in the release, in the order of the tree.
std::vector<NodeId> LabelsOf(const Outcome& outcome, const taxonomy::Taxonomy& tree,
                             std::size_t quasi) {
  if (!outcome.local) return outcome.cuts[quasi].Nodes();
  std::vector<NodeId> all;
  for (std::size_t node = 0; node < tree.nodes(); ++node) all.emplace_back(node);
  return all;
}

}  // namespace

Status WriteRelease(const binding::HolderTable& holder, const Cells& combinations,
                    const Outcome& outcome, const std::string& path, Random& random,
                    binding::Context& context) {
  const auto write = [&](auto lines) {
    return binding::WriteRows(holder.table, holder.published, binding::LineOf(std::ref(lines)),
                              combinations, path, random, context);
  };
  if (outcome.starred_rows > 0) return write(StarredLines(holder, outcome));
  return outcome.local ? write(BoxLines(holder, outcome)) : write(CutLines(holder, outcome));
}

LeafCells LeavesOf(const binding::HolderTable& holder, const Cells& published, Score score,
                   const std::optional<ColumnId>& class_column) {
  LeafCells leaves;
  // A stand-in for sensitive columns is not published; PublishedCombinations puts it last.
  std::vector<std::size_t> position(holder.table.width(), holder.published.size());
  for (std::size_t i = 0; i < holder.published.size(); ++i) {
    position[holder.published[i].index()] = i;
  }
  const std::size_t width = holder.quasi.size() + 1 + (class_column ? 1 : 0);
  for (const binding::Quasi& quasi : holder.quasi) leaves.taxonomies.push_back(quasi.tree);
  leaves.hidden = HiddenIn(holder, score);
  leaves.sensitive_values = static_cast<std::uint32_t>(holder.sensitive.values->size());
  if (class_column) {
    leaves.class_values =
        static_cast<std::uint32_t>(holder.table[*class_column].dictionary().size());
  }
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  keys.reserve(published.size() * width);
  counts.reserve(published.size() * published.origins());
  for (std::size_t i = 0; i < published.size(); ++i) {
    const auto key = published.key(CellId(i));
    for (const binding::Quasi& quasi : holder.quasi) {
      keys.push_back(quasi.leaf_of_value[key[position[quasi.column.index()]]]);
    }
    keys.push_back(holder.sensitive.column ? key[position[holder.sensitive.column->index()]] : 0);
    if (class_column) keys.push_back(key[position[class_column->index()]]);
    for (std::size_t birth = 0; birth < published.origins(); ++birth) {
      counts.push_back(published.count(CellId(i), birth));
    }
  }
  leaves.cells = CollectCells(width, keys, counts, published.origins());
  return leaves;
}

PublishOptions SearchOptions(const Promise& promise, std::uint64_t rows, std::uint64_t seed) {
  PublishOptions options;
  options.score = promise.score;
  options.search = promise.search;
  options.budget_seconds = promise.budget_seconds;
  options.seed = seed;
  options.suppression_limit = promise.suppression_rows.value_or(
      static_cast<std::uint64_t>(promise.suppression_share * static_cast<double>(rows) + 1e-9));
  return options;
}

// What stands in the release for the values of each quasi-identifier: labels that occur, no others.
std::vector<contract::PublishReport::Recoded> DescribeRecoding(
    const std::vector<Spread>& before, const binding::ReleaseTable& release) {
  std::vector<contract::PublishReport::Recoded> recoding;
  for (std::size_t q = 0; q < before.size(); ++q) {
    const std::set<std::string_view> occur = [&] {
      const auto& labels = release.table[release.quasi[q]].dictionary().strings();
      return std::set<std::string_view>(labels.begin(), labels.end());
    }();
    contract::PublishReport::Recoded column{before[q].column, {}, before[q].values};
    for (const std::string& label : before[q].labels) {
      if (occur.contains(label)) column.labels.push_back(label);
    }
    recoding.push_back(std::move(column));
  }
  return recoding;
}

// Names, distinct values and possible labels of the quasi-identifiers, in the order of the trees.
std::vector<Spread> SpreadOf(const binding::HolderTable& holder, const Outcome& outcome) {
  std::vector<Spread> spread;
  for (std::size_t q = 0; q < holder.quasi.size(); ++q) {
    const binding::Quasi& quasi = holder.quasi[q];
    std::vector<char> seen(quasi.tree->leaves());
    for (const std::uint32_t leaf : quasi.leaf_of_value) seen[leaf] = 1;
    Spread column{quasi.policy->name,
                  static_cast<std::uint64_t>(std::count(seen.begin(), seen.end(), 1)),
                  {}};
    for (const NodeId node : LabelsOf(outcome, *quasi.tree, q)) {
      column.labels.push_back(quasi.tree->label(node));
    }
    spread.push_back(std::move(column));
  }
  return spread;
}

}  // namespace reissue::models::k::service
