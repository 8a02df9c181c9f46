#pragma once
// Random small files: what they publish as texts, and what the texts stand for.

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "oracle.h"

namespace oracle::survey {

// Columns of whole numbers, and of words. Raw values 0 … 17 stand for the numbers −1 … 16, of which
// people have 0 … 10; 0 … 5 stand for five words, and one that no label names, or that is a leaf of
// a taxonomy which nobody has.
struct Drawn {
  std::vector<std::vector<std::string>> texts;  // per row: a label per column, then the value
  File file;
  std::size_t numbers = 0;  // columns of numbers; those of words follow
  // Of the columns of words: what stands above each word, from the leaf to the root; or nothing.
  std::vector<std::vector<std::string>> hierarchy;
};

enum class Kind { kFullDomain, kMondrian, kSuppression };

class Drawer {
 public:
  explicit Drawer(std::uint64_t seed) : random_(seed) {}
  // `numbers` of the columns are of numbers, the others of words. People are drawn anew, or `again`
  // are taken of those who were drawn before.
  Drawn Draw(Kind kind, std::size_t numbers, std::size_t words, double again = 0);
  // From here on words have a taxonomy, and are recoded along it: all to one level (kFullDomain),
  // groups to the lowest node above all of them (kMondrian), or each by itself (kSuppression).
  void DrawTree();
  std::uint64_t Below(std::uint64_t n) { return random_() % n; }

 private:
  struct Person {
    std::vector<int> raw;
    int value = 0;
  };
  std::vector<Person> People(std::size_t columns, std::size_t numbers, double again);

  std::vector<std::vector<std::string>> tree_;  // per word, from the leaf to the root
  std::mt19937_64 random_;
  std::vector<Person> before_;
};

}  // namespace oracle::survey
