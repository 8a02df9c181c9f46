#pragma once
// What the columns of a table may be: a first guess for a person to correct, with the reason for
// each. What is not sure is said. Reasons and notes name no value of a table. Pure functions.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reissue/advice/profile.h"
#include "reissue/io/policy.h"
#include "reissue/taxonomy/draft.h"

namespace reissue::advice {

struct ColumnAdvice {
  std::string name;
  io::Role role = io::Role::kDrop;
  bool sure = true;
  std::string reason;
  // How a quasi-identifier is generalised: by one of these.
  std::optional<taxonomy::Draft> draft;  // a taxonomy
  std::vector<double> breakpoints;       // of a numeric column
  bool numeric = false;                  // a sensitive column of numbers
};

struct TableAdvice {
  std::vector<ColumnAdvice> columns;  // in the order of the profiles
  // What a policy says of missing values: fields that mean missing, and what becomes of them.
  io::OnMissing on_missing = io::OnMissing::kError;
  std::vector<std::string> missing_markers;
  std::uint64_t fields_with_marks = 0;  // that stay values of their own
  std::vector<std::string> marks;       // those
  std::vector<std::string> notes;       // for people; one sentence or two each

  const ColumnAdvice* Find(std::string_view name) const;
  std::vector<std::string> Names(io::Role role) const;
};

struct RolesWanted {
  std::vector<std::string> identifiers;  // that tell people apart, if it is known
  bool sensitive = false;                // the model needs a sensitive column
  bool trees = false;                    // numbers need taxonomies, for readers join on them
  std::vector<std::string> taken;        // names that releases have themselves
};

// `profiles`: of all columns, in file order.
TableAdvice AdviseRoles(const std::vector<Profile>& profiles, const RolesWanted& wanted = {});

// More quasi-identifiers than these leave little of each other.
inline constexpr std::size_t kManyQuasi = 15;

}  // namespace reissue::advice
