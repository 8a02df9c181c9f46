#include "cli/render/invariance.h"
#include "cli/render/linked.h"
#include "cli/render/promises.h"
#include "cli/render/reports.h"
#include "cli/render/text.h"

namespace reissue::cli {
namespace {

constexpr const char* kEarlier = "The earlier releases are the ones that it counts on.";

constexpr const char* kChecks[] = {
    "The checksum of the certificate fits.",
    "The file is the one that was certified.",
    "Rows, groups and the smallest group are as certified.",
};

constexpr const char* kLinkedChecks[] = {
    kChecks[0],
    kChecks[1],
    "The numbers of rows, and of rows without a partner, are as certified.",
};

constexpr const char* kChangingChecks[] = {
    kChecks[0],
    "The file and those beside it are the ones that were certified.",
    "Every group has at least m values, all equally often, and as many rows.",
};

constexpr const char* kEvolvingChecks[] = {
    kChecks[0],
    kChecks[1],
    kChecks[2],
    "What follows from the file (k, beta, t) is as promised and as certified.",
};

constexpr const char* kByCopies =
    "All releases up to it keep the guaranteed promise together, by the holder's copies.";

// Not checked where a note says why.
constexpr const char* kMeasured[] = {
    "The release keeps the guaranteed promise.",
    "The measured numbers are as certified.",
};

std::vector<std::string> ChecksOf(const engine::VerifyReport& result) {
  const auto all = [](const auto& checks) {
    return std::vector<std::string>(std::begin(checks), std::end(checks));
  };
  if (result.model == "m-invariance") return all(kChangingChecks);
  if (result.model == "j-similarity") return all(kEvolvingChecks);
  return result.audit.linked ? all(kLinkedChecks) : all(kChecks);
}

std::string List(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + Printable(name);
  return text.empty() ? "none" : text;
}

}  // namespace

std::string ToText(const VerificationReport& report, const Style& style) {
  const engine::VerifyReport& result = report.result;
  std::string text = Printable(report.certificate) + ": " +
                     (result.valid ? style.Good("HOLDS") : style.Bad("DOES NOT HOLD")) + "\n";
  text += "  release " + Count(result.release) + " of \"" + Printable(result.title) + "\", model " +
          Printable(result.model) + ", published " + Printable(result.created) + "\n\n" +
          style.Heading("Checks") + "\n";
  TextTable checks({TextTable::Align::kLeft, TextTable::Align::kLeft});
  if (result.valid) {
    for (const std::string& check : ChecksOf(result)) checks.Add({style.Good("ok"), check});
    if (result.audit.invariance) checks.Add({style.Good("ok"), kByCopies});
    for (const char* check : kMeasured) {
      if (result.notes.empty() && !result.audit.invariance) checks.Add({style.Good("ok"), check});
    }
    if (report.releases.size() > 1 || result.audit.linked) checks.Add({style.Good("ok"), kEarlier});
  }
  for (const std::string& failure : result.failures) {
    checks.Add({style.Bad("failed"), Printable(failure)});
  }
  text += checks.ToString();
  for (const std::string& note : result.notes) text += Fill(Printable(note), 2);
  text += "\n" + style.Heading("Checked on the word of the certificate that") + "\n";
  text += Fill("readers may know (quasi-identifiers): " + List(result.columns.quasi), 2);
  text += Fill("they must not learn (sensitive): " + List(result.columns.sensitive), 2);
  text += Fill("they cannot tie to a person (published as is): " + List(result.columns.others), 2);
  if (result.audit.linked) {
    return text + RequirementsText(*result.audit.linked, style) +
           DanglingText(*result.audit.linked, style);
  }
  if (result.audit.invariance) return text + InvarianceText(result.audit, style);
  text += "\n" + style.Heading("Promises, measured anew from the file") + "\n" +
          PromiseTable(result.audit.promises, style,
                       report.releases.size() > 1 && result.model == "bcf");
  return text;
}

std::string ToJson(const VerificationReport& report) {
  const engine::VerifyReport& result = report.result;
  Json json;
  json["certificate"] = report.certificate;
  json["valid"] = result.valid;
  json["failures"] = result.failures;
  json["notes"] = result.notes;
  json["title"] = result.title;
  json["model"] = result.model;
  json["release"] = result.release;
  json["published"] = result.created;
  json["columns"] = {{"quasi", result.columns.quasi},
                     {"sensitive", result.columns.sensitive},
                     {"publish", result.columns.others}};
  json["audit"] = AuditObject(result.audit);
  return JsonText(json);
}

}  // namespace reissue::cli
