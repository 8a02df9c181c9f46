#include "reissue/core/combinations.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "reissue/core/random.h"

namespace reissue {
namespace {

struct Seen {
  std::uint64_t count = 0, line = 0;
  bool operator==(const Seen&) const = default;
};
using SeenByKey = std::map<std::vector<std::uint32_t>, Seen>;

// Blocks whose codes grow all the time, so that words are added on the way.
class Growing {
 public:
  Growing(std::size_t width, std::uint64_t seed) : width_(width), random_(Random::Seeded(seed)) {}

  void Feed(Combinations& combinations, ThreadPool& pool, std::size_t call) {
    std::vector<std::vector<std::vector<ValueId>>> codes(2);
    std::vector<CodeBlock> blocks(2);
    std::vector<std::vector<std::uint32_t>> becomes(width_);
    std::vector<std::vector<std::uint64_t>> weights(2), lines(2);
    domains_.assign(width_, 1);
    for (std::size_t c = 0; c < width_; ++c)
      domains_[c] = 1 + (call * call * (c + 1)) % 5000 + call;
    for (std::size_t c = 0; c < width_; ++c) {
      most_.resize(width_, 0);
      most_[c] = domains_[c] = std::max(domains_[c], most_[c]);
      becomes[c].resize(domains_[c]);
      std::iota(becomes[c].rbegin(), becomes[c].rend(), 0u);
    }
    std::size_t rows = 0;
    for (std::size_t b = 0; b < 2; ++b) {
      CodeBlock& block = blocks[b];
      block.rows = random_.Below(20'000);
      block.first_line = next_line_;
      codes[b].resize(width_);
      for (std::size_t r = 0; r < block.rows; ++r) {
        std::vector<std::uint32_t> key;
        const std::uint64_t few = random_.Below(2) == 0 ? 3 : 1'000'000;
        for (std::size_t c = 0; c < width_; ++c) {
          const auto code = static_cast<std::uint32_t>(random_.Below(std::min(few, domains_[c])));
          codes[b][c].emplace_back(code);
          key.push_back(b == 0 ? code : becomes[c][code]);
        }
        weights[b].push_back(b == 0 ? 1 : random_.Below(9));
        lines[b].push_back(3 * r);
        Seen& seen = expected_[key];
        if (seen.line == 0) seen.line = next_line_ + (b == 0 ? r : 3 * r);
        seen.count += weights[b].back();
        keys_.push_back(key);
      }
      for (std::size_t c = 0; c < width_; ++c) {
        block.columns.emplace_back(codes[b][c]);
        if (b == 1) block.becomes.emplace_back(becomes[c]);
      }
      if (b == 1) {
        block.weights = weights[b];
        block.lines = lines[b];
      }
      next_line_ += 3 * block.rows + 1;
      rows += block.rows;
    }
    std::vector<EntryId> entries(rows);
    combinations.Add(blocks, domains_, pool, entries);
    entries_.insert(entries_.end(), entries.begin(), entries.end());
  }

  void Check(Combinations combinations, ThreadPool& pool) {
    std::vector<std::vector<std::uint32_t>> rank(width_), back(width_);
    for (std::size_t c = 0; c < width_; ++c) {
      rank[c].resize(most_[c]);
      back[c].resize(most_[c]);
      std::iota(rank[c].begin(), rank[c].end(), 0u);
      random_.Shuffle(rank[c]);
      for (std::uint32_t code = 0; code < most_[c]; ++code) back[c][rank[c][code]] = code;
    }
    EXPECT_EQ(combinations.size(), expected_.size());
    EXPECT_EQ(combinations.rows(), keys_.size());
    const Combinations::Sorted sorted = std::move(combinations).Sort(rank, pool);
    SeenByKey found;
    std::vector<std::vector<std::uint32_t>> ranks;
    for (std::size_t i = 0; i < sorted.counts.size(); ++i) {
      std::vector<std::uint32_t> key;
      ranks.emplace_back();
      for (std::size_t c = 0; c < width_; ++c) {
        ranks.back().push_back(sorted.columns[c][i].raw());
        key.push_back(back[c][ranks.back()[c]]);
      }
      found[key] = {sorted.counts[i], sorted.lines[i]};
    }
    EXPECT_EQ(found, expected_);
    EXPECT_TRUE(std::ranges::is_sorted(ranks));
    for (std::size_t row = 0; row < keys_.size(); row += 7) {
      const std::uint32_t place = sorted.PlaceOf(entries_[row]);
      for (std::size_t c = 0; c < width_; ++c) {
        ASSERT_EQ(back[c][sorted.columns[c][place].raw()], keys_[row][c]);
      }
    }
  }

 private:
  std::size_t width_;
  Random random_;
  std::uint64_t next_line_ = 2;
  std::vector<std::uint64_t> domains_, most_;
  SeenByKey expected_;
  std::vector<std::vector<std::uint32_t>> keys_;
  std::vector<EntryId> entries_;
};

TEST(Combinations, AgreeWithAMapWhileCodesGrow) {
  for (const std::size_t width : {1u, 4u, 11u}) {
    for (const std::size_t threads : {1u, 3u}) {
      ThreadPool pool(threads);
      Growing growing(width, width);
      Combinations combinations(width);
      for (std::size_t call = 0; call < 8; ++call) growing.Feed(combinations, pool, call * 9);
      growing.Check(std::move(combinations), pool);
    }
  }
}

TEST(Combinations, BecomeTheSameTableInAnyOrder) {
  ThreadPool pool(2);
  const auto count = [&](std::vector<std::vector<std::string>> rows) {
    std::vector<DictionaryBuilder> dictionaries(2);
    std::vector<std::vector<ValueId>> codes(2);
    for (const auto& row : rows) {
      for (std::size_t c = 0; c < 2; ++c) codes[c].push_back(dictionaries[c].Intern(row[c]));
    }
    const std::vector<std::uint64_t> domains = {dictionaries[0].size(), dictionaries[1].size()};
    CodeBlock block;
    block.rows = rows.size();
    block.columns = {codes[0], codes[1]};
    block.first_line = 2;
    Combinations combinations(2);
    combinations.Add({&block, 1}, domains, pool);
    return CountedTable({"a", "b"}, std::move(dictionaries), std::move(combinations), {"t", 1, {}},
                        pool);
  };
  const Table one = count({{"y", "2"}, {"x", "10"}, {"y", "2"}, {"x", "1"}});
  const Table other = count({{"x", "1"}, {"y", "2"}, {"x", "10"}, {"y", "2"}});
  EXPECT_EQ(one.rows(), 3u);
  EXPECT_EQ(one.weights(), (std::vector<std::uint64_t>{1, 1, 2}));
  EXPECT_EQ(one.origin().lines, (std::vector<std::uint64_t>{5, 3, 2}));
  for (std::size_t c = 0; c < 2; ++c) {
    for (std::size_t r = 0; r < 3; ++r) {
      EXPECT_EQ(one[ColumnId(c)][RowId(r)], other[ColumnId(c)][RowId(r)]);
      EXPECT_EQ(one[ColumnId(c)].text(RowId(r)), other[ColumnId(c)].text(RowId(r)));
    }
  }
  EXPECT_EQ(one[ColumnId(1)].dictionary().strings(),
            (std::vector<std::string_view>{"1", "10", "2"}));
}

}  // namespace
}  // namespace reissue
