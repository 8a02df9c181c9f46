#pragma once
// What the reader of the promise is certain of, whatever was promised.

#include <cstdint>
#include <span>
#include <vector>

#include "reissue/contract/reports.h"
#include "reissue/models/similarity/adversary/reader.h"
#include "reissue/models/similarity/release/knowledge.h"
#include "reissue/models/similarity/release/series.h"

namespace reissue::models::similarity::service {

// Of people whose values she was told nothing is counted.
class CertainPeople {
 public:
  explicit CertainPeople(std::uint32_t persons) : alone_(persons, 0), certain_(persons, 0) {}

  // She sees the next release; `statements` are those about it.
  void See(const similarity::Snapshot& snapshot, std::span<const similarity::Statement> statements,
           const similarity::Beliefs& beliefs);

  contract::Exposure Report() const;

 private:
  std::vector<char> alone_, certain_;  // per person
};

}  // namespace reissue::models::similarity::service
