#include "reissue/models/bcf/service/publish.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "reissue/contract/certificate.h"
#include "reissue/models/bcf/publisher/local.h"
#include "reissue/models/bcf/publisher/publish.h"
#include "reissue/models/bcf/publisher/real.h"
#include "reissue/models/bcf/publisher/through.h"
#include "reissue/models/bcf/service/audit.h"
#include "reissue/models/bcf/service/earlier.h"
#include "reissue/models/bcf/service/series.h"
#include "reissue/models/bcf/service/space.h"
#include "reissue/models/k/publisher/local.h"
#include "reissue/models/k/service/publish.h"

namespace reissue::models::bcf::service {
namespace {

// Births of rows are kept in one byte.
constexpr std::uint32_t kMostBirths = 255;
// Of a tree through earlier releases, in visits of each cell of the table.
constexpr std::uint64_t kLookAhead = 200;

class SeriesPublication final : public k::service::RecodedPublication {
 public:
  SeriesPublication(const contract::PublishTask& task, const contract::Traits& traits,
                    binding::Context& context)
      : RecodedPublication(task, traits, task.promise->As<Promise>(), context),
        targets_(task.promise->As<Promise>().targets) {}

 private:
  Status Recall() override {
    earlier_ = REISSUE_TRY(LoadEarlier(policy(), *vault()));
    return EachKeptAlone(earlier_.releases, asked());
  }

  binding::RangeLabels Ranges() const override { return earlier_.ranges; }

  Result<std::vector<std::uint8_t>> Births() override {
    for (const binding::Quasi& quasi : holder().quasi) trees_.push_back(quasi.tree);
    std::vector<std::uint8_t> births;
    if (number() == 1 || !holder().identifier) return births;
    const binding::Persons::Arrival arrival = REISSUE_TRY(
        binding::Persons::Arrive(holder(), earlier_.persons, number(), *vault(), persons()));
    REISSUE_TRY(NobodyVanished(arrival, request().table));
    // Nobody knows who is new after releases that were made elsewhere.
    if (earlier_.persons) report().newcomers = arrival.newcomers;
    if (!arrival.all_known || number() > kMostBirths) return births;
    for (const std::uint32_t birth : arrival.birth_of_row) {
      births.push_back(static_cast<std::uint8_t>(birth - 1));
    }
    return births;
  }

  Result<k::Outcome> Search(k::LeafCells leaves, const k::Guarantee& guarantee,
                            const k::PublishOptions& search) override {
    k::service::Trial trial{std::move(leaves), search, asked().local};
    k::Outcome outcome = REISSUE_TRY(Try(trial, guarantee));
    if (outcome.local) space_ = SaveSpace(outcome.local->tree);
    if (targets_ == Targets::kReal && !earlier_.releases.empty()) {
      leaves_ = std::move(trial.leaves);
    }
    return outcome;
  }

  Result<k::Outcome> Try(k::service::Trial& trial, const k::Guarantee& guarantee) override {
    if (!earlier_.releases.empty()) return SearchNext(trial.leaves, guarantee, trial.options);
    trial.options.growth = promise().As<Promise>().growth;
    return RecodedPublication::Try(trial, guarantee);
  }

  Result<k::Outcome> SearchNext(k::LeafCells& leaves, const k::Guarantee& guarantee,
                                const k::PublishOptions& search) {
    const Series earlier =
        REISSUE_TRY(OnTreesOf(holder(), columns(), earlier_.releases, leaves.sensitive_values));
    PublishOptions options;
    options.search = search;
    options.targets = targets_;
    auto outcome = asked().local ? SearchLocally(leaves, earlier, guarantee, options)
                                 : Publish(leaves, earlier, guarantee, options, context().pool,
                                           context().progress);
    if (!outcome) return InTable(std::move(outcome).error());
    return outcome;
  }

  // By a tree through the releases that are out, and by the one that was grown for the first of
  // them; the best counts. Of releases that were made elsewhere cuts may lose less.
  Result<k::Outcome> SearchLocally(const k::LeafCells& leaves, const Series& earlier,
                                   const k::Guarantee& guarantee, const PublishOptions& options) {
    std::vector<Result<k::Outcome>> found;
    if (auto tree = TreeThrough(leaves, earlier, options.search.score, guarantee.k,
                                kLookAhead * leaves.cells.size())) {
      found.push_back(SearchBoxes(leaves, *std::move(tree), earlier, guarantee, options));
    }
    if (earlier_.space) {
      taxonomy::SpaceTree tree = REISSUE_TRY(ParseSpace(*earlier_.space, trees_));
      found.push_back(SearchBoxes(leaves, std::move(tree), earlier, guarantee, options));
    } else {
      found.push_back(
          Publish(leaves, earlier, guarantee, options, context().pool, context().progress));
    }
    const auto cost = [](const Result<k::Outcome>& each) {
      return each ? each->cost : std::numeric_limits<double>::infinity();
    };
    return std::move(*std::ranges::min_element(found, {}, cost));
  }

  // The tree is grown on where there are rows enough now.
  Result<k::Outcome> SearchBoxes(const k::LeafCells& leaves, taxonomy::SpaceTree tree,
                                 const Series& earlier, const k::Guarantee& guarantee,
                                 const PublishOptions& options) {
    tree = k::GrownOn(leaves, guarantee, options.search, std::move(tree), context().pool);
    return PublishLocally(leaves, tree, earlier, guarantee, options, context().pool,
                          context().progress);
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

  Status Remember() override {
    REISSUE_TRY(RecodedPublication::Remember());
    if (auto ranges = SaveRanges(holder())) Keep(kRangesSecret, std::move(*ranges));
    if (space_) Keep(kSpaceSecret, std::move(*space_));
    return Ok();
  }

  Result<contract::Proof> Attack(const std::string& path,
                                 const std::vector<std::string>&) override {
    PublishedRelease written = REISSUE_TRY(ReadPublished(columns(), path, context()));
    DescribeRecodedAs(*written.source);
    contract::Proof proof;
    proof.digest = written.digest;
    written.name = report().out;
    Keep(SeriesSecret(number()), SaveRelease(written, columns()));
    std::vector<PublishedRelease> releases = std::move(earlier_.releases);
    releases.push_back(std::move(written));
    const BoundSeries bound = REISSUE_TRY(BindSeries(columns(), trees_, std::move(releases)));
    std::optional<RealTuples> real;
    if (leaves_) real = RealTargets(*leaves_, bound.series);
    proof.audit = REISSUE_TRY(AuditSeries(bound, promise().As<Promise>(), context(),
                                          contract::kWorstShown, std::move(real)));
    proof.kept = proof.audit.satisfied;
    hierarchy_ = HierarchyOf(bound);
    return proof;
  }

  void CertifyMore(nlohmann::ordered_json& certificate) const override {
    certificate["hierarchy"] = contract::HierarchyJson(hierarchy_);
  }

  Targets targets_;
  Earlier earlier_;
  Taxonomies trees_;
  std::optional<std::string> space_;
  std::optional<k::LeafCells> leaves_;  // to tell who is real
  std::vector<binding::ColumnHierarchy> hierarchy_;
};

}  // namespace

std::unique_ptr<contract::Publication> StartSeries(const contract::PublishTask& task,
                                                   const contract::Traits& traits,
                                                   binding::Context& context) {
  return std::make_unique<SeriesPublication>(task, traits, context);
}

}  // namespace reissue::models::bcf::service
