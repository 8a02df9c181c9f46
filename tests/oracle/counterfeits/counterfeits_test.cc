// A reader who looks for counterfeits, against the program.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "guesser.h"
#include "play.h"

namespace oracle::counterfeits {
namespace {

constexpr std::size_t kSeries = 24;  // to learn from, and as many to be judged by
constexpr double kAllowed = 0.05;    // above chance

std::vector<Played> Make(Shape shape, int m, Disguise disguise, std::uint64_t first) {
  const auto directory =
      std::filesystem::temp_directory_path() / ("reissue-counterfeits-" + std::to_string(getpid()));
  std::vector<Played> made;
  for (std::uint64_t seed = first; made.size() < kSeries; ++seed) {
    std::filesystem::create_directories(directory);
    made.push_back(Play(shape, m, disguise, seed, directory.string()));
    std::filesystem::remove_all(directory);
  }
  return made;
}

class Game {
 public:
  Game(Shape shape, int m, Disguise disguise)
      : own_(Make(shape, m, disguise, 1000)), fresh_(Make(shape, m, disguise, 5000)) {}
  Rates Guess(By by) const { return Evaluate(Guesser::Learn(See(own_, by)), See(fresh_, by)); }

 private:
  static std::vector<Examined> See(const std::vector<Played>& played, By by) {
    std::vector<Examined> seen;
    for (const Played& one : played) seen.push_back(Examine(one.series, one.truth, by));
    return seen;
  }
  std::vector<Played> own_, fresh_;
};

std::string Percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

TEST(Counterfeits, LookLikePeople) {
  fmt::print(
      "Of as many guesses as there are counterfeits, how many are right\n{:9} {:>2} {:>13} "
      "{:>16} {:>9} {:>10} {:>13} {:>9}\n",
      "table", "m", "counterfeits", "chance by looks", "by looks", "chance", "by lifetimes",
      "by both");
  double chance = 0, right = 0, all = 0;
  for (const Shape shape : kShapes) {
    for (const int m : {2, 4}) {
      const Game game(shape, m, Disguise::kProduct);
      const Rates looks = game.Guess(By::kLooks), lifetimes = game.Guess(By::kLifetimes),
                  both = game.Guess(By::kBoth);
      fmt::print("{:9} {:2} {:13} {:>16} {:>9} {:>10} {:>13} {:>9}\n", NameOf(shape), m,
                 both.counterfeits, Percent(looks.chance), Percent(looks.precision),
                 Percent(both.chance), Percent(lifetimes.precision), Percent(both.precision));
      EXPECT_GT(looks.counterfeits, 400);
      // A few hundred guesses: one deviation is about two points.
      EXPECT_LE(looks.precision, looks.chance + kAllowed + 0.04) << NameOf(shape) << " " << m;
      chance += looks.chance * looks.counterfeits;
      right += looks.precision * looks.counterfeits;
      all += looks.counterfeits;
    }
  }
  fmt::print("together: chance {}, by looks {}\n", Percent(chance / all), Percent(right / all));
  EXPECT_LE(right, chance + kAllowed * all);
}

// Nobody could make better ones: what the reader still seems to find is noise.
TEST(Counterfeits, PeopleWhoAreNotThereAreNotFound) {
  const Rates looks = Game(Shape::kUnique, 4, Disguise::kPeople).Guess(By::kLooks);
  EXPECT_LE(looks.precision, looks.chance + kAllowed);
}

TEST(CounterfeitsPlantedBugs, CopiesAreFound) {
  for (const Shape shape : kShapes) {
    const Rates looks = Game(shape, 4, Disguise::kCopies).Guess(By::kLooks);
    fmt::print("{:9} copies: chance {}, by looks {}\n", NameOf(shape), Percent(looks.chance),
               Percent(looks.precision));
    EXPECT_GT(looks.precision, looks.chance + 0.12) << NameOf(shape);
  }
}

}  // namespace
}  // namespace oracle::counterfeits
