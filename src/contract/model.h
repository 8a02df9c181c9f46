#pragma once
// What a model is to the engine. Models are stateless objects in one list (engine/models.h).

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/binding/inspect.h"
#include "reissue/contract/certificate.h"
#include "reissue/contract/explore.h"
#include "reissue/contract/promise.h"
#include "reissue/contract/publication.h"
#include "reissue/contract/reports.h"
#include "reissue/contract/tasks.h"
#include "reissue/core/result.h"

namespace reissue::contract {

// What some models can be given, or asked for, and others not.
enum class Extra {
  kPriors,      // --prior: releases of other columns of the same people
  kKnows,       // audit --knows
  kVaultAudit,  // audit --vault
  kHolderCopy,  // publish --holder-copy
  kVerifyCopy,  // verify --holder-copy
  kKnowledge,   // [knowledge] of a policy, and `learn`
  kAdopt,       // releases of another tool can be taken up
  kExplain,     // audit --explain
  kWhy,         // publish and check --why
  kWishes,      // weight, floor, ceiling and keep of columns
  kExplore,     // `explore`: releases with other settings can be tried
  kParts,       // publish --part: what is promised of parts holds of all of them together
  kTable,       // publish --out-table: a release is one table of distinct rows with counts
};

struct Traits {
  std::string name;     // as policies write it
  std::string about;    // completes "model = "…" (…)"
  bool series = false;  // the releases of a vault are judged together
  std::vector<Extra> takes = {};
  // What to do where --prior is given and another model was promised; of models that take it.
  std::string priors_elsewhere = {};
  // What to do instead of --explain; of models that do not explain.
  std::string explain_instead = {};
  binding::TableReading tables = {};  // how it reads the holder's

  bool Takes(Extra extra) const;
};

class Model {
 public:
  virtual ~Model() = default;
  virtual const Traits& traits() const = 0;

  // Errors: unknown keys (with the nearest known one), numbers out of range, nothing promised; of a
  // policy also columns that do not fit the promise.
  virtual Result<PromisePtr> Read(const Asked& asked) const = 0;

  virtual void Check(const CheckTask& task, binding::Context& context,
                     CheckReport& report) const = 0;
  virtual Result<AuditReport> Audit(const AuditTask& task, binding::Context& context) const = 0;
  virtual std::unique_ptr<Publication> Start(const PublishTask& task,
                                             binding::Context& context) const = 0;
  // Adds what was found to the report. Errors are for files that are no table, and usage; a
  // certificate that does not hold is a report.
  virtual Status Verify(const Certificate& certificate, const VerifyTask& task,
                        binding::Context& context, VerifyReport& report) const = 0;
  // Of models that take parts: what the newest releases of all parts, as one file, promise anew
  // (`file`, with the columns and the promise of the certificate of any of them). Nothing where the
  // worst of the parts is all there is to say; the engine then says it.
  virtual Result<std::optional<AuditReport>> AuditUnion(const Certificate& certificate,
                                                        const std::string& file,
                                                        binding::Context& context) const;
  virtual Result<MetricsReport> Measure(const MeasureTask& task,
                                        binding::Context& context) const = 0;

  // Of two promises of this model, what the later one promises less, in words; nothing where it
  // promises at least as much. How a release is searched for is no promise. By default any
  // difference is less.
  virtual std::vector<std::string> Weaker(const Promise& before, const Promise& now) const;

  // Of models that take the extra. Adopt is asked of every series: a model says in its own words
  // why not.
  virtual Result<AuditReport> AuditVault(const VaultTask& task, binding::Context& context) const;
  virtual Result<ExplainReport> Explain(const ExplainTask& task, binding::Context& context) const;
  virtual Result<AdoptReport> Adopt(const AdoptTask& task, binding::Context& context) const;
  virtual Result<LearnReport> Learn(const LearnTask& task, binding::Context& context) const;
  // What a grid may vary, and the releases of one: an error of each point is its own.
  virtual std::vector<Axis> Axes(const io::Policy& policy) const;
  virtual Result<Explored> Explore(const ExploreTask& task, binding::Context& context) const;

 protected:
  Error Refusal(const std::string& what) const;
};

// Says what readers learn from ranges of these columns (binding::RangesFromData); of none nothing.
void WarnOfRanges(const std::vector<std::string>& columns, CheckReport& report);

// Says which columns that would be published have cells that other programs run or obey, and which
// would join rows of two releases.
void WarnOfCells(const binding::HolderTable& holder, const std::string& path,
                 binding::Context& context, CheckReport& report);

// A usage error where a model that looks at one release is given several.
Status OneRelease(const Promise& promise, std::size_t given, std::string remedy);

}  // namespace reissue::contract
