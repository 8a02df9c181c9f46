#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "cli/render/models/cells.h"
#include "cli/render/models/detail.h"
#include "cli/render/text.h"
#include "cli/render/views.h"
#include "reissue/models/xy/service/report.h"

namespace reissue::cli {
namespace {

namespace xy = models::xy::service;
using xy::AskedRequirement;
using xy::JoinExplained;
using xy::JoinFinding;
using xy::JoinFindings;
using xy::RequirementFindings;
using xy::Wide;

std::string AskedInWords(const AskedRequirement& asked) {
  if (asked.anonymity()) {
    std::vector<std::string> y;
    for (const std::string& name : asked.y) {
      const bool prior = name.ends_with(".key");
      y.push_back(name == "key" ? "rows of the release"
                  : prior       ? "rows of " + name.substr(0, name.size() - 4)
                                : name);
    }
    return "every combination of " + PrintableList(asked.x) + " has at least " + Count(asked.k) +
           (y.size() > 1 ? " different combinations of " : " different ") +
           Printable(binding::Listed(y));
  }
  const std::string gives = "no combination of " + PrintableList(asked.x) + " gives away ";
  if (asked.values.empty()) {
    return gives + "a value of " + PrintableList(asked.y) + " with more than " +
           Percent(asked.confidence);
  }
  std::vector<std::string> values;
  for (const AskedRequirement::Value& value : asked.values) {
    values.push_back(value.column + " = " + value.value + " with more than " +
                     Percent(value.threshold));
  }
  return gives + Printable(binding::Listed(values));
}

std::string FoundInWords(const RequirementFindings& requirement) {
  if (requirement.worst.empty() && !requirement.anonymity && !requirement.linkability) {
    return "no record of the join: nothing to break";
  }
  std::string text = requirement.asked.anonymity()
                         ? "the least is " + Count(requirement.anonymity.value_or(0))
                         : "the most is " + Percent(requirement.linkability.value_or(0));
  if (requirement.violating == 0) return text;
  return text + "; " + (requirement.counted ? "" : "at least ") +
         Counted(requirement.violating, "combination breaks it", "combinations break it");
}

std::string JoinWords(const JoinFindings& linked) {
  const std::string on = linked.joined_on.empty() ? "nothing" : PrintableList(linked.joined_on);
  const std::string rows = linked.join_rows == 1 ? " record" : " records";
  return "Joined on " + on + ": " + xy::Digits(linked.join_rows) + rows +
         ", counted without making the join" +
         (linked.by_classes ? "" : ", label by label: not all files are recoded globally") + ".";
}

std::string JoinText(const contract::AuditReport& report) {
  const JoinFindings& linked = report.findings.As<JoinFindings>();
  std::string text;
  for (std::size_t i = 0; i < report.releases.size(); ++i) {
    const std::string name = i == 0 ? "the release" : Printable(linked.names[i]);
    text += Fill(name + ": " + FileName(report.releases[i].file) + ", " +
                     Counted(report.releases[i].rows, "row", "rows"),
                 2);
  }
  return text + Fill(JoinWords(linked), 2);
}

Json WideJson(Wide number) {
  if (number <= std::numeric_limits<std::uint64_t>::max()) {
    return static_cast<std::uint64_t>(number);
  }
  return static_cast<double>(number);
}

std::string Joined(const binding::LabelledCell& cell) {
  std::string text;
  for (const auto& [column, label] : cell) text += (text.empty() ? "" : " / ") + label;
  return text;
}

Json YJson(const AskedRequirement& asked) {
  if (asked.values.empty()) return asked.y;
  Json y = Json::object();
  for (const AskedRequirement::Value& value : asked.values) {
    bool own = false;  // of some value of this column
    for (const AskedRequirement::Value& other : asked.values) {
      own |= other.column == value.column && other.own;
    }
    if (own) {
      y[value.column][value.value] = value.threshold;
    } else {
      y[value.column].push_back(value.value);
    }
  }
  return y;
}

Json FindingJson(const JoinFinding& finding, const AskedRequirement& asked) {
  Json json;
  json["x"] = CellJson(finding.x);
  if (asked.anonymity()) {
    json["value"] = finding.distinct;
  } else {
    json["y"] = finding.y.empty() ? Json(nullptr) : Json(Joined(finding.y));
    json["value"] = finding.share;
  }
  json["records"] = WideJson(finding.records);
  if (!asked.anonymity()) {
    json["records_with_y"] = WideJson(finding.records_with_y);
    json["threshold"] = finding.threshold;
    json["column"] = finding.y.size() == 1 ? Json(finding.y[0].first) : Json(nullptr);
  }
  json["broken"] = finding.broken;
  json["words"] = finding.words;
  return json;
}

Json AskedJson(const AskedRequirement& asked) {
  Json json;
  json["kind"] = asked.anonymity() ? "anonymity" : "linkability";
  json["x"] = asked.x;
  json["y"] = YJson(asked);
  if (asked.anonymity()) {
    json["k"] = asked.k;
  } else {
    json["confidence"] = asked.confidence;
  }
  return json;
}

Json RequirementJson(const RequirementFindings& requirement) {
  Json json = AskedJson(requirement.asked);
  if (requirement.asked.anonymity()) {
    json["value"] = requirement.anonymity ? Json(*requirement.anonymity) : Json(nullptr);
  } else {
    json["value"] = requirement.linkability ? Json(*requirement.linkability) : Json(nullptr);
  }
  json["satisfied"] = requirement.satisfied;
  json["violating"] = requirement.violating;
  json["violating_counted"] = requirement.counted;
  json["worst"] = Json::array();
  for (const JoinFinding& finding : requirement.worst) {
    json["worst"].push_back(FindingJson(finding, requirement.asked));
  }
  return json;
}

std::string RequirementsText(const JoinFindings& linked, const Style& style) {
  std::string text;
  for (std::size_t r = 0; r < linked.requirements.size(); ++r) {
    const RequirementFindings& requirement = linked.requirements[r];
    text += "\n" +
            style.Heading("Requirement " + Count(r + 1) +
                          (requirement.asked.anonymity() ? ": anonymity" : ": linkability")) +
            "\n";
    text += Fill("Promised: " + AskedInWords(requirement.asked) + ".", 2);
    text += Fill((requirement.satisfied ? style.Good("Kept") : style.Bad("BROKEN")) + ": " +
                     FoundInWords(requirement) + ".",
                 2);
    bool first = true;
    for (const JoinFinding& finding : requirement.worst) {
      if (!finding.broken && !first) break;  // of a kept promise the worst is enough
      first = false;
      text += "  - " + Fill(Printable(finding.words) + ".", 4).substr(4);
    }
  }
  return text;
}

Told TellJoin(const contract::AuditReport& report) {
  const JoinFindings& linked = report.findings.As<JoinFindings>();
  Told told;
  told.exposed.push_back(page::Paragraph{JoinWords(linked)});
  page::Grid requirements{"Requirements", {{"requirement"}, {"promised"}, {"found"}, {"kept"}}, {}};
  for (std::size_t r = 0; r < linked.requirements.size(); ++r) {
    const RequirementFindings& requirement = linked.requirements[r];
    const bool kept = requirement.satisfied;
    requirements.rows.push_back(
        {{Count(r + 1) + (requirement.asked.anonymity() ? ": anonymity" : ": linkability")},
         {AskedInWords(requirement.asked)},
         {FoundInWords(requirement)},
         {kept ? "yes" : "NO", {}, kept ? page::Tone::kGood : page::Tone::kBad}});
    for (const JoinFinding& finding : requirement.worst) {
      if (finding.broken) told.worst.push_back(finding.words + ".");
    }
  }
  told.exposed.push_back(std::move(requirements));
  for (const std::string& warning : linked.warnings) {
    told.exposed.push_back(page::Paragraph{"Warning: " + warning, page::Tone::kWarning});
  }
  if (!linked.notes.empty()) {
    page::Bullets notes;
    for (const std::string& note : linked.notes) notes.items.push_back(note + ".");
    told.more.push_back({"Notes", {std::move(notes)}});
  }
  return told;
}

std::string DanglingText(const JoinFindings& linked, const Style& style) {
  std::string text;
  for (const std::string& warning : linked.warnings) {
    text += "\n" + style.Warning(Fill("Warning: " + Printable(warning)));
  }
  return text;
}

std::string JoinAuditText(const contract::AuditReport& report, const Style& style) {
  std::string text = JoinText(report);
  if (!report.published_identifiers.empty()) {
    text += Fill(style.Bad("Everybody is exposed") +
                     ": a file contains what identifies people (column " +
                     PrintableList(report.published_identifiers) + ").",
                 2);
  }
  if (!report.published_dropped.empty()) {
    text += Fill(style.Bad("The release contains what the policy does not let out") + " (column " +
                     PrintableList(report.published_dropped) + ").",
                 2);
  }
  text += RequirementsText(report.findings.As<JoinFindings>(), style);
  if (!report.findings.As<JoinFindings>().notes.empty())
    text += "\n" + style.Heading("Notes") + "\n";
  for (const std::string& note : report.findings.As<JoinFindings>().notes) {
    text += "  - " + Fill(Printable(note) + ".", 4).substr(4);
  }
  return text + DanglingText(report.findings.As<JoinFindings>(), style);
}

Json JoinAuditObject(const contract::AuditReport& report) {
  const JoinFindings& linked = report.findings.As<JoinFindings>();
  Json json;
  json["model"] = report.model;
  json["satisfied"] = report.satisfied;
  json["releases"] = Json::array();
  for (std::size_t i = 0; i < report.releases.size(); ++i) {
    Json file;
    file["file"] = report.releases[i].file;
    file["name"] = linked.names[i].empty() ? Json(nullptr) : Json(linked.names[i]);
    file["rows"] = report.releases[i].rows;
    json["releases"].push_back(std::move(file));
  }
  json["requirements"] = Json::array();
  for (const RequirementFindings& requirement : linked.requirements) {
    json["requirements"].push_back(RequirementJson(requirement));
  }
  Json join;
  join["rows"] = WideJson(linked.join_rows);
  join["dangling"] = linked.dangling;
  join["columns"] = linked.joined_on;
  join["by_classes"] = linked.by_classes;
  json["join"] = std::move(join);
  json["notes"] = linked.notes;
  json["warnings"] = linked.warnings;
  json["published_identifiers"] = report.published_identifiers;
  json["published_dropped"] = report.published_dropped;
  return json;
}

constexpr std::size_t kLinkStepsShown = 3;
constexpr char kAskForAll[] = "; -v shows all";

// At most `few`, those with the most of something, in their order.
template <typename Item, typename Measure>
std::vector<Item> Most(const std::vector<Item>& items, std::size_t few, Measure measure) {
  if (items.size() <= few) return items;
  std::vector<std::size_t> order(items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return measure(items[i]); });
  order.resize(few);
  std::ranges::sort(order);
  std::vector<Item> most;
  for (const std::size_t i : order) most.push_back(items[i]);
  return most;
}

// By how much a value is linked beyond what was promised.
double Exceeds(const JoinExplained::Y& value) { return value.share - value.threshold.value_or(0); }

std::string CombinationText(const JoinExplained& report, const Style& style) {
  std::string text = Fill(Printable(binding::Where(report.x)) + ": " +
                          (report.records == 0 ? "in no record of the join"
                           : report.broken     ? style.Bad("BREAKS requirement ")
                                               : style.Good("KEEPS requirement ")) +
                          (report.records == 0 ? "" : Count(report.requirement)));
  text += Fill(Printable(report.words) + ".", 2);
  if (report.records == 0) return text;
  text += "\n" + style.Heading("What matches") + "\n";
  TextTable matches({Align::kLeft, Align::kRight, Align::kLeft});
  const std::size_t shown = style.whole() ? report.matches.size() : kLinkStepsShown;
  for (const auto& match : Most(report.matches, shown, [](const auto& m) { return m.records; })) {
    for (std::size_t t = 0; t < match.partitions.size(); ++t) {
      const std::string name = t == 0 ? "the release" : report.names[t];
      std::string where;
      for (const auto& [column, label] : match.partitions[t]) {
        where += (where.empty() ? "" : ", ") + Printable(column) + " = " + Printable(label);
      }
      matches.Add({Printable(name), Counted(match.rows[t], "row", "rows"), where});
    }
    matches.Add({"", "", "together " + xy::Digits(match.records) + " of the join"});
  }
  text += matches.ToString();
  const std::uint64_t left = report.matches.size() - std::min(shown, report.matches.size());
  if (left + report.more > 0) {
    text += "  and " + Count(left + report.more) + " more" + (left > 0 ? kAskForAll : "") + "\n";
  }
  if (report.values.empty()) return text;
  text += "\n" + style.Heading("What it is linked to") + "\n";
  TextTable values({Align::kLeft, Align::kRight, Align::kRight, Align::kLeft});
  const std::size_t few = style.whole() ? report.values.size() : kLinkStepsShown;
  for (const auto& value : Most(report.values, few, Exceeds)) {
    std::string promised;
    if (value.threshold) promised = "at most " + Percent(*value.threshold) + " promised";
    values.Add({Printable(binding::Where(value.y)), xy::Digits(value.records), Percent(value.share),
                promised});
  }
  text += values.ToString();
  if (report.values.size() <= few) return text;
  return text + "  and " + Counted(report.values.size() - few, "value", "values") + " more" +
         kAskForAll + "\n";
}

Json CombinationObject(const JoinExplained& report) {
  Json json;
  json["model"] = "xy";
  json["requirement"] = report.requirement;
  const Json asked = AskedJson(report.asked);
  for (const auto& [key, value] : asked.items()) {
    json[key == "x" ? "columns" : key == "y" ? "promised" : key] = value;
  }
  json["x"] = CellJson(report.x);
  json["broken"] = report.broken;
  json["records"] = WideJson(report.records);
  json["distinct"] = report.asked.anonymity() ? Json(report.distinct) : Json(nullptr);
  json["matches"] = Json::array();
  for (const auto& match : report.matches) {
    Json entry;
    entry["partitions"] = Json::array();
    for (std::size_t t = 0; t < match.partitions.size(); ++t) {
      Json partition;
      partition["file"] = report.files[t];
      partition["cell"] = CellJson(match.partitions[t]);
      partition["rows"] = match.rows[t];
      entry["partitions"].push_back(std::move(partition));
    }
    entry["records"] = WideJson(match.records);
    json["matches"].push_back(std::move(entry));
  }
  json["more_matches"] = report.more;
  json["values"] = Json::array();
  for (const auto& value : report.values) {
    Json entry;
    entry["y"] = CellJson(value.y);
    entry["records"] = WideJson(value.records);
    entry["share"] = value.share;
    entry["threshold"] = value.threshold ? Json(*value.threshold) : Json(nullptr);
    json["values"].push_back(std::move(entry));
  }
  json["words"] = report.words;
  return json;
}

// What takes the place of promises and cost.
std::string SearchText(const contract::PublishReport& report, const Style& style) {
  const auto& search = report.details.As<xy::JoinSearch>();
  const auto& found = report.audit.findings.As<JoinFindings>();
  std::string text;
  if (!search.as_is.empty()) {
    text += Fill(
        "As they are, since no requirement names them in x: " + PrintableList(search.as_is) + ".",
        2);
  }
  text += RequirementsText(found, style);
  text += "\n" + style.Heading("Search") + "\n";
  text += Fill(Counted(search.steps, "step", "steps") + " down from the most general release, by " +
                   search.score + ".",
               2);
  for (const std::string& note : found.notes) {
    text += "  Note: " + Fill(Printable(note) + ".", 8).substr(8);
  }
  return text;
}

class LinkedReleasesView final : public View {
 public:
  std::string model() const override { return "xy"; }

  std::string Help(std::string_view verb) const override {
    if (verb == "audit") {
      return "Model xy looks at one file beside earlier releases of other columns of the same "
             "people (--prior): what whoever joins them on the columns they share can link. With "
             "--explain it shows that for one combination of labels.";
    }
    if (verb == "audit --explain") {
      return "Or what the join tells about one combination: a value or label per column of x "
             "(model "
             "xy).";
    }
    if (verb == "publish") {
      return "With the model xy earlier releases have other columns of the same people: name them "
             "with --prior, and the release is made so that whoever joins them cannot link more "
             "than promised. Only columns that a requirement names in x are generalised.";
    }
    return verb == "verify" ? "One of model xy needs the release and, with --prior, those that it "
                              "was made beside."
                            : "";
  }

  std::string AuditText(const contract::AuditReport& report, const Style& style) const override {
    return JoinAuditText(report, style);
  }
  Told Tell(const contract::AuditReport& report) const override { return TellJoin(report); }
  Json AuditObject(const contract::AuditReport& report) const override {
    return JoinAuditObject(report);
  }

  std::string PublishText(const contract::PublishReport& report,
                          const Style& style) const override {
    return RecodedText(report, "", style) + SearchText(report, style);
  }
  std::vector<std::string> PublishWarnings(const contract::PublishReport& report) const override {
    std::vector<std::string> warnings;
    const auto& exposed = report.details.As<xy::JoinSearch>().exposed;
    if (!exposed.empty()) {
      const bool one = exposed.size() == 1;
      warnings.push_back("published as " + std::string(one ? "it is" : "they are") +
                         ", since no requirement names " + (one ? "it" : "them") +
                         " in x: " + PrintableList(exposed) + ". Readers may know people by " +
                         (one ? "it." : "them."));
    }
    const auto& dangling = report.audit.findings.As<JoinFindings>().warnings;
    warnings.insert(warnings.end(), dangling.begin(), dangling.end());
    return warnings;
  }
  void AddPublishMembers(const contract::PublishReport& report, Json& json) const override {
    AddRecoding(report, json);
    const auto& search = report.details.As<xy::JoinSearch>();
    Json cost;
    cost["score"] = search.score;
    cost["steps"] = search.steps;
    cost["reexamined"] = search.reexamined;
    json["search"] = std::move(cost);
    json["as_is"] = search.as_is;
  }

  std::vector<std::string> VerifyChecks(const VerificationReport& report) const override {
    std::vector<std::string> checks = {
        UnchangedCheck(report), kFileFits,
        "The numbers of rows, and of rows without a partner, are as certified."};
    AddMeasuredChecks(report, checks);
    checks.push_back(kEarlierFit);
    return checks;
  }
  std::string VerifyText(const VerificationReport& report, const Style& style) const override {
    const auto& found = report.result.audit.findings.As<JoinFindings>();
    return RequirementsText(found, style) + DanglingText(found, style);
  }

  std::string MetricsText(const contract::MetricsReport& report,
                          const Style& style) const override {
    return DetailText(report.findings.As<binding::Detail>(), style);
  }
  Json MetricsObject(const contract::MetricsReport& report) const override {
    return DetailObject(report.findings.As<binding::Detail>());
  }

  std::string ExplainText(const contract::ExplainReport& report,
                          const Style& style) const override {
    return CombinationText(report.findings.As<JoinExplained>(), style);
  }
  Json ExplainObject(const contract::ExplainReport& report) const override {
    return CombinationObject(report.findings.As<JoinExplained>());
  }
};

}  // namespace

const View& XyView() {
  static const LinkedReleasesView view;
  return view;
}

}  // namespace reissue::cli
