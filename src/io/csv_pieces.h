#pragma once
// A file as pieces of text that end with a record: read, unpacked and digested as they are asked
// for, in memory that does not grow with the file. Belongs to one thread at a time.

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/io/compression.h"
#include "reissue/io/csv.h"
#include "reissue/io/csv_lane.h"
#include "reissue/io/file_system.h"

namespace reissue::io::internal {

// Text that was read, with room for more.
class Piece {
 public:
  std::string_view text() const { return {data_.get(), size_}; }
  // Holds nothing but `text` then, which is not its own.
  void Assign(std::string_view text);
  char* Room(std::size_t bytes);  // for at least this many
  void Grew(std::size_t bytes) { size_ += bytes; }

 private:
  std::unique_ptr<char[]> data_;
  std::size_t size_ = 0, capacity_ = 0;
};

class PieceReader {
 public:
  // `digest`: of the bytes as stored. What is in another encoding comes as UTF-8.
  static Result<std::unique_ptr<PieceReader>> Open(FileSystem& files, const std::string& path,
                                                   bool digest, Encoding encoding);

  // Appends to the piece until it has `target` bytes, or the file is at its end.
  Status Fill(Piece& piece, std::size_t target);
  // A digest takes longer than everything else about a piece. What the last Fill has read need not
  // wait for it: DigestTaken digests what was taken here, while another thread fills another piece.
  // What nobody has taken is digested by the next Fill, or at the end.
  void TakeForDigest();
  void DigestTaken();
  bool ended() const { return ended_; }
  // Of the text; 0: nobody knows.
  std::uint64_t size() const { return unpacker_ ? 0 : stream_->size(); }
  std::pair<std::string, Fingerprint> Digest();

 private:
  PieceReader(std::unique_ptr<ByteStream> stream, std::string name, std::uint64_t most,
              bool digest);
  Status Begin();
  Result<std::size_t> ReadStored(char* to, std::size_t room, bool stays);
  Result<std::size_t> ReadBytes(char* to, std::size_t room);
  Result<std::size_t> ReadText(char* to, std::size_t room);

  std::unique_ptr<ByteStream> stream_;
  std::string name_;
  std::uint64_t most_;
  std::optional<RunningDigest> digest_;
  std::vector<std::string_view> to_digest_, taken_;  // in pieces, in order
  Piece stored_;                                     // what was read to look at, or to unpack
  std::string_view waiting_;                         // what of it is still to be handed on
  std::optional<Unpacker> unpacker_;
  bool ended_ = false, drained_ = false;
  Encoding encoding_ = Encoding::kUtf8;
  bool begun_ = false;
  std::string bytes_, converted_;    // where the encoding is another one
  std::size_t converted_taken_ = 0;  // how much of that was handed on
};

// How much of `text` is whole records, without empty lines behind them, which may be those at the
// end of the file. 0: not one is known to be whole.
std::size_t WholeRecords(std::string_view text, const LanePlan& plan);

}  // namespace reissue::io::internal
