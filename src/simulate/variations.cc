#include "reissue/simulate/variations.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "reissue/simulate/csv_line.h"

namespace reissue::simulate {
namespace {

constexpr std::uint64_t kVariationsFamily = 5;  // apart from the kinds of MakeGenerator

std::vector<std::string> HeaderWith(const Table& table, const std::string& identifier) {
  std::vector<std::string> names;
  if (!identifier.empty() && !table.Find(identifier)) names.push_back(identifier);
  for (const Column& column : table.columns()) names.push_back(column.name());
  return names;
}

// V, or VV, or …: the first that begins no string of the dictionary.
std::string UnusedPrefix(const Dictionary& dictionary) {
  std::size_t longest = 0;
  for (const std::string_view text : dictionary.strings()) {
    const std::size_t end = text.find_first_not_of('V');
    longest = std::max(longest, end == std::string_view::npos ? text.size() : end);
  }
  return std::string(longest + 1, 'V');
}

Error NoSuchColumn(const std::string& name) {
  return UsageError("the table has no column \"" + name + "\" to vary",
                    "Name columns as the header of the table does.");
}

}  // namespace

Result<std::unique_ptr<Variations>> Variations::Make(const Table& table, std::uint64_t seed,
                                                     const VariationOptions& options) {
  if (table.rows() == 0) return UsageError("a table without rows has no variations");
  if (options.scale == 0) return UsageError("the scale must be at least 1");
  if (options.scale > std::numeric_limits<std::uint64_t>::max() / table.rows()) {
    return UsageError("the scale is too large");
  }
  std::vector<std::size_t> columns;
  for (const std::string& name : options.columns) {
    const auto column = table.Find(name);
    if (!column) return NoSuchColumn(name);
    if (name == options.identifier) {
      return UsageError("the identifier column \"" + name + "\" cannot vary",
                        "Leave it out of the columns that vary.");
    }
    if (std::find(columns.begin(), columns.end(), column->index()) != columns.end()) {
      return UsageError("column \"" + name + "\" is named twice", "Name it once.");
    }
    columns.push_back(column->index());
  }
  if (options.changed > columns.size()) {
    return UsageError("cannot change " + std::to_string(options.changed) + " of " +
                          std::to_string(columns.size()) + " columns",
                      "Name more columns, or change fewer.");
  }
  return std::unique_ptr<Variations>(
      new Variations(table, DeriveSeed(seed, kVariationsFamily), options, std::move(columns)));
}

Variations::Variations(const Table& table, std::uint64_t seed, const VariationOptions& options,
                       std::vector<std::size_t> columns)
    : Generator(seed, HeaderWith(table, options.identifier),
                !options.identifier.empty() && !table.Find(options.identifier) ? 'R' : '\0'),
      table_(table),
      rows_(options.scale * table.rows()),
      changed_(options.changed),
      columns_(std::move(columns)),
      adds_identifier_(!options.identifier.empty() && !table.Find(options.identifier)),
      identifier_(table.width()) {
  if (options.identifier.empty() || adds_identifier_) return;
  identifier_ = table.Find(options.identifier)->index();
  fresh_prefix_ = UnusedPrefix(table.columns()[identifier_].dictionary());
}

std::vector<std::string> Variations::Domain(std::size_t column) const {
  if (adds_identifier_ && column-- == 0) return {};
  if (column == identifier_) return {};
  const auto& strings = table_.columns()[column].dictionary().strings();
  return {strings.begin(), strings.end()};
}

void Variations::AppendValues(std::uint64_t row, Random& random, std::string& out) const {
  const RowId record(row % table_.rows());
  const bool varies = row >= table_.rows();
  // Passing over the columns in order, each is taken with the chance that makes all sets of
  // `changed_` columns equally likely.
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; varies && i < columns_.size(); ++i) {
    if (random.Below(columns_.size() - i) < changed_ - chosen.size()) chosen.push_back(columns_[i]);
  }
  for (std::size_t i = 0; i < table_.width(); ++i) {
    if (i > 0) out.push_back(',');
    const Column& column = table_.columns()[i];
    if (varies && i == identifier_) {
      out += fresh_prefix_;
      AppendNumber(out, row + 1, 7);
    } else if (std::find(chosen.begin(), chosen.end(), i) != chosen.end()) {
      AppendText(out, column.dictionary()[ValueId(random.Below(column.dictionary().size()))]);
    } else {
      AppendText(out, column.text(record));
    }
  }
  out.push_back('\n');
}

}  // namespace reissue::simulate
