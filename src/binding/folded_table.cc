#include "reissue/binding/folded_table.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "reissue/core/let_go.h"

namespace reissue::binding {
namespace {

// Where the code of a column lies.
struct Slot {
  std::size_t word;
  unsigned shift;
  std::uint64_t mask;
};

std::vector<Slot> SlotsOf(const Table& table, std::size_t& words) {
  std::vector<Slot> slots;
  unsigned free_bits = 0;
  words = 0;
  for (const Column& column : table.columns()) {
    const std::uint64_t last = std::max<std::size_t>(column.dictionary().size(), 2) - 1;
    const auto bits = static_cast<unsigned>(std::bit_width(last));
    if (bits > free_bits) {
      ++words;
      free_bits = 64;
    }
    free_bits -= bits;
    slots.push_back({words - 1, free_bits, (std::uint64_t{1} << bits) - 1});
  }
  return slots;
}

}  // namespace

FoldedTable::FoldedTable(Table& table) : file_(table.origin().file) {
  REISSUE_CHECK(table.counted());
  const std::vector<Slot> slots = SlotsOf(table, words_);
  codes_.assign(table.rows() * words_, 0);
  std::vector<Column> empty;
  for (std::size_t c = 0; c < slots.size(); ++c) {
    const Column& column = table[ColumnId(c)];
    std::uint64_t* word = codes_.data() + slots[c].word;
    for (const ValueId value : column.values()) {
      *word |= std::uint64_t{value.raw()} << slots[c].shift;
      word += words_;
    }
    empty.emplace_back(column.name(), column.shared_dictionary(), std::vector<ValueId>());
  }
  const auto fits = [](std::uint64_t weight) {
    return weight <= std::numeric_limits<std::uint32_t>::max();
  };
  if (std::ranges::all_of(table.weights(), fits)) {
    weights_.assign(table.weights().begin(), table.weights().end());
  } else {
    large_weights_ = table.weights();
  }
  table = Table(std::move(empty), 0, {file_, 0, {}});
}

Table FoldedTable::Unfold(const Table& columns) && {
  const std::vector<Slot> slots = SlotsOf(columns, words_);
  const std::size_t rows = std::max(weights_.size(), large_weights_.size());
  std::vector<Column> full;
  for (std::size_t c = 0; c < slots.size(); ++c) {
    const Column& column = columns[ColumnId(c)];
    std::vector<ValueId> values;
    values.reserve(rows);
    const std::uint64_t* word = codes_.data() + slots[c].word;
    for (std::size_t row = 0; row < rows; ++row, word += words_) {
      values.emplace_back(*word >> slots[c].shift & slots[c].mask);
    }
    full.emplace_back(column.name(), column.shared_dictionary(), std::move(values));
  }
  LetGo(codes_);
  std::vector<std::uint64_t> weights = std::move(large_weights_);
  if (weights.empty()) weights.assign(weights_.begin(), weights_.end());
  return Table(std::move(full), rows, {file_, 0, {}}, std::move(weights));
}

}  // namespace reissue::binding
