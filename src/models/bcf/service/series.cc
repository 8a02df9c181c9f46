#include "reissue/models/bcf/service/series.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <set>

#include "reissue/io/csv.h"
#include "reissue/models/bcf/adversary/worlds.h"
#include "reissue/models/bcf/release/stars.h"

namespace reissue::models::bcf::service {
namespace {

using taxonomy::Regions;
using taxonomy::Taxonomy;

// Where a label stands first; the release alone where its rows are not at hand.
Place PlaceOf(const PublishedRelease& release, std::size_t quasi, std::size_t label,
              const std::string& column) {
  if (!release.source) return {release.name, std::nullopt, std::nullopt, column};
  const Table& table = release.source->table;
  const ColumnId id = release.source->quasi[quasi];
  return table.PlaceOf(table.FirstWith(id, ValueId(label)), id);
}

// Only labels that some row has: a dictionary may know more.
std::vector<char> LabelsInUse(const PublishedRelease& release, std::size_t quasi) {
  std::vector<char> used(release.labels[quasi]->size(), 0);
  for (std::size_t i = 0; i < release.cells.size(); ++i) {
    used[release.cells.key(CellId(i))[quasi]] = 1;
  }
  return used;
}

Result<Scale> ScaleFromLabels(const std::vector<PublishedRelease>& releases, std::size_t quasi,
                              const std::string& column) {
  std::vector<std::string> labels;
  for (const PublishedRelease& release : releases) {
    const std::vector<char> used = LabelsInUse(release, quasi);
    for (std::size_t v = 0; v < used.size(); ++v) {
      if (used[v] == 0) continue;
      const std::string_view label = (*release.labels[quasi])[ValueId(v)];
      if (!taxonomy::CanonicalLabel(label)) {
        return InputError(PlaceOf(release, quasi, v, column),
                          "a number, a range [a,b) or * was expected",
                          "Correct the file, or give the column a taxonomy in the policy.");
      }
      labels.emplace_back(label);
    }
  }
  if (auto tree = taxonomy::FromLabels(labels, column)) {
    return Scale{std::make_shared<const Taxonomy>(*std::move(tree)), nullptr};
  }
  // All are numbers and ranges: some of them overlap.
  Regions regions = REISSUE_TRY(Regions::FromRanges(labels, column));
  return Scale{nullptr, std::make_shared<const Regions>(std::move(regions))};
}

// From texts to nodes.
using FindNode = std::function<std::optional<NodeId>(std::string_view)>;

FindNode FindIn(const Scale& scale, binding::Labels labels) {
  if (scale.tree) {
    return [tree = scale.tree, labels](std::string_view text) {
      return binding::FindLabel(*tree, text, labels);
    };
  }
  return [regions = scale.regions](std::string_view text) {
    return regions->Find(taxonomy::CanonicalLabel(text).value_or(std::string(text)));
  };
}

Result<std::vector<std::uint32_t>> NodesOf(const PublishedRelease& release, std::size_t quasi,
                                           const FindNode& find, const std::string& column) {
  std::vector<std::uint32_t> nodes(release.labels[quasi]->size(), 0);
  const std::vector<char> used = LabelsInUse(release, quasi);
  for (std::size_t v = 0; v < used.size(); ++v) {
    if (used[v] == 0) continue;
    const auto node = find((*release.labels[quasi])[ValueId(v)]);
    if (!node) {
      return InputError(PlaceOf(release, quasi, v, column),
                        "the label is not in the taxonomy of this column",
                        "Add it to the taxonomy that the policy names, or use the taxonomy that "
                        "the release was made with. All releases need the same one.");
    }
    nodes[v] = node->raw();
  }
  return nodes;
}

Result<Cells> Recode(const PublishedRelease& release, const std::vector<FindNode>& find,
                     const binding::ReleaseColumns& columns, DictionaryBuilder& values) {
  std::vector<std::vector<std::uint32_t>> code_of;
  for (std::size_t q = 0; q < find.size(); ++q) {
    auto nodes = REISSUE_TRY(NodesOf(release, q, find[q], columns.quasi[q]));
    code_of.push_back(std::move(nodes));
  }
  std::vector<std::uint32_t> value_codes;
  for (const std::string_view text : release.values->strings()) {
    value_codes.push_back(values.Intern(text).raw());
  }
  code_of.push_back(std::move(value_codes));
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  keys.reserve(release.cells.size() * code_of.size());
  for (std::size_t i = 0; i < release.cells.size(); ++i) {
    const auto key = release.cells.key(CellId(i));
    for (std::size_t q = 0; q < key.size(); ++q) keys.push_back(code_of[q][key[q]]);
    counts.push_back(release.cells.count(CellId(i)));
  }
  return CollectCells(code_of.size(), keys, counts);
}

// There is a world of the series.
bool Possible(const Series& series) {
  const Formulas formulas(series);
  return formulas.consistent() && Worlds(series, formulas).impossible().empty();
}

// The column of stars, where readers know of it and it can be.
Status AddStars(Scales scales, Stars stars, BoundSeries& bound) {
  if (stars == Stars::kAny || (stars == Stars::kStay && !AnyStars(bound.cells))) return Ok();
  std::vector<Cells> cells = WithStars(bound.cells);
  scales.push_back({StarTree(), nullptr});
  Series series = REISSUE_TRY(Series::Make(scales, cells));
  if (stars == Stars::kStay && !Possible(series)) {
    bound.rule_broken = true;
    return Ok();
  }
  bound.cells = std::move(cells);
  bound.series = std::move(series);
  bound.stars = true;
  return Ok();
}

Status Bind(const binding::ReleaseColumns& columns, const Scales& scales,
            const std::vector<FindNode>& find, std::vector<PublishedRelease> releases, Stars stars,
            BoundSeries& bound) {
  DictionaryBuilder values;
  for (const PublishedRelease& release : releases) {
    Cells cells = REISSUE_TRY(Recode(release, find, columns, values));
    bound.cells.push_back(std::move(cells));
  }
  bound.values = std::move(values).Build();
  bound.series = REISSUE_TRY(Series::Make(scales, bound.cells));
  REISSUE_TRY(AddStars(scales, stars, bound));
  bound.columns = columns;
  bound.releases = std::move(releases);
  return Ok();
}

// The labels of a column that occur in a release, ascending.
std::vector<NodeId> LabelsOf(const Release& release, std::size_t column) {
  std::set<NodeId> labels;
  for (std::size_t cell = 0; cell < release.cells(); ++cell) {
    labels.insert(release.node(cell, column));
  }
  return {labels.begin(), labels.end()};
}

}  // namespace

Result<PublishedRelease> ReadPublished(const binding::ReleaseColumns& columns,
                                       const std::string& path, binding::Context& context) {
  binding::ReleaseTable table = REISSUE_TRY(binding::LoadRelease(columns, path, context));
  PublishedRelease release;
  release.name = path;
  release.digest = table.digest;
  release.identifiers = table.identifiers;
  release.dropped = table.dropped;
  for (const ColumnId id : table.quasi) {
    release.labels.push_back(table.table[id].shared_dictionary());
  }
  release.values = table.sensitive.values;
  release.cells = binding::ReleaseCells(table, context.pool);
  release.source = std::make_shared<const binding::ReleaseTable>(std::move(table));
  return release;
}

std::string SaveRelease(const PublishedRelease& release, const binding::ReleaseColumns& columns) {
  std::string text;
  for (const std::string& name : columns.quasi) {
    io::AppendField(text, name);
    text += ',';
  }
  text += "value,rows\n";
  for (std::size_t i = 0; i < release.cells.size(); ++i) {
    const auto key = release.cells.key(CellId(i));
    for (std::size_t q = 0; q < release.labels.size(); ++q) {
      io::AppendField(text, (*release.labels[q])[ValueId(key[q])]);
      text += ',';
    }
    io::AppendField(text, (*release.values)[ValueId(key[release.labels.size()])]);
    text += fmt::format(",{}\n", release.cells.count(CellId(i)));
  }
  return text;
}

Result<PublishedRelease> ParseRelease(std::string_view text, const binding::ReleaseColumns& columns,
                                      const std::string& name) {
  const auto records = REISSUE_TRY(io::ReadRecords(text, name, ','));
  const std::size_t quasi = columns.quasi.size();
  PublishedRelease release;
  release.name = name;
  std::vector<DictionaryBuilder> dictionaries(quasi + 1);
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  for (const io::Record& record : records) {
    const Place place{name, record.line, std::nullopt, ""};
    if (record.fields.size() != quasi + 2) {
      return InputError(
          place,
          fmt::format("{} fields were expected, and there are {}", quasi + 2, record.fields.size()),
          "The release was recorded with other columns.");
    }
    if (&record == &records.front()) continue;
    for (std::size_t f = 0; f <= quasi; ++f) {
      keys.push_back(dictionaries[f].Intern(record.fields[f]).raw());
    }
    const std::string& rows = record.fields.back();
    std::uint64_t count = 0;
    const auto [end, status] = std::from_chars(rows.data(), rows.data() + rows.size(), count);
    if (status != std::errc() || end != rows.data() + rows.size()) {
      return InputError(place, "a number of rows was expected");
    }
    counts.push_back(count);
  }
  release.cells = CollectCells(quasi + 1, keys, counts);
  release.values = std::move(dictionaries[quasi]).Build();
  for (std::size_t q = 0; q < quasi; ++q) {
    release.labels.push_back(std::move(dictionaries[q]).Build());
  }
  return release;
}

std::string SeriesSecret(std::uint32_t number) { return fmt::format("series/{}", number); }

Result<std::vector<PublishedRelease>> LoadReleases(ledger::Vault& vault,
                                                   const binding::ReleaseColumns& columns) {
  const auto history = REISSUE_TRY(vault.History());
  std::vector<PublishedRelease> releases;
  for (const ledger::ReleaseRecord& record : history) {
    const auto text = REISSUE_TRY(vault.Unseal(SeriesSecret(record.number)));
    if (!text) {
      return InputError(
          fmt::format("the vault does not know what release {} published", record.number),
          "It was not made for a series; start another one with `reissue adopt`.");
    }
    const std::string name = fmt::format("release {} of the vault", record.number);
    PublishedRelease release = REISSUE_TRY(ParseRelease(*text, columns, name));
    release.digest = record.digest;
    releases.push_back(std::move(release));
  }
  return releases;
}

Result<BoundSeries> BindSeries(const binding::ReleaseColumns& columns, Taxonomies trees,
                               std::vector<PublishedRelease> releases, Stars stars,
                               binding::Labels labels) {
  BoundSeries bound;
  Scales scales;
  std::vector<FindNode> find;
  for (std::size_t q = 0; q < trees.size(); ++q) {
    bound.from_labels.push_back(trees[q] == nullptr);
    Scale scale{std::move(trees[q]), nullptr};
    if (!scale.tree) scale = REISSUE_TRY(ScaleFromLabels(releases, q, columns.quasi[q]));
    find.push_back(FindIn(scale, labels));
    scales.push_back(std::move(scale));
  }
  REISSUE_TRY(Bind(columns, scales, find, std::move(releases), stars, bound));
  return bound;
}

Result<BoundSeries> BindRegions(const binding::ReleaseColumns& columns,
                                const std::vector<LabelSets>& labels,
                                std::vector<PublishedRelease> releases) {
  REISSUE_CHECK(labels.size() == columns.quasi.size());
  BoundSeries bound;
  Scales scales;
  std::vector<FindNode> find;
  for (std::size_t q = 0; q < labels.size(); ++q) {
    bound.from_labels.push_back(true);
    std::vector<taxonomy::Region> sets;
    for (const auto& [label, atoms] : labels[q].atoms_of) sets.push_back({label, atoms});
    Regions made = REISSUE_TRY(Regions::Make(labels[q].atoms, sets, columns.quasi[q]));
    const auto regions = std::make_shared<const Regions>(std::move(made));
    Scale scale{nullptr, regions};
    if (auto tree = regions->AsTree()) {
      scale = {std::make_shared<const Taxonomy>(*std::move(tree)), nullptr};
    }
    // A set may have several labels; a tree knows one of them.
    find.push_back([regions, tree = scale.tree](std::string_view text) {
      const auto node = regions->Find(text);
      return node && tree ? tree->Find(regions->label(*node)) : node;
    });
    scales.push_back(std::move(scale));
  }
  REISSUE_TRY(Bind(columns, scales, find, std::move(releases), Stars::kAny, bound));
  return bound;
}

std::optional<Crossing> FindCrossing(const Series& series, std::size_t release, std::size_t other) {
  for (std::size_t column = 0; column < series.columns(); ++column) {
    const Regions* regions = series.regions(column);
    if (regions == nullptr) continue;
    const std::vector<NodeId> others = LabelsOf(series.release(other), column);
    for (const NodeId a : LabelsOf(series.release(release), column)) {
      for (const NodeId b : others) {
        if (!regions->Meet(a, b) || regions->Contains(a, b) || regions->Contains(b, a)) continue;
        return Crossing{column, release, other, a, b};
      }
    }
  }
  return std::nullopt;
}

Status LabelsAreNested(const BoundSeries& bound) {
  const Series& series = bound.series;
  if (series.trees_only()) return Ok();
  for (std::size_t later = 0; later < series.size(); ++later) {
    for (std::size_t earlier = 0; earlier <= later; ++earlier) {
      const auto found = FindCrossing(series, earlier, later);
      if (!found) continue;
      return InputError(
          {bound.releases[later].name, std::nullopt, std::nullopt,
           bound.columns.quasi[found->column]},
          fmt::format("the ranges {} and {} overlap, and neither contains the other",
                      series.label(found->column, found->label),
                      series.label(found->column, found->other_label)),
          "Such releases can be audited, but no next one can be made: it needs ranges that lie "
          "inside one another. Publish with breakpoints or a taxonomy from the first release on.");
    }
  }
  return Ok();
}

Result<BoundSeries> LoadSeries(const io::Policy& policy, const std::vector<std::string>& files,
                               binding::Context& context, Stars stars) {
  const binding::ReleaseColumns columns = binding::ColumnsOf(policy);
  Taxonomies trees = REISSUE_TRY(binding::LoadTaxonomies(policy, context));
  std::vector<PublishedRelease> releases;
  for (const std::string& file : files) {
    PublishedRelease release = REISSUE_TRY(ReadPublished(columns, file, context));
    releases.push_back(std::move(release));
  }
  return BindSeries(columns, std::move(trees), std::move(releases), stars);
}

std::vector<binding::ColumnHierarchy> HierarchyOf(const BoundSeries& bound) {
  std::vector<binding::ColumnHierarchy> hierarchy;
  for (std::size_t q = 0; q < bound.columns.quasi.size(); ++q) {
    if (bound.from_labels[q]) continue;
    std::set<NodeId> occur;
    for (std::size_t i = 0; i < bound.series.size(); ++i) {
      for (const NodeId node : LabelsOf(bound.series.release(i), q)) occur.insert(node);
    }
    hierarchy.push_back(
        binding::HierarchyOf(bound.columns.quasi[q], bound.series.tree(q), std::move(occur)));
  }
  return hierarchy;
}

}  // namespace reissue::models::bcf::service
