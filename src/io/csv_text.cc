// The small sides of csv.h: records of small files, fields to write, digests.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "reissue/core/random.h"
#include "reissue/io/blake2b.h"
#include "reissue/io/compression.h"
#include "reissue/io/csv.h"
#include "reissue/io/csv_reader.h"
#include "reissue/io/encoding.h"
#include "reissue/io/file_digest.h"
#include "reissue/io/utf8.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace reissue::io {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string HexOf(internal::Blake2b& hash) {
  std::string hex;
  for (const std::uint8_t byte : hash.Finish()) hex += fmt::format("{:02x}", byte);
  return hex;
}

// The first of `candidates` that occurs outside quotes in the first record of `text`.
char FirstSeparatorUsed(std::string_view text, std::string_view candidates) {
  std::size_t best = candidates.size();
  bool inside = false;
  for (const char c : text) {
    if (c == '"') inside = !inside;
    if (inside) continue;
    if (c == '\n') break;
    best = std::min(best, candidates.find(c));
  }
  return best < candidates.size() ? candidates[best] : candidates[0];
}

}  // namespace

Result<std::vector<Record>> ReadRecords(std::string_view text, const std::string& file,
                                        std::optional<char> separator) {
  using internal::Fault;
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  text = internal::WithoutEmptyLinesAtEnd(text);
  internal::RecordParser parser(separator ? *separator : FirstSeparatorUsed(text, ";,\t"), false);
  const char* end = text.data() + text.size();
  const char* ill_formed = internal::FirstIllFormed(text.data(), end, end);
  const auto fail = [&](Fault fault, std::uint64_t line) {
    return internal::ErrorOf({fault, 0, 0, 0}, file, line, 0, true, {});
  };
  std::vector<Record> records;
  std::uint64_t line = 1;
  for (const char* at = text.data(); at != end;) {
    const Fault fault = parser.Parse(at, end);
    const char* next = fault == Fault::kNone ? parser.next() : end;
    if (ill_formed != nullptr && ill_formed < next &&
        (fault == Fault::kNone || fault == Fault::kOpenQuote || ill_formed <= parser.fault_at())) {
      return fail(internal::FaultOfText(ill_formed),
                  line + static_cast<std::uint64_t>(std::count(at, ill_formed, '\n')));
    }
    if (fault != Fault::kNone) {
      return fail(fault,
                  line + static_cast<std::uint64_t>(std::count(at, parser.fault_at(), '\n')));
    }
    records.push_back({line, {parser.fields().begin(), parser.fields().end()}});
    line += static_cast<std::uint64_t>(std::count(at, next, '\n'));
    at = next;
  }
  return records;
}

std::string AsUtf8(Encoding encoding, std::string text) {
  if (encoding == Encoding::kUtf8) return text;
  std::string utf8;
  internal::AppendFromWindows1252(text, utf8);
  return utf8;
}

bool IsUtf8(std::string_view text) {
  const char* const end = text.data() + text.size();
  return internal::FirstIllFormed(text.data(), end, end) == nullptr;
}

bool IsAboutEncoding(const Error& error) { return error.message == internal::kNotUtf8; }

Result<std::string> ReadBeginning(FileSystem& files, const std::string& path) {
  constexpr std::size_t kEnough = 1 << 18;
  const std::unique_ptr<Bytes> bytes = REISSUE_TRY(files.Read(path));
  if (!internal::IsCompressed(bytes->view())) return std::string(bytes->view().substr(0, kEnough));
  std::optional<std::string> beginning;
  internal::UnpackLimits limits;
  limits.most = files.most_unpacked;
  limits.glance = [&](std::string_view text) -> Status {
    beginning = text.substr(0, kEnough);
    return InputError("enough");  // nothing more is unpacked
  };
  const auto unpacked = internal::Decompress(bytes->view(), internal::NameOf(path), limits);
  if (beginning) return *std::move(beginning);
  if (!unpacked) return unpacked.error();
  return std::string(unpacked->view().substr(0, kEnough));
}

void AppendField(std::string& line, std::string_view field, char separator) {
  const bool begins_row = line.empty() || line.back() == '\n';
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  const bool quoted = field.empty()
                          ? begins_row
                          : is_blank(field.front()) || is_blank(field.back()) ||
                                (begins_row && field.starts_with(kByteOrderMark)) ||
                                std::any_of(field.begin(), field.end(), [separator](char c) {
                                  return c == separator || c == '"' || c == '\n' || c == '\r';
                                });
  if (!quoted) {
    line += field;
    return;
  }
  line += '"';
  for (const char c : field) {
    if (c == '"') line += '"';
    line += c;
  }
  line += '"';
}

Fingerprint FingerprintOf(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes.data(), bytes.size(), ProcessSeed());
  return {hash.low64, hash.high64};
}

std::string Digest(std::string_view bytes) {
  internal::Blake2b hash;
  hash.Add(bytes);
  return HexOf(hash);
}

std::pair<std::string, Fingerprint> DigestAndFingerprint(std::string_view bytes) {
  RunningDigest digest;
  digest.Add(bytes);
  return digest.Finish();
}

struct RunningDigest::State {
  internal::Blake2b digest;
  XXH3_state_t fast;
};

RunningDigest::RunningDigest() : state_(std::make_unique<State>()) {
  XXH3_INITSTATE(&state_->fast);
  XXH3_128bits_reset_withSeed(&state_->fast, ProcessSeed());
}
RunningDigest::~RunningDigest() = default;

void RunningDigest::Add(std::string_view bytes) {
  constexpr std::size_t kStays = 1 << 16;  // in the cache of a processor
  for (std::size_t at = 0; at < bytes.size(); at += kStays) {
    const std::string_view part = bytes.substr(at, kStays);
    AddToDigest(part);
    AddToFingerprint(part);
  }
}

void RunningDigest::AddToDigest(std::string_view bytes) { state_->digest.Add(bytes); }

void RunningDigest::AddToFingerprint(std::string_view bytes) {
  XXH3_128bits_update(&state_->fast, bytes.data(), bytes.size());
}

std::pair<std::string, Fingerprint> RunningDigest::Finish() {
  const XXH128_hash_t hash = XXH3_128bits_digest(&state_->fast);
  return {HexOf(state_->digest), {hash.low64, hash.high64}};
}

namespace {

template <typename Add>
Status ReadPieces(FileSystem& files, const std::string& path, const Add& add) {
  constexpr std::size_t kAtOnce = 1 << 18;
  const auto stream = REISSUE_TRY(files.Stream(path));
  const auto piece = std::make_unique_for_overwrite<char[]>(kAtOnce);
  while (true) {
    const std::size_t bytes = REISSUE_TRY(stream->Read(piece.get(), kAtOnce));
    if (bytes == 0) return Ok();
    add(std::string_view(piece.get(), bytes));
  }
}

}  // namespace

Result<std::string> DigestOfFile(FileSystem& files, const std::string& path) {
  internal::Blake2b hash;
  REISSUE_TRY(ReadPieces(files, path, [&](std::string_view piece) { hash.Add(piece); }));
  return HexOf(hash);
}

Result<Fingerprint> FingerprintOfFile(FileSystem& files, const std::string& path) {
  const auto state = std::make_unique<XXH3_state_t>();
  XXH3_INITSTATE(state.get());
  XXH3_128bits_reset_withSeed(state.get(), ProcessSeed());
  REISSUE_TRY(ReadPieces(files, path, [&](std::string_view piece) {
    XXH3_128bits_update(state.get(), piece.data(), piece.size());
  }));
  const XXH128_hash_t hash = XXH3_128bits_digest(state.get());
  return Fingerprint{hash.low64, hash.high64};
}

}  // namespace reissue::io
