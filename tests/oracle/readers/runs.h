#pragma once
// A reader who also runs the publisher: she takes every world that is possible to her, publishes it
// as the program would, and keeps those that can give what was published. What is left to her no
// model promises; it is measured.

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "beliefs.h"
#include "desk.h"
#include "judge.h"

namespace reissue::readers {

// Worlds that are alike in all that she knows beforehand.
struct Setting {
  std::uint64_t seeds = 2;  // with how many each world is published: as chance has a part in it
  std::vector<Case> worlds;
  std::vector<Fields> values;   // per world, what everybody has: what she is after
  std::vector<double> weights;  // per world, before the release
  // Of whom the rates are, by the name of the line.
  std::map<std::string, std::set<std::size_t>> lines;
  // A release, or a series, as she sees it: without what chance decides and tells nothing.
  std::function<std::string(const Desk::Published&)> shown;
  // Worlds that explain what was published, whoever published it.
  std::function<std::vector<std::size_t>(const Desk::Published&)> explain;
  // Of whom she knows more than is promised. `left`: the worlds that she has not excluded;
  // `beliefs`: of everybody.
  std::function<std::set<std::size_t>(const std::vector<std::size_t>& left,
                                      const std::vector<Belief>& beliefs)>
      beyond;
};

// Four to six people with quasi-identifiers that she knows. Promised: two rows and two values.
Setting OneReleaseSetting(Chance& chance);  // model `k`
// The same with local recoding, on a line of its own.
Setting InBoxes(Setting setting);
Setting GrowingSetting(Chance& chance);  // model `bcf`, two releases
// Promised: two rows, and a bound on what the join tells of a column of the release.
Setting LinkedSetting(Chance& chance);  // model `xy`
// Five people, three values, m = 2: one of four leaves, and one comes.
Setting ChangingSetting(std::uint64_t e);  // model `m-invariance`
// Four people, one or two releases. Promised: at most 0.8 of belief.
Setting EvolvingSetting(Chance& chance);  // model `j-similarity`

// Publishes every world, and adds up what she makes of each release.
void RunPublisher(const Setting& setting, const Publisher& publish, std::vector<Rates>& rates);

}  // namespace reissue::readers
