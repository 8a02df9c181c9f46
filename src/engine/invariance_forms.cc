#include "reissue/engine/invariance_forms.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "reissue/engine/file_lines.h"
#include "reissue/io/csv.h"
#include "reissue/models/invariance/publisher/split.h"

namespace reissue::engine {
namespace {

// Counterfeits included.
RawColumn ReadColumn(const ChangingTable& table, std::size_t index,
                     const std::vector<Counterfeit>& counterfeits) {
  const Column& column = table.holder.table[table.shown[index]];
  RawColumn raw = ReadRaw(table, index);
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

void AppendShown(const ChangingRelease& release, std::size_t entry, std::string& text) {
  for (const ShownColumn& column : release.columns) {
    text += column.fields[column.code[entry]];
    text += ',';
  }
}

std::vector<std::string> NamesOf(const ChangingRelease& release) {
  std::vector<std::string> names;
  for (const ShownColumn& column : release.columns) names.push_back(column.name);
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

void Renumber(ChangingRelease& release, Random& random) {
  std::vector<std::uint32_t> number;
  for (const std::uint32_t group : release.group) {
    if (group == kNoGroup) continue;
    if (group >= number.size()) number.resize(group + 1, kNoGroup);
    number[group] = 0;
  }
  std::vector<std::uint32_t> numbers;
  for (const std::uint32_t used : number) {
    if (used != kNoGroup) numbers.push_back(static_cast<std::uint32_t>(numbers.size()));
  }
  release.groups = static_cast<std::uint32_t>(numbers.size());
  random.Shuffle(numbers);
  std::size_t next = 0;
  for (std::uint32_t& entry : number) {
    if (entry != kNoGroup) entry = numbers[next++];
  }
  for (std::uint32_t& group : release.group) {
    if (group != kNoGroup) group = number[group];
  }
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
    release.columns.push_back(as_it_is ? AsItIs(std::move(column))
                                       : Generalise(column, release.group, release.groups));
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
    if (release.group[entry] == kNoGroup) continue;
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
