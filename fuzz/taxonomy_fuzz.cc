// Any bytes as a hierarchy file: read or refused with a place, never a crash. What is accepted is a
// tree that is written and read back the same. The leaves then go through the drafts.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/io/csv.h"
#include "reissue/taxonomy/cut.h"
#include "reissue/taxonomy/describe.h"
#include "reissue/taxonomy/draft.h"
#include "reissue/taxonomy/taxonomy.h"

namespace {

using reissue::NodeId;
using reissue::taxonomy::HierarchyLine;
using reissue::taxonomy::Taxonomy;

void CheckTree(const Taxonomy& tree) {
  const auto again =
      reissue::taxonomy::FromHierarchy(reissue::taxonomy::ToHierarchy(tree), "again");
  REISSUE_CHECK(again.has_value() && again->nodes() == tree.nodes());
  for (std::size_t i = 0; i < tree.nodes(); ++i) {
    const NodeId node(i);
    REISSUE_CHECK(tree.Find(tree.label(node)) == node && again->label(node) == tree.label(node));
    REISSUE_CHECK(tree.leaf_count(node) > 0);
  }
  const auto root = reissue::taxonomy::Cut::Root(tree);
  const auto leaves = reissue::taxonomy::Cut::Leaves(tree);
  REISSUE_CHECK(reissue::taxonomy::Envelope(tree, leaves, root) == root);
  REISSUE_CHECK(!reissue::taxonomy::Render(tree, 3).empty());
}

void CheckDrafts(const std::vector<std::string>& values) {
  using reissue::taxonomy::DraftKind;
  for (const DraftKind kind :
       {DraftKind::kAuto, DraftKind::kRanges, DraftKind::kPrefixes, DraftKind::kFlat}) {
    const auto draft = reissue::taxonomy::DraftHierarchy(values, kind, "c");
    if (!draft) continue;
    REISSUE_CHECK(reissue::taxonomy::FromHierarchy(draft->lines, "draft").has_value());
  }
  const std::vector<std::uint64_t> counts(values.size(), 1);
  const auto ranges = reissue::taxonomy::FromData(values, counts, "c");
  if (ranges) CheckTree(*ranges);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto records = reissue::io::ReadRecords(text, "t.csv");
  if (!records) return 0;
  std::vector<HierarchyLine> lines;
  std::vector<std::string> values;
  for (const auto& record : *records) {
    lines.push_back({record.line, record.fields});
    if (!record.fields.empty()) values.push_back(record.fields.front());
  }
  CheckDrafts(values);
  const auto tree = reissue::taxonomy::FromHierarchy(lines, "t.csv");
  if (!tree) {
    REISSUE_CHECK(tree.error().place.has_value() && !tree.error().remedy.empty());
    return 0;
  }
  CheckTree(*tree);
  const auto numeric = reissue::taxonomy::WithRanges(*tree, "t.csv");
  REISSUE_CHECK(!numeric || numeric->numeric());
  return 0;
}
