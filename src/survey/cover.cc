#include "reissue/survey/cover.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace reissue::survey {
namespace {

using labels::AtomSet;
using labels::Span;

// Some atom of a part of a column, and the labels that contain it, of those that do not contain
// all.
struct Choice {
  std::uint32_t atom = 0;
  std::vector<std::uint32_t> labels;  // ascending
};

class LeastSearch {
 public:
  LeastSearch(const Columns& columns, const Box& box, std::uint64_t& steps, std::uint64_t enough)
      : columns_(columns), box_(box), steps_(steps), enough_(enough) {}

  FromTo Run(std::span<const Cover> covers) {
    std::uint64_t sure = 0;
    std::vector<Cover> partial;
    for (const Cover& cover : covers) {
      best_ += cover.weight;
      if (CoversAll(cover)) {
        sure += cover.weight;
      } else {
        partial.push_back(cover);
      }
    }
    Visit(partial, std::vector<char>(box_.size(), 0), sure);
    return {complete_ ? best_ : sure, best_};
  }

 private:
  const AtomSet& Label(const Cover& cover, std::size_t column) const {
    return columns_[column].labels[cover.key[column]];
  }
  bool CoversAll(const Cover& cover) const {
    for (std::size_t q = 0; q < box_.size(); ++q) {
      if (!Label(cover, q).Contains(box_[q])) return false;
    }
    return true;
  }
  bool Spend(std::uint64_t steps) {
    if (steps_ < steps) {
      steps_ = 0;
      complete_ = false;
      return false;
    }
    steps_ -= steps;
    return true;
  }
  bool Done() const { return best_ <= enough_ || !complete_; }

  // `sure`: weights of what covers all that is left of the box. `fixed`: columns with one atom.
  void Visit(const std::vector<Cover>& partial, std::vector<char> fixed, std::uint64_t sure) {
    if (Done() || sure >= best_) return;
    if (partial.empty()) {
      best_ = sure;
      return;
    }
    if (!Spend(partial.size() * box_.size())) return;
    std::size_t column = box_.size();
    std::vector<Choice> choices;
    for (std::size_t q = 0; q < box_.size(); ++q) {
      if (fixed[q] != 0) continue;
      std::vector<Choice> here = Choices(partial, q);
      if (here.empty()) continue;  // everything contains all of it
      if (column == box_.size() || here.size() < choices.size()) {
        column = q;
        choices = std::move(here);
      }
      if (choices.size() == 1) break;
    }
    fixed[column] = 1;
    for (const Choice& choice : choices) {
      std::uint64_t now_sure = sure;
      std::vector<Cover> left;
      for (const Cover& cover : partial) {
        if (!Label(cover, column).Has(choice.atom)) continue;
        if (CoversRest(cover, fixed)) {
          now_sure += cover.weight;
        } else {
          left.push_back(cover);
        }
      }
      Visit(left, fixed, now_sure);
      if (Done()) return;
    }
  }

  bool CoversRest(const Cover& cover, const std::vector<char>& fixed) const {
    for (std::size_t q = 0; q < box_.size(); ++q) {
      if (fixed[q] == 0 && !Label(cover, q).Contains(box_[q])) return false;
    }
    return true;
  }

  // Empty where all labels contain all of the box. The least first; one alone where it is contained
  // in no label.
  std::vector<Choice> Choices(const std::vector<Cover>& partial, std::size_t q) {
    std::vector<std::uint32_t> used;
    for (const Cover& cover : partial) used.push_back(cover.key[q]);
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    std::erase_if(used,
                  [&](std::uint32_t label) { return columns_[q].labels[label].Contains(box_[q]); });
    if (used.empty()) return {};
    // Where any of the labels begins or ends, something may change.
    std::vector<std::uint32_t> cuts;
    for (const Span& span : box_[q].spans()) cuts.push_back(span.first);
    std::vector<std::pair<Span, std::uint32_t>> pieces;
    for (const std::uint32_t label : used) {
      const AtomSet within = columns_[q].labels[label].And(box_[q]);
      for (const Span& span : within.spans()) {
        cuts.push_back(span.first);
        if (box_[q].Has(span.last)) cuts.push_back(span.last);
        pieces.emplace_back(span, label);
      }
    }
    std::sort(cuts.begin(), cuts.end());
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    if (!Spend(cuts.size() + pieces.size())) return {Choice{cuts[0], {}}};
    std::sort(pieces.begin(), pieces.end());
    std::map<std::vector<std::uint32_t>, std::uint32_t> distinct;  // labels → an atom
    std::vector<std::pair<std::uint32_t, std::uint32_t>> open;     // end, label
    std::size_t next = 0;
    for (const std::uint32_t cut : cuts) {
      while (next < pieces.size() && pieces[next].first.first <= cut) {
        open.emplace_back(pieces[next].first.last, pieces[next].second);
        ++next;
      }
      std::erase_if(open, [&](const auto& entry) { return entry.first <= cut; });
      if (open.empty()) return {Choice{cut, {}}};
      std::vector<std::uint32_t> inside;
      for (const auto& entry : open) inside.push_back(entry.second);
      std::sort(inside.begin(), inside.end());
      distinct.emplace(std::move(inside), cut);
    }
    return Minimal(distinct);
  }

  std::vector<Choice> Minimal(const std::map<std::vector<std::uint32_t>, std::uint32_t>& all) {
    std::vector<Choice> sorted;
    for (const auto& [inside, atom] : all) sorted.push_back({atom, inside});
    std::stable_sort(sorted.begin(), sorted.end(), [](const Choice& a, const Choice& b) {
      return a.labels.size() < b.labels.size();
    });
    std::vector<Choice> kept;
    for (Choice& choice : sorted) {
      if (!Spend(kept.size())) return kept;
      const bool worse = std::any_of(kept.begin(), kept.end(), [&](const Choice& other) {
        return std::includes(choice.labels.begin(), choice.labels.end(), other.labels.begin(),
                             other.labels.end());
      });
      if (!worse) kept.push_back(std::move(choice));
    }
    return kept;
  }

  const Columns& columns_;
  const Box& box_;
  std::uint64_t& steps_;
  std::uint64_t enough_;
  std::uint64_t best_ = 0;
  bool complete_ = true;
};

}  // namespace

Box BoxOf(const Columns& columns, std::span<const std::uint32_t> key) {
  Box box;
  for (std::size_t q = 0; q < key.size(); ++q) box.push_back(columns[q].labels[key[q]]);
  return box;
}

FromTo LeastCovered(const Columns& columns, const Box& box, std::span<const Cover> covers,
                    std::uint64_t& steps, std::uint64_t enough) {
  return LeastSearch(columns, box, steps, enough).Run(covers);
}

}  // namespace reissue::survey
