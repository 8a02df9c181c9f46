#include "reissue/binding/spreadsheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "reissue/binding/source.h"
#include "reissue/core/table_rows.h"

namespace reissue::binding {
namespace {

// What a formula begins with; where East Asian scripts are written, also in full width.
struct Sign {
  std::string_view text;
  char plain;
};
constexpr Sign kSigns[] = {{"=", '='},   {"+", '+'},  {"-", '-'},  {"@", '@'},  {"\t", '\t'},
                           {"\r", '\r'}, {"＝", '='}, {"＋", '+'}, {"－", '-'}, {"＠", '@'}};

// Some spreadsheets drop what cannot be seen at the beginning of a cell.
std::string_view WithoutBlanks(std::string_view cell) {
  constexpr std::string_view kBlanks[] = {" ",
                                          "\xC2\xA0",
                                          "\xE2\x80\x80",
                                          "\xE2\x80\x81",
                                          "\xE2\x80\x82",
                                          "\xE2\x80\x83",
                                          "\xE2\x80\x84",
                                          "\xE2\x80\x85",
                                          "\xE2\x80\x86",
                                          "\xE2\x80\x87",
                                          "\xE2\x80\x88",
                                          "\xE2\x80\x89",
                                          "\xE2\x80\x8A",
                                          "\xE2\x80\x8B",
                                          "\xE2\x80\xAF",
                                          "\xE3\x80\x80",
                                          "\xEF\xBB\xBF"};
  const auto begins = [&](std::string_view blank) { return cell.starts_with(blank); };
  for (const std::string_view* blank;
       (blank = std::ranges::find_if(kBlanks, begins)) != std::end(kBlanks);) {
    cell.remove_prefix(blank->size());
  }
  return cell;
}

bool IsNumber(std::string_view text) {
  // Infinity and what is no number have names, and names are those of cells.
  if (text.find_first_not_of("0123456789.,eE+-") != std::string_view::npos) return false;
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem == std::errc() && stop == text.data() + text.size()) return true;
  if (text.starts_with('-')) text.remove_prefix(1);
  return text.find_first_not_of("0123456789.,") == std::string_view::npos;
}

// The controls of ASCII but line ends and tabs, and those of Latin-1, which are two bytes here.
bool HasControl(std::string_view cell) {
  for (std::size_t i = 0; i < cell.size(); ++i) {
    const auto byte = static_cast<unsigned char>(cell[i]);
    if (byte == 0x7F || (byte < 0x20 && byte != '\n' && byte != '\r' && byte != '\t')) return true;
    if (byte == 0xC2 && i + 1 < cell.size() && static_cast<unsigned char>(cell[i + 1]) < 0xA0) {
      return true;
    }
  }
  return false;
}

// The controls of ASCII have signs of their own; those of Latin-1 have none.
std::string WithoutControls(std::string_view cell) {
  std::string text;
  for (std::size_t i = 0; i < cell.size(); ++i) {
    const auto byte = static_cast<unsigned char>(cell[i]);
    if (!HasControl(cell.substr(i, byte == 0xC2 ? 2 : 1))) {
      text += cell[i];
    } else if (byte == 0xC2) {
      text += "\xEF\xBF\xBD";  // U+FFFD
      ++i;
    } else {
      const unsigned sign = 0x2400 + (byte == 0x7F ? 0x21u : byte);  // U+2400 to U+2421
      text += '\xE2';
      text += static_cast<char>(0x80 | ((sign >> 6) & 0x3F));
      text += static_cast<char>(0x80 | (sign & 0x3F));
    }
  }
  return text;
}

// What some spreadsheet may take for the end of a cell, within one that is in quotes for others.
constexpr std::string_view kEnds = ";\t\n\r";

// Whether that is a formula where a cell begins behind an end; quotes may open it. The last label
// of a list of ours, {a; -5}, may be a number.
bool IsFormulaBehind(std::string_view part) {
  for (std::size_t size = part.size() + 1; part.size() < size;) {
    size = part.size();
    part = WithoutBlanks(part.substr(std::min(part.find_first_not_of('"'), part.size())));
  }
  if (part.ends_with('}')) part.remove_suffix(1);
  return RiskOf(part) == CellRisk::kFormula;
}

// By a first line of that kind a spreadsheet knows where cells end.
bool TellsWhereCellsEnd(std::string_view name) {
  constexpr std::string_view kWord = "sep=";
  const auto same = [](char a, char b) { return a == b || a == b - 'a' + 'A'; };
  return name.size() > kWord.size() &&
         std::ranges::equal(name.substr(0, kWord.size()), kWord, same);
}

}  // namespace

CellRisk RiskOf(std::string_view cell) {
  if (HasControl(cell)) return CellRisk::kControl;
  const std::string_view text = WithoutBlanks(cell);
  for (const Sign& sign : kSigns) {
    if (!text.starts_with(sign.text)) continue;
    const std::string_view behind = text.substr(sign.text.size());
    if (behind.empty() || IsNumber(sign.plain + std::string(behind))) return CellRisk::kNone;
    return CellRisk::kFormula;
  }
  return CellRisk::kNone;
}

void CellRisks::Add(const std::string& column, std::string_view cell, std::uint64_t times) {
  const CellRisk risk = RiskOf(cell);
  if (risk == CellRisk::kNone || times == 0) return;
  Counts& counts = columns_[column];
  (risk == CellRisk::kFormula ? counts.formulas : counts.controls) += times;
}

std::vector<std::string> CellRisks::Words() const {
  std::vector<std::string> words;
  for (const auto& [column, counts] : columns_) {
    if (counts.formulas > 0) {
      words.push_back(fmt::format(
          "column \"{}\": {} cell{} that a spreadsheet may run as a formula (they begin with =, +, "
          "- or @)",
          column, counts.formulas, counts.formulas == 1 ? "" : "s"));
    }
    if (counts.controls > 0) {
      words.push_back(
          fmt::format("column \"{}\": {} cell{} with control characters, which a terminal may obey",
                      column, counts.controls, counts.controls == 1 ? "" : "s"));
    }
  }
  return words;
}

CellRisks RisksOf(const HolderTable& holder) {
  CellRisks risks;
  for (const ColumnId id : holder.published) {
    const Column& column = holder.table[id];
    const std::vector<std::uint64_t> times = RowsPerValue(holder.table, id);
    for (std::size_t v = 0; v < times.size(); ++v) {
      risks.Add(column.name(), column.dictionary()[ValueId(v)], times[v]);
    }
  }
  for (const Quasi& quasi : holder.quasi) {
    if (quasi.tree == nullptr || quasi.policy->taxonomy.empty()) continue;
    const taxonomy::Taxonomy& tree = quasi.whole_tree();
    for (std::size_t n = 0; n < tree.nodes(); ++n) {
      const NodeId node(n);
      if (!tree.is_leaf(node)) risks.Add(quasi.policy->name, tree.label(node));
    }
  }
  return risks;
}

CellRisks RisksOf(const Table& release) {
  CellRisks risks;
  for (const Column& column : release.columns()) {
    std::vector<std::uint64_t> times(column.dictionary().size());
    for (std::size_t row = 0; row < release.rows(); ++row) {
      times[column[RowId(row)].index()] += release.weight(RowId(row));
    }
    risks.Add(column.name(), column.name());
    for (std::size_t v = 0; v < times.size(); ++v) {
      risks.Add(column.name(), column.dictionary()[ValueId(v)], times[v]);
    }
  }
  return risks;
}

Result<CellRisks> RisksOfFile(const std::string& path, Context& context) {
  io::CsvOptions options;
  options.separator = ',';
  options.digest = false;
  Context files = context.OfFiles();
  const sources::Counted counted = REISSUE_TRY(CountAll(path, options, files));
  CellRisks risks;
  for (std::size_t c = 0; c < counted.table.width(); ++c) {
    const Column& column = counted.table[ColumnId(c)];
    const std::vector<std::uint64_t> times = RowsPerValue(counted.table, ColumnId(c));
    risks.Add(column.name(), column.name());
    for (std::size_t v = 0; v < times.size(); ++v) {
      risks.Add(column.name(), column.dictionary()[ValueId(v)], times[v]);
    }
  }
  return risks;
}

std::string NeutralCell(std::string_view cell) {
  const std::string visible = WithoutControls(cell);
  std::string text = RiskOf(visible) == CellRisk::kFormula ? "'" : "";
  std::string_view rest = visible;
  for (std::size_t end = rest.find_first_of(kEnds); end != std::string_view::npos;
       end = rest.find_first_of(kEnds)) {
    text += rest.substr(0, end + 1);
    rest.remove_prefix(end + 1);
    if (IsFormulaBehind(rest.substr(0, rest.find_first_of(kEnds)))) text += '\'';
  }
  return text += rest;
}

Result<NeutralCopy> CopyForSpreadsheets(const std::string& path, Context& context,
                                        const WriteText& write) {
  io::CsvOptions options;
  options.separator = ',';
  options.digest = false;
  const io::CsvFile file =
      REISSUE_TRY(io::ReadCsv(context.files, path, options, context.pool, context.progress));
  const std::size_t width = file.table.width();
  // Every value once.
  std::vector<std::vector<std::string>> fields(width);
  std::vector<std::vector<bool>> changed(width);
  NeutralCopy copy;
  std::string text = "\xEF\xBB\xBF";
  const auto put = [&](std::size_t column, std::string_view field) {
    if (column > 0) text += ',';
    text += field;
  };
  const auto field_of = [](std::string_view neutral) {
    std::string field;
    io::AppendField(field, neutral);
    return field;
  };
  for (std::size_t c = 0; c < width; ++c) {
    const Column& column = file.table[ColumnId(c)];
    std::string name = NeutralCell(column.name());
    if (c == 0 && TellsWhereCellsEnd(name)) name.insert(0, 1, '\'');
    copy.cells += name != column.name();
    put(c, field_of(name));
    for (const std::string_view value : column.dictionary().strings()) {
      const std::string neutral = NeutralCell(value);
      changed[c].push_back(neutral != value);
      fields[c].push_back(neutral.empty() && width > 1 ? "" : field_of(neutral));
    }
  }
  text += '\n';
  constexpr std::size_t kAtOnce = std::size_t{1} << 20;
  for (copy.rows = 0; copy.rows < file.table.rows(); ++copy.rows) {
    for (std::size_t c = 0; c < width; ++c) {
      const std::size_t value = file.table[ColumnId(c)][RowId(copy.rows)].index();
      put(c, fields[c][value]);
      copy.cells += changed[c][value];
    }
    text += '\n';
    if (text.size() < kAtOnce) continue;
    REISSUE_TRY(write(text));
    text.clear();
  }
  REISSUE_TRY(write(text));
  return copy;
}

}  // namespace reissue::binding
