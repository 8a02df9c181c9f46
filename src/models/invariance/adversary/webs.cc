#include "reissue/models/invariance/adversary/webs.h"

#include <algorithm>

namespace reissue::models::invariance {
namespace {

constexpr std::uint32_t kNowhere = 0xffffffffu;

class Webs {
 public:
  Webs(const Series& series, const std::vector<const Part*>& parts) : series_(series) {
    for (const Snapshot& release : series.releases) wanted_.emplace_back(release.groups, 0);
    for (const Part* part : parts) {
      for (const GroupId& id : part->groups) wanted_[id.release][id.group] = 1;
    }
    Link();
  }

  std::vector<Web> Run() {
    std::vector<std::uint32_t> web_of(parent_.size(), kNowhere);
    std::vector<std::uint32_t> number(series_.persons, kNowhere);
    std::vector<Value> value(series_.persons, 0);
    for (Person person = 0; person < series_.persons; ++person) {
      if (first_[person] == kNowhere) continue;
      std::uint32_t& web = web_of[Root(first_[person])];
      if (web == kNowhere) {
        web = static_cast<std::uint32_t>(webs_.size());
        webs_.emplace_back();
      }
      number[person] = static_cast<std::uint32_t>(webs_[web].people.size());
      webs_[web].people.push_back(person);
      webs_[web].truth.push_back(kNowhere);
    }
    std::uint32_t at = 0;
    for (std::uint32_t r = 0; r < series_.releases.size(); ++r) {
      if (std::ranges::count(wanted_[r], 1) == 0) continue;
      for (const Row& row : series_.releases[r].rows) value[row.person] = row.value;
      for (PublishedGroup& group : GroupsOf(series_, r)) {
        if (!wanted_[r][group.group]) continue;
        Web& web = webs_[web_of[Root(at++)]];
        for (Person& person : group.people) {
          Tell(web, number[person], value[person]);
          person = number[person];
        }
        web.groups.push_back(std::move(group));
      }
    }
    return std::move(webs_);
  }

 private:
  static void Tell(Web& web, std::uint32_t person, Value value) {
    if (web.truth.empty()) return;
    Value& known = web.truth[person];
    if (known == kNowhere || known == value) {
      known = value;
    } else {
      web.truth.clear();
    }
  }

  void Link() {
    std::uint32_t groups = 0;
    first_.assign(series_.persons, kNowhere);
    for (std::uint32_t r = 0; r < series_.releases.size(); ++r) {
      std::vector<std::uint32_t> number(wanted_[r].size(), kNowhere);
      for (std::size_t g = 0; g < number.size(); ++g) {
        if (wanted_[r][g]) number[g] = groups++;
      }
      parent_.resize(groups);
      for (std::size_t g = 0; g < number.size(); ++g) {
        if (wanted_[r][g]) parent_[number[g]] = number[g];
      }
      for (const Row& row : series_.releases[r].rows) {
        if (number[row.group] == kNowhere) continue;
        std::uint32_t& first = first_[row.person];
        if (first == kNowhere) {
          first = number[row.group];
        } else {
          parent_[Root(number[row.group])] = Root(first);
        }
      }
    }
  }

  std::uint32_t Root(std::uint32_t g) {
    while (parent_[g] != g) g = parent_[g] = parent_[parent_[g]];
    return g;
  }

  const Series& series_;
  std::vector<std::vector<char>> wanted_;  // by release and group
  std::vector<std::uint32_t> parent_;      // per wanted group, in order
  std::vector<std::uint32_t> first_;       // a group per person
  std::vector<Web> webs_;
};

}  // namespace

std::vector<Web> WebsOf(const Series& series, const std::vector<const Part*>& parts) {
  return Webs(series, parts).Run();
}

}  // namespace reissue::models::invariance
