#include "draw.h"

#include <algorithm>

namespace oracle::invariance {
namespace {

// People of one value of a bucket who are or were there.
struct Line {
  std::vector<int> here, gone;
};

int TakeAny(std::vector<int>& people, reissue::Random& random) {
  std::swap(people[random.Below(people.size())], people.back());
  const int person = people.back();
  people.pop_back();
  return person;
}

}  // namespace

bool Chance(double chance, reissue::Random& random) { return random.Unit() < chance; }

Published DrawBucket(const Shape& shape, reissue::Random& random) {
  Published published;
  published.values = shape.values;
  std::vector<Line> lines(static_cast<std::size_t>(shape.values));
  const int releases =
      shape.exactly ? shape.releases : 1 + int(random.Below(std::uint64_t(shape.releases)));
  for (int r = 0; r < releases; ++r) {
    published.releases.emplace_back();
    const std::size_t rows =
        Chance(shape.empty, random) ? 0 : 1 + random.Below(std::uint64_t(shape.rows));
    const bool quiet = Chance(0.1, random);
    for (int v = 0; v < shape.values; ++v) {
      Line& line = lines[std::size_t(v)];
      std::vector<int> stay, leave;
      for (const int person : line.here) {
        (!quiet && Chance(shape.leave, random) ? leave : stay).push_back(person);
      }
      while (stay.size() > rows) leave.push_back(TakeAny(stay, random));
      while (stay.size() < rows) {
        const bool back = !line.gone.empty() && Chance(shape.come_back, random);
        stay.push_back(back ? TakeAny(line.gone, random) : published.people++);
      }
      line.here = stay;
      line.gone.insert(line.gone.end(), leave.begin(), leave.end());
      for (const int person : line.here) published.releases.back().push_back({person, 0, v});
    }
  }
  published.counterfeit.resize(std::size_t(published.people));
  return published;
}

Published DrawBuckets(const Shape& shape, int buckets, reissue::Random& random) {
  Published published;
  const int values = shape.values + 1 + int(random.Below(2));
  published.values = values;
  Shape exactly = shape;
  exactly.exactly = true;
  exactly.releases = 1 + int(random.Below(std::uint64_t(shape.releases)));
  published.releases.resize(std::size_t(exactly.releases));
  std::set<std::set<int>> signatures;
  for (int b = 0; b < buckets; ++b) {
    std::vector<int> order;
    for (int v = 0; v < values; ++v) order.push_back(v);
    random.Shuffle(order);
    order.resize(std::size_t(shape.values));
    if (!signatures.insert({order.begin(), order.end()}).second) continue;
    const Published bucket = DrawBucket(exactly, random);
    for (std::size_t r = 0; r < bucket.releases.size(); ++r) {
      for (const Seen& seen : bucket.releases[r]) {
        published.releases[r].push_back(
            {published.people + seen.person, b, order[std::size_t(seen.value)]});
      }
    }
    published.people += bucket.people;
  }
  published.counterfeit.resize(std::size_t(published.people));
  return published;
}

Published SplitFinely(const Published& buckets, reissue::Random& random) {
  Published fine = buckets;
  for (auto& release : fine.releases) {
    std::map<std::pair<int, int>, std::vector<Seen*>> by_value;
    for (Seen& seen : release) by_value[{seen.group, seen.value}].push_back(&seen);
    for (auto& [key, rows] : by_value) {
      random.Shuffle(rows);
      // The k-th of every value together; sometimes two and two.
      for (std::size_t k = 0; k < rows.size(); ++k) rows[k]->group = key.first * 100 + int(k);
    }
    if (Chance(0.2, random)) {
      for (Seen& seen : release) seen.group -= seen.group % 2;
    }
  }
  return fine;
}

Published DrawAny(int people, int values, int releases, reissue::Random& random) {
  Published published;
  published.people = people;
  published.values = values;
  published.counterfeit.resize(std::size_t(people));
  std::vector<int> value_of;
  for (int p = 0; p < people; ++p) value_of.push_back(int(random.Below(std::uint64_t(values))));
  for (int r = 0; r < releases; ++r) {
    published.releases.emplace_back();
    const std::uint64_t groups = 1 + random.Below(3);
    const double there = 0.4 + 0.6 * random.Unit();
    for (int p = 0; p < people; ++p) {
      if (!Chance(there, random)) continue;
      published.releases.back().push_back({p, int(random.Below(groups)), value_of[std::size_t(p)]});
    }
  }
  return published;
}

}  // namespace oracle::invariance
