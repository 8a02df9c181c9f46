#pragma once
// The next release of a changing table: who goes into which bucket, and which counterfeits are
// needed (division, balancing, assignment of Xiao and Tao, SIGMOD 2007; equivalence of He, Barman
// and Naughton, ICDE 2011). Knows values, not quasi-identifiers. Mathematics in docs/design/0004.
//
// Postconditions of every release: each bucket has every value of its signature (at least m)
// equally often; everybody keeps the bucket for as long as the state remembers them; no equality of
// fewer than e people can be proven within a bucket history, hence (e <= m) at all.

#include <cstdint>
#include <span>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/models/invariance/adversary/history.h"
#include "reissue/models/invariance/release/series.h"

namespace reissue::models::invariance {

enum class Rule {
  kExact,  // ours
  kPaper,  // Algorithms 2 and 3: all old counterfeits go, min-cut > 2(e - 1) also for a first
           // snapshot, m rows at a time
  kPlain,  // m-invariance alone, whatever e
};

// m, e and the rule are the same for a whole series.
struct PublishOptions {
  std::uint64_t m = 2, e = 1;  // 1 <= e <= m
  Rule rule = Rule::kExact;
  std::uint64_t seed = 0;
  bool compact = true;  // merge moments; changes no decision while nobody returns
};

inline constexpr std::uint32_t kNewcomer = 0xffffffffu;
inline constexpr std::uint32_t kOneStay = 0xffffffffu;

// Merged moments stay equal until more than so many people of a bucket have come back.
inline constexpr std::uint64_t kReturnSlack = 16;

// What is remembered of somebody (or of a counterfeit).
struct Member {
  std::uint32_t bucket = 0;
  Value value = 0;
  Moment came = 0, left = kStillThere;  // of the last stay; renumbered when moments are merged
  // All stays of somebody who has come back: an index into the bucket's history.returns.
  std::uint32_t stays = kOneStay;
  bool counterfeit = false;
  auto operator<=>(const Member&) const = default;
};

struct Bucket {
  std::vector<Value> signature;  // ascending
  History history;               // compacted; stays are aggregated
  bool merged = false;           // moments have been merged
  // People who came back since then, and more where many moments had to be merged. Beyond
  // kReturnSlack the history is given up (it is empty), and from then on whoever joins or leaves
  // needs e first-time arrivals beside them.
  std::uint64_t returned = 0;
};

// departed.h takes people out who have left.
struct State {
  Moment release = 0;           // releases so far
  std::vector<Bucket> buckets;  // no two with the same signature
  std::vector<Member> members;  // everybody ever seen, less who was taken out
};

// A moment that has become another one, in the history of a bucket.
struct MergedMoment {
  std::uint32_t bucket = 0;
  Moment from = 0, to = 0;
  auto operator<=>(const MergedMoment&) const = default;
};

// Drops counterfeits that are gone (they never return; the histories keep what they did). Returns
// the new index of every member, kNewcomer for those that were dropped.
std::vector<std::uint32_t> Forget(State& state);

// One row of the table of today. `member`: index into State::members (with the same value), or
// kNewcomer. No member twice.
struct Present {
  std::uint32_t member = kNewcomer;
  Value value = 0;
};

struct Plan {
  std::vector<std::uint32_t> bucket;        // per row of today
  std::vector<std::uint32_t> member;        // per row: index into State::members after
  std::vector<std::uint32_t> counterfeits;  // members (after) shown in this release
  std::uint64_t kept_counterfeits = 0;      // of them, shown before
  std::uint64_t newcomers = 0, returned = 0, departed = 0;
  std::uint64_t buckets_topped_up = 0;  // got rows beyond balance because of e
  std::vector<MergedMoment> merged;     // by this release; all at once
  State state;                          // after this release
};

// Errors: kPromise where a value has more than 1/m of today's rows (`Eligibility` tells which) and
// one has more than 1/m of the newcomers: a table that has become one-sided because people left is
// published, with the counterfeits that it takes (Example 10 of the paper is one). kUsage unless
// 2 <= m and 1 <= e <= m; kInput where rows and members do not fit. An empty table is fine:
// everybody left. O(members + rows), and what the histories of the buckets take that change. A
// state that is moved in is not copied.
Result<Plan> Publish(State before, std::span<const Present> today, const PublishOptions& options);

struct Ineligible {
  std::vector<Value> values;    // more than 1/m of the rows each; most frequent first
  std::uint64_t largest_m = 0;  // that would work; 0 or 1: none
};
// Nothing in `values`: the rows are m-eligible.
Ineligible Eligibility(std::span<const Present> today, std::uint64_t m);

}  // namespace reissue::models::invariance
