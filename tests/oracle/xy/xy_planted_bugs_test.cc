// Attacks that are broken on purpose: the comparison with the oracle must notice.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <set>

#include "draw.h"
#include "product.h"

namespace oracle::xy {
namespace {

constexpr std::uint64_t kBrokenWorlds = 3000;

struct Case {
  World world;
  std::vector<Promise> promises;
  std::vector<Tuple> join;
};

Case DrawCase(std::uint64_t number) {
  reissue::Random random = reissue::Random::Seeded(2000000 + number);
  Case drawn;
  drawn.world = DrawWorld(random).world;
  for (std::size_t more = 1 + random.Below(3); more > 0; --more) {
    drawn.promises.push_back(DrawPromise(drawn.world, {}, random));
  }
  drawn.join = Join(drawn.world);
  return drawn;
}

// Answers of an attack with the bug.
using Bug = std::function<Answers(const Case&)>;

Answers WithWorld(const Case& given, const std::function<void(World&)>& change) {
  World changed = given.world;
  change(changed);
  return AnswersOf(changed, given.promises);
}

// Two rows of different tables that match are taken apart.
Answers DropAPair(const Case& given) {
  std::vector<Tuple> join = given.join;
  if (join.empty()) return AnswersOf(given.world, join, given.promises);
  const Tuple first = join[join.size() / 2];
  std::erase_if(join, [&](const Tuple& t) { return t[0] == first[0] && t[1] == first[1]; });
  return AnswersOf(given.world, join, given.promises);
}

Answers EqualRowsOnce(const Case& given) {
  return WithWorld(given, [](World& world) {
    for (Table& table : world.tables) {
      std::sort(table.rows.begin(), table.rows.end());
      table.rows.erase(std::unique(table.rows.begin(), table.rows.end()), table.rows.end());
    }
  });
}

// The last table joins on nothing.
void IgnoreLastPrior(World& world) {
  const std::size_t last = world.tables.size() - 1;
  for (auto& attribute : world.joins) {
    std::erase_if(attribute, [&](const Place& place) { return place.table == last; });
  }
  std::erase_if(world.forbidden, [&](const Forbidden& pair) {
    return pair.a.table == last || pair.b.table == last;
  });
}

// Matches labels by `test`; with `star_only` no two earlier tables are matched.
Answers JoinBy(const Case& given,
               const std::function<bool(const Tree&, Label earlier, Label later)>& test,
               bool star_only) {
  World loose = given.world;
  loose.joins.clear();
  std::vector<Tuple> join = Join(loose);
  std::erase_if(join, [&](const Tuple& tuple) {
    for (const auto& attribute : given.world.joins) {
      for (const Place& p : attribute) {
        for (const Place& q : attribute) {
          if (p.table >= q.table || (star_only && p.table != 0)) continue;
          const World& world = given.world;
          const Tree& tree = world.trees[*world.tables[p.table].trees[p.column]];
          const Label a = world.tables[p.table].rows[tuple[p.table]][p.column];
          const Label b = world.tables[q.table].rows[tuple[q.table]][q.column];
          if (!test(tree, a, b)) return true;
        }
      }
    }
    return false;
  });
  return AnswersOf(given.world, join, given.promises);
}

bool OnPath(const Tree& tree, Label a, Label b) { return tree.OnOnePath(a, b); }

Answers WithPromises(const Case& given, const std::function<void(Promise&)>& change) {
  std::vector<Promise> promises = given.promises;
  for (Promise& promise : promises) change(promise);
  return AnswersOf(given.world, given.join, promises);
}

// Rows that are their own y are told apart by what they say.
Answers KeysByValue(const Case& given) {
  return WithPromises(given, [&](Promise& promise) {
    for (const std::size_t table : promise.y_keys) {
      for (std::size_t c = 0; c < given.world.tables[table].trees.size(); ++c) {
        promise.y.push_back({table, c});
      }
    }
    promise.y_keys.clear();
  });
}

const std::vector<std::pair<std::string, Bug>>& Bugs() {
  static const std::vector<std::pair<std::string, Bug>> kBugs = {
      {"a matching pair dropped", DropAPair},
      {"a row of the new table counted twice",
       [](const Case& given) {
         return WithWorld(given, [](World& world) {
           auto& rows = world.tables[0].rows;
           rows.push_back(rows[rows.size() / 2]);
         });
       }},
      {"a row of an earlier table counted twice",
       [](const Case& given) {
         return WithWorld(given, [](World& world) {
           auto& rows = world.tables.back().rows;
           rows.push_back(rows[rows.size() / 2]);
         });
       }},
      {"equal rows counted once", EqualRowsOnce},
      {"inconsistent pairs ignored",
       [](const Case& given) {
         return WithWorld(given, [](World& world) { world.forbidden.clear(); });
       }},
      {"inconsistent only as written, not below",
       [](const Case& given) {
         std::vector<Tuple> join;
         World loose = given.world;
         loose.forbidden.clear();
         for (const Tuple& tuple : Join(loose)) {
           const auto at = [&](const Place& place) {
             return given.world.tables[place.table].rows[tuple[place.table]][place.column];
           };
           const bool never = std::any_of(
               given.world.forbidden.begin(), given.world.forbidden.end(), [&](const auto& pair) {
                 return at(pair.a) == pair.a_label && at(pair.b) == pair.b_label;
               });
           if (!never) join.push_back(tuple);
         }
         return AnswersOf(given.world, join, given.promises);
       }},
      {"the last earlier table ignored",
       [](const Case& given) { return WithWorld(given, IgnoreLastPrior); }},
      {"the last join column ignored",
       [](const Case& given) {
         return WithWorld(given, [](World& world) { world.joins.pop_back(); });
       }},
      {"only equal labels match",
       [](const Case& given) {
         return JoinBy(
             given, [](const Tree&, Label a, Label b) { return a == b; }, false);
       }},
      {"only what is at or above matches",
       [](const Case& given) {
         return JoinBy(
             given, [](const Tree& tree, Label a, Label b) { return tree.AtOrAbove(a, b); }, false);
       }},
      {"earlier tables not matched with each other",
       [](const Case& given) { return JoinBy(given, OnPath, true); }},
      {"keys told apart by value", KeysByValue},
      {"a column of X forgotten",
       [](const Case& given) {
         return WithPromises(given, [](Promise& promise) { promise.x.pop_back(); });
       }},
      {"a column of Y forgotten",
       [](const Case& given) {
         return WithPromises(given, [](Promise& promise) {
           if (promise.y.size() + promise.y_keys.size() > 1 && !promise.y.empty()) {
             promise.y.pop_back();
           }
         });
       }},
      {"the last named value forgotten",
       [](const Case& given) {
         return WithPromises(given, [](Promise& promise) {
           if (promise.named.size() > 1) promise.named.pop_back();
         });
       }},
  };
  return kBugs;
}

TEST(XyPlantedBugs, AreNoticed) {
  std::vector<std::size_t> noticed(Bugs().size());
  for (std::uint64_t number = 1; number <= kBrokenWorlds && !HasFailure(); ++number) {
    const Case given = DrawCase(number);
    const Translator translator(given.world);
    const model::Report report = model::Attack(
        translator.ToLinked(given.world), translator.ToRequirements(given.world, given.promises), 1,
        model::Wanted::kAll);
    const Answers right = AnswersOf(given.world, given.join, given.promises);
    ASSERT_TRUE(FromReport(report, right) == right) << Describe(given.world);
    for (std::size_t b = 0; b < Bugs().size(); ++b) {
      const Answers wrong = Bugs()[b].second(given);
      noticed[b] += FromReport(report, wrong) == wrong ? 0 : 1;
    }
  }
  for (std::size_t b = 0; b < Bugs().size(); ++b) {
    EXPECT_GT(noticed[b], kBrokenWorlds / 200) << Bugs()[b].first;
    std::cout << Bugs()[b].first << ": noticed in " << noticed[b] << " of " << kBrokenWorlds
              << '\n';
  }
}

}  // namespace
}  // namespace oracle::xy
