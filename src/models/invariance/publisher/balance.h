#pragma once
// How many rows per value a bucket needs so that everybody who has to be in it fits, and so that
// nothing follows from how it changed.

#include <cstdint>
#include <vector>

#include "reissue/models/invariance/publisher/publish.h"

namespace reissue::models::invariance::internal {

// One bucket while the next release is made. Vectors are per value of the signature.
struct Work {
  std::vector<std::uint32_t> values;        // numbers of the values, see ValueNumbers
  std::vector<std::uint64_t> people;        // who are in it already: they stayed, or came back
  std::vector<std::uint64_t> fakes;         // counterfeits of the last release
  std::vector<std::uint32_t> counterfeits;  // the same, as members
  std::uint64_t left = 0, back = 0;         // people
  std::uint64_t rows = 0;                   // per value; decided
  bool still = false;  // decided: the bucket is shown as it was, with its counterfeits
  bool topped_up = false;

  std::size_t size() const { return values.size(); }
  std::uint64_t people_in_all() const;
  std::uint64_t most_people() const;
  bool moved() const { return left + back > 0; }  // people came back or left
  // Rows to be filled, if no counterfeit stays.
  std::uint64_t open(std::uint64_t rows_per_value) const {
    return size() * rows_per_value - people_in_all();
  }
};

// Says whether a bucket may change as intended.
class Judge {
 public:
  Judge(const PublishOptions& options, Moment now) : options_(options), now_(now) {}

  // `history` has everybody who left or came back in this release, but not the `arrivals`, who are
  // there for the first time. Somebody did leave, come back or arrive.
  bool Safe(const Bucket& bucket, const History& history, std::uint64_t arrivals) const;
  bool everything_is_safe() const {
    return options_.rule == Rule::kPlain || (options_.e == 1 && options_.rule == Rule::kExact);
  }
  // The bucket's history after all these counterfeits are gone.
  History Without(const Bucket& bucket, const std::vector<Member>& members,
                  const std::vector<std::uint32_t>& counterfeits) const;
  // With `rows` per value and none of the old counterfeits. `gone`: the history without them.
  bool SafeAfresh(const Bucket& bucket, const Work& work, const History& gone,
                  std::uint64_t rows) const;
  // Decides `rows`, `still` and `topped_up`: the fewest rows, whoever the newcomers are. (An old
  // counterfeit that is replaced makes no cut smaller, so what can be done at all can be done by
  // replacing all of them; only a bucket in which nothing moves may need them to stay.)
  void Settle(const Bucket& bucket, const std::vector<Member>& members, Work& work) const;

 private:
  // By adding and subtracting groups; `after` has the arrivals.
  bool SafeByWeights(const Bucket& bucket, const History& after, std::uint64_t arrivals) const;

  PublishOptions options_;
  Moment now_;
};

}  // namespace reissue::models::invariance::internal
