#include "reissue/models/invariance/service/looks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "reissue/taxonomy/numbers.h"

namespace reissue::models::invariance::service {
namespace {

using Rows = Crowd::Rows;
using Code = Crowd::Code;

constexpr std::size_t kModels = 100;
constexpr int kCandidates = 24;
constexpr std::size_t kChoice = 6;  // people who are alike enough to choose from
constexpr double kBinding = 0.5;    // a tie that is kept even if it leaves fewer
constexpr double kNearby = 1.0 / 16;
constexpr int kTrials = 60;

// In how many of the sets somebody is at most, and who they are.
std::pair<std::size_t, Rows> Most(const std::vector<Rows>& sets, const Rows& among) {
  std::vector<Rows> digits;  // of each one's count, the lowest first
  for (Rows carry : sets) {
    for (Rows& digit : digits) {
      const Rows next = digit & carry;
      digit ^= carry;
      carry = next;
    }
    if (carry.any()) digits.push_back(carry);
  }
  std::size_t most = 0;
  Rows who = among;
  for (std::size_t i = digits.size(); i-- > 0;) {
    most *= 2;
    if ((who & digits[i]).none()) continue;
    who &= digits[i];
    most += 1;
  }
  return {most, who};
}

// Who is the n-th of a set, from 0. Word by word: asked hundreds of times per counterfeit.
std::size_t Nth(const Rows& rows, std::size_t n) {
  constexpr std::size_t kBits = 64;
  const auto words = std::bit_cast<std::array<std::uint64_t, sizeof(Rows) / sizeof(n)>>(rows);
  std::size_t word = 0;
  for (std::size_t here; n >= (here = static_cast<std::size_t>(std::popcount(words[word])));
       ++word) {
    n -= here;
  }
  std::uint64_t left = words[word];
  for (; n > 0; --n) left &= left - 1;
  return word * kBits + static_cast<std::size_t>(std::countr_zero(left));
}

std::size_t Decimals(std::string_view text) {
  const std::size_t point = text.find('.');
  return point == std::string_view::npos ? 0 : text.size() - point - 1;
}

// Of the last digit that is more than a zero at the end.
double StepOf(std::string_view text) {
  if (const std::size_t decimals = Decimals(text); decimals > 0) {
    return std::pow(10, -static_cast<double>(decimals));
  }
  double step = 1;
  for (std::size_t i = text.size(); i-- > 1 && text[i] == '0';) step *= 10;
  return step;
}

std::string Like(std::string_view text, double number) {
  return fmt::format("{:.{}f}", number, Decimals(text));
}

}  // namespace

Looks::Looks(const Crowd& crowd, Random& random) : crowd_(crowd), random_(random) {
  for (std::size_t i = 0; i < std::min(kModels, crowd.size()); ++i) {
    models_.push_back(ProfileOf(i));
  }
  const auto n = static_cast<double>(models_.size());
  for (double Profile::*part : kParts) {
    double sum = 0, squares = 0;
    for (const Profile& model : models_) {
      sum += model.*part;
      squares += model.*part * model.*part;
    }
    scale_.*part = std::sqrt(std::max(0.0, squares / n - sum / n * sum / n)) + 0.1;
  }
}

Looks::Profile Looks::ProfileOf(std::vector<Rows> with) const {
  Profile profile;
  Rows twins = crowd_.everybody();
  for (std::size_t c = 0; c < with.size(); ++c) {
    twins &= with[c];
    profile.frequency += std::log1p(static_cast<double>(with[c].count()));
    profile.alone += with[c].none();
    for (std::size_t o = 0; o < c; ++o) {
      profile.odd += with[c].any() && with[o].any() && (with[c] & with[o]).none();
    }
  }
  profile.twins = std::log1p(static_cast<double>(twins.count()));
  const auto [overlap, who] = Most(with, crowd_.everybody());
  const std::size_t nearest = Nth(who, 0);
  std::erase_if(with, [&](const Rows& rows) { return rows[nearest]; });
  profile.overlap = static_cast<double>(overlap);
  profile.two = static_cast<double>(overlap + Most(with, crowd_.everybody()).first);
  return profile;
}

Looks::Profile Looks::ProfileOf(std::size_t member) const {
  std::vector<Rows> with;
  for (std::size_t c = 0; c < crowd_.shown(); ++c) {
    with.push_back(crowd_.With(c, crowd_.columns()[c].code[member], true));
    with.back().reset(member);
  }
  return ProfileOf(std::move(with));
}

Looks::Profile Looks::ProfileOf(const std::vector<std::string>& row) const {
  std::vector<Rows> with;
  for (std::size_t c = 0; c < crowd_.shown(); ++c) {
    const auto known = crowd_.columns()[c].column->dictionary().Find(row[c]);
    with.push_back(crowd_.With(c, known ? known->raw() : Crowd::kNobodys, true));
  }
  return ProfileOf(std::move(with));
}

double Looks::Far(const Profile& a, const Profile& b) const {
  double far = 0;
  for (double Profile::*part : kParts) far += std::pow((a.*part - b.*part) / scale_.*part, 2);
  return far;
}

std::vector<std::string> Looks::New(std::uint32_t bucket) {
  const Profile& model = models_[random_.Below(models_.size())];
  std::vector<std::string> best;
  double least = 0;
  for (int i = 0; i < kCandidates; ++i) {
    std::vector<std::string> candidate = Candidate(bucket);
    const double far = Far(ProfileOf(candidate), model);
    if (i > 0 && far >= least) continue;
    least = far;
    best = std::move(candidate);
  }
  return best;
}

std::vector<std::string> Looks::Candidate(std::uint32_t bucket) {
  std::vector<Code> codes(crowd_.columns().size());
  std::vector<bool> filled(codes.size());
  codes[crowd_.bucket_column()] = bucket;
  codes[crowd_.fresh_column()] = 0;
  filled[crowd_.bucket_column()] = filled[crowd_.fresh_column()] = true;
  Rows used;
  for (std::size_t n = 0; n < crowd_.shown(); ++n) {
    const std::size_t column = Next(filled);
    codes[column] = Draw(column, codes, filled, used);
    filled[column] = true;
  }
  std::vector<std::string> texts;
  for (std::size_t c = 0; c < crowd_.shown(); ++c) texts.push_back(Written(c, codes[c]));
  return texts;
}

// The column that is best known by those that are filled already; any where none is.
std::size_t Looks::Next(const std::vector<bool>& filled) {
  std::size_t next = 0, ties = 0;
  double most = -1;
  for (std::size_t to = 0; to < crowd_.shown(); ++to) {
    if (filled[to]) continue;
    double strength = 0;
    for (std::size_t from = 0; from < crowd_.shown(); ++from) {
      if (filled[from]) strength = std::max(strength, crowd_.tie(from, to).strength);
    }
    if (strength > most) ties = 0;
    if (strength < most || random_.Below(++ties) > 0) continue;
    most = strength;
    next = to;
  }
  return next;
}

// Somebody's who is like the row in the columns that tell of this one.
Code Looks::Draw(std::size_t to, const std::vector<Code>& codes, const std::vector<bool>& filled,
                 Rows& used) {
  std::vector<std::pair<double, std::size_t>> ties;
  for (std::size_t from = 0; from < codes.size(); ++from) {
    const double strength = crowd_.tie(from, to).strength;
    if (filled[from] && strength > 0) ties.emplace_back(-strength, from);
  }
  std::ranges::sort(ties);
  Rows alike = crowd_.everybody();
  for (const auto& [weakness, from] : ties) {
    const Rows closer = alike & crowd_.With(from, codes[from], crowd_.tie(from, to).exact);
    if (closer.count() >= kChoice || (-weakness >= kBinding && closer.any())) alike = closer;
  }
  if ((alike & ~used).any()) alike &= ~used;
  const std::size_t donor = Nth(alike, random_.Below(alike.count()));
  used.set(donor);
  return crowd_.columns()[to].code[donor];
}

// Numbers would be too frequent if they were copied.
std::string Looks::Written(std::size_t c, Code code) {
  const Crowd::LookColumn& column = crowd_.columns()[c];
  bool copied = !column.numeric;
  for (std::size_t o = 0; o < crowd_.shown(); ++o) {
    copied = copied || crowd_.tie(o, c).exact || crowd_.tie(c, o).exact;
  }
  if (copied) return std::string(column.text(code));
  return column.count[code] == 1 ? Unseen(column, code) : Rarer(column, code);
}

// A number nearby that does not occur.
std::string Looks::Unseen(const Crowd::LookColumn& column, Code code) {
  const std::string_view text = column.text(code);
  const auto& numbers = column.numbers.number;
  const std::span<const Code> nearby = column.Nearby(code, kNearby);
  const double step = StepOf(text), number = numbers[code];
  const auto down = static_cast<std::uint64_t>((number - numbers[nearby.front()]) / step + 0.5);
  const auto up = static_cast<std::uint64_t>((numbers[nearby.back()] - number) / step + 0.5);
  for (int trial = 0; trial < kTrials; ++trial) {
    const double other = number + step * (static_cast<double>(random_.Below(down + up + 1)) -
                                          static_cast<double>(down));
    const auto taken = std::ranges::lower_bound(nearby, other - step / 4, {},
                                                [&](Code one) { return numbers[one]; });
    if (taken != nearby.end() && numbers[*taken] < other + step / 4) continue;
    std::string written = Like(text, other);
    if (StepOf(written) == step) return written;
  }
  return std::string(text);
}

// A number nearby that is as frequent as this one is beside its owner.
std::string Looks::Rarer(const Crowd::LookColumn& column, Code code) {
  Code best = code;
  std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
  std::size_t ties = 0;
  for (const Code other : column.Nearby(code, kNearby)) {
    const std::uint32_t wanted = column.count[code] - 1, count = column.count[other];
    const std::uint32_t off = std::max(wanted, count) - std::min(wanted, count);
    if (off < least) ties = 0;
    if (off > least || random_.Below(++ties) > 0) continue;
    least = off;
    best = other;
  }
  return std::string(column.text(best));
}

void Looks::Change(const std::vector<std::string>& before, const std::vector<std::string>& after,
                   std::vector<std::string>& row) {
  std::vector<Code> codes(crowd_.columns().size());
  std::vector<bool> filled(codes.size());
  std::vector<std::size_t> anew;
  for (std::size_t c = 0; c < crowd_.shown(); ++c) {
    const Crowd::LookColumn& column = crowd_.columns()[c];
    if (before[c] != after[c]) {
      const auto old = taxonomy::ParseNumber(before[c]), now = taxonomy::ParseNumber(after[c]),
                 own = taxonomy::ParseNumber(row[c]);
      if (!column.numeric || !old || !now || !own) {
        anew.push_back(c);
        continue;
      }
      // Nobody else changes by the same amount where numbers are somebody's own.
      const double much = column.sparse ? 0.5 + random_.Unit() : 1;
      const auto& [number, rank, sorted] = column.numbers;
      row[c] = Like(after[c], std::clamp(*own + much * (*now - *old), number[sorted.front()],
                                         number[sorted.back()]));
    }
    const auto known = column.column->dictionary().Find(row[c]);
    if (!known || known->raw() >= column.count.size() || column.count[known->raw()] == 0) continue;
    codes[c] = known->raw();
    filled[c] = true;
  }
  Rows used;
  for (const std::size_t c : anew) {
    codes[c] = Draw(c, codes, filled, used);
    filled[c] = true;
    row[c] = crowd_.columns()[c].text(codes[c]);
  }
}

}  // namespace reissue::models::invariance::service
