#pragma once
// How each model is shown: one view per model, in one list. Reports of all verbs are made of what
// all models share (render/*.cc) and of what the model's view adds.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/page/section.h"
#include "cli/render/json.h"
#include "cli/render/promises.h"
#include "cli/render/reports.h"
#include "cli/style.h"
#include "reissue/contract/reports.h"

namespace reissue::cli {

// What the history of a vault counts beside the rows, for people and as a JSON key.
struct Tally {
  std::string words = "left out", key = "suppressed";
};

// What only one model has to say of an audit, for a page.
struct Told {
  std::vector<page::Block> exposed;  // who, by which attack
  std::vector<std::string> worst;    // groups or people in words, worst first
  std::vector<page::Section> more;
  std::vector<page::Measure> series;  // what is told of each release
  std::vector<Meaning> meanings;      // its words for promises
};

class View {
 public:
  virtual ~View() = default;
  // As policies write it.
  virtual std::string model() const = 0;
  // A paragraph about the model in the help of a verb; empty: there is nothing to say.
  virtual std::string Help(std::string_view verb) const = 0;

  // The audit for people, after the verdict; and for programs.
  virtual std::string AuditText(const contract::AuditReport& report, const Style& style) const = 0;
  virtual Json AuditObject(const contract::AuditReport& report) const = 0;

  // What a publication did, for people, between the headline and the certificate; its own warnings;
  // and members of the object, "recoding" among them.
  virtual std::string PublishText(const contract::PublishReport& report,
                                  const Style& style) const = 0;
  virtual std::vector<std::string> PublishWarnings(const contract::PublishReport&) const {
    return {};
  }
  virtual void AddPublishMembers(const contract::PublishReport& report, Json& json) const = 0;

  // What was checked of a certificate that holds; and what was measured anew.
  virtual std::vector<std::string> VerifyChecks(const VerificationReport& report) const;
  virtual std::string VerifyText(const VerificationReport& report, const Style& style) const;

  virtual std::string MetricsText(const contract::MetricsReport& report,
                                  const Style& style) const = 0;
  virtual Json MetricsObject(const contract::MetricsReport& report) const = 0;

  // Of models that explain.
  virtual std::string ExplainText(const contract::ExplainReport& report, const Style& style) const;
  virtual Json ExplainObject(const contract::ExplainReport& report) const;

  virtual Tally tally() const { return {}; }

  // An audit for a page: what all models share is told by others.
  virtual Told Tell(const contract::AuditReport& report) const = 0;

 protected:
  // Its own words for promises; looked at before those that several models share.
  virtual std::vector<Meaning> meanings() const { return {}; }
};

std::span<const View* const> Views();
// Null for a model that the program does not know: a vault may be of a later version.
const View* FindView(std::string_view model);
// Of a model that the engine knows.
const View& ViewOf(std::string_view model);

// What all models say about a verb: paragraphs, each after an empty line.
std::string HelpOfModels(std::string_view verb);
// What they say about an option, in one paragraph.
std::string SentencesOfModels(std::string_view option);

// What views have in common.
// That it is as it was written, and on whose word.
std::string UnchangedCheck(const VerificationReport& report);
inline constexpr char kFileFits[] = "The file is the one that was certified.";
inline constexpr char kNumbersFit[] = "Rows, groups and the smallest group are as certified.";
inline constexpr char kEarlierFit[] = "The earlier releases are the ones that it counts on.";
// That the promise is kept and the measured numbers are right, unless a note says why that was not
// checked.
void AddMeasuredChecks(const VerificationReport& report, std::vector<std::string>& checks);
void AddRecoding(const contract::PublishReport& report, Json& json);

}  // namespace reissue::cli
