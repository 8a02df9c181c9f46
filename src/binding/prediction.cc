#include "reissue/binding/prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "reissue/binding/hierarchy.h"
#include "reissue/core/random.h"
#include "reissue/metrics/classification.h"
#include "reissue/taxonomy/numbers.h"

namespace reissue::binding {
namespace {

using metrics::CodeRange;
using metrics::Coverage;
using metrics::Examples;
using metrics::Schema;

// A raw value of a test row: the codes of the smallest thing that contains it, which is itself
// unless it is a number that the table does not have.
struct TestValue {
  std::optional<CodeRange> codes;  // nothing: no label contains it
  double number = 0;               // of numeric columns
};

bool Contains(const Coverage& label, CodeRange codes) {
  return metrics::CodesIn(label, codes) == codes.codes();
}

// A tree is learnt from rows: what stands for several is there as often.
std::vector<std::uint32_t> Repeated(const Table& table, std::vector<std::uint32_t> codes) {
  if (!table.counted()) return codes;
  std::vector<std::uint32_t> rows;
  rows.reserve(table.total());
  for (std::size_t row = 0; row < codes.size(); ++row) {
    rows.insert(rows.end(), table.weight(RowId(row)), codes[row]);
  }
  return rows;
}

// One coding for the class, whatever order a file has it in.
std::vector<std::uint32_t> ClassCodes(const Table& table, ColumnId column, DictionaryBuilder& all) {
  const Dictionary& dictionary = table[column].dictionary();
  std::vector<std::uint32_t> code_of_value;
  for (std::size_t v = 0; v < dictionary.size(); ++v) {
    code_of_value.push_back(all.Intern(dictionary[ValueId(v)]).raw());
  }
  std::vector<std::uint32_t> codes;
  codes.reserve(table.rows());
  for (const ValueId value : table[column].values()) codes.push_back(code_of_value[value.index()]);
  return Repeated(table, std::move(codes));
}

std::vector<std::uint32_t> RawIds(const Column& column) {
  std::vector<std::uint32_t> ids;
  ids.reserve(column.values().size());
  for (const ValueId value : column.values()) ids.push_back(value.raw());
  return ids;
}

// What rows of a test file are on the scale of the table.
class TestRows {
 public:
  // Values by dictionary entry, of each column of `used`.
  static Result<TestRows> Read(const io::Policy& policy, const HolderTable& holder,
                               const std::vector<std::size_t>& used, const std::string& path,
                               Context& context) {
    TestRows rows;
    rows.file_ = REISSUE_TRY(LoadWithoutRanges(policy, path, context, /*all=*/false));
    for (const std::size_t q : used) {
      const std::string& name = holder.quasi[q].policy->name;
      const auto quasi = std::ranges::find_if(
          rows.file_.quasi, [&](const Quasi& other) { return other.policy->name == name; });
      if (quasi == rows.file_.quasi.end()) return Lacks(path, name);
      rows.columns_.push_back(quasi->column);
      rows.values_.push_back(
          REISSUE_TRY(ValuesOf(*quasi, *holder.quasi[q].tree, rows.file_.table)));
    }
    return rows;
  }
  static Error Lacks(const std::string& path, const std::string& name) {
    return InputError({path, 1, std::nullopt, name}, "the test rows lack this column",
                      "They need all quasi-identifiers of the table, and the class.");
  }

  const Table& table() const { return file_.table; }
  const std::vector<TestValue>& values(std::size_t column) const { return values_[column]; }
  // Dictionary entries of a column.
  std::vector<std::uint32_t> entries(std::size_t column) const {
    return RawIds(file_.table[columns_[column]]);
  }

 private:
  static Result<std::vector<TestValue>> ValuesOf(const Quasi& quasi, const taxonomy::Taxonomy& tree,
                                                 const Table& table) {
    const Column& column = table[quasi.column];
    std::vector<TestValue> values;
    for (std::size_t v = 0; v < column.dictionary().size(); ++v) {
      TestValue value;
      NodeId node = taxonomy::Taxonomy::root();
      if (quasi.tree) {
        node = tree.leaf(quasi.leaf_of_value[v]);
        if (tree.numeric()) value.number = tree.range(node).low;
      } else {
        const auto number = taxonomy::ParseNumber(column.dictionary()[ValueId(v)]);
        const RowId row = number ? RowId::Invalid() : table.FirstWith(quasi.column, ValueId(v));
        if (row.valid()) {
          return InputError(table.PlaceOf(row, quasi.column), "a number was expected",
                            "Correct the value.");
        }
        value.number = number.value_or(0);
        node = Containing(tree, value.number);
      }
      if (node != taxonomy::Taxonomy::root() || tree.is_leaf(node)) {
        value.codes = CodeRange{tree.first_leaf(node), tree.last_leaf(node) - 1};
      }
      values.push_back(value);
    }
    return values;
  }

  HolderTable file_;
  std::vector<ColumnId> columns_;
  std::vector<std::vector<TestValue>> values_;
};

// Finds, for raw values, the labels under which they would have been published.
class Recoder {
 public:
  // `used`: which columns of the release; `test`: their values.
  Recoder(const Coded& coded, const std::vector<std::size_t>& used, const TestRows& test)
      : coded_(coded), used_(used) {
    for (std::size_t i = 0; i < used.size(); ++i) {
      const std::vector<Coverage>& labels = coded.release.labels[used[i]];
      fits_.emplace_back();
      for (const TestValue& value : test.values(i)) {
        std::vector<bool> fits;
        for (const Coverage& label : labels) {
          const bool everything = metrics::CodesIn(label) == coded.domain[used[i]];
          fits.push_back(everything || (value.codes && Contains(label, *value.codes)));
        }
        fits_.back().push_back(std::move(fits));
      }
    }
  }

  // `row`: dictionary entries. Per column a label, or the number of labels where none fits.
  const std::vector<std::uint32_t>& LabelsOf(const std::vector<std::uint32_t>& row) {
    const auto known = found_.find(row);
    if (known != found_.end()) return known->second;
    bool choice = false;
    std::vector<std::uint32_t> labels;
    for (std::size_t i = 0; i < used_.size(); ++i) labels.push_back(Narrowest(i, row[i], choice));
    if (choice) {
      if (auto cell = NarrowestCell(row)) labels = *std::move(cell);
    }
    return found_.emplace(row, std::move(labels)).first->second;
  }

 private:
  const std::vector<Coverage>& labels(std::size_t i) const {
    return coded_.release.labels[used_[i]];
  }

  std::uint32_t Narrowest(std::size_t i, std::uint32_t entry, bool& choice) const {
    auto narrowest = static_cast<std::uint32_t>(labels(i).size());
    for (std::uint32_t label = 0; label < labels(i).size(); ++label) {
      if (!fits_[i][entry][label]) continue;
      choice = choice || narrowest < labels(i).size();
      if (narrowest == labels(i).size() ||
          metrics::CodesIn(labels(i)[label]) < metrics::CodesIn(labels(i)[narrowest])) {
        narrowest = label;
      }
    }
    return narrowest;
  }

  // Of equals the one of more rows, then the first.
  std::optional<std::vector<std::uint32_t>> NarrowestCell(
      const std::vector<std::uint32_t>& row) const {
    const metrics::CodedRelease& release = coded_.release;
    double least = std::numeric_limits<double>::infinity();
    std::size_t best = release.group.size();
    for (std::size_t entry = 0; entry < release.group.size(); ++entry) {
      const std::uint32_t* shown = &release.shown[entry * release.columns()];
      double size = 1;
      bool inside = true;
      for (std::size_t i = 0; i < used_.size() && inside; ++i) {
        inside = fits_[i][row[i]][shown[used_[i]]];
        if (inside) size *= static_cast<double>(metrics::CodesIn(labels(i)[shown[used_[i]]]));
      }
      if (!inside || size > least) continue;
      if (size == least && release.rows[entry] <= release.rows[best]) continue;
      least = size;
      best = entry;
    }
    if (best == release.group.size()) return std::nullopt;
    std::vector<std::uint32_t> found;
    for (const std::size_t q : used_) found.push_back(release.shown[best * release.columns() + q]);
    return found;
  }

  const Coded& coded_;
  const std::vector<std::size_t>& used_;
  std::vector<std::vector<std::vector<bool>>> fits_;  // column, dictionary entry, label
  std::map<std::vector<std::uint32_t>, std::vector<std::uint32_t>> found_;
};

class Predictor {
 public:
  Predictor(const io::Policy& policy, const HolderTable& holder, const ReleaseTable& release,
            const Coded& coded, const PredictionOptions& options, Context& context)
      : policy_(policy),
        holder_(holder),
        release_(release),
        coded_(coded),
        options_(options),
        context_(context) {}

  Result<Prediction> Run() {
    const auto raw_class = holder_.table.Find(options_.column);
    const auto release_class = release_.table.Find(options_.column);
    if (!raw_class || !release_class) {
      return UsageError(
          fmt::format("the class column \"{}\" is not in both table and release", options_.column),
          io::DidYouMean(options_.column, Classes()) +
              "Name a column with role \"publish\" or \"sensitive\".");
    }
    for (std::size_t q = 0; q < holder_.quasi.size(); ++q) {
      if (holder_.quasi[q].policy->name != options_.column) used_.push_back(q);
    }
    for (const std::size_t q : used_) AddColumn(q);
    raw_.classes = ClassCodes(holder_.table, *raw_class, classes_);
    published_.classes = ClassCodes(release_.table, *release_class, classes_);
    return options_.test.empty() ? BySplit() : ByFile();
  }

 private:
  // What could be predicted.
  std::vector<std::string> Classes() const {
    std::vector<std::string> names;
    for (const Column& column : release_.table.columns()) {
      if (holder_.table.Find(column.name())) names.push_back(column.name());
    }
    return names;
  }

  // Numbers count as such: a raw value as itself, a label as the least number it stands for.
  void AddColumn(std::size_t q) {
    const taxonomy::Taxonomy& tree = *holder_.quasi[q].tree;
    metrics::Attribute raw{coded_.names[q], coded_.domain[q], {}};
    const std::vector<Coverage>& labels = coded_.release.labels[q];
    metrics::Attribute label{coded_.names[q], static_cast<std::uint32_t>(labels.size()), {}};
    if (tree.numeric()) {
      const auto number = [&](std::uint32_t code) { return tree.range(tree.leaf(code)).low; };
      for (std::uint32_t code = 0; code < raw.codes; ++code) raw.numbers.push_back(number(code));
      for (const Coverage& each : labels) label.numbers.push_back(number(each.front().first));
    }
    raw_schema_.attributes.push_back(std::move(raw));
    label_schema_.attributes.push_back(std::move(label));
    std::vector<std::uint32_t> codes;
    for (std::size_t at = q; at < coded_.table.codes.size(); at += coded_.table.columns) {
      codes.push_back(coded_.table.codes[at]);
    }
    raw_.columns.push_back(Repeated(holder_.table, std::move(codes)));
    std::vector<std::uint32_t> shown = RawIds(release_.table[release_.quasi[q]]);
    for (std::uint32_t& value : shown) value = coded_.label_of_value[q][value];
    published_.columns.push_back(Repeated(release_.table, std::move(shown)));
  }

  Result<Prediction> BySplit() {
    SetClasses();
    const auto error = [&](const Schema& schema,
                           const Examples& rows) -> Result<metrics::ClassificationReport> {
      Random random = Random::Seeded(options_.seed);
      const auto split = REISSUE_TRY(metrics::SplitTrainTest(rows.rows(), random));
      return metrics::ClassificationError(schema, metrics::SelectRows(rows, split.train),
                                          metrics::SelectRows(rows, split.test));
    };
    const auto before = REISSUE_TRY(error(raw_schema_, raw_));
    return Report(before, REISSUE_TRY(error(label_schema_, published_)));
  }

  Result<Prediction> ByFile() {
    const TestRows test =
        REISSUE_TRY(TestRows::Read(policy_, holder_, used_, options_.test, context_));
    const auto test_class = test.table().Find(options_.column);
    if (!test_class) return TestRows::Lacks(options_.test, options_.column);
    const std::vector<std::uint32_t> classes = ClassCodes(test.table(), *test_class, classes_);
    SetClasses();
    const Examples raw = AsRaw(test, classes), seen = AsPublished(test, classes);
    const auto before = REISSUE_TRY(metrics::ClassificationError(raw_schema_, raw_, raw));
    Prediction prediction =
        Report(before, REISSUE_TRY(metrics::ClassificationError(label_schema_, published_, seen)));
    prediction.held_out = true;
    return prediction;
  }

  // A value that training has not: a code of its own, with its number.
  static std::uint32_t NewCode(metrics::Attribute& attribute, double number) {
    if (attribute.numeric()) attribute.numbers.push_back(number);
    return attribute.codes++;
  }

  Examples AsRaw(const TestRows& test, const std::vector<std::uint32_t>& classes) {
    Examples rows{{}, classes};
    for (std::size_t i = 0; i < used_.size(); ++i) {
      metrics::Attribute& attribute = raw_schema_.attributes[i];
      std::vector<std::uint32_t> code_of_entry;
      for (const TestValue& value : test.values(i)) {
        const bool known =
            value.codes && value.codes->codes() == 1 &&
            (!attribute.numeric() || attribute.numbers[value.codes->first] == value.number);
        code_of_entry.push_back(known ? value.codes->first : NewCode(attribute, value.number));
      }
      rows.columns.push_back(test.entries(i));
      for (std::uint32_t& entry : rows.columns.back()) entry = code_of_entry[entry];
    }
    return rows;
  }

  Examples AsPublished(const TestRows& test, const std::vector<std::uint32_t>& classes) {
    Recoder recoder(coded_, used_, test);
    Examples rows{{}, classes};
    std::vector<std::vector<std::uint32_t>> none(used_.size());  // codes where no label fits
    for (std::size_t i = 0; i < used_.size(); ++i) {
      rows.columns.push_back(test.entries(i));
      metrics::Attribute& attribute = label_schema_.attributes[i];
      for (const TestValue& value : test.values(i)) {
        const bool one = !attribute.numeric() && !none[i].empty();
        none[i].push_back(one ? none[i].front() : NewCode(attribute, value.number));
      }
    }
    std::vector<std::uint32_t> row(used_.size());
    for (std::size_t r = 0; r < rows.rows(); ++r) {
      for (std::size_t i = 0; i < used_.size(); ++i) row[i] = rows.columns[i][r];
      const std::vector<std::uint32_t>& labels = recoder.LabelsOf(row);
      for (std::size_t i = 0; i < used_.size(); ++i) {
        const bool fits = labels[i] < coded_.release.labels[used_[i]].size();
        rows.columns[i][r] = fits ? labels[i] : none[i][row[i]];
      }
    }
    return rows;
  }

  void SetClasses() {
    raw_schema_.classes = label_schema_.classes = static_cast<std::uint32_t>(classes_.size());
  }

  Prediction Report(const metrics::ClassificationReport& before,
                    const metrics::ClassificationReport& after) const {
    return {.column = options_.column,
            .baseline_error = before.test_error,
            .release_error = after.test_error,
            .majority_error = before.majority_error,
            .train = after.train_rows,
            .test = after.test_rows};
  }

  const io::Policy& policy_;
  const HolderTable& holder_;
  const ReleaseTable& release_;
  const Coded& coded_;
  const PredictionOptions& options_;
  Context& context_;
  std::vector<std::size_t> used_;  // columns that predict
  Schema raw_schema_, label_schema_;
  Examples raw_, published_;
  DictionaryBuilder classes_;
};

}  // namespace

Result<Prediction> Predict(const io::Policy& policy, const HolderTable& holder,
                           const ReleaseTable& release, const Coded& coded,
                           const PredictionOptions& options, Context& context) {
  return Predictor(policy, holder, release, coded, options, context).Run();
}

}  // namespace reissue::binding
