#include "cli/render/why.h"

#include <algorithm>

#include "cli/render/text.h"

namespace reissue::cli {
namespace {

using contract::WayOut;
using contract::Why;

constexpr std::size_t kValuesShown = 4;

std::string WaysText(const std::vector<WayOut>& ways) {
  std::string text;
  for (const WayOut& way : ways) {
    const std::string gain =
        way.others
            ? "the other columns lose " + Percent(way.after) + " instead of " + Percent(way.before)
            : "loss of detail " + Percent(way.after) + " instead of " + Percent(way.before);
    text += "    - " + Fill(Printable(way.words) + ": " + gain, 6).substr(6);
  }
  return text;
}

std::string ValuesOf(const Why::Column& column, bool whole) {
  const std::size_t shown = whole ? column.values.size() : kValuesShown;
  std::string text;
  for (std::size_t i = 0; i < std::min(shown, column.values.size()); ++i) {
    const Why::Column::Value& value = column.values[i];
    text += (i > 0 ? ", " : "") + Printable(value.label) + ": " + Count(value.rows);
  }
  if (column.values.size() > shown) text += ", …";
  return text;
}

std::string Reason(const Why::Column& column, bool whole) {
  if (column.loss == 0) return "nothing is hidden.";
  std::string text = Percent(column.loss) + " hidden. ";
  if (column.label.empty()) {
    return text +
           "No label is stopped by itself: finer ones would not keep the promise together "
           "with the other columns or the earlier releases, or are on a floor.";
  }
  text += Counted(column.stopped, "label", "labels") + " cannot be finer. ";
  text += "The nearest step, to what lies below " + Printable(column.label) + ", would leave " +
          Counted(column.groups, "group", "groups") + " too small, with " +
          Counted(column.rows, "row", "rows");
  text += " (" + ValuesOf(column, whole) + ")";
  if (column.missing > 0) {
    text += "; " + Counted(column.missing, "newcomer is", "newcomers are") + " missing there";
  }
  return text + ".";
}

Json WaysArray(const std::vector<WayOut>& ways) {
  Json array = Json::array();
  for (const WayOut& way : ways) {
    Json object;
    object["way"] = way.words;
    object["of"] = way.others ? "other columns" : "all columns";
    object["loss_before"] = way.before;
    object["loss_after"] = way.after;
    array.push_back(std::move(object));
  }
  return array;
}

}  // namespace

std::string WhyText(const Why& why, const Style& style) {
  std::string text = style.Heading("Why columns are not finer") + "\n";
  for (const Why::Column& column : why.columns) {
    text += "  " + Fill(Printable(column.name) + ": " + Reason(column, style.whole()), 2).substr(2);
    text += WaysText(column.ways);
  }
  if (!why.ways.empty()) text += "  All columns\n" + WaysText(why.ways);
  return text;
}

Json WhyObject(const Why& why) {
  Json json;
  if (!why.table.empty()) json["table"] = why.table;
  json["loss"] = why.loss;
  json["columns"] = Json::array();
  for (const Why::Column& column : why.columns) {
    Json object;
    object["column"] = column.name;
    object["loss"] = column.loss;
    object["labels_stopped"] = column.stopped;
    if (!column.label.empty()) {
      object["nearest"] = column.label;
      object["groups"] = column.groups;
      object["rows"] = column.rows;
      object["newcomers"] = column.newcomers;
      object["newcomers_missing"] = column.missing;
      object["values"] = Json::array();
      for (const Why::Column::Value& value : column.values) {
        object["values"].push_back({{"label", value.label}, {"rows", value.rows}});
      }
    }
    object["ways"] = WaysArray(column.ways);
    json["columns"].push_back(std::move(object));
  }
  json["ways"] = WaysArray(why.ways);
  return json;
}

}  // namespace reissue::cli
