#include "reissue/engine/publish.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "reissue/core/random.h"
#include "reissue/engine/certificate.h"
#include "reissue/engine/release_writer.h"
#include "reissue/models/k/publisher/publish.h"

namespace reissue::engine {
namespace {

namespace k = models::k;

constexpr std::uint64_t kSearchSeed = 1;
// File names have at most 255 bytes; temporaries of certificates add 40 to the name of a release.
constexpr std::size_t kLongestName = 200;

struct Spread {
  std::string column;
  std::uint64_t values = 0;
  std::vector<std::string> labels;
};

// What the table looks like to the publisher: leaf ranks, a sensitive code, a class code.
k::LeafCells LeavesOf(const HolderTable& holder, const Cells& published,
                      const std::optional<ColumnId>& class_column) {
  k::LeafCells leaves;
  // A stand-in for sensitive columns is not published; PublishedCombinations puts it last.
  std::vector<std::size_t> position(holder.table.width(), holder.published.size());
  for (std::size_t i = 0; i < holder.published.size(); ++i) {
    position[holder.published[i].index()] = i;
  }
  const std::size_t width = holder.quasi.size() + 1 + (class_column ? 1 : 0);
  for (const Quasi& quasi : holder.quasi) leaves.taxonomies.push_back(quasi.tree);
  leaves.sensitive_values = static_cast<std::uint32_t>(holder.sensitive.values->size());
  if (class_column) {
    leaves.class_values =
        static_cast<std::uint32_t>(holder.table[*class_column].dictionary().size());
  }
  std::vector<std::uint32_t> keys;
  std::vector<std::uint64_t> counts;
  keys.reserve(published.size() * width);
  counts.reserve(published.size());
  for (std::size_t i = 0; i < published.size(); ++i) {
    const auto key = published.key(CellId(i));
    for (const Quasi& quasi : holder.quasi) {
      keys.push_back(quasi.leaf_of_value[key[position[quasi.column.index()]]]);
    }
    keys.push_back(holder.sensitive.column ? key[position[holder.sensitive.column->index()]] : 0);
    if (class_column) keys.push_back(key[position[class_column->index()]]);
    counts.push_back(published.count(CellId(i)));
  }
  leaves.cells = CollectCells(width, keys, counts);
  return leaves;
}

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

// The policy that was named, or the one that the series was started with.
Result<std::string> PolicyPath(const PublishRequest& request, Context& context) {
  if (!request.policy.empty()) return request.policy;
  const ledger::Vault vault =
      REISSUE_TRY(ledger::Vault::Open(context.files, request.vault, ledger::Access::kRead));
  if (!context.files.Exists(vault.policy().path)) {
    return InputError({vault.policy().path, std::nullopt, std::nullopt, ""},
                      "the policy that this series was started with is not there any more",
                      "Name it with --policy; it must be the same, with the same taxonomies.");
  }
  return vault.policy().path;
}

// Opens the vault of a series that has begun, and refuses what model `k` cannot promise.
Result<std::optional<ledger::Vault>> OpenVault(const PublishRequest& request, Context& context) {
  if (!ledger::Vault::Exists(context.files, request.vault)) return std::optional<ledger::Vault>();
  ledger::Vault vault = REISSUE_TRY(ledger::Vault::Open(
      context.files, request.vault, ledger::Access::kWrite, request.passphrase));
  return std::optional<ledger::Vault>(std::move(vault));
}

Status MayPublishAgain(ledger::Vault& vault, const io::Policy& policy,
                       const PublishRequest& request) {
  if (vault.policy().digest != policy.digest) {
    return InputError({request.vault, std::nullopt, std::nullopt, ""},
                      fmt::format("this vault belongs to another policy (\"{}\"), or the policy or "
                                  "one of its taxonomies was changed since",
                                  vault.policy().title),
                      "Use the policy that the series was started with, or start another series in "
                      "a new vault.");
  }
  const auto history = REISSUE_TRY(vault.History());
  if (history.empty()) return Ok();
  return PromiseError(
      fmt::format("this series has a release already ({}), and model \"k\" promises nothing about "
                  "two releases together",
                  history.back().target),
      "Readers of both could combine them. For a table of other people, start a new vault. For the "
      "same people again, a model for series is needed.");
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

// Who is in the release, as keyed hashes in ascending order.
Result<std::string> PersonSecret(const HolderTable& holder, ledger::Vault& vault) {
  const Column& column = holder.table[*holder.identifier];
  std::vector<ledger::PersonKey> keys;
  keys.reserve(holder.table.rows());
  for (std::size_t row = 0; row < holder.table.rows(); ++row) {
    keys.push_back(REISSUE_TRY(vault.KeyOf(column.text(RowId(row)))));
  }
  std::sort(keys.begin(), keys.end());
  std::string bytes;
  bytes.reserve(keys.size() * sizeof(ledger::PersonKey));
  for (const ledger::PersonKey& key : keys) bytes.append(key.begin(), key.end());
  return bytes;
}

// A place where a release can be written, before any work is done.
Status CheckTarget(const PublishRequest& request, Context& context) {
  namespace fs = std::filesystem;
  const std::string name = fs::path(request.out).filename().string();
  if (name.empty() || name == "." || name == "..") {
    return UsageError(fmt::format("\"{}\" is not the name of a file", request.out),
                      "Name the file of the release with --out.");
  }
  if (name.size() > kLongestName) {
    return UsageError(fmt::format("the name of the release has {} bytes", name.size()),
                      fmt::format("Choose one of at most {}.", kLongestName));
  }
  if (context.files.Exists(request.out)) {
    return UsageError(fmt::format("{} exists already", request.out),
                      "A release is never overwritten: choose another name, or move the old file.");
  }
  std::error_code none;
  const fs::path directory = io::DirectoryOf(request.out);
  if (!fs::is_directory(directory, none)) {
    return UsageError(fmt::format("{} is not a directory", directory.string()),
                      "Make it first, or choose another place for the release.");
  }
  if (fs::exists(request.vault, none) && fs::equivalent(directory, request.vault, none)) {
    return UsageError("a release cannot lie inside the vault",
                      "The vault is private; choose another place for the release.");
  }
  return Ok();
}

// The same file, named from the root, whatever links are on the way.
std::string Absolute(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path directory = std::filesystem::canonical(io::DirectoryOf(path), failed);
  return (directory / std::filesystem::path(path).filename()).string();
}

// Puts release and certificate in place together.
Status Record(const PublishRequest& request, const io::Policy& policy, const Promise& promise,
              ledger::Vault::Pending pending, const std::string& table_keyed_digest,
              ledger::Vault& vault, PublishReport& report) {
  CertificateFacts facts;
  facts.title = policy.title;
  facts.policy_digest = policy.digest;
  facts.table_keyed_digest = table_keyed_digest;
  facts.release_digest = pending.record.digest;
  facts.created = request.created;
  facts.columns = ColumnsOf(policy);
  facts.settings = policy.guarantee;
  facts.promise = promise;
  facts.report = &report;
  pending.record.certificate = WriteCertificate(facts);
  pending.record.created = request.created;
  pending.record.rows = report.rows_out;
  pending.record.suppressed = report.suppressed;
  report.release = REISSUE_TRY(vault.Prepare(std::move(pending)));
  return vault.Commit(report.release);
}

// Reads what was written as its readers will, and attacks that.
Status AttackWritten(const io::Policy& policy, const Promise& promise, const std::string& path,
                     const std::vector<Spread>& spread, PublishReport& report, Context& context) {
  const ReleaseColumns columns = ColumnsOf(policy);
  const ReleaseTable release = REISSUE_TRY(LoadRelease(columns, path, context));
  report.audit = REISSUE_TRY(AuditRelease(release, columns, promise, report.out, context, 10));
  // A publisher that the adversary beats is a bug of ours.
  REISSUE_CHECK(report.audit.satisfied && report.audit.rows == report.rows_out);
  report.recoding = DescribeRecoding(spread, release);
  return Ok();
}

}  // namespace

Result<PublishReport> Publish(const PublishRequest& request, Context& context) {
  const std::string policy_path = REISSUE_TRY(PolicyPath(request, context));
  const io::Policy policy = REISSUE_TRY(io::ReadPolicy(context.files, policy_path));
  const Promise promise = REISSUE_TRY(PromiseOf(policy));
  REISSUE_TRY(CheckTarget(request, context));
  std::optional<ledger::Vault> vault = REISSUE_TRY(OpenVault(request, context));
  if (vault) REISSUE_TRY(MayPublishAgain(*vault, policy, request));

  HolderTable holder = REISSUE_TRY(LoadTable(policy, request.table, context));
  REISSUE_TRY(BoundValuesOccur(promise, *holder.sensitive.values, policy.file));
  Cells published = PublishedCombinations(holder, context.pool);
  std::optional<ColumnId> class_column;
  if (promise.score == k::Score::kClass) class_column = holder.table.Find(promise.class_column);
  const k::LeafCells leaves = LeavesOf(holder, published, class_column);
  const k::Guarantee guarantee = REISSUE_TRY(Resolve(promise, *holder.sensitive.values));
  k::PublishOptions options;
  options.score = promise.score;
  options.search = promise.search;
  options.budget_seconds = promise.budget_seconds;
  options.seed = request.seed.value_or(kSearchSeed);
  options.suppression_limit = promise.suppression_rows.value_or(static_cast<std::uint64_t>(
      promise.suppression_share * static_cast<double>(holder.table.rows())));
  const k::Outcome outcome =
      REISSUE_TRY(k::Publish(leaves, guarantee, options, context.pool, context.progress));

  PublishReport report;
  report.out = request.out;
  report.certificate = request.out + ".certificate.json";
  report.rows_in = holder.table.rows();
  report.dropped = holder.dropped_rows;
  report.suppressed = outcome.suppressed_rows;
  report.rows_out = report.rows_in - report.suppressed;
  report.score = ScoreName(promise.score);
  report.cost = outcome.cost;
  report.greedy_cost = outcome.greedy_cost;
  report.optimal = outcome.optimal;
  report.descents = outcome.descents;
  report.row_order_reproducible = request.seed.has_value();
  const std::vector<Spread> spread = SpreadOf(holder, outcome);

  // Only now is there something to record: a promise that cannot be kept leaves no vault behind.
  if (!vault) {
    const ledger::VaultPolicy record{"k", policy.title, policy.text, policy.digest,
                                     Absolute(policy.file)};
    vault = REISSUE_TRY(
        ledger::Vault::Create(context.files, request.vault, record, request.passphrase));
  }
  report.vault_unprotected = vault->unprotected();
  ledger::Vault::Pending pending;
  pending.record.target = Absolute(request.out);
  pending.certificate_file = Absolute(report.certificate);
  pending.temporary = REISSUE_TRY(vault->Reserve(pending.record.target));
  Random random = Random::From(request.seed);
  REISSUE_TRY(WriteRelease(holder, published, outcome, pending.temporary, random, context));
  if (holder.identifier) {
    std::string persons = REISSUE_TRY(PersonSecret(holder, *vault));
    pending.secrets.emplace_back("persons/1", std::move(persons));
  }
  const std::string table_keyed_digest = REISSUE_TRY(vault->KeyedDigest(holder.digest));
  holder = {};  // the table is not needed any more, and large
  published = {};
  REISSUE_TRY(AttackWritten(policy, promise, pending.temporary, spread, report, context));
  pending.record.digest = report.audit.releases[0].digest;
  REISSUE_TRY(
      Record(request, policy, promise, std::move(pending), table_keyed_digest, *vault, report));
  return report;
}

}  // namespace reissue::engine
