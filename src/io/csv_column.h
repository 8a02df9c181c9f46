#pragma once
// One kept column while it is read: turns fields into codes. Codes count distinct fields in order
// of first appearance. Belongs to one thread at a time.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string_view>
#include <vector>

#include "reissue/core/dictionary.h"
#include "reissue/core/ids.h"
#include "reissue/io/csv_record.h"

namespace reissue::io::internal {

// Some records of a batch: field f of record r lies between ends[r·width + f] + 1 and
// ends[r·width + f + 1]. Quotes, where there are any, enclose whole fields and are not escaped.
struct FieldGrid {
  const char* const* ends = nullptr;
  std::size_t width = 0;
  std::size_t records = 0;
  bool trim = false;
  bool quotes = false;

  // A field as the table has it: without line end, blanks (trim) and quotes.
  std::string_view Field(std::size_t record, std::size_t field) const {
    return trim || quotes ? At<true>(record, field) : At<false>(record, field);
  }
  template <bool kDressed>
  std::string_view At(std::size_t record, std::size_t field) const {
    const std::size_t entry = record * width + field;
    const char* begin = ends[entry] + 1;
    const char* end = ends[entry + 1];
    if (field + 1 == width && end != begin && end[-1] == '\r') --end;
    if constexpr (kDressed) {
      if (trim) {
        while (begin != end && IsBlank(*begin)) ++begin;
        while (begin != end && IsBlank(end[-1])) --end;
      }
      if (quotes && begin != end && *begin == '"') {
        ++begin;
        --end;
      }
    }
    return {begin, static_cast<std::size_t>(end - begin)};
  }
};

// What becomes of fields that are not to be known again.
using FieldKey = std::array<std::uint8_t, 16>;
using HashField = std::function<FieldKey(std::string_view)>;

class ColumnBuilder {
 public:
  // `text_end`: no byte at or behind it is ever read.
  explicit ColumnBuilder(const char* text_end);

  // Forgets the rows and goes on with another text; what has a code keeps it.
  void Continue(const char* text_end);
  // From now on fields become keys and no codes; `hash` must outlive the builder.
  void HashWith(const HashField* hash) { hash_ = hash; }
  // From now on fields are numbers with a decimal comma.
  void ReadDecimalCommas() { decimal_commas_ = true; }
  void Reserve(std::size_t rows) {
    if (hash_ == nullptr) codes_.reserve(rows);
  }
  void Add(std::string_view field);
  // Adds one field of every record of the grid.
  void AddAll(const FieldGrid& grid, std::size_t field);

  std::vector<ValueId>& codes() { return codes_; }
  const std::vector<FieldKey>& keys() const { return keys_; }
  DictionaryBuilder& dictionary() { return dictionary_; }

 private:
  // Recently seen fields, found without hashing the whole string. Head and tail are the first and
  // the last eight bytes; up to 16 bytes they say everything.
  struct Seen {
    std::uint64_t head = 0;
    std::uint64_t tail = 0;
    std::uint32_t length = static_cast<std::uint32_t>(-1);
    ValueId id;
  };

  ValueId Code(std::string_view field);
  ValueId CodeUnseen(std::string_view field, std::uint64_t head, std::uint64_t tail);
  template <bool kDressed>
  void AddField(const FieldGrid& grid, std::size_t field);
  std::size_t SlotOf(std::uint64_t head, std::uint64_t tail) const {
    return ((head ^ (tail * 0x9e3779b97f4a7c15u)) * 0xd6e8feb86659fd93u) >> shift_;
  }
  void EnlargeCache();

  const char* text_end_;
  DictionaryBuilder dictionary_;
  std::vector<ValueId> codes_;
  const HashField* hash_ = nullptr;
  bool decimal_commas_ = false;
  std::vector<FieldKey> keys_;
  std::vector<Seen> seen_;
  unsigned shift_;
  std::size_t enlarge_at_;
};

}  // namespace reissue::io::internal
