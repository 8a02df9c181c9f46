#include "reissue/binding/release_writer.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include "reissue/io/csv.h"
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

Cells PublishedCombinations(const HolderTable& holder, ThreadPool& pool,
                            std::span<const std::uint16_t> birth_of_row, std::size_t births) {
  std::vector<ColumnId> columns = holder.published;
  if (holder.sensitive.stands_in()) columns.push_back(*holder.sensitive.column);
  return BuildCells(holder.table, columns, pool, birth_of_row, births);
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
  Lines lines(labels.texts);
  std::vector<std::uint64_t> counts;
  std::vector<std::uint32_t> numbers(published.size());
  for (std::size_t i = 0; i < combinations.size(); ++i) {
    const std::uint64_t count = combinations.count(CellId(i));
    if (count == 0 || !labels.of(combinations.key(CellId(i)), numbers)) continue;
    const std::uint32_t line = lines.NumberOf(numbers);
    counts.resize(std::max<std::size_t>(counts.size(), line + 1));
    counts[line] += count;
  }
  std::vector<std::uint32_t> order(counts.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::uint32_t line) { return lines[line]; });
  for (const std::uint32_t line : order) {
    const auto codes = lines.LabelsOf(line);
    rows.codes.insert(rows.codes.end(), codes.begin(), codes.end());
    rows.counts.push_back(counts[line]);
  }
  return rows;
}

}  // namespace

Status WriteRows(const Table& table, const std::vector<ColumnId>& published,
                 const LineLabels& labels, const Cells& combinations, const std::string& path,
                 Random& random, Context& context) {
  if (context.target != nullptr && path == context.target->name()) {
    context.progress.Begin("writing the release", 0);
    return context.target->Write(DistinctRows(table, published, labels, combinations), random);
  }
  std::string header;
  for (const ColumnId id : published) {
    if (!header.empty()) header += ',';
    AppendName(header, table[id].name());
  }
  header += '\n';

  Lines lines(labels.texts);
  std::vector<std::uint32_t> order;  // a line number per row
  order.reserve(combinations.rows());
  std::uint64_t bytes = 0;
  std::vector<std::uint32_t> numbers(published.size());
  for (std::size_t i = 0; i < combinations.size(); ++i) {
    if (!labels.of(combinations.key(CellId(i)), numbers)) continue;
    const std::uint32_t line = lines.NumberOf(numbers);
    order.insert(order.end(), combinations.count(CellId(i)), line);
    bytes += combinations.count(CellId(i)) * lines[line].size();
  }
  random.Shuffle(order);

  // Private until the vault puts it in place: a part of a release keeps no promise.
  const auto file = REISSUE_TRY(context.files.Create(path, /*owner_only=*/true));
  context.progress.Begin("writing the release", bytes);
  REISSUE_TRY(file->Append(header));
  const auto put = [&](std::size_t from, std::size_t to, std::string& buffer) {
    for (std::size_t i = from; i < to; ++i) buffer += lines[order[i]];
  };
  REISSUE_TRY(AppendRows(*file, order.size(), put, context));
  REISSUE_TRY(file->Sync());
  return file->Close();
}

}  // namespace reissue::binding
