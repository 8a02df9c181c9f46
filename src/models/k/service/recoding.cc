#include "reissue/models/k/service/recoding.h"

#include <algorithm>
#include <memory>
#include <set>

#include "reissue/binding/release_writer.h"
#include "reissue/core/collect_cells.h"
#include "reissue/io/csv.h"
#include "reissue/models/k/publisher/problem.h"

namespace reissue::models::k::service {
namespace {

constexpr std::size_t kCombinationsAtOnce = 1 << 14;

// The text of every value of a published column as it stands in the file: quoted where needed,
// generalised where the column is a quasi-identifier with a cut.
std::vector<std::string> FieldTexts(const binding::HolderTable& holder, ColumnId id,
                                    const Outcome& outcome) {
  const Dictionary& dictionary = holder.table[id].dictionary();
  std::vector<std::string> texts(dictionary.size());
  const auto quasi = std::find_if(holder.quasi.begin(), holder.quasi.end(),
                                  [&](const binding::Quasi& q) { return q.column == id; });
  for (std::size_t v = 0; v < dictionary.size(); ++v) {
    if (quasi == holder.quasi.end() || outcome.cuts.empty()) {
      io::AppendField(texts[v], dictionary[ValueId(v)]);
      continue;
    }
    const auto q = static_cast<std::size_t>(quasi - holder.quasi.begin());
    const NodeId node = outcome.cuts[q].NodeOfLeaf(quasi->leaf_of_value[v]);
    io::AppendField(texts[v], quasi->tree->label(node));
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
binding::LineLabels CutLabels(const binding::HolderTable& holder, const Outcome& outcome) {
  binding::LineLabels labels = binding::FieldByField(TextsOf(holder, outcome));
  if (outcome.suppressed.empty()) return labels;
  const std::set<std::vector<NodeId>> cells(outcome.suppressed.begin(), outcome.suppressed.end());
  labels.of = [&, cells, of = std::move(labels.of), places = PlacesOfQuasi(holder),
               nodes = std::vector<NodeId>(holder.quasi.size())](
                  std::span<const std::uint32_t> key, std::span<std::uint32_t> numbers) mutable {
    for (std::size_t q = 0; q < nodes.size(); ++q) {
      nodes[q] = outcome.cuts[q].NodeOfLeaf(holder.quasi[q].leaf_of_value[key[places[q]]]);
    }
    return !cells.contains(nodes) && of(key, numbers);
  };
  return labels;
}

// Recoded by boxes; starred rows, whose keys have a code more that is not 0, by roots. What is not
// recoded is as `of` has it.
class BoxNumbers {
 public:
  using Numbers = decltype(binding::LineLabels::of);
  BoxNumbers(const binding::HolderTable& holder, const Outcome& outcome, Numbers of)
      : holder_(holder),
        local_(*outcome.local),
        locate_(local_.tree),
        of_(std::move(of)),
        ranks_(holder.quasi.size()),
        places_(PlacesOfQuasi(holder)),
        starred_(outcome.starred_rows > 0) {}

  bool operator()(std::span<const std::uint32_t> key, std::span<std::uint32_t> numbers) {
    of_(key, numbers);
    if (starred_ && key.back() != 0) {
      const auto root = static_cast<std::uint32_t>(taxonomy::Taxonomy::root().index());
      for (const std::size_t place : places_) numbers[place] = root;
      return true;
    }
    for (std::size_t q = 0; q < ranks_.size(); ++q) {
      ranks_[q] = holder_.quasi[q].leaf_of_value[key[places_[q]]];
    }
    const auto box = local_.shown[locate_(ranks_)];
    if (box == LocalRecoding::kLeftOut) return false;
    const auto nodes = local_.tree.nodes(box);
    for (std::size_t q = 0; q < nodes.size(); ++q) {
      numbers[places_[q]] = static_cast<std::uint32_t>(nodes[q].index());
    }
    return true;
  }

 private:
  const binding::HolderTable& holder_;
  const LocalRecoding& local_;
  taxonomy::Locator locate_;
  Numbers of_;
  std::vector<std::uint32_t> ranks_;
  std::vector<std::size_t> places_;
  bool starred_;
};

binding::LineLabels BoxLabels(const binding::HolderTable& holder, const Outcome& outcome) {
  binding::LineLabels labels = binding::FieldByField(TextsOf(holder, outcome));
  const std::vector<std::size_t> places = PlacesOfQuasi(holder);
  for (std::size_t q = 0; q < places.size(); ++q) {
    const taxonomy::Taxonomy& tree = *holder.quasi[q].tree;
    std::vector<std::string>& texts = labels.texts[places[q]];
    texts.assign(tree.nodes(), "");
    for (std::size_t node = 0; node < tree.nodes(); ++node) {
      io::AppendField(texts[node], tree.label(NodeId(node)));
    }
  }
  labels.of = [of = std::make_shared<BoxNumbers>(holder, outcome, std::move(labels.of))](
                  std::span<const std::uint32_t> key, std::span<std::uint32_t> numbers) {
    return (*of)(key, numbers);
  };
  return labels;
}

// Keys are made of the table row by row.
Cells LeavesOfRows(const binding::HolderTable& holder, const std::optional<ColumnId>& class_column,
                   ThreadPool& pool) {
  std::vector<std::uint64_t> domains;
  for (const binding::Quasi& quasi : holder.quasi) domains.push_back(quasi.tree->leaves());
  domains.push_back(std::max<std::size_t>(holder.sensitive.values->size(), 1));
  if (class_column) domains.push_back(holder.table[*class_column].dictionary().size());
  const Table& table = holder.table;
  const auto keys = [&](std::size_t first, std::size_t rows, std::uint32_t* codes) {
    for (std::size_t row = first; row < first + rows; ++row) {
      const RowId id(row);
      for (const binding::Quasi& quasi : holder.quasi) {
        *codes++ = quasi.leaf_of_value[table[quasi.column][id].index()];
      }
      *codes++ = holder.sensitive.column ? table[*holder.sensitive.column][id].raw() : 0;
      if (class_column) *codes++ = table[*class_column][id].raw();
    }
  };
  if (table.counted()) return CollectCells(domains, table.rows(), keys, table.weights(), pool);
  const std::vector<std::uint64_t> ones(table.rows(), 1);
  return CollectCells(domains, table.rows(), keys, ones, pool);
}

// The same with the births of rows.
Cells LeavesByBirth(const binding::HolderTable& holder, const Cells& published,
                    const std::optional<ColumnId>& class_column, ThreadPool& pool) {
  // A stand-in for sensitive columns is not published; PublishedCombinations puts it last.
  std::vector<std::size_t> position(holder.table.width(), holder.published.size());
  for (std::size_t i = 0; i < holder.published.size(); ++i) {
    position[holder.published[i].index()] = i;
  }
  const std::size_t width = holder.quasi.size() + 1 + (class_column ? 1 : 0);
  const std::size_t births = published.origins();
  const std::size_t codes = width + (births > 1 ? 1 : 0);
  std::vector<std::uint32_t> keys(published.parts() * codes);
  std::vector<std::uint64_t> counts(published.parts());
  const std::size_t parts = published.size() / kCombinationsAtOnce + 1;
  pool.Run(parts, [&](std::size_t part) {
    const std::size_t end = published.size() * (part + 1) / parts;
    for (std::size_t i = published.size() * part / parts; i < end; ++i) {
      const auto key = published.key(CellId(i));
      std::size_t entry = published.first_part(CellId(i));
      published.ForEachPart(CellId(i), [&](const Cells::Part& rows) {
        std::uint32_t* code = keys.data() + entry * codes;
        for (const binding::Quasi& quasi : holder.quasi) {
          *code++ = quasi.leaf_of_value[key[position[quasi.column.index()]]];
        }
        *code++ = holder.sensitive.column ? key[position[holder.sensitive.column->index()]] : 0;
        if (class_column) *code++ = key[position[class_column->index()]];
        if (births > 1) *code = rows.origin;
        counts[entry++] = rows.rows;
      });
    }
  });
  return CollectCells(width, keys, counts, births, pool);
}

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
  return binding::WriteRows(holder.table, holder.published,
                            outcome.local ? BoxLabels(holder, outcome) : CutLabels(holder, outcome),
                            combinations, path, random, context);
}

LeafCells LeavesOf(const binding::HolderTable& holder, const Cells& published, Score score,
                   const std::optional<ColumnId>& class_column, ThreadPool& pool) {
  LeafCells leaves;
  for (const binding::Quasi& quasi : holder.quasi) leaves.taxonomies.push_back(quasi.tree);
  leaves.hidden = HiddenIn(holder, score);
  leaves.sensitive_values = static_cast<std::uint32_t>(holder.sensitive.values->size());
  if (class_column) {
    leaves.class_values =
        static_cast<std::uint32_t>(holder.table[*class_column].dictionary().size());
  }
  leaves.cells = published.size() == 0 ? LeavesOfRows(holder, class_column, pool)
                                       : LeavesByBirth(holder, published, class_column, pool);
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
