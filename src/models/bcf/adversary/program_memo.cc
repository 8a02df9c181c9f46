#include "reissue/models/bcf/adversary/program_memo.h"

namespace reissue::models::bcf {

std::optional<ProgramMemo::Place> ProgramMemo::Keep(Place from, const std::string& question,
                                                    Knowledge knowledge) {
  if (const auto known = Find(from, question)) return known;
  constexpr std::size_t kOverhead = 300;
  const std::size_t bytes = kOverhead + question.size() + 8 * knowledge.proof.size() +
                            16 * knowledge.low.size() + knowledge.closed.size();
  if (bytes > room_) return std::nullopt;
  room_ -= bytes;
  known_.push_back(std::move(knowledge));
  const auto place = static_cast<Place>(known_.size());
  next_.emplace(Key(from, question), place);
  return place;
}

}  // namespace reissue::models::bcf
