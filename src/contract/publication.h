#pragma once
// The next release of a series, whatever the model. This class owns the order and the check: a
// release is read back and attacked before it is put in place, and nothing is put in place unless
// the promise is kept. A model fills in the steps and cannot leave one out.

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/binding/load.h"
#include "reissue/contract/living.h"
#include "reissue/contract/promise.h"
#include "reissue/contract/reports.h"
#include "reissue/contract/tasks.h"
#include "reissue/core/random.h"
#include "reissue/core/result.h"
#include "reissue/io/interrupt.h"
#include "reissue/ledger/vault.h"

namespace reissue::contract {

struct Traits;
class TableRelease;

// What is known of a table once it is loaded.
struct Loaded {
  std::uint64_t rows = 0, dropped = 0;
  std::string digest;
};

// What a plan makes of it.
struct Planned {
  std::uint64_t rows_out = 0;
  std::uint64_t suppressed = 0;
  // What the history of the vault counts beside the rows: rows left out, or rows of nobody.
  std::uint64_t set_aside = 0;
};

// What an attack on the written files has shown.
struct Proof {
  std::string digest;               // of the bytes that were read back; the vault compares it
  std::vector<std::string> beside;  // the same of the files beside the release
  // Of the same readings, the release first; empty: the vault takes the digests once more.
  std::vector<io::Fingerprint> fingerprints;
  // Whether what was promised is kept, by measurement or, where the audit says so, by rule.
  bool kept = false;
  AuditReport audit;  // its `rows` are those that were read back
};

class Publication {
 public:
  Publication(const PublishTask& task, const Traits& traits, binding::Context& context);
  virtual ~Publication();
  Publication(const Publication&) = delete;
  Publication& operator=(const Publication&) = delete;

  // Refuse, recall, load, plan, reserve, write, attack, check, certify, put in place. After an
  // error nothing is published and nothing is left behind. kPromise: the promise cannot be kept, or
  // a second release of a model that promises nothing about two.
  Result<PublishReport> Run();

 protected:
  // The steps, in the order in which they are called.

  // What this call asks for and the model cannot do; before anything else is looked at.
  virtual Status Refuse() { return Ok(); }
  // Ends of names of the files beside a release.
  virtual std::vector<std::string> Suffixes() const { return {}; }
  // Whether Write makes a Parquet file where the name of the release asks for one.
  virtual bool WritesParquet() const { return false; }
  // Of models whose releases are not judged together: why there is no second one.
  virtual Error SecondRelease(const std::string& last) const;
  // The labels that earlier releases have published, where the vault knows them; asked where a
  // policy was changed, before Recall.
  virtual Result<PublishedLabels> LabelsThatAreOut() { return PublishedLabels(); }
  // What the vault keeps of earlier releases; only where there is a vault.
  virtual Status Recall() { return Ok(); }
  virtual Result<Loaded> Load() = 0;
  virtual Result<Planned> Plan() = 0;
  // Writes a new file at `path` and syncs it; where that is the name of the context's target, a
  // table (binding::WriteRows does both). From here on there is a vault.
  virtual Status Write(const std::string& path) = 0;
  virtual Status WriteBeside(const std::string& suffix, const std::string& path);
  virtual Status WriteHolderCopy(const std::string& path);
  // Reads what was written as its readers will (context().OfFiles() has it), and attacks that with
  // what they have already.
  // `beside`: paths in the order of Suffixes. The table is not needed any more.
  virtual Result<Proof> Attack(const std::string& path, const std::vector<std::string>& beside) = 0;
  // Adds the model's members to the certificate; what was found is in the report. Each member is
  // derived from published files, or of the policy, or keyed: docs/formats/certificate.md names it,
  // and tests/certificates makes it anew.
  virtual void Certify(nlohmann::ordered_json& certificate) const = 0;
  // Columns whose ranges, where the release shows some, were found from the data.
  virtual std::vector<std::string> RangesFromData() const {
    return binding::RangesFromData(policy_);
  }
  // The columns of the release, for the certificate.
  virtual binding::ReleaseColumns CertifiedColumns() const { return columns_; }

  // What the vault keeps with this release, sealed.
  void Keep(std::string name, std::string bytes);
  using Secrets = std::vector<std::pair<std::string, std::string>>;
  Secrets& secrets() { return pending_.secrets; }

  const Traits& traits() const { return traits_; }
  const PublishRequest& request() const { return request_; }
  const io::Policy& policy() const { return policy_; }
  const Promise& promise() const { return *promise_; }
  const binding::ReleaseColumns& columns() const { return columns_; }
  binding::Context& context() const { return context_; }
  Random& random() { return random_; }
  // The policies of the series before this release, oldest first; none before the first.
  const std::vector<PastPolicy>& past() const { return past_; }
  // Hashes identifiers as they are read, with the key of the vault: that of a first release is
  // drawn here. Whoever has the result must not outlive this.
  Result<sources::HashIdentifier> HashOfIdentifiers();
  // Null before the first release is written.
  ledger::Vault* vault() { return vault_ ? &*vault_ : nullptr; }
  // What number this release has, from 1.
  std::uint32_t number() const { return static_cast<std::uint32_t>(earlier_.size()) + 1; }
  // Of the files beside the release, in the order of Suffixes; once they were read back.
  const std::vector<std::string>& beside_digests() const { return beside_digests_; }
  PublishReport& report() { return report_; }
  const PublishReport& report() const { return report_; }

  // Everything that can be refused before the table is read; then there is what Recall has found.
  Status Prepare();
  bool rehearsed() const { return rehearsal_ != nullptr; }

 private:
  Result<std::string> Settle(const std::string& path);
  static Status LeadsThere(const std::string& path, const std::string& settled);
  Status CheckTarget();
  Status CheckFormat() const;
  Status CheckTableTarget();
  Status CheckHolderCopy();
  Status CheckMarkPlace() const;
  Status IsFree(const std::string& path, const std::string& what) const;
  Status OpenVault();
  Status Divide();
  Status KeepPolicy();
  Status Reserve();
  Result<std::string> ReserveCompanion(const std::string& target, bool owner_only);
  Status WriteAll(const Loaded& loaded);
  Status AttackAndCheck();
  Status CheckCells();
  Result<std::vector<std::string>> CellWords();
  Status FindTies();
  void DescribeRanges();
  Status PutInPlace();

  const PublishRequest& request_;
  const io::Policy& policy_;
  PromisePtr promise_;
  const Model* model_;
  const Traits& traits_;
  mutable binding::Context context_;  // with the target of this publication
  Rehearsal* rehearsal_;
  binding::ReleaseColumns columns_;
  Random random_;
  std::string out_, holder_copy_;        // from the root; out_ of a table: its certificate
  std::unique_ptr<TableRelease> table_;  // null: a file
  std::string written_;                  // the temporary, or the name of the table
  std::vector<io::DirectoryHold> held_;  // outlives the vault, which clears up there
  std::optional<io::SayOnInterrupt> interrupted_;
  std::optional<ledger::Vault> vault_;
  std::optional<ledger::FreshKey> key_;  // of the vault that is not there yet
  std::vector<PastPolicy> past_;
  std::vector<std::string> earlier_;  // digests
  std::string previous_;              // digest of the last certificate
  ledger::Vault::Pending pending_;
  std::string policy_keyed_digest_, table_keyed_digest_;
  std::vector<std::string> beside_digests_;
  PublishReport report_;
};

// The policy that was named, or the one of the series of a vault, where it was last.
Result<std::string> PolicyPath(const std::string& policy, const std::string& vault,
                               const ledger::Passphrase& passphrase, binding::Context& context);

// What a vault records of the policy of its series.
Result<ledger::VaultPolicy> RecordOf(const io::Policy& policy, const Promise& promise);

}  // namespace reissue::contract
