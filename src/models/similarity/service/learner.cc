#include "reissue/models/similarity/service/learner.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "reissue/models/similarity/service/prior.h"
#include "reissue/taxonomy/numbers.h"

namespace reissue::models::similarity::service {
namespace {

namespace sim = models::similarity;

constexpr std::size_t kParts = 5;  // of a numeric column without breakpoints

// What divides the numbers of a column into parts of about as many rows each: ascending, above the
// least number, so that no part is empty.
std::vector<double> FifthsOf(const reissue::Column& column) {
  std::vector<double> number_of_value;
  for (const std::string_view text : column.dictionary().strings()) {
    number_of_value.push_back(taxonomy::ParseNumber(text).value_or(0));
  }
  std::vector<double> numbers;
  for (const ValueId value : column.values()) numbers.push_back(number_of_value[value.index()]);
  std::sort(numbers.begin(), numbers.end());
  std::vector<double> bounds;
  for (std::size_t part = 1; part < kParts && !numbers.empty(); ++part) {
    const double bound = numbers[part * numbers.size() / kParts];
    if (bound > (bounds.empty() ? numbers.front() : bounds.back())) bounds.push_back(bound);
  }
  return bounds;
}

std::string PartOf(double number, const std::vector<double>& bounds) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  if (bounds.empty()) return "*";
  const auto above = std::upper_bound(bounds.begin(), bounds.end(), number);
  return TextOf(NumberRange{above == bounds.begin() ? -kNone : above[-1],
                            above == bounds.end() ? kNone : *above});
}

// The node just below the root above each leaf.
std::vector<std::string> TopGroups(const taxonomy::Taxonomy& tree) {
  std::vector<std::string> group(tree.leaves(), tree.label(taxonomy::Taxonomy::root()));
  for (const NodeId node : tree.children(taxonomy::Taxonomy::root())) {
    for (std::uint32_t leaf = tree.first_leaf(node); leaf < tree.last_leaf(node); ++leaf) {
      group[leaf] = tree.label(node);
    }
  }
  return group;
}

template <typename T>
T& Grown(std::vector<T>& list, std::size_t index) {
  if (index >= list.size()) list.resize(index + 1);
  return list[index];
}

// (count + a · base) / (sum of counts + a).
sim::Distribution Smoothed(const std::vector<std::uint64_t>& count, double smoothing,
                           const sim::Distribution& base) {
  const double all =
      static_cast<double>(std::accumulate(count.begin(), count.end(), std::uint64_t{0}));
  sim::Distribution smoothed(base.size());
  for (std::size_t v = 0; v < base.size(); ++v) {
    const double counted = v < count.size() ? static_cast<double>(count[v]) : 0;
    smoothed[v] = (counted + smoothing * base[v]) / (all + smoothing);
  }
  return smoothed;
}

}  // namespace

std::uint32_t PairCodes(std::vector<std::uint32_t>& code, std::span<const std::uint32_t> next) {
  std::unordered_map<std::uint64_t, std::uint32_t> pairs;
  for (std::size_t row = 0; row < code.size(); ++row) {
    const std::uint64_t pair = std::uint64_t{code[row]} << 32 | next[row];
    code[row] = pairs.emplace(pair, static_cast<std::uint32_t>(pairs.size())).first->second;
  }
  return static_cast<std::uint32_t>(pairs.size());
}

std::vector<sim::Person> PersonNumbers::Of(const binding::GroupedTable& table) {
  const reissue::Column& identifier = table.holder.table[*table.holder.identifier];
  std::vector<sim::Person> numbers;
  numbers.reserve(table.holder.table.rows());
  for (std::size_t row = 0; row < table.holder.table.rows(); ++row) {
    const auto next = static_cast<sim::Person>(number_of_.size());
    numbers.push_back(
        number_of_.emplace(std::string(identifier.text(RowId(row))), next).first->second);
  }
  return numbers;
}

// Per value of the column's dictionary.
std::vector<std::string> Learner::CategoriesOf(const binding::Quasi& quasi, std::size_t column,
                                               const reissue::Table& table) {
  const reissue::Column& values = table[quasi.column];
  const auto& texts = values.dictionary().strings();
  std::vector<std::string> categories(texts.begin(), texts.end());
  if (quasi.tree) {
    const std::vector<std::string> groups = TopGroups(*quasi.tree);
    for (std::size_t v = 0; v < texts.size(); ++v) categories[v] = groups[quasi.leaf_of_value[v]];
  } else if (quasi.policy->numeric) {
    std::vector<double>& bounds = bounds_[column];
    if (tables_ == 0) {
      bounds =
          quasi.policy->breakpoints.empty() ? FifthsOf(values) : quasi.policy->breakpoints.back();
    }
    for (std::size_t v = 0; v < texts.size(); ++v) {
      categories[v] = PartOf(taxonomy::ParseNumber(texts[v]).value_or(0), bounds);
    }
  }
  return categories;
}

std::vector<std::uint32_t> Learner::Add(const binding::GroupedTable& table,
                                        std::span<const Value> value,
                                        std::span<const sim::Person> person) {
  const std::size_t rows = value.size();
  const std::vector<binding::Quasi>& quasi = table.holder.quasi;
  if (tables_ == 0) bounds_.resize(quasi.size());
  std::vector<std::uint32_t> code(rows, 0), next(rows);
  std::vector<std::vector<std::string>> categories;
  for (std::size_t q = 0; q < quasi.size(); ++q) {
    categories.push_back(CategoriesOf(quasi[q], q, table.holder.table));
    std::unordered_map<std::string_view, std::uint32_t> code_of;
    std::vector<std::uint32_t> code_of_value;
    for (const std::string& category : categories[q]) {
      const auto number = static_cast<std::uint32_t>(code_of.size());
      code_of_value.push_back(code_of.emplace(category, number).first->second);
    }
    const auto values = table.holder.table[quasi[q].column].values();
    for (std::size_t row = 0; row < rows; ++row) next[row] = code_of_value[values[row].index()];
    PairCodes(code, next);
  }
  constexpr std::uint32_t kUnknown = 0xffffffffu;
  std::vector<std::uint32_t> kind_of_code;
  std::vector<std::uint32_t> kinds(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    if (code[row] >= kind_of_code.size()) kind_of_code.resize(code[row] + 1, kUnknown);
    std::uint32_t& kind = kind_of_code[code[row]];
    if (kind == kUnknown) {
      std::vector<std::string> texts;
      for (std::size_t q = 0; q < quasi.size(); ++q) {
        const reissue::Column& column = table.holder.table[quasi[q].column];
        texts.push_back(categories[q][column[RowId(row)].index()]);
      }
      kind = kind_of_.emplace(texts, static_cast<std::uint32_t>(kinds_.size())).first->second;
      if (kind == kinds_.size()) kinds_.push_back(std::move(texts));
    }
    kinds[row] = kind;
    ++Grown(Grown(counts_, kind), value[row]);
  }
  ++tables_;
  Follow(value, person);
  return kinds;
}

void Learner::Follow(std::span<const Value> value, std::span<const sim::Person> person) {
  for (std::size_t row = 0; row < value.size(); ++row) {
    Recent& recent = Grown(recent_, person[row]);
    if (recent.table + 1 != tables_ || recent.table == 0) recent.values.clear();
    for (std::size_t first = 0; first < recent.values.size(); ++first) {
      const std::vector<Value> context(recent.values.begin() + static_cast<std::ptrdiff_t>(first),
                                       recent.values.end());
      ++Grown(after_[context], value[row]);
    }
    sequences_ += recent.values.empty() ? 0 : 1;
    recent.table = tables_;
    recent.values.push_back(value[row]);
    if (recent.values.size() > options_.steps) recent.values.erase(recent.values.begin());
  }
}

Learner::Distribution Learner::Shares(std::uint32_t values) const {
  std::vector<std::uint64_t> all(values);
  for (const auto& counts : counts_) {
    for (std::size_t v = 0; v < counts.size(); ++v) all[v] += counts[v];
  }
  return Smoothed(all, 0, Distribution(values));
}

std::vector<Learner::Distribution> Learner::Priors(std::uint32_t values) const {
  const Distribution shares = Shares(values);
  std::vector<Distribution> priors;
  for (const auto& counts : counts_) priors.push_back(Smoothed(counts, options_.smoothing, shares));
  return priors;
}

sim::Transition Learner::Transitions(std::uint32_t values) const {
  sim::Transition transition;
  transition.steps = options_.steps;
  if (sequences_ == 0) return transition;
  const Distribution shares = Shares(values);
  for (Value v = 0; v < values; ++v) {
    const auto counted = after_.find({v});
    transition.after[{v}] =
        counted == after_.end() ? shares : Smoothed(counted->second, options_.smoothing, shares);
  }
  for (std::size_t length = 2; length <= options_.steps; ++length) {
    for (const auto& [context, counts] : after_) {
      if (context.size() != length) continue;
      const Distribution* shorter = transition.After(std::span(context).subspan(1));
      transition.after[context] = Smoothed(counts, options_.smoothing, *shorter);
    }
  }
  return transition;
}

void Learner::Save(binding::StateWriter& out) const {
  out.Number(tables_);
  out.Each(bounds_, [&](const std::vector<double>& bounds) {
    out.Each(bounds, [&](double bound) { out.Number(std::bit_cast<std::uint64_t>(bound)); });
  });
  out.Each(kinds_, [&](const std::vector<std::string>& kind) {
    out.Each(kind, [&](const std::string& text) { out.Text(text); });
  });
  const auto counts = [&](const std::vector<std::uint64_t>& list) {
    out.Each(list, [&](std::uint64_t count) { out.Number(count); });
  };
  out.Each(counts_, counts);
  out.Each(after_, [&](const auto& entry) {
    out.Each(entry.first, [&](Value value) { out.Small(value); });
    counts(entry.second);
  });
  out.Each(recent_, [&](const Recent& recent) {
    out.Small(recent.table);
    out.Small(static_cast<std::uint32_t>(recent.values.size()));
    for (const Value value : recent.values) out.Small(value);
  });
}

void Learner::Restore(binding::StateReader& in) {
  tables_ = in.Number<std::uint32_t>();
  in.Each(bounds_, [&] {
    std::vector<double> bounds;
    in.Each(bounds, [&] { return std::bit_cast<double>(in.Number<std::uint64_t>()); });
    return bounds;
  });
  in.Each(kinds_, [&] {
    std::vector<std::string> kind;
    in.Each(kind, [&] { return in.Text(); });
    return kind;
  });
  kind_of_.clear();
  for (std::uint32_t k = 0; k < kinds_.size(); ++k) kind_of_.emplace(kinds_[k], k);
  const auto counts = [&] {
    std::vector<std::uint64_t> list;
    in.Each(list, [&] { return in.Number<std::uint64_t>(); });
    return list;
  };
  in.Each(counts_, counts);
  std::vector<std::pair<std::vector<Value>, std::vector<std::uint64_t>>> after;
  in.Each(after, [&] {
    std::pair<std::vector<Value>, std::vector<std::uint64_t>> entry;
    in.Each(entry.first, [&] { return in.Small(); });
    entry.second = counts();
    return entry;
  });
  after_ = {after.begin(), after.end()};
  in.Each(recent_, [&] {
    Recent recent;
    recent.table = in.Small();
    const std::uint32_t size = in.Small();
    if (size <= options_.steps) recent.values.resize(size);
    for (Value& value : recent.values) value = in.Small();
    return recent;
  });
  sequences_ = 0;
  for (const auto& [context, list] : after_) {
    if (context.size() == 1)
      sequences_ += std::accumulate(list.begin(), list.end(), std::uint64_t{});
  }
}

bool Learner::Coherent(std::uint32_t values, std::size_t columns) const {
  const auto inside = [&](const std::vector<Value>& list) {
    return std::all_of(list.begin(), list.end(), [&](Value value) { return value < values; });
  };
  bool good = counts_.size() == kinds_.size() && kind_of_.size() == kinds_.size() &&
              (tables_ == 0 ? bounds_.empty() : bounds_.size() == columns);
  for (const auto& kind : kinds_) good &= kind.size() == columns;
  for (const auto& counts : counts_) good &= counts.size() <= values;
  for (const auto& [context, counts] : after_) {
    good &= !context.empty() && context.size() <= options_.steps && inside(context) &&
            counts.size() <= values;
  }
  for (const Recent& recent : recent_) good &= recent.table <= tables_ && inside(recent.values);
  for (const auto& bounds : bounds_) good &= std::is_sorted(bounds.begin(), bounds.end());
  return good;
}

}  // namespace reissue::models::similarity::service
