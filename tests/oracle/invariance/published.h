#pragma once
// A published series as its definitions have it (Xiao and Tao, SIGMOD 2007; He, Barman and
// Naughton, ICDE 2011): who stands in which group, and how often each value occurs there. The twin
// of model `m-invariance`; sees no header of the product.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lattice.h"

namespace oracle::invariance {

struct Seen {
  int person = 0;
  int group = 0;
  int value = 0;
};

struct Published {
  int people = 0;
  int values = 0;
  std::vector<bool> counterfeit;  // per person
  std::vector<std::vector<Seen>> releases;
};
std::string Describe(const Published& published);

// Definition 9: a row per group of any release.
struct Matrices {
  int people = 0;
  int values = 0;
  Matrix s, u;
};
Matrices MatricesOf(const Published& published);
Published FirstReleases(const Published& published, std::size_t count);
// One series per set of values that a group has.
std::vector<Published> BySignature(const Published& published);

// Equalities by Definition 10, up to people who are always together. `real`: any weights W that
// make W·S whole, as the definition says; else whole weights only, as Lemma 2 would have it.
class Equalities {
 public:
  Equalities(const Matrices& matrices, bool real);
  // From vectors over people that are known to be equalities, all together.
  Equalities(int people, const Matrix& vectors);

  // Of the least one; nothing if there is none.
  std::optional<long> Least() const;
  // Whether there is one of at most `size` people. `Work`: about how many vectors are looked at.
  bool AnyUpTo(long size) const;
  double Work(long size) const;
  // All of at most `size` people on either side, as multiplicities per person.
  std::set<Vector> UpTo(long size) const;
  // Everybody on a side of one of at most `size` people.
  std::set<int> PeopleUpTo(long size) const;
  bool Has(const Vector& x) const;
  std::size_t dimension() const { return lattice_.size(); }

 private:
  void Build(const Matrix& vectors, bool saturate);

  int people_;
  std::vector<std::vector<int>> alike_;  // people who are always together; most first
  Vector cost_;
  Matrix lattice_;
};

// W·rows.
Vector Times(const Vector& w, const Matrix& rows, std::size_t columns);
// ½‖x‖₁.
long SizeOf(const Vector& x);

// The same from whole weights W between −box and box, one after the other.
std::optional<long> LeastInBox(const Matrices& matrices, long box);

// Association: the values that occur in all groups of a person; for those who were never seen, all.
std::vector<std::set<int>> Associated(const Published& published);

// What is wrong by Definitions 3 and 4, a bucket counted as its groups of m merged: nothing if the
// series is m-invariant.
std::string WrongInvariance(const Published& published, int m);

// The series has one group per value set and release, every value equally often, and everybody is
// always in groups of one value set.
bool IsBuckets(const Published& published);
// Somebody was absent in between.
bool SomebodyReturned(const Published& published);

}  // namespace oracle::invariance
