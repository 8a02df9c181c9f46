#include "reissue/graph/flow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "reissue/core/random.h"

namespace reissue::graph {
namespace {

struct Network {
  std::uint32_t nodes;  // node 0 is the source, the last one the sink
  struct Line {
    std::uint32_t from, to;
    std::uint64_t capacity;
  };
  std::vector<Line> lines;
  std::uint32_t sink() const { return nodes - 1; }
};

Network RandomNetwork(Random& random) {
  Network network{static_cast<std::uint32_t>(3 + random.Below(3)), {}};
  const std::size_t lines = 3 + random.Below(5);
  while (network.lines.size() < lines) {
    const auto from = static_cast<std::uint32_t>(random.Below(network.nodes));
    const auto to = static_cast<std::uint32_t>(random.Below(network.nodes));
    // Nothing enters the source or leaves the sink: flows around them would be no flows between.
    if (from == to || to == 0 || from == network.sink()) continue;
    network.lines.push_back({from, to, random.Below(3)});
  }
  return network;
}

Flow Build(const Network& network) {
  Flow flow(network.nodes);
  for (const auto& line : network.lines) flow.AddArc(line.from, line.to, line.capacity);
  return flow;
}

// All flows, by trying every number on every line.
struct Best {
  std::uint64_t value = 0;
  std::vector<std::uint64_t> most, least;  // per line, over the flows of the largest value
};
Best TryEverything(const Network& network) {
  std::optional<Best> best;
  std::vector<std::uint64_t> on(network.lines.size(), 0);
  while (true) {
    std::vector<std::int64_t> balance(network.nodes, 0);
    for (std::size_t i = 0; i < on.size(); ++i) {
      balance[network.lines[i].from] -= static_cast<std::int64_t>(on[i]);
      balance[network.lines[i].to] += static_cast<std::int64_t>(on[i]);
    }
    if (std::all_of(balance.begin() + 1, balance.end() - 1, [](auto b) { return b == 0; })) {
      const auto value = static_cast<std::uint64_t>(balance.back());
      if (!best || value > best->value) best = Best{value, on, on};
      if (value == best->value) {
        for (std::size_t i = 0; i < on.size(); ++i) {
          best->most[i] = std::max(best->most[i], on[i]);
          best->least[i] = std::min(best->least[i], on[i]);
        }
      }
    }
    std::size_t i = 0;
    while (i < on.size() && on[i] == network.lines[i].capacity) on[i++] = 0;
    if (i == on.size()) return *best;
    ++on[i];
  }
}

TEST(Flow, AgreesWithTryingEverything) {
  Random random = Random::Seeded(11);
  std::uint64_t moved = 0;
  for (int round = 0; round < 1500; ++round) {
    const Network network = RandomNetwork(random);
    const Best best = TryEverything(network);
    Flow flow = Build(network);
    ASSERT_EQ(flow.Maximise(0, network.sink()), best.value) << round;
    // One after another on the same flow: each answer must be over all maximum flows.
    for (std::uint32_t arc = 0; arc < network.lines.size(); ++arc) {
      moved += flow.RaiseArc(arc);
      ASSERT_EQ(flow.on(arc), best.most[arc]) << round << " line " << arc;
      moved += flow.LowerArc(arc);
      ASSERT_EQ(flow.on(arc), best.least[arc]) << round << " line " << arc;
    }
    ASSERT_EQ(flow.Maximise(0, network.sink()), 0u) << round;
  }
  EXPECT_GT(moved, 100u);
}

TEST(Flow, TheReachableSideIsASmallestCut) {
  Random random = Random::Seeded(12);
  for (int round = 0; round < 500; ++round) {
    const Network network = RandomNetwork(random);
    Flow flow = Build(network);
    const std::uint64_t value = flow.Maximise(0, network.sink());
    const std::vector<char> side = flow.Reachable(0);
    ASSERT_FALSE(side[network.sink()]);
    std::uint64_t across = 0;
    for (const auto& line : network.lines) {
      if (side[line.from] && !side[line.to]) across += line.capacity;
    }
    ASSERT_EQ(across, value) << round;
  }
}

TEST(Flow, KeepsToTheLimit) {
  Flow flow(3);
  const Flow::Arc first = flow.AddArc(0, 1, 10);
  flow.AddArc(1, 2, 7);
  EXPECT_EQ(flow.Maximise(0, 2, 4), 4u);
  EXPECT_EQ(flow.on(first), 4u);
  EXPECT_EQ(flow.Maximise(0, 2), 3u);
  EXPECT_EQ(flow.Maximise(0, 0), 0u);
}

TEST(Flow, LongPathsNeedNoDeepStack) {
  constexpr std::uint32_t kNodes = 300000;
  Flow flow(kNodes);
  for (std::uint32_t node = 0; node + 1 < kNodes; ++node) flow.AddArc(node, node + 1, 2);
  EXPECT_EQ(flow.Maximise(0, kNodes - 1), 2u);
}

// Everybody has a place of their own, and all of them share one that has room for one: looking at
// all arcs of the shared place for each of its arcs would take minutes.
TEST(Flow, ANodeWithVeryManyArcsIsNoBurden) {
  constexpr std::uint32_t kPeople = 100000;
  constexpr Flow::Node kSource = 0, kSink = 1, kShared = 2;
  Flow flow(3 + 2 * kPeople);
  flow.AddArc(kShared, kSink, 1);
  for (std::uint32_t person = 0; person < kPeople; ++person) {
    flow.AddArc(kSource, 3 + 2 * person, 2);
    flow.AddArc(3 + 2 * person, 4 + 2 * person, 2);
    flow.AddArc(4 + 2 * person, kSink, 2);
    flow.AddArc(3 + 2 * person, kShared, 2);
  }
  ASSERT_EQ(flow.Maximise(kSource, kSink), 2 * kPeople);
  std::uint64_t wrong = 0;
  for (Flow::Arc first = 1; first < 1 + 4 * kPeople; first += 4) {
    flow.RaiseArc(first + 1);
    wrong += flow.on(first + 1) != 2;
    flow.LowerArc(first + 2);
    wrong += flow.on(first + 2) != 1;
    flow.RaiseArc(first + 3);
    wrong += flow.on(first + 3) != 1;
    flow.LowerArc(first);
    wrong += flow.on(first) != 2;
  }
  EXPECT_EQ(wrong, 0u);
}

TEST(Flow, NothingGoesRoundOnAnArcToItself) {
  Flow flow(2);
  const Flow::Arc line = flow.AddArc(0, 1, 3);
  const Flow::Arc loop = flow.AddArc(0, 0, 3);
  EXPECT_EQ(flow.Maximise(0, 1), 3u);
  EXPECT_EQ(flow.RaiseArc(loop), 0u);
  EXPECT_EQ(flow.LowerArc(line), 0u);
}

}  // namespace
}  // namespace reissue::graph
