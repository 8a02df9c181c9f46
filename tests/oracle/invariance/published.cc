#include "published.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace oracle::invariance {
namespace {

// Per release and group, rows per value.
std::map<std::pair<std::size_t, int>, std::map<int, int>> CountsOf(const Published& published) {
  std::map<std::pair<std::size_t, int>, std::map<int, int>> counts;
  for (std::size_t r = 0; r < published.releases.size(); ++r) {
    for (const Seen& seen : published.releases[r]) ++counts[{r, seen.group}][seen.value];
  }
  return counts;
}

std::set<int> KeysOf(const std::map<int, int>& counts) {
  std::set<int> keys;
  for (const auto& [value, rows] : counts) keys.insert(value);
  return keys;
}

}  // namespace

std::string Describe(const Published& published) {
  std::ostringstream text;
  for (std::size_t r = 0; r < published.releases.size(); ++r) {
    std::map<int, std::vector<Seen>> groups;
    for (const Seen& seen : published.releases[r]) groups[seen.group].push_back(seen);
    text << "release " << r << ':';
    for (const auto& [group, rows] : groups) {
      text << " {";
      for (const Seen& seen : rows) text << ' ' << seen.person << '=' << seen.value;
      text << " }";
    }
    text << '\n';
  }
  return text.str();
}

Matrices MatricesOf(const Published& published) {
  Matrices matrices;
  matrices.people = published.people;
  matrices.values = published.values;
  for (const auto& release : published.releases) {
    std::map<int, std::size_t> row_of;
    for (const Seen& seen : release) {
      if (!row_of.count(seen.group)) {
        row_of[seen.group] = matrices.s.size();
        matrices.s.emplace_back(std::size_t(published.people));
        matrices.u.emplace_back(std::size_t(published.values));
      }
      const std::size_t row = row_of[seen.group];
      matrices.s[row][std::size_t(seen.person)] = 1;
      ++matrices.u[row][std::size_t(seen.value)];
    }
  }
  return matrices;
}

Published FirstReleases(const Published& published, std::size_t count) {
  Published first = published;
  first.releases.resize(std::min(count, first.releases.size()));
  return first;
}

std::vector<Published> BySignature(const Published& published) {
  const auto counts = CountsOf(published);
  std::map<std::set<int>, Published> parts;
  for (std::size_t r = 0; r < published.releases.size(); ++r) {
    for (const Seen& seen : published.releases[r]) {
      Published& part = parts[KeysOf(counts.at({r, seen.group}))];
      if (part.releases.empty()) {
        part = published;
        part.releases.assign(published.releases.size(), {});
      }
      part.releases[r].push_back(seen);
    }
  }
  std::vector<Published> all;
  for (auto& [signature, part] : parts) all.push_back(std::move(part));
  return all;
}

Equalities::Equalities(const Matrices& matrices, bool real) : people_(matrices.people) {
  const Matrix weights = LeftKernel(matrices.u, std::size_t(matrices.values));
  Matrix vectors;
  for (const Vector& w : weights) {
    vectors.push_back(Times(w, matrices.s, std::size_t(matrices.people)));
  }
  Build(vectors, real);
}

Equalities::Equalities(int people, const Matrix& vectors) : people_(people) {
  Build(vectors, true);
}

void Equalities::Build(const Matrix& vectors, bool saturate) {
  std::map<Vector, std::vector<int>> together;
  for (int p = 0; p < people_; ++p) {
    Vector column;
    for (const Vector& x : vectors) column.push_back(x[std::size_t(p)]);
    if (std::any_of(column.begin(), column.end(), [](long entry) { return entry != 0; })) {
      together[column].push_back(p);
    }
  }
  for (const auto& [column, people] : together) alike_.push_back(people);
  std::stable_sort(alike_.begin(), alike_.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
  for (const auto& people : alike_) cost_.push_back(long(people.size()));
  Matrix narrow;
  for (const Vector& x : vectors) {
    narrow.emplace_back();
    for (const auto& people : alike_) narrow.back().push_back(x[std::size_t(people[0])]);
  }
  lattice_ = Echelon(std::move(narrow));
  if (saturate) lattice_ = Saturated(lattice_, alike_.size());
}

std::optional<long> Equalities::Least() const {
  if (lattice_.empty()) return std::nullopt;
  return Shortest(lattice_, cost_) / 2;
}

bool Equalities::AnyUpTo(long size) const {
  bool any = false;
  ForEachShort(lattice_, cost_, 2 * size, [&](const Vector&, long) {
    any = true;
    return -1L;
  });
  return any;
}

double Equalities::Work(long size) const {
  // Whole points with Σ|x| ≤ 2·size, one coordinate per row of the lattice.
  double sum = 1, term = 1;
  for (long k = 1; k <= std::min(2 * size, long(lattice_.size())); ++k) {
    term *= 2.0 * double(long(lattice_.size()) - k + 1) / double(k) * double(2 * size - k + 1) /
            double(k);
    sum += term;
  }
  return sum;
}

std::set<Vector> Equalities::UpTo(long size) const {
  std::set<Vector> all;
  ForEachShort(lattice_, cost_, 2 * size, [&](const Vector& x, long) {
    Vector wide(static_cast<std::size_t>(people_));
    for (std::size_t c = 0; c < alike_.size(); ++c) {
      for (const int person : alike_[c]) wide[std::size_t(person)] = x[c];
    }
    all.insert(wide);
    return 2 * size;
  });
  return all;
}

std::set<int> Equalities::PeopleUpTo(long size) const {
  std::vector<bool> on_side(alike_.size());
  ForEachShort(lattice_, cost_, 2 * size, [&](const Vector& x, long) {
    for (std::size_t c = 0; c < x.size(); ++c) on_side[c] = on_side[c] || x[c] != 0;
    return 2 * size;
  });
  std::set<int> people;
  for (std::size_t c = 0; c < alike_.size(); ++c) {
    if (on_side[c]) people.insert(alike_[c].begin(), alike_[c].end());
  }
  return people;
}

bool Equalities::Has(const Vector& x) const {
  Vector left(static_cast<std::size_t>(people_));
  Vector narrow;
  for (const auto& people : alike_) {
    narrow.push_back(x[std::size_t(people[0])]);
    for (const int person : people) left[std::size_t(person)] = narrow.back();
  }
  if (left != x) return false;
  for (const Vector& row : lattice_) {
    const auto begin = std::find_if(row.begin(), row.end(), [](long entry) { return entry != 0; });
    const std::size_t c = std::size_t(begin - row.begin());
    if (narrow[c] % row[c] != 0) return false;
    const long times = narrow[c] / row[c];
    for (std::size_t k = 0; k < row.size(); ++k) narrow[k] -= times * row[k];
  }
  return std::all_of(narrow.begin(), narrow.end(), [](long entry) { return entry == 0; });
}

Vector Times(const Vector& w, const Matrix& rows, std::size_t columns) {
  Vector product(columns);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < columns; ++c) product[c] += w[r] * rows[r][c];
  }
  return product;
}

long SizeOf(const Vector& x) {
  long sum = 0;
  for (const long entry : x) sum += std::labs(entry);
  return sum / 2;
}

std::optional<long> LeastInBox(const Matrices& matrices, long box) {
  std::optional<long> least;
  Vector w(matrices.s.size(), -box);
  for (;;) {
    const Vector values = Times(w, matrices.u, std::size_t(matrices.values));
    if (std::all_of(values.begin(), values.end(), [](long entry) { return entry == 0; })) {
      const long size = SizeOf(Times(w, matrices.s, std::size_t(matrices.people)));
      if (size > 0 && (!least || size < *least)) least = size;
    }
    std::size_t digit = 0;
    while (digit < w.size() && w[digit] == box) w[digit++] = -box;
    if (digit == w.size()) return least;
    ++w[digit];
  }
}

std::vector<std::set<int>> Associated(const Published& published) {
  std::set<int> all;
  for (int v = 0; v < published.values; ++v) all.insert(v);
  std::vector<std::set<int>> possible(std::size_t(published.people), all);
  const auto counts = CountsOf(published);
  for (std::size_t r = 0; r < published.releases.size(); ++r) {
    for (const Seen& seen : published.releases[r]) {
      const std::map<int, int>& here = counts.at({r, seen.group});
      std::erase_if(possible[std::size_t(seen.person)], [&](int v) { return !here.count(v); });
    }
  }
  return possible;
}

std::string WrongInvariance(const Published& published, int m) {
  const auto counts = CountsOf(published);
  for (const auto& [where, here] : counts) {
    if (int(here.size()) < m) return "a group has fewer than m values";
    for (const auto& [value, rows] : here) {
      if (rows != here.begin()->second) return "a value occurs more often than another";
    }
  }
  std::map<int, std::set<int>> signature;
  for (std::size_t r = 0; r < published.releases.size(); ++r) {
    std::set<int> shown;
    for (const Seen& seen : published.releases[r]) {
      if (!shown.insert(seen.person).second) return "somebody stands twice in a release";
      const std::set<int> here = KeysOf(counts.at({r, seen.group}));
      const auto [at, first] = signature.emplace(seen.person, here);
      if (!first && at->second != here) return "somebody changed the signature";
    }
  }
  return "";
}

bool IsBuckets(const Published& published) {
  if (!WrongInvariance(published, 1).empty()) return false;
  std::set<std::pair<std::size_t, std::set<int>>> seen;
  for (const auto& [where, here] : CountsOf(published)) {
    if (!seen.insert({where.first, KeysOf(here)}).second) return false;
  }
  return true;
}

bool SomebodyReturned(const Published& published) {
  std::map<int, std::size_t> last;
  for (std::size_t r = 0; r < published.releases.size(); ++r) {
    for (const Seen& seen : published.releases[r]) {
      const auto at = last.find(seen.person);
      if (at != last.end() && at->second + 1 != r) return true;
      last[seen.person] = r;
    }
  }
  return false;
}

}  // namespace oracle::invariance
