#include "reissue/binding/release_writer.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include "reissue/io/csv.h"
#include "reissue/io/parquet_writer.h"
#include "reissue/sources/parquet/source.h"
#include "reissue/sources/release_target.h"

namespace reissue::binding {
namespace {

constexpr std::size_t kRowsAtOnce = 1 << 14;

// The distinct lines of a release, each made once, however many combinations of values it stands
// for.
class Lines {
 public:
  explicit Lines(const std::vector<std::vector<std::string>>& texts)
      : texts_(texts), slots_(kStart, 0) {}

  std::uint32_t NumberOf(std::span<const std::uint32_t> labels) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = Hash(labels) & mask;; at = (at + 1) & mask) {
      if (slots_[at] == 0) return Add(labels, at);
      if (std::ranges::equal(labels, LabelsOf(slots_[at] - 1))) return slots_[at] - 1;
    }
  }
  std::span<const std::uint32_t> LabelsOf(std::size_t line) const {
    return {labels_.data() + line * texts_.size(), texts_.size()};
  }
  std::string_view operator[](std::uint32_t line) const {
    return std::string_view(text_).substr(starts_[line], starts_[line + 1] - starts_[line]);
  }

 private:
  static constexpr std::size_t kStart = 1024;

  static std::size_t Hash(std::span<const std::uint32_t> labels) {
    std::uint64_t hash = 0;
    for (const std::uint32_t label : labels) {
      hash = (hash ^ label) * 0x9e3779b97f4a7c15u;
      hash ^= hash >> 32;
    }
    return hash;
  }

  std::uint32_t Add(std::span<const std::uint32_t> labels, std::size_t slot) {
    for (std::size_t c = 0; c < texts_.size(); ++c) {
      if (c > 0) text_ += ',';
      text_ += texts_[c][labels[c]];
    }
    text_ += '\n';
    starts_.push_back(text_.size());
    labels_.insert(labels_.end(), labels.begin(), labels.end());
    const auto lines = static_cast<std::uint32_t>(starts_.size() - 1);
    slots_[slot] = lines;
    if (lines * std::size_t{2} > slots_.size()) Grow(lines);
    return lines - 1;
  }

  void Grow(std::uint32_t lines) {
    slots_.assign(slots_.size() * 4, 0);
    const std::size_t mask = slots_.size() - 1;
    for (std::uint32_t line = 0; line < lines; ++line) {
      std::size_t at = Hash(LabelsOf(line)) & mask;
      while (slots_[at] != 0) at = (at + 1) & mask;
      slots_[at] = line + 1;
    }
  }

  const std::vector<std::vector<std::string>>& texts_;
  std::string text_;  // of the lines, one after the other
  std::vector<std::size_t> starts_ = {0};
  std::vector<std::uint32_t> labels_;
  std::vector<std::uint32_t> slots_;  // open addressing, at most half full; a line's number + 1
};

// How often each line is still to be written; sums of stretches, so that one is found by its rank
// in as many steps as the number of lines has bits (Fenwick 1994).
class LinesLeft {
 public:
  explicit LinesLeft(std::vector<std::uint64_t> rows) : sums_(std::move(rows)) {
    for (const std::uint64_t each : sums_) left_ += each;
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      const std::size_t above = i | (i + 1);
      if (above < sums_.size()) sums_[above] += sums_[i];
    }
  }
  std::uint64_t left() const { return left_; }

  // One of them all, each with the same chance.
  std::uint32_t Draw(Random& random) {
    std::uint64_t rank = random.Below(left_--);
    std::size_t line = 0;
    for (std::size_t step = std::bit_floor(sums_.size()); step > 0; step /= 2) {
      if (line + step > sums_.size() || sums_[line + step - 1] > rank) continue;
      rank -= sums_[line + step - 1];
      line += step;
    }
    for (std::size_t i = line; i < sums_.size(); i |= i + 1) --sums_[i];
    return static_cast<std::uint32_t>(line);
  }

 private:
  std::vector<std::uint64_t> sums_;
  std::uint64_t left_ = 0;
};

// The lines of a release, and how often each is there.
struct CountedLines {
  Lines lines;
  std::vector<std::uint64_t> rows;
  std::uint64_t total = 0, bytes = 0;
};

CountedLines LinesOf(const LineLabels& labels, const Cells& combinations, std::size_t columns) {
  CountedLines counted{Lines(labels.texts), {}};
  std::vector<std::uint32_t> numbers(columns);
  for (std::size_t i = 0; i < combinations.size(); ++i) {
    const std::uint64_t rows = combinations.count(CellId(i));
    if (rows == 0 || !labels.of(combinations.key(CellId(i)), numbers)) continue;
    const std::uint32_t line = counted.lines.NumberOf(numbers);
    if (line == counted.rows.size()) counted.rows.push_back(0);
    counted.rows[line] += rows;
    counted.total += rows;
    counted.bytes += rows * counted.lines[line].size();
  }
  return counted;
}

// A line per row.
std::vector<std::uint32_t> Shuffled(const CountedLines& counted, Random& random) {
  std::vector<std::uint32_t> order;
  order.reserve(counted.total);
  for (std::size_t line = 0; line < counted.rows.size(); ++line) {
    order.insert(order.end(), counted.rows[line], static_cast<std::uint32_t>(line));
  }
  random.Shuffle(order);
  return order;
}

Status AppendShuffled(io::WritableFile& file, const CountedLines& counted, Random& random,
                      Context& context) {
  const std::vector<std::uint32_t> order = Shuffled(counted, random);
  const auto put = [&](std::size_t from, std::size_t to, std::string& buffer) {
    for (std::size_t i = from; i < to; ++i) buffer += counted.lines[order[i]];
  };
  return AppendRows(file, order.size(), put, context);
}

Status AppendDrawn(io::WritableFile& file, CountedLines counted, Random& random, Context& context) {
  constexpr std::size_t kDrawnAtOnce = 1 << 18;
  LinesLeft left(std::move(counted.rows));
  std::vector<std::uint32_t> drawn;
  while (left.left() > 0) {
    drawn.clear();
    while (drawn.size() < kDrawnAtOnce && left.left() > 0) drawn.push_back(left.Draw(random));
    const auto put = [&](std::size_t from, std::size_t to, std::string& buffer) {
      for (std::size_t i = from; i < to; ++i) buffer += counted.lines[drawn[i]];
    };
    REISSUE_TRY(AppendRows(file, drawn.size(), put, context));
  }
  return Ok();
}

}  // namespace

Status AppendRows(io::WritableFile& file, std::size_t rows, const PutRows& put, Context& context) {
  std::vector<std::string> ready, next(context.pool.threads());
  Status written = Ok();
  for (std::size_t begin = 0; written && (begin < rows || !ready.empty());
       begin += next.size() * kRowsAtOnce) {
    const std::size_t buffers = begin < rows ? next.size() : 0;
    context.pool.Run(1 + buffers, [&](std::size_t task) {
      if (task == 0) {
        for (std::size_t i = 0; i < ready.size() && written; ++i) written = file.Append(ready[i]);
        for (const std::string& buffer : ready) context.progress.Advance(buffer.size());
        return;
      }
      std::string& buffer = next[task - 1];
      buffer.clear();
      const std::size_t from = std::min(rows, begin + (task - 1) * kRowsAtOnce);
      put(from, std::min(rows, from + kRowsAtOnce), buffer);
    });
    if (buffers == 0) break;
    ready.resize(next.size());
    ready.swap(next);
  }
  return written;
}

void AppendName(std::string& header, const std::string& name) {
  if (name.find_first_of(";\t") == std::string::npos) return io::AppendField(header, name);
  std::string quoted = name;
  for (std::size_t at = 0; (at = quoted.find('"', at)) != std::string::npos; at += 2) {
    quoted.insert(at, 1, '"');
  }
  header += '"' + quoted + '"';
}

namespace {

// How many persons of each origin a row of the counted table stands for: by row, then by origin.
Cells CountOrigins(const HolderTable& holder, std::span<const ColumnId> columns,
                   std::span<const std::uint16_t> origin_of_person, std::size_t origins) {
  const Table& table = holder.table;
  REISSUE_CHECK(origin_of_person.size() == holder.persons.size() &&
                holder.persons.size() == table.total());
  std::vector<std::size_t> next(table.rows() + 1);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    next[row + 1] = next[row] + table.weight(RowId(row));
  }
  std::vector<std::uint16_t> sorted(holder.persons.size());
  for (std::size_t i = 0; i < holder.persons.size(); ++i) {
    sorted[next[holder.persons[i].row]++] = origin_of_person[i];
  }
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  std::size_t at = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::size_t end = next[row];
    std::sort(sorted.begin() + static_cast<std::ptrdiff_t>(at),
              sorted.begin() + static_cast<std::ptrdiff_t>(end));
    while (at < end) {
      const std::size_t first = at;
      while (at < end && sorted[at] == sorted[first]) ++at;
      for (const ColumnId column : columns) keys.push_back(table[column][RowId(row)].raw());
      keys.push_back(sorted[first]);
      counts.push_back(at - first);
    }
  }
  return Cells::WithOrigins(Cells(columns.size() + 1, std::move(keys), std::move(counts)), origins);
}

}  // namespace

// Rows of a counted table are distinct and in order, and its columns are what is published: a
// stand-in, which follows from the others, changes neither.
Cells PublishedCombinations(const HolderTable& holder, ThreadPool& pool,
                            std::span<const std::uint16_t> origin_of_person, std::size_t origins) {
  std::vector<ColumnId> columns = holder.published;
  if (holder.sensitive.stands_in()) columns.push_back(*holder.sensitive.column);
  if (origins > 1) return CountOrigins(holder, columns, origin_of_person, origins);
  if (!holder.table.counted()) return BuildCells(holder.table, columns, pool);
  const std::size_t rows = holder.table.rows(), width = columns.size();
  std::vector<std::uint32_t> keys(rows * width);
  pool.Run((rows + kRowsAtOnce - 1) / kRowsAtOnce, [&](std::size_t block) {
    const std::size_t end = std::min(rows, (block + 1) * kRowsAtOnce);
    for (std::size_t c = 0; c < width; ++c) {
      const Column& column = holder.table[columns[c]];
      for (std::size_t row = block * kRowsAtOnce; row < end; ++row) {
        keys[row * width + c] = column[RowId(row)].raw();
      }
    }
  });
  return Cells(columns.size(), std::move(keys), holder.table.weights());
}

LineLabels FieldByField(const std::vector<std::vector<std::string>>& texts) {
  LineLabels labels;
  std::vector<std::vector<std::uint32_t>> number_of_value(texts.size());
  for (std::size_t c = 0; c < texts.size(); ++c) {
    std::vector<std::string>& distinct = labels.texts.emplace_back();
    std::unordered_map<std::string_view, std::uint32_t> known;
    for (const std::string& text : texts[c]) {
      const auto [at, is_new] = known.emplace(text, static_cast<std::uint32_t>(known.size()));
      if (is_new) distinct.push_back(text);
      number_of_value[c].push_back(at->second);
    }
  }
  labels.of = [number_of_value = std::move(number_of_value)](std::span<const std::uint32_t> key,
                                                             std::span<std::uint32_t> numbers) {
    for (std::size_t c = 0; c < numbers.size(); ++c) numbers[c] = number_of_value[c][key[c]];
    return true;
  };
  return labels;
}

namespace {

// What a field of a file stands for.
std::string PlainText(const std::string& field) {
  if (!field.starts_with('"')) return field;
  std::string plain;
  for (std::size_t i = 1; i + 1 < field.size(); ++i) {
    plain += field[i];
    if (field[i] == '"') ++i;  // the second of two
  }
  return plain;
}

// Distinct lines with counts, in an order that says nothing: that of their texts.
sources::PublishedRows DistinctRows(const Table& table, const std::vector<ColumnId>& published,
                                    const LineLabels& labels, const Cells& combinations) {
  sources::PublishedRows rows;
  for (const ColumnId id : published) rows.names.push_back(table[id].name());
  for (const std::vector<std::string>& fields : labels.texts) {
    std::vector<std::string>& plain = rows.texts.emplace_back();
    for (const std::string& field : fields) plain.push_back(PlainText(field));
  }
  const CountedLines counted = LinesOf(labels, combinations, published.size());
  std::vector<std::uint32_t> order(counted.rows.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::uint32_t line) { return counted.lines[line]; });
  for (const std::uint32_t line : order) {
    const auto codes = counted.lines.LabelsOf(line);
    rows.codes.insert(rows.codes.end(), codes.begin(), codes.end());
    rows.counts.push_back(counted.rows[line]);
  }
  return rows;
}

// The same rows in the same order as lines, as a Parquet file.
Status AppendParquet(io::WritableFile& file, const std::vector<std::string>& names,
                     const LineLabels& labels, CountedLines counted, Random& random,
                     Context& context, std::uint64_t most_shuffled) {
  std::vector<std::vector<std::string>> texts;
  for (const std::vector<std::string>& fields : labels.texts) {
    std::vector<std::string>& column = texts.emplace_back();
    for (const std::string& field : fields) column.push_back(PlainText(field));
  }
  io::ParquetWriter writer(file, names, texts);
  const auto add = [&](std::uint32_t line) {
    context.progress.Advance(counted.lines[line].size());
    return writer.Add(counted.lines.LabelsOf(line));
  };
  if (counted.total <= most_shuffled) {
    for (const std::uint32_t line : Shuffled(counted, random)) REISSUE_TRY(add(line));
  } else {
    LinesLeft left(std::move(counted.rows));
    while (left.left() > 0) REISSUE_TRY(add(left.Draw(random)));
  }
  return writer.Finish();
}

}  // namespace

Status WriteRows(const Table& table, const std::vector<ColumnId>& published,
                 const LineLabels& labels, const Cells& combinations, const std::string& path,
                 Random& random, Context& context, std::uint64_t most_shuffled) {
  if (context.target != nullptr && path == context.target->name()) {
    context.progress.Begin("writing the release", 0);
    return context.target->Write(DistinctRows(table, published, labels, combinations), random);
  }
  std::string header;
  std::vector<std::string> names;
  for (const ColumnId id : published) {
    names.push_back(table[id].name());
    if (!header.empty()) header += ',';
    AppendName(header, table[id].name());
  }
  header += '\n';

  CountedLines counted = LinesOf(labels, combinations, published.size());
  // Private until the vault puts it in place: a part of a release keeps no promise.
  const auto file = REISSUE_TRY(context.files.Create(path, /*owner_only=*/true));
  context.progress.Begin("writing the release", counted.bytes);
  if (sources::parquet::IsParquet(path)) {
    REISSUE_TRY(
        AppendParquet(*file, names, labels, std::move(counted), random, context, most_shuffled));
    REISSUE_TRY(file->Sync());
    return file->Close();
  }
  REISSUE_TRY(file->Append(header));
  REISSUE_TRY(counted.total <= most_shuffled
                  ? AppendShuffled(*file, counted, random, context)
                  : AppendDrawn(*file, std::move(counted), random, context));
  REISSUE_TRY(file->Sync());
  return file->Close();
}

}  // namespace reissue::binding
