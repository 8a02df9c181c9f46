#include "reissue/models/invariance/service/audit.h"

#include <algorithm>
#include <unordered_map>

#include "reissue/binding/rows.h"
#include "reissue/io/csv.h"
#include "reissue/models/invariance/adversary/attack.h"
#include "reissue/models/invariance/adversary/deduce.h"

namespace reissue::models::invariance::service {
namespace {

namespace inv = models::invariance;

constexpr char kCopyRemedy[] =
    "Model \"m-invariance\" is audited from holder's copies: for everybody in a release the "
    "identifier, the group they were published in, and their value. `reissue publish "
    "--holder-copy FILE` writes one; files of other tools do as well.";

class CopiesReader {
 public:
  CopiesReader(const binding::ReleaseColumns& columns, binding::Context& context)
      : columns_(columns), context_(context) {}

  Status Add(const std::string& path) {
    io::CsvOptions options;
    for (const auto* names : {&columns_.quasi, &columns_.others}) {
      options.skip_columns.insert(options.skip_columns.end(), names->begin(), names->end());
    }
    io::CsvFile file = REISSUE_TRY(binding::ReadRows(path, options, context_));
    const Table& table = file.table;
    const ColumnId id = REISSUE_TRY(Identifier(table, path));
    const ColumnId group = REISSUE_TRY(Needed(table, path, binding::kGroupColumn));
    std::vector<ColumnId> sensitive;
    for (const std::string& name : columns_.sensitive) {
      const ColumnId column = REISSUE_TRY(Needed(table, path, name));
      sensitive.push_back(column);
    }
    REISSUE_TRY(binding::IdentifiersOnce(table, id, "Everybody is in one row of a release."));
    const std::vector<bool> counterfeit = REISSUE_TRY(Counterfeits(table));
    AddRows(table, id, group, binding::CodeSensitive(table, sensitive, NumericSensitive()),
            counterfeit);
    const auto& names = table[group].dictionary().strings();
    copies_.files.push_back(
        {path, std::move(file.digest), table.rows(), names.size(), {names.begin(), names.end()}});
    return Ok();
  }

  HolderCopies Take() {
    copies_.series.persons = static_cast<std::uint32_t>(copies_.ids.size());
    copies_.series.values = static_cast<std::uint32_t>(copies_.values.size());
    std::vector<std::uint32_t> identities(ids_.size());
    for (const std::uint32_t id : id_of_person_) ++identities[id];
    copies_.changed_values = static_cast<std::uint64_t>(
        std::count_if(identities.begin(), identities.end(), [](auto n) { return n > 1; }));
    return std::move(copies_);
  }

 private:
  std::vector<bool> NumericSensitive() const {
    return binding::NumericAmong(columns_.numeric, columns_.sensitive);
  }

  Result<ColumnId> Needed(const Table& table, const std::string& path,
                          const std::string& name) const {
    const auto id = table.Find(name);
    if (id) return *id;
    return InputError({path, 1, std::nullopt, name}, "the file lacks this column", kCopyRemedy);
  }

  Result<ColumnId> Identifier(const Table& table, const std::string& path) const {
    if (!columns_.identifiers.empty()) return Needed(table, path, columns_.identifiers[0]);
    std::optional<ColumnId> found;
    for (std::size_t c = 0; c < table.width(); ++c) {
      const std::string& name = table[ColumnId(c)].name();
      if (name == binding::kGroupColumn || name == kCounterfeitColumn ||
          std::find(columns_.sensitive.begin(), columns_.sensitive.end(), name) !=
              columns_.sensitive.end()) {
        continue;
      }
      if (found) {
        return InputError(
            {path, 1, std::nullopt, name},
            "which column identifies people is not clear: there are several that the "
            "certificate does not name",
            "Give the holder's copies as `reissue publish --holder-copy` wrote them.");
      }
      found = ColumnId(c);
    }
    if (found) return *found;
    return InputError({path, 1, std::nullopt, ""}, "no column identifies people", kCopyRemedy);
  }

  static Result<std::vector<bool>> Counterfeits(const Table& table) {
    std::vector<bool> flags(table.rows());
    const auto id = table.Find(kCounterfeitColumn);
    if (!id) return flags;
    const Column& column = table[*id];
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const std::string_view text = column.text(RowId(row));
      flags[row] = text == "yes" || text == "true" || text == "1";
      if (flags[row] || text == "no" || text == "false" || text == "0") continue;
      return InputError(table.PlaceOf(RowId(row), *id), "yes or no was expected",
                        "Write yes for a row that belongs to nobody, and no for everybody else's.");
    }
    return flags;
  }

  void AddRows(const Table& table, ColumnId id, ColumnId group,
               const binding::SensitiveCodes& sensitive, const std::vector<bool>& counterfeit) {
    std::vector<std::uint32_t> value_of, id_of;
    for (const binding::ValueTexts& texts : sensitive.values) {
      value_of.push_back(values_.Intern(binding::Joined(texts)).raw());
      if (value_of.back() == copies_.values.size())
        copies_.values.push_back(binding::Joined(texts));
    }
    for (const std::string_view text : table[id].dictionary().strings()) {
      id_of.push_back(ids_.Intern(text).raw());
    }
    inv::Snapshot snapshot;
    snapshot.groups = static_cast<std::uint32_t>(table[group].dictionary().size());
    snapshot.rows.reserve(table.rows());
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const std::uint32_t person_id = id_of[table[id][RowId(row)].index()];
      const std::uint32_t value = value_of[sensitive.of_row[row]];
      const auto [at, added] = persons_.emplace(std::uint64_t{person_id} << 32 | value,
                                                static_cast<inv::Person>(copies_.ids.size()));
      if (added) {
        copies_.ids.emplace_back(table[id].text(RowId(row)));
        id_of_person_.push_back(person_id);
        copies_.series.counterfeit.push_back(false);
      }
      if (counterfeit[row]) copies_.series.counterfeit[at->second] = true;
      snapshot.rows.push_back({at->second, table[group][RowId(row)].raw(), value});
    }
    copies_.series.releases.push_back(std::move(snapshot));
  }

  const binding::ReleaseColumns& columns_;
  binding::Context& context_;
  HolderCopies copies_;
  DictionaryBuilder ids_, values_;
  std::unordered_map<std::uint64_t, inv::Person> persons_;  // by identifier and value
  std::vector<std::uint32_t> id_of_person_;
};

std::vector<std::string> NamesFrom(const std::vector<inv::Person>& people,
                                   const std::vector<std::string>& names) {
  std::vector<std::string> found;
  for (const std::uint32_t person : people) found.push_back(names[person]);
  return found;
}

std::vector<std::string> SortedNames(const std::vector<inv::Value>& values,
                                     const std::vector<std::string>& names) {
  std::vector<std::string> found = NamesFrom(values, names);
  std::sort(found.begin(), found.end());
  return found;
}

// The identity that is meant: with this value if there is one, else the last.
std::optional<inv::Person> PersonOf(const HolderCopies& copies, std::string_view id,
                                    std::uint32_t value) {
  std::optional<inv::Person> found;
  for (inv::Person person = 0; person < copies.ids.size(); ++person) {
    if (copies.ids[person] == id) found = person;
  }
  if (!found) return found;
  for (const inv::Snapshot& release : copies.series.releases) {
    for (const inv::Row& row : release.rows) {
      if (row.value == value && copies.ids[row.person] == id) return row.person;
    }
  }
  return found;
}

// Identifiers and values may have an = in them: every place to divide is tried.
Result<inv::KnownValue> ReadKnown(const HolderCopies& copies, const std::string& text) {
  constexpr char kRemedy[] =
      "Write --knows ID=VALUE with an identifier and a value as they stand in the files (of "
      "several "
      "sensitive columns: \"A / B\").";
  if (text.find('=') == std::string::npos) return UsageError("--knows lacks the =VALUE", kRemedy);
  bool has_id = false;
  for (std::size_t at = text.find('='); at != std::string::npos; at = text.find('=', at + 1)) {
    const std::string id = text.substr(0, at);
    if (std::find(copies.ids.begin(), copies.ids.end(), id) == copies.ids.end()) continue;
    has_id = true;
    const auto value = std::find(copies.values.begin(), copies.values.end(), text.substr(at + 1));
    if (value == copies.values.end()) continue;
    const auto code = static_cast<inv::Value>(value - copies.values.begin());
    return inv::KnownValue{*PersonOf(copies, id, code), code};
  }
  return UsageError(has_id ? "--knows names a value that the copies do not have"
                           : "--knows names somebody whom the copies do not have",
                    kRemedy);
}

Result<InvarianceFindings::Follows> FollowKnown(const HolderCopies& copies,
                                                const std::vector<std::string>& knows) {
  InvarianceFindings::Follows follows;
  std::vector<inv::KnownValue> known;
  for (const std::string& text : knows) {
    known.push_back(REISSUE_TRY(ReadKnown(copies, text)));
    follows.known.emplace_back(copies.ids[known.back().person], copies.values[known.back().value]);
  }
  const inv::Consequences consequences = inv::Deduce(copies.series, known);
  follows.contradiction = consequences.contradiction;
  follows.complete = consequences.complete;
  for (const inv::KnownValue& value : consequences.follow) {
    follows.follow.emplace_back(copies.ids[value.person], copies.values[value.value]);
  }
  return follows;
}

// The promise in the table of reports. Who is in which group no file tells.
void AddInvariance(const InvarianceFindings& found, contract::AuditReport& audit) {
  using Number = contract::PromiseKept::Number;
  const auto asked = [](std::uint64_t number) { return static_cast<double>(number); };
  const bool open = found.decided && found.decided->open > 0;
  audit.promises.push_back({"m", asked(found.m), asked(found.least_values),
                            found.least_values >= found.m && !open, contract::Basis::kHolder});
  if (found.e == 1) return;  // promises nothing
  const bool none = !found.lower && !found.upper;
  const double least = none ? asked(found.e) : asked(found.lower.value_or(0));
  audit.promises.push_back(
      {"e", asked(found.e), least, least >= asked(found.e), contract::Basis::kRule,
       found.lower && found.lower == found.upper ? Number::kExact : Number::kAtLeast});
}

void Conclude(InvarianceFindings found, contract::AuditReport& audit) {
  using Failure = contract::AuditReport::Failure;
  audit.failure = found.broken ? Failure::kBroken : Failure::kNotProven;
  audit.findings = contract::Findings::Of(std::move(found));
}

}  // namespace

Result<HolderCopies> ReadCopies(const binding::ReleaseColumns& columns,
                                const std::vector<std::string>& files, binding::Context& context) {
  CopiesReader reader(columns, context);
  for (const std::string& file : files) REISSUE_TRY(reader.Add(file));
  HolderCopies copies = reader.Take();
  REISSUE_TRY(inv::Validate(copies.series));
  return copies;
}

Result<contract::AuditReport> AuditCopies(const HolderCopies& copies, const Promise& promise,
                                          std::size_t worst, const std::vector<std::string>& knows,
                                          binding::Context& context) {
  inv::AttackOptions options;
  options.m = promise.m;
  options.e = promise.e;
  options.worst = worst;
  const inv::Findings findings =
      inv::Attack(copies.series, options, context.pool, context.progress);
  contract::AuditReport audit;
  audit.model = promise.model;
  audit.satisfied = findings.kept;
  for (const HolderCopies::File& file : copies.files) {
    audit.releases.push_back({file.file, file.rows, file.groups, 0, file.digest});
  }
  audit.rows = copies.files.back().rows;
  audit.cells = copies.files.back().groups;
  InvarianceFindings found;
  found.m = promise.m;
  found.e = promise.e;
  found.broken = findings.broken;
  found.least_values = findings.least_values;
  found.certain = findings.certain;
  const inv::Decided& decided = findings.decided;
  found.decided = {decided.permuted, decided.tried, decided.bounded, decided.open, decided.weighed};
  found.exposed_by_association = findings.exposed_by_association;
  found.exposed_by_equivalence = findings.exposed_by_equivalence;
  found.exposed_complete = findings.exposed_complete;
  audit.exposed = std::max(found.exposed_by_association, found.exposed_by_equivalence);
  audit.exposure.value_certain = {findings.certain, findings.certain + findings.perhaps_certain};
  found.lower = findings.lower;
  found.upper = findings.upper;
  found.buckets = findings.histories.size();
  found.counterfeits = findings.counterfeits;
  found.changed_values = copies.changed_values;
  for (const inv::Association& person : findings.fewest) {
    found.fewest.push_back({copies.ids[person.person], SortedNames(person.values, copies.values)});
  }
  for (const inv::HistoryFinding& history : findings.histories) {
    if (!history.found || found.equalities.size() == worst) continue;
    const inv::EqualityFound& equality = *history.found;
    FoundEquality& entry = found.equalities.emplace_back();
    entry.bucket = SortedNames(equality.bucket, copies.values);
    entry.left = NamesFrom(equality.left, copies.ids);
    entry.right = NamesFrom(equality.right, copies.ids);
    entry.size = equality.size;
    for (const std::uint32_t release : equality.releases) entry.releases.push_back(release + 1);
  }
  AddInvariance(found, audit);
  if (!knows.empty()) found.follows = REISSUE_TRY(FollowKnown(copies, knows));
  Conclude(std::move(found), audit);
  return audit;
}

contract::AuditReport AuditState(const SeriesState& remembered, const Promise& promise) {
  contract::AuditReport audit;
  audit.model = promise.model;
  InvarianceFindings found;
  found.m = promise.m;
  found.e = promise.e;
  found.from_vault = true;
  found.counterfeits = remembered.per_release;
  found.buckets = remembered.state.buckets.size();
  found.lower = promise.e;
  for (const inv::Bucket& bucket : remembered.state.buckets) {
    const std::uint64_t values = bucket.signature.size();
    if (&bucket == &remembered.state.buckets[0] || values < found.least_values) {
      found.least_values = values;
    }
    if (bucket.merged && bucket.returned > inv::kReturnSlack) ++found.unknown_buckets;
    if (promise.e == 1) continue;
    if (!bucket.merged && !bucket.history.returns.empty() &&
        !inv::HoldsInWorlds(bucket.history, values, promise.e).value_or(true)) {
      found.lower = 1;
      continue;
    }
    if (inv::Holds(bucket.history, values, promise.e)) continue;
    // Where people have returned, only exact bounds tell.
    const inv::LeastEquality least = inv::Least(bucket.history);
    if (!least.lower && !least.upper) continue;
    found.lower = std::min(*found.lower, least.lower.value_or(0));
    if (least.upper && *least.upper < promise.e) {
      found.broken = true;
      found.upper = std::min(found.upper.value_or(*least.upper), *least.upper);
    }
  }
  found.broken = found.broken || (found.buckets > 0 && found.least_values < promise.m);
  AddInvariance(found, audit);
  audit.satisfied = !found.broken && *found.lower >= promise.e && found.unknown_buckets == 0;
  // Of buckets whose history is not known, or in which equalities may be proven, a vault does not
  // tell whose values are certain; neither does it say that nobody's are.
  if (audit.satisfied && (found.buckets == 0 || found.least_values > 1)) {
    audit.exposure.value_certain = contract::Exposure::Exactly(0);
  }
  Conclude(std::move(found), audit);
  return audit;
}

Result<contract::AuditReport> AuditVault(ledger::Vault& vault, const Promise& promise) {
  const SeriesState remembered = REISSUE_TRY(LoadSeriesState(vault));
  contract::AuditReport audit = AuditState(remembered, promise);
  const auto history = REISSUE_TRY(vault.History());
  for (const ledger::ReleaseRecord& record : history) {
    audit.releases.push_back({record.target, record.rows, 0, 0, record.digest});
  }
  return audit;
}

}  // namespace reissue::models::invariance::service
