#include "reissue/models/invariance/service/state.h"

#include <algorithm>

#include "reissue/binding/state_bytes.h"
#include "reissue/models/invariance/publisher/coherent.h"

namespace reissue::models::invariance::service {
namespace {

namespace inv = models::invariance;

// Of format 1 only the pieces are missing: everybody who has left is among the members.
constexpr std::uint32_t kOldStateFormat = 1;
constexpr std::uint32_t kNoGuidesFormat = 2;
constexpr std::uint32_t kStateFormat = 3;

void Write(const inv::Bucket& bucket, binding::StateWriter& out) {
  out.Each(bucket.signature, [&](inv::Value value) { out.Number(value); });
  out.Each(bucket.history.stays, [&](const inv::Stay& stay) {
    out.Number(stay.came);
    out.Number(stay.left);
    out.Number(stay.people);
  });
  out.Each(bucket.history.returns, [&](const inv::Return& person) {
    out.Each(person.stays, [&](const auto& stay) {
      out.Number(stay.first);
      out.Number(stay.second);
    });
    out.Number(person.people);
  });
  out.Number(static_cast<std::uint8_t>(bucket.merged));
  out.Number(bucket.returned);
}

inv::Bucket ReadBucket(binding::StateReader& in) {
  inv::Bucket bucket;
  in.Each(bucket.signature, [&] { return in.Number<inv::Value>(); });
  in.Each(bucket.history.stays, [&] {
    inv::Stay stay;
    stay.came = in.Number<inv::Moment>();
    stay.left = in.Number<inv::Moment>();
    stay.people = in.Number<std::uint64_t>();
    return stay;
  });
  in.Each(bucket.history.returns, [&] {
    inv::Return person;
    in.Each(person.stays, [&] {
      std::pair<inv::Moment, inv::Moment> stay;
      stay.first = in.Number<inv::Moment>();
      stay.second = in.Number<inv::Moment>();
      return stay;
    });
    person.people = in.Number<std::uint64_t>();
    return person;
  });
  bucket.merged = in.Number<std::uint8_t>() != 0;
  bucket.returned = in.Number<std::uint64_t>();
  return bucket;
}

void Write(const inv::Member& member, binding::StateWriter& out) {
  out.Small(member.bucket);
  out.Small(member.value);
  out.Small(member.came);
  out.Small(member.left);
  out.Small(member.stays + 1);  // 0: kOneStay
  out.Small(member.counterfeit);
}

inv::Member ReadMember(binding::StateReader& in) {
  inv::Member member;
  static_assert(inv::kOneStay + 1 == 0);
  member.bucket = in.Small();
  member.value = in.Small();
  member.came = in.Small();
  member.left = in.Small();
  member.stays = in.Small() - 1;
  member.counterfeit = in.Small() != 0;
  return member;
}

// Indices that point nowhere would be followed later.
bool Coherent(const SeriesState& r) {
  const auto& state = r.state;
  bool good = r.keys.size() == state.members.size() && r.per_release.size() == state.release;
  for (const inv::Bucket& bucket : state.buckets) {
    for (const inv::Value value : bucket.signature) good &= value < r.values.size();
  }
  good = good && inv::Coherent(state);
  for (const Counterfeit& counterfeit : r.counterfeits) {
    good = good && counterfeit.member < state.members.size() &&
           state.members[counterfeit.member].counterfeit;
  }
  for (const Guide& guide : r.guides) good = good && guide.member < state.members.size();
  return good;
}

}  // namespace

Error SenselessSeries() { return binding::SenselessRecord("who was published in which group"); }

bool Fits(const SeriesState& r, const binding::GroupedTable& table) {
  const std::size_t shown = table.shown.size(), sensitive = table.holder.sensitive.columns.size();
  const auto looks = [&](const auto& one) { return one.row.size() == shown; };
  return std::ranges::all_of(r.counterfeits, looks) && std::ranges::all_of(r.guides, looks) &&
         std::ranges::all_of(r.values,
                             [&](const auto& texts) { return texts.size() == sensitive; });
}

std::string Save(const SeriesState& r) {
  binding::StateWriter out;
  out.Reserve(r.keys.size() * 24);
  out.Number(kStateFormat);
  out.Number(r.state.release);
  out.Each(r.values, [&](const binding::ValueTexts& value) {
    out.Each(value, [&](const std::string& text) { out.Text(text); });
  });
  out.Each(r.state.buckets, [&](const inv::Bucket& bucket) { Write(bucket, out); });
  out.Each(r.state.members, [&](const inv::Member& member) { Write(member, out); });
  out.Each(r.keys, [&](const ledger::PersonKey& key) { out.Raw(key); });
  out.Each(r.counterfeits, [&](const Counterfeit& counterfeit) {
    out.Number(counterfeit.member);
    out.Number(counterfeit.number);
    out.Each(counterfeit.row, [&](const std::string& text) { out.Text(text); });
  });
  out.Number(r.counterfeits_so_far);
  out.Each(r.per_release, [&](std::uint64_t count) { out.Number(count); });
  out.Each(r.gone, [&](std::uint64_t size) { out.Number(size); });
  out.Each(r.guides, [&](const Guide& guide) {
    out.Number(guide.member);
    out.Each(guide.row, [&](const std::string& text) { out.Text(text); });
  });
  return out.Take();
}

Result<SeriesState> ParseSeriesState(std::string_view bytes) {
  binding::StateReader in(bytes);
  SeriesState r;
  const auto format = in.Number<std::uint32_t>();
  r.state.release = in.Number<inv::Moment>();
  in.Each(r.values, [&] {
    binding::ValueTexts value;
    in.Each(value, [&] { return in.Text(); });
    return value;
  });
  in.Each(r.state.buckets, [&] { return ReadBucket(in); });
  in.Each(r.state.members, [&] { return ReadMember(in); });
  in.Each(r.keys, [&] { return in.Key(); });
  in.Each(r.counterfeits, [&] {
    Counterfeit counterfeit;
    counterfeit.member = in.Number<std::uint32_t>();
    counterfeit.number = in.Number<std::uint64_t>();
    in.Each(counterfeit.row, [&] { return in.Text(); });
    return counterfeit;
  });
  r.counterfeits_so_far = in.Number<std::uint64_t>();
  in.Each(r.per_release, [&] { return in.Number<std::uint64_t>(); });
  if (format != kOldStateFormat) in.Each(r.gone, [&] { return in.Number<std::uint64_t>(); });
  if (format > kNoGuidesFormat) {
    in.Each(r.guides, [&] {
      Guide guide;
      guide.member = in.Number<std::uint32_t>();
      in.Each(guide.row, [&] { return in.Text(); });
      return guide;
    });
  }
  if (format < kOldStateFormat || format > kStateFormat || !in.done() || !Coherent(r)) {
    return SenselessSeries();
  }
  return r;
}

Result<SeriesState> LoadSeriesState(ledger::Vault& vault) {
  const std::optional<std::string> bytes = REISSUE_TRY(vault.Unseal(SeriesState::kSecret));
  if (!bytes) return SeriesState{};
  return ParseSeriesState(*bytes);
}

void SeriesState::Follow(const std::vector<std::uint32_t>& to) {
  // Nobody's index grows: whoever stays moves to the front.
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (to[i] == inv::kNewcomer) continue;
    REISSUE_CHECK(to[i] <= i);
    keys[to[i]] = keys[i];
  }
  keys.resize(state.members.size());
  std::erase_if(counterfeits, [&](const Counterfeit& c) { return to[c.member] == inv::kNewcomer; });
  for (Counterfeit& counterfeit : counterfeits) counterfeit.member = to[counterfeit.member];
  std::erase_if(guides, [&](const Guide& guide) { return to[guide.member] == inv::kNewcomer; });
  for (Guide& guide : guides) guide.member = to[guide.member];
}

}  // namespace reissue::models::invariance::service
