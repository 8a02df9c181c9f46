#include "reissue/core/dictionary.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "reissue/core/random.h"

namespace reissue {
namespace {

constexpr std::size_t kArenaBytes = 1 << 16;
constexpr std::size_t kManySlots = 1 << 20;

std::uint64_t Hash(std::string_view text) {
  return XXH3_64bits_withSeed(text.data(), text.size(), ProcessSeed());
}

template <typename Slot>
std::vector<Slot> SlotsFor(const std::vector<std::string_view>& texts, std::size_t room) {
  std::vector<Slot> slots(room);
  const std::size_t mask = room - 1;
  for (std::size_t id = 0; id < texts.size(); ++id) {
    const std::uint64_t hash = Hash(texts[id]);
    std::size_t at = hash & mask;
    while (slots[at].id_plus_one != 0) at = (at + 1) & mask;
    slots[at] = {static_cast<std::uint32_t>(hash >> 32), static_cast<std::uint32_t>(id + 1)};
  }
  return slots;
}

}  // namespace

std::optional<ValueId> Dictionary::Find(std::string_view text) const {
  const std::uint64_t hash = Hash(text);
  const auto tag = static_cast<std::uint32_t>(hash >> 32);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.id_plus_one == 0) return std::nullopt;
    if (slot.tag == tag && views_[slot.id_plus_one - 1] == text) {
      return ValueId(slot.id_plus_one - 1);
    }
  }
}

DictionaryBuilder::DictionaryBuilder() : dictionary_(std::make_unique<Dictionary>()) {}

ValueId DictionaryBuilder::Intern(std::string_view text) {
  Dictionary& d = *dictionary_;
  const std::uint64_t hash = Hash(text);
  const auto tag = static_cast<std::uint32_t>(hash >> 32);
  const std::size_t mask = d.slots_.size() - 1;
  std::size_t at = hash & mask;
  for (;; at = (at + 1) & mask) {
    const Dictionary::Slot& slot = d.slots_[at];
    if (slot.id_plus_one == 0) break;
    if (slot.tag == tag && d.views_[slot.id_plus_one - 1] == text) {
      return ValueId(slot.id_plus_one - 1);
    }
  }
  d.views_.push_back(Store(text));
  const ValueId id(d.views_.size() - 1);
  d.slots_[at] = {tag, id.raw() + 1};
  if (d.views_.size() * 2 > d.slots_.size()) Grow();
  return id;
}

void DictionaryBuilder::Grow() {
  Dictionary& d = *dictionary_;
  d.slots_ = SlotsFor<Dictionary::Slot>(d.views_, d.slots_.size() * 4);
}

std::string_view DictionaryBuilder::Store(std::string_view text) {
  if (text.size() > arena_left_) {
    const std::size_t bytes = text.size() > kArenaBytes ? text.size() : kArenaBytes;
    dictionary_->arenas_.push_back(std::make_unique_for_overwrite<char[]>(bytes));
    arena_next_ = dictionary_->arenas_.back().get();
    arena_left_ = bytes;
  }
  if (!text.empty()) std::memcpy(arena_next_, text.data(), text.size());
  const std::string_view stored(arena_next_, text.size());
  arena_next_ += text.size();
  arena_left_ -= text.size();
  return stored;
}

std::shared_ptr<const Dictionary> DictionaryBuilder::Build() && {
  // What grows fourfold has up to eight slots for a string; half of them will do.
  const std::size_t slots = dictionary_->slots_.size();
  if (slots > kManySlots && dictionary_->views_.size() * 4 < slots) {
    dictionary_->slots_ = SlotsFor<Dictionary::Slot>(dictionary_->views_, slots / 2);
  }
  std::shared_ptr<const Dictionary> built = std::move(dictionary_);
  dictionary_ = std::make_unique<Dictionary>();
  arena_next_ = nullptr;
  arena_left_ = 0;
  return built;
}

SortedDictionary SortByText(const DictionaryBuilder& builder) {
  std::vector<std::uint32_t> order(builder.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return builder[ValueId(a)] < builder[ValueId(b)];
  });
  SortedDictionary sorted;
  sorted.rank.resize(order.size());
  DictionaryBuilder built;
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    sorted.rank[order[i]] = i;
    built.Intern(builder[ValueId(order[i])]);
  }
  sorted.dictionary = std::move(built).Build();
  return sorted;
}

}  // namespace reissue
