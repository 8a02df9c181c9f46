#pragma once
// Made-up tables whose rows come and go, of several shapes: what counterfeits must not stand out
// from.

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace oracle::counterfeits {

enum class Shape {
  kTwins,    // three columns, few values: most rows have twins
  kUnique,   // nine columns: every row is the only one
  kLinked,   // columns that determine one another: postcode and town, age and birth year
  kGrowing,  // everybody is a year older each time, some move house; who comes is new in the list
  kNumbers,  // measurements that hardly ever repeat, and depend on one another
};
inline constexpr Shape kShapes[] = {Shape::kTwins, Shape::kUnique, Shape::kLinked, Shape::kGrowing,
                                    Shape::kNumbers};
const char* NameOf(Shape shape);

struct Person {
  std::string id;
  std::vector<std::string> columns;
  std::string value;
};

class World {
 public:
  World(Shape shape, std::size_t rows, std::uint64_t seed);

  // A release later: some leave, about as many come, and who stays may change.
  void Pass();

  // Somebody else, who comes now; and how somebody changes from one release to the next.
  Person Newcomer();
  void Change(Person& person);

  const std::vector<Person>& there() const { return there_; }
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<bool>& numeric() const { return numeric_; }
  // The last column is published as it is, the others are quasi-identifiers.
  std::string Policy(const std::string& guarantee) const;
  std::string Csv() const;

 private:
  std::size_t Below(std::size_t bound) { return random_() % bound; }
  bool Chance(double chance) { return static_cast<double>(random_() >> 11) * 0x1p-53 < chance; }
  double Normal();                                        // about: mean 0, deviation 1
  std::string Pick(const char* what, std::size_t kinds);  // low numbers more often
  std::vector<std::string> Columns(std::size_t value);

  Shape shape_;
  std::size_t rows_;
  std::mt19937_64 random_;
  std::vector<std::string> names_;
  std::vector<bool> numeric_;
  std::vector<Person> there_;
  std::size_t people_ = 0, time_ = 0;
};

}  // namespace oracle::counterfeits
