#include "reissue/models/similarity/publisher/repair.h"

#include <algorithm>
#include <span>
#include <utility>

#include "reissue/models/similarity/publisher/leftover.h"
#include "reissue/models/similarity/publisher/trial.h"

namespace reissue::models::similarity::internal {
namespace {

constexpr std::size_t kChunk = 64;           // groups asked about at a time
constexpr std::size_t kBlock = 8;            // repairs that one thread tries ahead, in turn
constexpr std::size_t kBlocksOfAThread = 2;  // before what was tried is repaired

class Repairs {
 public:
  Repairs(Draft& draft, const Guard& guard, ThreadPool& pool)
      : draft_(draft), guard_(guard), pool_(pool) {}

  // Groups in which she believes too much, of those changed since she was last asked.
  std::vector<Broken> Ask() {
    std::vector<std::uint32_t> asked;
    for (std::uint32_t g = 0; g < draft_.groups.size(); ++g) {
      if (!draft_.groups[g].rows.empty() && !draft_.groups[g].judged) asked.push_back(g);
    }
    std::vector<Guard::Verdict> verdicts(asked.size());
    const Shown shown{.in_draft = draft_.shown};
    pool_.Run((asked.size() + kChunk - 1) / kChunk, [&](std::size_t chunk) {
      const std::size_t to = std::min(asked.size(), (chunk + 1) * kChunk);
      for (std::size_t i = chunk * kChunk; i < to; ++i) {
        verdicts[i] = guard_.Judge(draft_.groups[asked[i]], shown);
      }
    });
    std::vector<Broken> broken;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      Bunch& bunch = draft_.groups[asked[i]];
      bunch.judged = verdicts[i].fine();
      if (!bunch.judged) broken.push_back({asked[i], bunch.rows.size(), std::move(verdicts[i])});
    }
    return broken;
  }

  // One after the other, wave by wave.
  void Mend(const std::vector<Broken>& broken) {
    const NearGroups near(draft_);
    const std::size_t most = kBlock * kBlocksOfAThread * pool_.threads();
    for (std::size_t from = 0; from < broken.size(); from += most) {
      const std::span<const Broken> wave(&broken[from], std::min(most, broken.size() - from));
      Questions questions(guard_, false);
      if (pool_.threads() > 1 && wave.size() > kBlock) AskAhead(wave, near, questions);
      for (const Broken& one : wave) {
        Trial trial(draft_, questions, near);
        trial.Mend(one);
        Apply(std::move(trial).Take());
      }
    }
  }

 private:
  // Nearly all time goes into questions, so threads try the repairs ahead and note the answers.
  // What they try counts for nothing else: when it is a repair's turn it asks nearly the same.
  // Groups next to one another are often near, so each thread takes several in turn.
  void AskAhead(std::span<const Broken> wave, const NearGroups& near, Questions& questions) const {
    const std::size_t blocks = (wave.size() + kBlock - 1) / kBlock;
    std::vector<Questions> asked(blocks, Questions(guard_, true));
    pool_.Run(blocks, [&](std::size_t block) {
      Trial trial(draft_, asked[block], near);
      const std::size_t to = std::min(wave.size(), (block + 1) * kBlock);
      for (std::size_t i = block * kBlock; i < to; ++i) trial.Mend(wave[i]);
    });
    for (Questions& known : asked) questions.Learn(std::move(known));
  }

  void Apply(Change change) {
    for (auto& [group, bunch] : change.groups) draft_.groups[group] = std::move(bunch);
    for (const std::uint32_t row : change.restored) draft_.shown[row] = draft_.table().value[row];
    draft_.out.insert(draft_.out.end(), change.out.begin(), change.out.end());
  }

  Draft& draft_;
  const Guard& guard_;
  ThreadPool& pool_;
};

}  // namespace

std::uint64_t Repair(Draft& draft, const Guard& guard, ThreadPool& pool) {
  Repairs repairs(draft, guard, pool);
  std::uint64_t changed = 0;
  while (true) {
    const std::vector<Broken> broken = repairs.Ask();
    if (broken.empty()) return changed;
    changed += broken.size();
    repairs.Mend(broken);
    std::ranges::sort(draft.out);
    Settle(draft, Leftover::kSuppress);
  }
}

}  // namespace reissue::models::similarity::internal
