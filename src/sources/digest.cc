#include "reissue/sources/digest.h"

#include <cstdint>
#include <string>
#include <string_view>

#include "reissue/io/csv.h"

namespace reissue::sources {
namespace {

// In pieces, so that no second copy of a table is in memory.
class Digesting {
 public:
  void Add(std::string_view bytes) {
    piece_ += bytes;
    if (piece_.size() >= kPiece) Hand();
  }
  void Add(std::uint64_t number) {
    // Seven bits in a byte, the lowest first; the top bit says that more follow.
    for (; number >= 0x80; number >>= 7) piece_ += static_cast<char>(0x80 | (number & 0x7F));
    piece_ += static_cast<char>(number);
    if (piece_.size() >= kPiece) Hand();
  }
  void AddText(std::string_view text) {
    Add(std::uint64_t{text.size()});
    Add(text);
  }
  std::string Finish() {
    digest_.Add(piece_);
    return digest_.Finish().first;
  }

 private:
  void Hand() {
    digest_.Add(piece_);
    piece_.clear();
  }

  static constexpr std::size_t kPiece = std::size_t{1} << 16;
  std::string piece_;
  io::RunningDigest digest_;
};

}  // namespace

std::string DigestOfCounted(const Table& table) {
  Digesting digest;
  digest.Add("reissue counted 1\n");
  digest.Add(std::uint64_t{table.width()});
  for (const Column& column : table.columns()) {
    digest.AddText(column.name());
    digest.Add(std::uint64_t{column.dictionary().size()});
    for (const std::string_view text : column.dictionary().strings()) digest.AddText(text);
  }
  digest.Add(std::uint64_t{table.rows()});
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (const Column& column : table.columns()) {
      digest.Add(std::uint64_t{column[RowId(row)].raw()});
    }
    digest.Add(table.weight(RowId(row)));
  }
  return digest.Finish();
}

}  // namespace reissue::sources
