#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <numeric>
#include <set>

#include "reissue/core/dictionary.h"
#include "reissue/core/let_go.h"
#include "reissue/core/markup.h"
#include "reissue/core/parallel.h"
#include "reissue/core/random.h"
#include "reissue/core/result.h"
#include "reissue/core/table.h"

namespace reissue {
namespace {

Result<int> Half(int n) {
  if (n % 2 != 0) return InputError({"n.txt", 3, std::nullopt, "n"}, "odd", "use an even number");
  return n / 2;
}
Result<int> Quarter(int n) {
  const int half = REISSUE_TRY(Half(n));
  return REISSUE_TRY(Half(half));
}

TEST(LetGo, LeavesNoMemory) {
  std::vector<int> many(1000);
  LetGo(many);
  EXPECT_TRUE(many.empty());
  EXPECT_EQ(many.capacity(), 0u);
  std::string text(1000, 'x');
  LetGo(text);
  EXPECT_TRUE(text.empty());
  EXPECT_LT(text.capacity(), 1000u);
}

TEST(Dictionary, VeryManyTexts) {
  DictionaryBuilder builder;
  constexpr std::size_t kTexts = 600'000;
  for (std::size_t i = 0; i < kTexts; ++i) builder.Intern(std::to_string(i));
  const auto dictionary = std::move(builder).Build();
  for (std::size_t i = 0; i < kTexts; ++i) {
    ASSERT_EQ(dictionary->Find(std::to_string(i)), ValueId(i));
  }
  EXPECT_FALSE(dictionary->Find("x"));
  EXPECT_FALSE(dictionary->Find(std::to_string(kTexts)));
}

TEST(Result, TryPassesValuesAndErrors) {
  EXPECT_EQ(Quarter(12).value(), 3);
  const Result<int> bad = Quarter(6);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().ToString(), "n.txt:3, column \"n\": odd\n  use an even number");
  EXPECT_EQ(bad.error().code, ErrorCode::kInput);
}

TEST(Place, NamesOnlyWhatIsKnown) {
  EXPECT_EQ((Place{"f", std::nullopt, 9, ""}.ToString()), "f, byte 9");
  EXPECT_EQ((Place{"", std::nullopt, std::nullopt, "c"}.ToString()), "column \"c\"");
  EXPECT_EQ(MachineError("disk full").ToString(), "disk full");
}

TEST(Dictionary, NumbersInOrderOfFirstAppearance) {
  DictionaryBuilder builder;
  std::vector<std::string> words;
  for (int i = 0; i < 20000; ++i) words.push_back("w" + std::to_string(i * 7919 % 5003));
  std::vector<ValueId> ids;
  for (const std::string& word : words) ids.push_back(builder.Intern(word));
  const ValueId empty = builder.Intern("");
  const std::string big(200000, 'x');
  const ValueId long_one = builder.Intern(big);
  const auto dictionary = std::move(builder).Build();
  ASSERT_EQ(dictionary->size(), 5005u);
  for (std::size_t i = 0; i < words.size(); ++i) EXPECT_EQ((*dictionary)[ids[i]], words[i]);
  EXPECT_EQ(ids[0].raw(), 0u);
  EXPECT_EQ(ids[1].raw(), 1u);
  EXPECT_EQ(dictionary->Find(""), empty);
  EXPECT_EQ(dictionary->Find(big), long_one);
  EXPECT_EQ(dictionary->Find("absent"), std::nullopt);
}

TEST(Table, KnowsWhereAValueStands) {
  const Table table = MakeTable({"a", "b"}, {{"1", "x"}, {"2", "y"}});
  EXPECT_EQ(table.rows(), 2u);
  EXPECT_EQ(table.Find("b"), ColumnId(1));
  EXPECT_EQ(table.Find("c"), std::nullopt);
  EXPECT_EQ(table[ColumnId(1)].text(RowId(1)), "y");
  EXPECT_EQ(table.PlaceOf(RowId(1), ColumnId(0)).line, 2u);
  const Table placed({}, 0, {"t.csv", 2, {}});
  EXPECT_EQ(placed.origin().file, "t.csv");
}

TEST(Table, OfCountedRowsKnowsWhereAValueStandsFirst) {
  const Table rows = MakeTable({"a"}, {{"x"}, {"y"}, {"x"}});
  EXPECT_FALSE(rows.counted());
  EXPECT_EQ(rows.total(), 3u);
  EXPECT_EQ(rows.FirstWith(ColumnId(0), ValueId(1)), RowId(1));
  EXPECT_FALSE(rows.FirstWith(ColumnId(0), ValueId(7)).valid());
  const Table counted(rows.columns(), 3, {"t.csv", 2, {9, 4, 5}}, {10, 1, 3});
  EXPECT_EQ(counted.total(), 14u);
  EXPECT_EQ(counted.weight(RowId(2)), 3u);
  EXPECT_EQ(counted.FirstWith(ColumnId(0), ValueId(0)), RowId(2));
  EXPECT_EQ(counted.PlaceOf(RowId(2), ColumnId(0)).line, 5u);
  const Table nowhere(rows.columns(), 3, {"public.t", 0, {}}, {10, 1, 3});
  EXPECT_EQ(nowhere.PlaceOf(RowId(1), ColumnId(0)).line, std::nullopt);
}

TEST(ThreadPool, RunsEveryChunkOnce) {
  for (const std::size_t threads : {1u, 2u, 5u}) {
    ThreadPool pool(threads);
    for (int round = 0; round < 50; ++round) {
      std::vector<std::atomic<int>> hits(97);
      pool.Run(hits.size(), [&](std::size_t i) { ++hits[i]; });
      for (const auto& hit : hits) ASSERT_EQ(hit.load(), 1);
    }
    pool.Run(0, [](std::size_t) { FAIL(); });
  }
}

TEST(ThreadPool, WhatIsThrownComesToTheCallerOnceNothingRuns) {
  for (const std::size_t threads : {1u, 2u, 5u}) {
    ThreadPool pool(threads);
    for (std::size_t bad = 0; bad < 30; ++bad) {
      std::atomic<int> running = 0;
      const auto work = [&](std::size_t i) {
        ++running;
        if (i >= bad) {
          --running;
          throw std::bad_alloc();
        }
        --running;
      };
      EXPECT_THROW(pool.Run(60, work), std::bad_alloc);
      EXPECT_EQ(running.load(), 0);
    }
    std::atomic<int> hits = 0;
    pool.Run(60, [&](std::size_t) { ++hits; });  // and it works as before
    EXPECT_EQ(hits.load(), 60);
  }
}

#ifndef REISSUE_SANITIZED  // they need much room
TEST(ThreadPool, DoesWithoutThreadsThatTheMachineDoesNotGive) {
  // In a process of its own, which has no room for stacks.
  EXPECT_EXIT(
      {
        rlimit limit{};
        getrlimit(RLIMIT_AS, &limit);
        limit.rlim_cur = std::size_t{300} << 20;
        setrlimit(RLIMIT_AS, &limit);
        ThreadPool pool(1000);
        std::atomic<int> hits = 0;
        pool.Run(60, [&](std::size_t) { ++hits; });
        std::_Exit(hits == 60 && pool.threads() < 1000 ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}
#endif

TEST(Random, SeedFixesTheStream) {
  Random a = Random::Seeded(7);
  Random b = Random::Seeded(7);
  Random c = Random::Seeded(8);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.Next(), b.Next());
  EXPECT_NE(a.Next(), c.Next());
  EXPECT_TRUE(a.reproducible());
  EXPECT_FALSE(Random::FromSystem().reproducible());
  EXPECT_NE(DeriveSeed(1, 0), DeriveSeed(1, 1));
}

TEST(Random, BelowIsUniform) {
  for (Random random : {Random::Seeded(1), Random::FromSystem()}) {
    std::vector<int> hits(10);
    for (int i = 0; i < 100000; ++i) ++hits[random.Below(10)];
    for (const int hit : hits) EXPECT_NEAR(hit, 10000, 600);  // more than six standard deviations
    for (int i = 0; i < 1000; ++i) {
      const double unit = random.Unit();
      EXPECT_GE(unit, 0.0);
      EXPECT_LT(unit, 1.0);
    }
  }
}

TEST(Random, ShuffleKeepsEverything) {
  std::vector<int> items(1000);
  std::iota(items.begin(), items.end(), 0);
  std::vector<int> shuffled = items;
  Random random = Random::Seeded(3);
  random.Shuffle(shuffled);
  EXPECT_NE(shuffled, items);
  std::sort(shuffled.begin(), shuffled.end());
  EXPECT_EQ(shuffled, items);
}

TEST(EscapedXml, LeavesNoMarkupAndNoControlCharacters) {
  EXPECT_EQ(EscapedXml("a < b & \"c\" > 'd'"), "a &lt; b &amp; &quot;c&quot; &gt; &#39;d&#39;");
  EXPECT_EQ(EscapedXml("</text><script>\x1b[31m\n"), "&lt;/text&gt;&lt;script&gt; [31m ");
  EXPECT_EQ(EscapedXml("Zürich"), "Zürich");
}

}  // namespace
}  // namespace reissue
