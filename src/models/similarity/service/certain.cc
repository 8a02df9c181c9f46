#include "reissue/models/similarity/service/certain.h"

#include <algorithm>

namespace reissue::models::similarity::service {
namespace {

// As near to 1 as makes no difference.
constexpr double kCertain = 1 - 1e-9;

}  // namespace

void CertainPeople::See(const similarity::Snapshot& snapshot,
                        std::span<const similarity::Statement> statements,
                        const similarity::Beliefs& beliefs) {
  std::vector<char> told(alone_.size(), 0);
  for (const similarity::Statement& statement : statements) {
    told[statement.person] |= statement.confidence >= 1;
  }
  std::vector<std::uint64_t> size(snapshot.groups, 0);
  for (const similarity::Row& row : snapshot.rows) {
    if (row.group != similarity::kSuppressed) ++size[row.group];
  }
  for (std::size_t i = 0; i < snapshot.rows.size(); ++i) {
    const similarity::Row& row = snapshot.rows[i];
    if (row.group == similarity::kSuppressed) continue;
    alone_[row.person] |= size[row.group] == 1;
    const double strongest = *std::ranges::max_element(beliefs.posterior[i]);
    certain_[row.person] |= !told[row.person] && strongest > kCertain;
  }
}

contract::Exposure CertainPeople::Report() const {
  const auto number = [](const std::vector<char>& people) {
    return contract::Exposure::Exactly(static_cast<std::uint64_t>(std::ranges::count(people, 1)));
  };
  contract::Exposure exposure;
  exposure.singled_out = number(alone_);
  exposure.value_certain = number(certain_);
  return exposure;
}

}  // namespace reissue::models::similarity::service
