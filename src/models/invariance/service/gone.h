#pragma once
// People who have left a changing series. They lie in the vault in sealed
// pieces, oldest first, to which every release adds one: a release looks for the newcomers of its
// table in them, and writes little. Pieces of like size are made one, so there are few; large ones
// stay as they are. docs/formats/vault.md has the format.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/ledger/vault.h"
#include "reissue/models/invariance/publisher/departed.h"
#include "reissue/models/invariance/service/state.h"

namespace reissue::models::invariance::service {

// Who left in some releases that follow each other, in the moments of the last of them. Somebody
// who left, returned and left again is in it (or in several pieces) more than once: the last
// counts.
struct GonePiece {
  struct Kind {
    std::uint32_t bucket = 0;
    std::vector<std::pair<models::invariance::Moment, models::invariance::Moment>> stays;
    auto operator<=>(const Kind&) const = default;
  };
  struct Person {
    std::uint32_t kind = 0;  // of `kinds`
    models::invariance::Value value = 0;
  };
  std::vector<ledger::PersonKey> keys;                   // in the order in which they left
  std::vector<models::invariance::MergedMoment> merged;  // by these releases; all at once
  std::vector<Kind> kinds;
  std::vector<Person> people;  // per key

  std::uint64_t size() const { return keys.size() + merged.size(); }
};
std::string Save(const GonePiece& piece);
// kMachine where the bytes make no sense.
Result<GonePiece> ParseGone(std::string_view bytes);
// Two that follow each other as one; of an identity that is in both, the newer.
GonePiece Together(GonePiece older, const GonePiece& newer);

// The name of a piece, from 1.
std::string GoneSecret(std::size_t number);

// Pieces of more than this are not joined: it bounds what a release writes.
inline constexpr std::uint64_t kLargestJoined = 50'000;

// Takes who has left out of the state into a piece, and adds to `secrets` what the vault has to
// keep. `merged`: Plan::merged of this release.
using Secrets = std::vector<std::pair<std::string, std::string>>;
Status TakeOutGone(SeriesState& remembered,
                   const std::vector<models::invariance::MergedMoment>& merged,
                   ledger::Vault& vault, Secrets& secrets);

struct Sought {
  std::optional<models::invariance::Departed> person;  // with this value, in the state's moments
  std::optional<models::invariance::Value> last;       // with which they left last
};
// Looks for people with these values, one per key. O(people who have left), a few nanoseconds each.
Result<std::vector<Sought>> FindGone(std::span<const ledger::PersonKey> keys,
                                     std::span<const models::invariance::Value> values,
                                     const SeriesState& remembered, ledger::Vault& vault);

}  // namespace reissue::models::invariance::service
