#pragma once
// What the vault remembers of a changing series, sealed: buckets with their
// histories, who is in which bucket since when (keyed hashes, never identifiers), and how
// counterfeits look. Who has left is in pieces of their own (invariance_gone.h).
// docs/formats/vault.md has the format.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reissue/binding/grouped/table.h"
#include "reissue/core/result.h"
#include "reissue/ledger/vault.h"
#include "reissue/models/invariance/publisher/publish.h"

namespace reissue::models::invariance::service {

// How a counterfeit looks for as long as it is shown.
struct Counterfeit {
  std::uint32_t member = 0;      // index into State::members
  std::uint64_t number = 0;      // its name in holder's copies, from 1
  std::vector<std::string> row;  // a text per shown column
};

// Somebody who is there, and how: counterfeits change as they do.
struct Guide {
  std::uint32_t member = 0;  // index into State::members
  std::vector<std::string> row;
};

struct SeriesState {
  models::invariance::State state;
  std::vector<ledger::PersonKey> keys;      // per member; all zero: a counterfeit
  std::vector<binding::ValueTexts> values;  // by models::invariance::Value
  std::vector<Counterfeit> counterfeits;    // shown in the last release; by member
  std::uint64_t counterfeits_so_far = 0;    // ever made
  std::vector<std::uint64_t> per_release;   // counterfeits shown
  std::vector<Guide> guides;                // a few
  std::vector<std::uint64_t> gone;          // sizes of the pieces of who has left; oldest first

  // Members have new indices (kNewcomer: none); keys and counterfeits follow.
  void Follow(const std::vector<std::uint32_t>& to);

  static constexpr char kSecret[] = "changing";
};

// Values have so many texts, and looks so many columns, as the table has now.
bool Fits(const SeriesState& remembered, const binding::GroupedTable& table);
// Of the newest release; empty where there is none.
Result<SeriesState> LoadSeriesState(ledger::Vault& vault);
std::string Save(const SeriesState& remembered);
// The error for a state that makes no sense.
Error SenselessSeries();
// kMachine where the bytes make no sense.
Result<SeriesState> ParseSeriesState(std::string_view bytes);

}  // namespace reissue::models::invariance::service
