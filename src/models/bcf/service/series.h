#pragma once
// From files, or from what the vault keeps of them, to a series that model `bcf` can attack: labels
// become nodes of one tree per column, sensitive values one common dictionary.

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

// The releases bound to trees.
struct BoundSeries {
  binding::ReleaseColumns columns;
  std::vector<PublishedRelease> releases;
  std::vector<bool> from_labels;             // per quasi-identifier: the tree is made of the labels
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
// all releases together (taxonomy::FromLabels). `*` always means the root. kStay: if no world
// follows the rule, starred rows are read as by kAny. Errors: a label without a node (with its
// place, not the label itself), ranges that overlap.
Result<BoundSeries> BindSeries(const binding::ReleaseColumns& columns, Taxonomies trees,
                               std::vector<PublishedRelease> releases, Stars stars = Stars::kAny,
                               binding::Labels labels = binding::Labels::kWords);

// ReadPublished for each file, LoadTaxonomies, BindSeries.
Result<BoundSeries> LoadSeries(const io::Policy& policy, const std::vector<std::string>& files,
                               binding::Context& context, Stars stars = Stars::kAny);

// For certificates. Columns whose tree is made of the labels are left out.
std::vector<binding::ColumnHierarchy> HierarchyOf(const BoundSeries& bound);

}  // namespace reissue::models::bcf::service
