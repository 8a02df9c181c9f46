#include <algorithm>

#include "cli/render/models/cells.h"
#include "cli/render/text.h"
#include "cli/render/views.h"
#include "cli/render/worth.h"
#include "reissue/models/invariance/service/measure.h"
#include "reissue/models/invariance/service/report.h"

namespace reissue::cli {
namespace {

namespace inv = models::invariance::service;
using inv::FoundEquality;
using inv::InvarianceFindings;

constexpr char kModel[] = "m-invariance";
constexpr std::size_t kFewNames = 8;

std::vector<Meaning> Words() {
  return {{"m", "values that are possible for everybody", "at least"},
          {"e", "people on a side that is shown to equal another", "at least"}};
}

std::string AndList(const std::vector<std::string>& items, const std::string& last = " and ") {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) text += i + 1 == items.size() ? last : ", ";
    text += items[i];
  }
  return text;
}

// "Ann, Bob (twice) and 3 more".
std::string SideText(const std::vector<std::string>& people) {
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
    if (names.size() == kFewNames) {
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

std::string EqualityText(const FoundEquality& equality) {
  std::string text;
  if (equality.size == 1) {
    text = SideText(equality.left) + " has the same value as " + SideText(equality.right) +
           ": whoever learns one of the two knows the other";
  } else {
    text = SideText(equality.left) + " have together the same values as " +
           SideText(equality.right) + ": what becomes known of one side tells about the other";
  }
  text += ". Seen from " + ReleasesText(equality.releases);
  if (!equality.bucket.empty()) {
    text += ", where they are among people with " + ValuesText(equality.bucket, " or ");
  }
  return text + ".";
}

std::string Bullet(const std::string& words) { return "  - " + Fill(words, 4).substr(4); }

// By what it is known which values are possible.
std::string DecidedText(const InvarianceFindings::Decided& decided, std::uint64_t m) {
  if (decided.tried + decided.bounded == 0) return "";
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
  std::string text = Fill("This is known " + AndList(ways) + ".", 2);
  if (decided.open > 0) {
    text += Fill("Of " + Counted(decided.open, "person", "people") +
                     " it is not known: at most as many values as found are possible, and fewer "
                     "than " +
                     Count(m) + " are proven to be.",
                 2);
  }
  return text;
}

std::string AssociationText(const InvarianceFindings& found, const Style& style) {
  std::string text = "\n" + style.Heading("Possible values") + "\n";
  const bool kept = found.least_values >= found.m;
  const bool open = found.decided && found.decided->open > 0;
  text += Fill("Promised: at least " + Count(found.m) + " for everybody. Found: " +
                   (kept ? (open ? "perhaps " : "at least ") + Count(found.least_values) + "."
                         : Counted(found.exposed_by_association, "person has", "people have") +
                               " fewer, at worst " + Count(found.least_values) + "."),
               2);
  if (found.decided) text += DecidedText(*found.decided, found.m);
  if (kept) return text;
  for (const inv::PossibleValues& person : found.fewest) {
    if (person.values.size() >= found.m) continue;
    const std::string id = Printable(person.id);
    if (person.values.empty()) {
      text += Bullet(id +
                     ": no value is in all groups they were in; the files contradict one "
                     "another.");
    } else if (person.values.size() == 1) {
      text += Bullet(id + ": " + Printable(person.values[0]) +
                     ", for certain. No other value explains the groups.");
    } else {
      text += Bullet(id + ": " + ValuesText(person.values, " or ") + ".");
    }
  }
  return text;
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

std::string EquivalenceText(const InvarianceFindings& found, const Style& style) {
  std::string text = "\n" + style.Heading("People who are shown to have the same values") + "\n";
  text += Fill((found.e == 1 ? std::string("Nothing was promised (e = 1).")
                             : "Promised: only sides of at least " + Count(found.e) + " people.") +
                   " Found: " + LeastText(found),
               2);
  const bool broken = found.upper && *found.upper < found.e;
  for (const FoundEquality& equality : found.equalities) {
    // Where nothing is broken, the worst one shows how far it is.
    if (broken ? equality.size >= found.e : &equality != &found.equalities[0]) continue;
    text += Bullet(EqualityText(equality));
  }
  if (found.exposed_by_equivalence > 0) {
    text += Fill((found.exposed_complete ? "" : "At least ") +
                     Counted(found.exposed_by_equivalence, "person is", "people are") +
                     " on such a side of fewer than " + Count(found.e) + ".",
                 2);
  }
  if (found.e > 1 && found.decided && found.decided->weighed > 0) {
    text += Fill(Counted(found.decided->weighed, "person is", "people are") +
                     " in groups too large to try everything: there equalities were looked for "
                     "by adding and subtracting groups alone.",
                 2);
  }
  if (found.unknown_buckets > 0) {
    text += Fill("Of " + Counted(found.unknown_buckets, "bucket", "buckets") +
                     " the vault has given up the history, since many people came back: they were "
                     "safe by their new arrivals when they were published; the holder's copies "
                     "tell more.",
                 2);
  }
  return text;
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
    text += Bullet(Printable(id) + " has " + Printable(value) + ".");
  }
  if (!follows.complete) text += "  More may follow: not everything could be tried.\n";
  return text;
}

std::string CounterfeitsText(std::uint64_t number) {
  return number == 0 ? "no counterfeits" : Counted(number, "counterfeit", "counterfeits");
}

Json Optional(const std::optional<std::uint64_t>& number) {
  return number ? Json(*number) : Json(nullptr);
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
  if (found.from_vault) {
    text +=
        Fill("As far as the vault knows: it keeps who was in which bucket when, not by name.", 2);
  }
  if (found.changed_values > 0) {
    text += Fill(Counted(found.changed_values, "person has", "people have") +
                     " another value in a later release, and count as somebody else from then on.",
                 2);
  }
  text += AssociationText(found, style) + EquivalenceText(found, style);
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

std::string ChangedRowsText(const contract::PublishReport& report, const Style& style) {
  const auto& changing = report.details.As<inv::ChangedRows>();
  TextTable rows({Align::kRight, Align::kLeft});
  if (report.dropped > 0) {
    rows.Add({Count(report.dropped), "rows with missing values passed over, as the policy says"});
  }
  rows.Add({Count(report.rows_in), "people in the table"});
  if (report.earlier_releases > 0) {
    rows.Add({Count(changing.people_new), "of them in no earlier release"});
    rows.Add({Count(changing.people_returned), "of them back after an absence"});
    rows.Add({Count(changing.changed_values), "of them with another value than before"});
    rows.Add({Count(changing.people_left), "people of the last release have left"});
  }
  rows.Add({Count(report.rows_out), "rows out"});
  std::string text = rows.ToString();
  text += "\n" + style.Heading("Counterfeits: rows that belong to nobody") + "\n";
  TextTable counterfeits({Align::kRight, Align::kLeft});
  counterfeits.Add({Count(changing.counterfeits_new), "new"});
  if (report.earlier_releases > 0) {
    counterfeits.Add({Count(changing.counterfeits_kept), "kept from the last release"});
    counterfeits.Add({Count(changing.counterfeits_dropped), "no longer needed"});
  }
  text += counterfeits.ToString();
  text += "\n" + style.Heading("Groups") + "\n";
  std::string groups = Counted(changing.groups, "group", "groups");
  if (changing.groups != changing.buckets) {
    groups += " of " + Counted(changing.buckets, "bucket", "buckets");
  }
  groups += ", each with at least " + Count(changing.least_values) +
            " values, all equally often; form \"" + changing.form + "\".";
  if (changing.topped_up > 0) {
    groups +=
        " " + Counted(changing.topped_up, "bucket", "buckets") +
        " got more rows than balance needs, so that nobody is shown to have the same value as "
        "somebody else.";
  }
  text += Fill(groups, 2);
  text += "\n" +
          style.Heading(report.earlier_releases == 0
                            ? "Promises, measured by reading and attacking the release"
                            : "Promises, measured by attacking all releases together") +
          "\n" + PromiseTable(report.audit.promises, style, Words());
  if (report.audit.findings.As<InvarianceFindings>().e_by_rule) {
    text += Fill(
        "e could not be measured anew from what the vault keeps, because people came back. It "
        "is kept by the way the release was made: every bucket that changed has enough "
        "newcomers. An audit of the holder's copies measures it.",
        2);
  }
  if (!changing.files.empty()) {
    text += "\n" + style.Heading("Beside it, to be published with it") + "\n";
    for (const std::string& file : changing.files) text += "  " + Printable(file) + "\n";
  }
  if (!changing.holder_copy.empty()) {
    text += "\n" + style.Heading("Holder's copy, with identifiers: keep it private") + "\n  " +
            Printable(changing.holder_copy) + "\n";
  }
  return text;
}

Json ChangedRowsObject(const inv::ChangedRows& changing, bool by_rule) {
  Json json;
  json["form"] = changing.form;
  json["people"] = {{"new", changing.people_new},
                    {"returned", changing.people_returned},
                    {"left", changing.people_left},
                    {"changed", changing.changed_values}};
  json["buckets"] = changing.buckets;
  json["groups"] = changing.groups;
  json["counterfeits"] = {{"new", changing.counterfeits_new},
                          {"kept", changing.counterfeits_kept},
                          {"dropped", changing.counterfeits_dropped}};
  json["topped_up"] = changing.topped_up;
  if (by_rule) json["by_rule"] = true;
  json["least_values"] = changing.least_values;
  json["files"] = changing.files;
  json["holder_copy"] = changing.holder_copy.empty() ? Json(nullptr) : Json(changing.holder_copy);
  return json;
}

std::string ReleaseCostText(const inv::Metrics& report, const Style& style) {
  TextTable rows({Align::kLeft, Align::kRight, Align::kLeft});
  rows.Add({"people in the table", Count(report.people), ""});
  rows.Add({"rows of the release", Count(report.rows), ""});
  rows.Add({"counterfeits", Count(report.rows - report.people), "rows that belong to nobody"});
  rows.Add({"groups", Count(report.groups), "form \"" + report.form + "\""});
  rows.Add({"values in a group", Count(report.least_values),
            "at least; promised are m = " + Count(report.m) + ", and e = " + Count(report.e)});
  return style.Heading("Rows and groups") + "\n" + rows.ToString() + WorthText(report.worth, style);
}

Json ReleaseCostObject(const inv::Metrics& report) {
  Json json;
  json["model"] = kModel;
  json["m"] = report.m;
  json["e"] = report.e;
  json["form"] = report.form;
  json["people"] = report.people;
  json["rows"] = report.rows;
  json["counterfeits"] = report.rows - report.people;
  json["groups"] = report.groups;
  json["least_values"] = report.least_values;
  AddWorth(report.worth, json);
  return json;
}

class ChangingTableView final : public View {
 public:
  std::string model() const override { return kModel; }

  std::string Help(std::string_view verb) const override {
    if (verb == "audit") {
      return "Model m-invariance looks at all releases of a table whose rows come and go, oldest "
             "first: which values remain possible for somebody whose groups are known, and which "
             "people are shown to have the same values. That depends on who was in which group, so "
             "it reads holder's copies (an identifier, a group and the value per row; `reissue "
             "publish --holder-copy` writes them), or with --vault the state of the series. With "
             "--knows it says whose values follow if somebody's becomes known.";
    }
    if (verb == "publish") {
      return "With the model m-invariance people come and go: give the table of today. Everybody "
             "stays in a group with the same possible values for as long as they are there, and "
             "rows that belong to nobody (counterfeits) are added where needed. The values are in "
             "a file of their own beside the release (FILE.sensitive.csv; form anatomy). "
             "--holder-copy writes who is in which group, for audits.";
    }
    if (verb == "metrics") {
      return "Of a release of model m-invariance: the number of counterfeits, and how far answers "
             "to COUNT queries over ranges of the quasi-identifiers are from the truth.";
    }
    return verb == "verify" ? "One of model m-invariance needs the release with the files beside "
                              "it, and, to check everything, all holder's copies up to it."
                            : "";
  }

  std::string AuditText(const contract::AuditReport& report, const Style& style) const override {
    return InvarianceText(report, style);
  }
  // Of a certificate that was checked without holder's copies only what the files tell.
  Json AuditObject(const contract::AuditReport& report) const override {
    return report.findings.If<InvarianceFindings>() != nullptr ? InvarianceObject(report)
                                                               : PlainAuditObject(report);
  }

  std::string PublishText(const contract::PublishReport& report,
                          const Style& style) const override {
    return ChangedRowsText(report, style);
  }
  std::vector<std::string> PublishWarnings(const contract::PublishReport& report) const override {
    const std::uint64_t changed = report.details.As<inv::ChangedRows>().changed_values;
    if (changed == 0) return {};
    return {Counted(changed, "person has", "people have") + " another value than before, and " +
            (changed == 1 ? "counts" : "count") +
            " as somebody new: the link to what was published before is lost. The promise says "
            "nothing about a reader who knows that a value has changed."};
  }
  void AddPublishMembers(const contract::PublishReport& report, Json& json) const override {
    json["changing"] = ChangedRowsObject(report.details.As<inv::ChangedRows>(),
                                         report.audit.findings.As<InvarianceFindings>().e_by_rule);
    AddRecoding(report, json);
  }

  std::vector<std::string> VerifyChecks(const VerificationReport& report) const override {
    std::vector<std::string> checks = {
        kChecksumFits, "The file and those beside it are the ones that were certified.",
        "Every group has at least m values, all equally often, and as many rows."};
    if (report.result.audit.findings.If<InvarianceFindings>() != nullptr) {
      checks.push_back(
          "All releases up to it keep the guaranteed promise together, by the holder's copies.");
    } else {
      AddMeasuredChecks(report, checks);
    }
    if (report.releases.size() > 1) checks.push_back(kEarlierFit);
    return checks;
  }
  std::string VerifyText(const VerificationReport& report, const Style& style) const override {
    if (report.result.audit.findings.If<InvarianceFindings>() == nullptr) {
      return View::VerifyText(report, style);
    }
    return InvarianceText(report.result.audit, style);
  }

  std::string MetricsText(const contract::MetricsReport& report,
                          const Style& style) const override {
    return ReleaseCostText(report.findings.As<inv::Metrics>(), style);
  }
  Json MetricsObject(const contract::MetricsReport& report) const override {
    return ReleaseCostObject(report.findings.As<inv::Metrics>());
  }

  Tally tally() const override { return {"counterfeits", "counterfeits"}; }

 private:
  std::vector<Meaning> meanings() const override { return Words(); }
};

}  // namespace

const View& InvarianceView() {
  static const ChangingTableView view;
  return view;
}

}  // namespace reissue::cli
