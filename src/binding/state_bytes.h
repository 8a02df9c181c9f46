#pragma once
// How the sealed state of a series is written (docs/formats/vault.md).

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/ledger/vault.h"

namespace reissue::binding {

// The error for bytes that cannot be what was written. `what`: "who has left the series".
inline Error SenselessRecord(std::string_view what) {
  return MachineError(
      "the vault's record of " + std::string(what) + " makes no sense",
      "Restore the vault from a copy, or use the version of reissue that wrote it.");
}

// Little endian; lists and texts with their lengths in front. What is put is small and there are
// millions of it, so that the room for it is made well ahead.
class StateWriter {
 public:
  template <typename T>
  void Number(T value) {
    char* const at = Room(sizeof(T));
    for (std::size_t b = 0; b < sizeof(T); ++b) at[b] = static_cast<char>(value >> (8 * b) & 0xff);
    size_ += sizeof(T);
  }
  // Seven bits a byte, the lowest first; the last byte is below 128.
  void Small(std::uint32_t value) {
    char* at = Room(kMostOfSmall);
    for (; value >= 128; value >>= 7) *at++ = static_cast<char>((value & 127) | 128);
    *at++ = static_cast<char>(value);
    size_ = static_cast<std::size_t>(at - bytes_.data());
  }
  void Text(std::string_view text) {
    Number(static_cast<std::uint32_t>(text.size()));
    std::copy(text.begin(), text.end(), Room(text.size()));
    size_ += text.size();
  }
  void Raw(const ledger::PersonKey& key) {
    std::copy(key.begin(), key.end(), Room(key.size()));
    size_ += key.size();
  }
  template <typename List, typename Write>
  void Each(const List& list, Write write) {
    Number(static_cast<std::uint64_t>(list.size()));
    for (const auto& item : list) write(item);
  }
  std::string Take() {
    bytes_.resize(std::exchange(size_, 0));
    return std::exchange(bytes_, {});
  }
  void Reserve(std::size_t bytes) { bytes_.reserve(bytes); }

 private:
  static constexpr std::size_t kMostOfSmall = 5;
  static constexpr std::size_t kAhead = 1 << 14;

  // Where the next bytes go, so many of them.
  char* Room(std::size_t bytes) {
    if (bytes_.size() - size_ < bytes) bytes_.resize(size_ + bytes + kAhead);
    return bytes_.data() + size_;
  }

  std::string bytes_;  // longer than what has been put
  std::size_t size_ = 0;
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
    return std::string(Raw(size));
  }
  ledger::PersonKey Key() {
    ledger::PersonKey key{};
    const std::string_view raw = Raw(key.size());
    std::copy(raw.begin(), raw.end(), key.begin());
    return key;
  }
  std::string_view Raw(std::size_t size) {
    if (bytes_.size() < size) return Bad(std::string_view());
    const std::string_view raw = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return raw;
  }
  template <typename T, typename Read>
  void Each(std::vector<T>& list, Read read) {
    const auto size = Number<std::uint64_t>();
    if (size > bytes_.size()) return (void)Bad(0);  // every item has at least one byte
    list.reserve(size + size / 8);  // releases add a little: it is not moved for that
    list.resize(size);
    for (T& item : list) item = read();
  }
  // What was read makes no sense.
  void Refuse() { Bad(0); }
  bool good() const { return good_; }
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

}  // namespace reissue::binding
