#include "reissue/engine/publish.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "reissue/core/random.h"
#include "reissue/engine/certificate.h"
#include "reissue/engine/invariance_publish.h"
#include "reissue/engine/linked_publish.h"
#include "reissue/engine/next_release.h"
#include "reissue/engine/publish_steps.h"
#include "reissue/engine/release_writer.h"
#include "reissue/engine/similarity_publish.h"
#include "reissue/models/bcf/publisher/publish.h"
#include "reissue/models/bcf/publisher/real.h"
#include "reissue/models/k/publisher/publish.h"

namespace reissue::engine {
namespace {

namespace bcf = models::bcf;
namespace k = models::k;

constexpr std::uint64_t kSearchSeed = 1;
// Births of rows are kept in one byte.
constexpr std::uint32_t kMostBirths = 255;

struct Spread {
  std::string column;
  std::uint64_t values = 0;
  std::vector<std::string> labels;
};

std::string ScoreName(k::Score score) {
  switch (score) {
    case k::Score::kDistortion:
      return "distortion";
    case k::Score::kLoss:
      return "loss";
    case k::Score::kClass:
      return "class";
    case k::Score::kDiscernibility:
      break;
  }
  return "discernibility";
}

// What stands in the release for the values of each quasi-identifier: labels that occur, no others.
std::vector<PublishReport::Recoded> DescribeRecoding(const std::vector<Spread>& before,
                                                     const ReleaseTable& release) {
  std::vector<PublishReport::Recoded> recoding;
  for (std::size_t q = 0; q < before.size(); ++q) {
    const std::set<std::string_view> occur = [&] {
      const auto& labels = release.table[release.quasi[q]].dictionary().strings();
      return std::set<std::string_view>(labels.begin(), labels.end());
    }();
    PublishReport::Recoded column{before[q].column, {}, before[q].values};
    for (const std::string& label : before[q].labels) {
      if (occur.contains(label)) column.labels.push_back(label);
    }
    recoding.push_back(std::move(column));
  }
  return recoding;
}

// Names, distinct values and possible labels of the quasi-identifiers, in the order of the trees.
std::vector<Spread> SpreadOf(const HolderTable& holder, const k::Outcome& outcome) {
  std::vector<Spread> spread;
  for (std::size_t q = 0; q < holder.quasi.size(); ++q) {
    const Quasi& quasi = holder.quasi[q];
    std::vector<char> seen(quasi.tree->leaves());
    for (const std::uint32_t leaf : quasi.leaf_of_value) seen[leaf] = 1;
    Spread column{quasi.policy->name,
                  static_cast<std::uint64_t>(std::count(seen.begin(), seen.end(), 1)),
                  {}};
    for (const NodeId node : outcome.cuts[q].Nodes()) {
      column.labels.push_back(quasi.tree->label(node));
    }
    spread.push_back(std::move(column));
  }
  return spread;
}

// One call: its parts in the order in which they are filled in.
class Publication {
 public:
  Publication(const PublishRequest& request, io::Policy policy, Promise promise, Context& context)
      : request_(request),
        context_(context),
        policy_(std::move(policy)),
        promise_(std::move(promise)) {}

  Result<PublishReport> Run() {
    REISSUE_TRY(Prepare());
    REISSUE_TRY(Load());
    REISSUE_TRY(Search());
    REISSUE_TRY(Write());
    REISSUE_TRY(Attack());
    REISSUE_TRY(Record());
    return std::move(report_);
  }

 private:
  bool series() const { return promise_.model == "bcf"; }
  std::uint32_t number() const { return static_cast<std::uint32_t>(earlier_.digests.size()) + 1; }

  // Everything that can be refused before the table is read.
  Status Prepare() {
    columns_ = ColumnsOf(policy_);
    REISSUE_TRY(Override());
    REISSUE_TRY(CheckTarget(request_, context_));
    vault_ = REISSUE_TRY(OpenVault(request_, context_));
    if (!vault_) return Ok();
    REISSUE_TRY(MayPublishAgain(*vault_, policy_, promise_, request_));
    if (!series()) return Ok();
    earlier_ = REISSUE_TRY(LoadEarlier(policy_, *vault_));
    return EachKeptAlone(earlier_.releases, promise_);
  }

  // Another score or search for this release; what is promised stays.
  Status Override() {
    if (request_.search.empty()) return Ok();
    Settings settings = policy_.guarantee;
    for (const auto& [key, value] : request_.search) {
      if (key == "score" && value.text == "class" && promise_.class_column.empty()) {
        return UsageError("the score \"class\" needs a class column, and the policy names none",
                          "Choose another score. A policy names the class column from the start of "
                          "the series (class = \"COLUMN\").");
      }
      std::erase_if(settings, [&](const auto& setting) { return setting.first == key; });
      settings.emplace_back(key, value);
    }
    const Promise other =
        REISSUE_TRY(ReadPromise(settings, policy_.file, !columns_.sensitive.empty()));
    promise_.score = other.score;
    promise_.search = other.search;
    promise_.budget_seconds = other.budget_seconds;
    return Ok();
  }

  Status Load() {
    holder_ = REISSUE_TRY(LoadTable(policy_, request_.table, context_, earlier_.ranges));
    REISSUE_TRY(BoundValuesOccur(promise_, *holder_.sensitive.values, policy_.file));
    for (const Quasi& quasi : holder_.quasi) trees_.push_back(quasi.tree);
    std::vector<std::uint8_t> births;
    if (vault_ && holder_.identifier) {
      const Persons::Arrival arrival =
          REISSUE_TRY(Persons::Arrive(holder_, earlier_.persons, number(), *vault_, persons_));
      REISSUE_TRY(NobodyVanished(arrival, request_.table));
      // Nobody knows who is new after releases that were made elsewhere.
      if (earlier_.persons || number() == 1) report_.newcomers = arrival.newcomers;
      if (arrival.all_known && number() <= kMostBirths) {
        for (const std::uint32_t birth : arrival.birth_of_row) {
          births.push_back(static_cast<std::uint8_t>(birth - 1));
        }
      }
    }
    published_ =
        PublishedCombinations(holder_, context_.pool, births, births.empty() ? 1 : number());
    return Ok();
  }

  Status Search() {
    std::optional<ColumnId> class_column;
    if (promise_.score == k::Score::kClass) {
      class_column = holder_.table.Find(promise_.class_column);
    }
    k::LeafCells leaves = LeavesOf(holder_, published_, class_column);
    const k::Guarantee guarantee = REISSUE_TRY(Resolve(promise_, *holder_.sensitive.values));
    const k::PublishOptions search =
        SearchOptions(promise_, holder_.table.rows(), request_.seed.value_or(kSearchSeed));
    if (earlier_.releases.empty()) {
      outcome_ =
          REISSUE_TRY(k::Publish(leaves, guarantee, search, context_.pool, context_.progress));
      return Ok();
    }
    const bcf::Series earlier =
        REISSUE_TRY(OnTreesOf(holder_, columns_, earlier_.releases, leaves.sensitive_values));
    bcf::PublishOptions options;
    options.search = search;
    const bool real = promise_.targets == Targets::kReal;
    options.targets = real ? bcf::Targets::kReal : bcf::Targets::kAny;
    auto outcome =
        bcf::Publish(leaves, earlier, guarantee, options, context_.pool, context_.progress);
    if (!outcome) return InTable(std::move(outcome).error());
    outcome_ = std::move(*outcome);
    if (real) leaves_ = std::move(leaves);
    return Ok();
  }

  // The publisher knows no files, and nobody by name: nobody has vanished here, so somebody
  // changed.
  Error InTable(Error error) const {
    if (error.code != ErrorCode::kInput) return error;
    error.place = Place{request_.table, std::nullopt, std::nullopt, ""};
    if (published_.origins() > 1) {
      error.message =
          "some people who were in an earlier release have other values in this table than those "
          "that were published";
      error.remedy =
          "In a growing table everybody keeps the same quasi-identifiers and sensitive value: give "
          "the values that were published. The promise does not cover values that change.";
    }
    return error;
  }

  Status Write() {
    report_.rows_in = holder_.table.rows();
    report_.dropped = holder_.dropped_rows;
    report_.suppressed = outcome_.suppressed_rows;
    report_.rows_out = report_.rows_in - report_.suppressed;
    report_.earlier_releases = number() - 1;
    report_.score = ScoreName(promise_.score);
    report_.cost = outcome_.cost;
    report_.greedy_cost = outcome_.greedy_cost;
    report_.paper_cost = outcome_.paper_cost;
    report_.optimal = outcome_.optimal;
    report_.descents = outcome_.descents;
    spread_ = SpreadOf(holder_, outcome_);
    const bool first = !vault_;
    REISSUE_TRY(Reserve(request_, policy_, promise_, vault_, pending_, report_, context_));
    Random random = Random::From(request_.seed);
    REISSUE_TRY(WriteRelease(holder_, published_, outcome_, pending_.temporary, random, context_));
    if (holder_.identifier) {
      if (first) {
        const Persons::Arrival arrival =
            REISSUE_TRY(Persons::Arrive(holder_, std::nullopt, number(), *vault_, persons_));
        report_.newcomers = arrival.newcomers;
      }
      pending_.secrets.emplace_back(Persons::kSecret, persons_.Save());
      persons_ = {};
    }
    if (series()) {
      if (auto ranges = SaveRanges(holder_)) {
        pending_.secrets.emplace_back(kRangesSecret, std::move(*ranges));
      }
    }
    table_keyed_digest_ = REISSUE_TRY(vault_->KeyedDigest(holder_.digest));
    holder_ = {};  // the table is not needed any more, and large
    published_ = {};
    return Ok();
  }

  // Reads what was written as its readers will, and attacks that, alone or with what they have
  // already.
  Status Attack() {
    PublishedRelease written = REISSUE_TRY(ReadPublished(columns_, pending_.temporary, context_));
    report_.recoding = DescribeRecoding(spread_, *written.source);
    pending_.record.digest = written.digest;
    written.name = report_.out;
    if (series()) {
      pending_.secrets.emplace_back(SeriesSecret(number()), SaveRelease(written, columns_));
      std::vector<PublishedRelease> releases = std::move(earlier_.releases);
      releases.push_back(std::move(written));
      const BoundSeries bound = REISSUE_TRY(BindSeries(columns_, trees_, std::move(releases)));
      std::optional<RealTargets> real;
      if (leaves_) real = bcf::RealTargets(*leaves_, bound.series);
      report_.audit =
          REISSUE_TRY(AuditSeries(bound, promise_, context_, kWorstShown, std::move(real)));
      hierarchy_ = HierarchyOf(bound);
    } else {
      report_.audit = REISSUE_TRY(
          AuditRelease(*written.source, columns_, promise_, report_.out, context_, kWorstShown));
    }
    // A publisher that the adversary beats is a bug of ours.
    REISSUE_CHECK(report_.audit.satisfied && report_.audit.rows == report_.rows_out);
    return Ok();
  }

  // Puts release and certificate in place together.
  Status Record() {
    CertificateFacts facts;
    facts.table_keyed_digest = table_keyed_digest_;
    facts.columns = columns_;
    facts.promise = promise_;
    facts.earlier = earlier_.digests;
    facts.hierarchy = hierarchy_;
    report_.release = number();
    pending_.record.suppressed = report_.suppressed;
    return PutInPlace(std::move(facts), request_, policy_, report_, std::move(pending_), *vault_);
  }

  const PublishRequest& request_;
  Context& context_;
  io::Policy policy_;
  ReleaseColumns columns_;
  Promise promise_;
  std::optional<ledger::Vault> vault_;
  Earlier earlier_;
  HolderTable holder_;
  bcf::Taxonomies trees_;
  Persons persons_;
  Cells published_;
  k::Outcome outcome_;
  std::optional<k::LeafCells> leaves_;  // to tell who is real
  std::vector<Spread> spread_;
  std::vector<ColumnHierarchy> hierarchy_;
  ledger::Vault::Pending pending_;
  std::string table_keyed_digest_;
  PublishReport report_;
};

}  // namespace

Result<PublishReport> Publish(const PublishRequest& request, Context& context) {
  const std::string path = REISSUE_TRY(PolicyPath(request, context));
  io::Policy policy = REISSUE_TRY(io::ReadPolicy(context.files, path));
  Promise promise = REISSUE_TRY(PromiseOf(policy));
  REISSUE_TRY(CheckFiles(promise, 1, request.priors.size()));
  if (promise.invariance) return PublishChanging(request, policy, promise, context);
  if (promise.similarity) return PublishEvolving(request, policy, promise, context);
  if (!request.holder_copy.empty()) {
    return UsageError("--holder-copy belongs to the models \"m-invariance\" and \"j-similarity\"",
                      "With the other models a release is all there is: leave it out.");
  }
  if (promise.linked) return PublishLinked(request, policy, promise, context);
  return Publication(request, std::move(policy), std::move(promise), context).Run();
}

}  // namespace reissue::engine
