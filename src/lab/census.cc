#include "reissue/lab/census.h"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "reissue/io/csv.h"
#include "reissue/simulate/generator.h"

namespace reissue::lab {
namespace {

constexpr const char* kCensusQuasi[] = {"Age", "Gender", "Education", "Birthplace"};
constexpr const char* kCensusSensitive[] = {"Occupation", "Salary"};

// Codes of a column: ranks of its numbers.
struct Codes {
  std::vector<std::uint32_t> of_row;
  std::uint32_t count = 0;
};

Result<Codes> Ranked(const Table& table, const char* name) {
  const std::optional<ColumnId> id = table.Find(name);
  const Place place{table.origin().file, std::nullopt, std::nullopt, name};
  if (!id) {
    return InputError(
        place, "the table has no such column",
        "The columns must be Age, Gender, Education, Birthplace, Occupation, Salary.");
  }
  const Column& column = table[*id];
  const std::size_t distinct = column.dictionary().size();
  std::vector<long long> numbers(distinct);
  for (std::size_t v = 0; v < distinct; ++v) {
    const std::string_view text = column.dictionary()[ValueId(v)];
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), numbers[v]);
    if (status != std::errc() || end != text.data() + text.size()) {
      return InputError(place, "a whole number was expected in every row of this column",
                        "Give the values as numbers.");
    }
  }
  std::vector<std::uint32_t> order(distinct), rank(distinct);
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return numbers[a] < numbers[b]; });
  for (std::uint32_t i = 0; i < distinct; ++i) rank[order[i]] = i;
  Codes codes;
  codes.count = static_cast<std::uint32_t>(distinct);
  for (const ValueId value : column.values()) codes.of_row.push_back(rank[value.index()]);
  return codes;
}

}  // namespace

CensusTable SimulatedCensus(const std::string& kind, std::uint64_t rows, std::uint64_t seed) {
  const auto generator = simulate::MakeGenerator(kind, seed);
  REISSUE_CHECK(generator.has_value());
  CensusTable table;
  table.name = kind == "occ" ? "OCC" : "SAL";
  table.rows.columns = std::size(kCensusQuasi);
  std::vector<std::uint32_t> first;  // the number of code 0
  for (std::size_t c = 0; c <= std::size(kCensusQuasi); ++c) {
    const auto domain = (*generator)->Domain(c);
    first.push_back(static_cast<std::uint32_t>(std::stoul(domain.front())));
    table.domain.push_back(static_cast<std::uint32_t>(domain.size()));
  }
  table.value_count = table.domain.back();
  table.domain.pop_back();
  std::string line;
  for (std::uint64_t row = 0; row < rows; ++row) {
    line.clear();
    (*generator)->Append(row, line);
    const char* at = line.data();
    for (std::size_t c = 0; c <= std::size(kCensusQuasi); ++c) {
      std::uint32_t number = 0;
      at = std::from_chars(at, line.data() + line.size(), number).ptr + 1;
      auto& target = c < std::size(kCensusQuasi) ? table.rows.codes : table.rows.values;
      target.push_back(number - first[c]);
    }
  }
  return table;
}

Result<std::vector<CensusTable>> LoadCensus(const std::string& path, const std::string& name,
                                            binding::Context& context) {
  io::CsvOptions options;
  options.digest = false;
  const io::CsvFile file =
      REISSUE_TRY(io::ReadCsv(context.files, path, options, context.pool, context.progress));
  CensusTable table;
  table.rows.columns = std::size(kCensusQuasi);
  std::vector<Codes> quasi;
  for (const char* column : kCensusQuasi) {
    Codes codes = REISSUE_TRY(Ranked(file.table, column));
    table.domain.push_back(codes.count);
    quasi.push_back(std::move(codes));
  }
  for (std::size_t row = 0; row < file.table.rows(); ++row) {
    for (const Codes& codes : quasi) table.rows.codes.push_back(codes.of_row[row]);
  }
  std::vector<CensusTable> tables;
  for (const char* column : kCensusSensitive) {
    Codes codes = REISSUE_TRY(Ranked(file.table, column));
    table.name = name + " " + column;
    table.value_count = codes.count;
    table.rows.values = std::move(codes.of_row);
    tables.push_back(table);
  }
  return tables;
}

}  // namespace reissue::lab
