#include "case.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>
#include <stdexcept>

namespace reissue::readers {
namespace {

std::string Quoted(const std::string& field) {
  if (field.find_first_of(",\"\n") == std::string::npos) return field;
  std::string text = "\"";
  for (const char c : field) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + "\"";
}

std::string Line(const Fields& fields) {
  std::string text;
  for (std::size_t i = 0; i < fields.size(); ++i) text += (i == 0 ? "" : ",") + Quoted(fields[i]);
  return text + "\n";
}

std::string Number(double number) {
  char text[40];
  std::snprintf(text, sizeof text, number == std::floor(number) ? "%.0f" : "%.17g", number);
  return text;
}

std::string InQuotes(const std::string& text) { return "\"" + text + "\""; }

std::string List(const Fields& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + InQuotes(name);
  return "[" + text + "]";
}

std::string RequirementText(const Requirement& one) {
  std::string text = one.linkability ? "[[guarantee.linkability]]\n" : "[[guarantee.anonymity]]\n";
  text += "x = " + List(one.x) + "\n";
  if (one.values.empty()) {
    text += "y = " + List(one.y) + "\n";
    return text + (one.linkability ? "confidence = " : "k = ") + Number(one.bound) + "\n";
  }
  std::string values;
  for (const auto& [value, bound] : one.values) {
    values += (values.empty() ? "" : ", ") + InQuotes(value) + " = " + Number(bound);
  }
  return text + "y = { " + InQuotes(one.column) + " = { " + values + " } }\n";
}

}  // namespace

bool Sheet::Has(const std::string& column) const {
  return std::find(header.begin(), header.end(), column) != header.end();
}

std::size_t Sheet::Column(const std::string& name) const {
  const auto at = std::find(header.begin(), header.end(), name);
  if (at == header.end()) throw std::logic_error("no column " + name);
  return static_cast<std::size_t>(at - header.begin());
}

const std::string& Sheet::At(std::size_t row, const std::string& column) const {
  return rows[row][Column(column)];
}

std::string Sheet::Text() const {
  std::string text = Line(header);
  for (const Fields& row : rows) text += Line(row);
  return text;
}

Sheet Sheet::Parse(const std::string& text) {
  Sheet sheet;
  Fields fields{""};
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      fields.back() += text[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else if (c == '\n' && !quoted) {
      (sheet.header.empty() ? sheet.header : sheet.rows.emplace_back()) = fields;
      fields = {""};
    } else {
      fields.back() += c;
    }
  }
  return sheet;
}

double Case::Asked(const std::string& key, double otherwise) const {
  const auto at = asked.find(key);
  return at == asked.end() ? otherwise : at->second;
}

std::string Case::Policy() const {
  std::string text;
  for (const Inconsistent& pair : inconsistent) {
    text += "[[inconsistent]]\n" + InQuotes(pair.column) + " = " + InQuotes(pair.label) + "\n" +
            InQuotes(pair.other_column) + " = " + InQuotes(pair.other_label) + "\n";
  }
  text += "[columns]\n" + columns + "[guarantee]\nmodel = " + InQuotes(model) + "\n";
  for (const auto& [key, number] : asked) text += key + " = " + Number(number) + "\n";
  for (const auto& [key, word] : settings) text += key + " = " + InQuotes(word) + "\n";
  for (const Requirement& one : requirements) text += RequirementText(one);
  if (!knowledge.empty()) text += "[knowledge]\n";
  for (const auto& [key, word] : knowledge) text += key + " = " + InQuotes(word) + "\n";
  return text;
}

std::string Case::Text() const {
  std::string text = "policy.toml\n" + Policy();
  for (const auto& [name, content] : files) text += "-- " + name + "\n" + content;
  for (std::size_t i = 0; i < sheets.size(); ++i) {
    text += "-- table " + std::to_string(i + 1) + "\n" + sheets[i].Text();
  }
  for (const Sheet& prior : priors) text += "-- prior\n" + prior.Text();
  return text;
}

namespace {

// Nobody reads a file without rows.
bool Empty(const std::vector<Sheet>& sheets) {
  return std::any_of(sheets.begin(), sheets.end(),
                     [](const Sheet& sheet) { return sheet.rows.empty(); });
}

template <typename List>
void Drop(std::size_t index, List& list) {
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(index));
}

// Who has the same first field is the same person.
std::set<std::string> PeopleOf(const std::vector<Sheet>& sheets) {
  std::set<std::string> people;
  for (const Sheet& sheet : sheets) {
    for (const Fields& row : sheet.rows) people.insert(row[0]);
  }
  return people;
}

}  // namespace

std::vector<Case> Smaller(const Case& one) {
  std::vector<Case> cases;
  const auto add = [&](auto change) {
    Case next = one;
    change(next);
    if (!next.sheets.empty() && !Empty(next.sheets) && !Empty(next.priors)) {
      cases.push_back(std::move(next));
    }
  };
  for (std::size_t s = 0; s < one.sheets.size(); ++s) {
    add([&](Case& next) { Drop(s, next.sheets); });
  }
  for (const std::string& person : PeopleOf(one.sheets)) {
    add([&](Case& next) {
      for (Sheet& sheet : next.sheets) {
        std::erase_if(sheet.rows, [&](const Fields& row) { return row[0] == person; });
      }
    });
  }
  for (std::vector<Sheet> Case::*of : {&Case::sheets, &Case::priors}) {
    for (std::size_t s = 0; s < (one.*of).size(); ++s) {
      for (std::size_t r = 0; r < (one.*of)[s].rows.size(); ++r) {
        add([&](Case& next) { Drop(r, (next.*of)[s].rows); });
      }
    }
  }
  for (std::size_t i = 0; i < one.requirements.size() && one.requirements.size() > 1; ++i) {
    add([&](Case& next) { Drop(i, next.requirements); });
  }
  for (std::size_t i = 0; i < one.inconsistent.size(); ++i) {
    add([&](Case& next) { Drop(i, next.inconsistent); });
  }
  return cases;
}

}  // namespace reissue::readers
