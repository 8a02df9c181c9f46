#pragma once
// Writing the pieces of a CSV line, for generators. No state.

#include <cstdint>
#include <string>
#include <string_view>

namespace reissue::simulate {

// Decimal digits, filled up with zeros from the left to at least `width` of them (at most 20).
void AppendNumber(std::string& out, std::uint64_t number, std::size_t width = 1);

// One field, quoted where RFC 4180 needs it.
void AppendText(std::string& out, std::string_view text);

}  // namespace reissue::simulate
