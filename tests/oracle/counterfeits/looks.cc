#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>

#include "signals.h"

namespace oracle::counterfeits {
namespace {

using Mask = std::uint64_t;
using Vector = std::vector<double>;

double NumberOf(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

// One release in numbers.
struct Coded {
  Coded(const Series& series, const Release& shown) : release(shown), numeric(series.numeric) {
    for (std::size_t c = 0; c < numeric.size(); ++c) {
      std::map<std::string, int> codes;
      Vector sorted;
      code.emplace_back();
      for (const auto& row : shown.rows) {
        code[c].push_back(codes.emplace(row[c], static_cast<int>(codes.size())).first->second);
        sorted.push_back(NumberOf(row[c]));
      }
      std::sort(sorted.begin(), sorted.end());
      rank.emplace_back();
      for (const auto& row : shown.rows) {
        const auto [low, high] = std::equal_range(sorted.begin(), sorted.end(), NumberOf(row[c]));
        rank[c].push_back(static_cast<double>((low - sorted.begin()) + (high - sorted.begin())) /
                          2 / static_cast<double>(sorted.size()));
      }
    }
  }

  std::size_t rows() const { return release.rows.size(); }
  std::size_t width() const { return numeric.size(); }
  // How far two rows are apart in a column.
  double Distance(std::size_t a, std::size_t b, std::size_t c) const {
    if (!numeric[c]) return code[c][a] != code[c][b];
    return std::min(1.0, 4 * std::abs(rank[c][a] - rank[c][b]));
  }
  Mask Agree(std::size_t a, std::size_t b) const {
    Mask mask = 0;
    for (std::size_t c = 0; c < width(); ++c) mask |= Mask{code[c][a] == code[c][b]} << c;
    return mask;
  }

  const Release& release;
  const std::vector<bool>& numeric;
  std::vector<std::vector<int>> code;  // per column and row
  std::vector<Vector> rank;            // per column and row, from 0 to 1; of numbers
};

// The most columns that one, two and three other rows account for.
Vector Covered(const std::vector<Mask>& agree) {
  Vector covered;
  Mask known = 0;
  for (int rows = 0; rows < 3; ++rows) {
    Mask best = known;
    for (const Mask mask : agree) {
      if (std::popcount(known | mask) > std::popcount(best)) best = known | mask;
    }
    known = best;
    covered.push_back(std::popcount(known));
  }
  return covered;
}

// Twins, how near others are, and what two or three of them together account for.
void AddOverlaps(const Coded& table, std::size_t row, bool in_group, Vector& out) {
  const Mask all = (Mask{1} << table.width()) - 1;
  std::vector<Mask> agree;
  double twins = 0, nearest = static_cast<double>(table.width()), sum = 0;
  for (std::size_t other = 0; other < table.rows(); ++other) {
    if (other == row) continue;
    if (in_group && table.release.group[other] != table.release.group[row]) continue;
    agree.push_back(table.Agree(row, other));
    twins += agree.back() == all;
    double distance = 0;
    for (std::size_t c = 0; c < table.width(); ++c) distance += table.Distance(row, other, c);
    nearest = std::min(nearest, distance);
    sum += distance;
  }
  out.push_back(twins);
  for (const double columns : Covered(agree)) out.push_back(columns);
  out.push_back(nearest);
  out.push_back(agree.empty() ? 0 : sum / static_cast<double>(agree.size()));
}

// Values and pairs of values that nobody else has, or just one; how unlikely pairs are.
void AddRarity(const Coded& table, std::size_t row, Vector& out) {
  const double n = static_cast<double>(table.rows());
  std::vector<Vector> both(table.width(), Vector(table.width()));
  for (std::size_t other = 0; other < table.rows(); ++other) {
    if (other == row) continue;
    const Mask mask = table.Agree(row, other);
    for (std::size_t a = 0; a < table.width(); ++a) {
      for (std::size_t b = 0; b <= a; ++b) {
        both[a][b] += static_cast<double>((mask >> a & 1) & (mask >> b & 1));
      }
    }
  }
  double alone = 0, two = 0, logs = 0, pairs_alone = 0, pairs_two = 0, least = 0, sum = 0;
  for (std::size_t a = 0; a < table.width(); ++a) {
    alone += both[a][a] == 0;
    two += both[a][a] == 1;
    logs += std::log1p(both[a][a]);
    for (std::size_t b = 0; b < a; ++b) {
      if (both[a][a] == 0 || both[b][b] == 0) continue;
      pairs_alone += both[a][b] == 0;
      pairs_two += both[a][b] == 1;
      const double expected = both[a][a] * both[b][b] / n;
      const double surprise = std::log((both[a][b] + 0.3) / (expected + 0.3));
      least = std::min(least, surprise);
      sum += surprise;
    }
  }
  for (const double signal : {alone, two, logs, pairs_alone, pairs_two, least, sum}) {
    out.push_back(signal);
  }
}

// How well each column is foretold by the rows that are near in the others.
void AddSurprise(const Coded& table, std::size_t row, Vector& out) {
  constexpr std::size_t kNear = 6;
  std::vector<std::pair<double, std::size_t>> others;
  double sum = 0, most = 0, numbers = 0;
  for (std::size_t c = 0; c < table.width(); ++c) {
    others.clear();
    for (std::size_t other = 0; other < table.rows(); ++other) {
      if (other == row) continue;
      double distance = 0;
      for (std::size_t o = 0; o < table.width(); ++o) {
        if (o != c) distance += table.Distance(row, other, o);
      }
      others.emplace_back(distance, other);
    }
    const std::size_t near = std::min(kNear, others.size());
    std::partial_sort(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(near),
                      others.end());
    double off = 0;
    for (std::size_t i = 0; i < near; ++i) off += table.Distance(row, others[i].second, c);
    if (near > 0) off /= static_cast<double>(near);
    sum += off;
    most = std::max(most, off);
    if (table.numeric[c]) numbers = std::max(numbers, off);
  }
  for (const double signal : {sum, most, numbers}) out.push_back(signal);
}

// How much more at home its values are among some rows than among the others.
double AtHome(const Coded& table, std::size_t row, const std::vector<bool>& home) {
  double sum = 0;
  for (std::size_t c = 0; c < table.width(); ++c) {
    double there = 0, there_like = 0, like = 0;
    for (std::size_t other = 0; other < table.rows(); ++other) {
      if (other == row) continue;
      const bool alike = table.numeric[c]
                             ? std::abs(table.rank[c][row] - table.rank[c][other]) < 0.1
                             : table.code[c][row] == table.code[c][other];
      like += alike;
      there += home[other];
      there_like += home[other] && alike;
    }
    const double share = (like + 0.5) / static_cast<double>(table.rows());
    sum += std::log((there_like + 3 * share) / (there + 3) / share);
  }
  return sum;
}

// Ends of the ranges, and how round numbers are.
void AddNumbers(const Coded& table, std::size_t row, Vector& out) {
  double middle = 0, round = 0;
  for (std::size_t c = 0; c < table.width(); ++c) {
    if (!table.numeric[c]) continue;
    middle += std::abs(table.rank[c][row] - 0.5);
    const std::string& text = table.release.rows[row][c];
    const std::size_t last = text.find_last_not_of("0.");
    round += static_cast<double>(last == std::string::npos ? text.size() : text.size() - last);
  }
  out.push_back(middle);
  out.push_back(round);
}

const std::vector<std::string> kLooks = {"twins",
                                         "covered by 1",
                                         "covered by 2",
                                         "covered by 3",
                                         "nearest",
                                         "mean distance",
                                         "twins in group",
                                         "covered by 1 in group",
                                         "covered by 2 in group",
                                         "covered by 3 in group",
                                         "nearest in group",
                                         "mean distance in group",
                                         "values alone",
                                         "values twice",
                                         "frequency",
                                         "pairs alone",
                                         "pairs twice",
                                         "least likely pair",
                                         "likely pairs",
                                         "surprise",
                                         "most surprise",
                                         "surprise of numbers",
                                         "middle of ranges",
                                         "round numbers",
                                         "at home in group",
                                         "at home among its age"};

Vector LooksOf(const Coded& table, const std::vector<std::size_t>& since, std::size_t row) {
  Vector out;
  AddOverlaps(table, row, false, out);
  AddOverlaps(table, row, true, out);
  AddRarity(table, row, out);
  AddSurprise(table, row, out);
  AddNumbers(table, row, out);
  std::vector<bool> group, age;
  for (std::size_t other = 0; other < table.rows(); ++other) {
    group.push_back(table.release.group[other] == table.release.group[row]);
    age.push_back(since[other] == since[row]);
  }
  out.push_back(AtHome(table, row, group));
  out.push_back(AtHome(table, row, age));
  return out;
}

// What changed between two releases, as a text: columns, with the difference or the new text.
std::string Change(const Series& series, const std::vector<std::string>& before,
                   const std::vector<std::string>& after) {
  std::string change;
  for (std::size_t c = 0; c < before.size(); ++c) {
    if (before[c] == after[c]) continue;
    change +=
        std::to_string(c) + ":" +
        (series.numeric[c] ? std::to_string(NumberOf(after[c]) - NumberOf(before[c])) : after[c]) +
        ";";
  }
  return change;
}

const std::vector<std::string> kMoves = {"stood still", "moved oddly", "changed like others",
                                         "columns changed"};

// One move of each track that is there in both releases: per row of the second.
std::vector<Vector> MovesTo(const Series& series, const std::vector<Track>& tracks,
                            std::size_t release) {
  const Release &old = series.releases[release - 1], &now = series.releases[release];
  const Moves usual = UsualMoves(series, release - 1);
  std::map<std::string, double> often;
  double all = 0;
  const auto each = [&](const auto& call) {
    for (const Track& track : tracks) {
      if (track.first >= release || track.last() < release) continue;
      const std::size_t row = track.rows[release - track.first];
      call(old.rows[track.rows[release - 1 - track.first]], now.rows[row], row);
    }
  };
  each([&](const auto& before, const auto& after, std::size_t) {
    ++often[Change(series, before, after)];
    ++all;
  });
  std::vector<Vector> moves(now.rows.size(), Vector(kMoves.size()));
  each([&](const auto& before, const auto& after, std::size_t row) {
    double still = 0, changed = 0;
    for (std::size_t c = 0; c < before.size(); ++c) {
      still += series.numeric[c] && usual.usual[c] != 0 && before[c] == after[c];
      changed += before[c] != after[c];
    }
    moves[row] = {still, usual.Cost(series, before, after),
                  std::log(often[Change(series, before, after)] / all), changed};
  });
  return moves;
}

}  // namespace

Signals Looks(const Series& series, const std::vector<Track>& tracks) {
  Signals signals;
  signals.names = kLooks;
  signals.names.insert(signals.names.end(), kMoves.begin(), kMoves.end());
  const auto since = FirstSeen(series, tracks);
  std::vector<Vector> so_far(tracks.size(), Vector(kMoves.size()));
  for (std::size_t t = 0; t < series.releases.size(); ++t) {
    const Coded table(series, series.releases[t]);
    signals.of_row.emplace_back();
    for (std::size_t row = 0; row < table.rows(); ++row) {
      signals.of_row[t].push_back(LooksOf(table, since[t], row));
    }
    const std::vector<Vector> moves =
        t > 0 ? MovesTo(series, tracks, t) : std::vector<Vector>(table.rows(), so_far[0]);
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      if (tracks[i].first > t || tracks[i].last() < t) continue;
      const std::size_t row = tracks[i].rows[t - tracks[i].first];
      for (std::size_t s = 0; s < kMoves.size(); ++s) so_far[i][s] += moves[row][s];
      Vector& all = signals.of_row[t][row];
      all.insert(all.end(), so_far[i].begin(), so_far[i].end());
    }
  }
  return signals;
}

}  // namespace oracle::counterfeits
