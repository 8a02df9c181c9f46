#include "reissue/models/similarity/service/table.h"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "reissue/binding/grouped/labels.h"
#include "reissue/binding/grouped/lines.h"
#include "reissue/io/csv.h"
#include "reissue/taxonomy/numbers.h"

namespace reissue::models::similarity::service {
namespace {

namespace sim = models::similarity;

constexpr char kEvolvingCopyRemedy[] =
    "Model \"j-similarity\" is audited from holder's copies: for everybody in a release the "
    "identifier, the group they were published in, their own quasi-identifiers, and their value. "
    "`reissue publish --holder-copy FILE` writes one; files of other tools do as well.";

// How many leaves there are below the lowest node above each leaf and the next.
std::vector<std::uint32_t> JoinsOf(const taxonomy::Taxonomy& tree) {
  std::vector<std::uint32_t> joins;
  for (std::size_t rank = 0; rank + 1 < tree.leaves(); ++rank) {
    NodeId node = tree.leaf(rank);
    while (!tree.IsAncestor(node, tree.leaf(rank + 1))) node = tree.parent(node);
    joins.push_back(tree.leaf_count(node));
  }
  return joins;
}

sim::Column PlaceColumn(const binding::RawColumn& raw, const std::vector<double>& places) {
  if (raw.quasi->tree) return sim::Column::Tree(JoinsOf(*raw.quasi->tree));
  if (!raw.quasi->policy->numeric) {
    const auto texts = static_cast<std::uint32_t>(raw.texts.size());
    return sim::Column::Tree(std::vector<std::uint32_t>(texts == 0 ? 0 : texts - 1, texts));
  }
  double least = raw.code.empty() ? 0 : places[raw.code[0]], largest = least;
  for (const std::uint32_t code : raw.code) {
    least = std::min(least, places[code]);
    largest = std::max(largest, places[code]);
  }
  return sim::Column::Number(least, largest);
}

// A whole number from 1 to `most`, or 0.
std::uint64_t GroupNumber(std::string_view text, std::size_t most) {
  std::uint64_t number = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc() || end != text.data() + text.size() || number > most) return 0;
  return number;
}

// Numbers of groups, by the texts of their column.
std::vector<std::uint32_t> GroupCodes(const reissue::Column& column, std::uint32_t& groups) {
  std::vector<char> used(column.dictionary().size(), 0);
  for (const ValueId value : column.values()) used[value.index()] = 1;
  std::vector<std::uint32_t> code(used.size(), binding::kNoGroup);
  std::vector<char> taken(used.size() + 1, 0);
  const auto& texts = column.dictionary().strings();
  groups = 0;
  bool numbered = true;
  for (std::size_t v = 0; v < used.size(); ++v) {
    if (used[v] == 0 || texts[v].empty()) continue;
    code[v] = groups++;
  }
  for (std::size_t v = 0; v < used.size() && numbered; ++v) {
    if (code[v] == binding::kNoGroup) continue;
    const std::uint64_t number = GroupNumber(texts[v], groups);
    numbered = number > 0 && taken[number] == 0;
    taken[number] = 1;
  }
  if (!numbered) return code;
  for (std::size_t v = 0; v < used.size(); ++v) {
    if (code[v] != binding::kNoGroup) {
      code[v] = static_cast<std::uint32_t>(GroupNumber(texts[v], groups)) - 1;
    }
  }
  return code;
}

io::PolicyColumn CopyColumn(const char* name) {
  io::PolicyColumn column;
  column.name = name;
  column.role = io::Role::kPublish;
  return column;
}

}  // namespace

sim::Points PlacesOfRows(const binding::GroupedTable& table) {
  const std::size_t rows = table.holder.table.rows(), width = table.holder.quasi.size();
  sim::Points points;
  points.place.resize(rows * width);
  for (std::size_t q = 0; q < width; ++q) {
    const auto at = std::find(table.shown.begin(), table.shown.end(), table.holder.quasi[q].column);
    const binding::RawColumn raw =
        binding::ReadRaw(table, static_cast<std::size_t>(at - table.shown.begin()));
    const std::vector<double> places = binding::PlacesOf(raw);
    points.columns.push_back(PlaceColumn(raw, places));
    for (std::size_t row = 0; row < rows; ++row) {
      points.place[row * width + q] = places[raw.code[row]];
    }
  }
  sim::Standardise(points);
  return points;
}

Result<ValueRanks> RanksOf(std::span<const binding::ValueTexts> values,
                           const binding::ValueOrder& order, bool ordered) {
  ValueRanks ranks;
  ranks.of.resize(values.size());
  ranks.values = static_cast<std::uint32_t>(values.size());
  std::iota(ranks.of.begin(), ranks.of.end(), 0);
  if (!ordered) return ranks;
  if (!order.numeric) {
    ranks.values = static_cast<std::uint32_t>(order.texts.size());
    for (std::size_t v = 0; v < values.size(); ++v) {
      const auto at = std::find(order.texts.begin(), order.texts.end(), values[v][0]);
      if (at == order.texts.end()) {
        return InputError("a sensitive value is missing in the declared order",
                          "distance = \"ordered\" needs `order = [...]` with every value of the "
                          "sensitive column and of the files of knowledge, or type = "
                          "\"numeric\".");
      }
      ranks.of[v] = static_cast<sim::Value>(at - order.texts.begin());
    }
    return ranks;
  }
  std::vector<double> number(values.size());
  for (std::size_t v = 0; v < values.size(); ++v) {
    const auto parsed = taxonomy::ParseNumber(values[v][0]);
    if (!parsed) {
      return InputError("a value of the numeric sensitive column is not a number",
                        "Correct the value, or declare `order = [...]` instead of type = "
                        "\"numeric\".");
    }
    number[v] = *parsed;
  }
  std::vector<sim::Value> sorted(ranks.of);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](sim::Value a, sim::Value b) { return number[a] < number[b]; });
  for (sim::Value rank = 0; rank < sorted.size(); ++rank) ranks.of[sorted[rank]] = rank;
  return ranks;
}

binding::GroupedRelease ArrangeGroups(const binding::GroupedTable& table,
                                      std::vector<std::uint32_t> group,
                                      std::vector<std::uint32_t> value, Random& random) {
  binding::GroupedRelease release;
  release.people = table.holder.table.rows();
  release.group = std::move(group);
  release.value = std::move(value);
  binding::Renumber(release, random);
  for (std::size_t c = 0; c < table.shown.size(); ++c) {
    binding::RawColumn raw = binding::ReadRaw(table, c);
    release.columns.push_back(raw.quasi == nullptr
                                  ? binding::AsItIs(std::move(raw))
                                  : binding::Generalise(raw, release.group, release.groups));
  }
  return release;
}

Status WriteEvolvingCopy(const CopyContents& contents, const std::vector<std::string>& sensitive,
                         const std::string& path, binding::Context& context) {
  const reissue::Table& table = contents.table.holder.table;
  const reissue::Column& identifier = table[*contents.table.holder.identifier];
  binding::FileLines lines = REISSUE_TRY(binding::FileLines::Create(path, context));
  std::vector<std::string> names = {identifier.name(), binding::kGroupColumn};
  for (const binding::Quasi& quasi : contents.table.holder.quasi) {
    names.push_back(table[quasi.column].name());
  }
  names.insert(names.end(), sensitive.begin(), sensitive.end());
  if (contents.with_shown) names.push_back(kShownColumn);
  REISSUE_TRY(binding::WriteNames(names, lines));
  const std::vector<std::string> fields = binding::ValueFields(contents.values);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::uint32_t group = contents.release.group[row];
    if (group == binding::kNoGroup && !contents.left_out) continue;
    std::string& line = lines.buffer();
    io::AppendField(line, identifier.text(RowId(row)));
    line += ',';
    if (group != binding::kNoGroup) binding::AppendNumber(group + 1, line);
    for (const binding::Quasi& quasi : contents.table.holder.quasi) {
      line += ',';
      io::AppendField(line, table[quasi.column].text(RowId(row)));
    }
    line.append(",").append(fields[contents.truth[row]]);
    if (contents.with_shown) {
      line += ',';
      io::AppendField(line, binding::Joined(contents.values[contents.release.value[row]]));
    }
    REISSUE_TRY(lines.EndLine());
  }
  return lines.Close();
}

EvolvingCopies::EvolvingCopies(const io::Policy& policy) : policy_(policy) {
  policy_.csv = {};
  for (io::PolicyColumn& column : policy_.columns) {
    if (column.role == io::Role::kPublish) column.role = io::Role::kDrop;
  }
  std::erase_if(policy_.columns, [](const io::PolicyColumn& column) {
    return column.name == binding::kGroupColumn || column.name == kShownColumn;
  });
  policy_.columns.push_back(CopyColumn(binding::kGroupColumn));
  policy_.columns.push_back(CopyColumn(kShownColumn));
}

Result<EvolvingCopy> EvolvingCopies::Read(const std::string& path,
                                          binding::Context& context) const {
  binding::HolderTable holder =
      REISSUE_TRY(binding::LoadWithoutRanges(policy_, path, context, /*all=*/false));
  for (const io::PolicyColumn& column : policy_.columns) {
    if (column.role == io::Role::kDrop || column.name == kShownColumn) continue;
    if (holder.table.Find(column.name)) continue;
    return InputError({path, 1, std::nullopt, column.name}, "the file lacks this column",
                      kEvolvingCopyRemedy);
  }
  EvolvingCopy copy;
  copy.table = REISSUE_TRY(binding::BindGrouped(std::move(holder), policy_));
  const reissue::Table& table = copy.table.holder.table;
  const reissue::Column& group = table[*table.Find(binding::kGroupColumn)];
  const std::vector<std::uint32_t> codes = GroupCodes(group, copy.groups);
  for (const ValueId value : group.values()) copy.group.push_back(codes[value.index()]);
  const auto shown = table.Find(kShownColumn);
  for (std::size_t row = 0; shown && row < table.rows(); ++row) {
    copy.shown.emplace_back(table[*shown].text(RowId(row)));
  }
  return copy;
}

}  // namespace reissue::models::similarity::service
