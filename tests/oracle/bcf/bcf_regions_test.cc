// Labels that overlap: bands, sets that meet two by two and not together, stars. The product's
// exact adversary against all worlds.

#include <gtest/gtest.h>

#include <array>
#include <iostream>
#include <memory>

#include "draw.h"
#include "series_answers.h"

namespace oracle::bcf {
namespace {

// Whole numbers 0 … count − 1, with bands of two to four of them, and each number. Nothing but "*"
// stands for all.
LabelSets Bands(std::size_t count) {
  LabelSets sets;
  for (std::size_t low = 0; low < count; ++low) {
    const std::string from(1, static_cast<char>('0' + low));
    sets["*"].insert(from);
    sets[from] = {from};
    std::set<std::string> inside = {from};
    for (std::size_t high = low + 2; high <= std::min(count, low + 4); ++high) {
      if (high - low == count) continue;
      inside.insert(std::string(1, static_cast<char>('0' + high - 1)));
      sets["[" + from + "," + std::string(1, static_cast<char>('0' + high)) + ")"] = inside;
    }
  }
  return sets;
}

// Letters, and all sets of two and of three of them, but not of all.
LabelSets Letters(std::size_t count) {
  LabelSets sets;
  for (std::size_t set = 1; set < (std::size_t{1} << count); ++set) {
    std::string label;
    std::set<std::string> letters;
    for (std::size_t i = 0; i < count; ++i) {
      if ((set >> i & 1) == 0) continue;
      letters.insert(std::string(1, static_cast<char>('a' + i)));
      label += static_cast<char>('a' + i);
    }
    if (letters.size() <= std::min<std::size_t>(3, count - 1)) sets[label] = letters;
    sets["*"].insert(letters.begin(), letters.end());
  }
  return sets;
}

LabelSets Nested() {
  return {{"*", {"x", "y", "z"}}, {"xz", {"x", "z"}}, {"x", {"x"}}, {"y", {"y"}}, {"z", {"z"}}};
}

enum class Told { kBands, kEveryRow, kFew };

// Per release and column: bands that cut the values (another way in each release), a label by
// chance for every row, or one of few labels for every value.
class SetRecoder {
 public:
  SetRecoder(const Domain& domain, Told style, reissue::Random& random)
      : style_(style), random_(random) {
    for (const LabelSets& column : domain.sets()) {
      fixed_.emplace_back();
      for (const std::string& value : column.at("*")) {
        const auto labels = LabelsWith(column, value);
        fixed_.back()[value] = labels[random.Below(labels.size())];
      }
      if (style == Told::kBands) Merge(column, fixed_.back());
    }
  }

  Quasi operator()(const Domain& domain, const Quasi& values) {
    Quasi cell;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto labels = LabelsWith(domain.sets()[i], values[i]);
      cell.push_back(style_ == Told::kEveryRow ? labels[random_.Below(labels.size())]
                                               : fixed_[i].at(values[i]));
    }
    return cell;
  }

 private:
  static std::vector<std::string> LabelsWith(const LabelSets& column, const std::string& value) {
    std::vector<std::string> labels;
    for (const auto& [label, stands_for] : column) {
      if (stands_for.contains(value)) labels.push_back(label);
    }
    return labels;
  }

  // Whoever is in what a label stands for gets it, until all are told.
  void Merge(const LabelSets& column, std::map<std::string, std::string>& label_of) {
    std::set<std::string> told;
    for (const auto& [value, label] : std::map<std::string, std::string>(label_of)) {
      if (told.contains(value)) continue;
      for (const std::string& each : column.at(label)) {
        if (told.insert(each).second) label_of[each] = label;
      }
    }
  }

  Told style_;
  reissue::Random& random_;
  std::vector<std::map<std::string, std::string>> fixed_;
};

DrawnSeries DrawOfSets(const Translator& translator, std::size_t releases, std::size_t people,
                       reissue::Random& random) {
  const Domain& domain = translator.domain();
  DrawnSeries drawn;
  drawn.translator = &translator;
  std::vector<Quasi> places = domain.places();
  random.Shuffle(places);
  places.resize(std::min<std::size_t>(places.size(), 2 + random.Below(people)));
  const std::size_t values = 1 + random.Below(2);
  for (std::size_t i = 0; i < people; ++i) {
    const std::string value = ValueOf(static_cast<std::uint32_t>(random.Below(values)));
    drawn.people.push_back(
        {places[random.Below(places.size())], value, i == 0 ? 1 : 1 + random.Below(releases)});
    drawn.targets.push_back({drawn.people.back().birth, {}});
  }
  for (std::size_t release = 1; release <= releases; ++release) {
    drawn.series.emplace_back();
    SetRecoder recode(domain, static_cast<Told>(random.Below(3)), random);
    for (std::size_t i = 0; i < people; ++i) {
      if (drawn.people[i].birth > release) continue;
      const Quasi cell = recode(domain, drawn.people[i].quasi);
      drawn.targets[i].cells.push_back(cell);
      drawn.series.back().push_back({cell, drawn.people[i].sensitive});
    }
  }
  return drawn;
}

struct SetDomain {
  SetDomain(std::vector<LabelSets> sets, SetsAs as)
      : domain(std::move(sets)), translator(domain, as) {}
  Domain domain;
  Translator translator;
};

std::vector<std::unique_ptr<SetDomain>> SetDomains() {
  std::vector<std::unique_ptr<SetDomain>> entries;
  const auto add = [&](const std::vector<LabelSets>& sets, SetsAs as) {
    entries.push_back(std::make_unique<SetDomain>(sets, as));
  };
  for (const SetsAs as : {SetsAs::kRegions, SetsAs::kRanges}) {
    add({Bands(5)}, as);
    add({Bands(4), Bands(3)}, as);
  }
  add({Letters(3)}, SetsAs::kRegions);
  add({Letters(4)}, SetsAs::kRegions);
  add({Letters(3), Letters(3)}, SetsAs::kRegions);
  for (const SetsAs as : {SetsAs::kRegions, SetsAs::kTreesWhereNested}) {
    add({Letters(3), Bands(4)}, as);
    add({Nested(), Letters(3)}, as);
    add({Nested(), Bands(4)}, as);
    add({Nested()}, as);
  }
  return entries;
}

void CompareSets(const Question& question, ProductAnswers& found) {
  const SeriesAnswers expected = AnswersByWorlds(question);
  found = AnswersOfProduct(question);
  ASSERT_EQ(found.complaint, "") << Describe(question.series);
  ASSERT_TRUE(found.answers == expected)
      << Describe(question.series) << "k = " << question.promise.k << "\nexpected\n"
      << Describe(expected) << "found\n"
      << Describe(found.answers);
}

void CompareSetSeries(std::size_t series, std::size_t releases, std::size_t most_people,
                      std::uint64_t seed) {
  auto random = reissue::Random::Seeded(seed);
  const auto entries = SetDomains();
  std::size_t possible = 0, programs = 0, closed = 0, targets = 0;
  for (std::size_t i = 0; i < series; ++i) {
    const SetDomain& entry = *entries[i % entries.size()];
    DrawnSeries drawn =
        DrawOfSets(entry.translator, releases, 2 + random.Below(most_people - 1), random);
    const bool rows_lost = random.Below(4) == 0;
    if (rows_lost) {
      TakeRowsAway(drawn.series, random);
      drawn.targets.clear();
    }
    ProductAnswers found;
    CompareSets({entry.translator, drawn.series, drawn.targets, DrawPromise(random)}, found);
    if (::testing::Test::HasFatalFailure()) return;
    ASSERT_TRUE(rows_lost || found.answers.possible);
    possible += found.answers.possible;
    programs += found.statistics.programs;
    closed += found.statistics.closed;
    targets += found.answers.any.targets;
  }
  std::cout << series << " series of " << releases << " releases, " << possible
            << " possible: " << targets << " targets, " << closed << " closed forms, " << programs
            << " programs\n";
  EXPECT_GT(possible, series / 2);
  EXPECT_LT(possible, series);
}

TEST(BcfRegionsTest, TwoReleases) { CompareSetSeries(700, 2, 7, 51); }

TEST(BcfRegionsTest, ThreeReleases) { CompareSetSeries(2000, 3, 6, 52); }

TEST(BcfRegionsTest, FourReleases) { CompareSetSeries(500, 4, 5, 53); }

// Each two of the three releases agree, and nobody can be in all three.
TEST(BcfRegionsTest, SetsThatMeetTwoByTwoAndNotTogether) {
  const Domain domain(std::vector<LabelSets>{Letters(3)});
  const Translator translator(domain);
  const std::vector<Target> nobody;
  const Series impossible = {{{{"ab"}, "s"}}, {{{"bc"}, "s"}}, {{{"ac"}, "s"}}};
  const Question no_world = {translator, impossible, nobody, {}};
  EXPECT_FALSE(AnswersByWorlds(no_world).possible);
  ProductAnswers found;
  CompareSets(no_world, found);
  EXPECT_EQ(found.proofs, 1u);
  EXPECT_TRUE(model::Formulas(translator.ToProduct(impossible)).consistent());

  const Series series = {
      {{{"ab"}, "s"}, {{"ab"}, "s"}}, {{{"bc"}, "s"}, {{"*"}, "s"}}, {{{"ac"}, "s"}, {{"b"}, "s"}}};
  CompareSets({translator, series, nobody, {}}, found);
  EXPECT_TRUE(found.answers.possible);
  EXPECT_FALSE(found.answers.left.contains({1, {{"ab"}, {"bc"}, {"ac"}}}));
}

// Sets of three releases that meet two by two get something in common that is not there.
LabelSets Filled(LabelSets sets) {
  std::vector<std::string> labels;
  for (const auto& [label, stands_for] : sets) labels.push_back(label);
  const auto meet = [](const std::set<std::string>& a, const std::set<std::string>& b) {
    return std::ranges::any_of(a, [&](const std::string& each) { return b.contains(each); });
  };
  const LabelSets before = sets;
  for (const std::string& a : labels) {
    for (const std::string& b : labels) {
      for (const std::string& c : labels) {
        if (a >= b || b >= c || a == "*") continue;
        if (!meet(before.at(a), before.at(b)) || !meet(before.at(b), before.at(c)) ||
            !meet(before.at(a), before.at(c))) {
          continue;
        }
        for (const std::string& label : {a, b, c, std::string("*")}) {
          sets[label].insert(a + "/" + b + "/" + c);
        }
      }
    }
  }
  return sets;
}

// A reader who compares two releases at a time takes for possible what is not.
TEST(BcfRegionsTest, ComparingTwoByTwoIsNoticed) {
  auto random = reissue::Random::Seeded(54);
  const SetDomain truth({Letters(3)}, SetsAs::kRegions);
  const SetDomain pairs({Filled(Letters(3))}, SetsAs::kRegions);
  std::size_t numbers = 0, certain = 0;
  for (std::size_t i = 0; i < 300; ++i) {
    const DrawnSeries drawn = DrawOfSets(truth.translator, 3, 4 + i % 4, random);
    const Promise promise = DrawPromise(random);
    const Question question = {truth.translator, drawn.series, drawn.targets, promise};
    ProductAnswers found;
    CompareSets(question, found);
    if (::testing::Test::HasFatalFailure()) return;
    const SeriesAnswers wrong =
        AnswersOfProduct({pairs.translator, drawn.series, drawn.targets, promise}).answers;
    numbers += wrong.left != found.answers.left;
    certain += wrong.any.singled_out != found.answers.any.singled_out ||
               wrong.any.value_certain != found.answers.any.value_certain;
  }
  std::cout << "two by two: of 300 series " << numbers << " have other numbers, " << certain
            << " other certainties\n";
  EXPECT_GT(numbers, 30u);
  EXPECT_GT(certain, 3u);
}

}  // namespace
}  // namespace oracle::bcf
