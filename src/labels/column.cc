#include "reissue/labels/column.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "reissue/labels/line.h"
#include "reissue/labels/notation.h"

namespace reissue::labels {
namespace {

// A text with its parts; `open`: it stands for everything.
struct Text {
  std::vector<std::string_view> parts;
  bool open = false;
};

bool ShortCode(std::string_view text) {
  return text.size() <= 3 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

class Reader {
 public:
  explicit Reader(std::span<const std::string_view> texts) : given_(texts) {}

  ColumnLabels Read() {
    Split();
    column_.notation = Decide();
    OpenMissing();
    switch (column_.notation) {
      case Notation::kNumbers:
      case Notation::kDates:
        OnLine();
        break;
      case Notation::kCodes:
        AsCodes();
        break;
      case Notation::kText:
        AsText();
        break;
    }
    Number();
    Relate();
    return std::move(column_);
  }

 private:
  using Sets = std::vector<std::vector<Span>>;  // per text

  void Split() {
    for (const std::string_view given : given_) {
      const std::string_view text = Trimmed(given);
      Text read;
      read.open = IsStar(text) || MissingKind(text) == Missing::kAlways;
      if (!read.open) read.parts = Parts(text);
      column_.ranges = column_.ranges || read.parts.size() > 1;
      texts_.push_back(std::move(read));
    }
  }

  template <typename Visit>
  void ForEachPart(Visit&& visit) const {
    for (const Text& text : texts_) {
      if (text.open) continue;
      for (const std::string_view part : text.parts) visit(part);
    }
  }

  Notation Decide() {
    std::size_t all = 0, dates = 0, fine = 0, masks_behind = 0, masks_in_front = 0;
    std::size_t numbers = 0, sure = 0, bare = 0, bare_wrong = 0, zeros = 0;
    ForEachPart([&](std::string_view part) {
      if (MissingKind(part) != Missing::kNo) return;
      ++all;
      if (const auto mask = ReadMask(part)) ++(mask->behind ? masks_behind : masks_in_front);
      if (const auto date = ReadDates(part)) {
        ++dates;
        if (date->fine) ++fine;
      }
      const NumberReading number = ReadNumber(part);
      if (number.sureness != Sureness::kNone) ++numbers;
      if (number.sureness == Sureness::kRange) ++sure;
      if (number.sureness == Sureness::kBare) ++bare;
      // What looks like a range and is none: the ends are the wrong way round.
      if (number.sureness == Sureness::kNone && LooksBare(part)) ++bare_wrong;
      if (HasLeadingZero(part) && part.find_first_not_of("0123456789-") == part.npos) ++zeros;
    });
    if (all == 0) return Notation::kText;
    const auto nearly_all = [&](std::size_t some) { return 10 * some >= 9 * all; };
    if (fine > 0 && nearly_all(dates)) return Notation::kDates;
    if ((masks_behind > 0) != (masks_in_front > 0) && sure == 0) {
      behind_ = masks_behind > 0;
      return Notation::kCodes;
    }
    bare_ranges_ = bare_wrong == 0 && zeros == 0;
    if (!bare_ranges_) numbers -= bare;
    if (zeros > 0 && sure == 0) return Notation::kText;
    if (nearly_all(numbers) || (sure > 0 && 2 * numbers >= all)) return Notation::kNumbers;
    return Notation::kText;
  }

  static bool LooksBare(std::string_view part) {
    const std::size_t at = part.find('-', 1);
    return at != part.npos && ReadNumber(part.substr(0, at)).sureness == Sureness::kPlain &&
           ReadNumber(part.substr(at + 1)).sureness == Sureness::kPlain;
  }

  // What is missing stands for everything: nobody can be told from it.
  void OpenMissing() {
    const bool numbers = column_.notation != Notation::kText;
    bool codes = false;
    ForEachPart([&](std::string_view part) { codes = codes || (part != "NA" && ShortCode(part)); });
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      const std::string_view text = Trimmed(given_[i]);
      const Missing kind = MissingKind(text);
      const bool missing = kind == Missing::kAlways || (kind == Missing::kUnlessCodes && !codes) ||
                           (kind == Missing::kAmongNumbers && numbers);
      if (!missing) continue;
      texts_[i].open = true;
      column_.missing.emplace_back(text);
    }
  }

  bool AnyOpen() const {
    return std::any_of(texts_.begin(), texts_.end(), [](const Text& text) { return text.open; });
  }

  std::optional<Piece> PieceOf(std::string_view part) const {
    if (column_.notation == Notation::kDates) {
      const auto date = ReadDates(part);
      if (!date) return std::nullopt;
      return Piece{date->first, date->last, true, true};
    }
    const NumberReading number = ReadNumber(part);
    if (number.sureness == Sureness::kNone) return std::nullopt;
    if (number.sureness == Sureness::kBare && !bare_ranges_) return std::nullopt;
    return number.piece;
  }

  // Values without an order, after the atoms that are there.
  std::uint32_t Single(std::string_view part) {
    const auto [at, added] = single_.emplace(part, column_.atoms);
    if (added) ++column_.atoms;
    return at->second;
  }

  void OnLine() {
    std::vector<Piece> pieces;
    std::vector<std::vector<std::size_t>> of_text(texts_.size());
    std::vector<std::pair<std::size_t, std::string_view>> odd;
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      if (texts_[i].open) continue;
      for (const std::string_view part : texts_[i].parts) {
        if (const auto piece = PieceOf(part)) {
          column_.ranges = column_.ranges || piece->low != piece->high;
          of_text[i].push_back(pieces.size());
          pieces.push_back(*piece);
        } else {
          odd.emplace_back(i, part);
        }
      }
    }
    const Line line = CutLine(pieces);
    column_.atoms = line.atoms;
    column_.whole = line.whole;
    Sets sets(texts_.size());
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      for (const std::size_t piece : of_text[i]) sets[i].push_back(line.of_piece[piece]);
    }
    for (const auto& [text, part] : odd) {
      const std::uint32_t atom = Single(part);
      sets[text].push_back({atom, atom + 1});
    }
    for (const auto& [part, atom] : single_) column_.odd.emplace_back(part);
    Finish(std::move(sets), !line.complete);
  }

  void AsText() {
    Sets sets(texts_.size());
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      if (texts_[i].open) continue;
      for (const std::string_view part : texts_[i].parts) {
        const std::uint32_t atom = Single(part);
        sets[i].push_back({atom, atom + 1});
      }
    }
    Finish(std::move(sets), true);
  }

  // What is known of a code, from its known end on.
  std::string Known(std::string_view part) const {
    const auto mask = ReadMask(part);
    std::string known(mask ? mask->known : part);
    if (!behind_) std::reverse(known.begin(), known.end());
    return known;
  }

  // Codes in order; those with one beginning follow each other. A mask has an atom for the codes
  // that no longer label names.
  void AsCodes() {
    std::set<std::pair<std::string, bool>> items;  // what is known, and whether nothing is masked
    ForEachPart(
        [&](std::string_view part) { items.emplace(Known(part), !ReadMask(part).has_value()); });
    const std::vector<std::pair<std::string, bool>> order(items.begin(), items.end());
    column_.atoms = static_cast<std::uint32_t>(order.size());
    const auto at = [&](const std::pair<std::string, bool>& item) {
      return static_cast<std::uint32_t>(std::lower_bound(order.begin(), order.end(), item) -
                                        order.begin());
    };
    Sets sets(texts_.size());
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      if (texts_[i].open) continue;
      for (const std::string_view part : texts_[i].parts) {
        const std::string known = Known(part);
        if (!ReadMask(part)) {
          const std::uint32_t atom = at({known, true});
          sets[i].push_back({atom, atom + 1});
          continue;
        }
        column_.ranges = true;
        const std::uint32_t first = at({known, false});
        std::uint32_t last = first;
        while (last < order.size() && order[last].first.starts_with(known)) ++last;
        sets[i].push_back({first, last});
      }
    }
    Finish(std::move(sets), true);
  }

  void Finish(Sets sets, bool more) {
    column_.unnamed = AnyOpen() && more;
    if (column_.unnamed) ++column_.atoms;
    if (column_.atoms == 0) column_.atoms = 1;  // nothing but stars, on a line that is complete
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      if (texts_[i].open) sets[i] = {{0, column_.atoms}};
    }
    sets_ = std::move(sets);
  }

  // Texts that stand for the same atoms are one label.
  void Number() {
    std::map<AtomSet, std::uint32_t> numbers;
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      AtomSet set(std::move(sets_[i]));
      const auto next = static_cast<std::uint32_t>(column_.labels.size());
      const auto [at, added] = numbers.emplace(std::move(set), next);
      if (added) {
        column_.labels.push_back(at->first);
        column_.texts.emplace_back(Trimmed(given_[i]));
      }
      column_.of_text.push_back(at->second);
    }
  }

  void Relate() {
    const auto overlaps = Overlaps(column_);
    for (std::size_t a = 0; a < overlaps.size(); ++a) {
      column_.disjoint = column_.disjoint && overlaps[a].size() == 1;
      for (const std::uint32_t b : overlaps[a]) {
        if (!column_.nested) break;
        column_.nested = column_.labels[a].Contains(column_.labels[b]) ||
                         column_.labels[b].Contains(column_.labels[a]);
      }
    }
  }

  std::span<const std::string_view> given_;
  std::vector<Text> texts_;
  std::map<std::string_view, std::uint32_t> single_;
  Sets sets_;
  bool bare_ranges_ = true;
  bool behind_ = true;
  ColumnLabels column_;
};

}  // namespace

ColumnLabels ReadLabels(std::span<const std::string_view> texts) { return Reader(texts).Read(); }

std::vector<std::vector<std::uint32_t>> Overlaps(const ColumnLabels& column) {
  struct Entry {
    Span span;
    std::uint32_t label;
  };
  std::vector<Entry> entries;
  for (std::uint32_t label = 0; label < column.labels.size(); ++label) {
    for (const Span& span : column.labels[label].spans()) entries.push_back({span, label});
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.span.first, a.label) < std::pair(b.span.first, b.label);
  });
  std::vector<std::vector<std::uint32_t>> overlaps(column.labels.size());
  std::vector<Entry> open;
  for (const Entry& entry : entries) {
    std::erase_if(open, [&](const Entry& other) { return other.span.last <= entry.span.first; });
    for (const Entry& other : open) {
      overlaps[entry.label].push_back(other.label);
      overlaps[other.label].push_back(entry.label);
    }
    open.push_back(entry);
  }
  for (std::uint32_t label = 0; label < overlaps.size(); ++label) {
    overlaps[label].push_back(label);
    std::sort(overlaps[label].begin(), overlaps[label].end());
    overlaps[label].erase(std::unique(overlaps[label].begin(), overlaps[label].end()),
                          overlaps[label].end());
  }
  return overlaps;
}

}  // namespace reissue::labels
