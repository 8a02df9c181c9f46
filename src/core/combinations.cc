#include "reissue/core/combinations.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "reissue/core/let_go.h"
#include "reissue/core/random.h"
#include "reissue/core/result.h"

namespace reissue {
namespace combining {  // not without a name: Combinations::Impl, which has one, is made of it

constexpr unsigned kPartBits = 6, kParts = 1u << kPartBits, kWordBits = 64;
constexpr std::size_t kMaxIndex = std::size_t{1} << (32 - kPartBits);

inline std::uint64_t Blend(std::uint64_t h) {
  h ^= h >> 32;
  h *= 0x9e3779b97f4a7c15u;
  h ^= h >> 29;
  h *= 0xbf58476d1ce4e5b9u;
  return h ^ (h >> 32);
}

// How codes lie in words. Bits are only ever added, and a word of zeros adds nothing to a hash:
// what was counted stays where it is.
class Layout {
 public:
  struct Piece {
    std::size_t word;
    unsigned shift, low;  // bits of the code from `low` on
    std::uint32_t mask;
  };
  explicit Layout(std::size_t width) : pieces_(width), bits_(width, 0) {}

  std::size_t words() const { return odd_.size(); }
  const std::vector<Piece>& pieces(std::size_t column) const { return pieces_[column]; }
  void Fit(std::size_t column, std::uint64_t domain) {
    const auto need = static_cast<unsigned>(std::bit_width(domain > 1 ? domain - 1 : 0));
    if (need <= bits_[column]) return;
    // Where there is more than a beginning, more will come.
    const unsigned more = bits_[column] > 8 && need < 31 ? 1 : 0;
    for (unsigned wanted = need + more - bits_[column]; wanted > 0;) wanted -= Take(column, wanted);
    bits_[column] = need + more;
  }
  // A column that was given its bits at once has its highest ones in front.
  void Put(std::size_t column, std::uint32_t code, std::uint64_t* key) const {
    for (const Piece& piece : pieces_[column]) {
      key[piece.word] |= std::uint64_t{(code >> piece.low) & piece.mask} << piece.shift;
    }
  }
  std::uint32_t Get(std::size_t column, const std::uint64_t* key) const {
    std::uint32_t code = 0;
    for (const Piece& piece : pieces_[column]) {
      code |= (static_cast<std::uint32_t>(key[piece.word] >> piece.shift) & piece.mask)
              << piece.low;
    }
    return code;
  }
  std::uint64_t Hash(const std::uint64_t* key) const {
    std::uint64_t sum = 0;
    for (std::size_t w = 0; w < odd_.size(); ++w) sum += key[w] * odd_[w];
    return Blend(sum);
  }

 private:
  // The highest of the wanted bits, as many as there are in the last word.
  unsigned Take(std::size_t column, unsigned wanted) {
    if (free_ == 0) {
      // Not known to whoever makes a table, who could make combinations that collide otherwise.
      odd_.push_back(Blend(ProcessSeed() + odd_.size()) | 1u);
      free_ = kWordBits;
    }
    const unsigned bits = std::min(free_, wanted);
    free_ -= bits;
    pieces_[column].push_back({odd_.size() - 1, free_, bits_[column] + wanted - bits,
                               static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1)});
    return bits;
  }

  std::vector<std::vector<Piece>> pieces_;
  std::vector<unsigned> bits_;
  std::vector<std::uint64_t> odd_;  // per word
  unsigned free_ = 0;               // bits of the last word
};

// Makes room without doubling: there are many parts, and what they reserve in vain adds up.
template <typename T>
void MakeRoom(std::vector<T>& values, std::size_t more) {
  if (values.capacity() - values.size() < more) {
    values.reserve(values.size() + values.size() / 3 + more + 16);
  }
}

// The combinations of one part of all hashes: open addressing, linear probing, at most half full.
class Part {
 public:
  std::size_t size() const { return counts.size(); }

  std::uint32_t EntryOf(const std::uint64_t* key, std::uint32_t hash, std::size_t words,
                        bool& fresh) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
      const std::uint32_t entry = slots_[at];
      if (entry == 0) {
        fresh = true;
        return Append(key, hash, words, at);
      }
      const std::uint64_t* known = keys.data() + (entry - 1) * words;
      if (std::equal(key, key + words, known)) return entry - 1;
    }
  }
  void Prefetch(std::uint32_t hash) const {
    __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]);
  }
  void Widen(std::size_t from, std::size_t to) {
    std::vector<std::uint64_t> wider(size() * to, 0);
    for (std::size_t i = 0; i < size(); ++i) {
      std::copy_n(keys.data() + i * from, from, wider.data() + i * to);
    }
    keys = std::move(wider);
  }
  void ForgetSlots() { slots_ = std::vector<std::uint32_t>(); }

  std::vector<std::uint64_t> keys, counts, lines;

 private:
  std::uint32_t Append(const std::uint64_t* key, std::uint32_t hash, std::size_t words,
                       std::size_t slot) {
    REISSUE_CHECK(size() + 1 < kMaxIndex);
    MakeRoom(keys, words);
    MakeRoom(counts, 1);
    MakeRoom(lines, 1);
    MakeRoom(hashes_, 1);
    keys.insert(keys.end(), key, key + words);
    counts.push_back(0);
    lines.push_back(0);
    hashes_.push_back(hash);
    const auto entry = static_cast<std::uint32_t>(size());
    slots_[slot] = entry;
    if (size() * 2 > slots_.size()) Grow();
    return entry - 1;
  }
  void Grow() {
    slots_.assign(slots_.size() * 2, 0);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = 0; i < size(); ++i) {
      std::size_t at = hashes_[i] & mask;
      while (slots_[at] != 0) at = (at + 1) & mask;
      slots_[at] = static_cast<std::uint32_t>(i + 1);
    }
  }

  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(64, 0);
  std::vector<std::uint32_t> hashes_;
};

}  // namespace combining

using combining::kPartBits, combining::kParts, combining::Layout, combining::Part;

class Combinations::Impl {
 public:
  explicit Impl(std::size_t width) : width_(width), layout_(width), parts_(kParts) {}

  void Add(std::span<const CodeBlock> blocks, std::span<const std::uint64_t> domains,
           ThreadPool& pool, std::span<EntryId> entries);
  std::size_t size() const {
    std::size_t sum = 0;
    for (const Part& part : parts_) sum += part.size();
    return sum;
  }
  std::uint64_t rows() const { return rows_; }
  Sorted Sort(std::span<const std::vector<std::uint32_t>> rank, ThreadPool& pool);

 private:
  static constexpr std::size_t kRowsPerHand = 1 << 13;

  // Some rows of a block, part by part.
  struct Hand {
    const CodeBlock* block = nullptr;
    std::size_t first = 0, rows = 0;
    std::size_t before = 0;  // rows of this call before them
    std::vector<std::uint64_t> packed, keys;
    std::vector<std::uint32_t> hashes;
    std::vector<std::uint16_t> row_of;
    std::vector<std::uint8_t> part_of;
    std::vector<std::uint32_t> hash_of;
    std::array<std::uint32_t, kParts + 1> begin{};
  };

  void Fit(std::span<const std::uint64_t> domains);
  void Pack(Hand& hand) const;
  void Deal(Hand& hand) const;
  void CountPart(std::size_t part, std::size_t hands, std::span<EntryId> entries);
  std::vector<std::uint64_t> Recode(std::span<const std::vector<std::uint32_t>> rank,
                                    const Layout& to, const std::vector<std::uint32_t>& begin_of,
                                    ThreadPool& pool);

  std::size_t width_;
  Layout layout_;
  std::vector<Part> parts_;
  std::vector<Hand> hands_;
  std::uint64_t rows_ = 0;
};

void Combinations::Impl::Fit(std::span<const std::uint64_t> domains) {
  const std::size_t before = layout_.words();
  for (std::size_t c = 0; c < width_; ++c) layout_.Fit(c, domains[c]);
  if (layout_.words() == before) return;
  for (Part& part : parts_) part.Widen(before, layout_.words());
}

void Combinations::Impl::Add(std::span<const CodeBlock> blocks,
                             std::span<const std::uint64_t> domains, ThreadPool& pool,
                             std::span<EntryId> entries) {
  Fit(domains);
  std::size_t hands = 0, rows = 0;
  for (const CodeBlock& block : blocks) {
    for (std::size_t first = 0; first < block.rows; first += kRowsPerHand) {
      if (hands == hands_.size()) hands_.emplace_back();
      Hand& hand = hands_[hands++];
      hand.block = &block;
      hand.first = first;
      hand.rows = std::min(kRowsPerHand, block.rows - first);
      hand.before = rows + first;
    }
    rows += block.rows;
  }
  REISSUE_CHECK(entries.empty() || entries.size() == rows);
  pool.Run(hands, [&](std::size_t i) { Deal(hands_[i]); });
  pool.Run(kParts, [&](std::size_t part) { CountPart(part, hands, entries); });
  rows_ += rows;
}

void Combinations::Impl::Pack(Hand& hand) const {
  constexpr std::size_t kTogether = 1024;  // stays in the cache from column to column
  const std::size_t words = layout_.words();
  hand.packed.assign(hand.rows * words, 0);
  for (std::size_t begin = 0; begin < hand.rows; begin += kTogether) {
    const std::size_t end = std::min(hand.rows, begin + kTogether);
    for (std::size_t c = 0; c < width_; ++c) {
      const ValueId* values = hand.block->columns[c].data() + hand.first;
      const std::span<const std::uint32_t> becomes =
          hand.block->becomes.empty() ? std::span<const std::uint32_t>() : hand.block->becomes[c];
      for (const Layout::Piece& piece : layout_.pieces(c)) {
        std::uint64_t* out = hand.packed.data() + piece.word;
        const auto put = [&](std::size_t i, std::uint32_t code) {
          out[i * words] |= std::uint64_t{(code >> piece.low) & piece.mask} << piece.shift;
        };
        if (becomes.empty()) {
          for (std::size_t i = begin; i < end; ++i) put(i, values[i].raw());
        } else {
          const std::uint32_t* to = becomes.data();
          for (std::size_t i = begin; i < end; ++i) put(i, to[values[i].raw()]);
        }
      }
    }
  }
}

void Combinations::Impl::Deal(Hand& hand) const {
  const std::size_t words = layout_.words(), rows = hand.rows;
  Pack(hand);
  hand.keys.resize(rows * words);
  hand.hashes.resize(rows);
  hand.row_of.resize(rows);
  hand.part_of.resize(rows);
  hand.hash_of.resize(rows);
  hand.begin.fill(0);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::uint64_t hash = layout_.Hash(hand.packed.data() + i * words);
    hand.part_of[i] = static_cast<std::uint8_t>(hash >> (64 - kPartBits));
    hand.hash_of[i] = static_cast<std::uint32_t>(hash);
    ++hand.begin[hand.part_of[i] + 1u];
  }
  std::partial_sum(hand.begin.begin(), hand.begin.end(), hand.begin.begin());
  auto next = hand.begin;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t to = next[hand.part_of[i]]++;
    for (std::size_t w = 0; w < words; ++w) {
      hand.keys[to * words + w] = hand.packed[i * words + w];
    }
    hand.row_of[to] = static_cast<std::uint16_t>(i);
    hand.hashes[to] = hand.hash_of[i];
  }
}

void Combinations::Impl::CountPart(std::size_t number, std::size_t hands,
                                   std::span<EntryId> entries) {
  constexpr std::size_t kAhead = 8;
  Part& part = parts_[number];
  const std::size_t words = layout_.words();
  for (std::size_t h = 0; h < hands; ++h) {
    const Hand& hand = hands_[h];
    const CodeBlock& block = *hand.block;
    const std::size_t end = hand.begin[number + 1];
    for (std::size_t i = hand.begin[number]; i < end; ++i) {
      if (i + kAhead < end) part.Prefetch(hand.hashes[i + kAhead]);
      bool fresh = false;
      const std::uint32_t entry =
          part.EntryOf(hand.keys.data() + i * words, hand.hashes[i], words, fresh);
      const std::size_t row = hand.first + hand.row_of[i];
      part.counts[entry] += block.weights.empty() ? 1 : block.weights[row];
      if (fresh) {
        part.lines[entry] = block.first_line + (block.lines.empty() ? row : block.lines[row]);
      }
      if (!entries.empty()) {
        entries[hand.before + hand.row_of[i]] = static_cast<EntryId>(entry << kPartBits | number);
      }
    }
  }
}

// By what codes become, as words that compare like keys: in each column the highest bits first.
std::vector<std::uint64_t> Combinations::Impl::Recode(
    std::span<const std::vector<std::uint32_t>> rank, const Layout& to,
    const std::vector<std::uint32_t>& begin_of, ThreadPool& pool) {
  std::vector<std::uint64_t> keys(begin_of.back() * to.words(), 0);
  pool.Run(kParts, [&](std::size_t number) {
    Part& part = parts_[number];
    std::uint64_t* out = keys.data() + begin_of[number] * to.words();
    for (std::size_t i = 0; i < part.size(); ++i, out += to.words()) {
      const std::uint64_t* key = part.keys.data() + i * layout_.words();
      for (std::size_t c = 0; c < width_; ++c) to.Put(c, rank[c][layout_.Get(c, key)], out);
    }
    part.keys = std::vector<std::uint64_t>();
  });
  return keys;
}

namespace {

// First words travel with their numbers: most comparisons look at nothing else.
void SortRange(const std::vector<std::uint64_t>& keys, std::size_t words,
               std::span<std::uint32_t> numbers) {
  struct Numbered {
    std::uint64_t first;
    std::uint32_t number;
  };
  std::vector<Numbered> sorted;
  sorted.reserve(numbers.size());
  for (const std::uint32_t number : numbers) sorted.push_back({keys[number * words], number});
  std::ranges::sort(sorted, [&](const Numbered& a, const Numbered& b) {
    if (a.first != b.first) return a.first < b.first;
    const std::uint64_t *x = keys.data() + a.number * words, *y = keys.data() + b.number * words;
    return std::lexicographical_compare(x + 1, x + words, y + 1, y + words);
  });
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = sorted[i].number;
}

// Numbers of keys, sorted by key. Ranges of keys, of which a sample tells where they end, are
// sorted by different threads.
std::vector<std::uint32_t> SortedNumbers(const std::vector<std::uint64_t>& keys, std::size_t words,
                                         std::size_t size, ThreadPool& pool) {
  constexpr std::size_t kWorthIt = 1 << 14, kRanges = 64, kSample = 4096;
  const auto less = [&](std::uint32_t a, std::uint32_t b) {
    const std::uint64_t *x = keys.data() + a * words, *y = keys.data() + b * words;
    return std::lexicographical_compare(x, x + words, y, y + words);
  };
  std::vector<std::uint32_t> numbers(size);
  std::iota(numbers.begin(), numbers.end(), 0u);
  if (size < kWorthIt || words == 0) {
    std::sort(numbers.begin(), numbers.end(), less);
    return numbers;
  }
  std::vector<std::uint64_t> sample, borders;
  for (std::size_t i = 0; i < kSample; ++i) sample.push_back(keys[size / kSample * i * words]);
  std::sort(sample.begin(), sample.end());
  for (std::size_t r = 1; r < kRanges; ++r) borders.push_back(sample[kSample * r / kRanges]);
  std::vector<std::uint8_t> range_of(size);
  std::array<std::uint32_t, kRanges + 1> begin{};
  for (std::size_t i = 0; i < size; ++i) {
    const auto at = std::upper_bound(borders.begin(), borders.end(), keys[i * words]);
    range_of[i] = static_cast<std::uint8_t>(at - borders.begin());
    ++begin[range_of[i] + 1u];
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  auto next = begin;
  for (std::uint32_t i = 0; i < size; ++i) numbers[next[range_of[i]]++] = i;
  pool.Run(kRanges, [&](std::size_t range) {
    SortRange(keys, words, {numbers.data() + begin[range], begin[range + 1] - begin[range]});
  });
  return numbers;
}

}  // namespace

Combinations::Sorted Combinations::Impl::Sort(std::span<const std::vector<std::uint32_t>> rank,
                                              ThreadPool& pool) {
  LetGo(hands_);
  Sorted sorted;
  sorted.begin_of = {0};
  for (Part& part : parts_) {
    part.ForgetSlots();
    sorted.begin_of.push_back(sorted.begin_of.back() + static_cast<std::uint32_t>(part.size()));
  }
  const std::size_t size = sorted.begin_of.back();
  Layout layout(width_);
  for (std::size_t c = 0; c < width_; ++c) layout.Fit(c, rank[c].size());
  const std::vector<std::uint64_t> keys = Recode(rank, layout, sorted.begin_of, pool);
  const std::vector<std::uint32_t> numbers = SortedNumbers(keys, layout.words(), size, pool);
  sorted.place_of.resize(size);
  for (std::uint32_t place = 0; place < size; ++place) sorted.place_of[numbers[place]] = place;
  sorted.counts.resize(size);
  sorted.lines.resize(size);
  pool.Run(kParts, [&](std::size_t number) {
    Part& part = parts_[number];
    for (std::size_t i = 0; i < part.size(); ++i) {
      const std::uint32_t place = sorted.place_of[sorted.begin_of[number] + i];
      sorted.counts[place] = part.counts[i];
      sorted.lines[place] = part.lines[i];
    }
    part = Part();
  });
  sorted.columns.resize(width_);
  pool.Run(width_, [&](std::size_t c) { sorted.columns[c].resize(size); });
  // Keys lie anywhere: those of a block of places are fetched once, for all columns.
  constexpr std::size_t kPlacesAtOnce = 1 << 11;
  const std::size_t words = layout.words();
  pool.Run((size + kPlacesAtOnce - 1) / kPlacesAtOnce, [&](std::size_t block) {
    const std::size_t from = block * kPlacesAtOnce, to = std::min(size, from + kPlacesAtOnce);
    std::vector<std::uint64_t> fetched;
    fetched.reserve((to - from) * words);
    for (std::size_t place = from; place < to; ++place) {
      const std::uint64_t* key = keys.data() + numbers[place] * words;
      fetched.insert(fetched.end(), key, key + words);
    }
    for (std::size_t c = 0; c < width_; ++c) {
      const std::uint64_t* key = fetched.data();
      ValueId* out = sorted.columns[c].data();
      for (std::size_t place = from; place < to; ++place, key += words) {
        out[place] = ValueId(layout.Get(c, key));
      }
    }
  });
  return sorted;
}

Combinations::Combinations(std::size_t width) : impl_(std::make_unique<Impl>(width)) {}
Combinations::~Combinations() = default;
Combinations::Combinations(Combinations&&) noexcept = default;
Combinations& Combinations::operator=(Combinations&&) noexcept = default;

void Combinations::Add(std::span<const CodeBlock> blocks, std::span<const std::uint64_t> domains,
                       ThreadPool& pool, std::span<EntryId> entries) {
  impl_->Add(blocks, domains, pool, entries);
}
std::size_t Combinations::size() const { return impl_->size(); }
std::uint64_t Combinations::rows() const { return impl_->rows(); }
Combinations::Sorted Combinations::Sort(std::span<const std::vector<std::uint32_t>> rank,
                                        ThreadPool& pool) && {
  return impl_->Sort(rank, pool);
}

std::uint32_t Combinations::Sorted::PlaceOf(EntryId entry) const {
  return place_of[begin_of[entry & (kParts - 1)] + (entry >> kPartBits)];
}

Table CountedTable(std::vector<std::string> names, std::vector<DictionaryBuilder> dictionaries,
                   Combinations combinations, Origin origin, ThreadPool& pool,
                   Combinations::Sorted* places) {
  std::vector<std::shared_ptr<const Dictionary>> texts(names.size());
  std::vector<std::vector<std::uint32_t>> rank(names.size());
  pool.Run(names.size(), [&](std::size_t c) {
    SortedDictionary sorted = SortByText(dictionaries[c]);
    dictionaries[c] = DictionaryBuilder();
    texts[c] = std::move(sorted.dictionary);
    rank[c] = std::move(sorted.rank);
  });
  Combinations::Sorted sorted = std::move(combinations).Sort(rank, pool);
  const std::size_t rows = sorted.counts.size();
  std::vector<Column> columns;
  for (std::size_t c = 0; c < names.size(); ++c) {
    columns.emplace_back(std::move(names[c]), std::move(texts[c]), std::move(sorted.columns[c]));
  }
  if (origin.first_line > 0) origin.lines = std::move(sorted.lines);
  Table table(std::move(columns), rows, std::move(origin), std::move(sorted.counts));
  if (places != nullptr) *places = std::move(sorted);
  return table;
}

}  // namespace reissue
