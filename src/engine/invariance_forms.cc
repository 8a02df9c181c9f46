#include "reissue/engine/invariance_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <unordered_map>

#include "reissue/engine/release_writer.h"
#include "reissue/io/csv.h"
#include "reissue/models/invariance/publisher/split.h"
#include "reissue/taxonomy/numbers.h"

namespace reissue::engine {
namespace {

constexpr std::uint32_t kNobody = 0xffffffffu;

// A shown column with raw texts, counterfeits included.
struct RawColumn {
  const Quasi* quasi = nullptr;  // null: published as it is
  std::string name;
  std::vector<std::string_view> texts;  // by code
  std::vector<std::uint32_t> code;      // per entry
};

RawColumn ReadColumn(const ChangingTable& table, std::size_t index,
                     const std::vector<Counterfeit>& counterfeits) {
  const Column& column = table.holder.table[table.shown[index]];
  RawColumn raw;
  raw.name = column.name();
  for (const Quasi& quasi : table.holder.quasi) {
    if (quasi.column == table.shown[index]) raw.quasi = &quasi;
  }
  raw.texts = column.dictionary().strings();
  raw.code.reserve(column.values().size() + counterfeits.size());
  for (const ValueId value : column.values()) raw.code.push_back(value.raw());
  std::unordered_map<std::string_view, std::uint32_t> added;
  for (const Counterfeit& counterfeit : counterfeits) {
    const std::string& text = counterfeit.row[index];
    if (const auto known = column.dictionary().Find(text)) {
      raw.code.push_back(known->raw());
      continue;
    }
    const auto at = added.emplace(text, static_cast<std::uint32_t>(raw.texts.size()));
    if (at.second) raw.texts.push_back(text);
    raw.code.push_back(at.first->second);
  }
  return raw;
}

// The leaf of a code; nothing where the tree has lost it.
std::optional<NodeId> LeafOf(const RawColumn& column, std::uint32_t code) {
  const Quasi& quasi = *column.quasi;
  if (code < quasi.leaf_of_value.size()) return quasi.tree->leaf(quasi.leaf_of_value[code]);
  if (const auto node = quasi.tree->Find(column.texts[code])) return node;
  const auto number = taxonomy::CanonicalLabel(column.texts[code]);
  return number ? quasi.tree->Find(*number) : std::nullopt;
}

// Where each code lies: numbers by what they are, leaves by their rank, other texts by the
// alphabet.
std::vector<double> PlacesOf(const RawColumn& column) {
  std::vector<double> places(column.texts.size());
  const auto& tree = column.quasi->tree;
  if (!tree && !column.quasi->policy->numeric) {
    std::vector<std::uint32_t> order(column.texts.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return column.texts[a] < column.texts[b]; });
    for (std::size_t i = 0; i < order.size(); ++i) places[order[i]] = static_cast<double>(i);
    return places;
  }
  for (std::uint32_t code = 0; code < places.size(); ++code) {
    if (!tree) {
      places[code] = taxonomy::ParseNumber(column.texts[code]).value_or(0);
    } else if (const auto node = LeafOf(column, code)) {
      places[code] = tree->first_leaf(*node);
    }
  }
  return places;
}

// Coordinates from 0 to 1 over what occurs.
void Scale(const RawColumn& column, std::size_t index, std::size_t width,
           std::vector<double>& coordinates) {
  const std::vector<double> places = PlacesOf(column);
  double low = places[column.code[0]], high = low;
  for (const std::uint32_t code : column.code) {
    low = std::min(low, places[code]);
    high = std::max(high, places[code]);
  }
  const double span = high > low ? high - low : 1;
  for (std::size_t i = 0; i < column.code.size(); ++i) {
    coordinates[i * width + index] = (places[column.code[i]] - low) / span;
  }
}

// The label of everything between two codes that are the ends of a group.
std::string GroupLabel(const RawColumn& column, std::uint32_t low, std::uint32_t high, bool one) {
  const std::string least(column.texts[low]);
  if (one) return least;
  const auto& tree = column.quasi->tree;
  if (!tree) {
    return column.quasi->policy->numeric ? fmt::format("[{},{}]", least, column.texts[high]) : "*";
  }
  const auto from = LeafOf(column, low), to = LeafOf(column, high);
  if (!from || !to) return tree->label(tree->root());
  NodeId node = *from;
  while (!tree->IsAncestor(node, *to)) node = tree->parent(node);
  return tree->label(node);
}

// One label per group instead of one text per entry.
ChangingRelease::Shown Generalise(const RawColumn& column, const ChangingRelease& release) {
  const std::vector<double> places = PlacesOf(column);
  std::vector<std::uint32_t> low(release.groups, kNobody), high(release.groups, kNobody);
  for (std::size_t i = 0; i < release.size(); ++i) {
    const std::uint32_t code = column.code[i];
    std::uint32_t &least = low[release.group[i]], &most = high[release.group[i]];
    if (least == kNobody || places[code] < places[least]) least = code;
    if (most == kNobody || places[code] > places[most]) most = code;
  }
  ChangingRelease::Shown shown{column.name, {}, release.group};
  for (std::uint32_t g = 0; g < release.groups; ++g) {
    const bool one = places[low[g]] == places[high[g]];
    shown.fields.emplace_back();
    io::AppendField(shown.fields.back(), GroupLabel(column, low[g], high[g], one));
  }
  return shown;
}

ChangingRelease::Shown AsItIs(RawColumn column) {
  ChangingRelease::Shown shown{std::move(column.name), {}, std::move(column.code)};
  shown.fields.resize(column.texts.size());
  for (std::size_t code = 0; code < column.texts.size(); ++code) {
    io::AppendField(shown.fields[code], column.texts[code]);
  }
  return shown;
}

// Every bucket into partitions that are alike; sets the groups.
void SplitBuckets(const std::vector<RawColumn>& columns, std::span<const std::uint32_t> bucket,
                  ChangingRelease& release) {
  std::size_t width = 0;
  for (const RawColumn& column : columns) width += column.quasi != nullptr;
  std::vector<double> coordinates(bucket.size() * width);
  std::size_t index = 0;
  for (const RawColumn& column : columns) {
    if (column.quasi != nullptr) Scale(column, index++, width, coordinates);
  }
  std::vector<std::vector<std::uint32_t>> entries;
  for (std::uint32_t i = 0; i < bucket.size(); ++i) {
    if (bucket[i] >= entries.size()) entries.resize(bucket[i] + 1);
    entries[bucket[i]].push_back(i);
  }
  release.group.resize(bucket.size());
  for (const auto& members : entries) {
    std::vector<double> own;
    std::vector<models::invariance::Value> values;
    for (const std::uint32_t i : members) {
      own.insert(own.end(), coordinates.begin() + static_cast<std::ptrdiff_t>(i * width),
                 coordinates.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
      values.push_back(release.value[i]);
    }
    if (members.empty()) continue;
    const auto part = models::invariance::Split(own, width, values);
    for (std::size_t n = 0; n < members.size(); ++n) {
      release.group[members[n]] = release.groups + part[n];
    }
    release.groups += 1 + *std::max_element(part.begin(), part.end());
  }
}

// Numbers that say nothing, for the groups that have anybody.
void Renumber(ChangingRelease& release, Random& random) {
  std::vector<std::uint32_t> number(
      1 + *std::max_element(release.group.begin(), release.group.end()), kNobody);
  for (const std::uint32_t group : release.group) number[group] = 0;
  std::vector<std::uint32_t> numbers;
  for (const std::uint32_t used : number) {
    if (used != kNobody) numbers.push_back(static_cast<std::uint32_t>(numbers.size()));
  }
  release.groups = static_cast<std::uint32_t>(numbers.size());
  random.Shuffle(numbers);
  std::size_t next = 0;
  for (std::uint32_t& entry : number) {
    if (entry != kNobody) entry = numbers[next++];
  }
  for (std::uint32_t& group : release.group) group = number[group];
}

// FileLines into a new private file.
class FileLines {
 public:
  static Result<FileLines> Create(const std::string& path, Context& context) {
    FileLines lines;
    lines.file_ = REISSUE_TRY(context.files.Create(path, /*owner_only=*/true));
    return lines;
  }
  std::string& buffer() { return buffer_; }
  Status EndLine() {
    buffer_ += '\n';
    if (buffer_.size() < kBufferBytes) return Ok();
    REISSUE_TRY(file_->Append(buffer_));
    buffer_.clear();
    return Ok();
  }
  Status Close() {
    REISSUE_TRY(file_->Append(buffer_));
    REISSUE_TRY(file_->Sync());
    return file_->Close();
  }

 private:
  static constexpr std::size_t kBufferBytes = 1 << 20;
  std::unique_ptr<io::WritableFile> file_;
  std::string buffer_;
};

Status WriteNames(const std::vector<std::string>& names, FileLines& lines) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) lines.buffer() += ',';
    AppendName(lines.buffer(), names[i]);
  }
  return lines.EndLine();
}

// The sensitive columns of every value as they stand in a file.
std::vector<std::string> ValueFields(const std::vector<ValueTexts>& values) {
  std::vector<std::string> fields(values.size());
  for (std::size_t v = 0; v < values.size(); ++v) {
    for (std::size_t part = 0; part < values[v].size(); ++part) {
      if (part > 0) fields[v] += ',';
      io::AppendField(fields[v], values[v][part]);
    }
  }
  return fields;
}

void AppendNumber(std::uint64_t number, std::string& text) {
  char digits[20];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  text.append(digits, end);
}

void AppendShown(const ChangingRelease& release, std::size_t entry, std::string& text) {
  for (const ChangingRelease::Shown& column : release.columns) {
    text += column.fields[column.code[entry]];
    text += ',';
  }
}

std::vector<std::string> NamesOf(const ChangingRelease& release) {
  std::vector<std::string> names;
  for (const ChangingRelease::Shown& column : release.columns) names.push_back(column.name);
  return names;
}

Status WriteSensitive(const ChangingRelease& release, const std::vector<std::string>& sensitive,
                      const std::vector<ValueTexts>& values, FileLines& lines) {
  std::vector<std::string> names = {kGroupColumn};
  names.insert(names.end(), sensitive.begin(), sensitive.end());
  names.push_back(kCountColumn);
  REISSUE_TRY(WriteNames(names, lines));
  // By group and text: the order of the table is not seen.
  std::vector<std::uint32_t> order(values.size()), rank(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return values[a] < values[b]; });
  for (std::size_t i = 0; i < order.size(); ++i) rank[order[i]] = static_cast<std::uint32_t>(i);
  std::vector<std::vector<std::uint32_t>> of_group(release.groups);
  for (std::size_t i = 0; i < release.size(); ++i) {
    of_group[release.group[i]].push_back(rank[release.value[i]]);
  }
  const std::vector<std::string> fields = ValueFields(values);
  for (std::size_t g = 0; g < of_group.size(); ++g) {
    std::vector<std::uint32_t>& ranks = of_group[g];
    std::sort(ranks.begin(), ranks.end());
    for (std::size_t first = 0; first < ranks.size();) {
      std::size_t end = first;
      while (end < ranks.size() && ranks[end] == ranks[first]) ++end;
      AppendNumber(g + 1, lines.buffer());
      lines.buffer() += ',' + fields[order[ranks[first]]] + ',';
      AppendNumber(end - first, lines.buffer());
      REISSUE_TRY(lines.EndLine());
      first = end;
    }
  }
  return lines.Close();
}

Status WriteCounterfeits(const ChangingRelease& release, FileLines& lines) {
  REISSUE_TRY(WriteNames({kGroupColumn, kCounterfeitsColumn}, lines));
  std::vector<std::uint64_t> counts(release.groups);
  for (std::size_t i = release.people; i < release.size(); ++i) ++counts[release.group[i]];
  for (std::size_t g = 0; g < counts.size(); ++g) {
    AppendNumber(g + 1, lines.buffer());
    lines.buffer() += ',';
    AppendNumber(counts[g], lines.buffer());
    REISSUE_TRY(lines.EndLine());
  }
  return lines.Close();
}

}  // namespace

std::vector<std::string> SuffixesOf(const InvariancePromise& promise) {
  std::vector<std::string> suffixes;
  if (promise.form == ChangingForm::kAnatomy) suffixes.push_back(kSensitiveSuffix);
  if (promise.counterfeits_published) suffixes.push_back(kCounterfeitsSuffix);
  return suffixes;
}

ChangingRelease Arrange(const ChangingTable& table, const InvariancePromise& promise,
                        const Remembered& after, std::span<const std::uint32_t> bucket,
                        std::vector<std::uint32_t> value, Random& random) {
  ChangingRelease release;
  release.people = table.holder.table.rows();
  release.value = std::move(value);
  std::vector<RawColumn> columns;
  for (std::size_t c = 0; c < table.shown.size(); ++c) {
    columns.push_back(ReadColumn(table, c, after.counterfeits));
  }
  if (promise.form == ChangingForm::kPartitions) {
    SplitBuckets(columns, bucket, release);
  } else {
    release.group.assign(bucket.begin(), bucket.end());
  }
  Renumber(release, random);
  for (RawColumn& column : columns) {
    const bool as_it_is = promise.form == ChangingForm::kAnatomy || column.quasi == nullptr;
    release.columns.push_back(as_it_is ? AsItIs(std::move(column)) : Generalise(column, release));
  }
  return release;
}

Status WriteMain(const ChangingRelease& release, const InvariancePromise& promise,
                 const std::vector<std::string>& sensitive, const std::vector<ValueTexts>& values,
                 const std::string& path, Random& random, Context& context) {
  FileLines lines = REISSUE_TRY(FileLines::Create(path, context));
  const bool with_values = promise.form != ChangingForm::kAnatomy;
  std::vector<std::string> names = NamesOf(release);
  if (with_values) names.insert(names.end(), sensitive.begin(), sensitive.end());
  names.push_back(kGroupColumn);
  REISSUE_TRY(WriteNames(names, lines));
  const std::vector<std::string> fields = ValueFields(values);
  std::vector<std::uint32_t> order(release.size());
  std::iota(order.begin(), order.end(), 0);
  random.Shuffle(order);
  for (const std::uint32_t entry : order) {
    AppendShown(release, entry, lines.buffer());
    if (with_values) lines.buffer().append(fields[release.value[entry]]) += ',';
    AppendNumber(release.group[entry] + 1, lines.buffer());
    REISSUE_TRY(lines.EndLine());
  }
  return lines.Close();
}

Status WriteBeside(const ChangingRelease& release, const std::string& suffix,
                   const std::vector<std::string>& sensitive, const std::vector<ValueTexts>& values,
                   const std::string& path, Context& context) {
  FileLines lines = REISSUE_TRY(FileLines::Create(path, context));
  if (suffix == kCounterfeitsSuffix) return WriteCounterfeits(release, lines);
  return WriteSensitive(release, sensitive, values, lines);
}

Status WriteHolderCopy(const ChangingRelease& release, const ChangingTable& table,
                       const Remembered& after, const std::vector<std::string>& sensitive,
                       const std::string& path, Context& context) {
  FileLines lines = REISSUE_TRY(FileLines::Create(path, context));
  const Column& identifier = table.holder.table[*table.holder.identifier];
  std::vector<std::string> names = {identifier.name(), kGroupColumn};
  for (const std::string& name : NamesOf(release)) names.push_back(name);
  names.insert(names.end(), sensitive.begin(), sensitive.end());
  names.push_back(kCounterfeitColumn);
  REISSUE_TRY(WriteNames(names, lines));
  const std::vector<std::string> fields = ValueFields(after.values);
  for (std::size_t i = 0; i < release.size(); ++i) {
    const bool real = i < release.people;
    if (real) {
      io::AppendField(lines.buffer(), identifier.text(RowId(i)));
    } else {
      const Counterfeit& counterfeit = after.counterfeits[i - release.people];
      io::AppendField(lines.buffer(), CounterfeitName(counterfeit.number));
    }
    lines.buffer() += ',';
    AppendNumber(release.group[i] + 1, lines.buffer());
    lines.buffer() += ',';
    AppendShown(release, i, lines.buffer());
    lines.buffer().append(fields[release.value[i]]).append(real ? ",no" : ",yes");
    REISSUE_TRY(lines.EndLine());
  }
  return lines.Close();
}

}  // namespace reissue::engine
