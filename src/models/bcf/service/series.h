#pragma once
// From files, or from what the vault keeps of them, to a series that model `bcf` can attack: labels
// become nodes of one tree per column, or regions where they overlap; sensitive values one common
// dictionary.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/binding/hierarchy.h"
#include "reissue/binding/load.h"
#include "reissue/core/cells.h"
#include "reissue/core/dictionary.h"
#include "reissue/core/result.h"
#include "reissue/ledger/vault.h"
#include "reissue/models/bcf/release/series.h"

namespace reissue::models::bcf::service {

// One release as its readers have it: labels and sensitive values as texts, counted.
struct PublishedRelease {
  std::string name;  // the file, or "release 2 of the vault"
  std::string digest;
  std::vector<std::shared_ptr<const Dictionary>> labels;  // per quasi-identifier
  std::shared_ptr<const Dictionary> values;
  Cells cells;                                          // key = label ids, then one value id
  std::vector<std::string> identifiers, dropped;        // columns published by mistake
  std::shared_ptr<const binding::ReleaseTable> source;  // for places in messages; may be null
};

Result<PublishedRelease> ReadPublished(const binding::ReleaseColumns& columns,
                                       const std::string& path, binding::Context& context);

// A release as text for the vault: one CSV record per group (labels, sensitive value, rows), after
// a header. ParseRelease gives the same release back.
std::string SaveRelease(const PublishedRelease& release, const binding::ReleaseColumns& columns);
Result<PublishedRelease> ParseRelease(std::string_view text, const binding::ReleaseColumns& columns,
                                      const std::string& name);
// The secret that a release is kept under: "series/1", "series/2", …
std::string SeriesSecret(std::uint32_t number);
// All releases of a vault, oldest first. The vault must be open for writing.
Result<std::vector<PublishedRelease>> LoadReleases(ledger::Vault& vault,
                                                   const binding::ReleaseColumns& columns);

// The releases bound to trees and regions.
struct BoundSeries {
  binding::ReleaseColumns columns;
  std::vector<PublishedRelease> releases;
  std::vector<bool> from_labels;  // per quasi-identifier: tree or regions are made of the labels
  std::shared_ptr<const Dictionary> values;  // of all releases
  std::vector<Cells> cells;                  // per release: raw NodeIds, then one code of `values`
  Series series;
  // Readers know the rule of starred rows, and there are some: cells and series have a column more
  // than `columns`, the last.
  bool stars = false;
  bool rule_broken = false;  // some are starred who were not before, or are not any more
};

// What readers know of starred rows.
enum class Stars {
  kAny,   // a row like any other, whose quasi-identifiers are hidden
  kStay,  // whoever is starred is so from the first release on, and for ever
  kSure,  // the same, and the caller knows it: it is not checked, and there is always a column
};

// One tree per quasi-identifier; null: the column is numeric, and its tree is made of the labels of
// all releases together (taxonomy::FromLabels), or its regions where ranges overlap. `*` always
// means the root. kStay: if no world follows the rule, starred rows are read as by kAny. Errors: a
// label without a node (with its place, not the label itself).
Result<BoundSeries> BindSeries(const binding::ReleaseColumns& columns, Taxonomies trees,
                               std::vector<PublishedRelease> releases, Stars stars = Stars::kAny,
                               binding::Labels labels = binding::Labels::kWords);

// What the labels of one column stand for, over all releases: sets of atoms 0 … atoms − 1, numbered
// along the column where it has an order. `*` is all of them.
struct LabelSets {
  std::uint32_t atoms = 1;
  std::map<std::string, std::vector<std::uint32_t>, std::less<>> atoms_of;  // ascending
};

// Files that no policy is known of: one LabelSets per quasi-identifier, which must know every label
// that some row has. Labels of the same atoms are one. Columns whose labels all lie inside one
// another or apart get a tree, others regions. Starred rows are like any others. Errors: those of
// taxonomy::Regions::Make, a label that is not known (with its place). What is bound can be
// audited; it has no hierarchy for a certificate.
Result<BoundSeries> BindRegions(const binding::ReleaseColumns& columns,
                                const std::vector<LabelSets>& labels,
                                std::vector<PublishedRelease> releases);

// An error where labels of a column overlap although neither contains the other: no next release
// can be made from a tree that has them all.
Status LabelsAreNested(const BoundSeries& bound);

// Two labels of one column, of these releases, that overlap although neither contains the other;
// the releases count from 0.
struct Crossing {
  std::size_t column = 0;
  std::size_t release = 0, other = 0;
  NodeId label, other_label;
};
std::optional<Crossing> FindCrossing(const Series& series, std::size_t release, std::size_t other);

// ReadPublished for each file, LoadTaxonomies, BindSeries.
Result<BoundSeries> LoadSeries(const io::Policy& policy, const std::vector<std::string>& files,
                               binding::Context& context, Stars stars = Stars::kAny);

// For certificates. Columns whose tree or regions are made of the labels are left out.
std::vector<binding::ColumnHierarchy> HierarchyOf(const BoundSeries& bound);

}  // namespace reissue::models::bcf::service
