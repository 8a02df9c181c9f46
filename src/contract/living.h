#pragma once
// Policies that live (docs/design/0012-policies-that-live.md): what a policy and its files were
// when releases were made under it, what may change while a series goes on, and since when the
// values of a taxonomy are there.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/contract/promise.h"
#include "reissue/core/result.h"
#include "reissue/io/policy.h"
#include "reissue/ledger/vault.h"
#include "reissue/taxonomy/taxonomy.h"

namespace reissue::contract {

class Model;
using Trees = std::vector<std::shared_ptr<const taxonomy::Taxonomy>>;

// A policy of a series as it was, with all files that it names.
struct PastPolicy {
  std::uint32_t since = 1;  // the first release that was made under it
  std::string path;         // where it was, from the root
  io::Policy policy;
  Trees trees;  // per quasi-identifier; null: from numbers of the table
  std::map<std::string, std::string> files;  // what it names, by path as resolved
  std::string archive;                       // as the vault keeps it
};

// The name that the vault keeps it under: "policy/1", "policy/4".
std::string PolicySecret(std::uint32_t since);
// The bytes for it. Errors: a file that was changed since the policy was read.
Result<std::string> ArchivePolicy(const io::Policy& policy, binding::Context& context);
Result<PastPolicy> ReadArchive(const std::string& archive, std::uint32_t since,
                               binding::Context& context);

// All of a series, oldest first; never empty. Where the vault has none (earlier versions kept a
// digest only), the first one is taken from its place if it is still what it was, or is `now`; an
// error where it is neither.
Result<std::vector<PastPolicy>> RecallPolicies(ledger::Vault& vault, const io::Policy& now,
                                               binding::Context& context);
// Since which release which digest is that of the policy; the first one is always known.
Result<std::map<std::uint32_t, std::string>> PolicyDigests(ledger::Vault& vault);
// The releases that were the first under another policy. Needs no key.
Result<std::vector<std::uint32_t>> PolicyChanges(ledger::Vault& vault);

// Per quasi-identifier, the labels that are out; nothing where that is not known: any may be.
using PublishedLabels = std::optional<std::vector<std::vector<std::string>>>;

// What is other now, in words ("2 new values of \"job\""). An error, with every reason, where it
// would change what the releases that are out mean or promise: another role or order of columns, a
// label that lies or covers otherwise, ranges, what readers know, a weaker promise.
Result<std::vector<std::string>> AcceptedChanges(const PastPolicy& before, const io::Policy& now,
                                                 const PublishedLabels& published,
                                                 const Model& model, binding::Context& context);
// Only its columns: what must hold before labels of releases can be looked at.
Status SameColumns(const io::Policy& before, const io::Policy& now);

// Since which release the values of taxonomies are there. A value that refines one is as old as
// that.
class Ages {
 public:
  // `past`, oldest first, and what is in force from release `number` on.
  static Result<Ages> Of(const std::vector<PastPolicy>& past, const io::Policy& now,
                         std::uint32_t number, binding::Context& context);

  // Per quasi-identifier the releases, above 1, with which values came.
  const std::vector<std::uint32_t>& changes(std::size_t quasi) const { return changes_[quasi]; }
  // Releases with which the values below a label came, each once; empty: the label is not known.
  std::vector<std::uint32_t> Below(std::size_t quasi, const std::string& label) const;
  bool any() const;

 private:
  Trees trees_;
  std::vector<std::vector<std::uint32_t>> changes_;
  std::vector<std::vector<std::uint32_t>> of_leaf_;  // per quasi and rank
};

}  // namespace reissue::contract
