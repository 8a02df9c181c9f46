#pragma once
// The distinct strings of a column, numbered in order of first appearance. A DictionaryBuilder is
// filled by one thread; the Dictionary it becomes is immutable and shared between columns, tables
// and threads. Strings live in arenas owned by the dictionary.

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "reissue/core/ids.h"

namespace reissue {

class DictionaryBuilder;

class Dictionary {
 public:
  Dictionary() = default;
  std::size_t size() const { return views_.size(); }
  std::string_view operator[](ValueId id) const { return views_[id.index()]; }
  // O(1) expected.
  std::optional<ValueId> Find(std::string_view text) const;
  // All strings in id order.
  const std::vector<std::string_view>& strings() const { return views_; }

  Dictionary(const Dictionary&) = delete;
  Dictionary& operator=(const Dictionary&) = delete;

 private:
  friend class DictionaryBuilder;
  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t id_plus_one = 0;
  };
  std::vector<std::unique_ptr<char[]>> arenas_;
  std::vector<std::string_view> views_;
  std::vector<Slot> slots_ = std::vector<Slot>(16);
};

class DictionaryBuilder {
 public:
  DictionaryBuilder();

  // The id of `text`, which is added (copied) if it is new. O(|text|) expected.
  ValueId Intern(std::string_view text);
  std::size_t size() const { return dictionary_->views_.size(); }
  std::string_view operator[](ValueId id) const { return (*dictionary_)[id]; }

  // Leaves the builder empty.
  std::shared_ptr<const Dictionary> Build() &&;

 private:
  void Grow();
  std::string_view Store(std::string_view text);

  std::unique_ptr<Dictionary> dictionary_;
  char* arena_next_ = nullptr;
  std::size_t arena_left_ = 0;
};

// A dictionary in the order of its texts, and where each code went.
struct SortedDictionary {
  std::shared_ptr<const Dictionary> dictionary;
  std::vector<std::uint32_t> rank;
};
SortedDictionary SortByText(const DictionaryBuilder& builder);

}  // namespace reissue
