#pragma once
// Finds where fields and records end, window by window, 64 bytes at a time with SIMD, and checks
// that the bytes are text. It trusts quotes to be balanced: whoever consumes a batch with quotes
// checks that. A scanner belongs to one thread; it points into text that it does not own.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace reissue::io::internal {

// What is in 64 bytes, a bit per byte.
struct BlockMasks {
  std::uint64_t newline = 0;
  std::uint64_t separator = 0;
  std::uint64_t quote = 0;
  std::uint64_t not_plain = 0;  // NUL or not ASCII
};

class Scanner {
 public:
  // `text` begins at a record, outside quotes. `portable`: only instructions that every processor
  // has.
  Scanner(std::string_view text, char separator, std::size_t window_bytes, bool portable = false);

  // Scans the next window. False at the end of the text or behind an ill-formed character.
  bool Advance();
  // Ends the last record at the end of the text where a newline is missing. False if there is
  // nothing to end, or a quote is open.
  bool EndLastRecord();
  // Forgets the complete records.
  void Consume();

  // Complete records since the last Consume().
  std::size_t records() const { return record_ends_.size(); }
  // ends()[0] is one before the batch; field j of the batch lies between ends()[j] + 1 and
  // ends()[j + 1]; record_ends()[r] is the entry of ends() that ends record r.
  const char* const* ends() const { return ends_.data(); }
  std::span<const std::size_t> record_ends() const { return record_ends_; }
  // Begin and end of the text of the batch.
  const char* batch_begin() const { return ends_[0] + 1; }
  const char* batch_end() const;
  // Quotes, and newlines inside or outside quotes, in the batch.
  std::uint64_t quotes() const { return quotes_to_record_end_ - quotes_consumed_; }
  std::uint64_t newlines() const { return newlines_to_record_end_ - newlines_consumed_; }
  // The first ill-formed character, or nullptr if none was met.
  const char* ill_formed() const { return ill_formed_; }

 private:
  void Flatten(std::size_t blocks);
  void FlattenBlocks(std::size_t blocks);
  void FlattenWithPopcnt(std::size_t blocks);
  void FlattenPortably(std::size_t blocks);
  void CheckText(std::uint64_t not_plain, BlockMasks& masks);

  const char* at_;  // first byte not scanned yet
  const char* end_;
  char separator_;
  bool wide_;                        // with AVX2
  std::uint64_t inside_quotes_ = 0;  // all ones where the last byte scanned was inside quotes
  const char* well_formed_to_;
  const char* ill_formed_ = nullptr;

  std::vector<BlockMasks> masks_;
  std::vector<const char*> ends_;
  std::size_t ends_count_ = 1;
  std::vector<std::size_t> record_ends_;
  bool ended_early_ = false;  // the last record was ended by EndLastRecord

  std::uint64_t quotes_ = 0;
  std::uint64_t newlines_ = 0;
  std::uint64_t quotes_to_record_end_ = 0;
  std::uint64_t newlines_to_record_end_ = 0;
  std::uint64_t quotes_consumed_ = 0;
  std::uint64_t newlines_consumed_ = 0;
};

// How often `byte` occurs.
std::uint64_t CountByte(std::string_view text, char byte);

}  // namespace reissue::io::internal
