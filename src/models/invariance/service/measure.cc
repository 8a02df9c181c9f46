#include "reissue/models/invariance/service/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "reissue/binding/grouped/labels.h"
#include "reissue/binding/grouped/reader.h"
#include "reissue/binding/grouped/table.h"
#include "reissue/models/invariance/service/forms.h"
#include "reissue/taxonomy/numbers.h"

namespace reissue::models::invariance::service {
namespace {

constexpr double kSelectivities[] = {0.01, 0.02, 0.05, 0.1};
constexpr std::uint64_t kQueries = 1000;

using CodeRange = std::pair<std::uint32_t, std::uint32_t>;

// The codes of one quasi-identifier: raw values of table and release in their order, or leaves.
class QueryScale {
 public:
  QueryScale(const binding::Quasi& quasi, const Column& table, const Column& release)
      : quasi_(quasi) {
    if (quasi.tree) {
      codes_ = static_cast<std::uint32_t>(quasi.tree->leaves());
      return;
    }
    for (const Column* column : {&table, &release}) {
      for (const std::string_view text : column->dictionary().strings()) AddText(text);
    }
    std::uint32_t next = 0;
    for (auto& [number, code] : numbers_) code = next++;
    for (auto& [text, code] : texts_) code = next++;
    codes_ = next;
  }

  std::uint32_t codes() const { return codes_; }

  // Nothing: the label stands for nothing here.
  std::optional<CodeRange> RangeOf(std::string_view label) const {
    if (quasi_.tree) {
      auto node = quasi_.tree->Find(label);
      if (!node) {
        if (const auto number = taxonomy::CanonicalLabel(label)) node = quasi_.tree->Find(*number);
      }
      if (!node) return std::nullopt;
      return CodeRange(quasi_.tree->first_leaf(*node), quasi_.tree->last_leaf(*node) - 1);
    }
    if (quasi_.policy->numeric) {
      if (const auto ends = binding::EndsOfRange(label)) return Between(ends->first, ends->second);
      if (const auto number = taxonomy::ParseNumber(label)) return Between(*number, *number);
    }
    if (label == "*") return CodeRange(0, codes_ - 1);
    const auto at = texts_.find(std::string(label));
    if (at == texts_.end()) return std::nullopt;
    return CodeRange(at->second, at->second);
  }

 private:
  void AddText(std::string_view text) {
    if (!quasi_.policy->numeric) {
      texts_.emplace(text, 0);
    } else if (const auto ends = binding::EndsOfRange(text)) {
      numbers_.emplace(ends->first, 0);
      numbers_.emplace(ends->second, 0);
    } else if (const auto number = taxonomy::ParseNumber(text)) {
      numbers_.emplace(*number, 0);
    }
  }
  std::optional<CodeRange> Between(double low, double high) const {
    const auto from = numbers_.find(low), to = numbers_.find(high);
    if (from == numbers_.end() || to == numbers_.end()) return std::nullopt;
    return CodeRange(from->second, to->second);
  }

  const binding::Quasi& quasi_;
  std::map<double, std::uint32_t> numbers_;
  std::map<std::string, std::uint32_t> texts_;
  std::uint32_t codes_ = 0;
};

// Ranges of every text of a column.
Result<std::vector<CodeRange>> RangesOf(const QueryScale& scale, const Table& table, ColumnId id) {
  const Column& column = table[id];
  std::vector<CodeRange> ranges;
  for (const std::string_view text : column.dictionary().strings()) {
    const auto range = scale.RangeOf(text);
    if (range) {
      ranges.push_back(*range);
      continue;
    }
    const auto value = column.dictionary().Find(text);
    const auto row = std::find(column.values().begin(), column.values().end(), *value);
    return InputError(
        table.PlaceOf(RowId(static_cast<std::size_t>(row - column.values().begin())), id),
        "this label stands for no value of the table",
        "Was the release made with this policy and from this table?");
  }
  return ranges;
}

}  // namespace

Result<Metrics> MeasureRelease(const io::Policy& policy, const Promise& promise,
                               const std::string& table, const std::string& release,
                               std::uint64_t seed, binding::Context& context) {
  const binding::GroupedTable raw = REISSUE_TRY(binding::LoadGrouped(policy, table, context));
  std::vector<std::string> beside;
  for (const std::string& suffix : binding::SuffixesOf(FilesOf(promise)))
    beside.push_back(release + suffix);
  const binding::ReleasedGroups released = REISSUE_TRY(binding::ReadReleased(
      binding::ColumnsOf(policy), FilesOf(promise), release, beside, context));
  const std::uint64_t people = raw.holder.table.rows(), rows = released.table.rows();
  if (people > rows) {
    return InputError({release, std::nullopt, std::nullopt, ""},
                      fmt::format("the release has {} rows, and the table {} people", rows, people),
                      "Give the table that the release was made from.");
  }
  const std::size_t columns = raw.holder.quasi.size();
  metrics::QueryTable asked;
  metrics::QueryRelease answers;
  asked.columns = answers.columns = columns;
  asked.codes.resize(people * columns);
  answers.lo.resize(rows * columns);
  answers.hi.resize(rows * columns);
  std::vector<std::uint32_t> domain;
  for (std::size_t q = 0; q < columns; ++q) {
    const binding::Quasi& quasi = raw.holder.quasi[q];
    const ColumnId id = *released.table.Find(quasi.policy->name);
    const QueryScale scale(quasi, raw.holder.table[quasi.column], released.table[id]);
    domain.push_back(scale.codes());
    const auto exact = REISSUE_TRY(RangesOf(scale, raw.holder.table, quasi.column));
    const auto labels = REISSUE_TRY(RangesOf(scale, released.table, id));
    const auto values = raw.holder.table[quasi.column].values();
    for (std::size_t row = 0; row < people; ++row) {
      asked.codes[row * columns + q] = exact[values[row].index()].first;
    }
    for (std::size_t row = 0; row < rows; ++row) {
      const CodeRange range = labels[released.table[id].values()[row].index()];
      answers.lo[row * columns + q] = range.first;
      answers.hi[row * columns + q] = range.second;
    }
  }
  std::map<binding::ValueTexts, std::uint32_t> code_of;
  const auto code = [&](const binding::ValueTexts& texts) {
    return code_of.emplace(texts, static_cast<std::uint32_t>(code_of.size())).first->second;
  };
  for (const std::uint32_t value : raw.sensitive.of_row) {
    asked.values.push_back(code(raw.sensitive.values[value]));
  }
  for (const ValueId group : released.table[*released.table.Find(binding::kGroupColumn)].values()) {
    answers.group.push_back(group.raw());
  }
  for (std::uint32_t g = 0; g < released.groups.size(); ++g) {
    for (const auto& [value, count] : released.groups[g].values) {
      answers.counts.push_back({g, code(released.values[value]), count});
    }
  }
  Metrics measured;
  measured.m = promise.m;
  measured.e = promise.e;
  measured.form = FormName(promise.form);
  measured.people = people;
  measured.rows = rows;
  measured.groups = released.groups.size();
  measured.least_values = released.least_values;
  for (const double selectivity : kSelectivities) {
    const auto queries = metrics::RandomQueries(asked, domain, selectivity, kQueries, seed);
    measured.errors.push_back(metrics::RelativeError(asked, answers, queries, selectivity));
  }
  return measured;
}

}  // namespace reissue::models::invariance::service
