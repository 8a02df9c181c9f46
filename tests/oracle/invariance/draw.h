#pragma once
// Random tiny series of releases. For tests only.

#include <cstdint>

#include "published.h"
#include "reissue/core/random.h"

namespace oracle::invariance {

struct Shape {
  int values = 2;        // of a bucket
  int releases = 4;      // at most
  int rows = 2;          // per value and release, at most
  double leave = 0.4;    // chance per person and release
  double come_back = 0;  // chance that a row is filled by somebody who was there before
  double empty = 0.1;    // chance that the bucket is empty in a release
  bool exactly = false;  // so many releases
};

// One bucket, one group per release. Groups without rows are left out.
Published DrawBucket(const Shape& shape, reissue::Random& random);

// Several buckets with overlapping value sets, one group each per release.
Published DrawBuckets(const Shape& shape, int buckets, reissue::Random& random);

// The groups of every release split at random into groups with all values equally often.
Published SplitFinely(const Published& buckets, reissue::Random& random);

// Anybody in any group with any value.
Published DrawAny(int people, int values, int releases, reissue::Random& random);

bool Chance(double chance, reissue::Random& random);

}  // namespace oracle::invariance
