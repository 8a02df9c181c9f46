#include "reissue/models/invariance/service/disguise.h"

#include <algorithm>
#include <unordered_map>

#include "reissue/models/invariance/service/crowd.h"
#include "reissue/models/invariance/service/looks.h"

namespace reissue::models::invariance::service {
namespace {

constexpr std::size_t kGuides = 64;

class Wardrobe {
 public:
  Wardrobe(const binding::GroupedTable& table, const io::Policy& policy, const Plan& plan,
           const State& state, Random& random)
      : table_(table),
        plan_(plan),
        random_(random),
        crowd_(table, Numeric(table, policy), plan.bucket, Fresh(plan, state), random),
        looks_(crowd_, random) {
    for (std::uint32_t row = 0; row < plan.member.size(); ++row) row_of_[plan.member[row]] = row;
  }

  // New ones look like somebody; old ones change as people do.
  std::vector<Counterfeit> Dress(SeriesState& after) {
    std::erase_if(after.guides,
                  [&](const Guide& guide) { return !row_of_.contains(guide.member); });
    std::unordered_map<std::uint32_t, Counterfeit> old;
    for (Counterfeit& counterfeit : after.counterfeits) {
      old.emplace(counterfeit.member, std::move(counterfeit));
    }
    std::vector<Counterfeit> shown;
    for (const std::uint32_t member : plan_.counterfeits) {
      if (const auto known = old.find(member); known != old.end()) {
        shown.push_back(std::move(known->second));
        Follow(after.guides, shown.back().row);
      } else {
        shown.push_back(
            {member, ++after.counterfeits_so_far, looks_.New(after.state.members[member].bucket)});
      }
    }
    return shown;
  }

  // As they are now, and others in the place of those who have left.
  void Renew(std::vector<Guide>& guides) {
    for (Guide& guide : guides) guide.row = RowOf(row_of_.at(guide.member));
    while (guides.size() < std::min(kGuides, plan_.member.size())) {
      const auto row = static_cast<std::uint32_t>(random_.Below(plan_.member.size()));
      guides.push_back({plan_.member[row], RowOf(row)});
    }
  }

 private:
  static std::vector<bool> Numeric(const binding::GroupedTable& table, const io::Policy& policy) {
    std::vector<bool> numeric;
    for (const ColumnId id : table.shown) {
      numeric.push_back(policy.Find(table.holder.table[id].name())->numeric);
    }
    return numeric;
  }

  static std::vector<bool> Fresh(const Plan& plan, const State& state) {
    std::vector<bool> fresh;
    for (const std::uint32_t member : plan.member) {
      fresh.push_back(state.members[member].came == state.release);
    }
    return fresh;
  }

  std::vector<std::string> RowOf(std::uint32_t row) const {
    std::vector<std::string> texts;
    for (const ColumnId id : table_.shown) {
      texts.emplace_back(table_.holder.table[id].text(RowId(row)));
    }
    return texts;
  }

  void Follow(const std::vector<Guide>& guides, std::vector<std::string>& row) {
    if (guides.empty()) return;
    const Guide& guide = guides[random_.Below(guides.size())];
    looks_.Change(guide.row, RowOf(row_of_.at(guide.member)), row);
  }

  const binding::GroupedTable& table_;
  const Plan& plan_;
  Random& random_;
  Crowd crowd_;
  Looks looks_;
  std::unordered_map<std::uint32_t, std::uint32_t> row_of_;  // by member
};

}  // namespace

void Disguise(const binding::GroupedTable& table, const io::Policy& policy, const Plan& plan,
              SeriesState& after, Random& random) {
  if (plan.counterfeits.empty()) {
    after.counterfeits.clear();
    after.guides.clear();
  } else {
    Wardrobe wardrobe(table, policy, plan, after.state, random);
    after.counterfeits = wardrobe.Dress(after);
    wardrobe.Renew(after.guides);
  }
  after.per_release.push_back(after.counterfeits.size());
}

}  // namespace reissue::models::invariance::service
