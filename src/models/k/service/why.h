#pragma once
// Why columns of a release are not finer, in the words of the policy, and what would make them so:
// every way out is tried by another search.

#include <functional>
#include <string>

#include "reissue/binding/load.h"
#include "reissue/contract/reports.h"
#include "reissue/core/result.h"
#include "reissue/models/k/publisher/publish.h"

namespace reissue::models::k::service {

// A release that might be made instead.
struct Trial {
  LeafCells leaves;
  PublishOptions options;
  bool local = false;
};
using TryOut = std::function<Result<Outcome>(Trial&)>;

struct Explained {
  const binding::HolderTable& holder;
  const LeafCells& leaves;
  const Guarantee& guarantee;
  const PublishOptions& options;
  bool local = false;
  bool grows = false;  // one of a series: nobody is left out, newcomers can be held back
  bool first = true;   // nothing is out yet, so the policy can still be changed
  bool tries = true;   // a release of other rows can be tried
};

// Why the outcome is not finer.
contract::Why WhyHidden(const Explained& explained, const Outcome& outcome, const TryOut& try_out);

// Where ceilings make a release impossible: what the loss would be without each.
contract::Why WithoutCeilings(const Explained& explained, const TryOut& try_out);

}  // namespace reissue::models::k::service
