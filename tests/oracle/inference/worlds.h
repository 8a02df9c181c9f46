#pragma once
// Who has which value in a group: all n! ways to give the rows to the people, one after the other,
// each with its weight. Written from section 4 of Amiri et al. (Transactions on Data Privacy 12,
// 2019); sees nothing of the product.

#include <optional>
#include <vector>

namespace oracle::inference {

using Table = std::vector<std::vector<double>>;  // people × values

struct Group {
  std::vector<int> rows;  // how many rows each value has
  Table prior;            // per person, per value
  int people() const { return int(prior.size()); }
  int values() const { return int(rows.size()); }
};

// A compromised record: CR(person, value).
struct Told {
  int person = 0, value = 0;
  double confidence = 0;
};

// A person to whom every value of the group is impossible takes all of them to be alike.
Group Sensible(const Group& group);

// Everything that follows from the n! assignments.
struct Answers {
  Table sum;                   // weights: total of the priors
  std::optional<Table> exact;  // weights: product; nothing where all of them are 0
  // bayes: weights 1 plus matching records, plus 1 for one of the best assignments.
  Table weight;  // without the best one
  double total = 0;
  std::vector<std::vector<int>> best;  // distinct ones, per person the value
  Table shared;                        // of a mass of 1, shared by the best ones

  Table Bayes(const std::vector<int>& assignment) const;
  Table BayesShared() const;
};

Answers Enumerate(const Group& group, const std::vector<Told>& told);

// The product weights without enumeration, for groups of any size: the probability that the people
// show the multiset is a coefficient of Π_v Σ_s p(v,s)·x_s, found from its values at roots of
// unity. Π (rows + 1) over all values but the rarest, times people · values.
std::optional<Table> ExactByRoots(const Group& group);

// The Ω-estimate. Nothing where a value is impossible to all.
std::optional<Table> Omega(const Group& group);

// What counts of several statements (Definition 6, read as Example 4 does).
std::vector<Told> Counting(const Group& group, const std::vector<Told>& told);

// Equation 5: law of total probability over whether the record is compromised.
std::vector<double> Compromised(const std::vector<double>& prior, int value, double confidence);

// Equation 8.
double GainOf(double belief, int rows, int people);

double LargestDifference(const Table& a, const Table& b);

}  // namespace oracle::inference
