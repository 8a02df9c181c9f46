// Files of the three kinds that tools make, and files together, against the enumeration of every
// raw combination. REISSUE_SURVEY_FILES says how many of each; the slow run has 2,000.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "draw.h"
#include "oracle.h"
#include "product.h"

namespace oracle::survey {
namespace {

std::size_t Files() {
  const char* wanted = std::getenv("REISSUE_SURVEY_FILES");
  return wanted != nullptr ? static_cast<std::size_t>(std::atoi(wanted)) : 150;
}

constexpr Kind kKinds[] = {Kind::kFullDomain, Kind::kMondrian, Kind::kSuppression};

std::vector<RowFound> WithoutLeast(std::vector<RowFound> rows, bool without_meets) {
  for (RowFound& row : rows) {
    row.least = 0;
    if (without_meets) row.meets = false;
  }
  return rows;
}

// All that the product says must be so; with little work it may say less.
bool Within(const std::vector<RowFound>& product, const std::vector<RowFound>& truth) {
  for (std::size_t r = 0; r < truth.size(); ++r) {
    if (product[r].single_surely > truth[r].single_surely ||
        product[r].single_possibly < truth[r].single_possibly ||
        product[r].certain_surely > truth[r].certain_surely ||
        product[r].certain_possibly < truth[r].certain_possibly ||
        product[r].least > truth[r].least)
      return false;
  }
  return true;
}

bool SameAlone(Drawer& drawer, Kind kind, const Bend& bend = {}) {
  const Drawn drawn = drawer.Draw(kind, 1 + drawer.Below(2), 1);
  return Product({drawn}, bend).Alone(0) == Alone(drawn.file);
}

std::vector<Drawn> DrawSome(Drawer& drawer, std::size_t count) {
  const std::size_t numbers = 1 + drawer.Below(2);
  std::vector<Drawn> drawn;
  for (std::size_t f = 0; f < count; ++f) {
    drawn.push_back(drawer.Draw(kKinds[drawer.Below(3)], numbers, 1, f == 0 ? 0 : 0.8));
  }
  return drawn;
}

bool SameTogether(Drawer& drawer, std::size_t count, const Bend& bend = {}) {
  const std::vector<Drawn> drawn = DrawSome(drawer, count);
  std::vector<File> files;
  for (const Drawn& each : drawn) files.push_back(each.file);
  Product product(drawn, bend);
  for (std::size_t f = 0; f < files.size(); ++f) {
    if (product.Together(f) != WithoutLeast(Together(files, f), true)) return false;
  }
  return true;
}

bool SameJoined(Drawer& drawer, const Bend& bend = {}) {
  const std::vector<Drawn> drawn = DrawSome(drawer, 2);
  return Product(drawn, bend).Joined(0, 1) ==
         WithoutLeast(Joined(drawn[0].file, drawn[1].file), false);
}

TEST(SurveyOracle, OneFileOfEachKind) {
  for (const Kind kind : kKinds) {
    for (std::size_t seed = 0; seed < Files(); ++seed) {
      Drawer drawer(seed);
      EXPECT_TRUE(SameAlone(drawer, kind)) << "kind " << static_cast<int>(kind) << " " << seed;
    }
  }
}

TEST(SurveyOracle, TwoAndThreeFiles) {
  for (const std::size_t count : {2, 3}) {
    for (std::size_t seed = 0; seed < Files(); ++seed) {
      Drawer drawer(seed + 100'000 * count);
      EXPECT_TRUE(SameTogether(drawer, count)) << count << " files " << seed;
    }
  }
}

TEST(SurveyOracle, Joined) {
  for (std::size_t seed = 0; seed < Files(); ++seed) {
    Drawer drawer(seed + 900'000);
    EXPECT_TRUE(SameJoined(drawer)) << seed;
  }
}

TEST(SurveyOracle, LittleWorkSaysLessAndNothingWrong) {
  std::size_t less = 0;
  for (std::size_t seed = 0; seed < Files(); ++seed) {
    Drawer drawer(seed + 500'000);
    const reissue::survey::Effort effort{1 + drawer.Below(150), 0};
    const std::vector<Drawn> drawn = DrawSome(drawer, 2);
    const std::vector<File> files = {drawn[0].file, drawn[1].file};
    Product product(drawn);
    const auto check = [&](const std::vector<RowFound>& found, const std::vector<RowFound>& truth) {
      EXPECT_TRUE(Within(found, truth)) << seed;
      less += WithoutLeast(found, true) != WithoutLeast(truth, true) ? 1 : 0;
    };
    check(product.Alone(0, effort), Alone(files[0]));
    check(product.Together(0, effort), Together(files, 0));
    check(product.Joined(0, 1, effort), Joined(files[0], files[1]));
  }
  EXPECT_GT(less, Files() / 10);
}

// --- Labels of a taxonomy.

// What becomes of a file on the way to the product; the oracle has it as it was.
using Wrong = std::function<void(Drawn&)>;

bool SameWithTree(std::size_t seed, const Bend& bend = {}, const Wrong& wrong = {}) {
  Drawer drawer(seed);
  drawer.DrawTree();
  const std::vector<Drawn> drawn = DrawSome(drawer, 1 + drawer.Below(3));
  std::vector<Drawn> given = drawn;
  std::vector<File> files;
  for (const Drawn& each : drawn) files.push_back(each.file);
  if (wrong) std::for_each(given.begin(), given.end(), wrong);
  Product product(given, bend);
  for (std::size_t f = 0; f < files.size(); ++f) {
    if (product.Alone(f) != Alone(files[f])) return false;
    if (files.size() == 1) continue;
    if (product.Together(f) != WithoutLeast(Together(files, f), true)) return false;
    const std::size_t other = (f + 1) % files.size();
    if (product.Joined(f, other) != WithoutLeast(Joined(files[f], files[other]), false))
      return false;
  }
  return true;
}

TEST(SurveyOracle, LabelsOfATaxonomy) {
  for (std::size_t seed = 0; seed < 3 * Files(); ++seed) {
    EXPECT_TRUE(SameWithTree(seed + 700'000)) << seed;
  }
}

// How many of the files show it.
std::size_t Shown(const Bend& bend, const Wrong& wrong) {
  std::size_t shown = 0;
  for (std::size_t seed = 0; seed < 150; ++seed) {
    shown += SameWithTree(seed + 700'000, bend, wrong) ? 0 : 1;
  }
  return shown;
}

TEST(SurveyPlantedBugs, ATaxonomyThatIsNotRead) {
  EXPECT_GT(Shown({}, [](Drawn& drawn) { drawn.hierarchy.clear(); }), 10u);
}

TEST(SurveyPlantedBugs, ALeafInAnotherPlace) {
  EXPECT_GT(Shown({},
                  [](Drawn& drawn) {
                    auto& line = drawn.hierarchy[0];
                    line.erase(line.begin() + 1, line.end() - 1);
                  }),
            5u);
}

TEST(SurveyPlantedBugs, ValuesThatNoLeafNames) {
  EXPECT_GT(Shown(
                [](reissue::survey::Columns& columns) {
                  auto& column = columns.back();
                  for (auto& label : column.labels) {
                    if (label.size() == column.atoms)
                      label = reissue::labels::AtomSet({{0, column.atoms + 1}});
                  }
                  ++column.atoms;
                },
                {}),
            0u);
}

// --- Planted bugs: each must show within the files that are tried.

using reissue::labels::AtomSet;
using reissue::survey::Columns;

bool Caught(const Bend& bend) {
  bool alone = false, together = false, joined = false;
  for (std::size_t seed = 0; seed < 150; ++seed) {
    Drawer one(seed), two(seed + 200'000), three(seed + 900'000);
    alone = alone || !SameAlone(one, kKinds[seed % 3], bend);
    together = together || !SameTogether(two, 2, bend);
    joined = joined || !SameJoined(three, bend);
  }
  return alone && together && joined;
}

TEST(SurveyPlantedBugs, NothingIsCaughtWithoutABug) {
  EXPECT_FALSE(Caught([](Columns&) {}));
}

TEST(SurveyPlantedBugs, StarsThatOnlyMeanWhatIsNamed) {
  EXPECT_TRUE(Caught([](Columns& columns) {
    for (auto& column : columns) {
      if (!column.unnamed || column.atoms < 2) continue;
      for (AtomSet& label : column.labels) {
        if (label.size() == column.atoms) label = AtomSet({{0, column.atoms - 1}});
      }
    }
  }));
}

TEST(SurveyPlantedBugs, RangesWithoutTheirEnds) {
  EXPECT_TRUE(Caught([](Columns& columns) {
    for (auto& column : columns) {
      for (AtomSet& label : column.labels) {
        if (label.size() == column.atoms || label.size() < 2) continue;
        std::vector<std::uint32_t> atoms = label.Atoms();
        label = AtomSet({{atoms.front(), atoms.back()}});
      }
    }
  }));
}

TEST(SurveyPlantedBugs, LabelsThatOverlapTakenForDifferent) {
  EXPECT_TRUE(Caught([](Columns& columns) {
    for (auto& column : columns) {
      for (std::uint32_t i = 0; i < column.labels.size(); ++i)
        column.labels[i] = AtomSet({{i, i + 1}});
      column.atoms = static_cast<std::uint32_t>(column.labels.size());
    }
  }));
}

}  // namespace
}  // namespace oracle::survey
