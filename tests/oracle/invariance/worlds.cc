#include "worlds.h"

#include <algorithm>
#include <numeric>

namespace oracle::invariance {
namespace {

// Groups of every person, and rows per group and value that nobody has yet.
struct Places {
  std::vector<std::vector<std::size_t>> groups;
  Matrix left;
  explicit Places(const Published& published) : groups(std::size_t(published.people)) {
    const Matrices matrices = MatricesOf(published);
    left = matrices.u;
    for (std::size_t g = 0; g < matrices.s.size(); ++g) {
      for (std::size_t p = 0; p < groups.size(); ++p) {
        if (matrices.s[g][p] != 0) groups[p].push_back(g);
      }
    }
  }
};

class Enumeration {
 public:
  Enumeration(const Published& published, const Known& known, std::size_t limit)
      : places_(published), values_(published.values), known_(known), limit_(limit) {
    world_.resize(std::size_t(published.people));
  }
  Worlds Run() {
    Next(0);
    return std::move(found_);
  }

 private:
  void Next(std::size_t person) {
    if (!found_.complete) return;
    if (person == world_.size()) {
      if (found_.worlds.size() == limit_) {
        found_.complete = false;
      } else {
        found_.worlds.push_back(world_);
      }
      return;
    }
    const auto known = known_.find(int(person));
    for (int v = 0; v < values_; ++v) {
      if (known != known_.end() && known->second != v) continue;
      const auto& groups = places_.groups[person];
      const bool room = std::all_of(groups.begin(), groups.end(), [&](std::size_t g) {
        return places_.left[g][std::size_t(v)] > 0;
      });
      if (!room) continue;
      for (const std::size_t g : groups) --places_.left[g][std::size_t(v)];
      world_[person] = v;
      Next(person + 1);
      for (const std::size_t g : groups) ++places_.left[g][std::size_t(v)];
    }
  }

  Places places_;
  int values_;
  const Known& known_;
  std::size_t limit_;
  World world_;
  Worlds found_;
};

// Who can have the value, and who can go without it, given who may and who must.
class OneValue {
 public:
  OneValue(const Places& places, int value, const std::vector<std::set<int>>& possible)
      : places_(places), value_(value), possible_(possible) {
    for (const Vector& group : places.left) left_.push_back(group[std::size_t(value)]);
    open_.resize(left_.size());
    for (const auto& groups : places.groups) {
      for (const std::size_t g : groups) ++open_[g];
    }
    chosen_.resize(possible.size());
    with.resize(possible.size());
    without.resize(possible.size());
    Next(0);
  }
  std::vector<bool> with, without;

 private:
  void Next(std::size_t person) {
    if (person == chosen_.size()) {
      for (std::size_t p = 0; p < chosen_.size(); ++p) (chosen_[p] ? with : without)[p] = true;
      return;
    }
    const bool may = possible_[person].count(value_) > 0;
    const bool must = may && possible_[person].size() == 1;
    const auto& groups = places_.groups[person];
    for (const bool has : {false, true}) {
      if ((has && !may) || (!has && must)) continue;
      bool fits = true;
      for (const std::size_t g : groups) {
        --open_[g];
        left_[g] -= has ? 1 : 0;
        fits = fits && left_[g] >= 0 && left_[g] <= open_[g];
      }
      chosen_[person] = has;
      if (fits) Next(person + 1);
      for (const std::size_t g : groups) {
        ++open_[g];
        left_[g] += has ? 1 : 0;
      }
    }
  }

  const Places& places_;
  int value_;
  const std::vector<std::set<int>>& possible_;
  Vector left_, open_;
  std::vector<bool> chosen_;
};

}  // namespace

Worlds WorldsOf(const Published& published, const Known& known, std::size_t limit) {
  return Enumeration(published, known, limit).Run();
}

Matrix TrueEqualities(int people, int values, const std::vector<World>& worlds) {
  Matrix seen;
  for (const World& world : worlds) {
    for (int v = 0; v < values; ++v) {
      Vector row;
      for (const int has : world) row.push_back(has == v ? 1 : 0);
      const std::size_t before = seen.size();
      Matrix more = seen;
      more.push_back(row);
      more = Echelon(std::move(more));
      if (more.size() == before) continue;
      // Only the space matters.
      for (Vector& r : more) {
        long common = 0;
        for (const long entry : r) common = std::gcd(common, entry);
        for (long& entry : r) entry /= common;
      }
      seen = std::move(more);
    }
  }
  return RightKernel(seen, std::size_t(people));
}

std::vector<std::set<int>> PossibleIn(int people, const std::vector<World>& worlds) {
  std::vector<std::set<int>> possible(static_cast<std::size_t>(people));
  for (const World& world : worlds) {
    for (std::size_t p = 0; p < world.size(); ++p) possible[p].insert(world[p]);
  }
  return possible;
}

std::vector<std::set<int>> PossibleByOneValue(const Published& published, const Known& known) {
  std::vector<std::set<int>> possible = Associated(published);
  for (const auto& [person, value] : known) {
    std::erase_if(possible[std::size_t(person)], [&, value = value](int v) { return v != value; });
  }
  const Places places(published);
  for (bool changed = true; changed;) {
    changed = false;
    for (int v = 0; v < published.values; ++v) {
      const OneValue one(places, v, possible);
      for (std::size_t p = 0; p < possible.size(); ++p) {
        const std::size_t before = possible[p].size();
        if (!one.with[p]) possible[p].erase(v);
        if (!one.without[p]) std::erase_if(possible[p], [&](int u) { return u != v; });
        changed = changed || possible[p].size() != before;
      }
    }
  }
  return possible;
}

}  // namespace oracle::invariance
