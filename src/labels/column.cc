#include "reissue/labels/column.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "reissue/labels/collect.h"
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

bool IsDecimal(char c) { return '0' <= c && c <= '9'; }
bool HasDigit(std::string_view text) { return std::any_of(text.begin(), text.end(), IsDecimal); }

// Letters and digits, of which one is a digit.
bool IsCode(std::string_view text) {
  const auto letter = [](char c) { return ('A' <= c && c <= 'Z') || ('a' <= c && c <= 'z'); };
  return HasDigit(text) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return IsDecimal(c) || letter(c); });
}

class Reader {
 public:
  Reader(std::span<const std::string_view> texts, bool cut) : given_(texts) { column_.cut = cut; }

  ColumnLabels Read() {
    Split();
    column_.notation = column_.cut ? Notation::kCodes : Decide();
    OpenMissing();
    switch (column_.notation) {
      case Notation::kNumbers:
      case Notation::kDates:
        OnLine();
        break;
      case Notation::kCodes:
        AsCodes();
        break;
      case Notation::kTaxonomy:
      case Notation::kText:
        AsText();
        break;
    }
    Collect(given_, std::move(sets_), column_);
    return std::move(column_);
  }

 private:
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

  // More may follow: it is masked, or cut.
  bool IsBeginning(std::string_view part) const {
    return ReadMask(part).has_value() || (column_.cut && part.size() < longest_);
  }

  // Codes in order; those with one beginning follow each other. A mask has an atom for the codes
  // that no longer label names.
  void AsCodes() {
    ForEachPart([&](std::string_view part) { longest_ = std::max(longest_, part.size()); });
    std::set<std::pair<std::string, bool>> items;  // what is known, and whether nothing is masked
    ForEachPart([&](std::string_view part) { items.emplace(Known(part), !IsBeginning(part)); });
    const std::vector<std::pair<std::string, bool>> order(items.begin(), items.end());
    column_.atoms = static_cast<std::uint32_t>(order.size());
    const auto at = [&](const std::pair<std::string, bool>& item) {
      return static_cast<std::uint32_t>(std::lower_bound(order.begin(), order.end(), item) -
                                        order.begin());
    };
    const bool digits = std::any_of(order.begin(), order.end(), [](const auto& item) {
      return !item.second && HasDigit(item.first);
    });
    Sets sets(texts_.size());
    for (std::size_t i = 0; i < texts_.size(); ++i) {
      if (texts_[i].open) continue;
      for (const std::string_view part : texts_[i].parts) {
        if (digits && !HasDigit(part)) column_.odd.emplace_back(part);
        const std::string known = Known(part);
        if (!IsBeginning(part)) {
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

  std::span<const std::string_view> given_;
  std::vector<Text> texts_;
  std::map<std::string_view, std::uint32_t> single_;
  Sets sets_;
  bool bare_ranges_ = true;
  bool behind_ = true;
  std::size_t longest_ = 0;
  ColumnLabels column_;
};

}  // namespace

ColumnLabels ReadLabels(std::span<const std::string_view> texts, bool cut) {
  return Reader(texts, cut).Read();
}

bool AreCutCodes(std::span<const std::vector<std::string_view>> files) {
  constexpr std::size_t kShortest = 3;
  std::map<std::size_t, std::set<std::string_view>> by_length;
  for (const auto& texts : files) {
    std::size_t length = 0;
    for (const std::string_view given : texts) {
      const std::string_view text = Trimmed(given);
      if (IsStar(text) || MissingKind(text) == Missing::kAlways) continue;
      if (!IsCode(text) || text.size() < kShortest) return false;
      if (length != 0 && text.size() != length) return false;
      length = text.size();
      by_length[length].insert(text);
    }
  }
  if (by_length.size() < 2) return false;
  const auto& [shortest, beginnings] = *by_length.begin();
  std::size_t longer = 0, begun = 0;
  for (auto at = std::next(by_length.begin()); at != by_length.end(); ++at) {
    for (const std::string_view text : at->second) {
      ++longer;
      begun += beginnings.contains(text.substr(0, shortest)) ? 1 : 0;
    }
  }
  return 10 * begun >= 9 * longer;
}

}  // namespace reissue::labels
