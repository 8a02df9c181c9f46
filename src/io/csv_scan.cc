#include "reissue/io/csv_scan.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "reissue/io/utf8.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace reissue::io::internal {
namespace {

constexpr std::size_t kBlock = 64;

#if defined(__x86_64__)

bool HasAvx2() {
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt") &&
                          __builtin_cpu_supports("bmi") && __builtin_cpu_supports("lzcnt");
  return has;
}

__attribute__((target("avx2"))) void FindMasksAvx2(const char* text, std::size_t blocks,
                                                   char separator, BlockMasks* out) {
  const __m256i newline = _mm256_set1_epi8('\n');
  const __m256i wanted = _mm256_set1_epi8(separator);
  const __m256i quote = _mm256_set1_epi8('"');
  const __m256i one = _mm256_set1_epi8(1);
  for (std::size_t b = 0; b < blocks; ++b, text += kBlock) {
    const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text));
    const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text + 32));
    const auto equal = [ low, high ](__m256i byte) __attribute__((target("avx2"))) {
      const auto first =
          static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, byte)));
      const auto second =
          static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, byte)));
      return first | (std::uint64_t{second} << 32);
    };
    // Signed bytes below 1: NUL, and everything that is not ASCII.
    const auto not_plain_low =
        static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpgt_epi8(one, low)));
    const auto not_plain_high =
        static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpgt_epi8(one, high)));
    out[b].newline = equal(newline);
    out[b].separator = equal(wanted);
    out[b].quote = equal(quote);
    out[b].not_plain = not_plain_low | (std::uint64_t{not_plain_high} << 32);
  }
}

void FindMasksSse2(const char* text, std::size_t blocks, char separator, BlockMasks* out) {
  const __m128i newline = _mm_set1_epi8('\n');
  const __m128i wanted = _mm_set1_epi8(separator);
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i one = _mm_set1_epi8(1);
  for (std::size_t b = 0; b < blocks; ++b, text += kBlock) {
    BlockMasks masks;
    for (unsigned i = 0; i < 4; ++i) {
      const __m128i part = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + 16 * i));
      const auto bits = [i](__m128i equal) {
        return std::uint64_t{static_cast<std::uint16_t>(_mm_movemask_epi8(equal))} << (16 * i);
      };
      masks.newline |= bits(_mm_cmpeq_epi8(part, newline));
      masks.separator |= bits(_mm_cmpeq_epi8(part, wanted));
      masks.quote |= bits(_mm_cmpeq_epi8(part, quote));
      masks.not_plain |= bits(_mm_cmplt_epi8(part, one));
    }
    out[b] = masks;
  }
}

void FindMasks(const char* text, std::size_t blocks, char separator, bool wide, BlockMasks* out) {
  wide ? FindMasksAvx2(text, blocks, separator, out) : FindMasksSse2(text, blocks, separator, out);
}

#else

bool HasAvx2() { return false; }

void FindMasks(const char* text, std::size_t blocks, char separator, bool, BlockMasks* out) {
  for (std::size_t b = 0; b < blocks; ++b, text += kBlock) {
    BlockMasks masks;
    for (std::size_t i = 0; i < kBlock; ++i) {
      const std::uint64_t bit = std::uint64_t{1} << i;
      if (text[i] == '\n') masks.newline |= bit;
      if (text[i] == separator) masks.separator |= bit;
      if (text[i] == '"') masks.quote |= bit;
      if (static_cast<signed char>(text[i]) < 1) masks.not_plain |= bit;
    }
    out[b] = masks;
  }
}

#endif

// Bit i of the result: how many of bits 0 … i are set, modulo 2.
std::uint64_t PrefixXor(std::uint64_t bits) {
  for (unsigned shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

}  // namespace

Scanner::Scanner(std::string_view text, char separator, std::size_t window_bytes, bool portable)
    : at_(text.data()),
      end_(text.data() + text.size()),
      separator_(separator),
      wide_(!portable && HasAvx2()),
      well_formed_to_(text.data()) {
  masks_.resize(std::max<std::size_t>(1, window_bytes / kBlock));
  ends_.resize(1);
  ends_[0] = text.data() - 1;
}

const char* Scanner::batch_end() const {
  return ended_early_ ? end_ : ends_[record_ends_.back()] + 1;
}

bool Scanner::Advance() {
  if (at_ == end_ || ill_formed_ != nullptr) return false;
  // Every byte may end a field, and Flatten writes eight entries at a time.
  ends_.resize(std::max(ends_.size(), ends_count_ + masks_.size() * kBlock + 8));
  const auto left = static_cast<std::size_t>(end_ - at_);
  if (left >= kBlock) {
    const std::size_t blocks = std::min(masks_.size(), left / kBlock);
    FindMasks(at_, blocks, separator_, wide_, masks_.data());
    Flatten(blocks);
  } else {
    char last[kBlock];
    std::memset(last, ' ', sizeof(last));
    std::memcpy(last, at_, left);
    FindMasks(last, 1, separator_, wide_, masks_.data());
    // A blank may be the separator.
    const std::uint64_t real = (std::uint64_t{1} << left) - 1;
    masks_[0].separator &= real;
    Flatten(1);
    at_ = end_;
  }
  return true;
}

void Scanner::Flatten(std::size_t blocks) {
  wide_ ? FlattenWithPopcnt(blocks) : FlattenPortably(blocks);
}

// Checks the block at at_; on an ill-formed character forgets what lies behind it.
void Scanner::CheckText(std::uint64_t not_plain, BlockMasks& masks) {
  const char* first = at_ + std::countr_zero(not_plain);
  const char* stop = std::min(at_ + kBlock, end_);
  const char* begin = std::max(first, well_formed_to_);
  if (begin >= stop) return;
  const char* at = begin;
  while (at < stop) {
    const std::size_t length = CharacterLength(at, end_);
    if (length == 0) break;
    at += length;
  }
  well_formed_to_ = at;
  if (at >= stop) return;
  ill_formed_ = at;
  const std::uint64_t before = (std::uint64_t{1} << (at - at_)) - 1;
  masks.newline &= before;
  masks.separator &= before;
  masks.quote &= before;
}

// Turns masks into lists. Written once, compiled for two instruction sets.
inline __attribute__((always_inline)) void Scanner::FlattenBlocks(std::size_t blocks) {
  for (std::size_t b = 0; b < blocks && ill_formed_ == nullptr; ++b, at_ += kBlock) {
    BlockMasks masks = masks_[b];
    if (masks.not_plain != 0) [[unlikely]] {
      CheckText(masks.not_plain, masks);
    }
    std::uint64_t newline = masks.newline;
    std::uint64_t separator = masks.separator;
    if ((masks.quote | inside_quotes_) != 0) {
      const std::uint64_t inside = PrefixXor(masks.quote) ^ inside_quotes_;
      inside_quotes_ = (inside >> 63) != 0 ? ~std::uint64_t{0} : 0;
      newline &= ~inside;
      separator &= ~inside;
    }
    std::uint64_t bits = newline | separator;
    if (newline != 0) {
      const unsigned last = 63 - static_cast<unsigned>(__builtin_clzll(newline));
      const std::uint64_t to_last = ~std::uint64_t{0} >> (63 - last);
      quotes_to_record_end_ =
          quotes_ + static_cast<std::uint64_t>(__builtin_popcountll(masks.quote & to_last));
      newlines_to_record_end_ =
          newlines_ + static_cast<std::uint64_t>(__builtin_popcountll(masks.newline & to_last));
      for (std::uint64_t rest = newline; rest != 0; rest &= rest - 1) {
        const std::uint64_t below = (rest & (~rest + 1)) - 1;
        record_ends_.push_back(ends_count_ +
                               static_cast<std::size_t>(__builtin_popcountll(bits & below)));
      }
    }
    quotes_ += static_cast<std::uint64_t>(__builtin_popcountll(masks.quote));
    newlines_ += static_cast<std::uint64_t>(__builtin_popcountll(masks.newline));
    const auto count = static_cast<std::size_t>(__builtin_popcountll(bits));
    const char** out = ends_.data() + ends_count_;
    ends_count_ += count;
    for (std::size_t done = 0; done < count; done += 8, out += 8) {
      for (std::size_t i = 0; i < 8; ++i) {
        out[i] = at_ + __builtin_ctzll(bits | (std::uint64_t{1} << 63));
        bits &= bits - 1;
      }
    }
  }
}

void Scanner::FlattenPortably(std::size_t blocks) { FlattenBlocks(blocks); }

#if defined(__x86_64__)
__attribute__((target("avx2,popcnt,bmi,lzcnt")))
#endif
void Scanner::FlattenWithPopcnt(std::size_t blocks) {
  FlattenBlocks(blocks);
}

bool Scanner::EndLastRecord() {
  if (inside_quotes_ != 0 || ill_formed_ != nullptr) return false;
  const char* begin = record_ends_.empty() ? ends_[0] + 1 : batch_end();
  if (begin == end_) return false;
  ends_.resize(std::max(ends_.size(), ends_count_ + 1));
  ends_[ends_count_] = end_;
  record_ends_.push_back(ends_count_);
  ++ends_count_;
  ended_early_ = true;
  quotes_to_record_end_ = quotes_;
  newlines_to_record_end_ = newlines_;
  return true;
}

void Scanner::Consume() {
  if (record_ends_.empty()) return;
  const std::size_t last = record_ends_.back();
  std::copy(ends_.begin() + static_cast<std::ptrdiff_t>(last),
            ends_.begin() + static_cast<std::ptrdiff_t>(ends_count_), ends_.begin());
  ends_count_ -= last;
  if (ended_early_) ends_[0] = end_ - 1;
  record_ends_.clear();
  quotes_consumed_ = quotes_to_record_end_;
  newlines_consumed_ = newlines_to_record_end_;
}

std::uint64_t CountByte(std::string_view text, char byte) {
  const char* at = text.data();
  const char* end = at + text.size();
  std::uint64_t count = 0;
#if defined(__x86_64__)
  const __m128i wanted = _mm_set1_epi8(byte);
  const __m128i zero = _mm_setzero_si128();
  while (end - at >= 16) {
    // At most 255 rounds: the sums are kept in bytes.
    const auto rounds = std::min<std::ptrdiff_t>((end - at) / 16, 255);
    __m128i sums = zero;
    for (std::ptrdiff_t i = 0; i < rounds; ++i, at += 16) {
      const __m128i part = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
      sums = _mm_sub_epi8(sums, _mm_cmpeq_epi8(part, wanted));
    }
    const __m128i halves = _mm_sad_epu8(sums, zero);
    count += static_cast<std::uint64_t>(_mm_cvtsi128_si64(halves)) +
             static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_unpackhi_epi64(halves, halves)));
  }
#endif
  return count + static_cast<std::uint64_t>(std::count(at, end, byte));
}

}  // namespace reissue::io::internal
