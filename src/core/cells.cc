#include "reissue/core/cells.h"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <limits>
#include <numeric>

#include "reissue/core/collect_cells.h"
#include "reissue/core/random.h"
#include "reissue/core/result.h"

namespace reissue {
namespace {

// How codes are laid into 64-bit words so that comparing words compares keys.
struct Packing {
  struct Field {
    std::size_t word;
    unsigned shift;
    std::uint32_t mask;
  };
  std::vector<Field> fields;
  std::size_t words = 0;

  explicit Packing(std::span<const std::uint64_t> domain_sizes) {
    unsigned free_bits = 0;
    for (const std::uint64_t domain : domain_sizes) {
      const auto bits = static_cast<unsigned>(std::bit_width(domain > 1 ? domain - 1 : 1));
      if (bits > free_bits) {
        ++words;
        free_bits = 64;
      }
      free_bits -= bits;
      fields.push_back({words - 1, free_bits, static_cast<std::uint32_t>((1ull << bits) - 1)});
    }
    words = std::max<std::size_t>(words, 1);
  }
};

inline std::uint64_t Mix(std::uint64_t h) {
  h ^= h >> 32;
  h *= 0x9e3779b97f4a7c15u;
  h ^= h >> 29;
  h *= 0xbf58476d1ce4e5b9u;
  return h ^ (h >> 32);
}

bool Same(const std::uint64_t* a, const std::uint64_t* b, std::size_t words) {
  for (std::size_t w = 0; w < words; ++w) {
    if (a[w] != b[w]) return false;
  }
  return true;
}

// Counts per distinct packed key: open addressing, linear probing, at most half full.
class Counter {
 public:
  explicit Counter(std::size_t words) : words_(words) { slots_.assign(kStart, 0); }

  // `weigh(i)` is what the i-th of the keys counts. Keys lie anywhere in the table, so
  // that many are looked for before the first one is needed.
  template <typename Weigh>
  void Add(const std::uint64_t* keys, std::size_t count, const Weigh& weigh) {
    std::array<std::uint64_t, kAtOnce> hashes;
    for (std::size_t first = 0; first < count; first += kAtOnce) {
      const std::size_t some = std::min(kAtOnce, count - first);
      for (std::size_t i = 0; i < some; ++i) {
        hashes[i] = HashOf(keys + (first + i) * words_);
        __builtin_prefetch(&slots_[hashes[i] & (slots_.size() - 1)]);
      }
      for (std::size_t i = 0; i < some; ++i) {
        counts_[EntryOf(keys + (first + i) * words_, hashes[i])] += weigh(first + i);
      }
    }
  }

  std::size_t size() const { return size_; }
  const std::uint64_t* key(std::size_t entry) const { return keys_.data() + entry * words_; }
  std::uint64_t count(std::size_t entry) const { return counts_[entry]; }

 private:
  static constexpr std::size_t kStart = 256, kAtOnce = 64;

  std::uint64_t HashOf(const std::uint64_t* key) const {
    std::uint64_t hash = key[0] ^ seed_;
    for (std::size_t w = 1; w < words_; ++w) hash = Mix(hash) ^ key[w];
    return Mix(hash);
  }

  std::size_t EntryOf(const std::uint64_t* key, std::uint64_t hash) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
      const std::uint32_t entry = slots_[at];
      if (entry == 0) {
        for (std::size_t w = 0; w < words_; ++w) keys_.push_back(key[w]);
        counts_.push_back(0);
        slots_[at] = static_cast<std::uint32_t>(++size_);
        if (size_ * 2 > slots_.size()) Grow();
        return size_ - 1;
      }
      if (Same(key, keys_.data() + (entry - 1) * words_, words_)) return entry - 1;
    }
  }

  void Grow() {
    std::vector<std::uint32_t> bigger(slots_.size() * 4, 0);
    const std::size_t mask = bigger.size() - 1;
    for (std::size_t entry = 0; entry < size_; ++entry) {
      std::size_t at = HashOf(key(entry)) & mask;
      while (bigger[at] != 0) at = (at + 1) & mask;
      bigger[at] = static_cast<std::uint32_t>(entry + 1);
    }
    slots_ = std::move(bigger);
  }

  std::size_t words_;
  std::uint64_t seed_ = ProcessSeed();  // nobody makes a table of which all keys collide
  std::size_t size_ = 0;
  std::vector<std::uint32_t> slots_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint64_t> counts_;
};

// Counts the keys of rows. Rows are dealt to ranges of keys, each with a counter that is small
// enough for the cache of a processor; threads share the rows while they deal, then the ranges.
// In every range keys are sorted at the end, so that the cells do not depend on the threads.
//   pack(row, rows, words)  packs the keys of some rows
//   weigh(row)              is what a row counts
template <typename Pack, typename Weigh>
class Tally {
 public:
  Tally(const Packing& packing, ThreadPool& pool, const Pack& pack, const Weigh& weigh)
      : packing_(packing), pool_(pool), pack_(pack), weigh_(weigh) {
    borders_.fill(std::numeric_limits<std::uint64_t>::max());
  }

  Cells Run(std::size_t rows) {
    ChooseRanges(rows);
    counters_.assign(ranges_, Counter(packing_.words));
    for (std::size_t row = 0; row < rows; row += kHandsAtOnce * kRowsPerHand) {
      hands_.resize(std::min(kHandsAtOnce, (rows - row - 1) / kRowsPerHand + 1));
      pool_.Run(hands_.size(), [&](std::size_t i) {
        const std::size_t first = row + i * kRowsPerHand;
        Deal(first, std::min(kRowsPerHand, rows - first), hands_[i]);
      });
      pool_.Run(counters_.size(), [&](std::size_t range) { Count(range); });
    }
    return Sorted();
  }

 private:
  static constexpr std::size_t kRowsPerHand = 1 << 14, kHandsAtOnce = 16, kMostRanges = 64;

  // Some rows, range by range.
  struct Hand {
    std::size_t first = 0;
    std::vector<std::uint64_t> packed, keys;
    std::vector<std::uint16_t> rows;  // from the first on
    std::vector<std::uint8_t> range_of;
    std::array<std::uint32_t, kMostRanges + 1> begin{};  // of each range, and behind the last
  };

  // About as many rows in each, if a sample does not deceive. Where few keys are different, one
  // counter is small enough for all of them.
  void ChooseRanges(std::size_t rows) {
    constexpr std::size_t kSample = 4096, kFew = kSample / 8;
    const std::size_t ranges = std::min(rows / kRowsPerHand, kMostRanges);
    if (ranges < 2) return;
    std::vector<std::uint64_t> key(packing_.words), sample;
    for (std::size_t i = 0; i < kSample; ++i) {
      pack_(rows / kSample * i, 1, key.data());
      sample.push_back(key[0]);
    }
    std::sort(sample.begin(), sample.end());
    std::vector<std::uint64_t> distinct;
    std::unique_copy(sample.begin(), sample.end(), std::back_inserter(distinct));
    if (distinct.size() < kFew) return;
    for (; ranges_ < ranges; ++ranges_) {
      borders_[ranges_ - 1] = sample[ranges_ * kSample / ranges];
    }
  }

  // Without a branch that a processor could foresee wrongly.
  std::uint8_t RangeOf(std::uint64_t first_word) const {
    std::size_t at = 0;
    for (std::size_t half = kMostRanges / 2; half > 0; half /= 2) {
      at += static_cast<std::size_t>(borders_[at + half - 1] <= first_word) * half;
    }
    return static_cast<std::uint8_t>(std::min(at, ranges_ - 1));
  }

  void Deal(std::size_t first, std::size_t rows, Hand& hand) const {
    const std::size_t words = packing_.words;
    hand.first = first;
    hand.packed.resize(rows * words);
    pack_(first, rows, hand.packed.data());
    hand.keys.resize(rows * words);
    hand.rows.resize(rows);
    if (ranges_ == 1) {
      hand.keys.swap(hand.packed);
      std::iota(hand.rows.begin(), hand.rows.end(), std::uint16_t{0});
      hand.begin[1] = static_cast<std::uint32_t>(rows);
      return;
    }
    hand.range_of.resize(rows);
    hand.begin.fill(0);
    for (std::size_t i = 0; i < rows; ++i) {
      hand.range_of[i] = RangeOf(hand.packed[i * words]);
      ++hand.begin[hand.range_of[i] + 1];
    }
    std::partial_sum(hand.begin.begin(), hand.begin.end(), hand.begin.begin());
    auto next = hand.begin;
    for (std::size_t i = 0; i < rows; ++i) {
      const std::size_t to = next[hand.range_of[i]]++;
      for (std::size_t w = 0; w < words; ++w) {
        hand.keys[to * words + w] = hand.packed[i * words + w];
      }
      hand.rows[to] = static_cast<std::uint16_t>(i);
    }
  }

  void Count(std::size_t range) {
    for (const Hand& hand : hands_) {
      const std::size_t begin = hand.begin[range], end = hand.begin[range + 1];
      counters_[range].Add(
          hand.keys.data() + begin * packing_.words, end - begin,
          [&](std::size_t i) { return weigh_(hand.first + hand.rows[begin + i]); });
    }
  }

  Cells Sorted() {
    const std::size_t width = packing_.fields.size();
    std::vector<std::size_t> before = {0};
    for (const Counter& counter : counters_) before.push_back(before.back() + counter.size());
    std::vector<std::uint32_t> keys(before.back() * width);
    std::vector<std::uint64_t> counts(before.back());
    pool_.Run(counters_.size(), [&](std::size_t range) {
      Unpack(counters_[range], keys.data() + before[range] * width, counts.data() + before[range]);
    });
    return Cells(width, std::move(keys), std::move(counts));
  }

  // By key.
  void Unpack(const Counter& counter, std::uint32_t* keys, std::uint64_t* counts) const {
    struct Entry {
      std::uint64_t first;  // the first word of the key, at hand
      std::size_t number;
    };
    std::vector<Entry> entries(counter.size());
    for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = {counter.key(i)[0], i};
    const std::size_t words = packing_.words;
    std::sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) {
      if (a.first != b.first || words == 1) return a.first < b.first;
      const std::uint64_t *x = counter.key(a.number), *y = counter.key(b.number);
      return std::lexicographical_compare(x + 1, x + words, y + 1, y + words);
    });
    for (const Entry& entry : entries) {
      const std::uint64_t* key = counter.key(entry.number);
      for (const Packing::Field& field : packing_.fields) {
        *keys++ = static_cast<std::uint32_t>(key[field.word] >> field.shift) & field.mask;
      }
      *counts++ = counter.count(entry.number);
    }
  }

  const Packing& packing_;
  ThreadPool& pool_;
  const Pack& pack_;
  const Weigh& weigh_;
  std::size_t ranges_ = 1;
  std::array<std::uint64_t, kMostRanges> borders_;  // where ranges end, by first words of keys
  std::vector<Counter> counters_;                   // per range
  std::vector<Hand> hands_;
};

// Many at a time where keys are one word.
void PackColumn(std::span<const ValueId> values, Packing::Field field, std::size_t stride,
                std::uint64_t* words) {
  if (stride == 1) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      words[i] |= std::uint64_t{values[i].raw()} << field.shift;
    }
    return;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    words[i * stride + field.word] |= std::uint64_t{values[i].raw()} << field.shift;
  }
}

}  // namespace

Cells::Cells(std::size_t width, std::vector<std::uint32_t> keys, std::vector<std::uint64_t> counts)
    : width_(width), keys_(std::move(keys)), totals_(std::move(counts)) {
  REISSUE_CHECK(keys_.size() == totals_.size() * width);
  rows_ = std::accumulate(totals_.begin(), totals_.end(), std::uint64_t{0});
}

Cells Cells::WithOrigins(const Cells& flat, std::size_t origins) {
  REISSUE_CHECK(flat.origins_ == 1 && flat.width_ > 0 && origins > 1);
  Cells cells;
  cells.width_ = flat.width_ - 1;
  cells.origins_ = origins;
  cells.rows_ = flat.rows_;
  cells.part_begin_ = {0};
  cells.parts_.reserve(flat.size());
  for (std::size_t i = 0; i < flat.size(); ++i) {
    const auto key = flat.key(CellId(i));
    const auto own = key.first(cells.width_);
    if (cells.totals_.empty() ||
        !std::ranges::equal(own, cells.key(CellId(cells.totals_.size() - 1)))) {
      cells.keys_.insert(cells.keys_.end(), own.begin(), own.end());
      cells.totals_.push_back(0);
      cells.part_begin_.push_back(cells.parts_.size());
    }
    const std::uint64_t rows = flat.count(CellId(i));
    if (rows == 0) continue;
    cells.parts_.push_back({key.back(), rows});
    cells.totals_.back() += rows;
    cells.part_begin_.back() = cells.parts_.size();
  }
  return cells;
}

std::uint64_t Cells::count(CellId cell, std::size_t origin) const {
  for (std::size_t p = first_part(cell); p < last_part(cell); ++p) {
    if (part(p).origin == origin) return part(p).rows;
  }
  return 0;
}

std::uint64_t Cells::CountUpTo(CellId cell, std::size_t origin) const {
  std::uint64_t rows = 0;
  for (std::size_t p = first_part(cell); p < last_part(cell) && part(p).origin <= origin; ++p) {
    rows += part(p).rows;
  }
  return rows;
}

Cells BuildCells(const Table& table, std::span<const ColumnId> columns, ThreadPool& pool,
                 std::span<const std::uint16_t> origin_of_row, std::size_t origins) {
  REISSUE_CHECK(origin_of_row.empty() || origin_of_row.size() == table.rows());
  std::vector<std::uint64_t> domains;
  std::vector<std::span<const ValueId>> values;
  for (const ColumnId column : columns) {
    domains.push_back(table[column].dictionary().size());
    values.push_back(table[column].values());
  }
  const bool apart = origins > 1;
  if (apart) domains.push_back(origins);
  const Packing packing(domains);
  const auto pack = [&](std::size_t row, std::size_t rows, std::uint64_t* words) {
    constexpr std::size_t kBlock = 1024;  // stays in the cache from column to column
    std::fill_n(words, rows * packing.words, 0);
    for (std::size_t begin = 0; begin < rows; begin += kBlock) {
      const std::size_t end = std::min(rows, begin + kBlock);
      for (std::size_t c = 0; c < values.size(); ++c) {
        PackColumn(values[c].subspan(row + begin, end - begin), packing.fields[c], packing.words,
                   words + begin * packing.words);
      }
    }
    if (!apart || origin_of_row.empty()) return;
    const Packing::Field field = packing.fields.back();
    for (std::size_t i = 0; i < rows; ++i) {
      words[i * packing.words + field.word] |= std::uint64_t{origin_of_row[row + i]} << field.shift;
    }
  };
  const auto one = [](std::size_t) { return std::uint64_t{1}; };
  const auto weight = [&](std::size_t row) { return table.weights()[row]; };
  Cells cells = table.counted() ? Tally(packing, pool, pack, weight).Run(table.rows())
                                : Tally(packing, pool, pack, one).Run(table.rows());
  if (!apart) return cells;
  return Cells::WithOrigins(cells, origins);
}

Cells CollectCells(std::size_t width, std::span<const std::uint32_t> keys,
                   std::span<const std::uint64_t> counts, std::size_t origins) {
  ThreadPool caller(1);
  return CollectCells(width, keys, counts, origins, caller);
}

Cells CollectCells(std::size_t width, std::span<const std::uint32_t> keys,
                   std::span<const std::uint64_t> counts, std::size_t origins, ThreadPool& pool) {
  const std::size_t entries = counts.size(), codes = width + (origins > 1 ? 1 : 0);
  REISSUE_CHECK(keys.size() == entries * codes);
  std::vector<std::uint64_t> domains(codes, 1);
  for (std::size_t i = 0; i < entries; ++i) {
    for (std::size_t c = 0; c < codes; ++c) {
      domains[c] = std::max<std::uint64_t>(domains[c], std::uint64_t{keys[i * codes + c]} + 1);
    }
  }
  const Packing packing(domains);
  const auto pack = [&](std::size_t first, std::size_t some, std::uint64_t* words) {
    std::fill_n(words, some * packing.words, 0);
    for (std::size_t i = 0; i < some; ++i, words += packing.words) {
      for (std::size_t c = 0; c < codes; ++c) {
        const Packing::Field& field = packing.fields[c];
        words[field.word] |= std::uint64_t{keys[(first + i) * codes + c]} << field.shift;
      }
    }
  };
  const auto weigh = [&](std::size_t i) { return counts[i]; };
  Cells cells = Tally(packing, pool, pack, weigh).Run(entries);
  if (origins == 1) return cells;
  return Cells::WithOrigins(cells, origins);
}

Cells CollectCells(std::span<const std::uint64_t> domains, std::size_t entries,
                   const KeysOfEntries& keys, std::span<const std::uint64_t> counts,
                   ThreadPool& pool) {
  REISSUE_CHECK(counts.size() == entries);
  const std::size_t codes = domains.size();
  const Packing packing(domains);
  const auto pack = [&](std::size_t first, std::size_t some, std::uint64_t* words) {
    std::fill_n(words, some * packing.words, 0);
    std::vector<std::uint32_t> made(some * codes);
    keys(first, some, made.data());
    for (std::size_t i = 0; i < some; ++i, words += packing.words) {
      for (std::size_t c = 0; c < codes; ++c) {
        const Packing::Field& field = packing.fields[c];
        words[field.word] |= std::uint64_t{made[i * codes + c]} << field.shift;
      }
    }
  };
  const auto weigh = [&](std::size_t i) { return counts[i]; };
  return Tally(packing, pool, pack, weigh).Run(entries);
}

}  // namespace reissue
