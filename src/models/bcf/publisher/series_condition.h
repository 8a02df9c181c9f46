#pragma once
// The earlier releases as a condition of the searches. For a cell c of the new release and each
// earlier one, with g the rows of each value in c:
// - whoever was there already and lives in a comparable earlier cell with rows g' has min(g, g')
//   left (F, C);
// - whoever came later has min(g, what was added in the class of c) left (B);
// and what is left must keep the promise, unless nothing is. That is exact for two releases; for
// more, the adversary confirms. Internal to the publisher.

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "reissue/models/bcf/adversary/program_memo.h"
#include "reissue/models/bcf/publisher/confirm.h"
#include "reissue/models/bcf/publisher/dated.h"
#include "reissue/models/bcf/publisher/earlier_release.h"
#include "reissue/models/bcf/publisher/growth.h"
#include "reissue/models/bcf/publisher/parts.h"
#include "reissue/models/k/publisher/condition.h"

namespace reissue::models::bcf::internal {

class SeriesCondition : public k::internal::Condition {
 public:
  // All must outlive it. `problem` is of the table of the task, or of as much of it as recodings
  // within the frame tell apart: `searched`. `further`: whom candidates must satisfy, too; null:
  // nobody.
  SeriesCondition(const Task& task, const k::LeafCells& searched, const Problem& problem,
                  const Judge* further = nullptr);

  // Whether the table contains the rows of every earlier release, with the births it says.
  Status CheckGrowth() const;

  std::unique_ptr<k::internal::ConditionCheck> NewCheck() const override;
  const std::vector<k::internal::Fence>& fences() const override { return fences_; }
  bool anti_monotone() const override { return anti_monotone_; }
  bool confirms() const override { return confirms_; }
  std::optional<Error> Hopeless() const override;
  Error NothingFound(bool all_seen) const override;

  const Task& task() const { return task_; }
  const Problem& problem() const { return problem_; }
  const std::vector<EarlierRelease>& earlier_releases() const { return earlier_releases_; }
  // Only k and distinct values: less left never keeps what more left breaks.
  bool shrinks() const { return shrinks_; }
  // Whether the audit of all releases will prove it: it asks in another order than the searches,
  // and where limits of work end a proof is a matter of order.
  bool AuditProves(const std::vector<taxonomy::Cut>& cuts) const;
  // Not to be found again.
  void Reject(const std::vector<taxonomy::Cut>& cuts);
  // Nothing is to be found but the most general recoding.
  void RejectAllButTheRoot();
  // The adversary's word on a recoding; remembered. The same for any number of threads.
  Judgement Confirm(const k::internal::Recoding& recoding) const;
  // Where the adversary said no, as ConditionCheck::Broken.
  std::vector<k::internal::Spot> Broken(const k::internal::Recoding& recoding) const;

 private:
  Judgement Ask(const k::internal::Recoding& recoding) const;
  Judgement AskSeries(const k::internal::Recoding& recoding) const;
  EarlierRelease Laid(std::size_t release) const;
  Status CheckGrowth(std::size_t release, const Growth& growth) const;
  bool OutOfFrame(const Series& series) const;
  // Bounds are asked before the worlds: they say no quickly. Not where they say no to the most
  // general recoding already; they may mean a target that is none.
  bool Screens() const;
  // All releases together with a candidate.
  Judgement JudgeSeries(const Series& series, Effort effort) const;
  Judgement JudgeParts(const k::internal::Recoding& recoding, Effort effort) const;
  Effort EffortFor(const k::internal::Recoding& recoding) const;
  std::uint64_t AffordableFor(const k::internal::Recoding& recoding, bool earlier_kept) const;
  // Where people of one earlier release, or those who came since, cannot keep the promise however
  // few of them are left.
  std::optional<Error> TooFew(const EarlierRelease& past) const;
  bool NothingLeftKeeps(const EarlierRelease& past) const;
  // Some candidate would do, but for whom it must satisfy further.
  Error NothingFurther(bool all_seen) const;
  // The adversary's verdict about the releases that are out; found once.
  Verdict EarlierVerdict() const;

  const Task& task_;
  const k::LeafCells& searched_;
  const Problem& problem_;
  const Judge* further_;
  // The worlds of all releases must be looked at, beyond pairs; a candidate must be confirmed.
  bool shrinks_, anti_monotone_, needs_worlds_, confirms_;
  bool only_root_ = false;
  std::size_t frame_;
  Formulas of_earlier_;                           // of all candidates
  History history_;                               // of the earlier releases
  std::vector<EarlierRelease> earlier_releases_;  // from the frame on
  std::vector<k::internal::Fence> fences_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<std::string, Judgement> confirmed_;  // by recoding
  mutable ProgramMemo memo_;                                      // of all candidates
  std::unique_ptr<Parts> parts_;                                  // null: only the whole tells
  mutable std::optional<Verdict> earlier_verdict_;
  mutable std::optional<bool> screens_;
  mutable bool refused_further_ = false;
};

}  // namespace reissue::models::bcf::internal
