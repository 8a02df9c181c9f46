#include "reissue/labels/collect.h"

#include <algorithm>
#include <map>

#include "reissue/labels/notation.h"

namespace reissue::labels {
namespace {

void Relate(ColumnLabels& column) {
  const auto overlaps = Overlaps(column);
  for (std::size_t a = 0; a < overlaps.size(); ++a) {
    column.disjoint = column.disjoint && overlaps[a].size() == 1;
    for (const std::uint32_t b : overlaps[a]) {
      if (!column.nested) break;
      column.nested = column.labels[a].Contains(column.labels[b]) ||
                      column.labels[b].Contains(column.labels[a]);
    }
  }
}

}  // namespace

void Collect(std::span<const std::string_view> texts, Sets sets, ColumnLabels& column) {
  std::map<AtomSet, std::uint32_t> numbers;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    AtomSet set(std::move(sets[i]));
    const auto next = static_cast<std::uint32_t>(column.labels.size());
    const auto [at, added] = numbers.emplace(std::move(set), next);
    if (added) {
      column.labels.push_back(at->first);
      column.texts.emplace_back(Trimmed(texts[i]));
    }
    column.of_text.push_back(at->second);
  }
  Relate(column);
}

std::vector<std::vector<std::uint32_t>> Overlaps(const ColumnLabels& column) {
  struct Entry {
    Span span;
    std::uint32_t label;
  };
  std::vector<Entry> entries;
  for (std::uint32_t label = 0; label < column.labels.size(); ++label) {
    for (const Span& span : column.labels[label].spans()) entries.push_back({span, label});
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.span.first, a.label) < std::pair(b.span.first, b.label);
  });
  std::vector<std::vector<std::uint32_t>> overlaps(column.labels.size());
  std::vector<Entry> open;
  for (const Entry& entry : entries) {
    std::erase_if(open, [&](const Entry& other) { return other.span.last <= entry.span.first; });
    for (const Entry& other : open) {
      overlaps[entry.label].push_back(other.label);
      overlaps[other.label].push_back(entry.label);
    }
    open.push_back(entry);
  }
  for (std::uint32_t label = 0; label < overlaps.size(); ++label) {
    overlaps[label].push_back(label);
    std::sort(overlaps[label].begin(), overlaps[label].end());
    overlaps[label].erase(std::unique(overlaps[label].begin(), overlaps[label].end()),
                          overlaps[label].end());
  }
  return overlaps;
}

}  // namespace reissue::labels
