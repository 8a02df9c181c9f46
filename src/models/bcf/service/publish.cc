#include "reissue/models/bcf/service/publish.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "reissue/binding/release_writer.h"
#include "reissue/contract/certificate.h"
#include "reissue/models/bcf/adversary/series_attack.h"
#include "reissue/models/bcf/publisher/dated.h"
#include "reissue/models/bcf/publisher/local.h"
#include "reissue/models/bcf/publisher/publish.h"
#include "reissue/models/bcf/publisher/real.h"
#include "reissue/models/bcf/publisher/stars.h"
#include "reissue/models/bcf/publisher/through.h"
#include "reissue/models/bcf/release/stars.h"
#include "reissue/models/bcf/service/ages.h"
#include "reissue/models/bcf/service/audit.h"
#include "reissue/models/bcf/service/earlier.h"
#include "reissue/models/bcf/service/series.h"
#include "reissue/models/bcf/service/space.h"
#include "reissue/models/k/publisher/local.h"
#include "reissue/models/k/service/publish.h"

namespace reissue::models::bcf::service {
namespace {

// Births of rows are kept in two bytes, and whether they are starred with them.
constexpr std::uint32_t kMostOrigins = 65535;
// Of a tree through earlier releases, in visits of each cell of the table.
constexpr std::uint64_t kLookAhead = 200;

class SeriesPublication final : public k::service::RecodedPublication {
 public:
  SeriesPublication(const contract::PublishTask& task, const contract::Traits& traits,
                    binding::Context& context)
      : RecodedPublication(task, traits, task.promise->As<Promise>(), context),
        targets_(task.promise->As<Promise>().targets),
        stars_(task.promise->As<Promise>().stars() != Stars::kAny) {}

 private:
  void Ask(const contract::Promise& promise) override {
    RecodedPublication::Ask(promise);
    targets_ = promise.As<Promise>().targets;
    stars_ = promise.As<Promise>().stars() != Stars::kAny;
  }

  Result<contract::PublishedLabels> LabelsThatAreOut() override {
    const auto releases = REISSUE_TRY(LoadReleases(*vault(), columns()));
    std::vector<std::vector<std::string>> labels(columns().quasi.size());
    for (const PublishedRelease& release : releases) {
      for (std::size_t q = 0; q < labels.size(); ++q) {
        const auto& strings = release.labels[q]->strings();
        labels[q].insert(labels[q].end(), strings.begin(), strings.end());
      }
    }
    return contract::PublishedLabels(std::move(labels));
  }

  Status Recall() override {
    earlier_ = REISSUE_TRY(LoadEarlier(policy(), *vault()));
    const io::Policy& then = past().back().policy;
    const binding::ReleaseColumns columns = binding::ColumnsOf(then);
    then_ = REISSUE_TRY(
        ReadPromise({then.guarantee, then.knowledge, columns, then.file, &then}, traits().name));
    return EachKeptAlone(earlier_.releases, asked());
  }

  // The releases that are out were proven to keep at least what is asked when the last was made.
  bool EarlierKept() const {
    if (!earlier_.kept) return false;
    const Promise& then = then_->As<Promise>();
    return k::service::WeakerThan(asked(), then).empty() &&
           (targets_ == Targets::kReal || then.targets == Targets::kAny) &&
           stars_ == (then.stars() != Stars::kAny);
  }

  binding::RangeLabels Ranges() const override { return earlier_.ranges; }

  Result<std::vector<std::uint16_t>> Births() override {
    for (const binding::Quasi& quasi : holder().quasi) trees_.push_back(quasi.tree);
    std::vector<std::uint16_t> births;
    if (number() == 1 || !holder().identified) return births;
    binding::Persons::Arrival arrival =
        REISSUE_TRY(binding::Persons::Arrive(holder(), earlier_.persons, number(), persons()));
    REISSUE_TRY(NobodyVanished(arrival, request().table));
    // Nobody knows who is new after releases that were made elsewhere.
    if (earlier_.persons) report().newcomers = arrival.newcomers;
    birth_of_person_ = std::move(arrival.birth_of_person);
    births_ = arrival.all_known && number() * (stars_ ? 2 : 1) <= kMostOrigins ? number() : 1;
    if (Origins() == 1) return births;
    births.reserve(birth_of_person_.size());
    for (const std::uint32_t birth : birth_of_person_) {
      births.push_back(births_ > 1 ? static_cast<std::uint16_t>(birth - 1) : 0);
    }
    MarkStarred(births);
    return births;
  }

  // Those who are starred after all who are told.
  std::size_t Origins() const override { return births_ * (stars_ ? 2 : 1); }

  void MarkStarred(std::vector<std::uint16_t>& births) {
    if (earlier_.starred.empty()) return;
    starred_.assign(births.size(), 0);
    for (std::size_t i = 0; i < births.size(); ++i) {
      if (!std::ranges::binary_search(earlier_.starred, holder().persons[i].key)) continue;
      starred_[i] = 1;
      births[i] = static_cast<std::uint16_t>(births[i] + births_);
    }
  }

  Result<k::Outcome> Search(k::LeafCells leaves, const k::Guarantee& guarantee,
                            const k::PublishOptions& search) override {
    k::service::Trial trial{std::move(leaves), search, asked().local};
    k::Outcome outcome = REISSUE_TRY(Try(trial, guarantee));
    if (outcome.local) space_ = SaveSpace(outcome.local->tree);
    if (targets_ == Targets::kReal && !earlier_.releases.empty()) {
      leaves_ = std::move(trial.leaves);
    }
    if (outcome.starred_rows > 0) Star(*outcome.local);
    return outcome;
  }

  Result<k::Outcome> Try(k::service::Trial& trial, const k::Guarantee& guarantee) override {
    if (!earlier_.releases.empty()) return SearchNext(trial.leaves, guarantee, trial.options);
    trial.options.growth = promise().As<Promise>().growth;
    trial.options.lasting = !trial.local;
    if (stars_) {
      trial.options.starred = true;
      trial.options.suppression_limit =
          StarsAtOnce(trial.options.suppression_limit, 0, guarantee.k);
    }
    return RecodedPublication::Try(trial, guarantee);
  }

  k::LeafCells Told(k::LeafCells leaves, const k::Outcome& outcome) const override {
    if (!stars_ || earlier_.releases.empty()) return leaves;
    leaves = WithStars(leaves);
    if (outcome.local) {
      leaves = AfterStarring(leaves, outcome.local->tree, outcome.local->starred);
    }
    return PartOf(leaves, kTold);
  }

  // The newcomers of some boxes.
  void Star(const k::LocalRecoding& local) {
    const std::vector<sources::Person>& people = holder().persons;
    starred_.resize(people.size(), 0);
    if (local.starred.empty()) return;
    std::vector<std::uint32_t> ranks(holder().quasi.size());
    std::vector<std::uint8_t> in_box(holder().table.rows());
    for (std::size_t row = 0; row < in_box.size(); ++row) {
      for (std::size_t q = 0; q < ranks.size(); ++q) {
        const binding::Quasi& quasi = holder().quasi[q];
        ranks[q] = quasi.leaf_of_value[holder().table[quasi.column].values()[row].index()];
      }
      in_box[row] = local.starred[local.tree.Locate(ranks)];
    }
    for (std::size_t i = 0; i < people.size(); ++i) {
      if (number() > 1 && birth_of_person_[i] != number()) continue;
      if (in_box[people[i].row] != 0) starred_[i] = 1;
    }
  }

  Result<k::Outcome> SearchNext(k::LeafCells& leaves, const k::Guarantee& guarantee,
                                const k::PublishOptions& search) {
    const bool starring = stars_ && asked().local && earlier_.space;
    const Series earlier =
        REISSUE_TRY(OnTreesOf(holder(), columns(), earlier_.releases,
                              starring ? Stars::kSure : Stars::kAny, leaves.sensitive_values));
    if (stars_) leaves = WithStars(leaves);
    if (stars_ && !starring) leaves = WithoutStars(leaves);
    PublishOptions options;
    options.search = search;
    options.search.lasting = true;
    options.targets = targets_;
    options.earlier_kept = EarlierKept();
    options.ages = REISSUE_TRY(LeafAgesNow());
    if (!starring) options.search.suppression_limit = 0;
    auto outcome = asked().local ? SearchLocally(leaves, earlier, guarantee, options)
                                 : Publish(leaves, earlier, guarantee, options, context().pool,
                                           context().progress);
    if (!outcome) return InTable(std::move(outcome).error());
    if (starring) {
      leaves = AfterStarring(leaves, outcome->local->tree, outcome->local->starred);
    }
    return outcome;
  }

  // By a tree through the releases that are out, and by the one that was grown for the first of
  // them; the best counts. Of releases that were made elsewhere cuts may lose less.
  Result<k::Outcome> SearchLocally(const k::LeafCells& leaves, const Series& earlier,
                                   const k::Guarantee& guarantee, const PublishOptions& options) {
    const bool starring = leaves.taxonomies.size() > holder().quasi.size();
    const k::LeafCells told = starring ? PartOf(leaves, kTold) : leaves;
    std::vector<Result<k::Outcome>> found;
    const auto by = [&](taxonomy::SpaceTree tree) {
      // Grown on where there are rows enough now.
      tree = k::GrownOn(told, guarantee, options.search, std::move(tree), context().pool);
      found.push_back(PublishLocally(leaves, tree, earlier, guarantee, options, context().pool,
                                     context().progress));
    };
    if (auto tree = TreeThrough(told, earlier, options.search.score, guarantee.k,
                                kLookAhead * told.cells.size())) {
      by(*std::move(tree));
    }
    if (earlier_.space) {
      by(REISSUE_TRY(ParseSpace(*earlier_.space, trees_)));
    } else {
      found.push_back(
          Publish(leaves, earlier, guarantee, options, context().pool, context().progress));
    }
    const auto cost = [](const Result<k::Outcome>& each) {
      return each ? each->cost : std::numeric_limits<double>::infinity();
    };
    return std::move(*std::ranges::min_element(found, {}, cost));
  }

  // The publisher knows no files, and nobody by name: nobody has vanished here, so somebody
  // changed.
  Error InTable(Error error) const {
    if (error.code != ErrorCode::kInput) return error;
    error.place = Place{request().table, std::nullopt, std::nullopt, ""};
    if (published().origins() > 1) {
      error.message =
          "some people who were in an earlier release have other values in this table than those "
          "that were published";
      error.remedy =
          "In a growing table everybody keeps the same quasi-identifiers and sensitive value: give "
          "the values that were published. The promise does not cover values that change.";
    }
    return error;
  }

  // Told or starred apart, where somebody is.
  Result<Cells> Lines() override {
    if (starred_.empty()) return RecodedPublication::Lines();
    const std::vector<std::uint16_t> origins(starred_.begin(), starred_.end());
    const Cells both = binding::PublishedCombinations(holder(), context().pool, origins, 2);
    std::vector<std::uint32_t> keys;
    std::vector<std::uint64_t> counts;
    for (std::size_t i = 0; i < both.size(); ++i) {
      for (const std::uint32_t star : {kTold, kStarred}) {
        const auto key = both.key(CellId(i));
        keys.insert(keys.end(), key.begin(), key.end());
        keys.push_back(star);
        counts.push_back(both.count(CellId(i), star));
      }
    }
    return Cells(both.width() + 1, std::move(keys), std::move(counts));
  }

  void KeepStarred() {
    if (starred_.empty()) return;
    std::vector<ledger::PersonKey> starred;
    for (std::size_t i = 0; i < starred_.size(); ++i) {
      if (starred_[i] != 0) starred.push_back(holder().persons[i].key);
    }
    std::ranges::sort(starred);
    Keep(kStarredSecret, SaveStarred(starred));
  }

  Status Remember() override {
    KeepStarred();
    REISSUE_TRY(RecodedPublication::Remember());
    if (auto ranges = SaveRanges(holder())) Keep(kRangesSecret, std::move(*ranges));
    if (space_) Keep(kSpaceSecret, std::move(*space_));
    return Ok();
  }

  Result<contract::Proof> Attack(const std::string& path,
                                 const std::vector<std::string>&) override {
    binding::Context files = context().OfFiles();
    PublishedRelease written = REISSUE_TRY(ReadPublished(columns(), path, files));
    DescribeRecodedAs(*written.source);
    contract::Proof proof;
    proof.digest = written.digest;
    proof.fingerprints = {written.source->fingerprint};
    written.name = report().out;
    Keep(SeriesSecret(number()), SaveRelease(written, columns()));
    std::vector<PublishedRelease> releases = std::move(earlier_.releases);
    releases.push_back(std::move(written));
    const BoundSeries bound = REISSUE_TRY(
        BindSeries(columns(), trees_, std::move(releases), stars_ ? Stars::kStay : Stars::kAny));
    REISSUE_TRY(LabelsAreNested(bound));
    REISSUE_TRY(KeptForThoseWhoKnowAges(bound));
    std::optional<RealTuples> real;
    if (leaves_) real = RealTargets(LeavesFor(bound), bound.series);
    proof.audit = REISSUE_TRY(
        AuditSeries(bound, promise().As<Promise>(), context(), contract::kWorstShown,
                    std::move(real), request().measure_all ? Extent::kAll : Extent::kCertified));
    proof.kept = proof.audit.satisfied;
    hierarchy_ = HierarchyOf(bound);
    return proof;
  }

  // Before readers who know which values the taxonomies have got since, too. The search has seen to
  // it; what was written is asked about all the same.
  Status KeptForThoseWhoKnowAges(const BoundSeries& bound) {
    const Ages ages = REISSUE_TRY(LeafAgesNow());
    const auto dated = REISSUE_TRY(WithAges(bound, ages));
    if (!dated) return Ok();
    SeriesAttackOptions attack;
    attack.guarantee = REISSUE_TRY(k::service::Resolve(promise().As<Promise>(), *bound.values));
    attack.limit = 0;
    attack.verdict_only = true;
    if (leaves_) {
      attack.real =
          RealTargets(bcf::WithAges(LeavesFor(bound), ages, dated->columns), dated->series);
    }
    const SeriesAttackReport report = AttackSeries(dated->series, Formulas(dated->series), attack);
    if (report.impossible.empty() && report.verdict == Verdict::kKept) return Ok();
    return PromiseError(
        "new values of a taxonomy would be shown by themselves, where an earlier release shows a "
        "label that they are below: readers who know since when they are there know who is new, "
        "and it is not proven that the promise is kept before them",
        "Wait for more rows, or give these rows a value that the taxonomy had before; or start "
        "another series in a new vault (`reissue adopt`).");
  }

  // Since when the values of the trees are there.
  Result<Ages> LeafAgesNow() {
    if (past().empty()) return Ages();
    const contract::Ages ages =
        REISSUE_TRY(contract::Ages::Of(past(), policy(), number(), context()));
    return ages.any() ? LeafAges(ages, trees_) : Ages();
  }

  // The people of the table by the columns of a series.
  k::LeafCells LeavesFor(const BoundSeries& bound) const {
    const bool column = leaves_->taxonomies.size() > bound.series.columns();
    return column ? WithoutStars(*leaves_) : *leaves_;
  }

  void CertifyMore(nlohmann::ordered_json& certificate) const override {
    certificate["hierarchy"] = contract::HierarchyJson(hierarchy_);
  }

  Targets targets_;
  bool stars_;  // whoever is starred stays so
  Earlier earlier_;
  contract::PromisePtr then_;  // that the last release was made under
  std::size_t births_ = 1;     // that are told apart
  std::vector<std::uint32_t> birth_of_person_;
  std::vector<std::uint8_t> starred_;  // per person; empty: nobody is
  Taxonomies trees_;
  std::optional<std::string> space_;
  std::optional<k::LeafCells> leaves_;  // to tell who is real
  std::vector<binding::ColumnHierarchy> hierarchy_;
};

}  // namespace

Result<contract::Explored> ExploreSeries(const contract::ExploreTask& task,
                                         const contract::Traits& traits,
                                         binding::Context& context) {
  return SeriesPublication(task.publish, traits, context).Explore(task);
}

std::unique_ptr<contract::Publication> StartSeries(const contract::PublishTask& task,
                                                   const contract::Traits& traits,
                                                   binding::Context& context) {
  return std::make_unique<SeriesPublication>(task, traits, context);
}

}  // namespace reissue::models::bcf::service
