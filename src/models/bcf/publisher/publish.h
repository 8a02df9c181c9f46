#pragma once
// Makes the next release of a growing table, so that all releases together keep the promise:
// Algorithm 1 of Fung, Wang, Fu and Pei (EDBT 2008) and the searches of models/k/publisher, with
// the earlier releases as a further condition. What is left to a target (see the README of the
// model) must keep the promise as if it were a cell: k, and diversity after exclusion
// (section 7.2).

#include "reissue/core/parallel.h"
#include "reissue/core/progress.h"
#include "reissue/core/result.h"
#include "reissue/models/bcf/release/ages.h"
#include "reissue/models/bcf/release/series.h"
#include "reissue/models/k/publisher/publish.h"
#include "reissue/models/k/release/guarantee.h"

namespace reissue::models::bcf {

// Whom to protect.
enum class Targets {
  kAny,   // whoever some world allows: what a reader sees
  kReal,  // the people of the table
};

// What decides about three and more releases. Two are exact either way.
enum class Adversary {
  kExact,     // all worlds; accepted is only what is proven kept
  kFormulas,  // the paper's section 7.1, k only: no proof of safety, for comparison
};

struct PublishOptions {
  k::PublishOptions search;  // suppression must be 0, except in PublishLocally
  Targets targets = Targets::kAny;
  Adversary adversary = Adversary::kExact;
  // The earlier releases keep the promise together, as was proven when the last one was made.
  bool earlier_kept = false;
  // Since when values are there, per column of the table but for the column of stars: the promise
  // is kept before readers who know that, too. Empty: nobody knows, or all have always been there.
  Ages ages;
};

// `table` is the whole table as it is now, with the taxonomies and sensitive codes of `earlier`
// (at least one release, oldest first). If its cells have origins, there are as many as releases
// (the new one included), and they are births: an origin is the release in which a row first
// appeared, from 0. Without births, targets = kReal protects every combination of the table as
// whichever birth the releases leave possible.
//
// The outcome keeps the guarantee by itself, against each earlier release, and (kExact) against all
// of them together, also before readers who know the ages. Deterministic for any number of threads.
//
// kInput: the table does not contain the rows of an earlier release, or its births contradict it.
// kPromise: no recoding will do, or none was found that does. Otherwise as k::Publish.
Result<k::Outcome> Publish(const k::LeafCells& table, const Series& earlier,
                           const k::Guarantee& guarantee, const PublishOptions& options,
                           ThreadPool& pool, Progress& progress);

}  // namespace reissue::models::bcf
