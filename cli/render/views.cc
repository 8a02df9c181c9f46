#include "cli/render/views.h"

#include <algorithm>

#include "cli/render/text.h"

namespace reissue::cli {

// One file each in render/models.
const View& KView();
const View& BcfView();
const View& XyView();
const View& InvarianceView();
const View& SimilarityView();

std::span<const View* const> Views() {
  static const View* const views[] = {
      &KView(),           //
      &BcfView(),         //
      &XyView(),          //
      &InvarianceView(),  //
      &SimilarityView(),  //
  };
  return views;
}

const View* FindView(std::string_view model) {
  for (const View* view : Views()) {
    if (view->model() == model) return view;
  }
  return nullptr;
}

const View& ViewOf(std::string_view model) {
  const View* const view = FindView(model);
  REISSUE_CHECK(view != nullptr);
  return *view;
}

std::string HelpOfModels(std::string_view verb) {
  std::string text;
  for (const View* view : Views()) {
    const std::string help = view->Help(verb);
    if (!help.empty()) text += "\n\n" + help;
  }
  return text;
}

std::string SentencesOfModels(std::string_view option) {
  std::string text;
  for (const View* view : Views()) {
    const std::string help = view->Help(option);
    if (!help.empty()) text += (text.empty() ? "" : " ") + help;
  }
  return text;
}

std::string UnchangedCheck(const VerificationReport& report) {
  switch (report.result.signer) {
    case contract::Signer::kGiven:
      return "It is signed by the key that was given.";
    case contract::Signer::kNotGiven:
      return "Its signature fits the key that it names.";
    case contract::Signer::kNobody:
      break;
  }
  return "The checksum of the certificate fits.";
}

void AddMeasuredChecks(const VerificationReport& report, std::vector<std::string>& checks) {
  if (!report.result.rests.empty() || !report.result.notes.empty()) return;
  checks.push_back("The release keeps the guaranteed promise.");
  checks.push_back("The measured numbers are as certified.");
}

std::vector<std::string> View::VerifyChecks(const VerificationReport& report) const {
  std::vector<std::string> checks = {UnchangedCheck(report), kFileFits, kNumbersFit};
  AddMeasuredChecks(report, checks);
  if (report.releases.size() > 1) checks.push_back(kEarlierFit);
  return checks;
}

std::string View::VerifyText(const VerificationReport& report, const Style& style) const {
  const std::vector<contract::PromiseKept>& promises = report.result.audit.promises;
  const bool all = std::ranges::all_of(promises, [](const contract::PromiseKept& promise) {
    return promise.basis == contract::Basis::kFiles;
  });
  return "\n" +
         style.Heading(all ? "Promises, measured anew from the file"
                           : "Promises, measured anew where the file tells") +
         "\n" + PromiseTable(promises, style, meanings());
}

std::string View::ExplainText(const contract::ExplainReport&, const Style&) const {
  REISSUE_CHECK(false);  // refused by the model
  return "";
}

Json View::ExplainObject(const contract::ExplainReport&) const {
  REISSUE_CHECK(false);  // refused by the model
  return nullptr;
}

void AddRecoding(const contract::PublishReport& report, Json& json) {
  json["recoding"] = Json::array();
  for (const auto& column : report.recoding) {
    Json entry;
    entry["column"] = column.column;
    entry["values"] = column.raw_values;
    entry["labels"] = column.labels;
    json["recoding"].push_back(std::move(entry));
  }
}

}  // namespace reissue::cli
