#pragma once
// The next release of an evolving table: groups in which a reader's beliefs are alike (J-similarity
// of Amiri et al., Transactions on Data Privacy 12, 2019), near to one another in their
// quasi-identifiers.
//
// Postcondition: every group keeps the guarantee (unless Leftover::kRelax had to relax it: then the
// one that Outcome::relaxed names) with the beliefs before the release and the values shown; with
// `limits`, the reader neither believes nor gains more than allowed in any group.

#include <cstdint>
#include <optional>
#include <vector>

#include "reissue/core/parallel.h"
#include "reissue/core/result.h"
#include "reissue/models/similarity/adversary/reader.h"
#include "reissue/models/similarity/release/points.h"
#include "reissue/models/similarity/release/series.h"

namespace reissue::models::similarity {

enum class Algorithm {
  kReissue,   // ours: never a larger certainty penalty than the others
  kBkaa,      // Algorithm 1: nearest point next, groups closed as soon as they keep the guarantee
  kJsReduce,  // Riboni, Pareschi, Bettini: the same along a Hilbert curve
};

// What becomes of rows that fit into no group.
enum class Leftover {
  kSuppress,     // they are left out
  kRelax,        // they join the group where the guarantee suffers least
  kCounterfeit,  // they join a group with another value than their own
};

// A table before its release. Beliefs are those of the reader before she sees it
// (Reader::Before), each distinct one once.
struct Table {
  Points points;
  std::vector<Value> value;           // per row, the true one
  std::vector<std::uint32_t> belief;  // per row, into `beliefs`
  std::vector<Distribution> beliefs;  // over `values` values
  std::uint32_t values = 0;
};

// The reader against whom groups are repaired after they were formed; kBayes: whichever of several
// best assignments she takes for the likeliest.
struct ReaderLimits {
  ReaderOptions reader;
  Bounds bounds;
  // Statements about rows of this table; `person` is the row's number here. People who are certain
  // are not counted; the others are, with what follows for them.
  std::vector<Statement> statements;
};

struct PublishOptions {
  Guarantee guarantee;
  Algorithm algorithm = Algorithm::kReissue;
  Leftover leftover = Leftover::kSuppress;
  std::optional<ReaderLimits> limits = std::nullopt;
  std::uint64_t seed = 0;
  std::uint64_t effort = 4;  // kReissue: rounds of improvement at most
};

struct Outcome {
  std::vector<std::uint32_t> group;  // per row; kSuppressed: left out
  std::vector<Value> shown;          // per row: the value in the release
  std::uint32_t groups = 0;
  std::uint64_t suppressed = 0, counterfeit = 0;
  std::uint64_t repaired = 0;        // groups that were changed because of the reader
  std::optional<Guarantee> relaxed;  // what all groups keep, where that is less than asked for
  double penalty = 0;                // CertaintyPenalty
};

// The same for any number of threads. Errors: kUsage for a guarantee that makes no sense (k < 1, j
// outside [0, 1], negative beta or t, max_belief or max_gain outside (0, 1]); kInput where sizes do
// not fit; kPromise where no group was found, although there are rows.
// O(rows log rows) where places are spread.
Result<Outcome> Publish(const Table& table, const PublishOptions& options, ThreadPool& pool);

// Orders of the rows that the first two algorithms go through.
std::vector<std::uint32_t> NearestPointNext(const Points& points);
std::vector<std::uint32_t> HilbertOrder(const Points& points);

// Of groups as published, the worst of each; `shown` values against those of all rows shown.
Shape ShapeOf(const Table& table, const Outcome& outcome, bool ordered);

}  // namespace reissue::models::similarity
