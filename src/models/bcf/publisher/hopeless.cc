// When no release can keep the promise together with those that are out, and what to say then.
#include <fmt/format.h>

#include <algorithm>

#include "reissue/models/bcf/publisher/series_condition.h"
#include "reissue/models/k/publisher/start.h"

namespace reissue::models::bcf::internal {
namespace {

constexpr char kWaitOrAskForLess[] =
    "publish when more rows were added, ask for a smaller promise, or start a new series (a new "
    "vault) for other people; the releases that are out cannot be made safer any more";

}  // namespace

std::optional<Error> SeriesCondition::TooFew(const EarlierRelease& past) const {
  const Release& release = task_.earlier.release(past.release());
  const std::uint64_t added = problem_.rows() - release.rows();
  if (added > 0 && added < problem_.k()) {
    return PromiseError(
        fmt::format("k = {} asked, and only {} added since release {}: "
                    "whoever is known to be new would be one of these",
                    problem_.k(), added == 1 ? "1 row was" : fmt::format("{} rows were", added),
                    past.release() + 1),
        kWaitOrAskForLess);
  }
  for (std::size_t cell = 0; cell < release.cells(); ++cell) {
    const std::uint64_t rows = release.rows_of_cell(cell);
    if (rows >= problem_.k()) continue;
    return PromiseError(
        fmt::format("k = {} asked, and release {} has a cell of {} rows: whoever is known to be "
                    "in it stays one of these, whatever is published now",
                    problem_.k(), past.release() + 1, rows),
        "ask for no more than the earlier releases kept, or start a new series (a new vault); "
        "the releases that are out cannot be made safer any more");
  }
  return std::nullopt;
}

// Somebody of each cell, and of those who came, has some of its rows left in every release.
bool SeriesCondition::NothingLeftKeeps(const EarlierRelease& past) const {
  const auto none_keep = [&](std::span<const Bin> bins) {
    std::uint64_t rows = 0;
    for (const Bin& bin : bins) rows += bin.rows;
    return rows > 0 && k::internal::MustLeaveOut(bins, task_.guarantee) == rows;
  };
  k::Overall added = problem_.overall();
  for (std::size_t region = 0; region < past.regions(); ++region) {
    std::vector<Bin> published(past.Published(region).begin(), past.Published(region).end());
    std::sort(published.begin(), published.end(),
              [](const Bin& a, const Bin& b) { return a.code < b.code; });
    if (none_keep(published)) return true;
    for (const Bin& bin : published) added[bin.code] -= bin.rows;
  }
  std::vector<Bin> newcomers;
  for (std::uint32_t code = 0; code < added.size(); ++code) {
    if (added[code] > 0) newcomers.push_back({code, added[code]});
  }
  return none_keep(newcomers);
}

std::optional<Error> SeriesCondition::Hopeless() const {
  for (const EarlierRelease& past : earlier_releases_) {
    if (auto error = TooFew(past)) return error;
  }
  if (task_.earlier.size() > 1 && EarlierVerdict() == Verdict::kBroken) {
    return PromiseError(
        fmt::format("the {} releases that are out do not keep the promise, whatever is published "
                    "now",
                    task_.earlier.size()),
        "ask for no more than they keep (`reissue audit` says how much), or start a new series (a "
        "new vault)");
  }
  if (task_.earlier.size() > 1 && EarlierVerdict() == Verdict::kUnknown) {
    return PromiseError(
        fmt::format("it could not be proven, within the limits of work, that the {} releases that "
                    "are out keep the promise together with even the most general one",
                    task_.earlier.size()),
        "ask for a smaller promise, or start a new series (a new vault)");
  }
  if (anti_monotone_ && refused_further_) return NothingFurther(true);
  const bool hopeless =
      anti_monotone_ || std::ranges::any_of(earlier_releases_, [&](const EarlierRelease& past) {
        return NothingLeftKeeps(past);
      });
  if (!hopeless) return std::nullopt;
  return PromiseError(
      fmt::format("even the most general release does not keep the promise together with the {} "
                  "that {} out: what a reader can exclude with all of them leaves too little",
                  task_.earlier.size(), task_.earlier.size() == 1 ? "is" : "are"),
      kWaitOrAskForLess);
}

Error SeriesCondition::NothingFurther(bool all_seen) const {
  return PromiseError(
      fmt::format("no release {} before readers who know since when the values of the taxonomies "
                  "are there: whoever is in an earlier release has a value that was there then, "
                  "and that tells who is new",
                  all_seen ? "keeps the promise" : "was found that keeps the promise"),
      "publish when more rows were added, give the rows with new values one that the taxonomy had "
      "before, or start a new series (a new vault; `reissue adopt` takes up what is out)");
}

Error SeriesCondition::NothingFound(bool all_seen) const {
  if (refused_further_) return NothingFurther(all_seen);
  return PromiseError(
      fmt::format("no release {} together with the {} that {} out: what a reader can exclude with "
                  "all of them leaves too little",
                  all_seen ? "keeps the promise" : "was found that keeps the promise",
                  task_.earlier.size(), task_.earlier.size() == 1 ? "is" : "are"),
      kWaitOrAskForLess);
}

}  // namespace reissue::models::bcf::internal
