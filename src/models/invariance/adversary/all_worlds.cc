#include "reissue/models/invariance/adversary/all_worlds.h"

#include <algorithm>
#include <bit>

#include "reissue/models/invariance/adversary/equality_program.h"
#include "reissue/models/invariance/adversary/least_space.h"

namespace reissue::models::invariance {
namespace {

// Worlds drawn before anything is asked for; so many in a row that tell nothing new are enough.
constexpr int kSamples = 40, kStale = 5;
constexpr std::uint64_t kSampleNodes = 2000;

std::uint64_t SizeOf(const std::vector<std::int64_t>& vector) {
  std::uint64_t size = 0;
  for (const std::int64_t entry : vector) size += entry > 0 ? static_cast<std::uint64_t>(entry) : 0;
  return size;
}

}  // namespace

bool Span::Add(const std::vector<std::int64_t>& vector) {
  std::vector<Fraction> row(vector.begin(), vector.end());
  auto reduce = [](std::vector<Fraction>& what, const std::vector<Fraction>& by,
                   std::size_t pivot) {
    if (what[pivot] == 0) return;
    const Fraction times = what[pivot];
    for (std::size_t c = 0; c < what.size(); ++c) {
      if (by[c] != 0) what[c] -= times * by[c];
    }
  };
  for (std::size_t r = 0; r < rows_.size(); ++r) reduce(row, rows_[r], pivots_[r]);
  const auto first = std::ranges::find_if(row, [](const Fraction& f) { return f != 0; });
  if (first == row.end()) return false;
  const auto pivot = static_cast<std::size_t>(first - row.begin());
  const Fraction scale = 1 / *first;
  for (Fraction& entry : row) entry *= scale;
  for (std::vector<Fraction>& other : rows_) reduce(other, row, pivot);
  rows_.push_back(std::move(row));
  pivots_.push_back(pivot);
  return true;
}

EqualitySpace Span::Orthogonal() const {
  EqualitySpace space;
  std::vector<bool> is_pivot(columns_, false);
  for (const std::size_t pivot : pivots_) is_pivot[pivot] = true;
  for (std::size_t c = 0; c < columns_; ++c) {
    space.coordinates.push_back({1, 0});
    space.origins.push_back({c, 1});
    if (is_pivot[c]) continue;
    std::vector<Fraction>& row = space.rows.emplace_back(columns_);
    row[c] = 1;
    for (std::size_t r = 0; r < rows_.size(); ++r) row[pivots_[r]] = -rows_[r][c];
  }
  space.pivots = Eliminate(space.rows, 0, columns_);
  return space;
}

AllWorlds::AllWorlds(const std::vector<PublishedGroup>& groups, std::uint64_t effort,
                     const std::vector<Value>& truth)
    : worlds_(groups),
      effort_(effort),
      random_(Random::Seeded(0x776f726c6473)),
      seen_(worlds_.people().size(), 0),
      span_(worlds_.people().size()) {
  possible_ = worlds_.fit();
  if (!possible_) return;
  std::map<std::vector<std::uint32_t>, std::vector<std::size_t>> kinds;
  for (std::size_t p = 0; p < people().size(); ++p) kinds[worlds_.groups_of(p)].push_back(p);
  for (auto& [groups_of, members] : kinds) kinds_.push_back(std::move(members));
  if (!truth.empty()) {
    Worlds::World world;
    for (const Value value : truth) {
      world.push_back(static_cast<std::uint32_t>(std::ranges::lower_bound(worlds_.values(), value) -
                                                 worlds_.values().begin()));
    }
    Record(world);
  }
}

// People who are always together may change places.
bool AllWorlds::Record(const Worlds::World& world) {
  bool new_to_span = false;
  std::vector<std::vector<std::int64_t>> vectors(worlds_.values().size(),
                                                 std::vector<std::int64_t>(people().size(), 0));
  for (std::size_t p = 0; p < world.size(); ++p) vectors[world[p]][p] = 1;
  for (const auto& vector : vectors) new_to_span |= span_.Add(vector);
  for (const std::vector<std::size_t>& kind : kinds_) {
    std::uint64_t values = 0;
    for (const std::size_t p : kind) values |= std::uint64_t{1} << world[p];
    for (const std::size_t p : kind) seen_[p] |= values;
    if (std::popcount(values) < 2) continue;
    for (std::size_t i = 1; i < kind.size(); ++i) {
      std::vector<std::int64_t> difference(people().size(), 0);
      difference[kind[0]] = 1;
      difference[kind[i]] = -1;
      new_to_span |= span_.Add(difference);
    }
  }
  if (found_.empty()) found_.push_back(world);
  return new_to_span;
}

bool AllWorlds::Find(Worlds::Asked asked, bool& gave_up) {
  Worlds::World world;
  const Worlds::World* like = found_.empty() ? nullptr : &found_.front();
  const Worlds::Answer answer = worlds_.Find(asked, like, random_, effort_, world);
  gave_up |= answer == Worlds::Answer::kGaveUp;
  if (answer != Worlds::Answer::kFound) return false;
  Record(world);
  return true;
}

void AllWorlds::Sample() {
  if (sampled_ || !possible_) return;
  sampled_ = true;
  for (int i = 0, stale = 0; i < kSamples && stale < kStale; ++i, ++stale) {
    Worlds::World world;
    std::uint64_t nodes = kSampleNodes;
    if (worlds_.Find({}, nullptr, random_, nodes, world) != Worlds::Answer::kFound) continue;
    if (Record(world)) stale = -1;
  }
}

std::vector<AllWorlds::Possible> AllWorlds::PossibleValues() {
  Sample();
  std::vector<Possible> result(people().size());
  for (std::size_t p = 0; p < people().size(); ++p) {
    bool gave_up = !possible_;
    for (std::uint32_t v = 0; v < worlds_.values().size() && possible_; ++v) {
      const std::uint64_t bit = std::uint64_t{1} << v;
      if ((seen_[p] & bit) == 0) Find({{{p, v}}, {}}, gave_up);
      if ((seen_[p] & bit) != 0) result[p].values.push_back(worlds_.values()[v]);
    }
    result[p].decided = !gave_up;
  }
  return result;
}

AllWorlds::Equalities AllWorlds::Below(std::uint64_t e) {
  Equalities result;
  result.decided = possible_;
  if (e < 2 || !possible_) return result;
  Sample();
  while (Refine(e, result)) {
  }
  std::ranges::sort(result.exposed);
  return result;
}

// Looks at everybody once; true where a world was found that leaves fewer vectors.
bool AllWorlds::Refine(std::uint64_t e, Equalities& result) {
  result = {};
  EqualitySpace space = span_.Orthogonal();
  if (space.dimension() == 0) return false;
  Merge(space);
  std::uint64_t programs = effort_ / kProgramSteps + 1;
  for (const EqualitySpace& part : Components(space)) {
    std::vector<char> seen(part.coordinates.size(), 0);
    for (std::size_t c = 0; c < part.coordinates.size(); ++c) {
      if (seen[c] || part.coordinates[c].side() >= e) continue;
      const LeastVector least = LeastWith(part, c, e, programs);
      if (!least.found) {
        result.decided &= least.lower >= e;
        continue;
      }
      std::vector<std::int64_t> vector;
      for (const Whole& entry : Expand(part, *least.found)) vector.push_back(entry.get_si());
      auto judged = judged_.find(vector);
      if (judged == judged_.end()) {
        bool gave_up = false;
        if (Find({{}, vector}, gave_up)) return true;
        judged = judged_.emplace(vector, !gave_up).first;
      }
      result.decided &= judged->second;
      if (!judged->second) continue;
      for (std::size_t d = 0; d < seen.size(); ++d) seen[d] |= (*least.found)[d] != 0;
      Prove(vector, result);
    }
  }
  return false;
}

void AllWorlds::Prove(const std::vector<std::int64_t>& vector, Equalities& result) {
  const std::uint64_t size = SizeOf(vector);
  const bool least = result.size == 0 || size < result.size;
  if (least) {
    result.size = size;
    result.left.clear();
    result.right.clear();
  }
  for (std::size_t p = 0; p < vector.size(); ++p) {
    if (vector[p] == 0) continue;
    result.exposed.push_back(people()[p]);
    if (!least) continue;
    std::vector<Person>& side = vector[p] > 0 ? result.left : result.right;
    side.insert(side.end(), static_cast<std::size_t>(std::abs(vector[p])), people()[p]);
  }
}

}  // namespace reissue::models::invariance
