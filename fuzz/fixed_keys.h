#pragma once
// Vaults that all have the same key: inputs do the same every time, and the people of a state that
// was made earlier are those of the table.

#include <sodium.h>

#include <cstring>

namespace reissue::fuzz {

inline void FixKeys() {
  static randombytes_implementation fixed = {
      .implementation_name = [] { return "fixed"; },
      .random = [] { return std::uint32_t{0x5a5a5a5a}; },
      .stir = nullptr,
      .uniform = nullptr,
      .buf = [](void* bytes, std::size_t size) { std::memset(bytes, 0x5a, size); },
      .close = nullptr,
  };
  randombytes_set_implementation(&fixed);
}

}  // namespace reissue::fuzz
