#include "reissue/binding/grouped/release.h"

#include <algorithm>
#include <numeric>

#include "reissue/binding/grouped/lines.h"

namespace reissue::binding {
namespace {

Status WriteSensitive(const GroupedRelease& release, const std::vector<std::string>& sensitive,
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

Status WriteCounterfeits(const GroupedRelease& release, FileLines& lines) {
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

// Group, value and codes of the columns of every entry: in random order, what belongs together had
// better lie together.
std::vector<std::uint32_t> EntryByEntry(const GroupedRelease& release) {
  const std::size_t width = release.columns.size() + 2;
  std::vector<std::uint32_t> codes(release.size() * width);
  for (std::size_t i = 0; i < release.size(); ++i) {
    codes[i * width] = release.group[i];
    codes[i * width + 1] = release.value[i];
    for (std::size_t c = 0; c + 2 < width; ++c) {
      codes[i * width + 2 + c] = release.columns[c].code[i];
    }
  }
  return codes;
}

}  // namespace

std::vector<std::string> SuffixesOf(const GroupedFiles& files) {
  std::vector<std::string> suffixes;
  if (files.values_apart) suffixes.push_back(kSensitiveSuffix);
  if (files.counterfeits) suffixes.push_back(kCounterfeitsSuffix);
  return suffixes;
}

void AppendShown(const GroupedRelease& release, std::size_t entry, std::string& text) {
  for (const ShownColumn& column : release.columns) {
    text += column.fields[column.code[entry]];
    text += ',';
  }
}

std::vector<std::string> NamesOf(const GroupedRelease& release) {
  std::vector<std::string> names;
  for (const ShownColumn& column : release.columns) names.push_back(column.name);
  return names;
}

void Renumber(GroupedRelease& release, Random& random) {
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

Status WriteMain(const GroupedRelease& release, const GroupedFiles& files,
                 const std::vector<std::string>& sensitive, const std::vector<ValueTexts>& values,
                 const std::string& path, Random& random, Context& context) {
  FileLines lines = REISSUE_TRY(FileLines::Create(path, context));
  const bool with_values = !files.values_apart;
  std::vector<std::string> names = NamesOf(release);
  if (with_values) names.insert(names.end(), sensitive.begin(), sensitive.end());
  names.push_back(kGroupColumn);
  REISSUE_TRY(WriteNames(names, lines));
  const std::vector<std::string> fields = ValueFields(values);
  std::vector<std::uint32_t> order(release.size());
  std::iota(order.begin(), order.end(), 0);
  random.Shuffle(order);
  const std::vector<std::uint32_t> codes = EntryByEntry(release);
  const auto put = [&](std::size_t from, std::size_t to, std::string& buffer) {
    for (std::size_t i = from; i < to; ++i) {
      const std::uint32_t* code = &codes[order[i] * (release.columns.size() + 2)];
      const std::uint32_t group = *code++, value = *code++;
      if (group == kNoGroup) continue;
      for (const ShownColumn& column : release.columns) {
        buffer.append(column.fields[*code++]) += ',';
      }
      if (with_values) buffer.append(fields[value]) += ',';
      AppendNumber(group + 1, buffer);
      buffer += '\n';
    }
  };
  context.progress.Begin("writing the release", 0);
  REISSUE_TRY(lines.Append(order.size(), put, context));
  return lines.Close();
}

Status WriteBeside(const GroupedRelease& release, const std::string& suffix,
                   const std::vector<std::string>& sensitive, const std::vector<ValueTexts>& values,
                   const std::string& path, Context& context) {
  FileLines lines = REISSUE_TRY(FileLines::Create(path, context));
  if (suffix == kCounterfeitsSuffix) return WriteCounterfeits(release, lines);
  return WriteSensitive(release, sensitive, values, lines);
}

}  // namespace reissue::binding
