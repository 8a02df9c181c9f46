#include "reissue/advice/roles.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "reissue/columns/names.h"

namespace reissue::advice {
namespace {

using columns::Hint;
using columns::Meaning;
using io::Role;
using taxonomy::DraftKind;

constexpr double kFewMissing = 0.05;  // so many rows may be left out
constexpr double kNearlyUnique = 0.5;

std::string Share(double share) {
  return share > 0 && share < 0.01 ? "under 1 %" : fmt::format("{:.0f} %", 100 * share);
}

// Sex is written in few ways, and a column without a name may be one.
bool LooksLikeSex(const std::vector<std::string>& values) {
  static const std::set<std::string> kWords = {"male", "female", "Male", "Female", "MALE", "FEMALE",
                                               "M",    "F",      "m",    "f",      "w"};
  return values.size() == 2 && kWords.contains(values[0]) && kWords.contains(values[1]);
}

bool LooksLikeAges(const Profile& profile) {
  constexpr double kOldest = 120, kMany = 40;
  return profile.whole && profile.low >= 0 && profile.high <= kOldest &&
         profile.high - profile.low >= kMany &&
         static_cast<double>(profile.values.size()) >= 0.7 * (profile.high - profile.low);
}

class RoleGuesser {
 public:
  RoleGuesser(const std::vector<Profile>& profiles, const RolesWanted& wanted)
      : profiles_(profiles), wanted_(wanted) {}

  TableAdvice Guess() {
    for (const Profile& profile : profiles_) {
      hints_.push_back(columns::HintOf(profile.name));
      advice_.columns.push_back(
          {.name = profile.name, .reason = {}, .draft = {}, .breakpoints = {}});
    }
    kinds_.resize(profiles_.size(), DraftKind::kFlat);
    ChooseIdentifier();
    for (std::size_t c = 0; c < profiles_.size(); ++c) {
      if (advice_.columns[c].reason.empty()) GuessRole(c);
    }
    if (wanted_.sensitive) FindSensitive();
    DecideUnsure();
    DecideMissing();
    for (std::size_t c = 0; c < profiles_.size(); ++c) DraftTree(c);
    SayWhatMatters();
    return std::move(advice_);
  }

 private:
  void Set(std::size_t c, Role role, std::string reason, bool sure = true) {
    ColumnAdvice& column = advice_.columns[c];
    column.role = role;
    column.reason = std::move(reason);
    column.sure = sure;
  }
  bool Is(std::size_t c, Role role) const { return advice_.columns[c].role == role; }

  // ---- identifiers

  // Tells rows or people apart: nearly as many values as rows, and no measure.
  bool Tells(std::size_t c) const {
    const Profile& profile = profiles_[c];
    const auto distinct = static_cast<double>(profile.values.size());
    const auto rows = static_cast<double>(profile.present());
    const bool named =
        hints_[c].meaning == Meaning::kPerson || hints_[c].meaning == Meaning::kNumbering;
    if (profile.values.size() < 2 || (profile.numeric && !profile.whole)) return false;
    if (std::count(wanted_.identifiers.begin(), wanted_.identifiers.end(), profile.name) > 0) {
      return true;
    }
    if (hints_[c].meaning == Meaning::kDirect) return false;
    constexpr double kSeveralRows = 0.1, kFew = 20;
    if (named) return distinct >= kSeveralRows * rows && distinct * 2 > std::min(rows, kFew);
    const bool known = hints_[c].meaning != Meaning::kNothing || hints_[c].quantity;
    return profile.once && rows >= kFew && !known && !IsDateOrBand(profile);
  }
  static bool IsDateOrBand(const Profile& profile) {
    return taxonomy::DraftHierarchy(profile.values, DraftKind::kDates, "").has_value() ||
           taxonomy::DraftHierarchy(profile.values, DraftKind::kBands, "").has_value();
  }

  int Rank(std::size_t c) const {
    if (!wanted_.identifiers.empty() && wanted_.identifiers[0] == profiles_[c].name) return 3;
    if (hints_[c].meaning == Meaning::kPerson) return 2;
    return hints_[c].meaning == Meaning::kNumbering ? 1 : 0;
  }

  void ChooseIdentifier() {
    std::vector<std::size_t> found;
    for (std::size_t c = 0; c < profiles_.size(); ++c) {
      if (Tells(c)) found.push_back(c);
    }
    std::stable_sort(found.begin(), found.end(),
                     [&](std::size_t a, std::size_t b) { return Rank(a) > Rank(b); });
    if (found.empty()) return;
    const Profile& best = profiles_[found[0]];
    const bool once = best.once && best.present() == best.rows;
    if (once) {
      Set(found[0], Role::kIdentifier, "another value in every row: tells people apart",
          Rank(found[0]) > 0);
    } else if (best.once) {
      Set(found[0], Role::kIdentifier, "tells people apart, where it is there", Rank(found[0]) > 0);
    } else {
      Set(found[0], Role::kDrop,
          fmt::format("numbers people, who have up to {} rows each", best.most));
      advice_.notes.push_back(fmt::format(
          "The rows are not people: \"{}\" stands in up to {} rows. A promise counts rows, and k "
          "rows may be fewer people. Make a table with one row per person, or a larger k, before "
          "anything leaves the house.",
          best.name, best.most));
    }
    for (std::size_t i = 1; i < found.size(); ++i) {
      Set(found[i], Role::kDrop, "numbers rows or people: whoever has it finds the row");
    }
  }

  // ---- the other columns

  void GuessRole(std::size_t c) {
    const Profile& profile = profiles_[c];
    const Hint& hint = hints_[c];
    const std::string named = fmt::format("its name: {}", hint.word);
    if (profile.values.empty()) return Set(c, Role::kDrop, "has no values");
    if (profile.values.size() == 1 && profile.present() == profile.rows) {
      return Set(c, Role::kDrop, "has one value only: it tells nothing");
    }
    if (std::count(wanted_.taken.begin(), wanted_.taken.end(), profile.name) > 0) {
      return Set(c, Role::kDrop, "releases of this model have a column of this name themselves");
    }
    if (hint.meaning == Meaning::kDirect) {
      return Set(c, Role::kDrop, named + ": whoever reads it knows who it is");
    }
    const DraftKind kind = KindOf(c);
    kinds_[c] = kind;
    if (kind == DraftKind::kDates && hint.meaning != Meaning::kSensitive) {
      return Set(c, Role::kQuasi, "dates");
    }
    if (hint.meaning == Meaning::kSensitive) return Set(c, Role::kSensitive, named);
    if (kind == DraftKind::kDiagnoses) {
      return Set(c, Role::kSensitive, "looks like diagnoses (ICD)");
    }
    if (hint.meaning == Meaning::kQuasi) return Set(c, Role::kQuasi, named);
    if (LooksLikeSex(profile.values)) return Set(c, Role::kQuasi, "looks like sex");
    if (kind == DraftKind::kBands) return Set(c, Role::kQuasi, "ranges of numbers", false);
    if (!hint.quantity && LooksLikeAges(profile))
      return Set(c, Role::kQuasi, "looks like ages", false);
    GuessByValues(c);
  }

  // How the values are written.
  DraftKind KindOf(std::size_t c) const {
    const Profile& profile = profiles_[c];
    const auto draft = taxonomy::DraftHierarchy(profile.values, DraftKind::kAuto, profile.name);
    if (!draft) return DraftKind::kFlat;
    const bool quantity = draft->kind == DraftKind::kPrefixes && profile.numeric &&
                          hints_[c].quantity && !hints_[c].code;
    return quantity ? DraftKind::kRanges : draft->kind;
  }

  void GuessByValues(std::size_t c) {
    constexpr double kTellsNothing = 0.01;
    const Profile& profile = profiles_[c];
    const auto distinct = static_cast<double>(profile.values.size());
    constexpr std::uint64_t kSome = 10, kMany = 20;
    const bool every = profile.once && !profile.numeric && profile.rows >= kSome;
    if (every ||
        (profile.rows >= kMany && distinct > kNearlyUnique * static_cast<double>(profile.rows))) {
      return Set(c, Role::kDrop,
                 fmt::format("nearly unique ({} values in {} rows): it ties rows to people",
                             profile.values.size(), profile.rows));
    }
    if (profile.rows >= kMany && profile.marked == 0 && profile.entropy < kTellsNothing) {
      return Set(c, Role::kDrop,
                 "nearly always the same value: it tells little, and whoever differs stands out");
    }
    Set(c, Role::kQuasi, "nobody can tell from its name or values", false);
    undecided_.push_back(c);
  }

  // The model is about sensitive values: takes the last column that can be one.
  void FindSensitive() {
    if (!advice_.Names(Role::kSensitive).empty()) return;
    for (std::size_t i = undecided_.size(); i-- > 0;) {
      const std::size_t c = undecided_[i];
      if (profiles_[c].most * 2 > profiles_[c].rows) continue;
      Set(c, Role::kSensitive, "the model needs a sensitive column, and this may be one", false);
      undecided_.erase(undecided_.begin() + static_cast<std::ptrdiff_t>(i));
      return;
    }
  }

  // Careful, as long as that does not cost everything else its detail.
  void DecideUnsure() {
    const std::size_t known = advice_.Names(Role::kQuasi).size() - undecided_.size();
    constexpr std::size_t kEnoughKnown = 3;
    const std::size_t room = known >= kManyQuasi ? 0 : kManyQuasi - known;
    const bool all = undecided_.size() <= room;
    const std::size_t taken = all ? undecided_.size() : known >= kEnoughKnown ? 0 : room;
    for (std::size_t i = 0; i < undecided_.size(); ++i) {
      ColumnAdvice& column = advice_.columns[undecided_[i]];
      if (i < taken) {
        column.reason += "; quasi is the careful choice";
        continue;
      }
      column.role = Role::kDrop;
      column.reason += fmt::format(
          "; with more than {} quasi-identifiers each loses its detail, so it is left out until "
          "you decide",
          kManyQuasi);
    }
    if (taken < undecided_.size()) {
      advice_.notes.push_back(fmt::format(
          "{} columns are left out until you decide: nobody can tell what they are. Give those "
          "that you want to publish the role \"quasi\" if somebody may know them of a person, and "
          "\"sensitive\" if nobody may learn them.",
          undecided_.size() - taken));
    }
  }

  // ---- missing values

  // An empty field has no leaf, `*` is no value, and an identifier must be there.
  void DecideMissing() {
    std::set<std::string> markers;
    bool rows_go = false;
    for (std::size_t c = 0; c < profiles_.size(); ++c) {
      const Profile& profile = profiles_[c];
      if (Is(c, Role::kDrop)) continue;
      if (Is(c, Role::kIdentifier)) {
        if (profile.empty > 0) markers.insert("");
        markers.insert(profile.marks.begin(), profile.marks.end());
        rows_go = rows_go || !markers.empty();
        continue;
      }
      if (!Is(c, Role::kQuasi)) continue;
      const std::uint64_t lost = profile.empty + profile.starred;
      if (lost == 0) continue;
      if (profile.share(lost) > kFewMissing) {
        Set(c, Role::kDrop,
            fmt::format("{} of its fields are {}, which no taxonomy can name: write a word there "
                        "to keep the column",
                        Share(profile.share(lost)),
                        profile.starred == 0 ? "empty"
                        : profile.empty == 0 ? "`*`"
                                             : "empty or `*`"));
        continue;
      }
      rows_go = true;
      if (profile.empty > 0) markers.insert("");
      if (profile.starred > 0) markers.insert("*");
    }
    bool empty_values = false;
    for (std::size_t c = 0; c < profiles_.size(); ++c) {
      const Profile& profile = profiles_[c];
      if (!Is(c, Role::kSensitive) || profile.empty == 0) continue;
      if (rows_go && profile.share(profile.empty) > kFewMissing) {
        Set(c, Role::kDrop,
            fmt::format("{} of its fields are empty, and rows with empty fields are left out: "
                        "write a word there to keep the column",
                        Share(profile.share(profile.empty))));
        continue;
      }
      empty_values = true;
    }
    SetMissing(std::move(markers), rows_go, empty_values);
  }

  void SetMissing(std::set<std::string> markers, bool rows_go, bool empty_values) {
    std::set<std::string> marks;
    for (std::size_t c = 0; c < profiles_.size(); ++c) {
      if (Is(c, Role::kDrop) || Is(c, Role::kIdentifier)) continue;
      for (const std::string& mark : profiles_[c].marks) {
        if (!markers.contains(mark)) marks.insert(mark);
      }
      if (!profiles_[c].marks.empty()) advice_.fields_with_marks += profiles_[c].marked;
    }
    advice_.marks.assign(marks.begin(), marks.end());
    if (rows_go) {
      advice_.on_missing = io::OnMissing::kDropRow;
      if (empty_values) markers.insert("");
      advice_.missing_markers.assign(markers.begin(), markers.end());
    } else if (empty_values || !marks.empty()) {
      advice_.on_missing = io::OnMissing::kValue;
      if (empty_values) marks.insert("");
      advice_.missing_markers.assign(marks.begin(), marks.end());
    }
  }

  // ---- trees

  bool IsCategory(std::size_t c) const {
    constexpr std::size_t kFewCodes = 12;
    const Profile& profile = profiles_[c];
    if (!profile.whole) return false;
    if (hints_[c].code) return true;
    // A quantity is seldom so dense and so often the same.
    const auto distinct = static_cast<double>(profile.values.size());
    return !hints_[c].quantity && profile.values.size() <= kFewCodes &&
           profile.high - profile.low < 2 * distinct &&
           3 * distinct <= static_cast<double>(profile.present());
  }

  void DraftTree(std::size_t c) {
    ColumnAdvice& column = advice_.columns[c];
    const Profile& profile = profiles_[c];
    if (Is(c, Role::kSensitive)) {
      column.numeric = profile.numeric && profile.marks.empty() && profile.empty == 0 &&
                       kinds_[c] == DraftKind::kRanges && !IsCategory(c);
    }
    if (!Is(c, Role::kQuasi)) return;
    std::vector<std::string> values = profile.values;
    values.insert(values.end(), profile.marks.begin(), profile.marks.end());
    const bool category = IsCategory(c) && kinds_[c] == DraftKind::kRanges;
    if (kinds_[c] == DraftKind::kRanges && !category) {
      const std::vector<double> ends =
          hints_[c].age || (!hints_[c].quantity && LooksLikeAges(profile)) ? Ages(profile)
                                                                           : std::vector<double>();
      column.breakpoints = ends.empty() ? taxonomy::RoundBreakpoints(profile.Numbers()) : ends;
      if (!column.breakpoints.empty()) {
        if (profile.marks.empty() && !wanted_.trees) return;
        column.draft = {DraftKind::kRanges,
                        taxonomy::LinesOfBreakpoints(values, column.breakpoints),
                        !profile.marks.empty()};
        column.breakpoints.clear();
        if (!profile.marks.empty()) {
          column.reason += "; numbers, and marks that are none, so it has a taxonomy";
        }
        return;
      }
    }
    const Result<taxonomy::Draft> draft = taxonomy::DraftHierarchy(
        values, category ? DraftKind::kFlat : DraftKind::kAuto, profile.name);
    if (!draft) return Set(c, Role::kDrop, "no taxonomy can name all of its values", false);
    column.draft = *draft;
    if (category) {
      column.reason += "; its numbers are taken for codes, not for quantities";
      if (!hints_[c].code) column.sure = false;
    }
    constexpr std::size_t kManyFlat = 12;
    if (draft->kind == DraftKind::kFlat && profile.values.size() > kManyFlat) {
      column.reason += fmt::format("; {} values without groups: group them in the taxonomy",
                                   profile.values.size());
    }
  }

  // Five years, up to a round age that nobody in the table has reached.
  static std::vector<double> Ages(const Profile& profile) {
    constexpr double kStep = 5, kHundred = 100, kOldest = 130;
    if (profile.low < 0 || profile.high >= kOldest || profile.high - profile.low < kStep) {
      return {};
    }
    const double last =
        profile.high < kHundred ? kHundred : 2 * kStep * (std::floor(profile.high / 10) + 1);
    std::vector<double> ends;
    for (double end = 0; end <= last; end += kStep) ends.push_back(end);
    return ends;
  }

  void SayWhatMatters() {
    if (advice_.Names(Role::kQuasi).empty()) return;
    if (advice_.Names(Role::kSensitive).size() > 1) {
      advice_.notes.push_back(
          "Several sensitive columns count as one value together: a promise about it says nothing "
          "about each of them. Keep the one that matters most, and drop or generalise the others.");
    }
  }

  const std::vector<Profile>& profiles_;
  const RolesWanted& wanted_;
  std::vector<Hint> hints_;
  std::vector<DraftKind> kinds_;
  std::vector<std::size_t> undecided_;
  TableAdvice advice_;
};

}  // namespace

const ColumnAdvice* TableAdvice::Find(std::string_view name) const {
  for (const ColumnAdvice& column : columns) {
    if (column.name == name) return &column;
  }
  return nullptr;
}

std::vector<std::string> TableAdvice::Names(io::Role role) const {
  std::vector<std::string> names;
  for (const ColumnAdvice& column : columns) {
    if (column.role == role) names.push_back(column.name);
  }
  return names;
}

TableAdvice AdviseRoles(const std::vector<Profile>& profiles, const RolesWanted& wanted) {
  return RoleGuesser(profiles, wanted).Guess();
}

}  // namespace reissue::advice
