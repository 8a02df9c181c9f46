#pragma once
// What a candidate of one column falls apart into. No cell of any release stands above a part, so
// whoever is in one is in it in every release: each part keeps the promise or not by itself, and
// whoever changes one asks about that one. Internal to the publisher; belongs to one thread at a
// time.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "reissue/models/bcf/publisher/confirm.h"
#include "reissue/models/k/publisher/problem.h"

namespace reissue::models::bcf::internal {

class Parts {
 public:
  // All must outlive it. `searched`: the table of the problem.
  Parts(const Task& task, const k::LeafCells& searched, const k::internal::Problem& problem);

  // Where parts say what the whole would: releases are cuts of one tree, a search asks about one
  // candidate after the other, and what is promised does not look at the whole release. Not of very
  // long series, in which little is left to prove, and what is out takes long to go through.
  static bool Serve(const Task& task);

  // What is said of some parts alone, with all that is out.
  using Say = std::function<Judgement(const Series&, const Formulas&, const History&)>;
  // Kept: each part is. Of parts that are not known those are asked about together that are kept
  // together.
  Judgement Ask(const k::internal::Recoding& recoding, const Say& say);
  // The births that the candidate tells of, from the first on, as History says.
  std::size_t FirstBirth(const k::internal::Recoding& recoding) const;
  std::size_t CellsOf(const k::internal::Recoding& recoding) const;
  // The nodes of the parts that were not kept, ascending; nothing where the candidate was not asked
  // about.
  std::vector<k::internal::Spot> Broken(const k::internal::Recoding& recoding) const;

 private:
  struct Known {
    bool kept = false;
    std::uint64_t steps = 0, targets = 0;
  };
  // The releases that are out, as far as they lie in some parts.
  struct Past {
    explicit Past(Series made) : series(std::move(made)), formulas(series), history(series) {}
    Series series;
    Formulas formulas;
    History history;
  };

  std::vector<k::internal::Spot> Of(const k::internal::Recoding& recoding) const;
  std::string KeyOf(k::internal::Spot part, const k::internal::Recoding& recoding) const;
  void Settle(std::span<const k::internal::Spot> parts, const k::internal::Recoding& recoding,
              const taxonomy::Cut& cut, const Say& say, std::uint64_t& work);
  const Past& PastOf(std::span<const k::internal::Spot> parts);
  Cells Published(std::span<const k::internal::Spot> parts, const taxonomy::Cut& cut) const;
  void Keep(std::string key, Known known);

  const Task& task_;
  const k::LeafCells& searched_;
  const k::internal::Problem& problem_;
  std::vector<std::uint8_t> is_cell_;             // per node: of some release that is out
  std::unordered_map<std::string, Known> known_;  // by node and what is specialised below it
  std::size_t bytes_ = 0;
  std::vector<k::internal::Spot> last_;  // the parts of past_
  std::unique_ptr<Past> past_;
};

}  // namespace reissue::models::bcf::internal
