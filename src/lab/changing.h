#pragma once
// A stream of tables published again and again by the publisher of m-invariance, in memory, and
// what readers see of it in several forms. Used by the experiments on equivalence.

#include <cstdint>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/lab/census.h"
#include "reissue/metrics/queries.h"
#include "reissue/models/invariance/publisher/publish.h"
#include "reissue/models/invariance/release/series.h"
#include "reissue/simulate/updates.h"

namespace reissue::lab {

// One row that was published: a person or a counterfeit.
struct ShownRow {
  models::invariance::Person person = 0;
  std::uint32_t bucket = 0;
  models::invariance::Value value = 0;
  std::uint32_t record = 0;  // of the census table; a counterfeit's is that of somebody else
};

struct ChangingRun {
  std::vector<std::uint64_t> counterfeits;      // per release
  std::vector<std::uint64_t> new_counterfeits;  // of them, not shown before
  std::vector<double> seconds;                  // per release, of one processor
  std::uint64_t buckets = 0;                    // in the end
  // Only where rows are kept.
  std::vector<std::vector<ShownRow>> releases;
  std::vector<bool> counterfeit;  // per person
};

// Publishes all tables of the stream. Errors: as Publish.
Result<ChangingRun> RunChanging(const CensusTable& table, const simulate::UpdateStream& stream,
                                const models::invariance::PublishOptions& options, bool keep_rows);

enum class Form { kBuckets, kPartitions };  // merged buckets, or fine partitions

// The groups of the first `releases` releases of a run with rows.
models::invariance::Series SeriesOf(const CensusTable& table, const ChangingRun& run, Form form,
                                    std::size_t releases);

// The newest release of a run with rows, to be asked. Exact: as Anatomy shows it; else everybody
// has the ranges of the group.
metrics::CodedRelease LatestRelease(const CensusTable& table, const ChangingRun& run, Form form,
                                    bool exact);
// The rows of a table of the stream.
metrics::CodedTable TableOf(const CensusTable& table, const simulate::UpdateStream& stream,
                            std::size_t number);

}  // namespace reissue::lab
