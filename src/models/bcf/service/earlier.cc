#include "reissue/models/bcf/service/earlier.h"

#include <fmt/format.h>

#include <algorithm>

#include "reissue/binding/state_bytes.h"
#include "reissue/io/csv.h"
#include "reissue/models/bcf/service/space.h"
#include "reissue/models/k/adversary/attack.h"

namespace reissue::models::bcf::service {
namespace {

bool HasOwnRanges(const io::PolicyColumn& column) {
  return column.taxonomy.empty() && column.breakpoints.empty();
}

Result<binding::RangeLabels> LoadRanges(ledger::Vault& vault) {
  binding::RangeLabels ranges;
  const std::optional<std::string> text = REISSUE_TRY(vault.Unseal(kRangesSecret));
  if (!text) return ranges;
  const auto records = REISSUE_TRY(io::ReadRecords(*text, "the vault's ranges", ','));
  for (const io::Record& record : records) {
    if (record.fields.size() == 2) ranges[record.fields[0]].push_back(record.fields[1]);
  }
  return ranges;
}

// What earlier releases have published must have a place in the tree even if the table has lost it,
// so that what is said is that rows are missing. For a series that was started elsewhere this is
// all that is known of its ranges.
void AddPublishedLabels(const io::Policy& policy, const std::vector<PublishedRelease>& releases,
                        binding::RangeLabels& ranges) {
  const auto quasi = policy.WithRole(io::Role::kQuasi);
  for (std::size_t q = 0; q < quasi.size(); ++q) {
    if (!quasi[q]->taxonomy.empty()) continue;
    for (const PublishedRelease& release : releases) {
      const auto& strings = release.labels[q]->strings();
      std::vector<std::string>& labels = ranges[quasi[q]->name];
      labels.insert(labels.end(), strings.begin(), strings.end());
    }
  }
}

Result<std::vector<ledger::PersonKey>> LoadStarred(ledger::Vault& vault) {
  constexpr std::size_t kBytes = sizeof(ledger::PersonKey);
  const std::string bytes = REISSUE_TRY(vault.Unseal(kStarredSecret)).value_or("");
  if (bytes.size() % kBytes != 0) return binding::SenselessRecord("who is starred");
  std::vector<ledger::PersonKey> starred(bytes.size() / kBytes);
  for (std::size_t i = 0; i < starred.size(); ++i) {
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(i * kBytes), kBytes,
                starred[i].begin());
  }
  return starred;
}

}  // namespace

std::string SaveStarred(const std::vector<ledger::PersonKey>& starred) {
  std::string bytes;
  for (const ledger::PersonKey& key : starred) bytes.append(key.begin(), key.end());
  return bytes;
}

Result<Earlier> LoadEarlier(const io::Policy& policy, ledger::Vault& vault) {
  Earlier earlier;
  earlier.releases = REISSUE_TRY(LoadReleases(vault, binding::ColumnsOf(policy)));
  earlier.ranges = REISSUE_TRY(LoadRanges(vault));
  AddPublishedLabels(policy, earlier.releases, earlier.ranges);
  earlier.persons = REISSUE_TRY(binding::Persons::Load(vault));
  earlier.space = REISSUE_TRY(vault.Unseal(kSpaceSecret));
  earlier.starred = REISSUE_TRY(LoadStarred(vault));
  const auto history = REISSUE_TRY(vault.History());
  earlier.kept = !history.empty() && !history.back().adopted();
  return earlier;
}

std::optional<std::string> SaveRanges(const binding::HolderTable& holder) {
  std::string text;
  for (const binding::Quasi& quasi : holder.quasi) {
    if (!HasOwnRanges(*quasi.policy)) continue;
    for (std::size_t n = 1; n < quasi.tree->nodes(); ++n) {
      if (quasi.tree->is_leaf(NodeId(n))) continue;
      io::AppendField(text, quasi.policy->name);
      text += ',';
      io::AppendField(text, quasi.tree->label(NodeId(n)));
      text += '\n';
    }
  }
  if (text.empty()) return std::nullopt;
  return text;
}

Status NobodyVanished(const binding::Persons::Arrival& arrival, const std::string& table) {
  if (arrival.vanished == 0) return Ok();
  return InputError(
      {table, std::nullopt, std::nullopt, ""},
      fmt::format("{} of earlier releases {} not in this table, and model \"bcf\" is about tables "
                  "that only grow",
                  arrival.vanished == 1 ? "1 person" : fmt::format("{} people", arrival.vanished),
                  arrival.vanished == 1 ? "is" : "are"),
      "Give the table with all people so far. A table that people leave needs the model "
      "\"m-invariance\".");
}

Status EachKeptAlone(const std::vector<PublishedRelease>& releases,
                     const k::service::Promise& promise) {
  for (std::size_t i = 0; i < releases.size(); ++i) {
    const PublishedRelease& release = releases[i];
    const k::Guarantee guarantee = REISSUE_TRY(k::service::Resolve(promise, *release.values));
    const k::Report alone = k::Attack(
        {release.cells, release.labels.size(), static_cast<std::uint32_t>(release.values->size())},
        guarantee, 0);
    if (alone.satisfied) continue;
    return PromiseError(
        fmt::format("release {} does not keep the promise by itself ({}), and no later release can "
                    "make up for it",
                    i + 1, fmt::join(alone.broken, ", ")),
        "Start a series of its own, with another policy that promises no more than the releases "
        "that are out keep; `reissue adopt` says how much that is.");
  }
  return Ok();
}

Result<Series> OnTreesOf(const binding::HolderTable& holder, const binding::ReleaseColumns& columns,
                         const std::vector<PublishedRelease>& releases, Stars stars,
                         std::uint32_t& sensitive_values) {
  Taxonomies trees;
  for (const binding::Quasi& quasi : holder.quasi) trees.push_back(quasi.tree);
  const BoundSeries bound = REISSUE_TRY(BindSeries(columns, trees, releases, stars));
  // Values that only earlier releases have get codes of their own.
  std::vector<std::uint32_t> code_of(bound.values->size());
  for (std::size_t v = 0; v < code_of.size(); ++v) {
    const auto found = holder.sensitive.values->Find((*bound.values)[ValueId(v)]);
    code_of[v] = found ? found->raw() : sensitive_values++;
  }
  std::vector<Cells> published;
  for (const Cells& cells : bound.cells) {
    std::vector<std::uint32_t> keys;
    std::vector<std::uint64_t> counts;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto key = cells.key(CellId(i));
      keys.insert(keys.end(), key.begin(), key.end());
      keys.back() = code_of[keys.back()];
      counts.push_back(cells.count(CellId(i)));
    }
    published.push_back(CollectCells(cells.width(), keys, counts));
  }
  return Series::Make(bound.series.taxonomies(), published);
}

}  // namespace reissue::models::bcf::service
