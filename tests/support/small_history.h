#pragma once
// Random small bucket histories and slow, obvious answers about them, for tests.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "reissue/core/random.h"
#include "reissue/models/invariance/adversary/history.h"

namespace reissue::models::invariance {

struct SmallOptions {
  std::uint32_t releases = 4;
  std::uint64_t values = 2;
  std::uint64_t most = 6;           // people in the bucket, about
  std::uint64_t return_chance = 0;  // in a hundred, per person who is away and release
};

// The stays of each person; one person each, not aggregated.
using Life = std::vector<std::pair<Moment, Moment>>;

inline std::vector<Life> RandomLives(Random& random, const SmallOptions& options) {
  std::vector<Life> lives;
  for (Moment now = 1; now <= options.releases; ++now) {
    const std::uint64_t leave = random.Below(3) * 30;
    std::uint64_t present = 0;
    for (Life& life : lives) {
      if (life.back().second != kStillThere) {
        if (random.Below(100) < options.return_chance) life.emplace_back(now, kStillThere);
      } else if (random.Below(100) < leave) {
        life.back().second = now;
      }
      present += life.back().second == kStillThere;
    }
    std::uint64_t target = random.Below(options.most / options.values + 1) * options.values;
    while (target < present) target += options.values;
    for (; present < target; ++present) lives.push_back({{now, kStillThere}});
  }
  return lives;
}

inline History HistoryOf(const std::vector<Life>& lives) {
  std::map<std::pair<Moment, Moment>, std::uint64_t> stays;
  std::map<Life, std::uint64_t> returns;
  for (const Life& life : lives) {
    if (life.size() == 1) {
      ++stays[life[0]];
    } else {
      ++returns[life];
    }
  }
  History history;
  for (const auto& [stay, people] : stays)
    history.stays.push_back({stay.first, stay.second, people});
  for (const auto& [life, people] : returns) history.returns.push_back({life, people});
  return history;
}

// For messages: people:came-left,came-left …
inline std::string Describe(const std::vector<Life>& lives) {
  std::map<Life, int> people;
  for (const Life& life : lives) ++people[life];
  std::string text;
  for (const auto& [life, count] : people) {
    text += " " + std::to_string(count) + ":";
    for (const auto& [came, left] : life)
      text += std::to_string(came) + "-" + std::to_string(left) + ",";
  }
  return text;
}

using Potentials = std::vector<std::int64_t>;  // by moment; [kStillThere] is 0

inline std::int64_t StandingOf(const Life& life, const Potentials& potentials) {
  std::int64_t standing = 0;
  for (const auto& [came, left] : life) standing += potentials[came] - potentials[left];
  return standing;
}

// The size of the equality that the potentials prove; nothing where they prove none.
inline std::optional<std::uint64_t> SizeOf(const std::vector<Life>& lives,
                                           const Potentials& potentials) {
  std::uint64_t left = 0, right = 0;
  for (const Life& life : lives) {
    const std::int64_t standing = StandingOf(life, potentials);
    (standing > 0 ? left : right) += static_cast<std::uint64_t>(std::abs(standing));
  }
  if (left != right || left == 0) return std::nullopt;
  return left;
}

// All potentials of moments 1 … releases within the box.
inline void ForAllPotentials(std::uint32_t releases, std::int64_t box,
                             const std::function<void(const Potentials&)>& look) {
  Potentials potentials(releases + 1, -box);
  potentials[0] = 0;
  while (true) {
    look(potentials);
    std::size_t i = 1;
    while (i <= releases && potentials[i] == box) potentials[i++] = -box;
    if (i > releases) return;
    ++potentials[i];
  }
}

}  // namespace reissue::models::invariance
