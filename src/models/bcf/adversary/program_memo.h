#pragma once
// What programs found out, for others with the same equations that are asked the same questions in
// the same order: what a program knows is a function of these. The candidates of a search differ in
// a few cells, and most of their programs do not differ at all. Internal to the adversary; belongs
// to one thread at a time.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "reissue/models/bcf/adversary/program.h"

namespace reissue::models::bcf {

class ProgramMemo {
 public:
  // What a program knows after its questions so far.
  struct Knowledge {
    Program::State state = Program::State::kOpen;
    std::vector<std::int64_t> proof;
    std::vector<std::uint64_t> low, high;
    std::vector<char> closed;  // nothing more to be had by solving
    ProgramStatistics statistics;
  };
  // A program and its questions so far. Nothing was asked of none.
  using Place = std::uint32_t;
  static constexpr Place kStart = 0;

  // Keeps about so many bytes, then no more.
  explicit ProgramMemo(std::size_t bytes = std::size_t{64} << 20) : room_(bytes) {}

  // Where one question more leads; nullopt where it was never asked there.
  std::optional<Place> Find(Place from, const std::string& question) const {
    const auto found = next_.find(Key(from, question));
    if (found == next_.end()) return std::nullopt;
    return found->second;
  }
  const Knowledge& at(Place place) const { return known_[place - 1]; }
  // The same place for the same question; nullopt where there is no more room.
  std::optional<Place> Keep(Place from, const std::string& question, Knowledge knowledge);

  std::size_t size() const { return known_.size(); }

  // A question in bytes: numbers, and how many they are.
  template <typename Number>
  static std::string& Append(std::span<const Number> numbers, std::string& bytes) {
    const std::uint64_t size = numbers.size();
    bytes.append(reinterpret_cast<const char*>(&size), sizeof size);
    return bytes.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
  }

 private:
  static std::string Key(Place from, const std::string& question) {
    std::string key(reinterpret_cast<const char*>(&from), sizeof from);
    return key + question;
  }

  std::size_t room_;
  std::unordered_map<std::string, Place> next_;
  std::deque<Knowledge> known_;  // of place 1, 2, …
};

}  // namespace reissue::models::bcf
