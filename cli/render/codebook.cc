#include "cli/render/codebook.h"

#include "cli/render/json.h"
#include "cli/render/reports.h"
#include "cli/render/text.h"
#include "reissue/io/csv.h"

namespace reissue::cli {
namespace {

using binding::Codebook;

constexpr std::size_t kLeavesShown = 8;

std::string Leaves(const std::vector<std::string>& leaves, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most, leaves.size()); ++i) {
    text += (i > 0 ? "; " : "") + leaves[i];
  }
  if (leaves.size() > most) text += "; and " + Count(leaves.size() - most) + " more";
  return text;
}

std::string StandsFor(const Codebook::Label& label, std::size_t most = ~std::size_t{0}) {
  return label.leaves.empty() ? label.words : Leaves(label.leaves, most);
}

// Of a column that is not recoded.
std::string Unrecoded(const Codebook::Column& column) {
  if (column.values == 1) return "one value, as it is";
  return Count(column.values) + " different values, as they are";
}

std::string TitleOf(const Codebook::Column& column) {
  return column.name + (column.role.empty() ? "" : " (" + column.role + ")");
}

std::string Csv(const Codebook& book) {
  std::string text = "column,role,label,rows,stands_for\n";
  const auto line = [&](const Codebook::Column& column, const std::string& label,
                        std::uint64_t rows, const std::string& meaning) {
    for (const std::string& field : {column.name, column.role, label, std::to_string(rows)}) {
      io::AppendField(text, field);
      text += ',';
    }
    io::AppendField(text, meaning);
    text += '\n';
  };
  for (const Codebook::Column& column : book.columns) {
    if (column.labels.empty()) line(column, "", book.rows, Unrecoded(column));
    for (const Codebook::Label& label : column.labels) {
      line(column, label.text, label.rows, StandsFor(label));
    }
  }
  return text;
}

// What means something in a table of Markdown is written so that it does not.
std::string ForMarkdown(const std::string& text) {
  std::string escaped;
  for (const char c : Printable(text)) {
    if (std::string_view("\\|*_`<[").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c == '\n' ? ' ' : c;
  }
  return escaped;
}

std::string Markdown(const Codebook& book) {
  std::string text = "# Codebook of " + ForMarkdown(book.file) + "\n\n" +
                     Counted(book.rows, "row", "rows") +
                     ". Made from the published file and the policy with its taxonomies alone.\n";
  for (const Codebook::Column& column : book.columns) {
    text += "\n## " + ForMarkdown(TitleOf(column)) + "\n\n";
    if (column.labels.empty()) {
      text += Unrecoded(column) + ".\n";
      continue;
    }
    text += "| label | rows | stands for |\n| --- | ---: | --- |\n";
    for (const Codebook::Label& label : column.labels) {
      text += "| " + ForMarkdown(label.text) + " | " + Count(label.rows) + " | " +
              ForMarkdown(StandsFor(label)) + " |\n";
    }
  }
  return text;
}

}  // namespace

std::string ToText(const Codebook& book, const Style& style) {
  std::string text = Printable(book.file) + ": " + Counted(book.rows, "row", "rows") + "\n";
  for (const Codebook::Column& column : book.columns) {
    text += "\n" + style.Heading(Printable(TitleOf(column))) + "\n";
    if (column.labels.empty()) {
      text += "  " + Unrecoded(column) + "\n";
      continue;
    }
    TextTable table({Align::kLeft, Align::kRight, Align::kLeft});
    table.Add({"label", "rows", "stands for"});
    for (const Codebook::Label& label : column.labels) {
      table.Add({Printable(label.text), Count(label.rows),
                 Printable(style.whole() ? StandsFor(label) : StandsFor(label, kLeavesShown))});
    }
    text += table.ToString();
  }
  return text;
}

std::string ToJson(const Codebook& book) {
  Json json;
  json["file"] = book.file;
  json["rows"] = book.rows;
  json["columns"] = Json::array();
  for (const Codebook::Column& column : book.columns) {
    Json entry;
    entry["column"] = column.name;
    entry["role"] = column.role.empty() ? Json(nullptr) : Json(column.role);
    entry["values"] = column.values;
    entry["labels"] = Json::array();
    for (const Codebook::Label& label : column.labels) {
      Json object;
      object["label"] = label.text;
      object["rows"] = label.rows;
      object["leaves"] = label.leaves.empty() ? Json(nullptr) : Json(label.leaves);
      object["stands_for"] = StandsFor(label);
      entry["labels"].push_back(std::move(object));
    }
    json["columns"].push_back(std::move(entry));
  }
  return JsonText(json);
}

std::string CodebookFile(const Codebook& book, const std::string& path) {
  return path.ends_with(".md") ? Markdown(book) : Csv(book);
}

}  // namespace reissue::cli
