#pragma once
// Numbers that must not be mixed up. Conversion is explicit in both directions.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace reissue {

template <typename Tag>
class StrongId {
 public:
  using Raw = std::uint32_t;
  constexpr StrongId() = default;
  constexpr explicit StrongId(std::size_t raw) : raw_(static_cast<Raw>(raw)) {}

  constexpr Raw raw() const { return raw_; }
  constexpr std::size_t index() const { return raw_; }
  static constexpr StrongId Invalid() { return StrongId(static_cast<Raw>(-1)); }
  constexpr bool valid() const { return raw_ != static_cast<Raw>(-1); }
  constexpr auto operator<=>(const StrongId&) const = default;

 private:
  Raw raw_ = 0;
};

using RowId = StrongId<struct RowTag>;        // a row of a table
using ColumnId = StrongId<struct ColumnTag>;  // a column of a table
using ValueId = StrongId<struct ValueTag>;    // an entry of a dictionary
using NodeId = StrongId<struct NodeTag>;      // a node of a taxonomy
using CellId = StrongId<struct CellTag>;      // a distinct combination in a Cells

}  // namespace reissue

template <typename Tag>
struct std::hash<reissue::StrongId<Tag>> {
  std::size_t operator()(reissue::StrongId<Tag> id) const noexcept { return id.raw(); }
};
