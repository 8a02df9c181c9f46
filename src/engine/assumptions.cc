#include "reissue/engine/assumptions.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include "reissue/models/bcf/service/audit.h"
#include "reissue/models/bcf/service/promise.h"
#include "reissue/taxonomy/tree_builder.h"

namespace reissue::engine {
namespace {

namespace growing = models::bcf::service;
using Assumption = SurveyReport::Assumption;

// How the tree names a label: the one for everything is its root.
std::string TreeLabel(const labels::ColumnLabels& column, std::uint32_t label) {
  const bool open = column.unnamed && column.labels[label].size() == column.atoms;
  return open ? "*" : column.texts[label];
}

// Labels below the least one that contains them.
std::shared_ptr<const taxonomy::Taxonomy> TreeOf(const labels::ColumnLabels& column) {
  const auto overlaps = labels::Overlaps(column);
  std::vector<std::uint32_t> order(column.labels.size());
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return column.labels[a].size() > column.labels[b].size();
  });
  taxonomy::TreeBuilder builder;
  const std::size_t root = builder.Add("*", taxonomy::TreeBuilder::kNoParent);
  std::vector<std::size_t> node(column.labels.size(), root);
  for (const std::uint32_t label : order) {
    if (TreeLabel(column, label) == "*") continue;
    std::size_t parent = root;
    std::uint64_t least = ~std::uint64_t{0};
    for (const std::uint32_t other : overlaps[label]) {
      const std::uint64_t size = column.labels[other].size();
      if (other == label || size <= column.labels[label].size() || size >= least) continue;
      least = size;
      parent = node[other];
    }
    node[label] = builder.Add(TreeLabel(column, label), parent);
  }
  return std::make_shared<const taxonomy::Taxonomy>(std::move(builder).Build());
}

growing::PublishedRelease ReleaseOf(const SurveyTable& file,
                                    const std::vector<std::shared_ptr<const Dictionary>>& labels,
                                    const std::shared_ptr<const Dictionary>& values) {
  growing::PublishedRelease release;
  release.name = file.name;
  release.labels = labels;
  release.values = values;
  const survey::Published& published = file.published;
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  const auto add = [&](std::size_t cell, std::uint32_t value, std::uint64_t rows) {
    const auto key = published.key(cell);
    keys.insert(keys.end(), key.begin(), key.end());
    keys.push_back(value);
    counts.push_back(rows);
  };
  for (std::size_t cell = 0; cell < published.cells(); ++cell) {
    if (published.sensitive() == 0) {
      add(cell, 0, published.rows(cell));
    } else {
      for (const survey::Value& value : published.values(cell, 0))
        add(cell, value.code, value.rows);
    }
  }
  release.cells = CollectCells(published.columns() + 1, keys, counts);
  return release;
}

// Columns with labels that a tree cannot have.
std::vector<std::string> Overlapping(const SurveyTables& tables, const SurveyTable& file) {
  std::vector<std::string> names;
  for (const std::size_t q : file.quasi) {
    if (!tables.labels[q].nested) names.push_back(tables.quasi[q]);
  }
  return names;
}

}  // namespace

Result<Assumption> PlayGrowing(const SurveyTables& tables, const std::vector<std::uint32_t>& files,
                               binding::Context& context, std::size_t worst) {
  Assumption played;
  played.kind = Assumption::Kind::kGrew;
  played.files = files;
  const SurveyTable& first = tables.files[files[0]];
  const std::vector<std::string> overlapping = Overlapping(tables, first);
  if (!overlapping.empty()) {
    played.verdict = Assumption::Verdict::kLeftOut;
    played.why = "labels of " + binding::Listed(overlapping) +
                 " overlap and neither contains the other; this reader takes labels that are "
                 "nested only";
    return played;
  }
  models::bcf::Taxonomies trees;
  std::vector<std::shared_ptr<const Dictionary>> labels;
  binding::ReleaseColumns columns;
  for (const std::size_t q : first.quasi) {
    const labels::ColumnLabels& column = tables.labels[q];
    trees.push_back(TreeOf(column));
    DictionaryBuilder texts;
    for (std::uint32_t label = 0; label < column.labels.size(); ++label) {
      texts.Intern(TreeLabel(column, label));
    }
    labels.push_back(std::move(texts).Build());
    columns.quasi.push_back(tables.quasi[q]);
  }
  std::shared_ptr<const Dictionary> values;
  if (first.sensitive.empty()) {
    DictionaryBuilder none;
    none.Intern("");
    values = std::move(none).Build();
  } else {
    played.sensitive = tables.sensitive[first.sensitive[0]];
    columns.sensitive = {played.sensitive};
    values = tables.values[first.sensitive[0]];
  }
  std::vector<growing::PublishedRelease> releases;
  for (const std::uint32_t file : files) {
    releases.push_back(ReleaseOf(tables.files[file], labels, values));
  }
  const growing::BoundSeries bound =
      REISSUE_TRY(growing::BindSeries(columns, std::move(trees), std::move(releases)));
  growing::Promise promise;
  promise.model = "bcf";
  promise.guarantee.k = 2;  // nobody is singled out
  if (!first.sensitive.empty()) promise.guarantee.distinct = 2;
  const contract::AuditReport audit =
      REISSUE_TRY(growing::AuditSeries(bound, promise, context, worst));
  const auto& found = audit.findings.As<growing::SeriesFindings>();
  if (found.verdict == growing::SeriesVerdict::kNotOneSeries) {
    played.verdict = Assumption::Verdict::kContradicted;
    played.why = found.conflicts.empty() ? "no growing table explains all groups"
                                         : found.conflicts.front().words;
    return played;
  }
  Assumption::Exposed exposed;
  exposed.file = files.back();
  const auto from_to = [](const contract::Exposure::Number& number) {
    return survey::FromTo{number.lower, number.upper};
  };
  if (audit.exposure.singled_out) exposed.singled_out = from_to(*audit.exposure.singled_out);
  exposed.exposed = exposed.singled_out;
  if (audit.exposure.value_certain) {
    exposed.value_certain = from_to(*audit.exposure.value_certain);
    // Somebody may be both.
    exposed.exposed.lower = std::max(exposed.exposed.lower, exposed.value_certain->lower);
    exposed.exposed.upper =
        std::min(audit.rows, exposed.exposed.upper + exposed.value_certain->upper);
  }
  played.exposed.push_back(exposed);
  played.unfinished = found.undecided;
  for (const growing::SeriesExposure& exposure : found.worst) {
    if (exposure.left <= 1 && played.worst.size() < worst) played.worst.push_back(exposure.words);
  }
  return played;
}

}  // namespace reissue::engine
