#pragma once
// Readers who know since when the values of taxonomies are there (release/ages.h), as judges of
// candidates.

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "reissue/models/bcf/adversary/program_memo.h"
#include "reissue/models/bcf/publisher/confirm.h"
#include "reissue/models/bcf/release/ages.h"

namespace reissue::models::bcf {

// The people of a table with what these readers know of them, to tell who is real.
k::LeafCells WithAges(const k::LeafCells& table, const Ages& ages,
                      std::span<const AgeColumn> columns);

namespace internal {

// What a search asks about a candidate besides the earlier releases.
class Judge {
 public:
  virtual ~Judge() = default;
  // `published`: the table recoded, on its own taxonomies. Safe in several threads.
  virtual Judgement Ask(const Cells& published, Effort effort) const = 0;
};

class DatedReader : public Judge {
 public:
  // Both must outlive it.
  DatedReader(const Task& task, const Ages& ages);

  Judgement Ask(const Cells& published, Effort effort) const override;

 private:
  // The earlier releases, and the table, with some columns more.
  struct Past {
    Past(const Task& task, const Ages& ages, std::span<const AgeColumn> columns);
    Series series;
    Formulas formulas;
    History history;
    k::LeafCells table;  // only where somebody must be known to be real
    ProgramMemo memo;
  };
  Past& PastOf(const std::vector<AgeColumn>& columns) const;

  const Task& task_;
  const Ages& ages_;
  std::vector<AgeColumn> columns_;
  std::vector<char> told_before_;  // per column: an earlier release has labels of new values alone
  mutable std::mutex mutex_;
  mutable std::map<std::vector<AgeColumn>, std::unique_ptr<Past>> pasts_;
};

// Publish, with another judge than the ages of the options; null: none.
Result<k::Outcome> PublishFor(const k::LeafCells& table, const Series& earlier,
                              const k::Guarantee& guarantee, const PublishOptions& options,
                              const Judge* further, ThreadPool& pool, Progress& progress);

}  // namespace internal
}  // namespace reissue::models::bcf
