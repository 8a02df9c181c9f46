#include "reissue/io/policy_columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace reissue::io {
namespace {

using Kind = Setting::Kind;
using Words = std::vector<std::string>;

const Words& ColumnKeys() {
  static const Words keys = {"role", "taxonomy", "sets", "levels",      "floor",  "ceiling",
                             "keep", "weight",   "type", "breakpoints", "ranges", "order"};
  return keys;
}
const Words& RoleNames() {  // in the order of enum Role
  static const Words names = {"identifier", "quasi", "sensitive", "publish", "drop"};
  return names;
}

class ColumnReader : PolicyWords {
 public:
  ColumnReader(const PolicyWords& words, const std::string& name, const Setting& value)
      : PolicyWords(words), value_(value) {
    column_.name = name;
    column_.line = value.line;
  }

  PolicyColumn Read(std::vector<Error>& problems) {
    const std::size_t before = problems.size();
    const auto note = [&](const Status& status) {
      if (!status) problems.push_back(status.error());
    };
    if (column_.name.empty()) {
      note(At(value_, "a column without a name in [columns]", "name the column"));
    } else if (value_.kind != Kind::kTable) {
      note(Bad(value_, fmt::format("a column must be a table, not {}", KindName(value_.kind)),
               "write for example `{ role = \"drop\" }`"));
    }
    if (problems.size() > before) return std::move(column_);
    bool has_role = false;
    for (const auto& [key, setting] : value_.table) {
      if (key == "role") has_role = true;
      note(ReadKey(key, setting));
    }
    if (!has_role) {
      note(
          AtColumn(column_, "the column has no role",
                   fmt::format("add `role = …`; the roles are: {}", fmt::join(RoleNames(), ", "))));
    }
    // Whether keys go together is asked of keys that could be read.
    if (problems.size() > before) return std::move(column_);
    note(CheckTrees());
    note(CheckRole());
    note(ReadBounds());
    return std::move(column_);
  }

 private:
  Error Bad(const Setting& setting, std::string message, std::string remedy) const {
    return At(setting, std::move(message), std::move(remedy), column_.name);
  }
  Status Is(const Setting& setting, Kind kind, const std::string& key) const {
    return Expect(setting, kind, fmt::format("\"{}\"", key), column_.name);
  }

  Status ReadKey(const std::string& key, const Setting& value) {
    if (key == "breakpoints") return ReadBreakpoints(value);
    if (key == "weight") return ReadWeight(value);
    if (key == "order" || key == "levels") return ReadList(key, value);
    if (key == "floor" || key == "ceiling") {
      (key == "floor" ? floor_ : ceiling_) = &value;
      return Ok();
    }
    if (key == "sets" || key == "keep") {
      REISSUE_TRY(Is(value, Kind::kFlag, key));
      (key == "sets" ? column_.sets : keep_) = value.flag;
      return Ok();
    }
    if (key != "role" && key != "taxonomy" && key != "type" && key != "ranges") {
      return Bad(value, fmt::format("unknown key \"{}\"", key),
                 Suggest(key, ColumnKeys(), "a column knows"));
    }
    REISSUE_TRY(Is(value, Kind::kText, key));
    return ReadText(key, value);
  }

  Status ReadText(const std::string& key, const Setting& value) {
    if (key == "role") {
      const auto found = std::find(RoleNames().begin(), RoleNames().end(), value.text);
      if (found == RoleNames().end()) {
        return Bad(value, fmt::format("unknown role \"{}\"", value.text),
                   Suggest(value.text, RoleNames(), "the roles are"));
      }
      column_.role = static_cast<Role>(found - RoleNames().begin());
    } else if (key == "taxonomy") {
      if (value.text.empty()) {
        return Bad(value, "\"taxonomy\" is empty", "name the file, relative to the policy");
      }
      column_.taxonomy = Beside(file(), value.text);
    } else if (key == "ranges") {
      if (value.text != "round") {
        return Bad(value, fmt::format("unknown ranges \"{}\"", value.text),
                   "the only ones are \"round\"; leave the key out for ranges found from the data");
      }
      column_.numeric = column_.round_ranges = true;
    } else {
      if (value.text != "numeric") {
        return Bad(value, fmt::format("unknown type \"{}\"", value.text),
                   "the only type is \"numeric\"; leave the key out for anything else");
      }
      column_.numeric = true;
    }
    return Ok();
  }

  Status ReadList(const std::string& key, const Setting& value) {
    Words& list = key == "order" ? column_.order : levels_;
    list = REISSUE_TRY(Texts(value, fmt::format("\"{}\"", key), column_.name));
    if (!list.empty()) return Ok();
    return Bad(value, fmt::format("\"{}\" is empty", key),
               key == "order" ? "list the values from the least to the greatest"
                              : "name the levels, from the raw values up");
  }

  Status ReadWeight(const Setting& value) {
    REISSUE_TRY(Is(value, Kind::kNumber, "weight"));
    column_.weight = value.number;
    if (value.number >= 1e-3 && value.number <= 1e3) return Ok();
    return Bad(value, "a weight must be a number from 0.001 to 1000",
               "a column of weight 2 counts as much as two of weight 1");
  }

  // One list of numbers, or a list of such lists.
  Status ReadBreakpoints(const Setting& value) {
    const bool nested =
        value.kind == Kind::kList && !value.list.empty() && value.list.front().kind == Kind::kList;
    const std::vector<Setting> lists = nested ? value.list : std::vector<Setting>{value};
    for (const Setting& list : lists) {
      std::vector<double> numbers;
      for (const Setting& item : list.list) {
        if (item.kind == Kind::kNumber) numbers.push_back(item.number);
      }
      if (list.kind != Kind::kList || numbers.size() != list.list.size() || numbers.size() < 2) {
        return Bad(list,
                   "\"breakpoints\" must be a list of at least two numbers, or a list of such "
                   "lists",
                   "write for example `breakpoints = [0, 20, 40, 60]`, or from the finest to the "
                   "coarsest `[[0, 10, 20, 30, 40], [0, 20, 40]]`");
      }
      column_.breakpoints.push_back(std::move(numbers));
    }
    column_.numeric = true;
    return Ok();
  }

  Status CheckTrees() const {
    const bool quasi = column_.role == Role::kQuasi;
    if (!column_.taxonomy.empty() && !quasi && column_.role != Role::kSensitive) {
      return AtColumn(column_, "a taxonomy is only for quasi-identifiers and sensitive columns",
                      "remove `taxonomy`, or change the role");
    }
    if (!column_.breakpoints.empty() && !quasi) return OnlyQuasi("breakpoints", "breakpoints");
    if (!column_.breakpoints.empty() && !column_.taxonomy.empty()) {
      return AtColumn(column_, "both a taxonomy and breakpoints", "keep one of the two");
    }
    if (column_.round_ranges && !quasi) return OnlyQuasi("ranges", "ranges");
    if (column_.round_ranges && (!column_.taxonomy.empty() || !column_.breakpoints.empty())) {
      return AtColumn(column_,
                      fmt::format("both {} and ranges",
                                  column_.taxonomy.empty() ? "breakpoints" : "a taxonomy"),
                      "keep one of the two");
    }
    return Ok();
  }

  Status CheckRole() const {
    const bool quasi = column_.role == Role::kQuasi;
    if (column_.sets && (column_.taxonomy.empty() || !quasi)) {
      return AtColumn(column_, "sets are only for quasi-identifiers with a taxonomy",
                      "remove `sets`, or add a taxonomy");
    }
    if (column_.weight != 1 && !quasi) return OnlyQuasi("weights", "weight");
    if (!column_.order.empty() && column_.role != Role::kSensitive) {
      return AtColumn(column_, "an order of values is only for sensitive columns",
                      "remove `order`, or change the role to \"sensitive\"");
    }
    if (!quasi && !levels_.empty()) return OnlyQuasi("levels", "levels");
    if (!quasi && floor_ != nullptr) return OnlyQuasi("floors", "floor");
    if (!quasi && ceiling_ != nullptr) return OnlyQuasi("ceilings", "ceiling");
    if (!quasi && keep_) {
      return AtColumn(column_, "only quasi-identifiers can lose detail, so only they can `keep` it",
                      "remove `keep`, or change the role to \"quasi\"");
    }
    return Ok();
  }
  Status OnlyQuasi(std::string_view what, std::string_view key) const {
    return AtColumn(column_, fmt::format("{} are only for quasi-identifiers", what),
                    fmt::format("remove `{}`, or change the role to \"quasi\"", key));
  }

  Status ReadBounds() {
    const bool bounds = floor_ != nullptr || ceiling_ != nullptr || keep_;
    if (bounds && column_.taxonomy.empty() && column_.breakpoints.empty()) {
      return AtColumn(column_, "a floor, a ceiling or `keep` needs a taxonomy or breakpoints",
                      "ranges that are found from the data have no levels: name a taxonomy or "
                      "breakpoints, or remove the key");
    }
    if (floor_ != nullptr) column_.floor = REISSUE_TRY(ReadLevel("floor", *floor_));
    if (ceiling_ != nullptr) column_.ceiling = REISSUE_TRY(ReadLevel("ceiling", *ceiling_));
    if (keep_ && column_.ceiling) {
      return Bad(*ceiling_, "both `keep` and a ceiling",
                 "keep one of the two: `keep = true` is the floor as the ceiling");
    }
    if (keep_) column_.ceiling = column_.floor.value_or(0);
    if (column_.ceiling && column_.floor && *column_.ceiling < *column_.floor) {
      return Bad(*ceiling_, "the ceiling lies below the floor",
                 "levels count from the raw values up: the ceiling is at least the floor");
    }
    return Ok();
  }

  // A number of steps above the raw values, or the name of a level.
  Result<std::uint32_t> ReadLevel(const std::string& key, const Setting& value) const {
    constexpr double kMost = 1000;
    if (value.kind == Kind::kNumber) {
      if (value.integer && value.number >= 0 && value.number <= kMost) {
        return static_cast<std::uint32_t>(value.number);
      }
      return Bad(value, fmt::format("\"{}\" must be a level: a whole number from 0", key),
                 "0 are the raw values, 1 is one step above them");
    }
    REISSUE_TRY(Is(value, Kind::kText, key));
    const auto found = std::find(levels_.begin(), levels_.end(), value.text);
    if (found != levels_.end()) return static_cast<std::uint32_t>(found - levels_.begin());
    return Bad(value, fmt::format("\"{}\" is no level of this column that has a name", value.text),
               levels_.empty() ? "name the levels, from the raw values up, for example `levels = "
                                 "[\"town\", \"county\", \"country\"]`, or write a number"
                               : Suggest(value.text, levels_, "the levels are"));
  }

  const Setting& value_;
  PolicyColumn column_;
  Words levels_;  // names, from the raw values up
  const Setting* floor_ = nullptr;
  const Setting* ceiling_ = nullptr;
  bool keep_ = false;
};

}  // namespace

PolicyColumn ReadPolicyColumn(const std::string& name, const Setting& value,
                              const PolicyWords& words, std::vector<Error>& problems) {
  return ColumnReader(words, name, value).Read(problems);
}

}  // namespace reissue::io
