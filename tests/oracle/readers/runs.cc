#include "runs.h"

#include <algorithm>

namespace reissue::readers {
namespace {

struct Given {
  std::map<std::size_t, double> worlds;  // that gave it, and how often
  std::vector<std::size_t> explained;    // that might have, for all that the files tell
};
using Releases = std::map<std::string, Given>;  // by what is shown

Rates& LineOf(const std::string& name, std::vector<Rates>& rates) {
  const auto at =
      std::find_if(rates.begin(), rates.end(), [&](const Rates& one) { return one.model == name; });
  if (at != rates.end()) return *at;
  rates.push_back({name});
  return rates.back();
}

std::vector<Belief> BeliefsOf(const Setting& setting, const std::map<std::size_t, double>& worlds) {
  std::vector<Belief> beliefs(setting.values.front().size());
  double all = 0;
  for (const auto& [world, times] : worlds) all += setting.weights[world] * times;
  for (const auto& [world, times] : worlds) {
    for (std::size_t p = 0; p < beliefs.size(); ++p) {
      beliefs[p][setting.values[world][p]] += setting.weights[world] * times / all;
    }
  }
  return beliefs;
}

// Whether everybody has the same value in all these worlds.
std::vector<bool> Same(const Setting& setting, const std::vector<std::size_t>& worlds) {
  std::vector<bool> same(setting.values.front().size(), true);
  for (const std::size_t world : worlds) {
    for (std::size_t p = 0; p < same.size(); ++p) {
      same[p] = same[p] && setting.values[world][p] == setting.values[worlds.front()][p];
    }
  }
  return same;
}

Releases PublishAll(const Setting& setting, const Publisher& publish) {
  Releases releases;
  for (std::size_t world = 0; world < setting.worlds.size(); ++world) {
    for (std::uint64_t seed = 1; seed <= setting.seeds; ++seed) {
      const Case& one = setting.worlds[world];
      const Desk::Published published = publish(one, 1000 * seed);
      if (published.released.size() < one.sheets.size()) continue;  // there is nothing to read
      Given& given = releases[setting.shown(published)];
      if (given.worlds.empty()) given.explained = setting.explain(published);
      ++given.worlds[world];
    }
  }
  return releases;
}

}  // namespace

void RunPublisher(const Setting& setting, const Publisher& publish, std::vector<Rates>& rates) {
  for (const auto& [shown, given] : PublishAll(setting, publish)) {
    std::vector<std::size_t> left;
    double times = 0;
    for (const auto& [world, often] : given.worlds) {
      left.push_back(world);
      times += often;
    }
    const std::vector<Belief> beliefs = BeliefsOf(setting, given.worlds);
    const std::vector<bool> told = Same(setting, given.explained);
    const std::set<std::size_t> beyond = setting.beyond(left, beliefs);
    for (const auto& [name, people] : setting.lines) {
      Rates& line = LineOf(name, rates);
      line.cases += static_cast<std::uint64_t>(times);
      line.people += static_cast<std::uint64_t>(times) * people.size();
      for (const std::size_t person : people) {
        if (told[person]) line.told += times;
        if (beliefs[person].size() == 1) line.certain += times;
        if (beyond.contains(person)) line.beyond += times;
      }
    }
  }
}

}  // namespace reissue::readers
