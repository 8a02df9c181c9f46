// Any lines as the labels of a column: each is read, stands for something, and overlaps those with
// which it has an atom in common.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string_view>
#include <vector>

#include "reissue/labels/column.h"

namespace {

void Require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using reissue::labels::AtomSet;
  const std::string_view text(reinterpret_cast<const char*>(data),
                              std::min<std::size_t>(size, 600));
  std::vector<std::string_view> texts;
  std::set<std::string_view> seen;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t at = std::min(text.find('\n', from), text.size());
    if (seen.insert(text.substr(from, at - from)).second)
      texts.push_back(text.substr(from, at - from));
    from = at + 1;
  }
  const reissue::labels::ColumnLabels column = reissue::labels::ReadLabels(texts);
  Require(column.of_text.size() == texts.size() && column.texts.size() == column.labels.size());
  for (const std::uint32_t label : column.of_text) Require(label < column.labels.size());
  const auto overlaps = reissue::labels::Overlaps(column);
  bool disjoint = true, nested = true;
  for (std::uint32_t a = 0; a < column.labels.size(); ++a) {
    Require(!column.labels[a].empty() && column.labels[a].spans().back().last <= column.atoms);
    for (std::uint32_t b = 0; b < column.labels.size(); ++b) {
      const bool meet = column.labels[a].Meets(column.labels[b]);
      Require(meet == std::binary_search(overlaps[a].begin(), overlaps[a].end(), b));
      Require(meet == !column.labels[a].And(column.labels[b]).empty());
      if (!meet || a == b) continue;
      disjoint = false;
      nested = nested && (column.labels[a].Contains(column.labels[b]) ||
                          column.labels[b].Contains(column.labels[a]));
    }
  }
  Require(disjoint == column.disjoint && nested == column.nested);
  return 0;
}
