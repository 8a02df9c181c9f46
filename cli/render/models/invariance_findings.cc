#include "cli/render/models/invariance_findings.h"

#include <algorithm>

#include "cli/render/text.h"
#include "reissue/models/invariance/service/report.h"

namespace reissue::cli {
namespace {

namespace inv = models::invariance::service;
using inv::FoundEquality;
using inv::InvarianceFindings;

constexpr std::size_t kFewNames = 8;

std::string AndList(const std::vector<std::string>& items, const std::string& last = " and ") {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) text += i + 1 == items.size() ? last : ", ";
    text += items[i];
  }
  return text;
}

// "Ann, Bob (twice) and 3 more".
std::string SideText(const std::vector<std::string>& people, bool whole) {
  std::vector<std::pair<std::string, std::size_t>> counted;
  for (const std::string& person : people) {
    const auto at = std::find_if(counted.begin(), counted.end(),
                                 [&](const auto& entry) { return entry.first == person; });
    if (at == counted.end()) {
      counted.emplace_back(person, 1);
    } else {
      ++at->second;
    }
  }
  std::vector<std::string> names;
  for (const auto& [person, times] : counted) {
    if (!whole && names.size() == kFewNames) {
      names.push_back(Count(counted.size() - kFewNames) + " more");
      break;
    }
    names.push_back(Printable(person) + (times == 1   ? ""
                                         : times == 2 ? " (twice)"
                                                      : " (" + Count(times) + " times)"));
  }
  return AndList(names);
}

std::string ValuesText(const std::vector<std::string>& values, const std::string& last) {
  std::vector<std::string> printable;
  for (const std::string& value : values) printable.push_back(Printable(value));
  return AndList(printable, last);
}

std::string ReleasesText(const std::vector<std::uint32_t>& releases) {
  std::vector<std::string> numbers;
  for (const std::uint32_t release : releases) numbers.push_back(Count(release));
  return (releases.size() == 1 ? "release " : "releases ") + AndList(numbers);
}

std::string EqualityText(const FoundEquality& equality, bool whole) {
  std::string text;
  if (equality.size == 1) {
    text = SideText(equality.left, whole) + " has the same value as " +
           SideText(equality.right, whole) + ": whoever learns one of the two knows the other";
  } else {
    text = SideText(equality.left, whole) + " have together the same values as " +
           SideText(equality.right, whole) +
           ": what becomes known of one side tells about the other";
  }
  text += ". Seen from " + ReleasesText(equality.releases);
  if (!equality.bucket.empty()) {
    text += ", where they are among people with " + ValuesText(equality.bucket, " or ");
  }
  return text + ".";
}

// Sentences, and what is listed below them.
struct Findings {
  std::vector<std::string> sentences, items;
};

std::string FindingBullet(const std::string& words) { return "  - " + Fill(words, 4).substr(4); }

std::string FindingsText(const std::string& title, const Findings& found, const Style& style) {
  std::string text = "\n" + style.Heading(title) + "\n";
  for (const std::string& sentence : found.sentences) text += Fill(sentence, 2);
  for (const std::string& item : found.items) text += FindingBullet(item);
  return text;
}

// By what it is known which values are possible.
void AddDecided(const InvarianceFindings::Decided& decided, std::uint64_t m, Findings& list) {
  if (decided.tried + decided.bounded == 0) return;
  std::vector<std::string> ways;
  if (decided.permuted > 0) {
    ways.push_back("of " + Counted(decided.permuted, "person", "people") +
                   " by permuting the values of their groups, which have all equally often");
  }
  if (decided.tried > 0) {
    ways.push_back("of " + Counted(decided.tried, "person", "people") +
                   " by trying everything that explains their groups");
  }
  if (decided.bounded > 0) {
    ways.push_back("of " + Counted(decided.bounded, "person", "people") +
                   " by deducing what cannot be, and exchanging values that can");
  }
  list.sentences.push_back("This is known " + AndList(ways) + ".");
  if (decided.open > 0) {
    list.sentences.push_back("Of " + Counted(decided.open, "person", "people") +
                             " it is not known: at most as many values as found are possible, and "
                             "fewer than " +
                             Count(m) + " are proven to be.");
  }
}

std::string PossibleText(const inv::PossibleValues& person) {
  const std::string id = Printable(person.id);
  if (person.values.empty()) {
    return id + ": no value is in all groups they were in; the files contradict one another.";
  }
  if (person.values.size() == 1) {
    return id + ": " + Printable(person.values[0]) +
           ", for certain. No other value explains the groups.";
  }
  return id + ": " + ValuesText(person.values, " or ") + ".";
}

constexpr char kPossible[] = "Possible values";

Findings Association(const InvarianceFindings& found) {
  Findings list;
  const bool kept = found.least_values >= found.m;
  const bool open = found.decided && found.decided->open > 0;
  list.sentences.push_back(
      "Promised: at least " + Count(found.m) + " for everybody. Found: " +
      (kept ? (open ? "perhaps " : "at least ") + Count(found.least_values) + "."
            : Counted(found.exposed_by_association, "person has", "people have") +
                  " fewer, at worst " + Count(found.least_values) + "."));
  if (found.decided) AddDecided(*found.decided, found.m, list);
  if (kept) return list;
  for (const inv::PossibleValues& person : found.fewest) {
    if (person.values.size() < found.m) list.items.push_back(PossibleText(person));
  }
  return list;
}

std::string LeastText(const InvarianceFindings& found) {
  if (!found.lower && !found.upper) return "none, whatever their size.";
  if (found.upper && *found.upper < found.e) {
    const bool sure = found.lower && *found.lower == *found.upper;
    return "sides of " + std::string(sure ? "" : "at most ") +
           Counted(*found.upper, "person", "people") + ".";
  }
  const std::uint64_t lower = found.lower.value_or(0);
  if (found.upper && lower == *found.upper) {
    const std::string sides = "sides of " + Counted(lower, "person", "people");
    if (lower == found.e) return sides + ", and none of fewer.";
    // Beyond what was promised only weights are looked at.
    return sides + " by adding and subtracting groups" +
           (found.e > 1 ? "; none of fewer than " + Count(found.e) + " at all." : ".");
  }
  return "none of fewer than " + Count(lower) + ".";
}

constexpr char kEqual[] = "People who are shown to have the same values";

Findings Equivalence(const InvarianceFindings& found, bool whole) {
  Findings list;
  list.sentences.push_back(
      (found.e == 1 ? std::string("Nothing was promised (e = 1).")
                    : "Promised: only sides of at least " + Count(found.e) + " people.") +
      " Found: " + LeastText(found));
  const bool broken = found.upper && *found.upper < found.e;
  for (const FoundEquality& equality : found.equalities) {
    // Where nothing is broken, the worst one shows how far it is.
    if (broken ? equality.size >= found.e : &equality != &found.equalities[0]) continue;
    list.items.push_back(EqualityText(equality, whole));
  }
  return list;
}

// What limits the equalities, after them.
std::vector<std::string> EquivalenceNotes(const InvarianceFindings& found) {
  std::vector<std::string> notes;
  if (found.exposed_by_equivalence > 0) {
    notes.push_back((found.exposed_complete ? "" : "At least ") +
                    Counted(found.exposed_by_equivalence, "person is", "people are") +
                    " on such a side of fewer than " + Count(found.e) + ".");
  }
  if (found.e > 1 && found.decided && found.decided->weighed > 0) {
    notes.push_back(Counted(found.decided->weighed, "person is", "people are") +
                    " in groups too large to try everything: there equalities were looked for by "
                    "adding and subtracting groups alone.");
  }
  if (found.unknown_buckets > 0) {
    notes.push_back("Of " + Counted(found.unknown_buckets, "bucket", "buckets") +
                    " the vault has given up the history, since many people came back: they were "
                    "safe by their new arrivals when they were published; the holder's copies tell "
                    "more.");
  }
  return notes;
}

std::string FollowsText(const InvarianceFindings::Follows& follows, const Style& style) {
  std::vector<std::string> known;
  for (const auto& [id, value] : follows.known) {
    known.push_back(Printable(id) + " has " + Printable(value));
  }
  std::string text = "\n" + style.Heading("If it is known that " + AndList(known)) + "\n";
  if (follows.contradiction) {
    return text + "  That cannot be: the releases contradict it.\n";
  }
  if (follows.follow.empty()) text += "  Nobody else's value follows.\n";
  for (const auto& [id, value] : follows.follow) {
    text += FindingBullet(Printable(id) + " has " + Printable(value) + ".");
  }
  if (!follows.complete) text += "  More may follow: not everything could be tried.\n";
  return text;
}

Json Optional(const std::optional<std::uint64_t>& number) {
  return number ? Json(*number) : Json(nullptr);
}

constexpr char kBuckets[] =
    "As far as the vault knows: it keeps who was in which bucket when, not by name.";

std::string ChangedWords(const InvarianceFindings& found) {
  return Counted(found.changed_values, "person has", "people have") +
         " another value in a later release, and count as somebody else from then on.";
}

// Where the list is of people for whom the promise is broken it is of the worst; else it only shows
// how far it is.
void AddFindings(Findings list, bool worst, Told& told) {
  for (std::string& sentence : list.sentences) {
    told.exposed.push_back(page::Paragraph{std::move(sentence)});
  }
  if (worst) {
    told.worst.insert(told.worst.end(), list.items.begin(), list.items.end());
  } else if (!list.items.empty()) {
    told.exposed.push_back(page::Bullets{std::move(list.items)});
  }
}

}  // namespace

Told TellInvariance(const contract::AuditReport& report) {
  const auto& found = report.findings.As<InvarianceFindings>();
  Told told;
  if (found.from_vault) told.exposed.push_back(page::Paragraph{kBuckets});
  if (found.changed_values > 0) told.exposed.push_back(page::Paragraph{ChangedWords(found)});
  told.exposed.push_back(page::Grid{
      "By attack",
      {{"attack"}, {"people", true}, {"how"}},
      {{{"association"},
        {Count(found.exposed_by_association)},
        {"fewer values than promised remain possible for them"}},
       {{"equivalence"},
        {(found.exposed_complete ? "" : "at least ") + Count(found.exposed_by_equivalence)},
        {"shown to have the same values as others, in sets smaller "
         "than promised"}}}});
  AddFindings(Association(found), found.least_values < found.m, told);
  AddFindings(Equivalence(found, /*whole=*/false), found.upper && *found.upper < found.e, told);
  for (std::string& note : EquivalenceNotes(found)) {
    told.exposed.push_back(page::Paragraph{std::move(note)});
  }
  page::Measure counterfeits{"counterfeits", {}, {}, {}, {}};
  for (const std::uint64_t number : found.counterfeits) {
    counterfeits.texts.push_back(Count(number));
    counterfeits.numbers.push_back(static_cast<double>(number));
  }
  if (counterfeits.texts.size() == report.releases.size()) {
    told.series.push_back(std::move(counterfeits));
  }
  return told;
}

std::string CounterfeitsText(std::uint64_t number) {
  return number == 0 ? "no counterfeits" : Counted(number, "counterfeit", "counterfeits");
}

std::string InvarianceText(const contract::AuditReport& report, const Style& style) {
  const auto& found = report.findings.As<InvarianceFindings>();
  std::string text;
  for (std::size_t i = 0; i < report.releases.size(); ++i) {
    const auto& release = report.releases[i];
    text += "  release " + Count(i + 1) + ": " + Counted(release.rows, "row", "rows");
    if (!found.from_vault) text += " in " + Counted(release.cells, "group", "groups");
    if (i < found.counterfeits.size()) text += ", " + CounterfeitsText(found.counterfeits[i]);
    text += ".\n";
  }
  if (found.from_vault) text += Fill(kBuckets, 2);
  if (found.changed_values > 0) text += Fill(ChangedWords(found), 2);
  text += FindingsText(kPossible, Association(found), style) +
          FindingsText(kEqual, Equivalence(found, style.whole()), style);
  for (const std::string& note : EquivalenceNotes(found)) text += Fill(note, 2);
  if (found.follows) text += FollowsText(*found.follows, style);
  return text;
}

Json InvarianceObject(const contract::AuditReport& report) {
  const auto& found = report.findings.As<InvarianceFindings>();
  Json json;
  json["model"] = report.model;
  json["m"] = found.m;
  json["e"] = found.e;
  json["satisfied"] = report.satisfied;
  Json association;
  association["least"] = found.least_values;
  if (found.decided) {
    association["certain"] = found.certain;
    association["decided"] = {{"by_permuting", found.decided->permuted},
                              {"by_trying", found.decided->tried},
                              {"by_bounds", found.decided->bounded},
                              {"open", found.decided->open}};
  }
  association["worst"] = Json::array();
  for (const inv::PossibleValues& person : found.fewest) {
    association["worst"].push_back({{"id", person.id}, {"values", person.values}});
  }
  json["association"] = std::move(association);
  Json equivalence;
  if (found.e_by_rule) {
    equivalence["least"] = nullptr;
    equivalence["proof"] = "by rule";
  } else {
    equivalence["least"] = {{"lower", Optional(found.lower)}, {"upper", Optional(found.upper)}};
  }
  if (found.decided) equivalence["by_weights_alone"] = found.decided->weighed;
  equivalence["worst"] = Json::array();
  for (const FoundEquality& equality : found.equalities) {
    Json entry;
    entry["bucket"] = equality.bucket;
    entry["left"] = equality.left;
    entry["right"] = equality.right;
    entry["e"] = equality.size;
    entry["releases"] = equality.releases;
    equivalence["worst"].push_back(std::move(entry));
  }
  json["equivalence"] = std::move(equivalence);
  json["counterfeits"] = found.counterfeits;
  json["exposed"] = {{"association", found.exposed_by_association},
                     {"equivalence", found.exposed_by_equivalence},
                     {"complete", found.exposed_complete}};
  json["releases"] = Json::array();
  for (const auto& release : report.releases) {
    json["releases"].push_back({{"file", release.file}, {"rows", release.rows}});
  }
  if (!found.follows) return json;
  const auto pairs = [](const std::vector<std::pair<std::string, std::string>>& values) {
    Json list = Json::array();
    for (const auto& [id, value] : values) list.push_back({{"id", id}, {"value", value}});
    return list;
  };
  json["known"] = pairs(found.follows->known);
  json["follow"] = pairs(found.follows->follow);
  json["contradiction"] = found.follows->contradiction;
  json["follow_complete"] = found.follows->complete;
  return json;
}

}  // namespace reissue::cli
