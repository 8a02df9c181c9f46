#include "reissue/models/k/publisher/descent.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "reissue/models/k/publisher/publish.h"

namespace reissue::models::k {
namespace {

Outcome Greedy(const LeafCells& table, const Guarantee& g) {
  PublishOptions options;
  options.search = Search::kGreedy;
  ThreadPool pool(1);
  Progress progress;
  return Publish(table, g, options, pool, progress).value();
}

// A step that looked at all places and all cells would take minutes here.
TEST(Descent, AColumnWithVeryManyLabelsIsNoBurden) {
  constexpr std::uint32_t kValues = 200000;
  std::vector<std::string> values;
  std::vector<std::uint32_t> keys;
  for (std::uint32_t i = 0; i < kValues; ++i) {
    values.push_back(std::to_string(i));
    keys.insert(keys.end(), {i, 0});
  }
  const std::vector<std::uint64_t> two(kValues, 2);
  LeafCells table;
  table.taxonomies = {std::make_shared<const taxonomy::Taxonomy>(
      taxonomy::FromData(values, two, "number").value())};
  table.sensitive_values = 1;
  table.cells = CollectCells(2, keys, two);
  Guarantee g;
  g.k = 2;
  const Outcome fine = Greedy(table, g);
  EXPECT_EQ(fine.cuts[0].Nodes().size(), kValues);
  g.k = 4;
  const Outcome pairs = Greedy(table, g);
  EXPECT_GT(pairs.cuts[0].Nodes().size(), kValues / 4);
  EXPECT_LE(pairs.cuts[0].Nodes().size(), kValues / 2);
}

}  // namespace
}  // namespace reissue::models::k
