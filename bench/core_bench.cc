// Items per second of the parts that every table passes through.

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "reissue/core/cells.h"
#include "reissue/core/dictionary.h"
#include "reissue/core/random.h"

namespace reissue {
namespace {

Table RandomTable(std::size_t rows, std::size_t width, std::size_t domain) {
  Random random = Random::Seeded(1);
  std::vector<Column> columns;
  for (std::size_t c = 0; c < width; ++c) {
    DictionaryBuilder dictionary;
    for (std::size_t v = 0; v < domain; ++v) dictionary.Intern("value " + std::to_string(v));
    std::vector<ValueId> values;
    for (std::size_t r = 0; r < rows; ++r) {
      // Skewed: the product of two draws.
      values.emplace_back(random.Below(domain) * random.Below(domain) / domain);
    }
    columns.emplace_back(std::to_string(c), std::move(dictionary).Build(), std::move(values));
  }
  return Table(std::move(columns), rows);
}

void BuildCellsOfRows(benchmark::State& state) {
  const auto rows = static_cast<std::size_t>(state.range(0));
  const Table table = RandomTable(rows, 8, 12);
  std::vector<ColumnId> columns;
  for (std::size_t c = 0; c < table.width(); ++c) columns.emplace_back(c);
  ThreadPool pool(static_cast<std::size_t>(state.range(1)));
  for (auto _ : state) benchmark::DoNotOptimize(BuildCells(table, columns, pool).size());
  state.SetItemsProcessed(static_cast<std::int64_t>(rows) * state.iterations());
}
BENCHMARK(BuildCellsOfRows)
    ->ArgsProduct({{100'000, 1'000'000}, {1, 2}})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void InternKnownWords(benchmark::State& state) {
  std::vector<std::string> words;
  for (int i = 0; i < state.range(0); ++i) words.push_back("word-" + std::to_string(i));
  DictionaryBuilder dictionary;
  for (auto _ : state) {
    for (const std::string& word : words) benchmark::DoNotOptimize(dictionary.Intern(word));
  }
  state.SetItemsProcessed(state.range(0) * state.iterations());
}
BENCHMARK(InternKnownWords)->Arg(16)->Arg(1000)->Arg(100'000);

}  // namespace
}  // namespace reissue
