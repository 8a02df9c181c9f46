#include "reissue/sources/parquet/numbers.h"

#include <charconv>
#include <cmath>

namespace reissue::sources::parquet {
namespace {

// Numbers from 1e-4 up to 10^kPlain are written without an exponent.
template <typename Number>
constexpr int kPlain = sizeof(Number) == sizeof(double) ? 15 : 6;

template <typename Number>
std::string_view Written(Number number, NumberRoom& room) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number > 0 ? "Infinity" : "-Infinity";
  if (number == 0) return "0";
  char* const end = room.data() + room.size();
  auto written = std::to_chars(room.data(), end, number, std::chars_format::scientific);
  int exponent = 0;
  for (const char* at = written.ptr - 1; at > room.data(); --at) {
    if (*at != 'e') continue;
    std::from_chars(at[1] == '+' ? at + 2 : at + 1, written.ptr, exponent);
    break;
  }
  if (exponent >= -4 && exponent < kPlain<Number>) {
    written = std::to_chars(room.data(), end, number, std::chars_format::fixed);
  }
  return {room.data(), static_cast<std::size_t>(written.ptr - room.data())};
}

}  // namespace

std::string_view TextOf(double number, NumberRoom& room) { return Written(number, room); }

std::string_view TextOf(float number, NumberRoom& room) { return Written(number, room); }

}  // namespace reissue::sources::parquet
