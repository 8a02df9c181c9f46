#include "reissue/engine/invariance_state.h"

#include <algorithm>
#include <array>

namespace reissue::engine {
namespace {

namespace inv = models::invariance;

constexpr std::uint32_t kStateFormat = 1;

// Little endian; lists and texts with their lengths in front.
class StateWriter {
 public:
  template <typename T>
  void Number(T value) {
    std::array<char, sizeof(T)> bytes;
    for (std::size_t b = 0; b < sizeof(T); ++b)
      bytes[b] = static_cast<char>(value >> (8 * b) & 0xff);
    bytes_.append(bytes.data(), bytes.size());
  }
  // Seven bits a byte, the lowest first; the last byte is below 128.
  void Small(std::uint32_t value) {
    std::array<char, 5> bytes;
    std::size_t size = 0;
    for (; value >= 128; value >>= 7) bytes[size++] = static_cast<char>((value & 127) | 128);
    bytes[size++] = static_cast<char>(value);
    bytes_.append(bytes.data(), size);
  }
  void Text(std::string_view text) {
    Number(static_cast<std::uint32_t>(text.size()));
    bytes_ += text;
  }
  void Raw(const ledger::PersonKey& key) { bytes_.append(key.begin(), key.end()); }
  template <typename List, typename Write>
  void Each(const List& list, Write write) {
    Number(static_cast<std::uint64_t>(list.size()));
    for (const auto& item : list) write(item);
  }
  std::string Take() { return std::move(bytes_); }
  void Reserve(std::size_t bytes) { bytes_.reserve(bytes); }

 private:
  std::string bytes_;
};

// After a first fault everything is empty or zero, and `good` is false.
class StateReader {
 public:
  explicit StateReader(std::string_view bytes) : bytes_(bytes) {}

  template <typename T>
  T Number() {
    if (bytes_.size() < sizeof(T)) return Bad(T{});
    T value = 0;
    for (std::size_t b = 0; b < sizeof(T); ++b) {
      value |= static_cast<T>(static_cast<T>(static_cast<std::uint8_t>(bytes_[b])) << (8 * b));
    }
    bytes_.remove_prefix(sizeof(T));
    return value;
  }
  std::uint32_t Small() {
    std::uint32_t value = 0;
    for (std::size_t b = 0; b < 5 && b < bytes_.size(); ++b) {
      const auto byte = static_cast<std::uint8_t>(bytes_[b]);
      value |= static_cast<std::uint32_t>(byte & 127) << (7 * b);
      if (byte < 128) {
        bytes_.remove_prefix(b + 1);
        return value;
      }
    }
    return Bad(0U);
  }
  std::string Text() {
    const auto size = Number<std::uint32_t>();
    if (bytes_.size() < size) return Bad(std::string());
    std::string text(bytes_.substr(0, size));
    bytes_.remove_prefix(size);
    return text;
  }
  ledger::PersonKey Key() {
    ledger::PersonKey key{};
    if (bytes_.size() < key.size()) return Bad(key);
    std::copy_n(bytes_.begin(), key.size(), key.begin());
    bytes_.remove_prefix(key.size());
    return key;
  }
  template <typename T, typename Read>
  void Each(std::vector<T>& list, Read read) {
    const auto size = Number<std::uint64_t>();
    if (size > bytes_.size()) return (void)Bad(0);  // every item has at least one byte
    list.resize(size);
    for (T& item : list) item = read();
  }
  bool done() const { return good_ && bytes_.empty(); }

 private:
  template <typename T>
  T Bad(T nothing) {
    good_ = false;
    bytes_ = {};
    return nothing;
  }
  std::string_view bytes_;
  bool good_ = true;
};

void Write(const inv::Bucket& bucket, StateWriter& out) {
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

inv::Bucket ReadBucket(StateReader& in) {
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

void Write(const inv::Member& member, StateWriter& out) {
  out.Small(member.bucket);
  out.Small(member.value);
  out.Small(member.came);
  out.Small(member.left);
  out.Small(member.stays + 1);  // 0: kOneStay
  out.Small(member.counterfeit);
}

inv::Member ReadMember(StateReader& in) {
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
bool Coherent(const Remembered& r) {
  const auto& state = r.state;
  bool good = r.keys.size() == state.members.size() && r.per_release.size() == state.release;
  for (const inv::Bucket& bucket : state.buckets) {
    for (const inv::Value value : bucket.signature) good &= value < r.values.size();
  }
  for (const inv::Member& member : state.members) {
    good = good && member.bucket < state.buckets.size() && member.value < r.values.size() &&
           (member.stays == inv::kOneStay ||
            member.stays < state.buckets[member.bucket].history.returns.size());
  }
  for (const Counterfeit& counterfeit : r.counterfeits) {
    good = good && counterfeit.member < state.members.size() &&
           state.members[counterfeit.member].counterfeit;
  }
  return good;
}

}  // namespace

std::string Save(const Remembered& r) {
  StateWriter out;
  out.Reserve(r.keys.size() * 24);
  out.Number(kStateFormat);
  out.Number(r.state.release);
  out.Each(r.values, [&](const ValueTexts& value) {
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
  return out.Take();
}

Result<Remembered> ParseRemembered(std::string_view bytes) {
  StateReader in(bytes);
  Remembered r;
  const auto format = in.Number<std::uint32_t>();
  r.state.release = in.Number<inv::Moment>();
  in.Each(r.values, [&] {
    ValueTexts value;
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
  if (format != kStateFormat || !in.done() || !Coherent(r)) {
    return MachineError("the vault's record of who was published in which group makes no sense",
                        "Restore the vault from a copy, or use the version of reissue that wrote "
                        "it.");
  }
  return r;
}

Result<Remembered> LoadRemembered(ledger::Vault& vault) {
  const std::optional<std::string> bytes = REISSUE_TRY(vault.Unseal(Remembered::kSecret));
  if (!bytes) return Remembered{};
  return ParseRemembered(*bytes);
}

void ForgetGone(Remembered& r) {
  const std::vector<std::uint32_t> to = inv::Forget(r.state);
  std::vector<ledger::PersonKey> keys(r.state.members.size());
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (to[i] != inv::kNewcomer) keys[to[i]] = r.keys[i];
  }
  r.keys = std::move(keys);
  std::erase_if(r.counterfeits,
                [&](const Counterfeit& c) { return to[c.member] == inv::kNewcomer; });
  for (Counterfeit& counterfeit : r.counterfeits) counterfeit.member = to[counterfeit.member];
}

}  // namespace reissue::engine
