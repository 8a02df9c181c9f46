#include "reissue/io/csv_pieces.h"

#include <algorithm>
#include <cstring>

#include "reissue/io/csv_opening.h"
#include "reissue/io/csv_reader.h"
#include "reissue/io/encoding.h"

namespace reissue::io::internal {
namespace {

constexpr std::size_t kStoredAtOnce = 1 << 18;

// The same where comments may have quotes in them.
std::size_t WholeRecordsOneByOne(std::string_view text, const LanePlan& plan) {
  RecordParser parser(plan.separator, plan.trim);
  const char* const end = text.data() + text.size();
  const char* at = text.data();
  while (at != end) {
    const std::string_view rest(at, static_cast<std::size_t>(end - at));
    const char* next = nullptr;
    if (rest.starts_with(plan.comment_prefix)) {
      next = std::find(at, end, '\n');
      if (next == end) break;
      ++next;
    } else {
      const Fault fault = parser.Parse(at, end);
      if (fault == Fault::kOpenQuote) break;
      if (fault != Fault::kNone) return text.size();  // whoever reads it says so
      next = parser.next();
      if (next == end && end[-1] != '\n') break;
    }
    at = next;
  }
  return static_cast<std::size_t>(at - text.data());
}

}  // namespace

void Piece::Assign(std::string_view text) {
  size_ = 0;
  if (text.empty()) return;
  std::memcpy(Room(text.size()), text.data(), text.size());
  size_ = text.size();
}

char* Piece::Room(std::size_t bytes) {
  if (capacity_ - size_ < bytes) {
    const std::size_t bigger = std::max(size_ + bytes, capacity_ + capacity_ / 2);
    auto moved = std::make_unique_for_overwrite<char[]>(bigger);
    if (size_ > 0) std::memcpy(moved.get(), data_.get(), size_);
    data_ = std::move(moved);
    capacity_ = bigger;
  }
  return data_.get() + size_;
}

PieceReader::PieceReader(std::unique_ptr<ByteStream> stream, std::string name, std::uint64_t most,
                         bool digest)
    : stream_(std::move(stream)), name_(std::move(name)), most_(most) {
  if (digest) digest_.emplace();
}

Result<std::unique_ptr<PieceReader>> PieceReader::Open(FileSystem& files, const std::string& path,
                                                       bool digest, Encoding encoding) {
  std::unique_ptr<ByteStream> stream = REISSUE_TRY(files.Stream(path));
  std::unique_ptr<PieceReader> reader(
      new PieceReader(std::move(stream), NameOf(path), files.most_unpacked, digest));
  reader->encoding_ = encoding;
  REISSUE_TRY(reader->Begin());
  return reader;
}

// The first bytes say whether it is compressed.
Status PieceReader::Begin() {
  constexpr std::size_t kEnough = 4;
  while (stored_.text().size() < kEnough && !drained_) {
    stored_.Grew(REISSUE_TRY(ReadStored(stored_.Room(kStoredAtOnce), kStoredAtOnce, false)));
  }
  waiting_ = stored_.text();
  if (IsCompressed(waiting_)) unpacker_.emplace(waiting_, name_, most_);
  return Ok();
}

// `stays`: what was read lies in the piece, and not where the next bytes will be.
Result<std::size_t> PieceReader::ReadStored(char* to, std::size_t room, bool stays) {
  const std::size_t got = REISSUE_TRY(stream_->Read(to, room));
  if (got == 0) drained_ = true;
  if (!digest_) return got;
  if (stays) {
    digest_->AddToFingerprint({to, got});
    to_digest_.emplace_back(to, got);
  } else {
    digest_->Add({to, got});
  }
  return got;
}

void PieceReader::TakeForDigest() {
  REISSUE_CHECK(taken_.empty());
  taken_.swap(to_digest_);
}

void PieceReader::DigestTaken() {
  for (const std::string_view bytes : taken_) digest_->AddToDigest(bytes);
  taken_.clear();
}

std::pair<std::string, Fingerprint> PieceReader::Digest() {
  TakeForDigest();
  DigestTaken();
  return digest_->Finish();
}

// 0 at the end.
Result<std::size_t> PieceReader::ReadBytes(char* to, std::size_t room) {
  if (!unpacker_) {
    if (waiting_.empty())
      return drained_ ? std::size_t{0} : ReadStored(to, room, encoding_ == Encoding::kUtf8);
    const std::size_t some = waiting_.copy(to, room);
    waiting_.remove_prefix(some);
    return some;
  }
  while (true) {
    const std::size_t some = REISSUE_TRY(unpacker_->Unpack(waiting_, to, room));
    if (some > 0) return some;
    if (!waiting_.empty()) continue;
    if (drained_) break;
    stored_.Assign({});
    stored_.Grew(REISSUE_TRY(ReadStored(stored_.Room(kStoredAtOnce), kStoredAtOnce, false)));
    waiting_ = stored_.text();
  }
  REISSUE_TRY(unpacker_->Finish());
  return std::size_t{0};
}

Result<std::size_t> PieceReader::ReadText(char* to, std::size_t room) {
  if (encoding_ == Encoding::kUtf8) return ReadBytes(to, room);
  if (converted_taken_ == converted_.size()) {
    bytes_.resize(kStoredAtOnce);
    const std::size_t got = REISSUE_TRY(ReadBytes(bytes_.data(), bytes_.size()));
    const std::string_view bytes(bytes_.data(), got);
    if (!std::exchange(begun_, true)) REISSUE_TRY(IsNotMarkedUtf8(bytes, name_));
    converted_.clear();
    converted_taken_ = 0;
    AppendFromWindows1252(bytes, converted_);
  }
  const std::size_t some = converted_.copy(to, room, converted_taken_);
  converted_taken_ += some;
  return some;
}

Status PieceReader::Fill(Piece& piece, std::size_t target) {
  // The room of a piece may move, and with it what is not digested.
  if (!to_digest_.empty()) {
    TakeForDigest();
    DigestTaken();
  }
  while (!ended_ && piece.text().size() < target) {
    const std::size_t room = target - piece.text().size();
    const std::size_t some = REISSUE_TRY(ReadText(piece.Room(room), room));
    piece.Grew(some);
    ended_ = some == 0;
  }
  return Ok();
}

std::size_t WholeRecords(std::string_view text, const LanePlan& plan) {
  std::size_t end = 0;
  if (NeedsRecords(plan, text)) {
    end = WholeRecordsOneByOne(text, plan);
  } else {
    // Most texts have no quotes, and to see that is faster than to count them.
    bool inside = text.find('"') != std::string_view::npos && CountByte(text, '"') % 2 != 0;
    for (end = text.size(); end > 0 && (text[end - 1] != '\n' || inside); --end) {
      if (text[end - 1] == '"') inside = !inside;
    }
  }
  return WithoutEmptyLinesAtEnd(text.substr(0, end)).size();
}

}  // namespace reissue::io::internal
