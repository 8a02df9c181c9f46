#include "reissue/models/similarity/service/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "reissue/binding/grouped/coded.h"
#include "reissue/binding/grouped/reader.h"
#include "reissue/binding/rows.h"
#include "reissue/binding/scale.h"
#include "reissue/io/csv.h"
#include "reissue/models/similarity/service/certificate.h"
#include "reissue/models/similarity/service/table.h"
#include "reissue/taxonomy/numbers.h"

namespace reissue::models::similarity::service {
namespace {

namespace sim = models::similarity;
using PlaceRange = std::pair<double, double>;

constexpr double kEverywhere = std::numeric_limits<double>::infinity();
constexpr char kOtherTable[] = "Was the release made with this policy and from this table?";

// What a label of a release stands for; nothing where it stands for nothing.
std::optional<PlaceRange> RangeOfLabel(const binding::Quasi& quasi, std::size_t texts,
                                       std::string_view label) {
  if (quasi.tree) {
    auto node = quasi.tree->Find(label);
    if (!node) {
      if (const auto number = taxonomy::CanonicalLabel(label)) node = quasi.tree->Find(*number);
    }
    if (!node) return std::nullopt;
    return PlaceRange(quasi.tree->first_leaf(*node), quasi.tree->last_leaf(*node) - 1);
  }
  if (!quasi.policy->numeric) {
    return PlaceRange(0, label == "*" ? static_cast<double>(texts) - 1 : 0);
  }
  if (label == "*") return PlaceRange(-kEverywhere, kEverywhere);
  if (const auto ends = binding::EndsOfRange(label)) return *ends;
  const auto number = taxonomy::ParseNumber(label);
  if (!number) return std::nullopt;
  return PlaceRange(*number, *number);
}

class EvolvingMeasure {
 public:
  EvolvingMeasure(const io::Policy& policy, const Promise& promise, binding::Context& context)
      : policy_(policy), promise_(promise), context_(context) {}

  Result<Metrics> Run(const contract::MeasureRequest& request) {
    const std::string& release = request.release;
    table_ = REISSUE_TRY(binding::LoadGrouped(policy_, request.table, context_));
    points_ = PlacesOfRows(table_);
    measured_.guarantee = promise_.guarantee;
    measured_.people = table_.holder.table.rows();
    const io::CsvFile file = REISSUE_TRY(binding::ReadRows(release, {}, context_));
    const std::string& id = table_.holder.table[*table_.holder.identifier].name();
    if (std::find(file.header.begin(), file.header.end(), id) != file.header.end()) {
      REISSUE_TRY(OfCopy(release));
    } else {
      REISSUE_TRY(OfRelease(request));
    }
    measured_.penalty_share = measured_.penalty / static_cast<double>(measured_.people);
    return std::move(measured_);
  }

 private:
  Status OfRelease(const contract::MeasureRequest& request) {
    const std::string& path = request.release;
    const binding::ReleasedGroups released = REISSUE_TRY(binding::ReadReleased(
        binding::ColumnsOf(policy_), binding::GroupedFiles{}, path, {}, context_));
    const reissue::Table& table = released.table;
    measured_.rows = table.rows();
    measured_.groups = released.groups.size();
    if (measured_.rows > measured_.people) {
      return InputError({path, std::nullopt, std::nullopt, ""},
                        fmt::format("the release has {} rows, and the table {} people",
                                    measured_.rows, measured_.people),
                        "Give the table that the release was made from.");
    }
    const ValueRanks ranks = REISSUE_TRY(
        RanksOf(released.values, binding::ColumnsOf(policy_).order, promise_.guarantee.ordered));
    measured_.shape = ShapeOfFile(released, ranks, promise_.guarantee.ordered);
    double sum = 0;
    for (std::size_t q = 0; q < points_.columns.size(); ++q) {
      const binding::Quasi& quasi = table_.holder.quasi[q];
      const ColumnId id = *table.Find(quasi.policy->name);
      const double lost = REISSUE_TRY(LostIn(quasi, points_.columns[q], table, id));
      sum += lost;
      measured_.columns.emplace_back(quasi.policy->name, lost / static_cast<double>(table.rows()));
    }
    measured_.penalty = sum / static_cast<double>(points_.columns.size()) +
                        static_cast<double>(measured_.people - measured_.rows);
    const binding::Coded coded = REISSUE_TRY(binding::CodeGrouped(table_, released));
    measured_.worth = binding::MeasureWorth(coded, request.queries, request.seed);
    return Ok();
  }

  // The penalties of a column, all rows of the release together.
  Result<double> LostIn(const binding::Quasi& quasi, const sim::Column& column,
                        const reissue::Table& release, ColumnId id) const {
    const std::size_t texts = table_.holder.table[quasi.column].dictionary().size();
    const Dictionary& labels = release[id].dictionary();
    std::vector<double> penalty;
    for (std::size_t v = 0; v < labels.size(); ++v) {
      const auto range = RangeOfLabel(quasi, texts, labels[ValueId(v)]);
      if (!range) {
        const auto values = release[id].values();
        const auto row = std::find(values.begin(), values.end(), ValueId(v)) - values.begin();
        return InputError(release.PlaceOf(RowId(static_cast<std::size_t>(row)), id),
                          "this label stands for no value of the table", kOtherTable);
      }
      // Round ranges may be wider than all numbers of the table.
      penalty.push_back(std::min(1.0, column.Penalty(range->first, range->second)));
    }
    double sum = 0;
    for (const ValueId value : release[id].values()) sum += penalty[value.index()];
    return sum;
  }

  // People of the table get the groups that the copy has them in.
  Status OfCopy(const std::string& path) {
    const EvolvingCopies copies(policy_);
    const EvolvingCopy copy = REISSUE_TRY(copies.Read(path, context_));
    const reissue::Column& identifier = table_.holder.table[*table_.holder.identifier];
    std::map<std::string_view, std::size_t> row_of;
    for (std::size_t row = 0; row < measured_.people; ++row) {
      row_of.emplace(identifier.text(RowId(row)), row);
    }
    std::vector<std::uint32_t> group(measured_.people, sim::kSuppressed);
    std::vector<std::uint64_t> sizes(copy.groups, 0);
    const reissue::Table& table = copy.table.holder.table;
    const ColumnId id = *copy.table.holder.identifier;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const auto known = row_of.find(table[id].text(RowId(row)));
      if (known == row_of.end()) {
        return InputError(table.PlaceOf(RowId(row), id), "the table does not have this person",
                          "Give the table that the release was made from.");
      }
      group[known->second] = copy.group[row];
      if (copy.group[row] == sim::kSuppressed) continue;
      ++measured_.rows;
      ++sizes[copy.group[row]];
    }
    measured_.groups = copy.groups;
    measured_.shape.k = sizes.empty() ? 0 : *std::min_element(sizes.begin(), sizes.end());
    measured_.penalty = sim::CertaintyPenalty(points_, group);
    measured_.linkage = sim::RecordLinkage(points_, group, context_.pool);
    return Ok();
  }

  const io::Policy& policy_;
  const Promise& promise_;
  binding::Context& context_;
  binding::GroupedTable table_;
  sim::Points points_;
  Metrics measured_;
};

}  // namespace

Result<Metrics> MeasureEvolving(const io::Policy& policy, const Promise& promise,
                                const contract::MeasureRequest& request,
                                binding::Context& context) {
  if (request.release == "-") {
    return UsageError("metrics of model \"j-similarity\" read the release twice", "Name a file.");
  }
  return EvolvingMeasure(policy, promise, context).Run(request);
}

}  // namespace reissue::models::similarity::service
