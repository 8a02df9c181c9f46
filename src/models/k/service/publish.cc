#include "reissue/models/k/service/publish.h"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "reissue/binding/folded_table.h"
#include "reissue/binding/levels.h"
#include "reissue/binding/release_writer.h"
#include "reissue/contract/certificate.h"
#include "reissue/contract/model.h"
#include "reissue/models/k/publisher/local.h"
#include "reissue/models/k/publisher/stops.h"
#include "reissue/models/k/service/audit.h"
#include "reissue/models/k/service/report.h"

namespace reissue::models::k::service {
namespace {

constexpr std::uint64_t kSearchSeed = 1;

}  // namespace

RecodedPublication::RecodedPublication(const contract::PublishTask& task,
                                       const contract::Traits& traits, const Promise& asked,
                                       binding::Context& context)
    : Publication(task, traits, context), asked_(asked) {}

// Another score or search for this release; what is promised stays.
Status RecodedPublication::Refuse() {
  const binding::Settings& instead = request().search;
  if (instead.empty()) return Ok();
  for (const auto& [key, value] : instead) {
    if (key != "score" || value.text != "class" || !asked_.class_column.empty()) continue;
    return UsageError("the score \"class\" needs a class column, and the policy names none",
                      "Choose another score. A policy names the class column from the start of "
                      "the series (class = \"COLUMN\").");
  }
  return ReadSearch(instead, policy().file, asked_);
}

Error RecodedPublication::SecondRelease(const std::string& last) const {
  return PromiseError(
      fmt::format("this series has a release already ({}), and model \"k\" promises nothing about "
                  "two releases together",
                  last),
      "Readers of both could combine them. For a table of other people, start a new vault. For the "
      "same people again, start a series with the model \"bcf\": `reissue adopt` takes up what is "
      "published already.");
}

Result<contract::Loaded> RecodedPublication::Load() {
  const sources::HashIdentifier hash = REISSUE_TRY(HashOfIdentifiers());
  holder_ = REISSUE_TRY(binding::LoadTable(policy(), request().table, context(), Ranges(), hash));
  REISSUE_TRY(binding::ApplyFloors(holder_, policy().file, context()));
  REISSUE_TRY(BoundValuesOccur(asked_, *holder_.sensitive.values, policy()));
  const std::vector<std::uint16_t> births = REISSUE_TRY(Births());
  if (!births.empty()) {
    published_ = binding::PublishedCombinations(holder_, context().pool, births, Origins());
  }
  rows_ = holder_.table.total();
  return contract::Loaded{rows_, holder_.dropped_rows, holder_.digest};
}

Result<LeafCells> RecodedPublication::Leaves() {
  std::optional<ColumnId> class_column;
  if (asked_.score == Score::kClass) class_column = holder_.table.Find(asked_.class_column);
  LeafCells leaves = LeavesOf(holder_, published_, asked_.score, class_column, context().pool);
  leaves.ceilings = REISSUE_TRY(binding::CeilingsOf(holder_, policy().file, context()));
  return leaves;
}

Result<contract::Planned> RecodedPublication::Plan() {
  LeafCells leaves = REISSUE_TRY(Leaves());
  const Guarantee guarantee = REISSUE_TRY(Resolve(asked_, *holder_.sensitive.values));
  const PublishOptions options = SearchOptions(asked_, rows_, request().seed.value_or(kSearchSeed));
  if (request().why || rehearsed()) {
    outcome_ = REISSUE_TRY(Search(leaves, guarantee, options));
    const LeafCells told = Told(std::move(leaves), outcome_);
    if (rehearsed()) report().loss = LossOfRelease(told, outcome_);
    if (request().why) Explain(told, guarantee, options);
  } else {
    outcome_ = REISSUE_TRY(SearchFolded(std::move(leaves), guarantee, options));
  }
  report().details = contract::Findings::Of(
      SearchDetails{NameOf(asked_.score), outcome_.cost, outcome_.greedy_cost, outcome_.paper_cost,
                    outcome_.optimal, outcome_.floors, outcome_.gave_up, outcome_.descents,
                    outcome_.passing_cost});
  spread_ = SpreadOf(holder_, outcome_);
  const std::uint64_t left_out = outcome_.suppressed_rows;
  const std::uint64_t hidden = left_out + outcome_.starred_rows;
  return contract::Planned{rows_ - left_out, hidden, hidden};
}

// Searches know the leaves, and those of one release alone nothing else: the rows of the table are
// not needed meanwhile.
Result<Outcome> RecodedPublication::SearchFolded(LeafCells leaves, const Guarantee& guarantee,
                                                 const PublishOptions& options) {
  if ((holder_.identified && traits().series) || !holder_.table.counted()) {
    return Search(std::move(leaves), guarantee, options);
  }
  binding::FoldedTable folded(holder_.table);
  Result<Outcome> outcome = Search(std::move(leaves), guarantee, options);
  holder_.table = std::move(folded).Unfold(holder_.table);
  return outcome;
}

Result<Cells> RecodedPublication::Lines() {
  if (published_.size() > 0) return std::move(published_);
  return binding::PublishedCombinations(holder_, context().pool);
}

// Whoever is not among the `told` is starred, and loses all.
double RecodedPublication::LossOfRelease(const LeafCells& told, const Outcome& outcome) const {
  const auto rows = static_cast<double>(rows_);
  const auto there = static_cast<double>(told.cells.rows());
  return (LossOf(told, outcome) * there + (rows - there)) / rows;
}

Result<contract::Explored> RecodedPublication::Explore(const contract::ExploreTask& task) {
  REISSUE_TRY(Prepare());
  REISSUE_TRY(Load());
  contract::Explored found{number(), rows_, {}};
  task.progress.Begin("trying releases", task.points.size());
  for (const contract::PromisePtr& point : task.points) {
    Ask(*point);
    Result<contract::Tried> tried = TryPromise();
    if (tried) {
      found.points.push_back(*std::move(tried));
    } else {
      found.points.emplace_back().problem = contract::AboutTable(tried.error(), request().table);
    }
    task.progress.Advance(1);
  }
  return found;
}

Result<contract::Tried> RecodedPublication::TryPromise() {
  const auto begin = std::chrono::steady_clock::now();
  REISSUE_TRY(BoundValuesOccur(asked_, *holder_.sensitive.values, policy()));
  const LeafCells leaves = REISSUE_TRY(Leaves());
  const Guarantee guarantee = REISSUE_TRY(Resolve(asked_, *holder_.sensitive.values));
  Trial trial{leaves, SearchOptions(asked_, rows_, request().seed.value_or(kSearchSeed)),
              asked_.local};
  const Outcome outcome = REISSUE_TRY(Try(trial, guarantee));
  const LeafCells told = Told(leaves, outcome);
  contract::Tried tried;
  tried.loss = LossOfRelease(told, outcome);
  tried.suppressed = outcome.suppressed_rows + outcome.starred_rows;
  tried.smallest = SmallestGroup(told, outcome);
  tried.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return tried;
}

Result<Outcome> RecodedPublication::Search(LeafCells leaves, const Guarantee& guarantee,
                                           const PublishOptions& options) {
  Trial trial{std::move(leaves), options, asked_.local};
  return Try(trial, guarantee);
}

Result<Outcome> RecodedPublication::Try(Trial& trial, const Guarantee& guarantee) {
  const auto publish = trial.local ? PublishLocally : Publish;
  return publish(trial.leaves, guarantee, trial.options, context().pool, context().progress);
}

void RecodedPublication::Explain(const LeafCells& leaves, const Guarantee& guarantee,
                                 const PublishOptions& options) {
  // Where some are starred, a table of those who are told is none that could be published.
  const bool tries = leaves.cells.origins() == published_.origins();
  const Explained explained{holder_,      leaves,          guarantee,     options,
                            asked_.local, traits().series, number() == 1, tries};
  report().why =
      WhyHidden(explained, outcome_, [&](Trial& trial) { return Try(trial, guarantee); });
  report().why->table = request().table;
}

Status RecodedPublication::Write(const std::string& path) {
  const Cells lines = REISSUE_TRY(Lines());
  REISSUE_TRY(WriteRelease(holder_, lines, outcome_, path, random(), context()));
  REISSUE_TRY(Remember());
  holder_ = {};  // the table is not needed any more, and large
  published_ = {};
  return Ok();
}

// Who is in the release, for a series that may take it up later.
Status RecodedPublication::Remember() {
  if (!holder_.identified) return Ok();
  if (number() == 1) {
    const binding::Persons::Arrival arrival =
        REISSUE_TRY(binding::Persons::Arrive(holder_, std::nullopt, number(), persons_));
    report().newcomers = arrival.newcomers;
  }
  Keep(binding::Persons::kSecret, persons_.Save());
  persons_ = {};
  return Ok();
}

void RecodedPublication::DescribeRecodedAs(const binding::ReleaseTable& written) {
  report().recoding = DescribeRecoding(spread_, written);
}

Result<contract::Proof> RecodedPublication::Attack(const std::string& path,
                                                   const std::vector<std::string>&) {
  binding::Context files = context().OfFiles();
  const binding::ReleaseTable written = REISSUE_TRY(binding::LoadRelease(columns(), path, files));
  DescribeRecodedAs(written);
  contract::Proof proof;
  proof.digest = written.digest;
  proof.fingerprints = {written.fingerprint};
  proof.audit = REISSUE_TRY(
      AuditRelease(written, columns(), asked_, report().out, context(), contract::kWorstShown));
  proof.kept = proof.audit.satisfied;
  return proof;
}

void RecodedPublication::Certify(nlohmann::ordered_json& certificate) const {
  certificate["recoding"] = contract::RecodingJson(report());
  CertifyMore(certificate);
}

}  // namespace reissue::models::k::service
