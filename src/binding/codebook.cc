#include "reissue/binding/codebook.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "reissue/binding/hierarchy.h"
#include "reissue/binding/load.h"
#include "reissue/binding/scale.h"
#include "reissue/binding/source.h"
#include "reissue/core/table_rows.h"
#include "reissue/io/csv.h"
#include "reissue/taxonomy/numbers.h"

namespace reissue::binding {
namespace {

using taxonomy::Taxonomy;

std::string RoleWord(io::Role role) {
  switch (role) {
    case io::Role::kQuasi:
      return "quasi";
    case io::Role::kSensitive:
      return "sensitive";
    case io::Role::kPublish:
      return "publish";
    case io::Role::kIdentifier:
      return "identifier";
    case io::Role::kDrop:
      return "drop";
  }
  return "";
}

// Where a label stands among the others of its column: `*` first, wide ranges before what is in
// them, numbers before texts.
using Position = std::tuple<double, double, std::string>;

struct Described {
  Position position;
  Codebook::Label label;
};

std::optional<Described> DescribeNode(const Taxonomy& tree, std::string_view text) {
  const auto node = FindLabel(tree, text);
  if (!node) return std::nullopt;
  Described found{{static_cast<double>(node->raw()), 0, std::string(text)}, {}};
  for (std::uint32_t rank = tree.first_leaf(*node); rank < tree.last_leaf(*node); ++rank) {
    found.label.leaves.push_back(tree.label(tree.leaf(rank)));
  }
  return found;
}

// `[a,b)`: FromBreakpoints, FromData; `[a,b]`: groups.
std::optional<std::pair<double, double>> HalfOpen(std::string_view text) {
  if (!text.ends_with(')')) return std::nullopt;
  return EndsOfRange(std::string(text.substr(0, text.size() - 1)) + "]");
}

Described DescribeNumbers(const io::PolicyColumn& column, std::string_view text) {
  Described found{{0, 0, std::string(text)}, {}};
  const auto number = [](double value) { return taxonomy::FormatNumber(value); };
  if (const auto ends = HalfOpen(text)) {
    found.position = {ends->first, -ends->second, ""};
    found.label.words =
        fmt::format("at least {}, less than {}", number(ends->first), number(ends->second));
  } else if (const auto closed = EndsOfRange(text)) {
    found.position = {closed->first, -closed->second, ""};
    found.label.words =
        fmt::format("at least {}, at most {}", number(closed->first), number(closed->second));
  } else if (const auto value = taxonomy::ParseNumber(text)) {
    found.position = {*value, -*value, std::string(text)};
    found.label.words = number(*value);
  } else {
    found.position = {-std::numeric_limits<double>::infinity(), 0, std::string(text)};
    found.label.words = "any number";
    if (!column.breakpoints.empty()) {
      const std::vector<double>& finest = column.breakpoints.front();
      found.label.words =
          fmt::format("at least {}, less than {}", number(finest.front()), number(finest.back()));
    }
  }
  return found;
}

Described DescribeText(std::string_view text) {
  Described found{{text == "*" ? 0 : 1, 0, std::string(text)}, {}};
  found.label.words = text == "*" ? "any value" : std::string(text);
  return found;
}

Result<std::vector<Codebook::Label>> LabelsIn(const io::PolicyColumn& policy, const Taxonomy* tree,
                                              const Table& table, ColumnId id) {
  const Column& column = table[id];
  const std::vector<std::uint64_t> rows = RowsPerValue(table, id);
  std::vector<Described> labels;
  for (std::size_t v = 0; v < rows.size(); ++v) {
    if (rows[v] == 0) continue;
    const std::string_view text = column.dictionary()[ValueId(v)];
    std::optional<Described> found = tree             ? DescribeNode(*tree, text)
                                     : policy.numeric ? DescribeNumbers(policy, text)
                                                      : DescribeText(text);
    if (!found) {
      return InputError(table.PlaceOf(table.FirstWith(id, ValueId(v)), id),
                        "the label is not in the taxonomy of this column",
                        "Was the release made with this policy?");
    }
    found->label.text = text;
    found->label.rows = rows[v];
    labels.push_back(*std::move(found));
  }
  std::ranges::sort(labels, {}, &Described::position);
  std::vector<Codebook::Label> sorted;
  for (Described& each : labels) sorted.push_back(std::move(each.label));
  return sorted;
}

// Columns that releases in groups have of their own.
bool OfGroups(std::string_view name) {
  return name == "group" || name == "count" || name == "counterfeits";
}

}  // namespace

Result<Codebook> MakeCodebook(const io::Policy& policy, const std::string& release,
                              Context& context) {
  const auto trees = REISSUE_TRY(LoadTaxonomies(policy, context));
  std::map<std::string, std::shared_ptr<const Taxonomy>> tree_of;
  const auto quasi = policy.WithRole(io::Role::kQuasi);
  for (std::size_t q = 0; q < quasi.size(); ++q) tree_of.emplace(quasi[q]->name, trees[q]);
  io::CsvOptions options;
  options.digest = false;
  const sources::Counted file = REISSUE_TRY(CountAll(release, options, context));
  Codebook book;
  book.file = std::filesystem::path(release).filename().string();
  book.rows = file.table.total();
  for (std::size_t c = 0; c < file.table.width(); ++c) {
    const Column& column = file.table[ColumnId(c)];
    const io::PolicyColumn* known = policy.Find(column.name());
    const bool other = known == nullptr && policy.drops_others && !OfGroups(column.name());
    if (other) {
      return InputError({release, 1, std::nullopt, column.name()},
                        "the policy drops columns that it does not name, and the file has this one",
                        "A codebook is for published files; this one must not be published.");
    }
    if (known && (known->role == io::Role::kIdentifier || known->role == io::Role::kDrop)) {
      return InputError({release, 1, std::nullopt, column.name()},
                        fmt::format("the policy gives this column the role \"{}\", and the file "
                                    "has it",
                                    RoleWord(known->role)),
                        "A codebook is for published files; this one must not be published.");
    }
    Codebook::Column described;
    described.name = column.name();
    described.role = known ? RoleWord(known->role) : "";
    described.values = column.dictionary().size();
    if (known && known->role == io::Role::kQuasi) {
      described.labels =
          REISSUE_TRY(LabelsIn(*known, tree_of[column.name()].get(), file.table, ColumnId(c)));
    }
    book.columns.push_back(std::move(described));
  }
  return book;
}

}  // namespace reissue::binding
