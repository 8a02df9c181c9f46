#pragma once
// Random numbers: reproducible from a seed, or unpredictable from the operating system. One object
// belongs to one thread.

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace reissue {

class Random {
 public:
  // xoshiro256++ with a state spread from the seed; the same stream on every machine.
  static Random Seeded(std::uint64_t seed);
  // ChaCha20 with keys from getrandom(2), each for 4 KB. Ends the program if the operating system
  // has none to give.
  static Random FromSystem();
  // Seeded where a seed is given, else from the system.
  static Random From(std::optional<std::uint64_t> seed);

  bool reproducible() const { return seeded_; }
  std::uint64_t Next();
  // Uniform in [0, bound), without bias. bound > 0.
  std::uint64_t Below(std::uint64_t bound);
  // Uniform in [0, 1), 53 bits.
  double Unit();

  template <typename T>
  void Shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[Below(i)]);
  }

 private:
  Random() = default;
  void Refill();

  bool seeded_ = false;
  std::array<std::uint64_t, 4> state_{};
  std::vector<std::uint64_t> buffer_;
  std::size_t used_ = 0;
};

// A number that stays the same while the process lives and that nobody outside knows: for hashes in
// memory, which nobody shall fill with values that collide.
std::uint64_t ProcessSeed();

// Independent seeds for numbered tasks of one run.
std::uint64_t DeriveSeed(std::uint64_t seed, std::uint64_t task);

}  // namespace reissue
