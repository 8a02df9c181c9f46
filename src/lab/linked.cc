#include "reissue/lab/linked.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reissue/lab/clock.h"
#include "reissue/metrics/classification.h"
#include "reissue/models/xy/publisher/publish.h"

namespace reissue::lab {
namespace {

namespace xy = models::xy;

// Attributes by their numbers in kAttributeNames and kNumberNames.
enum : std::size_t {
  kWorkclass,
  kEducation,
  kMarital,
  kOccupation,
  kRelationship,
  kRace,
  kSex,
  kCountry
};
enum : std::size_t { kAge, kWeight, kEducationNumber, kCapitalGain, kCapitalLoss, kHours };

// A column of T1: a categorical attribute, or a number.
struct TaxColumn {
  bool number = false;
  std::size_t attribute = 0;
};

struct SetUp {
  std::string name;
  std::vector<TaxColumn> columns;  // of T1; the best predictors of the class first
  std::vector<std::size_t> tops;   // requirements of anonymity: how many of them are in X
};

const std::vector<std::size_t> kCommon = {kMarital, kRelationship, kSex};
// The common ones first.
const std::vector<std::size_t> kImmigration = {kMarital, kRelationship, kSex, kCountry, kRace};

// The rankings are the paper's.
std::vector<SetUp> Sets() {
  const auto word = [](std::size_t a) { return TaxColumn{false, a}; };
  const auto number = [](std::size_t n) { return TaxColumn{true, n}; };
  SetUp a{"A",
          {word(kMarital), word(kRelationship), word(kSex), word(kEducation), word(kOccupation),
           word(kWorkclass)},
          {3, 4, 5, 6}};
  SetUp b{"B",
          {number(kCapitalGain), number(kAge), word(kMarital), number(kEducationNumber),
           word(kRelationship), number(kHours), word(kSex), word(kEducation), word(kOccupation),
           word(kWorkclass), number(kWeight), number(kCapitalLoss)},
          {1, 2, 3, 4, 5, 6, 7}};
  return {a, b};
}

bool IsCommon(const TaxColumn& column) {
  return !column.number &&
         std::find(kCommon.begin(), kCommon.end(), column.attribute) != kCommon.end();
}

// One of the two sets, with everything that is measured on it.
class Study {
 public:
  Study(const Adult& adult, SetUp set, const LinkedOptions& options, binding::Context& context,
        LinkedReport& report)
      : adult_(adult), set_(std::move(set)), options_(options), context_(context), report_(report) {
    people_ = adult.first;
    people_.insert(people_.end(), adult.added.begin(), adult.added.end());
    MakeSource();
    MakePrior();
  }

  Status Run() {
    CountAlone();
    LinkedSet set;
    set.name = set_.name;
    const metrics::ClassificationReport whole = REISSUE_TRY(Classify(std::nullopt, {}));
    set.unmodified = whole.test_error;
    set.majority = whole.majority_error;
    std::vector<std::size_t> joins;
    for (std::size_t c = 0; c < set_.columns.size(); ++c) {
      if (IsCommon(set_.columns[c])) joins.push_back(c);
    }
    const metrics::ClassificationReport without = REISSUE_TRY(Classify(std::nullopt, joins));
    set.without_joins = without.test_error;
    report_.sets.push_back(set);
    REISSUE_TRY(RunPlain());
    REISSUE_TRY(RunAnonymity());
    return RunLinkability();
  }

 private:
  // ---- tables

  void MakeSource() {
    std::vector<std::vector<std::uint32_t>> ranks(set_.columns.size());
    for (std::size_t c = 0; c < set_.columns.size(); ++c) {
      xy::Source::Column column;
      ranks[c].resize(people_.size());
      if (set_.columns[c].number) {
        const std::size_t n = set_.columns[c].attribute;
        for (const Person& person : people_) column.numbers.push_back(person.numbers[n]);
        std::sort(column.numbers.begin(), column.numbers.end());
        column.numbers.erase(std::unique(column.numbers.begin(), column.numbers.end()),
                             column.numbers.end());
        for (std::size_t i = 0; i < people_.size(); ++i) {
          const auto at =
              std::lower_bound(column.numbers.begin(), column.numbers.end(), people_[i].numbers[n]);
          ranks[c][i] = static_cast<std::uint32_t>(at - column.numbers.begin());
        }
      } else {
        column.tree = adult_.trees[set_.columns[c].attribute];
        for (std::size_t i = 0; i < people_.size(); ++i) {
          ranks[c][i] = people_[i].leaves[set_.columns[c].attribute];
        }
      }
      source_.columns.push_back(std::move(column));
    }
    source_.class_values = 2;
    std::vector<std::uint32_t> keys;
    for (std::size_t i = 0; i < people_.size(); ++i) {
      for (const auto& column : ranks) keys.push_back(column[i]);
      keys.push_back(people_[i].income);
    }
    const std::vector<std::uint64_t> ones(people_.size(), 1);
    source_.cells = CollectCells(set_.columns.size() + 1, keys, ones);
    ranks_ = std::move(ranks);
  }

  void MakePrior() {
    std::vector<std::uint32_t> keys;
    for (const Person& person : people_) {
      for (const std::size_t a : kImmigration) {
        keys.push_back(adult_.trees[a]->leaf(person.leaves[a]).raw());
      }
    }
    const std::vector<std::uint64_t> ones(people_.size(), 1);
    for (const std::size_t a : kImmigration) prior_.trees.push_back(adult_.trees[a]);
    prior_.cells = CollectCells(kImmigration.size(), keys, ones);
    for (std::size_t c = 0; c < set_.columns.size(); ++c) {
      if (!IsCommon(set_.columns[c])) continue;
      const auto at =
          std::find(kImmigration.begin(), kImmigration.end(), set_.columns[c].attribute);
      joins_.push_back({{0, c}, {1, static_cast<std::size_t>(at - kImmigration.begin())}});
    }
  }

  // Combinations of the join columns of T2 in which somebody is alone with all their values.
  void CountAlone() {
    std::map<std::vector<std::uint32_t>, bool> alone;
    for (std::size_t i = 0; i < prior_.cells.size(); ++i) {
      const auto key = prior_.cells.key(CellId(i));
      const std::vector<std::uint32_t> joined(key.begin(), key.begin() + kCommon.size());
      const bool one = prior_.cells.count(CellId(i)) == 1;
      alone[joined] = alone[joined] || one;
    }
    report_.join_values = alone.size();
    report_.join_values_with_one = static_cast<std::size_t>(
        std::ranges::count_if(alone, [](const auto& entry) { return entry.second; }));
  }

  // ---- searches

  Result<std::optional<xy::Outcome>> Search(const xy::Requirement& requirement, xy::Gain gain,
                                            bool linked, xy::Search search = xy::Search::kPaper) {
    xy::PublishOptions options;
    options.gain = gain;
    options.search = search;
    const std::vector<xy::LinkedTable> prior =
        linked ? std::vector<xy::LinkedTable>{prior_} : std::vector<xy::LinkedTable>{};
    const auto joins = linked ? joins_ : std::vector<std::vector<xy::Attribute>>{};
    const Clock clock;
    auto outcome = xy::Publish(source_, prior, joins, {}, std::span(&requirement, 1), options,
                               context_.pool, context_.progress);
    report_.search_seconds += clock.Seconds();
    if (!outcome) {
      if (outcome.error().code == ErrorCode::kPromise) return std::optional<xy::Outcome>();
      return outcome.error();
    }
    return std::optional<xy::Outcome>(std::move(*outcome));
  }

  // A release made for the class.
  struct Made {
    double test_error = 0, train_error = 0;
    Distortion distortion;
  };

  Result<std::optional<Made>> ForClass(const xy::Requirement& requirement, bool linked = true,
                                       xy::Search search = xy::Search::kPaper) {
    const auto outcome = REISSUE_TRY(Search(requirement, xy::Gain::kClass, linked, search));
    if (!outcome) return std::optional<Made>();
    const metrics::ClassificationReport found = REISSUE_TRY(Classify(outcome, {}));
    return std::optional(Made{found.test_error, found.train_error, Measure(*outcome)});
  }

  // The paper's release or ours, whichever the classifier makes fewer errors on where it learned:
  // what is in the test file has no say.
  Result<std::optional<double>> OurError(const xy::Requirement& requirement,
                                         const std::optional<Made>& paper) {
    const auto ours = REISSUE_TRY(ForClass(requirement, true, xy::Search::kDefault));
    if (!ours || !paper) return std::optional<double>();
    return std::optional(ours->train_error < paper->train_error ? ours->test_error
                                                                : paper->test_error);
  }

  Result<std::optional<Distortion>> LeastDistortion(const xy::Requirement& requirement,
                                                    bool linked = true) {
    const auto outcome = REISSUE_TRY(Search(requirement, xy::Gain::kDistortion, linked));
    if (!outcome) return std::optional<Distortion>();
    return std::optional(Measure(*outcome));
  }

  Status RunPlain() {
    for (const std::uint64_t k : options_.k) {
      xy::Requirement requirement;
      for (std::size_t c = 0; c < set_.columns.size(); ++c) requirement.x.push_back({0, c});
      requirement.y_keys = {0};
      requirement.k = k;
      PlainSetting setting{set_.name, k, {}, {}, {}};
      const auto made = REISSUE_TRY(ForClass(requirement, /*linked=*/false));
      if (made) {
        setting.error = made->test_error;
        setting.distortion = made->distortion;
      }
      setting.least = REISSUE_TRY(LeastDistortion(requirement, /*linked=*/false));
      report_.plain.push_back(std::move(setting));
    }
    return Ok();
  }

  // X: the best `top` columns of T1, all join columns, all of T2.
  std::vector<xy::Attribute> TopColumns(std::size_t top) const {
    std::vector<xy::Attribute> x;
    for (std::size_t c = 0; c < set_.columns.size(); ++c) {
      if (c < top || IsCommon(set_.columns[c])) x.push_back({0, c});
    }
    for (std::size_t c = 0; c < kImmigration.size(); ++c) x.push_back({1, c});
    return x;
  }

  Status RunAnonymity() {
    for (const std::size_t top : set_.tops) {
      for (const std::uint64_t k : options_.k) {
        xy::Requirement requirement;
        requirement.x = TopColumns(top);
        requirement.y_keys = {0};
        requirement.k = k;
        LinkedSetting setting;
        setting.set = set_.name;
        setting.kind = "anonymity";
        setting.top = top;
        setting.threshold = static_cast<double>(k);
        const Clock clock;
        const auto made = REISSUE_TRY(ForClass(requirement));
        setting.seconds = clock.Seconds();
        if (made) {
          setting.error = made->test_error;
          setting.distortion = made->distortion;
        }
        setting.error_ours = REISSUE_TRY(OurError(requirement, made));
        setting.least = REISSUE_TRY(LeastDistortion(requirement));
        requirement.y_keys = {0, 1};
        const auto rows = REISSUE_TRY(ForClass(requirement));
        if (rows) setting.error_rows = rows->test_error;
        report_.settings.push_back(std::move(setting));
      }
    }
    return Ok();
  }

  // The less frequent half of the values of a column.
  std::vector<std::uint32_t> RareHalf(std::size_t column) const {
    const taxonomy::Taxonomy& tree = *source_.columns[column].tree;
    std::map<std::uint32_t, std::uint64_t> rows;
    for (const std::uint32_t rank : ranks_[column]) ++rows[rank];
    std::vector<std::pair<std::uint64_t, std::uint32_t>> order;
    for (const auto& [rank, count] : rows) order.emplace_back(count, rank);
    std::sort(order.begin(), order.end());
    std::vector<std::uint32_t> codes;
    for (std::size_t i = 0; i < order.size() / 2; ++i) {
      codes.push_back(tree.leaf(order[i].second).raw());
    }
    return codes;
  }

  // Y: the rare values of the best `top` categorical columns of T1; X: all its other columns.
  Status RunLinkability() {
    for (std::size_t top = 1; top <= 4; ++top) {
      std::vector<std::size_t> hidden;
      for (std::size_t c = 0; c < set_.columns.size() && hidden.size() < top; ++c) {
        if (!set_.columns[c].number) hidden.push_back(c);
      }
      const metrics::ClassificationReport without = REISSUE_TRY(Classify(std::nullopt, hidden));
      for (const double confidence : options_.confidence) {
        xy::Requirement requirement;
        requirement.kind = xy::Requirement::Kind::kLinkability;
        requirement.confidence = confidence;
        for (std::size_t c = 0; c < set_.columns.size(); ++c) {
          if (std::find(hidden.begin(), hidden.end(), c) == hidden.end()) {
            requirement.x.push_back({0, c});
          }
        }
        for (const std::size_t c : hidden) {
          for (const std::uint32_t code : RareHalf(c)) {
            requirement.values.push_back({{0, c}, code, confidence});
          }
        }
        LinkedSetting setting;
        setting.set = set_.name;
        setting.kind = "linkability";
        setting.top = top;
        setting.threshold = confidence;
        setting.without_y = without.test_error;
        const Clock clock;
        const auto made = REISSUE_TRY(ForClass(requirement));
        setting.seconds = clock.Seconds();
        if (made) {
          setting.error = made->test_error;
          setting.distortion = made->distortion;
        }
        report_.settings.push_back(std::move(setting));
      }
    }
    return Ok();
  }

  // ---- measures

  // Where a rank is published: the node or interval it is in, numbered.
  std::vector<std::uint32_t> PublishedAs(std::size_t column,
                                         const std::optional<xy::Outcome>& outcome,
                                         metrics::Attribute& attribute) const {
    const xy::Source::Column& source = source_.columns[column];
    const std::size_t ranks = source.continuous() ? source.numbers.size() : source.tree->leaves();
    std::vector<std::uint32_t> code(ranks);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) code[rank] = rank;
    if (source.continuous()) attribute.numbers = source.numbers;
    attribute.codes = static_cast<std::uint32_t>(ranks);
    if (!outcome) return code;
    if (outcome->cuts[column]) {
      for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        code[rank] = outcome->cuts[column]->NodeOfLeaf(rank).raw();
      }
      attribute.codes = static_cast<std::uint32_t>(source.tree->nodes());
    } else if (!outcome->intervals[column].empty()) {
      const auto& begin = outcome->intervals[column];
      attribute.numbers.clear();
      for (const std::uint32_t first : begin) attribute.numbers.push_back(source.numbers[first]);
      attribute.codes = static_cast<std::uint32_t>(begin.size());
      for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        const auto after = std::upper_bound(begin.begin(), begin.end(), rank);
        code[rank] = static_cast<std::uint32_t>(after - begin.begin() - 1);
      }
    }
    return code;
  }

  // Learned from the training file, counted on the test file (which comes first).
  Result<metrics::ClassificationReport> Classify(const std::optional<xy::Outcome>& outcome,
                                                 const std::vector<std::size_t>& without) const {
    metrics::Schema schema;
    schema.classes = 2;
    metrics::Examples test, train;
    for (std::size_t c = 0; c < set_.columns.size(); ++c) {
      if (std::find(without.begin(), without.end(), c) != without.end()) continue;
      metrics::Attribute attribute;
      attribute.name = fmt::format("column {}", c);
      const std::vector<std::uint32_t> code = PublishedAs(c, outcome, attribute);
      schema.attributes.push_back(std::move(attribute));
      test.columns.emplace_back();
      train.columns.emplace_back();
      for (std::size_t i = 0; i < people_.size(); ++i) {
        auto& column = i < adult_.first.size() ? test.columns.back() : train.columns.back();
        column.push_back(code[ranks_[c][i]]);
      }
    }
    for (std::size_t i = 0; i < people_.size(); ++i) {
      (i < adult_.first.size() ? test : train).classes.push_back(people_[i].income);
    }
    return metrics::ClassificationError(schema, train, test);
  }

  Distortion Measure(const xy::Outcome& outcome) const {
    Distortion lost;
    for (std::size_t c = 0; c < set_.columns.size(); ++c) {
      const xy::Source::Column& source = source_.columns[c];
      double sum = 0;
      if (outcome.cuts[c]) {
        for (const std::uint32_t rank : ranks_[c]) {
          const taxonomy::Taxonomy& tree = *source.tree;
          sum += tree.depth(tree.leaf(rank)) - tree.depth(outcome.cuts[c]->NodeOfLeaf(rank));
        }
        lost.categorical += sum;
      } else if (!outcome.intervals[c].empty()) {
        const auto& begin = outcome.intervals[c];
        const double range = source.numbers.back() - source.numbers.front();
        for (const std::uint32_t rank : ranks_[c]) {
          const auto after = std::upper_bound(begin.begin(), begin.end(), rank);
          const double low = source.numbers[*(after - 1)];
          const double high = after == begin.end() ? source.numbers.back() : source.numbers[*after];
          sum += (high - low) / range;
        }
        lost.continuous += sum;
      }
    }
    const auto rows = static_cast<double>(people_.size());
    return {lost.categorical / rows, lost.continuous / rows};
  }

  const Adult& adult_;
  SetUp set_;
  const LinkedOptions& options_;
  binding::Context& context_;
  LinkedReport& report_;
  std::vector<Person> people_;  // the test file first
  std::vector<std::vector<std::uint32_t>> ranks_;
  xy::Source source_;
  xy::LinkedTable prior_;
  std::vector<std::vector<xy::Attribute>> joins_;
};

}  // namespace

Result<LinkedReport> RunLinked(const AdultFiles& files, const LinkedOptions& options,
                               binding::Context& context) {
  LinkedReport report;
  const Clock loading;
  const Adult adult = REISSUE_TRY(LoadAdult(files, context));
  report.load_seconds = loading.Seconds();
  for (SetUp& set : Sets()) {
    if (std::ranges::count(options.sets, set.name) == 0) continue;
    Study study(adult, std::move(set), options, context, report);
    REISSUE_TRY(study.Run());
  }
  return report;
}

}  // namespace reissue::lab
