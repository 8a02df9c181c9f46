#include "reissue/io/csv_column.h"

#include <bit>
#include <limits>

#include "reissue/io/encoding.h"

namespace reissue::io::internal {
namespace {

constexpr unsigned kFirstCacheBits = 7;
constexpr unsigned kLastCacheBits = 15;

std::uint64_t Load8(const char* at) {
  std::uint64_t word;
  std::memcpy(&word, at, sizeof(word));
  return word;
}

// Whether two strings of the same length, over 16 bytes, whose first and last eight bytes agree,
// are equal. Up to 32 bytes without a call.
bool SameInside(std::string_view a, std::string_view b) {
  const std::size_t length = a.size();
  if (length > 32) return std::memcmp(a.data() + 8, b.data() + 8, length - 16) == 0;
  return Load8(a.data() + 8) == Load8(b.data() + 8) &&
         Load8(a.data() + length - 16) == Load8(b.data() + length - 16);
}

}  // namespace

ColumnBuilder::ColumnBuilder(const char* text_end)
    : text_end_(text_end),
      seen_(std::size_t{1} << kFirstCacheBits),
      shift_(64 - kFirstCacheBits),
      enlarge_at_(seen_.size() / 4) {}

inline ValueId ColumnBuilder::Code(std::string_view field) {
  const std::size_t length = field.size();
  std::uint64_t head = 0;
  std::uint64_t tail = 0;
  if (length > 8) {
    head = Load8(field.data());
    tail = Load8(field.data() + length - 8);
  } else if (length > 0) {
    if (field.data() <= text_end_ - 8) [[likely]] {
      // The field in the low bytes, whatever follows it shifted out.
      static_assert(std::endian::native == std::endian::little);
      const auto unused = static_cast<unsigned>(8 * (8 - length));
      head = (Load8(field.data()) << unused) >> unused;
    } else {
      std::memcpy(&head, field.data(), length);
    }
  }
  const Seen& seen = seen_[SlotOf(head, tail)];
  if (seen.head == head && seen.tail == tail && seen.length == length &&
      (length <= 16 || SameInside(field, dictionary_[seen.id]))) [[likely]] {
    return seen.id;
  }
  return CodeUnseen(field, head, tail);
}

__attribute__((noinline)) ValueId ColumnBuilder::CodeUnseen(std::string_view field,
                                                            std::uint64_t head,
                                                            std::uint64_t tail) {
  const ValueId id =
      decimal_commas_ ? dictionary_.Intern(WithDecimalPoint(field)) : dictionary_.Intern(field);
  if (dictionary_.size() > enlarge_at_) EnlargeCache();
  if (field.size() < std::numeric_limits<std::uint32_t>::max()) {
    seen_[SlotOf(head, tail)] = {head, tail, static_cast<std::uint32_t>(field.size()), id};
  }
  return id;
}

void ColumnBuilder::EnlargeCache() {
  if (64 - shift_ >= kLastCacheBits) {
    enlarge_at_ = std::numeric_limits<std::size_t>::max();
    return;
  }
  shift_ -= 2;
  std::vector<Seen> bigger(std::size_t{1} << (64 - shift_));
  for (const Seen& seen : seen_) {
    if (seen.length != static_cast<std::uint32_t>(-1)) bigger[SlotOf(seen.head, seen.tail)] = seen;
  }
  seen_ = std::move(bigger);
  enlarge_at_ = seen_.size() / 4;
}

template <bool kDressed>
void ColumnBuilder::AddField(const FieldGrid& grid, std::size_t field) {
  const std::size_t before = codes_.size();
  codes_.resize(before + grid.records);
  ValueId* out = codes_.data() + before;
  for (std::size_t r = 0; r < grid.records; ++r) {
    out[r] = Code(grid.At<kDressed>(r, field));
  }
}

void ColumnBuilder::Continue(const char* text_end) {
  text_end_ = text_end;
  codes_.clear();
  keys_.clear();
}

void ColumnBuilder::Add(std::string_view field) {
  if (hash_ != nullptr) {
    keys_.push_back((*hash_)(field));
  } else {
    codes_.push_back(Code(field));
  }
}

void ColumnBuilder::AddAll(const FieldGrid& grid, std::size_t field) {
  if (hash_ != nullptr) {
    for (std::size_t r = 0; r < grid.records; ++r) keys_.push_back((*hash_)(grid.Field(r, field)));
  } else if (grid.trim || grid.quotes) {
    AddField<true>(grid, field);
  } else {
    AddField<false>(grid, field);
  }
}

}  // namespace reissue::io::internal
