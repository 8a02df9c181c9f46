#include "reissue/models/similarity/service/prior.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <unordered_map>

#include "reissue/models/similarity/service/learner.h"
#include "reissue/models/similarity/service/promise.h"
#include "reissue/taxonomy/numbers.h"

namespace reissue::models::similarity::service {
namespace {

namespace sim = models::similarity;

constexpr double kBoundless = std::numeric_limits<double>::infinity();
constexpr char kEverybody[] = "*";
// A single number covers next to nothing of a range; a range that covers everything is still more
// specific than saying nothing.
constexpr double kShareOfOneNumber = 1e-9;
constexpr double kShareOfAllNumbers = 1 - 1e-6;
constexpr double kSameSpecificity = 1e-9;

std::optional<double> RangeBound(std::string_view text) {
  if (text == "inf") return kBoundless;
  if (text == "-inf") return -kBoundless;
  return taxonomy::ParseNumber(text);
}

std::string RangeBoundText(double bound) {
  if (std::isinf(bound)) return bound < 0 ? "-inf" : "inf";
  return taxonomy::FormatNumber(bound);
}

}  // namespace

std::optional<NumberRange> ParseNumberRange(std::string_view text) {
  if (const auto number = taxonomy::ParseNumber(text)) return NumberRange{*number, *number};
  const std::size_t comma = text.find(',');
  if (!text.starts_with('[') || !text.ends_with(')') || comma == std::string_view::npos) {
    return std::nullopt;
  }
  const auto low = RangeBound(text.substr(1, comma - 1));
  const auto high = RangeBound(text.substr(comma + 1, text.size() - comma - 2));
  if (!low || !high || !(*low < *high)) return std::nullopt;
  return NumberRange{*low, *high};
}

std::string TextOf(const NumberRange& range) {
  if (range.low == range.high) return taxonomy::FormatNumber(range.low);
  return fmt::format("[{},{})", RangeBoundText(range.low), RangeBoundText(range.high));
}

bool PriorBeliefs::Cell::operator==(const Cell& other) const {
  return std::tie(covers, first, last, low, high, text) ==
         std::tie(other.covers, other.first, other.last, other.low, other.high, other.text);
}

// Reads the lines and puts them together to kinds.
class PriorBeliefs::FileReader {
 public:
  FileReader(const io::Policy& policy, bool normalise) : sensitive_(policy), normalise_(normalise) {
    quasi_ = policy.WithRole(io::Role::kQuasi);
  }

  Result<PriorBeliefs> Read(const io::Policy& policy, const std::string& path,
                            binding::Context& context) {
    std::vector<std::string> required = sensitive_.names();
    required.push_back(kProbabilityColumn);
    std::vector<std::string> known;
    for (const io::PolicyColumn* column : quasi_) known.push_back(column->name);
    known.insert(known.end(), required.begin(), required.end());
    const BeliefLines file = REISSUE_TRY(BeliefLines::Read(path, known, required, 1, context));
    prior_.file_ = path;
    const auto trees = REISSUE_TRY(binding::LoadTaxonomies(policy, context));
    for (std::size_t q = 0; q < quasi_.size(); ++q) {
      const auto at = file.Find(quasi_[q]->name);
      if (!at) continue;
      prior_.columns_.push_back({quasi_[q]->name, quasi_[q]->numeric, trees[q], {}});
      field_.push_back(*at);
    }
    cell_of_text_.resize(field_.size());
    const std::size_t probability = *file.Find(kProbabilityColumn);
    for (const io::Record& line : file.lines()) REISSUE_TRY(AddLine(file, line, probability));
    REISSUE_TRY(Finish());
    return std::move(prior_);
  }

 private:
  struct Entry {
    std::uint32_t value = 0;
    double probability = 0;
    std::uint64_t line = 0;
  };

  Status AddLine(const BeliefLines& file, const io::Record& line, std::size_t probability) {
    std::vector<std::uint32_t> cells;
    for (std::size_t c = 0; c < field_.size(); ++c) {
      const auto known = cell_of_text_[c].find(line.fields[field_[c]]);
      if (known != cell_of_text_[c].end()) {
        cells.push_back(known->second);
        continue;
      }
      Column& column = prior_.columns_[c];
      const Cell cell = REISSUE_TRY(ParseCell(file, line, field_[c], column));
      const auto at = std::find(column.cells.begin(), column.cells.end(), cell);
      cells.push_back(static_cast<std::uint32_t>(at - column.cells.begin()));
      if (at == column.cells.end()) column.cells.push_back(cell);
      cell_of_text_[c].emplace(line.fields[field_[c]], cells.back());
    }
    const binding::ValueTexts text = REISSUE_TRY(sensitive_.ValueOn(file, line));
    const auto [value, new_value] =
        value_of_.emplace(text, static_cast<std::uint32_t>(prior_.values_.size()));
    if (new_value) prior_.values_.push_back(text);
    const auto [kind, new_kind] =
        kind_of_.emplace(cells, static_cast<std::uint32_t>(entries_.size()));
    if (new_kind) {
      entries_.emplace_back();
      prior_.sorted_.push_back({cells, line.line, kind->second, 0});
    }
    const double p = REISSUE_TRY(file.Probability(line, probability));
    const auto [seen, first] = line_of_.emplace(std::pair(kind->second, value->second), line.line);
    if (!first) {
      return file.Wrong(
          line, std::nullopt,
          fmt::format("the value stands on line {} already, for the same people", seen->second),
          "Keep one of the two lines.");
    }
    entries_[kind->second].push_back({value->second, p, line.line});
    return Ok();
  }

  Result<Cell> ParseCell(const BeliefLines& file, const io::Record& line, std::size_t field,
                         const Column& column) const {
    const std::string& text = line.fields[field];
    Cell cell;
    if (text == kEverybody) return cell;
    if (text.empty()) {
      return file.Wrong(line, field, "the cell is empty", "Write * for everybody.");
    }
    if (column.tree) {
      if (const auto node = column.tree->Find(text)) {
        if (*node == taxonomy::Taxonomy::root()) return cell;
        cell.covers = Cell::Covers::kLeaves;
        cell.first = column.tree->first_leaf(*node);
        cell.last = column.tree->last_leaf(*node);
        return cell;
      }
    }
    if (column.numeric) {
      const auto range = ParseNumberRange(text);
      if (range) {
        cell.covers = Cell::Covers::kNumbers;
        cell.low = range->low;
        cell.high = range->high;
        return cell;
      }
      return file.Wrong(line, field,
                        column.tree ? "the taxonomy of the column has no such label, and it is no "
                                      "number or range of numbers"
                                    : "a number, a range such as [20,30) or * was expected",
                        "Write a number, a range with its lower end and without its upper end, "
                        "such as [20,30), or * for everybody.");
    }
    if (column.tree) {
      return file.Wrong(line, field, "the taxonomy of the column has no such label",
                        "Write a value or group of the taxonomy as it stands there, or *.");
    }
    cell.covers = Cell::Covers::kText;
    cell.text = text;
    return cell;
  }

  Status Finish() {
    for (Column& column : prior_.columns_) Measure(column);
    for (std::size_t k = 0; k < entries_.size(); ++k) {
      sim::Distribution kind(prior_.values_.size());
      for (const Entry& entry : entries_[k]) kind[entry.value] = entry.probability;
      const Place place{prior_.file_, entries_[k].front().line, std::nullopt, ""};
      REISSUE_TRY(MakeSumOne(kind, normalise_, place, "these people"));
      prior_.kinds_.push_back(std::move(kind));
    }
    for (Kind& kind : prior_.sorted_) {
      for (std::size_t c = 0; c < kind.cells.size(); ++c) {
        kind.specific += prior_.columns_[c].cells[kind.cells[c]].specific;
      }
    }
    std::sort(prior_.sorted_.begin(), prior_.sorted_.end(),
              [](const Kind& a, const Kind& b) { return a.cells < b.cells; });
    return Ok();
  }

  SensitiveColumns sensitive_;
  bool normalise_;
  std::vector<const io::PolicyColumn*> quasi_;
  std::vector<std::size_t> field_;  // per column of the prior: where it stands in the file
  std::vector<std::unordered_map<std::string, std::uint32_t>> cell_of_text_;  // per column
  std::map<binding::ValueTexts, std::uint32_t> value_of_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> kind_of_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> line_of_;
  std::vector<std::vector<Entry>> entries_;  // per kind
  PriorBeliefs prior_;
};

Result<PriorBeliefs> PriorBeliefs::Read(const io::Policy& policy, const std::string& path,
                                        bool normalise, binding::Context& context) {
  return FileReader(policy, normalise).Read(policy, path, context);
}

// Shares of the leaves, of the texts that the file names, or of all numbers: what the file's bounds
// span, and the same once more on each open side.
void PriorBeliefs::Measure(Column& column) {
  double least = kBoundless, largest = -kBoundless;
  bool open_below = false, open_above = false;
  double texts = 0;
  for (const Cell& cell : column.cells) {
    texts += cell.covers == Cell::Covers::kText ? 1 : 0;
    if (cell.covers != Cell::Covers::kNumbers) continue;
    for (const double bound : {cell.low, cell.high}) {
      if (std::isinf(bound)) continue;
      least = std::min(least, bound);
      largest = std::max(largest, bound);
    }
    open_below |= std::isinf(cell.low);
    open_above |= std::isinf(cell.high);
  }
  const double span = largest > least ? largest - least : 1;
  const double from = open_below ? least - span : least;
  const double to = open_above ? largest + span : std::max(largest, least + span);
  for (Cell& cell : column.cells) {
    double share = 1;
    if (cell.covers == Cell::Covers::kLeaves) {
      share =
          static_cast<double>(cell.last - cell.first) / static_cast<double>(column.tree->leaves());
    } else if (cell.covers == Cell::Covers::kText) {
      share = 1 / std::max(2.0, texts);
    } else if (cell.covers == Cell::Covers::kNumbers) {
      const double width = std::min(cell.high, to) - std::max(cell.low, from);
      share = std::max(kShareOfOneNumber, kShareOfAllNumbers * width / (to - from));
    }
    cell.specific = std::log(share);
  }
}

PriorBeliefs::Fits PriorBeliefs::FitsOf(const Column& column,
                                        const binding::GroupedTable& table) const {
  const auto quasi =
      std::find_if(table.holder.quasi.begin(), table.holder.quasi.end(),
                   [&](const binding::Quasi& q) { return q.policy->name == column.name; });
  REISSUE_CHECK(quasi != table.holder.quasi.end());
  const reissue::Column& values = table.holder.table[quasi->column];
  Fits fits;
  std::map<std::vector<std::uint32_t>, std::uint32_t> class_of_cells;
  std::vector<std::uint32_t> class_of_value;
  for (std::size_t v = 0; v < values.dictionary().size(); ++v) {
    const std::string_view text = values.dictionary()[ValueId(v)];
    const auto number = column.numeric ? taxonomy::ParseNumber(text) : std::nullopt;
    const std::uint32_t leaf = quasi->tree ? quasi->leaf_of_value[v] : 0;
    std::vector<std::uint32_t> cells;
    for (std::size_t c = 0; c < column.cells.size(); ++c) {
      const Cell& cell = column.cells[c];
      const bool fit =
          cell.covers == Cell::Covers::kAll ||
          (cell.covers == Cell::Covers::kLeaves && leaf >= cell.first && leaf < cell.last) ||
          (cell.covers == Cell::Covers::kNumbers && number && cell.FitsNumber(*number)) ||
          (cell.covers == Cell::Covers::kText && text == cell.text);
      if (fit) cells.push_back(static_cast<std::uint32_t>(c));
    }
    const auto [at, added] =
        class_of_cells.emplace(std::move(cells), static_cast<std::uint32_t>(fits.cells.size()));
    if (added) fits.cells.push_back(at->first);
    class_of_value.push_back(at->second);
  }
  fits.class_of_row.reserve(values.values().size());
  for (const ValueId value : values.values()) {
    fits.class_of_row.push_back(class_of_value[value.index()]);
  }
  return fits;
}

void PriorBeliefs::Search(std::size_t column, std::size_t begin, std::size_t end,
                          const std::vector<const std::vector<std::uint32_t>*>& fits,
                          std::vector<const Kind*>& found) const {
  if (column == fits.size()) {
    for (std::size_t k = begin; k < end; ++k) found.push_back(&sorted_[k]);
    return;
  }
  std::size_t at = begin;
  for (const std::uint32_t cell : *fits[column]) {
    const auto below = [column](const Kind& kind, std::uint32_t c) {
      return kind.cells[column] < c;
    };
    const auto from =
        std::lower_bound(sorted_.begin() + static_cast<std::ptrdiff_t>(at),
                         sorted_.begin() + static_cast<std::ptrdiff_t>(end), cell, below);
    const auto to =
        std::lower_bound(from, sorted_.begin() + static_cast<std::ptrdiff_t>(end), cell + 1, below);
    at = static_cast<std::size_t>(to - sorted_.begin());
    if (from != to) {
      Search(column + 1, static_cast<std::size_t>(from - sorted_.begin()), at, fits, found);
    }
  }
}

Result<std::uint32_t> PriorBeliefs::BestOf(const std::vector<const Kind*>& found,
                                           const binding::GroupedTable& table,
                                           std::size_t row) const {
  const reissue::Table& rows = table.holder.table;
  Place place = rows.PlaceOf(RowId(row), table.holder.quasi[0].column);
  place.column.clear();
  if (found.empty()) {
    return InputError(place, fmt::format("no line of the prior {} fits this row", file_),
                      "Add a kind with * in every column for everybody whom no other fits.");
  }
  const Kind* best = found[0];
  const Kind* rival = nullptr;
  for (const Kind* kind : found) {
    if (kind == best) continue;
    if (kind->specific < best->specific - kSameSpecificity) {
      best = kind;
      rival = nullptr;
    } else if (kind->specific <= best->specific + kSameSpecificity) {
      rival = kind;
    }
  }
  if (rival != nullptr) {
    return InputError({file_, std::max(best->line, rival->line), std::nullopt, ""},
                      fmt::format("this kind of people and the one on line {} fit {} equally well",
                                  std::min(best->line, rival->line), place.ToString()),
                      "Add a kind for people whom both fit, or make one of them narrower.");
  }
  return best->number;
}

Result<std::vector<std::uint32_t>> PriorBeliefs::KindsOf(const binding::GroupedTable& table) const {
  const std::size_t rows = table.holder.table.rows();
  std::vector<Fits> fits;
  for (const Column& column : columns_) fits.push_back(FitsOf(column, table));
  // Combinations of classes, one column after the other.
  std::vector<std::uint32_t> code(rows, 0);
  std::uint32_t codes = 1;
  for (const Fits& column : fits) codes = PairCodes(code, column.class_of_row);
  constexpr std::uint32_t kUnknown = 0xffffffffu;
  std::vector<std::uint32_t> kind_of_code(codes, kUnknown);
  std::vector<std::uint32_t> kinds(rows);
  std::vector<const Kind*> found;
  for (std::size_t row = 0; row < rows; ++row) {
    std::uint32_t& kind = kind_of_code[code[row]];
    if (kind == kUnknown) {
      std::vector<const std::vector<std::uint32_t>*> cells;
      for (const Fits& column : fits) cells.push_back(&column.cells[column.class_of_row[row]]);
      found.clear();
      Search(0, 0, sorted_.size(), cells, found);
      kind = REISSUE_TRY(BestOf(found, table, row));
    }
    kinds[row] = kind;
  }
  return kinds;
}

}  // namespace reissue::models::similarity::service
