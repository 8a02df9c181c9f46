#include "oracle.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace oracle::survey {
namespace {

using Point = std::vector<std::size_t>;

bool Matches(const Row& row, const Point& x) {
  for (std::size_t c = 0; c < x.size(); ++c) {
    if (row.labels[c][x[c]] == 0) return false;
  }
  return true;
}

std::vector<std::size_t> Matching(const File& file, const Point& x) {
  std::vector<std::size_t> rows;
  for (std::size_t r = 0; r < file.size(); ++r) {
    if (Matches(file[r], x)) rows.push_back(r);
  }
  return rows;
}

// All raw combinations.
void ForEachPoint(const File& like, const std::function<void(const Point&)>& visit) {
  const Row& row = like.front();
  Point x(row.labels.size(), 0);
  while (true) {
    visit(x);
    std::size_t c = 0;
    while (c < x.size() && ++x[c] == row.labels[c].size()) x[c++] = 0;
    if (c == x.size()) return;
  }
}

// Turns "for all" and "for some" into the four answers.
struct Ends {
  bool any = false, all_single = true, some_single = false, all_certain = true,
       some_certain = false, meets = false;
  std::uint64_t least = ~std::uint64_t{0};
  void Add(bool single, bool certain, std::uint64_t rows) {
    any = true;
    all_single = all_single && single;
    some_single = some_single || single;
    all_certain = all_certain && certain;
    some_certain = some_certain || certain;
    least = std::min(least, rows);
  }
  RowFound Found() const {
    return {any && all_single, some_single,     any && all_certain,
            some_certain,      any ? least : 0, meets};
  }
};

std::vector<RowFound> FoundOf(const std::vector<Ends>& ends) {
  std::vector<RowFound> found;
  for (const Ends& end : ends) found.push_back(end.Found());
  return found;
}

Interval Add(const std::vector<RowFound>& rows, const std::function<bool(const RowFound&)>& surely,
             const std::function<bool(const RowFound&)>& possibly) {
  Interval sum;
  for (const RowFound& row : rows) {
    sum.lower += surely(row) ? 1 : 0;
    sum.upper += possibly(row) ? 1 : 0;
  }
  return sum;
}

}  // namespace

std::vector<RowFound> Alone(const File& file) {
  std::vector<Ends> ends(file.size());
  ForEachPoint(file, [&](const Point& x) {
    const std::vector<std::size_t> rows = Matching(file, x);
    std::set<int> values;
    for (const std::size_t r : rows) values.insert(file[r].value);
    for (const std::size_t r : rows) ends[r].Add(rows.size() == 1, values.size() == 1, rows.size());
  });
  return FoundOf(ends);
}

std::vector<RowFound> Together(const std::vector<File>& files, std::size_t which) {
  std::vector<Ends> ends(files[which].size());
  ForEachPoint(files[which], [&](const Point& x) {
    std::vector<std::map<int, std::uint64_t>> rows_of(files.size());  // value → rows
    std::set<int> values;
    for (std::size_t f = 0; f < files.size(); ++f) {
      for (const std::size_t r : Matching(files[f], x)) {
        ++rows_of[f][files[f][r].value];
        values.insert(files[f][r].value);
      }
    }
    for (const std::size_t r : Matching(files[which], x)) {
      // The files that have a row for such a person.
      std::vector<std::size_t> in;
      for (std::size_t f = 0; f < files.size(); ++f) {
        if (rows_of[f].contains(files[which][r].value)) in.push_back(f);
      }
      std::uint64_t left = 0;
      std::size_t possible = 0;
      for (const int value : values) {
        std::uint64_t least = ~std::uint64_t{0};
        for (const std::size_t f : in) {
          const auto at = rows_of[f].find(value);
          least = std::min(least, at == rows_of[f].end() ? 0 : at->second);
        }
        left += least;
        possible += least > 0 ? 1 : 0;
      }
      ends[r].Add(left == 1, possible == 1, left);
      ends[r].meets = ends[r].meets || in.size() > 1;
    }
  });
  return FoundOf(ends);
}

std::vector<RowFound> Joined(const File& from, const File& to) {
  std::vector<Ends> ends(from.size());
  ForEachPoint(from, [&](const Point& x) {
    const std::vector<std::size_t> partners = Matching(to, x);
    if (partners.empty()) return;
    std::set<int> values;
    for (const std::size_t r : partners) values.insert(to[r].value);
    for (const std::size_t r : Matching(from, x)) {
      ends[r].Add(partners.size() == 1, values.size() == 1, partners.size());
      ends[r].meets = true;
    }
  });
  return FoundOf(ends);
}

Interval Singled(const std::vector<RowFound>& rows) {
  return Add(
      rows, [](const RowFound& row) { return row.single_surely; },
      [](const RowFound& row) { return row.single_possibly; });
}
Interval Certain(const std::vector<RowFound>& rows) {
  return Add(
      rows, [](const RowFound& row) { return row.certain_surely; },
      [](const RowFound& row) { return row.certain_possibly; });
}
Interval Either(const std::vector<RowFound>& rows) {
  return Add(
      rows, [](const RowFound& row) { return row.single_surely || row.certain_surely; },
      [](const RowFound& row) { return row.single_possibly || row.certain_possibly; });
}

}  // namespace oracle::survey
