#include "identities.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace reissue::readers {
namespace {

// Numbers for names, as they come.
class Numbers {
 public:
  std::size_t Of(const std::string& name) {
    return numbers_.emplace(name, numbers_.size()).first->second;
  }
  std::size_t size() const { return numbers_.size(); }

 private:
  std::map<std::string, std::size_t> numbers_;
};

// Somebody after the other gets a value for which all their groups still have a row.
class Trial {
 public:
  Trial(const Identities& identities, std::size_t most)
      : identities_(identities), most_(most), groups_of_(identities.size()) {
    for (std::size_t g = 0; g < identities.groups.size(); ++g) {
      left_.push_back(identities.groups[g].counts);
      for (const std::size_t person : identities.groups[g].people) groups_of_[person].push_back(g);
    }
  }
  std::optional<std::vector<World>> Run() {
    World world(identities_.size());
    return Place(0, world) ? std::optional(std::move(worlds_)) : std::nullopt;
  }

 private:
  bool Place(std::size_t person, World& world) {
    if (person == identities_.size()) {
      worlds_.push_back(world);
      return worlds_.size() <= most_;
    }
    for (std::size_t value = 0; value < identities_.values.size(); ++value) {
      const auto& groups = groups_of_[person];
      const bool room = std::all_of(groups.begin(), groups.end(),
                                    [&](std::size_t g) { return left_[g][value] > 0; });
      if (!room) continue;
      for (const std::size_t g : groups) --left_[g][value];
      world[person] = static_cast<std::uint8_t>(value);
      const bool more = Place(person + 1, world);
      for (const std::size_t g : groups) ++left_[g][value];
      if (!more) return false;
    }
    return true;
  }

  const Identities& identities_;
  std::size_t most_;
  std::vector<std::vector<std::size_t>> groups_of_;
  std::vector<std::vector<std::uint64_t>> left_;
  std::vector<World> worlds_;
};

// What a list of people has in each world, in any order.
std::string ValuesOf(const std::vector<std::size_t>& people, const std::vector<World>& worlds) {
  std::string all;
  for (const World& world : worlds) {
    std::string values;
    for (const std::size_t person : people) values += static_cast<char>('0' + world[person]);
    std::sort(values.begin(), values.end());
    all += values;
  }
  return all;
}

// All lists of so many people, with repetition, each once.
void Lists(std::size_t people, std::size_t size,
           const std::function<void(const std::vector<std::size_t>&)>& visit) {
  std::vector<std::size_t> list(size, 0);
  for (;;) {
    visit(list);
    std::size_t last = size;
    while (last > 0 && list[last - 1] + 1 == people) --last;
    if (last == 0) return;
    std::fill(list.begin() + static_cast<long>(last) - 1, list.end(), list[last - 1] + 1);
  }
}

}  // namespace

Identities IdentitiesOf(const std::vector<Sheet>& released) {
  Identities identities;
  Numbers people, values;
  for (const Sheet& sheet : released) {
    for (std::size_t r = 0; r < sheet.rows.size(); ++r) {
      const std::string& disease = sheet.At(r, "disease");
      if (values.Of(disease) == identities.values.size()) identities.values.push_back(disease);
    }
  }
  for (const Sheet& sheet : released) {
    Numbers groups;
    const std::size_t first = identities.groups.size();
    for (std::size_t r = 0; r < sheet.rows.size(); ++r) {
      const std::string& disease = sheet.At(r, "disease");
      const std::size_t person = people.Of(sheet.At(r, "owner") + "/" + disease);
      if (person == identities.size()) {
        identities.names.push_back(sheet.At(r, "owner"));
        identities.real.push_back(!sheet.Has("counterfeit") || sheet.At(r, "counterfeit") == "no");
      }
      const std::size_t group = first + groups.Of(sheet.At(r, "group"));
      if (group == identities.groups.size()) {
        identities.groups.push_back({{}, std::vector<std::uint64_t>(values.size(), 0)});
      }
      identities.groups[group].people.push_back(person);
      ++identities.groups[group].counts[values.Of(disease)];
    }
  }
  return identities;
}

std::optional<std::vector<World>> WorldsOf(const Identities& identities, std::size_t most) {
  return Trial(identities, most).Run();
}

std::vector<std::set<std::uint8_t>> PossibleValues(const std::vector<World>& worlds) {
  std::vector<std::set<std::uint8_t>> possible(worlds.empty() ? 0 : worlds.front().size());
  for (const World& world : worlds) {
    for (std::size_t p = 0; p < world.size(); ++p) possible[p].insert(world[p]);
  }
  return possible;
}

std::set<std::size_t> InEqualities(const std::vector<World>& worlds, std::uint64_t e) {
  std::set<std::size_t> found;
  if (worlds.empty()) return found;
  for (std::size_t size = 1; size < e; ++size) {
    std::map<std::string, std::vector<std::vector<std::size_t>>> alike;
    Lists(worlds.front().size(), size, [&](const std::vector<std::size_t>& list) {
      alike[ValuesOf(list, worlds)].push_back(list);
    });
    // What two lists that are alike do not share is an equality of so many people or fewer.
    for (const auto& [values, lists] : alike) {
      for (std::size_t a = 0; a < lists.size(); ++a) {
        for (std::size_t b = a + 1; b < lists.size(); ++b) {
          std::set_symmetric_difference(lists[a].begin(), lists[a].end(), lists[b].begin(),
                                        lists[b].end(), std::inserter(found, found.end()));
        }
      }
    }
  }
  return found;
}

}  // namespace reissue::readers
