#include "cli/render/promises.h"
#include "cli/render/reports.h"
#include "cli/render/text.h"
#include "cli/render/views.h"
#include "cli/session.h"

namespace reissue::cli {
namespace {

std::string List(const std::vector<std::string>& names) {
  return names.empty() ? "none" : PrintableList(names);
}

// How a verdict is said: to programs, to people, and as the exit status.
struct Saying {
  const char* word;
  std::string (Style::*colour)(std::string_view) const;
  const char* shown;
  int status;
};

Saying SayingOf(contract::Verdict verdict) {
  switch (verdict) {
    case contract::Verdict::kHolds:
      return {"holds", &Style::Good, "HOLDS", kDone};
    case contract::Verdict::kNotRefuted:
      return {"not refuted", &Style::Warning, "NOT REFUTED", kNotRefutedStatus};
    case contract::Verdict::kBroken:
      break;
  }
  return {"broken", &Style::Bad, "BROKEN", kPromiseBroken};
}

std::string PartWords(const contract::VerifyReport& result) {
  if (result.parts == 0) return "";
  if (result.part == 0) return "; all " + Count(result.parts) + " parts together";
  return "; part " + Count(result.part) + " of " + Count(result.parts);
}

// What a certificate that nothing contradicts rests on.
std::vector<std::string> Words(const contract::VerifyReport& result) {
  std::vector<std::string> words = result.rests;
  if (result.signer == contract::Signer::kNobody) {
    words.push_back(
        "Nobody has signed it: it has an earlier format. Whoever can write the file can have "
        "written it.");
  } else if (result.signer == contract::Signer::kNotGiven) {
    words.push_back("It is signed by the key " + result.key +
                    ", and no key was given to compare it with (--key): that this is the holder's, "
                    "and so what the columns are and what was promised, is its own word.");
  }
  return words;
}

}  // namespace

int StatusOf(contract::Verdict verdict) { return SayingOf(verdict).status; }

std::string ToText(const VerificationReport& report, const Style& style) {
  const contract::VerifyReport& result = report.result;
  const Saying saying = SayingOf(result.verdict());
  std::string text =
      Printable(report.certificate) + ": " + (style.*saying.colour)(saying.shown) + "\n";
  text += "  release " + Count(result.release) + " of \"" + Printable(result.title) + "\", model " +
          Printable(result.model) + ", published " + Printable(result.created) + PartWords(result) +
          "\n\n" + style.Heading("Checks") + "\n";
  TextTable checks({Align::kLeft, Align::kLeft});
  const View& view = ViewOf(result.model);
  if (result.valid) {
    for (const std::string& check : view.VerifyChecks(report)) {
      checks.Add({style.Good("ok"), check});
    }
    if (result.policy_compared) {
      checks.Add({style.Good("ok"), "Roles and guarantee are those of the policy."});
    }
    if (result.chain > 0) {
      checks.Add(
          {style.Good("ok"), "It names the certificates before it that lie beside the files (" +
                                 Count(result.chain) + ")."});
    }
  }
  for (const std::string& failure : result.failures) {
    checks.Add({style.Bad("failed"), Printable(failure)});
  }
  text += checks.ToString();
  for (const std::string& note : result.notes) text += Fill(Printable(note), 2);
  if (result.verdict() == contract::Verdict::kNotRefuted) {
    text += "\n" + style.Heading("What it rests on") + "\n";
    for (const std::string& word : Words(result)) text += Fill(Printable(word), 2);
  }
  text += "\n" + style.Heading("Checked on the word of the certificate that") + "\n";
  text += Fill("readers may know (quasi-identifiers): " + List(result.columns.quasi), 2);
  text += Fill("they must not learn (sensitive): " + List(result.columns.sensitive), 2);
  text += Fill("they cannot tie to a person (published as is): " + List(result.columns.others), 2);
  return text + view.VerifyText(report, style);
}

std::string ToJson(const VerificationReport& report) {
  const contract::VerifyReport& result = report.result;
  Json json;
  json["certificate"] = report.certificate;
  json["verdict"] = SayingOf(result.verdict()).word;
  json["failures"] = result.failures;
  json["rests_on"] = result.valid ? Words(result) : std::vector<std::string>();
  json["notes"] = result.notes;
  json["key"] = result.key.empty() ? Json(nullptr) : Json(result.key);
  json["chain"] = result.chain;
  json["title"] = result.title;
  json["model"] = result.model;
  json["release"] = result.release;
  json["published"] = result.created;
  if (result.parts > 0) {
    json["part"] = {{"number", result.part == 0 ? Json(nullptr) : Json(result.part)},
                    {"of", result.parts}};
  }
  json["columns"] = {{"quasi", result.columns.quasi},
                     {"sensitive", result.columns.sensitive},
                     {"publish", result.columns.others}};
  json["audit"] = AuditObject(result.audit);
  return JsonText(json);
}

}  // namespace reissue::cli
