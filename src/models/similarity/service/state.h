#pragma once
// What a vault keeps of an evolving series, sealed: keyed hashes of the
// people, what the reader believes of each, what she has learned, and every release as who was in
// which group with which value. Never a row, never an identifier.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "reissue/core/parallel.h"
#include "reissue/core/result.h"
#include "reissue/ledger/vault.h"
#include "reissue/models/similarity/adversary/reader.h"
#include "reissue/models/similarity/release/knowledge.h"
#include "reissue/models/similarity/release/series.h"

namespace reissue::models::similarity::service {

using BeliefsByPerson = std::unordered_map<similarity::Person, similarity::PersonBeliefs>;

// Kept anew with every release.
struct EvolvingState {
  std::uint32_t releases = 0;
  std::vector<ledger::PersonKey> keys;  // per person
  // Posteriors of the reader that the policy names; revised priors follow from them.
  BeliefsByPerson person_beliefs;
  std::vector<std::string> stated;  // per release: DigestOf the statements that she had about it
  std::string knowledge;            // DigestOf what she knew of the last release
  std::string background;           // Background::Save

  static constexpr char kSecret[] = "evolving";
};
std::string Save(const EvolvingState& state);
// kMachine where the bytes make no sense.
Result<EvolvingState> ParseEvolvingState(std::string_view bytes);
// Of the newest release; empty where there is none.
Result<EvolvingState> LoadEvolvingState(ledger::Vault& vault);

// One release, written once.
struct EvolvingRelease {
  similarity::Snapshot snapshot;  // values as shown
  // Per row of the snapshot, where some are counterfeit: the true value. Else empty.
  std::vector<similarity::Value> truth;
  // What she knew; nothing where it is what she knew of the release before.
  std::optional<similarity::Knowledge> knowledge;
  std::uint64_t suppressed = 0;
  double penalty = 0, linkage = 0;  // GCP and RL
};
std::string Save(const EvolvingRelease& release);
// `values`: how many there are so far. kMachine where the bytes make no sense.
Result<EvolvingRelease> ParseEvolvingRelease(std::string_view bytes, std::size_t values);
// The name of its secret; releases count from 1.
std::string ReleaseSecret(std::uint32_t release);
Result<EvolvingRelease> LoadEvolvingRelease(ledger::Vault& vault, std::uint32_t release,
                                            std::size_t values);

// Bytes that are the same for the same statements, in any order.
std::string DigestOf(std::span<const similarity::Statement> statements);

// Tells knowledge from other knowledge.
std::string DigestOf(const similarity::Knowledge& knowledge);

}  // namespace reissue::models::similarity::service
