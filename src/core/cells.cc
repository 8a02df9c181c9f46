#include "reissue/core/cells.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

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

// Counts per distinct packed key: open addressing, linear probing, at most half full.
class Counter {
 public:
  explicit Counter(std::size_t words) : words_(words) { slots_.assign(kStart, 0); }

  void Add(const std::uint64_t* key, std::uint64_t count) {
    std::uint64_t hash = key[0];
    for (std::size_t w = 1; w < words_; ++w) hash = Mix(hash) ^ key[w];
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = Mix(hash) & mask;; at = (at + 1) & mask) {
      const std::uint32_t entry = slots_[at];
      if (entry == 0) {
        keys_.insert(keys_.end(), key, key + words_);
        counts_.push_back(count);
        slots_[at] = static_cast<std::uint32_t>(++size_);
        if (size_ * 2 > slots_.size()) Grow();
        return;
      }
      if (std::equal(key, key + words_, keys_.data() + (entry - 1) * words_)) {
        counts_[entry - 1] += count;
        return;
      }
    }
  }

  std::size_t size() const { return size_; }
  const std::uint64_t* key(std::size_t entry) const { return keys_.data() + entry * words_; }
  std::uint64_t count(std::size_t entry) const { return counts_[entry]; }

 private:
  static constexpr std::size_t kStart = 1024;

  void Grow() {
    std::vector<std::uint32_t> bigger(slots_.size() * 4, 0);
    const std::size_t mask = bigger.size() - 1;
    for (std::size_t entry = 0; entry < size_; ++entry) {
      const std::uint64_t* k = key(entry);
      std::uint64_t hash = k[0];
      for (std::size_t w = 1; w < words_; ++w) hash = Mix(hash) ^ k[w];
      std::size_t at = Mix(hash) & mask;
      while (bigger[at] != 0) at = (at + 1) & mask;
      bigger[at] = static_cast<std::uint32_t>(entry + 1);
    }
    slots_ = std::move(bigger);
  }

  std::size_t words_;
  std::size_t size_ = 0;
  std::vector<std::uint32_t> slots_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint64_t> counts_;
};

// Sorts the entries of all counters by key, sums equal keys, unpacks: range by range of the first
// word of the key, so that threads share the work.
class Merger {
 public:
  Merger(const std::vector<Counter>& counters, const Packing& packing, ThreadPool& pool)
      : counters_(counters), packing_(packing), pool_(pool) {}

  Cells Run() {
    ChooseRanges();
    std::vector<std::vector<std::vector<Entry>>> dealt(counters_.size());
    pool_.Run(counters_.size(), [&](std::size_t i) { dealt[i] = Deal(counters_[i]); });
    std::vector<Part> parts(borders_.size() + 1);
    pool_.Run(parts.size(), [&](std::size_t range) {
      std::vector<Entry> entries = std::move(dealt[0][range]);
      for (std::size_t i = 1; i < dealt.size(); ++i) {
        entries.insert(entries.end(), dealt[i][range].begin(), dealt[i][range].end());
      }
      parts[range] = Sum(std::move(entries));
    });
    return Join(std::move(parts));
  }

 private:
  struct Entry {
    std::uint64_t first;  // the first word of the key, at hand
    const std::uint64_t* key;
    std::uint64_t count;
  };
  struct Part {
    std::vector<std::uint32_t> keys;
    std::vector<std::uint64_t> counts;
  };

  // About as many entries in each range, if a sample does not deceive.
  void ChooseRanges() {
    constexpr std::size_t kEntriesWorthARange = 1 << 13, kRangesPerThread = 4, kSamples = 16;
    std::size_t entries = 0;
    for (const Counter& counter : counters_) entries += counter.size();
    if (pool_.threads() == 1) return;
    const std::size_t ranges = std::clamp<std::size_t>(entries / kEntriesWorthARange, 1,
                                                       pool_.threads() * kRangesPerThread);
    std::vector<std::uint64_t> sample;
    for (const Counter& counter : counters_) {
      const std::size_t step = counter.size() / (ranges * kSamples) + 1;
      for (std::size_t i = 0; i < counter.size(); i += step) sample.push_back(counter.key(i)[0]);
    }
    std::sort(sample.begin(), sample.end());
    for (std::size_t range = 1; range < ranges; ++range) {
      borders_.push_back(sample[range * sample.size() / ranges]);
    }
  }

  std::vector<std::vector<Entry>> Deal(const Counter& counter) const {
    std::vector<std::vector<Entry>> ranges(borders_.size() + 1);
    for (std::vector<Entry>& range : ranges) range.reserve(counter.size() / ranges.size());
    for (std::size_t i = 0; i < counter.size(); ++i) {
      const std::uint64_t first = counter.key(i)[0];
      const auto border = std::upper_bound(borders_.begin(), borders_.end(), first);
      ranges[static_cast<std::size_t>(border - borders_.begin())].push_back(
          {first, counter.key(i), counter.count(i)});
    }
    return ranges;
  }

  Part Sum(std::vector<Entry> entries) const {
    const std::size_t words = packing_.words;
    std::sort(entries.begin(), entries.end(), [words](const Entry& a, const Entry& b) {
      if (a.first != b.first) return a.first < b.first;
      return std::lexicographical_compare(a.key + 1, a.key + words, b.key + 1, b.key + words);
    });
    Part part;
    part.keys.reserve(entries.size() * packing_.fields.size());
    part.counts.reserve(entries.size());
    const std::uint64_t* last = nullptr;
    for (const Entry& entry : entries) {
      if (last == nullptr || !std::equal(last, last + words, entry.key)) {
        for (const Packing::Field& field : packing_.fields) {
          part.keys.push_back(static_cast<std::uint32_t>(entry.key[field.word] >> field.shift) &
                              field.mask);
        }
        part.counts.push_back(0);
        last = entry.key;
      }
      part.counts.back() += entry.count;
    }
    return part;
  }

  Cells Join(std::vector<Part> parts) const {
    Part all = std::move(parts[0]);
    for (std::size_t i = 1; i < parts.size(); ++i) {
      all.keys.insert(all.keys.end(), parts[i].keys.begin(), parts[i].keys.end());
      all.counts.insert(all.counts.end(), parts[i].counts.begin(), parts[i].counts.end());
    }
    return Cells(packing_.fields.size(), std::move(all.keys), std::move(all.counts));
  }

  const std::vector<Counter>& counters_;
  const Packing& packing_;
  ThreadPool& pool_;
  std::vector<std::uint64_t> borders_;
};

// One per thread; the merge sorts, so the result does not depend on how rows were shared out.
std::size_t Shards(std::size_t rows, const ThreadPool& pool) {
  constexpr std::size_t kRowsWorthAThread = 1 << 14;
  return std::clamp<std::size_t>(rows / kRowsWorthAThread, 1, pool.threads());
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
  const std::size_t shards = Shards(table.rows(), pool);
  std::vector<Counter> counters(shards, Counter(packing.words));
  pool.Run(shards, [&](std::size_t shard) {
    constexpr std::size_t kBlock = 1024;
    std::vector<std::uint64_t> packed(kBlock * packing.words);
    const std::size_t end = table.rows() * (shard + 1) / shards;
    for (std::size_t row = table.rows() * shard / shards; row < end; row += kBlock) {
      const std::size_t rows = std::min(kBlock, end - row);
      std::fill(packed.begin(), packed.end(), 0);
      for (std::size_t c = 0; c < values.size(); ++c) {
        const Packing::Field field = packing.fields[c];
        for (std::size_t i = 0; i < rows; ++i) {
          packed[i * packing.words + field.word] |= std::uint64_t{values[c][row + i].raw()}
                                                    << field.shift;
        }
      }
      for (std::size_t i = 0; i < rows; ++i) {
        std::uint64_t* key = &packed[i * packing.words];
        if (apart && !origin_of_row.empty()) {
          const Packing::Field& field = packing.fields.back();
          key[field.word] |= std::uint64_t{origin_of_row[row + i]} << field.shift;
        }
        counters[shard].Add(key, 1);
      }
    }
  });
  Cells cells = Merger(counters, packing, pool).Run();
  return apart ? Cells::WithOrigins(cells, origins) : cells;
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
  const std::size_t shards = Shards(entries, pool);
  std::vector<Counter> counters(shards, Counter(packing.words));
  pool.Run(shards, [&](std::size_t shard) {
    std::vector<std::uint64_t> packed(packing.words);
    for (std::size_t i = entries * shard / shards; i < entries * (shard + 1) / shards; ++i) {
      std::fill(packed.begin(), packed.end(), 0);
      for (std::size_t c = 0; c < codes; ++c) {
        const Packing::Field& field = packing.fields[c];
        packed[field.word] |= std::uint64_t{keys[i * codes + c]} << field.shift;
      }
      counters[shard].Add(packed.data(), counts[i]);
    }
  });
  Cells cells = Merger(counters, packing, pool).Run();
  return origins > 1 ? Cells::WithOrigins(cells, origins) : cells;
}

}  // namespace reissue
