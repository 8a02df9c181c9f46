#include "reissue/engine/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>

#include "reissue/binding/rows.h"
#include "reissue/engine/catalog.h"
#include "reissue/engine/raw_tables.h"
#include "reissue/taxonomy/draft.h"
#include "reissue/taxonomy/numbers.h"

namespace reissue::engine {
namespace {

using advice::Profile;

// What the policy calls missing is no value.
void TakeMarkers(const std::vector<std::string>& markers, Profile& profile) {
  for (const std::string& marker : markers) {
    const auto found = std::lower_bound(profile.values.begin(), profile.values.end(), marker);
    if (found == profile.values.end() || *found != marker) continue;
    const auto at = found - profile.values.begin();
    profile.marked += profile.counts[static_cast<std::size_t>(at)];
    profile.values.erase(found);
    profile.counts.erase(profile.counts.begin() + at);
  }
}

class Binning {
 public:
  explicit Binning(const Profile& profile) : profile_(profile) {}

  Distribution Run() {
    distribution_.numbers = profile_.numeric;
    if (!profile_.numeric) {
      MostFrequent();
    } else if (profile_.values.size() <= kMostBins || !Ranges()) {
      MostFrequent();
      SortByNumber();
    }
    return std::move(distribution_);
  }

 private:
  void Put(const std::string& label, std::uint64_t rows, std::uint64_t values) {
    if (distribution_.bins.size() < kMostBins && (rows == 0 || rows >= kFewRows)) {
      distribution_.bins.push_back({label, rows});
    } else {
      distribution_.other_values += values;
      distribution_.other_rows += rows;
    }
  }

  void MostFrequent() {
    std::vector<std::size_t> order(profile_.values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto first =
        order.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(kMostBins, order.size()));
    std::partial_sort(order.begin(), first, order.end(), [this](std::size_t a, std::size_t b) {
      return std::pair(profile_.counts[b], a) < std::pair(profile_.counts[a], b);
    });
    for (const std::size_t v : order) Put(profile_.values[v], profile_.counts[v], 1);
  }

  void SortByNumber() {
    std::stable_sort(distribution_.bins.begin(), distribution_.bins.end(),
                     [](const Distribution::Bin& a, const Distribution::Bin& b) {
                       return taxonomy::ParseNumber(a.label).value_or(0) <
                              taxonomy::ParseNumber(b.label).value_or(0);
                     });
  }

  // False where no round ranges fit.
  bool Ranges() {
    std::vector<double> ends = taxonomy::RoundBreakpoints(profile_.Numbers());
    if (ends.size() < 2 || ends.front() > profile_.low || ends.back() <= profile_.high) {
      return false;
    }
    while (ends.size() - 1 > kMostBins) {  // every second one goes
      std::vector<double> wider;
      for (std::size_t i = 0; i < ends.size(); i += 2) wider.push_back(ends[i]);
      if (ends.size() % 2 == 0) wider.push_back(ends.back());
      ends = std::move(wider);
    }
    std::vector<std::uint64_t> rows(ends.size() - 1), values(ends.size() - 1);
    for (std::size_t v = 0; v < profile_.values.size(); ++v) {
      const double number = taxonomy::ParseNumber(profile_.values[v]).value_or(0);
      const auto after = std::upper_bound(ends.begin(), ends.end(), number);
      const auto bin = static_cast<std::size_t>(after - ends.begin()) - 1;
      rows[bin] += profile_.counts[v];
      ++values[bin];
    }
    for (std::size_t bin = 0; bin < rows.size(); ++bin) {  // without what is empty at either end
      if (rows[bin] == 0 && distribution_.bins.empty()) continue;
      Put(taxonomy::RangeLabel(ends[bin], ends[bin + 1]), rows[bin], values[bin]);
    }
    std::vector<Distribution::Bin>& bins = distribution_.bins;
    while (!bins.empty() && bins.back().rows == 0) bins.pop_back();
    return true;
  }

  const Profile& profile_;
  Distribution distribution_;
};

std::string TypeOf(const Profile& profile, const advice::ColumnAdvice& advised) {
  if (profile.values.empty()) return "empty";
  if (profile.whole) return "whole";
  if (profile.numeric) return "number";
  const bool dates = advised.draft && advised.draft->kind == taxonomy::DraftKind::kDates;
  return dates ? "date" : "text";
}

// What the policy says of a column; nothing where it says nothing.
void FollowPolicy(const io::Policy& policy, DescribedColumn& column) {
  const io::PolicyColumn* const named = policy.Find(column.name);
  if (named == nullptr && !policy.drops_others) return;
  column.role = named == nullptr ? io::Role::kDrop : named->role;
  column.sure = true;
  column.reason = named == nullptr ? "the policy drops columns that it does not name"
                                   : fmt::format("the policy says so, on line {}", named->line);
}

Result<RawTables> ReadAsPolicy(const io::Policy& policy, const std::string& table,
                               binding::Context& context) {
  REISSUE_TRY(FollowSource(policy, context));
  io::CsvOptions csv = policy.csv;
  csv.digest = false;
  csv.on_missing = io::OnMissing::kValue;
  io::CsvFile file = REISSUE_TRY(binding::ReadRows(table, csv, context));
  RawTables raw;
  raw.paths = {table};
  raw.csv = policy.csv;
  raw.tables.push_back(std::move(file.table));
  return raw;
}

}  // namespace

Result<DescribeReport> Describe(const std::string& table, const std::string& policy_path,
                                binding::Context& context) {
  std::optional<io::Policy> policy;
  RawTables raw;
  if (policy_path.empty()) {
    raw = REISSUE_TRY(ReadRawTables({table}, context));
  } else {
    policy = REISSUE_TRY(io::ReadPolicyAlone(context.files, policy_path));
    raw = REISSUE_TRY(ReadAsPolicy(*policy, table, context));
  }
  DescribeReport report;
  report.table = table;
  report.rows = raw.tables[0].rows();
  report.written = raw.reasons;
  context.progress.Begin("looking at columns", 0);
  const std::vector<Column>& columns = raw.tables[0].columns();
  std::vector<Profile> profiles(columns.size());
  context.pool.Run(columns.size(), [&](std::size_t i) {
    const Column* const column = &columns[i];
    profiles[i] = advice::ProfileOf(std::span(&column, 1));
    if (policy) TakeMarkers(policy->csv.missing_markers, profiles[i]);
  });
  const advice::TableAdvice advised = advice::AdviseRoles(profiles);
  report.notes = advised.notes;
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    const Profile& profile = profiles[i];
    const advice::ColumnAdvice& advice = advised.columns[i];
    DescribedColumn column{profile.name,          TypeOf(profile, advice),
                           profile.values.size(), profile.empty + profile.marked,
                           advice.role,           advice.sure,
                           advice.reason,         Binning(profile).Run()};
    if (policy) FollowPolicy(*policy, column);
    report.columns.push_back(std::move(column));
  }
  return report;
}

}  // namespace reissue::engine
