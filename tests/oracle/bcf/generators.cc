#include "generators.h"

#include <algorithm>

namespace oracle::bcf {
namespace {

class Enumeration {
 public:
  Enumeration(const Domain& domain, const Series& series,
              const std::function<void(const Generator&)>& visit)
      : domain_(domain), series_(series), visit_(visit) {}

  // Gives the chains from `index` on, of those that reach back before `release`, a row of it.
  void Extend(std::size_t release, std::size_t index, Generator chains,
              std::set<std::size_t> used) {
    if (release == series_.size()) return visit_(chains);
    const Release& rows = series_[release];
    const std::size_t older = Older(chains, release);
    if (index == older) {
      for (std::size_t row = 0; row < rows.size(); ++row) {
        if (!used.contains(row))
          chains.push_back({release + 1, {row}, domain_.Under(rows[row].quasi)});
      }
      return Extend(release + 1, 0, chains, {});
    }
    const Row& last = series_[release - 1][chains[index].rows.back()];
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (used.contains(row) || rows[row].sensitive != last.sensitive) continue;
      const Places common = chains[index].places & domain_.Under(rows[row].quasi);
      if (common.none()) continue;
      Generator longer = chains;
      longer[index].rows.push_back(row);
      longer[index].places = common;
      std::set<std::size_t> more = used;
      more.insert(row);
      Extend(release, index + 1, std::move(longer), std::move(more));
    }
  }

 private:
  static std::size_t Older(const Generator& chains, std::size_t release) {
    return std::count_if(chains.begin(), chains.end(),
                         [&](const Chain& chain) { return chain.birth <= release; });
  }

  const Domain& domain_;
  const Series& series_;
  const std::function<void(const Generator&)>& visit_;
};

// A target's number of records in a group, for every generator; the greatest of them.
template <typename Counts>
long Most(const std::vector<Generator>& generators, const Counts& counts) {
  long most = 0;
  for (const Generator& generator : generators) {
    most = std::max<long>(most, std::count_if(generator.begin(), generator.end(), counts));
  }
  return most;
}

std::optional<long> LeastLeft(const Release& release, bool first,
                              const std::map<PairTarget, ByValue>& cracks) {
  std::optional<long> least;
  for (const auto& [pair, sizes] : cracks) {
    const long left = CellSize(release, first ? pair.first : pair.second) - Total(sizes);
    if (left > 0) TakeLess(least, left);
  }
  return least;
}

}  // namespace

void ForEachGenerator(const Domain& domain, const Series& series,
                      const std::function<void(const Generator&)>& visit) {
  Enumeration(domain, series, visit).Extend(0, 0, {}, {});
}

Cracks CrackSizes(const Domain& domain, const Release& r1, const Release& r2) {
  std::vector<Generator> generators;
  ForEachGenerator(domain, {r1, r2}, [&](const Generator& one) { generators.push_back(one); });
  Cracks cracks;
  cracks.possible = !generators.empty();
  if (!cracks.possible) return cracks;
  const auto values = Values({r1, r2});
  for (std::size_t place = 0; place < domain.places().size(); ++place) {
    const Quasi& person = domain.places()[place];
    for (const Quasi& second : Cells(r2)) {
      if (!domain.Matches(person, second)) continue;
      for (const std::string& value : values) {
        const long size = GroupSize(r2, second, value);
        const Row row = {second, value};
        cracks.backward[{person, {}, second}][value] =
            size - Most(generators, [&](const Chain& chain) {
              return chain.birth == 2 && r2[chain.rows[0]] == row;
            });
      }
      for (const Quasi& first : Cells(r1)) {
        if (!domain.Matches(person, first)) continue;
        for (const std::string& value : values) {
          const long own = Most(generators, [&](const Chain& chain) {
            return chain.birth == 1 && chain.places[place] &&
                   r1[chain.rows[0]] == Row{first, value} &&
                   r2[chain.rows[1]] == Row{second, value};
          });
          cracks.forward[{person, first, second}][value] = GroupSize(r1, first, value) - own;
          cracks.cross[{person, first, second}][value] = GroupSize(r2, second, value) - own;
        }
      }
    }
  }
  return cracks;
}

Anonymity AnonymityByDefinition(const Domain& domain, const Release& r1, const Release& r2) {
  const Cracks cracks = CrackSizes(domain, r1, r2);
  return {LeastLeft(r1, true, cracks.forward), LeastLeft(r2, false, cracks.cross),
          LeastLeft(r2, false, cracks.backward)};
}

long Total(const ByValue& sizes) {
  long total = 0;
  for (const auto& [value, size] : sizes) total += size;
  return total;
}

void TakeLess(std::optional<long>& least, long candidate) {
  if (!least || candidate < *least) least = candidate;
}

}  // namespace oracle::bcf
