#include <algorithm>
#include <cmath>
#include <map>

#include "signals.h"

namespace oracle::counterfeits {
namespace {

// What happens to a bucket from one release to the next.
struct Traffic {
  double came = 0, left = 0, rows = 0;
};
using TrafficOf = std::vector<std::map<std::string, Traffic>>;  // per release

TrafficOf Count(const Series& series, const std::vector<Track>& tracks) {
  TrafficOf traffic(series.releases.size() + 1);
  for (const Track& track : tracks) {
    const std::string& bucket = series.releases[track.first].BucketOf(track.rows[0]);
    for (std::size_t i = 0; i < track.rows.size(); ++i) ++traffic[track.first + i][bucket].rows;
    ++traffic[track.first][bucket].came;
    ++traffic[track.last() + 1][bucket].left;
  }
  return traffic;
}

}  // namespace

Signals Lifetimes(const Series& series, const std::vector<Track>& tracks) {
  Signals signals;
  signals.names = {"release",
                   "came in release",
                   "is there for",
                   "goes on for",
                   "came: others came",
                   "came: others left",
                   "came: share of the bucket",
                   "left: others left",
                   "left: others came",
                   "size of bucket",
                   "values of bucket",
                   "rows per value",
                   "bucket is new"};
  TrafficOf traffic = Count(series, tracks);
  for (const Release& release : series.releases) signals.of_row.emplace_back(release.rows.size());
  for (const Track& track : tracks) {
    const std::string& bucket = series.releases[track.first].BucketOf(track.rows[0]);
    const Traffic& arrival = traffic[track.first][bucket];
    Traffic departure = traffic[track.last() + 1][bucket];
    if (track.last() + 1 == series.releases.size()) departure = {};
    const double values = 1 + static_cast<double>(std::count(bucket.begin(), bucket.end(), '|'));
    const bool fresh = track.first > 0 && traffic[track.first - 1][bucket].rows == 0;
    for (std::size_t t = track.first; t <= track.last(); ++t) {
      const double rows = traffic[t][bucket].rows;
      signals.of_row[t][track.rows[t - track.first]] = {
          static_cast<double>(t),
          static_cast<double>(track.first),
          static_cast<double>(t - track.first),
          track.last() + 1 == series.releases.size() ? 100 : static_cast<double>(track.last() - t),
          arrival.came,
          arrival.left,
          arrival.came / arrival.rows,
          departure.left,
          departure.came,
          rows,
          values,
          rows / values,
          static_cast<double>(fresh)};
    }
  }
  return signals;
}

}  // namespace oracle::counterfeits
