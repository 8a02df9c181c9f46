#pragma once
// Random small tables, the oracle's and the product's side by side. For tests only.

#include <string>

#include "places.h"
#include "reissue/core/random.h"
#include "reissue/models/similarity/publisher/publish.h"

namespace oracle::similarity {

namespace model = reissue::models::similarity;

struct TableShape {
  std::size_t rows = 20;
  int columns = 2, values = 3, beliefs = 3;
  double spread = 1;   // of beliefs: 0: all alike
  double twins = 0.3;  // chance that a row stands where another one does
  bool numbers_only = false, whole = false;
};

struct Drawn {
  Rows rows;
  model::Table table;
};
Drawn DrawTable(const TableShape& shape, reissue::Random& random);

struct Promise {
  Asked asked;
  model::Guarantee guarantee;
};
Promise DrawPromise(reissue::Random& random);

Groups GroupsOf(const model::Outcome& outcome);
// Groups numbered from 0 without gaps.
model::Outcome OutcomeOf(const Groups& groups);
// What the outcome is to keep: what was asked for, or what it was relaxed to.
Asked KeptBy(const model::Outcome& outcome, const Asked& asked);
std::string Describe(const Drawn& drawn, const Promise& promise, const Groups& groups);

}  // namespace oracle::similarity
