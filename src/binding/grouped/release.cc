#include "reissue/binding/grouped/release.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "reissue/binding/grouped/fields.h"
#include "reissue/binding/grouped/lines.h"
#include "reissue/binding/grouped/packed.h"

namespace reissue::binding {
namespace {

// What the entries of every group have, group after group.
struct RankedGroups {
  std::vector<std::size_t> begin;    // per group, and one behind the last
  std::vector<std::uint32_t> ranks;  // of values
};

RankedGroups RanksByGroup(const GroupedRelease& release, std::span<const std::uint32_t> rank) {
  RankedGroups ranked;
  ranked.begin.resize(release.groups + std::size_t{1});
  for (const std::uint32_t group : release.group) ++ranked.begin[group + 1];
  std::partial_sum(ranked.begin.begin(), ranked.begin.end(), ranked.begin.begin());
  std::vector<std::size_t> next(ranked.begin.begin(), ranked.begin.end() - 1);
  ranked.ranks.resize(release.size());
  for (std::size_t i = 0; i < release.size(); ++i) {
    ranked.ranks[next[release.group[i]]++] = rank[release.value[i]];
  }
  return ranked;
}

// Calls with a group, a rank of it and how often the group has it, in this order.
template <typename Call>
void CountByGroup(const RankedGroups& ranked, std::size_t ranks, Call call) {
  std::vector<std::uint64_t> count(ranks);
  std::vector<std::uint32_t> seen;  // counted, and not only sorted: a group has few values
  for (std::size_t g = 0; g + 1 < ranked.begin.size(); ++g) {
    seen.clear();
    for (std::size_t i = ranked.begin[g]; i < ranked.begin[g + 1]; ++i) {
      if (count[ranked.ranks[i]]++ == 0) seen.push_back(ranked.ranks[i]);
    }
    std::sort(seen.begin(), seen.end());
    for (const std::uint32_t rank : seen) {
      call(static_cast<std::uint32_t>(g), rank, std::exchange(count[rank], 0));
    }
  }
}

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
  const std::vector<std::string> fields = ValueFields(values);
  Status written = Ok();
  CountByGroup(RanksByGroup(release, rank), values.size(),
               [&](std::uint32_t group, std::uint32_t which, std::uint64_t count) {
                 if (!written) return;
                 AppendNumber(group + 1, lines.buffer());
                 lines.buffer().append(",").append(fields[order[which]]) += ',';
                 AppendNumber(count, lines.buffer());
                 written = lines.EndLine();
               });
  REISSUE_TRY(written);
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

constexpr std::size_t kEntriesAtOnce = 1 << 12;

// As MainLines puts them.
std::vector<PackedEntries::Field> FieldsOf(const GroupedRelease& release,
                                           const std::vector<std::string>* values) {
  std::vector<PackedEntries::Field> fields;
  for (const ShownColumn& column : release.columns) {
    fields.push_back({&column.code, column.fields.size()});
  }
  if (values != nullptr) fields.push_back({&release.value, values->size()});
  fields.push_back({&release.group, release.groups});
  return fields;
}

// Puts entries together as lines of the main file.
class MainLines {
 public:
  // `fields`: of the values; none where they are in a file of their own.
  MainLines(const GroupedRelease& release, const std::vector<std::string>* fields) {
    for (const ShownColumn& column : release.columns) columns_.emplace_back(column.fields, ',');
    if (fields != nullptr) columns_.emplace_back(*fields, ',');
    std::vector<std::string> numbers(release.groups);
    for (std::size_t g = 0; g < numbers.size(); ++g) AppendNumber(g + 1, numbers[g]);
    columns_.emplace_back(std::move(numbers), '\n');
    for (const FieldTexts& column : columns_) longest_ += column.longest();
  }

  void Put(const PackedEntries& entries, std::span<const std::uint32_t> order,
           std::string& buffer) const {
    if (longest_ > kLongestAtOnce) return Append(entries, order, buffer);
    for (std::size_t from = 0; from < order.size(); from += kAtOnce) {
      const std::size_t to = std::min(order.size(), from + kAtOnce), begin = buffer.size();
      buffer.resize(begin + (to - from) * longest_ + FieldTexts::kRoomBehind);
      char* at = buffer.data() + begin;
      for (std::size_t i = from; i < to; ++i) {
        if (i + kAhead < order.size()) entries.Fetch(order[i + kAhead]);
        at = PutLine(entries, order[i], at);
      }
      buffer.resize(static_cast<std::size_t>(at - buffer.data()));
    }
  }

 private:
  static constexpr std::size_t kAtOnce = 64;  // lines: the room for them is in the nearest cache
  static constexpr std::size_t kAhead = 16;   // entries lie anywhere: asked for before their turn
  static constexpr std::size_t kLongestAtOnce = 1 << 10;  // bytes of a line there is room made for

  // Where one line may be very long, and others are not.
  void Append(const PackedEntries& entries, std::span<const std::uint32_t> order,
              std::string& buffer) const {
    for (const std::uint32_t entry : order) {
      if (entries.left_out(entry)) continue;
      const FieldTexts* column = columns_.data();
      entries.ForEach(entry, [&](std::uint32_t code) { buffer += (*column++)[code]; });
    }
  }

  char* PutLine(const PackedEntries& entries, std::size_t entry, char* at) const {
    if (entries.left_out(entry)) return at;
    const FieldTexts* column = columns_.data();
    entries.ForEach(entry, [&](std::uint32_t code) { at = column++->Put(code, at); });
    return at;
  }

  std::vector<FieldTexts> columns_;
  std::size_t longest_ = 0;  // line
};

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
  const MainLines main(release, with_values ? &fields : nullptr);
  PackedEntries entries(FieldsOf(release, with_values ? &fields : nullptr), release.group);
  std::vector<std::uint32_t> order(release.size());
  const std::size_t blocks = (release.size() + kEntriesAtOnce - 1) / kEntriesAtOnce;
  context.pool.Run(1 + blocks, [&](std::size_t task) {
    if (task > 0) {
      const std::size_t end = std::min(task * kEntriesAtOnce, release.size());
      return entries.Gather((task - 1) * kEntriesAtOnce, end);
    }
    std::iota(order.begin(), order.end(), 0);
    random.Shuffle(order);
  });
  const auto put = [&](std::size_t from, std::size_t to, std::string& buffer) {
    main.Put(entries, std::span(order).subspan(from, to - from), buffer);
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
