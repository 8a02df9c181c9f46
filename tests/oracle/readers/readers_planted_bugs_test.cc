// Bugs planted in an audit that is right otherwise, and in the promise that is published: the
// readers must notice each of them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <set>

#include "desk.h"
#include "model.h"
#include "runs.h"
#include "trial.h"

namespace reissue::readers {
namespace {

constexpr std::uint64_t kTries = 150, kTrySeed = 3;

// An audit that finds what the reader finds.
Auditor Right(const Model& model) {
  return [&model](const Case& one, const std::vector<Sheet>& released) {
    return model.Read(one, released).value_or(Finding{Verdict::kNotProven, {}, ""});
  };
}

std::size_t Noticed(const Model& model, const Auditor& audit) {
  return TryForeign(model, audit, kTries, kTrySeed).disagreements.size();
}

TEST(ReadersPlantedBugsTest, ARightAuditHasNone) {
  for (const auto& model : AllModels()) {
    const Tally tally = TryForeign(*model, Right(*model), kTries, kTrySeed);
    EXPECT_TRUE(tally.disagreements.empty()) << tally.disagreements.front();
    // Both verdicts are met, or nothing would be tried.
    EXPECT_GT(tally.kept, kTries / 20) << model->name();
    EXPECT_GT(tally.broken, kTries / 20) << model->name();
  }
}

TEST(ReadersPlantedBugsTest, OneVerdictForAll) {
  for (const auto& model : AllModels()) {
    for (const Verdict verdict : {Verdict::kKept, Verdict::kBroken, Verdict::kError}) {
      EXPECT_GT(Noticed(*model,
                        [&](const auto&, const auto&) {
                          return Finding{verdict, {}, ""};
                        }),
                0u)
          << model->name() << ": " << Word(verdict);
    }
  }
}

TEST(ReadersPlantedBugsTest, NotProvenIsCountedApart) {
  const auto model = Changing();
  const Tally tally = TryForeign(
      *model,
      [](const auto&, const auto&) {
        return Finding{Verdict::kNotProven, {}, ""};
      },
      kTries, kTrySeed);
  EXPECT_EQ(tally.not_proven, kTries);
  EXPECT_TRUE(tally.disagreements.empty());
}

TEST(ReadersPlantedBugsTest, OneTooMany) {
  for (const auto& model : AllModels()) {
    const Auditor right = Right(*model);
    EXPECT_GT(Noticed(*model,
                      [&](const Case& one, const std::vector<Sheet>& released) {
                        Finding finding = right(one, released);
                        for (auto& [name, number] : finding.numbers) ++number;
                        return finding;
                      }),
              0u)
        << model->name();
  }
}

// Each release by itself: what several tell together is lost.
TEST(ReadersPlantedBugsTest, EachReleaseAlone) {
  for (const auto& model : {Growing(), Changing(), Evolving()}) {
    const Auditor right = Right(*model);
    EXPECT_GT(Noticed(*model,
                      [&](const Case& one, const std::vector<Sheet>& released) {
                        Finding finding;
                        for (const Sheet& sheet : released) {
                          if (right(one, {sheet}).verdict != Verdict::kKept) {
                            finding.verdict = Verdict::kBroken;
                          }
                        }
                        return finding;
                      }),
              0u)
        << model->name();
  }
}

// Somebody's possible values are those of all their groups, and nothing else follows.
TEST(ReadersPlantedBugsTest, OnlyIntersecting) {
  const auto intersect = [](const Case& one, const std::vector<Sheet>& released) {
    std::map<std::string, std::set<std::string>> possible;
    for (const Sheet& sheet : released) {
      std::map<std::string, std::set<std::string>> shown;
      for (const Fields& row : sheet.rows) shown[row[1]].insert(row[2]);
      for (const Fields& row : sheet.rows) {
        auto& values = possible.try_emplace(row[0] + row[2], shown[row[1]]).first->second;
        std::erase_if(values, [&](const auto& value) { return !shown[row[1]].contains(value); });
      }
    }
    const bool kept = std::all_of(possible.begin(), possible.end(), [&](const auto& person) {
      return static_cast<double>(person.second.size()) >= one.Asked("m", 2);
    });
    return Finding{kept ? Verdict::kKept : Verdict::kBroken, {}, ""};
  };
  const Tally tally = TryForeign(*Changing(), intersect, kTries, kTrySeed);
  ASSERT_FALSE(tally.disagreements.empty());
  // The case is shown as small as it gets: two people, or little more.
  const std::string& words = tally.disagreements.front();
  EXPECT_LT(std::count(words.begin(), words.end(), '\n'), 30) << words;
}

// A promise, a requirement or an impossible pair is passed over.
TEST(ReadersPlantedBugsTest, SomethingForgotten) {
  const auto forget = [](const Model& model, const std::function<void(Case&)>& change) {
    const Auditor right = Right(model);
    return Noticed(model, [&](Case one, const std::vector<Sheet>& released) {
      change(one);
      return right(one, released);
    });
  };
  EXPECT_GT(forget(*OneRelease(), [](Case& one) { one.asked.erase("k"); }), 0u);
  EXPECT_GT(forget(*OneRelease(), [](Case& one) { one.asked.erase("t"); }), 0u);
  EXPECT_GT(forget(*Growing(), [](Case& one) { one.asked.erase("suppression"); }), 0u);
  EXPECT_GT(forget(*Linked(), [](Case& one) { one.requirements.pop_back(); }), 0u);
  EXPECT_GT(forget(*Linked(), [](Case& one) { one.inconsistent.clear(); }), 0u);
  EXPECT_GT(forget(*Changing(), [](Case& one) { one.asked["e"] = 1; }), 0u);
  EXPECT_GT(forget(*Evolving(), [](Case& one) { one.asked.erase("max_belief"); }), 0u);
}

// The program publishes something else than was promised.
std::size_t NoticedOfPublished(const Model& model, const std::function<void(Case&)>& change) {
  Desk desk;
  const Publisher weaker = [&](Case one, std::uint64_t seed) {
    change(one);
    return desk.Publish(one, seed, /*verify=*/false);
  };
  return TryPublished(model, weaker, Right(model), kTries, kTrySeed).disagreements.size();
}

TEST(ReadersPlantedBugsTest, AWeakerPromiseIsPublished) {
  EXPECT_GT(NoticedOfPublished(*OneRelease(), [](Case& one) { one.asked = {{"k", 1}}; }), 0u);
  EXPECT_GT(NoticedOfPublished(*Growing(), [](Case& one) { one.asked = {{"k", 1}}; }), 0u);
  EXPECT_GT(NoticedOfPublished(*Linked(), [](Case& one) { one.requirements.resize(1); }), 0u);
  EXPECT_GT(NoticedOfPublished(*Changing(), [](Case& one) { one.asked["e"] = 1; }), kTries / 10);
}

// In a process of its own: the program may end itself where it finds a bug of its own.
TEST(ReadersPlantedBugsTest, ABeliefIsNotBoundedWhenItIsPublished) {
  const auto notice = [] {
    const auto forget = [](Case& one) { one.asked.erase("max_belief"); };
    std::exit(NoticedOfPublished(*Evolving(), forget) > 0 ? 0 : 1);
  };
  EXPECT_EXIT(notice(), ::testing::ExitedWithCode(0), "");
}

TEST(ReadersPlantedBugsTest, ReleasesOfASeriesAreMadeOneByOne) {
  const auto model = Growing();
  Desk desk;
  const Publisher apart = [&](const Case& one, std::uint64_t seed) {
    Desk::Published all;
    for (const Sheet& table : one.sheets) {
      Case alone = one;
      alone.sheets = {table};
      const Desk::Published made = desk.Publish(alone, seed, /*verify=*/false);
      all.tables.insert(all.tables.end(), made.tables.begin(), made.tables.end());
      all.released.insert(all.released.end(), made.released.begin(), made.released.end());
    }
    return all;
  };
  EXPECT_GT(TryPublished(*model, apart, Right(*model), kTries, kTrySeed).disagreements.size(), 0u);
}

// Fewer stars than the promise asks for.
TEST(ReadersPlantedBugsTest, OneRowMoreIsStarred) {
  const auto model = Growing();
  Desk desk;
  const Publisher one_more = [&](const Case& one, std::uint64_t seed) {
    Desk::Published made = desk.Publish(one, seed, /*verify=*/false);
    if (made.released.empty() || !one.Asks("suppression")) return made;
    Fields& row = made.released.back().rows.front();
    std::fill(row.begin(), row.end() - 1, "*");
    return made;
  };
  EXPECT_GT(TryPublished(*model, one_more, Right(*model), kTries, kTrySeed).disagreements.size(),
            kTries / 20);
}

TEST(ReadersPlantedBugsTest, ACertificateThatDoesNotHold) {
  Desk desk;
  const Publisher complaining = [&](const Case& one, std::uint64_t seed) {
    Desk::Published made = desk.Publish(one, seed, /*verify=*/false);
    made.complaint = "verify: the digest is another";
    return made;
  };
  const auto model = OneRelease();
  EXPECT_GT(TryPublished(*model, complaining, Right(*model), 5, kTrySeed).disagreements.size(), 0u);
}

// What is published as it is tells a reader who runs the publisher everything.
TEST(ReadersPlantedBugsTest, ThePublisherHidesNothing) {
  Chance chance(kTrySeed);
  const Setting setting = OneReleaseSetting(chance);
  std::vector<Rates> open;
  RunPublisher(
      setting,
      [](const Case& one, std::uint64_t) {
        return Desk::Published{one.sheets, one.sheets, ""};
      },
      open);
  ASSERT_EQ(open.size(), 1u);
  EXPECT_EQ(open[0].cases, setting.worlds.size() * setting.seeds);
  EXPECT_EQ(open[0].certain, static_cast<double>(open[0].people));
  EXPECT_EQ(open[0].beyond, static_cast<double>(open[0].people));
}

TEST(ReadersPlantedBugsTest, ThePublisherTellsByWhatItDoes) {
  Chance chance(kTrySeed);
  const Setting setting = OneReleaseSetting(chance);
  // The same labels for everybody, but two releases for those in whose world the first is ill.
  const auto publish = [](const Case& one, std::uint64_t) {
    Sheet release{{"place", "sex", "disease"}, {}};
    for (const Fields& row : one.sheets[0].rows) release.rows.push_back({"*", "*", row.back()});
    std::vector<Sheet> all{release};
    if (one.sheets[0].rows[0].back() == "u") all.push_back(release);
    return Desk::Published{one.sheets, all, ""};
  };
  std::vector<Rates> rates;
  Setting known = setting;
  known.explain = [&](const Desk::Published& published) {
    Desk::Published first = published;
    first.released.resize(1);
    return setting.explain(first);
  };
  RunPublisher(known, publish, rates);
  EXPECT_GT(rates[0].certain, rates[0].told);
}

}  // namespace
}  // namespace reissue::readers
