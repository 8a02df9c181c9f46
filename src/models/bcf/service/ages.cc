#include "reissue/models/bcf/service/ages.h"

#include <fmt/format.h>

#include <algorithm>

namespace reissue::models::bcf::service {
namespace {

// In the order of the codes below.
constexpr const char* kAgeLabels[] = {"*", "before", "since"};
enum AgeCode : std::uint32_t { kEither = 0, kBefore = 1, kSince = 2 };

// Of the label of a release: which of its values, as far as they were there then, came before
// release `change`, and which with it or later.
AgeCode AgeOf(const std::vector<std::uint32_t>& came, std::uint32_t release, std::uint32_t change) {
  bool before = came.empty(), since = came.empty();
  for (const std::uint32_t birth : came) {
    if (birth > release) continue;
    (birth < change ? before : since) = true;
  }
  return before == since ? kEither : before ? kBefore : kSince;
}

// Per label of a release.
std::vector<AgeCode> AgesOf(const PublishedRelease& release, std::size_t quasi,
                            std::uint32_t number, std::uint32_t change,
                            const contract::Ages& ages) {
  std::vector<AgeCode> codes;
  for (const std::string_view label : release.labels[quasi]->strings()) {
    codes.push_back(AgeOf(ages.Below(quasi, std::string(label)), number, change));
  }
  return codes;
}

bool IsStarred(const PublishedRelease& release, std::span<const std::uint32_t> key) {
  for (std::size_t q = 0; q < release.labels.size(); ++q) {
    if ((*release.labels[q])[ValueId(key[q])] != "*") return false;
  }
  return true;
}

PublishedRelease WithColumn(const PublishedRelease& release, const std::vector<AgeCode>& codes,
                            std::size_t quasi, std::size_t original, bool stars) {
  PublishedRelease dated = release;
  DictionaryBuilder labels;
  for (const char* label : kAgeLabels) labels.Intern(label);
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  PublishedRelease plain;
  plain.labels.assign(release.labels.begin(),
                      release.labels.begin() + static_cast<std::ptrdiff_t>(original));
  for (std::size_t i = 0; i < release.cells.size(); ++i) {
    const auto key = release.cells.key(CellId(i));
    keys.insert(keys.end(), key.begin(), key.end() - 1);
    keys.push_back(stars && IsStarred(plain, key) ? kEither : codes[key[quasi]]);
    keys.push_back(key.back());
    counts.push_back(release.cells.count(CellId(i)));
  }
  dated.cells = CollectCells(release.labels.size() + 2, keys, counts);
  dated.labels.push_back(std::move(labels).Build());
  dated.source = nullptr;
  return dated;
}

std::shared_ptr<const taxonomy::Taxonomy> AgeTree() {
  const std::vector<taxonomy::HierarchyLine> lines = {{1, {kAgeLabels[kBefore], "*"}},
                                                      {2, {kAgeLabels[kSince], "*"}}};
  return std::make_shared<const taxonomy::Taxonomy>(taxonomy::FromHierarchy(lines, "").value());
}

}  // namespace

std::optional<Dated> WithAges(const binding::ReleaseColumns& columns, const Taxonomies& trees,
                              const std::vector<PublishedRelease>& releases,
                              const contract::Ages& ages, bool stars) {
  Dated dated{columns, trees, releases};
  for (std::size_t q = 0; q < columns.quasi.size(); ++q) {
    for (const std::uint32_t change : ages.changes(q)) {
      std::vector<std::vector<AgeCode>> codes;
      bool told = false;
      for (std::size_t i = 0; i < releases.size(); ++i) {
        const auto number = static_cast<std::uint32_t>(i + 1);
        codes.push_back(AgesOf(releases[i], q, number, change, ages));
        told |= std::ranges::find(codes.back(), kSince) != codes.back().end();
      }
      if (!told) continue;
      for (std::size_t i = 0; i < releases.size(); ++i) {
        dated.releases[i] = WithColumn(dated.releases[i], codes[i], q, columns.quasi.size(), stars);
      }
      dated.columns.quasi.push_back(fmt::format("{} since release {}", columns.quasi[q], change));
      dated.trees.push_back(AgeTree());
    }
  }
  if (dated.trees.size() == trees.size()) return std::nullopt;
  return dated;
}

}  // namespace reissue::models::bcf::service
