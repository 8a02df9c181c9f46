#include "reissue/simulate/updates.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "reissue/simulate/csv_line.h"

namespace reissue::simulate {
namespace {

constexpr std::uint64_t kUpdatesFamily = 6;  // apart from the generators

std::string NumberText(double number) {
  std::string text = std::to_string(number);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

Status CheckUpdates(std::uint64_t rows, std::uint32_t value_count, const UpdateOptions& options) {
  if (options.first == 0 || options.releases == 0) {
    return UsageError("a stream has at least one table, and a table at least one row");
  }
  if (options.replace > options.first) {
    return UsageError(std::to_string(options.replace) + " rows cannot leave a table of " +
                          std::to_string(options.first),
                      "Replace fewer rows, or begin with more.");
  }
  const bool enough =
      rows >= options.first &&
      (options.replace == 0 || (rows - options.first) / options.replace >= options.releases - 1);
  if (!enough) {
    const std::string fit =
        rows < options.first
            ? "No table fits"
            : std::to_string((rows - options.first) / options.replace + 1) + " tables fit";
    return UsageError(std::to_string(options.releases) + " tables of " +
                          std::to_string(options.first) + " rows, of which " +
                          std::to_string(options.replace) +
                          " are replaced each time, need more than the " + std::to_string(rows) +
                          " rows that there are",
                      fit + ": ask for fewer or smaller ones, or give a larger table.");
  }
  if (options.skew && !(*options.skew >= 0)) {
    return UsageError("the skew must not be negative");
  }
  if (options.skew && *options.skew > LargestSkew(value_count, options.replace)) {
    return UsageError("the skew is too large for " + std::to_string(value_count) + " values of " +
                          std::to_string(options.replace) + " rows",
                      "At most " + NumberText(LargestSkew(value_count, options.replace)) +
                          " can be had; with more rows more.");
  }
  return Ok();
}

// Gives the rows of a batch skewed values, changing as few as possible.
void SkewBatch(std::span<const std::uint32_t> batch, double skew, std::uint32_t value_count,
               Random& random, std::vector<std::uint32_t>& values) {
  std::vector<std::uint64_t> wanted = SkewedCounts(value_count, batch.size(), skew);
  random.Shuffle(wanted);
  std::vector<std::uint32_t> others;
  for (const std::uint32_t row : batch) {
    if (wanted[values[row]] > 0) {
      --wanted[values[row]];
    } else {
      others.push_back(row);
    }
  }
  random.Shuffle(others);
  std::size_t next = 0;
  for (std::uint32_t value = 0; value < value_count; ++value) {
    for (; wanted[value] > 0; --wanted[value]) values[others[next++]] = value;
  }
}

// A table without `leaving` random rows.
std::vector<std::uint32_t> WithoutSome(const std::vector<std::uint32_t>& table,
                                       std::uint64_t leaving, Random& random) {
  std::vector<std::uint32_t> stay;
  stay.reserve(table.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    // All sets of rows are equally likely to leave.
    if (random.Below(table.size() - i) < leaving) {
      --leaving;
    } else {
      stay.push_back(table[i]);
    }
  }
  return stay;
}

std::vector<std::string> UpdatedHeader(const Table& pool, const std::string& identifier) {
  std::vector<std::string> names;
  if (!identifier.empty()) names.push_back(identifier);
  for (const Column& column : pool.columns()) names.push_back(column.name());
  return names;
}

}  // namespace

double LargestSkew(std::uint32_t values, std::uint64_t rows) {
  if (values < 2) return 0;
  return 2.0 * static_cast<double>(rows) / (static_cast<double>(values) * (values - 1.0));
}

std::vector<std::uint64_t> SkewedCounts(std::uint32_t values, std::uint64_t rows, double skew) {
  const double least = static_cast<double>(rows) / values - skew * (values - 1.0) / 2;
  std::vector<std::uint64_t> counts;
  std::uint64_t sum = 0;
  double exact = 0;
  for (std::uint32_t rank = 0; rank < values; ++rank) {
    exact += std::max(0.0, least + rank * skew);
    // What is rounded away from one is given to the next.
    const std::uint64_t upto =
        rank + 1 == values ? rows : std::min(rows, static_cast<std::uint64_t>(exact + 0.5));
    counts.push_back(upto - sum);
    sum = upto;
  }
  return counts;
}

Result<UpdateStream> MakeUpdates(std::span<const std::uint32_t> values, std::uint32_t value_count,
                                 const UpdateOptions& options) {
  REISSUE_TRY(CheckUpdates(values.size(), value_count, options));
  Random random = Random::Seeded(DeriveSeed(options.seed, kUpdatesFamily));
  std::vector<std::uint32_t> pool(values.size());
  std::iota(pool.begin(), pool.end(), 0u);
  random.Shuffle(pool);
  UpdateStream stream;
  stream.values.assign(values.begin(), values.end());
  auto next = pool.begin() + static_cast<std::ptrdiff_t>(options.first);
  stream.tables.emplace_back(pool.begin(), next);
  while (stream.tables.size() < options.releases) {
    std::vector<std::uint32_t> table = WithoutSome(stream.tables.back(), options.replace, random);
    const auto begin = next;
    next += static_cast<std::ptrdiff_t>(options.replace);
    if (options.skew) SkewBatch({begin, next}, *options.skew, value_count, random, stream.values);
    table.insert(table.end(), begin, next);
    stream.tables.push_back(std::move(table));
  }
  return stream;
}

UpdatedTable::UpdatedTable(const Table& pool, const UpdateStream& stream, std::size_t table,
                           Columns columns)
    : Generator(0, UpdatedHeader(pool, columns.identifier), '\0'),
      pool_(pool),
      stream_(stream),
      rows_(stream.tables[table]),
      columns_(std::move(columns)) {}

std::vector<std::string> UpdatedTable::Domain(std::size_t column) const {
  if (!columns_.identifier.empty() && column-- == 0) return {};
  const auto& strings = pool_.columns()[column].dictionary().strings();
  return {strings.begin(), strings.end()};
}

void UpdatedTable::AppendValues(std::uint64_t row, Random&, std::string& out) const {
  const std::uint32_t record = rows_[row];
  if (!columns_.identifier.empty()) {
    out.push_back('R');
    AppendNumber(out, record + std::uint64_t{1}, 7);
    out.push_back(',');
  }
  for (std::size_t i = 0; i < pool_.width(); ++i) {
    if (i > 0) out.push_back(',');
    const Column& column = pool_.columns()[i];
    const bool sensitive = columns_.sensitive && columns_.sensitive->index() == i;
    const ValueId value = sensitive ? ValueId(stream_.values[record]) : column[RowId(record)];
    AppendText(out, column.dictionary()[value]);
  }
  out.push_back('\n');
}

}  // namespace reissue::simulate
