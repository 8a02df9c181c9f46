#pragma once
// Tables of an evolving series: their quasi-identifiers as places, the order
// of their values, and the holder's copies of their releases.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/binding/grouped/release.h"
#include "reissue/binding/grouped/table.h"
#include "reissue/core/result.h"
#include "reissue/io/policy.h"
#include "reissue/models/similarity/publisher/publish.h"
#include "reissue/models/similarity/release/points.h"
#include "reissue/models/similarity/service/promise.h"

namespace reissue::models::similarity::service {

// Per quasi-identifier a column: numbers as they are, leaves by their rank in the taxonomy, other
// texts by the alphabet (all equally far from one another).
similarity::Points PlacesOfRows(const binding::GroupedTable& table);

// Where each value stands among all: of those declared, or of those there are.
struct ValueRanks {
  std::vector<similarity::Value> of;  // per value
  std::uint32_t values = 0;
};
// An error (kInput) where the order lacks a value. Unless `ordered`, values stay as they are.
Result<ValueRanks> RanksOf(std::span<const binding::ValueTexts> values,
                           const binding::ValueOrder& order, bool ordered);

// A release as its files show it: groups with fresh random numbers. `value`: per row, as shown.
binding::GroupedRelease ArrangeGroups(const binding::GroupedTable& table,
                                      std::vector<std::uint32_t> group,
                                      std::vector<std::uint32_t> value, Random& random);

// Holder's copies: the identifier, `group`, the quasi-identifiers as they are, and the true
// sensitive values; where values may be counterfeit also `shown`, what the release says instead.
// `left_out`: people who are not in the release are in the copy, without a group.
struct CopyContents {
  const binding::GroupedTable& table;
  const binding::GroupedRelease& release;
  const std::vector<binding::ValueTexts>& values;
  const std::vector<similarity::Value>& truth;  // per row
  bool with_shown = false, left_out = false;
};
Status WriteEvolvingCopy(const CopyContents& contents, const std::vector<std::string>& sensitive,
                         const std::string& path, binding::Context& context);

// One holder's copy, made by any tool.
struct EvolvingCopy {
  binding::GroupedTable table;  // sensitive values are the true ones
  // Per row, from 0: as numbered in the file, or where those are not 1, 2, …, by first appearance.
  // kNoGroup where the cell is empty.
  std::vector<std::uint32_t> group;
  std::uint32_t groups = 0;
  std::vector<std::string> shown;  // per row, several columns joined; empty: as it is
};
// Reads copies with the columns and taxonomies of a policy. Others that the policy names may be
// there, and are not looked at. Errors: a column that is missing, an identifier twice in a file.
class EvolvingCopies {
 public:
  explicit EvolvingCopies(const io::Policy& policy);
  Result<EvolvingCopy> Read(const std::string& path, binding::Context& context) const;

 private:
  io::Policy policy_;  // with the columns of copies; what is read points to it
};

}  // namespace reissue::models::similarity::service
