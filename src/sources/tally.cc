#include "reissue/sources/tally.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <tuple>
#include <utility>

#include "reissue/core/cells.h"
#include "reissue/core/let_go.h"

namespace reissue::sources {
namespace {

// The dictionary of the texts that are used, in the order of their bytes: values that no row has
// (of rows that were dropped) are not to be in one.
struct ByText {
  std::shared_ptr<const Dictionary> dictionary;
  std::vector<std::uint32_t> rank;  // of those that are used
};

ByText SortedByText(const DictionaryBuilder& texts, const std::vector<char>& used) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < texts.size(); ++i) {
    if (used[i] != 0) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return texts[ValueId(a)] < texts[ValueId(b)];
  });
  ByText sorted;
  sorted.rank.resize(texts.size());
  DictionaryBuilder builder;
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    sorted.rank[order[i]] = i;
    builder.Intern(texts[ValueId(order[i])]);
  }
  sorted.dictionary = std::move(builder).Build();
  return sorted;
}

Error NoRows(const std::string& table, std::uint64_t dropped) {
  if (dropped == 0) return InputError({table, {}, {}, ""}, "the table has no rows");
  return InputError({table, {}, {}, ""},
                    fmt::format("all {} rows were left out because a value is missing", dropped),
                    "Check the markers for missing values in the policy.");
}

}  // namespace

Values::Values(const std::vector<std::string>& markers, io::OnMissing on_missing)
    : markers_(markers),
      as_values_(on_missing == io::OnMissing::kValue),
      null_text_(markers.empty() ? "" : markers[0]) {}

bool Values::IsMissing(const Field& field) const {
  if (as_values_) return false;
  return !field || std::find(markers_.begin(), markers_.end(), *field) != markers_.end();
}

std::string_view Values::TextOf(const Field& field) const {
  return field ? *field : std::string_view(null_text_);
}

Values::Coded Values::Code(const Field& field) {
  if (IsMissing(field)) return {0, true};
  return {texts_.Intern(TextOf(field)).raw(), false};
}

Tally::Tally(std::string table, std::vector<std::string> columns, const Wanted& wanted)
    : table_(std::move(table)), columns_(std::move(columns)), on_missing_(wanted.on_missing) {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    values_.emplace_back(wanted.missing_markers, wanted.on_missing);
  }
  row_.resize(columns_.size());
}

Error MissingValue(const std::string& table, const std::string& column) {
  return InputError({table, {}, {}, column}, "a value is missing",
                    "Complete it, or decide in the policy: [table] missing = \"drop-row\" leaves "
                    "such rows out, missing = \"value\" treats NULL as a value.");
}

Result<bool> Tally::Add(std::span<const Field> fields, std::uint64_t rows) {
  for (std::size_t c = 0; c < values_.size(); ++c) {
    const Values::Coded coded = values_[c].Code(fields[c]);
    if (coded.missing) {
      if (on_missing_ == io::OnMissing::kError) return MissingValue(table_, columns_[c]);
      dropped_ += rows;
      return false;
    }
    row_[c] = coded.code;
  }
  codes_.insert(codes_.end(), row_.begin(), row_.end());
  counts_.push_back(rows);
  return true;
}

void Tally::Append(const Tally& other) {
  const std::size_t width = columns_.size();
  std::vector<std::vector<std::uint32_t>> becomes(width);
  for (std::size_t c = 0; c < width; ++c) {
    const DictionaryBuilder& texts = other.values_[c].texts();
    for (std::size_t i = 0; i < texts.size(); ++i) {
      becomes[c].push_back(values_[c].Code(texts[ValueId(i)]).code);
    }
  }
  codes_.reserve(codes_.size() + other.codes_.size());
  for (std::size_t i = 0; i < other.codes_.size(); ++i) {
    codes_.push_back(becomes[i % width][other.codes_[i]]);
  }
  counts_.insert(counts_.end(), other.counts_.begin(), other.counts_.end());
  dropped_ += other.dropped_;
}

void Tally::Drop(std::size_t entry) {
  REISSUE_CHECK(counts_[entry] > 0);
  --counts_[entry];
  ++dropped_;
}

std::optional<std::size_t> Tally::Find(std::span<const Field> fields) {
  const std::size_t width = columns_.size();
  const auto codes = [&](std::uint32_t entry) { return codes_.data() + entry * width; };
  if (sorted_.empty()) {
    sorted_.resize(counts_.size());
    std::iota(sorted_.begin(), sorted_.end(), 0);
    std::sort(sorted_.begin(), sorted_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::lexicographical_compare(codes(a), codes(a) + width, codes(b), codes(b) + width);
    });
    // Of one that came several times, the first has all rows.
    std::size_t first = 0;
    for (std::size_t i = 1; i < sorted_.size(); ++i) {
      if (std::equal(codes(sorted_[i]), codes(sorted_[i]) + width, codes(sorted_[first]))) {
        counts_[sorted_[first]] += std::exchange(counts_[sorted_[i]], 0);
      } else {
        first = i;
      }
    }
  }
  for (std::size_t c = 0; c < width; ++c) {
    const Values::Coded coded = values_[c].Code(fields[c]);
    if (coded.missing) return std::nullopt;
    row_[c] = coded.code;
  }
  const auto found =
      std::lower_bound(sorted_.begin(), sorted_.end(), 0, [&](std::uint32_t entry, int) {
        return std::lexicographical_compare(codes(entry), codes(entry) + width, row_.begin(),
                                            row_.end());
      });
  if (found == sorted_.end() || !std::equal(row_.begin(), row_.end(), codes(*found))) {
    return std::nullopt;
  }
  return *found;
}

Result<Tally::Made> Tally::Make(ThreadPool& pool, bool with_row_of) && {
  const std::size_t width = columns_.size();
  std::vector<std::vector<char>> used(width);
  for (std::size_t c = 0; c < width; ++c) used[c].resize(values_[c].texts().size());
  std::size_t kept = 0;
  for (std::size_t entry = 0; entry < counts_.size(); ++entry) {
    if (counts_[entry] == 0) continue;
    ++kept;
    for (std::size_t c = 0; c < width; ++c) used[c][codes_[entry * width + c]] = 1;
  }
  if (kept == 0) return NoRows(table_, dropped_);
  std::vector<ByText> sorted;
  for (std::size_t c = 0; c < width; ++c) {
    sorted.push_back(SortedByText(values_[c].texts(), used[c]));
    values_[c] = Values({}, io::OnMissing::kValue);  // not needed any more
  }
  // In place, those that are kept behind one another.
  std::vector<std::uint64_t> counts;
  counts.reserve(kept);
  for (std::size_t entry = 0; entry < counts_.size(); ++entry) {
    if (counts_[entry] == 0) continue;
    for (std::size_t c = 0; c < width; ++c) {
      codes_[counts.size() * width + c] = sorted[c].rank[codes_[entry * width + c]];
    }
    counts.push_back(counts_[entry]);
  }
  codes_.resize(kept * width);
  const Cells cells = CollectCells(width, codes_, counts, 1, pool);
  LetGo(counts);
  if (!with_row_of) LetGo(codes_);
  Made made;
  std::vector<Column> columns;
  for (std::size_t c = 0; c < width; ++c) {
    std::vector<ValueId> column;
    column.reserve(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) column.emplace_back(cells.key(CellId(i))[c]);
    columns.emplace_back(columns_[c], sorted[c].dictionary, std::move(column));
  }
  std::vector<std::uint64_t> weights;
  for (std::size_t i = 0; i < cells.size(); ++i) weights.push_back(cells.count(CellId(i)));
  if (with_row_of) made.row_of.resize(counts_.size());
  const std::uint32_t* key = codes_.data();
  for (std::size_t entry = 0; entry < made.row_of.size(); ++entry) {
    if (counts_[entry] == 0) continue;
    std::size_t low = 0, high = cells.size();
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      const auto there = cells.key(CellId(middle));
      if (std::lexicographical_compare(there.begin(), there.end(), key, key + width)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    made.row_of[entry] = static_cast<std::uint32_t>(low);
    key += width;
  }
  const std::size_t rows = cells.size();
  made.table = Table(std::move(columns), rows, Origin{table_, 0, {}}, std::move(weights));
  return made;
}

RowCollector::RowCollector(std::string table, std::vector<std::string> columns,
                           const Wanted& wanted)
    : table_(std::move(table)), columns_(std::move(columns)), on_missing_(wanted.on_missing) {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    values_.emplace_back(wanted.missing_markers, wanted.on_missing);
  }
  codes_.resize(columns_.size());
}

Status RowCollector::Add(std::span<const Field> fields) {
  for (std::size_t c = 0; c < values_.size(); ++c) {
    if (!values_[c].IsMissing(fields[c])) continue;
    if (on_missing_ == io::OnMissing::kError) return MissingValue(table_, columns_[c]);
    ++dropped_;
    return Ok();
  }
  for (std::size_t c = 0; c < values_.size(); ++c) {
    codes_[c].emplace_back(values_[c].Code(fields[c]).code);
  }
  return Ok();
}

void RowCollector::Append(const RowCollector& other) {
  for (std::size_t c = 0; c < values_.size(); ++c) {
    const DictionaryBuilder& texts = other.values_[c].texts();
    std::vector<ValueId> becomes;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      becomes.emplace_back(values_[c].Code(texts[ValueId(i)]).code);
    }
    for (const ValueId code : other.codes_[c]) codes_[c].push_back(becomes[code.index()]);
  }
  dropped_ += other.dropped_;
}

Result<Table> RowCollector::Make() && {
  const std::size_t rows = codes_.empty() ? 0 : codes_[0].size();
  if (rows == 0) return NoRows(table_, dropped_);
  std::vector<Column> columns;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    columns.emplace_back(columns_[c], std::move(values_[c]).Build(), std::move(codes_[c]));
  }
  return Table(std::move(columns), rows, Origin{table_, 0, {}});
}

std::optional<Twice> FindTwice(std::vector<Person>& persons, Place identifier) {
  std::sort(persons.begin(), persons.end(), [](const Person& a, const Person& b) {
    return std::tie(a.key, a.row) < std::tie(b.key, b.row);
  });
  const auto twice =
      std::adjacent_find(persons.begin(), persons.end(),
                         [](const Person& a, const Person& b) { return a.key == b.key; });
  if (twice == persons.end()) return std::nullopt;
  return Twice{std::move(identifier), std::nullopt};
}

}  // namespace reissue::sources
