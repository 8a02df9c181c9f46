#pragma once
// Numbers as every source writes them: the shortest digits that are this number and no other, as
// PostgreSQL has them. Pure functions.

#include <array>
#include <string_view>

namespace reissue::sources::parquet {

using NumberRoom = std::array<char, 40>;

// 1, 0.1, 1e+20, 1.5e-07, NaN, Infinity, -Infinity; -0 is 0. The text lies in `room`.
std::string_view TextOf(double number, NumberRoom& room);
std::string_view TextOf(float number, NumberRoom& room);

}  // namespace reissue::sources::parquet
