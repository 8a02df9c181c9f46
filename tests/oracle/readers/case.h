#pragma once
// What is put before a reader and before the program alike: a policy, the files that it names, and
// tables. Plain values, written and read as files are; nothing of the product is used here.

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace reissue::readers {

// Real numbers are compared with it, as docs/limits.md says.
inline constexpr double kTolerance = 1e-9;

using Fields = std::vector<std::string>;

// Chance that is the same on every machine.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t Below(std::uint64_t bound) { return engine_() % bound; }
  std::uint64_t From(std::uint64_t least, std::uint64_t most) {
    return least + Below(most - least + 1);
  }
  bool OneIn(std::uint64_t times) { return Below(times) == 0; }
  template <typename T>
  const T& Of(const std::vector<T>& items) {
    return items[Below(items.size())];
  }
  template <typename T>
  void Shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[Below(i)]);
  }

 private:
  std::mt19937_64 engine_;
};

// A table with a header.
struct Sheet {
  Fields header;
  std::vector<Fields> rows;

  bool Has(const std::string& column) const;
  std::size_t Column(const std::string& name) const;  // which must be there
  const std::string& At(std::size_t row, const std::string& column) const;
  std::string Text() const;
  static Sheet Parse(const std::string& text);
};

// A requirement of model `xy`.
struct Requirement {
  bool linkability = false;
  Fields x;
  Fields y;                              // columns; of linkability: where `values` is empty
  std::string column;                    // linkability: whose `values` are bounded
  std::map<std::string, double> values;  // value → the most that may be inferred
  double bound = 0;                      // k, or the confidence for all values of `y`
};

// Rows at or below both labels are never the same person (model `xy`).
struct Inconsistent {
  std::string column, label, other_column, other_label;
};

struct Case {
  std::string model;
  std::string columns;                          // the lines of [columns]
  std::map<std::string, double> asked;          // numbers of [guarantee]
  std::map<std::string, std::string> settings;  // texts of [guarantee]
  std::vector<Requirement> requirements;
  std::vector<Inconsistent> inconsistent;
  std::map<std::string, std::string> knowledge;  // [knowledge]
  std::map<std::string, std::string> files;      // that the policy names, with their texts
  std::vector<Sheet> sheets;  // releases, oldest first; or tables, where they are to be published
  std::vector<Sheet> priors;  // model `xy`

  double Asked(const std::string& key, double otherwise) const;
  bool Asks(const std::string& key) const { return asked.contains(key); }
  std::string Policy() const;  // in TOML
  std::string Text() const;    // everything, for people
};

// Cases that are a little smaller: without a release, without a person, without a row.
std::vector<Case> Smaller(const Case& one);

// The smallest case one gets to by leaving things out while `still` holds.
template <typename Still>
Case Shrunk(Case one, const Still& still) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (const Case& next : Smaller(one)) {
      if (!still(next)) continue;
      one = next;
      smaller = true;
      break;
    }
  }
  return one;
}

}  // namespace reissue::readers
