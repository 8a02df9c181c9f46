#pragma once
// The slow, obvious twin of model `k`, written from the definitions in the papers and from nothing
// else. Rows are rows of strings; every number is found by looking at all rows, all pairs, all
// cuts. For tests only: never part of the product, and it knows nothing of the product's code.
// Plain values, no state.

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace oracle::k {

struct Row {
  std::vector<std::string> quasi;
  std::string sensitive;
  std::string label;  // what a classifier would learn; empty where there is no such column
};
using Rows = std::vector<Row>;

struct Promise {
  std::size_t k = 1;
  std::optional<std::size_t> distinct = {};
  std::optional<double> entropy = {};                            // l of entropy l-diversity
  std::optional<std::pair<double, std::size_t>> recursive = {};  // c and l
  std::optional<double> alpha = {};
  std::map<std::string, double> confidence = {};  // threshold by value, none for absent values
  std::optional<double> t = {};
  std::vector<std::string> order = {};  // all values of the domain in order; empty: equal distance
  std::optional<double> beta = {};
};

// What is compared with a real threshold may miss it by this much; a strict "less than" may not.
inline constexpr double kSlack = 1e-9;

// Rows that agree on every quasi-identifier, found by comparing pairs. Classes in the order of
// their first rows.
std::vector<Rows> EquivalenceClasses(const Rows& rows);

// Share of every sensitive value that occurs.
std::map<std::string, double> Shares(const Rows& rows);

// Measures of one class. `all` is the whole release.
std::size_t DistinctValues(const Rows& rows);
// −Σ p·log p (Machanavajjhala et al. 2006, entropy l-diversity asks for ≥ log l).
double Entropy(const Rows& rows);
// r1 / (r_l + … + r_m): the bound that c has to exceed (ibid., recursive diversity). Infinite where
// there are fewer than l values.
double RecursiveBound(const Rows& rows, std::size_t l);
double LargestShare(const Rows& rows);
// Largest share − threshold over the values that have a threshold (share 0 where the class has none
// of a value); 0 where no value has one.
double ConfidenceExcess(const Rows& rows, const std::map<std::string, double>& thresholds);
// Half the sum of |p − q|: the earth mover's distance where all values are equally far apart (Li,
// Li and Venkatasubramanian 2007).
double EqualDistance(const Rows& rows, const Rows& all);
// The earth mover's distance where neighbours in `order` are 1/(m − 1) apart (ibid.), by solving
// the transportation problem with integer supplies and demands.
double OrderedDistance(const Rows& rows, const Rows& all, const std::vector<std::string>& order);
// Largest (p − q)/q over the values with p > q; 0 where there is none (Cao and Karras 2012, basic
// β-likeness).
double Gain(const Rows& rows, const Rows& all);

// Least cost of moving `supply` to `demand` (equal sums) where one unit from i to j costs
// cost[i][j]: successive cheapest paths.
long TransportationCost(const std::vector<long>& supply, const std::vector<long>& demand,
                        const std::vector<std::vector<long>>& cost);

// Names of the promises that a class breaks: "k", "distinct", "entropy", "recursive", "alpha",
// "confidence", "t", "beta".
std::set<std::string> Broken(const Rows& rows, const Rows& all, const Promise& promise);
bool Satisfied(const Rows& release, const Promise& promise);

// People by attack.
struct Exposure {
  std::size_t identity = 0;     // in classes of fewer than k
  std::size_t homogeneity = 0;  // in classes with one sensitive value
  std::size_t skew = 0;     // in classes that break a promise on shares (α, confidence), t or β
  std::size_t exposed = 0;  // in classes that break any promise
  std::size_t alone = 0;    // in a class by themselves
};
Exposure Expose(const Rows& release, const Promise& promise);

}  // namespace oracle::k
