#pragma once
// What the verbs are asked for. Plain values; a task is what the engine hands to a model once the
// policy is read and everything that no model needs has been refused.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reissue/binding/priors.h"
#include "reissue/binding/settings.h"
#include "reissue/contract/parts.h"
#include "reissue/contract/promise.h"
#include "reissue/contract/reports.h"
#include "reissue/io/policy.h"
#include "reissue/ledger/vault.h"

namespace reissue::contract {

class Model;

struct PublishRequest {
  std::string vault;   // directory; made by the first call
  std::string policy;  // path; may be empty where the vault exists
  std::string table;
  std::string out;          // a file; empty: a table
  std::string out_table;    // of the server of the context, SCHEMA.NAME; empty: a file
  std::string certificate;  // of a table, a file; empty: the name of the table and an ending
  AskedPart part;           // of the people of the table; needed once, for the first release
  std::vector<binding::PriorFile> priors;  // what readers have already
  std::string holder_copy;                 // a private file; empty: none
  std::string mark;                        // where the vault's mark lies; empty: beside the release
  ledger::Passphrase passphrase;
  std::optional<std::uint64_t> seed;  // search and row order; else row order is unpredictable
  std::string created;                // ISO 8601 time stamp, given by the front end
  binding::Settings search;           // instead of the policy's: score, search, budget
  bool why = false;                   // say why columns are not finer
  bool refuse_formulas = false;       // and control characters, in what would be published
  // The report has all that the audit can measure. Otherwise what is promised and certified, which
  // is the same, and whatever else is at hand.
  bool measure_all = true;
};

struct AdoptRequest {
  std::string vault;                  // directory; made here, or there without releases
  std::string policy;                 // path
  std::vector<std::string> releases;  // files, oldest first
  ledger::Passphrase passphrase;
  std::string created;  // ISO 8601 time stamp, given by the front end
  bool anyway = false;  // record a series that does not keep the promise
};

struct LearnRequest {
  std::string policy;                  // what its [knowledge] names need not exist yet
  std::vector<std::string> tables;     // one, or a series in order
  std::optional<std::uint32_t> steps;  // of transitions; by default the policy's
  double smoothing = 1;
  std::string out;  // a directory, made if it is not there
};

struct MeasureRequest {
  std::string table;              // raw
  std::string release;            // made from it
  std::string class_column = {};  // empty: the policy's class, if any
  std::string test = {};          // raw rows for the prediction; empty: some of the table's
  std::uint64_t queries = 1000;   // of each kind
  std::uint64_t seed = 1;         // chooses what is drawn
};

struct CheckTask {
  const io::Policy& policy;
  const Promise& promise;
  const std::vector<std::string>& tables;
  const std::vector<binding::PriorFile>& priors;
  bool why = false;  // say why columns are not finer
};

struct AuditTask {
  const io::Policy& policy;
  const Promise& promise;
  const std::vector<std::string>& releases;  // oldest first
  const std::vector<binding::PriorFile>& priors;
  const std::vector<std::string>& knows;  // "ID=VALUE" each
  std::size_t worst = kWorstShown;
};

struct VaultTask {
  const io::Policy& policy;
  const Promise& promise;
  ledger::Vault& vault;  // open with its key
  std::size_t worst = kWorstShown;
};

struct VerifyTask {
  const std::vector<std::string>& releases;
  const std::vector<binding::PriorFile>& priors;
  const std::vector<std::string>& copies;  // holder's
  const Promise* asked = nullptr;  // of the policy that it must have, of the same model, if any
};

struct MeasureTask {
  const io::Policy& policy;
  const Promise& promise;
  const MeasureRequest& request;
};

struct ExplainTask {
  const io::Policy& policy;
  const Promise& promise;
  const std::vector<std::string>& releases;
  const std::vector<binding::PriorFile>& priors;
  std::string about;            // one CSV record
  std::size_t requirement = 1;  // from 1
};

struct AdoptTask {
  const AdoptRequest& request;
  const io::Policy& policy;
  const Promise& promise;
};

struct LearnTask {
  const LearnRequest& request;
  const io::Policy& policy;
  const Promise& promise;
};

// A publication that is tried out. Its context must have io::RehearsalFiles: all of it is played in
// memory, vault and certificate too, and there is no mark.
struct Rehearsal {
  // What the series has come to. Empty: what the vault that was named has recorded, if it is there.
  std::optional<ledger::Vault> vault;
};

struct PublishTask {
  const PublishRequest& request;
  const io::Policy& policy;
  PromisePtr promise;
  const Model* model = nullptr;    // compares promises where the policy of a series was changed
  Rehearsal* rehearsal = nullptr;  // null: it is meant
};

}  // namespace reissue::contract
