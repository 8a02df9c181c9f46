#include "reissue/models/invariance/service/forms.h"

#include <algorithm>
#include <unordered_map>

#include "reissue/binding/grouped/lines.h"
#include "reissue/io/csv.h"
#include "reissue/models/invariance/publisher/split.h"

namespace reissue::models::invariance::service {
namespace {

// Counterfeits included.
binding::RawColumn ReadColumn(const binding::GroupedTable& table, std::size_t index,
                              const std::vector<Counterfeit>& counterfeits) {
  const Column& column = table.holder.table[table.shown[index]];
  binding::RawColumn raw = binding::ReadRaw(table, index);
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
void Scale(const binding::RawColumn& column, std::size_t index, std::size_t width,
           std::vector<double>& coordinates) {
  const std::vector<double> places = binding::PlacesOf(column);
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
void SplitBuckets(const std::vector<binding::RawColumn>& columns,
                  std::span<const std::uint32_t> bucket, binding::GroupedRelease& release) {
  std::size_t width = 0;
  for (const binding::RawColumn& column : columns) width += column.quasi != nullptr;
  std::vector<double> coordinates(bucket.size() * width);
  std::size_t index = 0;
  for (const binding::RawColumn& column : columns) {
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
    std::vector<invariance::Value> values;
    for (const std::uint32_t i : members) {
      own.insert(own.end(), coordinates.begin() + static_cast<std::ptrdiff_t>(i * width),
                 coordinates.begin() + static_cast<std::ptrdiff_t>((i + 1) * width));
      values.push_back(release.value[i]);
    }
    if (members.empty()) continue;
    const auto part = invariance::Split(own, width, values);
    for (std::size_t n = 0; n < members.size(); ++n) {
      release.group[members[n]] = release.groups + part[n];
    }
    release.groups += 1 + *std::max_element(part.begin(), part.end());
  }
}

}  // namespace

binding::GroupedRelease Arrange(const binding::GroupedTable& table, const Promise& promise,
                                const SeriesState& after, std::span<const std::uint32_t> bucket,
                                std::vector<std::uint32_t> value, Random& random) {
  binding::GroupedRelease release;
  release.people = table.holder.table.rows();
  release.value = std::move(value);
  std::vector<binding::RawColumn> columns;
  for (std::size_t c = 0; c < table.shown.size(); ++c) {
    columns.push_back(ReadColumn(table, c, after.counterfeits));
  }
  if (promise.form == Form::kPartitions) {
    SplitBuckets(columns, bucket, release);
  } else {
    release.group.assign(bucket.begin(), bucket.end());
  }
  binding::Renumber(release, random);
  for (binding::RawColumn& column : columns) {
    const bool as_it_is = promise.form == Form::kAnatomy || column.quasi == nullptr;
    release.columns.push_back(as_it_is
                                  ? binding::AsItIs(std::move(column))
                                  : binding::Generalise(column, release.group, release.groups));
  }
  return release;
}

Status WriteHolderCopy(const binding::GroupedRelease& release, const binding::GroupedTable& table,
                       const SeriesState& after, const std::vector<std::string>& sensitive,
                       const std::string& path, binding::Context& context) {
  binding::FileLines lines = REISSUE_TRY(binding::FileLines::Create(path, context));
  const Column& identifier = table.holder.table[*table.holder.identifier];
  std::vector<std::string> names = {identifier.name(), binding::kGroupColumn};
  for (const std::string& name : binding::NamesOf(release)) names.push_back(name);
  names.insert(names.end(), sensitive.begin(), sensitive.end());
  names.push_back(kCounterfeitColumn);
  REISSUE_TRY(binding::WriteNames(names, lines));
  const std::vector<std::string> fields = binding::ValueFields(after.values);
  for (std::size_t i = 0; i < release.size(); ++i) {
    const bool real = i < release.people;
    if (real) {
      io::AppendField(lines.buffer(), identifier.text(RowId(i)));
    } else {
      const Counterfeit& counterfeit = after.counterfeits[i - release.people];
      io::AppendField(lines.buffer(), binding::CounterfeitName(counterfeit.number));
    }
    lines.buffer() += ',';
    binding::AppendNumber(release.group[i] + 1, lines.buffer());
    lines.buffer() += ',';
    binding::AppendShown(release, i, lines.buffer());
    lines.buffer().append(fields[release.value[i]]).append(real ? ",no" : ",yes");
    REISSUE_TRY(lines.EndLine());
  }
  return lines.Close();
}

}  // namespace reissue::models::invariance::service
