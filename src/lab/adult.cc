#include "reissue/lab/adult.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <unordered_map>

#include "reissue/binding/load.h"
#include "reissue/io/csv.h"
#include "reissue/simulate/adult_columns.h"

namespace reissue::lab {
namespace {

namespace fs = std::filesystem;

Result<std::string> FindTaxonomy(const std::string& directory, const std::string& attribute) {
  std::error_code failed;
  std::vector<std::string> found, named;  // named: for this table, where others are there too
  for (const auto& entry : fs::directory_iterator(directory, failed)) {
    const std::string name = entry.path().filename().string();
    if (name != attribute + ".csv" && !name.ends_with("_" + attribute + ".csv")) continue;
    found.push_back(entry.path().string());
    if (name.starts_with("adult")) named.push_back(found.back());
  }
  if (!named.empty()) found = named;
  if (found.size() != 1) {
    return InputError(
        {directory, std::nullopt, std::nullopt, ""},
        fmt::format("{} taxonomies for the attribute \"{}\" in this directory",
                    found.empty() ? "no" : "several", attribute),
        fmt::format("One file must be called {0}.csv or end in _{0}.csv.", attribute));
  }
  return found[0];
}

Status ReadNumbers(const Table& table, std::size_t number, std::vector<Person>& people) {
  const ColumnId id = *table.Find(kNumberNames[number]);
  const Column& column = table[id];
  std::vector<double> of_value(column.dictionary().size());
  for (std::size_t v = 0; v < of_value.size(); ++v) {
    const std::string_view text = column.dictionary()[ValueId(v)];
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), of_value[v]);
    if (status != std::errc() || end != text.data() + text.size()) {
      return InputError(Place{table.origin().file, std::nullopt, std::nullopt, column.name()},
                        "a number was expected in every row of this column",
                        "Use the Adult files as UCI publishes them.");
    }
  }
  for (std::size_t row = 0; row < people.size(); ++row) {
    people[row].numbers[number] = of_value[column[RowId(row)].index()];
  }
  return Ok();
}

Result<std::vector<Person>> LoadPeople(const std::string& path, const Adult& adult,
                                       binding::Context& context) {
  io::CsvOptions options;
  options.separator = ',';
  options.header = false;
  options.columns.assign(simulate::kAdultColumns.begin(), simulate::kAdultColumns.end());
  options.trim = true;
  options.missing_markers = {"?"};
  options.on_missing = io::OnMissing::kDropRow;
  options.comment_prefix = "|";
  options.digest = false;
  const io::CsvFile file =
      REISSUE_TRY(io::ReadCsv(context.files, path, options, context.pool, context.progress));
  std::vector<Person> people(file.table.rows());
  for (std::size_t a = 0; a < kAttributes; ++a) {
    const Column& column = file.table[*file.table.Find(kAttributeNames[a])];
    const taxonomy::Taxonomy& tree = *adult.trees[a];
    std::vector<std::uint32_t> leaf_of(column.dictionary().size(), 0);
    std::vector<char> known(column.dictionary().size(), 0);
    for (std::size_t v = 0; v < leaf_of.size(); ++v) {
      const auto node = tree.Find(column.dictionary()[ValueId(v)]);
      if (!node || !tree.is_leaf(*node)) continue;
      leaf_of[v] = tree.first_leaf(*node);
      known[v] = 1;
    }
    for (std::size_t row = 0; row < people.size(); ++row) {
      const std::size_t value = column[RowId(row)].index();
      if (known[value] == 0) {
        return InputError(file.table.PlaceOf(RowId(row), *file.table.Find(kAttributeNames[a])),
                          "the taxonomy has no leaf for this value",
                          "Use taxonomies made for the Adult table.");
      }
      people[row].leaves[a] = leaf_of[value];
    }
  }
  for (std::size_t n = 0; n < kNumbers; ++n) {
    REISSUE_TRY(ReadNumbers(file.table, n, people));
  }
  const Column& income = file.table[*file.table.Find("class")];
  for (std::size_t row = 0; row < people.size(); ++row) {
    people[row].income = income.text(RowId(row)).starts_with('>') ? 1 : 0;
  }
  return people;
}

}  // namespace

Result<Adult> LoadAdult(const AdultFiles& files, binding::Context& context) {
  Adult adult;
  for (std::size_t a = 0; a < kAttributes; ++a) {
    io::PolicyColumn column;
    column.taxonomy = REISSUE_TRY(FindTaxonomy(files.taxonomies, kAttributeNames[a]));
    adult.trees[a] = REISSUE_TRY(binding::LoadTaxonomy(column, context));
  }
  adult.first = REISSUE_TRY(LoadPeople(files.first, adult, context));
  adult.added = REISSUE_TRY(LoadPeople(files.added, adult, context));
  return adult;
}

std::vector<Choice> PaperChoices() { return {{"Sen1", {7}}, {"Sen3", {7, 1, 3}}}; }

Tables::Tables(const Adult& adult, Choice choice) : adult_(adult), choice_(std::move(choice)) {
  for (std::size_t a = 0; a < kAttributes; ++a) {
    const auto& sensitive = choice_.sensitive;
    if (std::find(sensitive.begin(), sensitive.end(), a) != sensitive.end()) continue;
    quasi_.push_back(a);
    taxonomies_.push_back(adult.trees[a]);
  }
  std::unordered_map<std::uint64_t, std::uint32_t> codes;
  const auto code = [&](const Person& person) {
    std::uint64_t key = 0;
    for (const std::size_t a : choice_.sensitive) {
      key = key * adult.trees[a]->leaves() + person.leaves[a];
    }
    return codes.emplace(key, codes.size()).first->second;
  };
  for (const Person& person : adult.first) first_codes_.push_back(code(person));
  for (const Person& person : adult.added) added_codes_.push_back(code(person));
  values_ = static_cast<std::uint32_t>(codes.size());
}

models::k::LeafCells Tables::Make(bool with_first, std::size_t added) const {
  models::k::LeafCells table;
  table.taxonomies = taxonomies_;
  table.sensitive_values = values_;
  std::vector<std::uint32_t> keys;
  const auto add = [&](const Person& person, std::uint32_t code) {
    for (const std::size_t a : quasi_) keys.push_back(person.leaves[a]);
    keys.push_back(code);
  };
  if (with_first) {
    for (std::size_t i = 0; i < adult_.first.size(); ++i) add(adult_.first[i], first_codes_[i]);
  }
  for (std::size_t i = 0; i < std::min(added, adult_.added.size()); ++i) {
    add(adult_.added[i], added_codes_[i]);
  }
  const std::vector<std::uint64_t> ones(keys.size() / (quasi_.size() + 1), 1);
  table.cells = CollectCells(quasi_.size() + 1, keys, ones);
  return table;
}

}  // namespace reissue::lab
