#include "reissue/models/invariance/service/gone.h"

#include <fmt/format.h>

#include <map>

#include "reissue/binding/state_bytes.h"
#include "reissue/models/invariance/publisher/at_hand.h"
#include "reissue/models/invariance/service/keys.h"

namespace reissue::models::invariance::service {
namespace {

namespace inv = models::invariance;

constexpr std::uint32_t kGoneFormat = 1;

// A piece of which only the keys, and what was merged, have been read.
class GoneReader {
 public:
  explicit GoneReader(std::string_view bytes) : in_(bytes) {
    const auto format = in_.Number<std::uint32_t>();
    const auto people = in_.Number<std::uint64_t>();
    good_ = format == kGoneFormat && people <= bytes.size() / sizeof(ledger::PersonKey);
    if (!good_) return;
    keys_ = in_.Raw(people * sizeof(ledger::PersonKey));
    in_.Each(merged, [&] {
      const std::uint32_t bucket = in_.Small();
      const inv::Moment from = in_.Small();
      return inv::MergedMoment{bucket, from, in_.Small()};
    });
  }

  std::size_t size() const { return keys_.size() / sizeof(ledger::PersonKey); }
  bool good() const { return good_ && in_.good(); }
  ledger::PersonKey key(std::size_t i) const {
    ledger::PersonKey key;
    std::copy_n(keys_.begin() + static_cast<std::ptrdiff_t>(i * key.size()), key.size(),
                key.begin());
    return key;
  }

  // The rest, without keys and merges. False where it makes no sense.
  bool Rest(GonePiece& piece) {
    in_.Each(piece.kinds, [&] {
      GonePiece::Kind kind;
      kind.bucket = in_.Small();
      in_.Each(kind.stays, [&] {
        const inv::Moment came = in_.Small();
        return std::pair(came, inv::Moment{in_.Small()});
      });
      return kind;
    });
    in_.Each(piece.people, [&] {
      const std::uint32_t kind = in_.Small();
      return GonePiece::Person{kind, in_.Small()};
    });
    if (!good_ || !in_.done() || piece.people.size() != size()) return false;
    return std::ranges::all_of(piece.people, [&](const GonePiece::Person& person) {
      return person.kind < piece.kinds.size();
    });
  }

  std::vector<inv::MergedMoment> merged;

 private:
  binding::StateReader in_;
  std::string_view keys_;
  bool good_ = true;
};

// Numbers the kinds of a piece.
class KindNumbers {
 public:
  explicit KindNumbers(GonePiece& piece) : piece_(piece) {}
  std::uint32_t Of(GonePiece::Kind kind) {
    const auto [at, fresh] =
        known_.try_emplace(std::move(kind), static_cast<std::uint32_t>(piece_.kinds.size()));
    if (fresh) piece_.kinds.push_back(at->first);
    return at->second;
  }
  // Nearly everybody was there once, and many at the same time.
  std::uint32_t OfPerson(inv::Departed& person) {
    if (person.stays.size() != 1) return Of({person.bucket, std::move(person.stays)});
    const auto [came, left] = person.stays[0];
    return once_.Of({person.bucket, came, left}, [&] {
      return Of({person.bucket, std::move(person.stays)});
    });
  }

 private:
  GonePiece& piece_;
  std::map<GonePiece::Kind, std::uint32_t> known_;
  inv::internal::AtHand once_;
};

Result<std::string> UnsealGone(std::size_t number, ledger::Vault& vault) {
  std::optional<std::string> bytes = REISSUE_TRY(vault.Unseal(GoneSecret(number)));
  if (!bytes) return binding::SenselessRecord("who has left the series");
  return std::move(*bytes);
}

// Identities that are in a piece.
class Identities {
 public:
  explicit Identities(const GonePiece& piece) : piece_(piece), index_(piece.keys) {}
  bool Have(const ledger::PersonKey& key, inv::Value value) const {
    bool found = false;
    index_.ForEach(key, [&](std::uint32_t i) { found |= piece_.people[i].value == value; });
    return found;
  }

 private:
  const GonePiece& piece_;
  KeyIndex index_;
};

}  // namespace

std::string GoneSecret(std::size_t number) { return fmt::format("changing/gone/{}", number); }

std::string Save(const GonePiece& piece) {
  binding::StateWriter out;
  out.Reserve(piece.keys.size() * 20 + piece.merged.size() * 6 + piece.kinds.size() * 12 + 64);
  out.Number(kGoneFormat);
  out.Each(piece.keys, [&](const ledger::PersonKey& key) { out.Raw(key); });
  out.Each(piece.merged, [&](const inv::MergedMoment& moment) {
    out.Small(moment.bucket);
    out.Small(moment.from);
    out.Small(moment.to);
  });
  out.Each(piece.kinds, [&](const GonePiece::Kind& kind) {
    out.Small(kind.bucket);
    out.Each(kind.stays, [&](const auto& stay) {
      out.Small(stay.first);
      out.Small(stay.second);
    });
  });
  out.Each(piece.people, [&](const GonePiece::Person& person) {
    out.Small(person.kind);
    out.Small(person.value);
  });
  return out.Take();
}

Result<GonePiece> ParseGone(std::string_view bytes) {
  GoneReader in(bytes);
  GonePiece piece;
  if (!in.good() || !in.Rest(piece)) return binding::SenselessRecord("who has left the series");
  piece.merged = std::move(in.merged);
  piece.keys.resize(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) piece.keys[i] = in.key(i);
  return piece;
}

GonePiece Together(GonePiece older, const GonePiece& newer) {
  inv::MomentsSince since;
  since.AddEarlier(newer.merged);
  GonePiece joined;
  KindNumbers numbers(joined);
  std::vector<std::uint32_t> kind_now;
  for (GonePiece::Kind& kind : older.kinds) {
    for (auto& [came, left] : kind.stays) {
      came = since.Now(kind.bucket, came);
      left = since.Now(kind.bucket, left);
    }
    kind_now.push_back(numbers.Of(std::move(kind)));
  }
  const Identities again(newer);
  for (std::size_t i = 0; i < older.keys.size(); ++i) {
    if (again.Have(older.keys[i], older.people[i].value)) continue;
    joined.keys.push_back(older.keys[i]);
    joined.people.push_back({kind_now[older.people[i].kind], older.people[i].value});
  }
  kind_now.clear();
  for (const GonePiece::Kind& kind : newer.kinds) kind_now.push_back(numbers.Of(kind));
  joined.keys.insert(joined.keys.end(), newer.keys.begin(), newer.keys.end());
  for (const GonePiece::Person& person : newer.people) {
    joined.people.push_back({kind_now[person.kind], person.value});
  }
  for (const inv::MergedMoment& one : older.merged) {
    joined.merged.push_back({one.bucket, one.from, since.Now(one.bucket, one.to)});
  }
  joined.merged.insert(joined.merged.end(), newer.merged.begin(), newer.merged.end());
  return joined;
}

Status TakeOutGone(SeriesState& r, const std::vector<inv::MergedMoment>& merged,
                   ledger::Vault& vault, Secrets& secrets) {
  inv::Dismissal dismissal = inv::Dismiss(r.state);
  GonePiece piece;
  piece.merged = merged;
  KindNumbers numbers(piece);
  for (auto& [member, person] : dismissal.people) {
    piece.keys.push_back(r.keys[member]);
    piece.people.push_back({numbers.OfPerson(person), person.value});
  }
  r.Follow(dismissal.to);
  const std::size_t before = r.gone.size();
  while (!r.gone.empty() && r.gone.back() < 2 * piece.size() &&
         r.gone.back() + piece.size() <= kLargestJoined) {
    const std::string bytes = REISSUE_TRY(UnsealGone(r.gone.size(), vault));
    GonePiece older = REISSUE_TRY(ParseGone(bytes));
    piece = Together(std::move(older), piece);
    r.gone.pop_back();
  }
  if (r.gone.empty()) piece.merged.clear();  // concerns nobody
  if (piece.size() > 0) {
    r.gone.push_back(piece.size());
    secrets.emplace_back(GoneSecret(r.gone.size()), Save(piece));
  }
  for (std::size_t i = r.gone.size(); i < before; ++i) secrets.emplace_back(GoneSecret(i + 1), "");
  return Ok();
}

Result<std::vector<Sought>> FindGone(std::span<const ledger::PersonKey> keys,
                                     std::span<const inv::Value> values, const SeriesState& r,
                                     ledger::Vault& vault) {
  std::vector<Sought> sought(keys.size());
  const KeyIndex index(keys, 8);
  // Newest first: what is found first counts.
  inv::MomentsSince since;
  std::vector<std::vector<inv::MergedMoment>> not_added;
  for (std::size_t number = keys.empty() ? 0 : r.gone.size(); number > 0; --number) {
    const std::string bytes = REISSUE_TRY(UnsealGone(number, vault));
    GoneReader in(bytes);
    if (!in.good()) return binding::SenselessRecord("who has left the series");
    std::vector<std::pair<std::size_t, std::uint32_t>> found;  // in the piece, in `keys`
    for (std::size_t i = in.size(); i-- > 0;) {
      index.ForEach(in.key(i), [&](std::uint32_t who) { found.emplace_back(i, who); });
    }
    if (!found.empty()) {
      for (const auto& merged : not_added) since.AddEarlier(merged);
      not_added.clear();
      GonePiece piece;
      if (!in.Rest(piece)) return binding::SenselessRecord("who has left the series");
      for (const auto& [i, who] : found) {
        const GonePiece::Person& person = piece.people[i];
        if (!sought[who].last) sought[who].last = person.value;
        if (person.value != values[who] || sought[who].person) continue;
        const GonePiece::Kind& kind = piece.kinds[person.kind];
        sought[who].person = inv::Departed{kind.bucket, person.value, kind.stays};
        since.Renumber(*sought[who].person);
      }
    }
    not_added.push_back(std::move(in.merged));
  }
  return sought;
}

}  // namespace reissue::models::invariance::service
