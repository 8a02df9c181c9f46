#include "reissue/lab/changing.h"

#include <algorithm>
#include <ctime>
#include <map>
#include <utility>

#include "reissue/core/random.h"
#include "reissue/models/invariance/publisher/split.h"

namespace reissue::lab {
namespace {

namespace invariance = models::invariance;

// Of this thread: what else the machine does is not counted.
double ProcessorSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

constexpr std::uint32_t kNobody = 0xffffffffu;

// Carries everybody's number from release to release.
class Publishing {
 public:
  Publishing(const CensusTable& table, const simulate::UpdateStream& stream,
             const invariance::PublishOptions& options)
      : stream_(stream),
        options_(options),
        member_(table.rows.values.size(), invariance::kNewcomer),
        random_(Random::Seeded(DeriveSeed(options.seed, 7))) {}

  Status Next(std::size_t number, bool keep_rows, ChangingRun& run) {
    const std::vector<std::uint32_t>& records = stream_.tables[number];
    std::vector<invariance::Present> today;
    today.reserve(records.size());
    for (const std::uint32_t record : records) {
      today.push_back({member_[record], stream_.values[record]});
    }
    invariance::PublishOptions options = options_;
    options.seed = DeriveSeed(options_.seed, number);
    const double start = ProcessorSeconds();
    invariance::Plan plan = REISSUE_TRY(invariance::Publish(state_, today, options));
    run.seconds.push_back(ProcessorSeconds() - start);
    for (std::size_t i = 0; i < records.size(); ++i) member_[records[i]] = plan.member[i];
    state_ = std::move(plan.state);
    run.counterfeits.push_back(plan.counterfeits.size());
    run.new_counterfeits.push_back(plan.counterfeits.size() - plan.kept_counterfeits);
    run.buckets = state_.buckets.size();
    if (keep_rows) Keep(records, plan, run);
    return Ok();
  }

 private:
  void Keep(const std::vector<std::uint32_t>& records, const invariance::Plan& plan,
            ChangingRun& run) {
    std::vector<ShownRow> rows;
    std::vector<std::vector<std::uint32_t>> in_bucket(state_.buckets.size());
    for (std::size_t i = 0; i < records.size(); ++i) {
      rows.push_back({plan.member[i], plan.bucket[i], stream_.values[records[i]], records[i]});
      in_bucket[plan.bucket[i]].push_back(records[i]);
    }
    record_.resize(state_.members.size(), kNobody);
    run.counterfeit.resize(state_.members.size(), false);
    for (const std::uint32_t member : plan.counterfeits) {
      const invariance::Member& fake = state_.members[member];
      const auto& others = in_bucket[fake.bucket];
      if (record_[member] == kNobody) {
        record_[member] = others.empty() ? records[random_.Below(records.size())]
                                         : others[random_.Below(others.size())];
      }
      run.counterfeit[member] = true;
      rows.push_back({member, fake.bucket, fake.value, record_[member]});
    }
    run.releases.push_back(std::move(rows));
  }

  const simulate::UpdateStream& stream_;
  invariance::PublishOptions options_;
  invariance::State state_;
  std::vector<std::uint32_t> member_;  // per record
  std::vector<std::uint32_t> record_;  // per member that is a counterfeit
  Random random_;
};

struct Grouped {
  std::uint32_t groups = 0;
  std::vector<std::uint32_t> of_row;
};

Grouped ByBucket(const std::vector<ShownRow>& rows) {
  Grouped grouped;
  std::map<std::uint32_t, std::uint32_t> numbers;
  for (const ShownRow& row : rows) {
    const auto [at, fresh] = numbers.emplace(row.bucket, grouped.groups);
    if (fresh) ++grouped.groups;
    grouped.of_row.push_back(at->second);
  }
  return grouped;
}

Grouped ByPartition(const CensusTable& table, const std::vector<ShownRow>& rows) {
  const Grouped buckets = ByBucket(rows);
  std::vector<std::vector<std::uint32_t>> members(buckets.groups);
  for (std::uint32_t i = 0; i < rows.size(); ++i) members[buckets.of_row[i]].push_back(i);
  const std::size_t columns = table.rows.columns;
  Grouped grouped;
  grouped.of_row.resize(rows.size());
  for (const auto& bucket : members) {
    std::vector<double> coordinates;
    std::vector<invariance::Value> values;
    for (const std::uint32_t i : bucket) {
      values.push_back(rows[i].value);
      for (std::size_t c = 0; c < columns; ++c) {
        const double code = table.rows.codes[rows[i].record * columns + c];
        coordinates.push_back(code / std::max(1u, table.domain[c] - 1));
      }
    }
    const auto partition = invariance::Split(coordinates, columns, values);
    std::uint32_t most = 0;
    for (std::size_t j = 0; j < bucket.size(); ++j) {
      grouped.of_row[bucket[j]] = grouped.groups + partition[j];
      most = std::max(most, partition[j]);
    }
    grouped.groups += most + 1;
  }
  return grouped;
}

Grouped GroupedAs(const CensusTable& table, const std::vector<ShownRow>& rows, Form form) {
  return form == Form::kBuckets ? ByBucket(rows) : ByPartition(table, rows);
}

}  // namespace

Result<ChangingRun> RunChanging(const CensusTable& table, const simulate::UpdateStream& stream,
                                const invariance::PublishOptions& options, bool keep_rows) {
  ChangingRun run;
  Publishing publishing(table, stream, options);
  for (std::size_t i = 0; i < stream.tables.size(); ++i) {
    REISSUE_TRY(publishing.Next(i, keep_rows, run));
  }
  return run;
}

invariance::Series SeriesOf(const CensusTable& table, const ChangingRun& run, Form form,
                            std::size_t releases) {
  invariance::Series series;
  series.persons = static_cast<std::uint32_t>(run.counterfeit.size());
  series.values = table.value_count;
  series.counterfeit = run.counterfeit;
  for (std::size_t i = 0; i < releases; ++i) {
    const std::vector<ShownRow>& rows = run.releases[i];
    const Grouped grouped = GroupedAs(table, rows, form);
    invariance::Snapshot snapshot;
    snapshot.groups = grouped.groups;
    for (std::size_t j = 0; j < rows.size(); ++j) {
      snapshot.rows.push_back({rows[j].person, grouped.of_row[j], rows[j].value});
    }
    series.releases.push_back(std::move(snapshot));
  }
  return series;
}

metrics::CodedRelease LatestRelease(const CensusTable& table, const ChangingRun& run, Form form,
                                    bool exact) {
  const std::vector<ShownRow>& rows = run.releases.back();
  const std::size_t columns = table.rows.columns;
  metrics::CodedRelease release;
  release.labels.resize(columns);
  std::vector<std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>> label_of(columns);
  Grouped grouped = GroupedAs(table, rows, form);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> counts;
  std::vector<std::uint32_t> lo(grouped.groups * columns, ~0u), hi(grouped.groups * columns, 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ++counts[{grouped.of_row[i], rows[i].value}];
    for (std::size_t c = 0; c < columns; ++c) {
      const std::uint32_t code = table.rows.codes[rows[i].record * columns + c];
      const std::size_t at = grouped.of_row[i] * columns + c;
      lo[at] = std::min(lo[at], code);
      hi[at] = std::max(hi[at], code);
    }
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t c = 0; c < columns; ++c) {
      const std::uint32_t code = table.rows.codes[rows[i].record * columns + c];
      const std::size_t at = grouped.of_row[i] * columns + c;
      const std::pair ends(exact ? code : lo[at], exact ? code : hi[at]);
      const auto [label, fresh] =
          label_of[c].emplace(ends, static_cast<std::uint32_t>(label_of[c].size()));
      if (fresh) release.labels[c].push_back({{ends.first, ends.second}});
      release.shown.push_back(label->second);
    }
    release.rows.push_back(1);
  }
  for (const auto& [key, count] : counts) release.counts.push_back({key.first, key.second, count});
  release.group = std::move(grouped.of_row);
  return release;
}

metrics::CodedTable TableOf(const CensusTable& table, const simulate::UpdateStream& stream,
                            std::size_t number) {
  metrics::CodedTable rows;
  rows.columns = table.rows.columns;
  for (const std::uint32_t record : stream.tables[number]) {
    const auto from = table.rows.codes.begin() + static_cast<std::ptrdiff_t>(record * rows.columns);
    rows.codes.insert(rows.codes.end(), from, from + static_cast<std::ptrdiff_t>(rows.columns));
    rows.values.push_back(stream.values[record]);
  }
  return rows;
}

}  // namespace reissue::lab
