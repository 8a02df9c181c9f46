#include "cli/render/models/detail.h"

#include "cli/render/text.h"
#include "cli/render/worth.h"

namespace reissue::cli {
namespace {

using metrics::Loss;

std::string RowsTable(const Loss& loss) {
  TextTable table({Align::kLeft, Align::kRight, Align::kLeft});
  table.Add({"rows of the table", Count(loss.table_rows), ""});
  table.Add({"rows of the release", Count(loss.release_rows), ""});
  table.Add({"suppressed rows", Count(loss.suppressed), "left out, or published saying nothing"});
  table.Add({"groups", Count(loss.cells), "combinations of quasi-identifiers in the release"});
  table.Add({"smallest group", Count(loss.smallest), "rows"});
  table.Add({"largest group", Count(loss.largest), "rows"});
  table.Add({"average group", Number(loss.average), "rows"});
  if (loss.average_over_k) {
    table.Add({"average group / k", Number(*loss.average_over_k), "1: no larger than promised"});
  }
  return table.ToString();
}

std::string LossTable(const Loss& loss) {
  TextTable table({Align::kLeft, Align::kRight, Align::kLeft});
  table.Add({"discernibility", Number(loss.discernibility_normalised),
             "share of the rows that a row cannot be told from; 1: all look alike"});
  table.Add({"detail lost", Number(loss.gcp),
             "global certainty penalty (GCP), over all values; 0: none, 1: all"});
  table.Add({"same as a sum", Number(loss.gcp_sum), "over all rows and columns"});
  table.Add({"levels climbed", Number(loss.distortion_categorical),
             "per row, in the taxonomies of words"});
  table.Add({"ranges widened", Number(loss.distortion_continuous),
             "per row, as shares of the full range of numbers"});
  table.Add({"record linkage",
             loss.record_linkage ? Number(*loss.record_linkage)
                                 : "at most " + Number(loss.record_linkage_bound),
             "rows that a guess within the group would link correctly"});
  return table.ToString();
}

std::string ColumnsTable(const binding::Detail& report) {
  TextTable table({Align::kLeft, Align::kRight, Align::kRight, Align::kRight, Align::kRight});
  table.Add({"column", "values", "labels", "distortion", "penalty"});
  for (std::size_t i = 0; i < report.loss.attributes.size(); ++i) {
    const metrics::AttributeLoss& column = report.loss.attributes[i];
    table.Add({Printable(column.name), Count(column.values), Count(column.labels),
               Number(column.distortion), Number(column.ncp)});
  }
  return table.ToString();
}

std::string LabelsText(const binding::Detail& report) {
  std::string text;
  for (std::size_t i = 0; i < report.labels.size(); ++i) {
    text += Fill("labels of " + Printable(report.loss.attributes[i].name) + ": " +
                     PrintableList(report.labels[i]),
                 2);
  }
  return text;
}

std::string ClassificationText(const binding::Prediction& result) {
  TextTable table({Align::kLeft, Align::kRight, Align::kLeft});
  table.Add({"from the raw table", Percent(result.baseline_error), "wrong answers"});
  table.Add({"from the release", Percent(result.release_error), "wrong answers"});
  table.Add({"without any column", Percent(result.majority_error),
             "wrong answers: always the most frequent value"});
  return table.ToString() + "  A decision tree learnt from " + Count(result.train) +
         " rows, asked about " + Count(result.test) +
         (result.held_out ? " rows that were held out.\n" : " others.\n");
}

Json LossJson(const Loss& loss) {
  Json json;
  json["table_rows"] = loss.table_rows;
  json["release_rows"] = loss.release_rows;
  json["suppressed"] = loss.suppressed;
  json["left_out"] = loss.left_out;
  json["starred"] = loss.starred;
  json["cells"] = loss.cells;
  json["smallest"] = loss.smallest;
  json["largest"] = loss.largest;
  json["average"] = JsonNumber(loss.average);
  json["average_over_k"] = loss.average_over_k ? JsonNumber(*loss.average_over_k) : Json(nullptr);
  json["discernibility"] = loss.discernibility;
  json["discernibility_normalised"] = JsonNumber(loss.discernibility_normalised);
  json["distortion_categorical"] = JsonNumber(loss.distortion_categorical);
  json["distortion_continuous"] = JsonNumber(loss.distortion_continuous);
  json["gcp"] = JsonNumber(loss.gcp);
  json["gcp_sum"] = JsonNumber(loss.gcp_sum);
  json["record_linkage"] = loss.record_linkage ? JsonNumber(*loss.record_linkage) : Json(nullptr);
  json["record_linkage_bound"] = JsonNumber(loss.record_linkage_bound);
  return json;
}

}  // namespace

std::string DetailText(const binding::Detail& report, const Style& style) {
  std::string text = style.Heading("Rows and groups") + "\n" + RowsTable(report.loss);
  text += "\n" + style.Heading("What was lost") + "\n" + LossTable(report.loss);
  text += "\n" + style.Heading("By column") + "\n" + ColumnsTable(report);
  if (style.whole()) text += LabelsText(report);
  text +=
      "  distortion: words: levels climbed per row; numbers: share of the full range.\n"
      "  penalty: share of the column's detail that was lost; 0: none, 1: all.\n";
  text += WorthText(report.worth, style);
  if (report.prediction) {
    text += "\n" + style.Heading("Predicting \"" + Printable(report.prediction->column) + "\"") +
            "\n" + ClassificationText(*report.prediction);
  }
  return text;
}

Json DetailObject(const binding::Detail& report) {
  Json json = LossJson(report.loss);
  json["columns"] = Json::array();
  for (std::size_t i = 0; i < report.loss.attributes.size(); ++i) {
    const metrics::AttributeLoss& column = report.loss.attributes[i];
    Json entry;
    entry["column"] = column.name;
    entry["numeric"] = column.numeric;
    entry["values"] = column.values;
    entry["labels"] = column.labels;
    entry["texts"] = report.labels[i];
    entry["distortion"] = JsonNumber(column.distortion);
    entry["ncp"] = JsonNumber(column.ncp);
    entry["exact_rows"] = column.exact_rows;
    entry["removed_rows"] = column.removed_rows;
    json["columns"].push_back(std::move(entry));
  }
  AddWorth(report.worth, json);
  json["classification"] = nullptr;
  if (report.prediction) {
    Json entry;
    entry["column"] = report.prediction->column;
    entry["baseline_error"] = JsonNumber(report.prediction->baseline_error);
    entry["release_error"] = JsonNumber(report.prediction->release_error);
    entry["majority_error"] = JsonNumber(report.prediction->majority_error);
    entry["train"] = report.prediction->train;
    entry["test"] = report.prediction->test;
    entry["held_out"] = report.prediction->held_out;
    json["classification"] = std::move(entry);
  }
  return json;
}

}  // namespace reissue::cli
