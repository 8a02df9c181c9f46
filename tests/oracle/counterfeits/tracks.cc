#include "tracks.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <tuple>

namespace oracle::counterfeits {
namespace {

double Number(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

using Buckets = std::map<std::string, std::vector<std::size_t>>;

Buckets BucketsOf(const Release& release) {
  Buckets buckets;
  for (std::size_t row = 0; row < release.rows.size(); ++row) {
    buckets[release.BucketOf(row)].push_back(row);
  }
  return buckets;
}

// The row of the next release that each row becomes; none: its number of rows.
std::vector<std::size_t> Match(const Series& series, std::size_t release) {
  const Release &now = series.releases[release], &next = series.releases[release + 1];
  const Moves moves = UsualMoves(series, release);
  const double most = 0.42 * (static_cast<double>(series.numeric.size()) - 1) - 0.06;
  std::vector<std::size_t> to(now.rows.size(), next.rows.size());
  std::vector<bool> taken(next.rows.size());
  Buckets after = BucketsOf(next);
  for (const auto& [values, rows] : BucketsOf(now)) {
    std::vector<std::tuple<double, std::size_t, std::size_t>> pairs;
    for (const std::size_t a : rows) {
      for (const std::size_t b : after[values]) {
        const double cost = moves.Cost(series, now.rows[a], next.rows[b]);
        if (cost <= most) pairs.emplace_back(cost, a, b);
      }
    }
    std::sort(pairs.begin(), pairs.end());
    for (const auto& [cost, a, b] : pairs) {
      if (to[a] != next.rows.size() || taken[b]) continue;
      to[a] = b;
      taken[b] = true;
    }
  }
  return to;
}

}  // namespace

double Moves::Cost(const Series& series, const std::vector<std::string>& before,
                   const std::vector<std::string>& after) const {
  double cost = 0;
  for (std::size_t c = 0; c < before.size(); ++c) {
    if (!series.numeric[c]) {
      cost += !stamp[c] && before[c] != after[c];
      continue;
    }
    const double moved = Number(after[c]) - Number(before[c]);
    if (moved != usual[c]) cost += moved == 0 ? 0.3 : 0.8;
  }
  return cost;
}

Moves UsualMoves(const Series& series, std::size_t release) {
  const Release &now = series.releases[release], &next = series.releases[release + 1];
  Moves moves;
  moves.usual.resize(series.numeric.size());
  for (std::size_t c = 0; c < series.numeric.size(); ++c) {
    std::set<std::string> texts;
    for (const auto& row : now.rows) texts.insert(row[c]);
    moves.stamp.push_back(std::none_of(next.rows.begin(), next.rows.end(),
                                       [&](const auto& row) { return texts.contains(row[c]); }));
  }
  Buckets after = BucketsOf(next);
  for (std::size_t c = 0; c < moves.usual.size(); ++c) {
    if (!series.numeric[c]) continue;
    // Among the rows of a bucket that agree in all other columns that are texts.
    std::map<double, int> differences;
    for (const auto& [values, rows] : BucketsOf(now)) {
      for (const std::size_t a : rows) {
        for (const std::size_t b : after[values]) {
          bool same = true;
          for (std::size_t o = 0; o < moves.usual.size(); ++o) {
            same =
                same && (series.numeric[o] || moves.stamp[o] || now.rows[a][o] == next.rows[b][o]);
          }
          if (same) ++differences[Number(next.rows[b][c]) - Number(now.rows[a][c])];
        }
      }
    }
    int most = 0;
    for (const auto& [difference, count] : differences) {
      if (count > most) moves.usual[c] = difference, most = count;
    }
  }
  return moves;
}

std::vector<Track> Follow(const Series& series) {
  std::vector<Track> tracks;
  std::vector<std::size_t> track_of;
  for (std::size_t t = 0; t < series.releases.size(); ++t) {
    const std::size_t rows = series.releases[t].rows.size();
    std::vector<std::size_t> now(rows, static_cast<std::size_t>(-1));
    if (t > 0) {
      const std::vector<std::size_t> to = Match(series, t - 1);
      for (std::size_t row = 0; row < to.size(); ++row) {
        if (to[row] == rows) continue;
        now[to[row]] = track_of[row];
        tracks[track_of[row]].rows.push_back(to[row]);
      }
    }
    for (std::size_t row = 0; row < rows; ++row) {
      if (now[row] != static_cast<std::size_t>(-1)) continue;
      now[row] = tracks.size();
      tracks.push_back({t, {row}});
    }
    track_of = std::move(now);
  }
  return tracks;
}

std::vector<std::vector<std::size_t>> FirstSeen(const Series& series,
                                                const std::vector<Track>& tracks) {
  std::vector<std::vector<std::size_t>> first;
  for (const Release& release : series.releases) first.emplace_back(release.rows.size());
  for (const Track& track : tracks) {
    for (std::size_t i = 0; i < track.rows.size(); ++i) {
      first[track.first + i][track.rows[i]] = track.first;
    }
  }
  return first;
}

}  // namespace oracle::counterfeits
