#include "reissue/io/parquet_writer.h"

#include <bit>
#include <limits>
#include <string_view>
#include <utility>

namespace reissue::io {
namespace {

constexpr std::string_view kMark = "PAR1";

// Numbers of the format's own lists.
constexpr std::int64_t kByteArray = 6, kRequired = 0, kUtf8 = 0, kUncompressed = 0;
constexpr std::int64_t kDataPage = 0, kDictionaryPage = 2;
constexpr std::int64_t kPlain = 0, kRle = 3, kRleDictionary = 8;

void AppendVarint(std::string& bytes, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7) bytes += static_cast<char>(number | 0x80);
  bytes += static_cast<char>(number);
}

void AppendFixed(std::string& bytes, std::uint32_t number) {
  for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(number >> shift);
}

// A structure as Thrift's compact protocol writes it: fields in ascending order.
class Structure {
 public:
  Structure& Number(int field, std::int64_t number) { return Begin(field, kI64), Zigzag(number); }
  Structure& Short(int field, std::int64_t number) { return Begin(field, kI32), Zigzag(number); }
  Structure& Text(int field, std::string_view text) {
    Begin(field, kBinary);
    return AppendText(text);
  }
  Structure& Inner(int field, const Structure& inner) {
    Begin(field, kStruct);
    bytes_ += inner.Done();
    return *this;
  }
  Structure& List(int field, const std::vector<Structure>& items) {
    BeginList(field, kStruct, items.size());
    for (const Structure& item : items) bytes_ += item.Done();
    return *this;
  }
  Structure& Shorts(int field, const std::vector<std::int64_t>& items) {
    BeginList(field, kI32, items.size());
    for (const std::int64_t item : items) Zigzag(item);
    return *this;
  }
  Structure& Texts(int field, const std::vector<std::string>& items) {
    BeginList(field, kBinary, items.size());
    for (const std::string& item : items) AppendText(item);
    return *this;
  }
  std::string Done() const { return bytes_ + '\0'; }

 private:
  enum Type : unsigned { kI32 = 5, kI64 = 6, kBinary = 8, kList = 9, kStruct = 12 };

  void Begin(int field, Type type) {
    // All fields that are used lie near the ones before them.
    bytes_ += static_cast<char>(static_cast<unsigned>(field - last_) << 4 | type);
    last_ = field;
  }
  void BeginList(int field, Type of, std::size_t size) {
    Begin(field, kList);
    if (size < 15) {
      bytes_ += static_cast<char>(size << 4 | of);
    } else {
      bytes_ += static_cast<char>(0xf0 | of);
      AppendVarint(bytes_, size);
    }
  }
  Structure& Zigzag(std::int64_t number) {
    const auto bits = static_cast<std::uint64_t>(number);
    AppendVarint(bytes_, bits << 1 ^ (number < 0 ? ~std::uint64_t{0} : 0));
    return *this;
  }
  Structure& AppendText(std::string_view text) {
    AppendVarint(bytes_, text.size());
    bytes_ += text;
    return *this;
  }

  std::string bytes_;
  int last_ = 0;
};

// Numbers below 2^width, one after the other: a run of packed eights.
std::string Packed(std::span<const std::uint32_t> numbers, unsigned width) {
  std::string bytes(1, static_cast<char>(width));
  if (width == 0) {
    AppendVarint(bytes, numbers.size() << 1);  // a run of one number, which takes no bytes
    return bytes;
  }
  const std::size_t eights = (numbers.size() + 7) / 8;
  AppendVarint(bytes, eights << 1 | 1);
  std::uint64_t waiting = 0;
  unsigned bits = 0;
  for (std::size_t i = 0; i < eights * 8; ++i) {
    const std::uint64_t number = i < numbers.size() ? numbers[i] : 0;
    waiting |= number << bits;
    for (bits += width; bits >= 8; bits -= 8, waiting >>= 8) bytes += static_cast<char>(waiting);
  }
  return bytes;
}

Result<std::string> Page(std::int64_t kind, int field, const Structure& header,
                         const std::string& body) {
  if (body.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    return MachineError("a column of the release has more bytes than Parquet can hold in one piece",
                        "Write it as CSV.");
  }
  const auto size = static_cast<std::int64_t>(body.size());
  return Structure().Short(1, kind).Short(2, size).Short(3, size).Inner(field, header).Done() +
         body;
}

}  // namespace

ParquetWriter::ParquetWriter(WritableFile& file, const std::vector<std::string>& names,
                             const std::vector<std::vector<std::string>>& texts)
    : file_(file), names_(names), texts_(texts), rows_(names.size()) {
  REISSUE_CHECK(!names.empty() && names.size() == texts.size());
  for (const std::vector<std::string>& column : texts) number_in_group_.emplace_back(column.size());
}

Status ParquetWriter::Append(const std::string& bytes) {
  at_ += bytes.size();
  return file_.Append(bytes);
}

Status ParquetWriter::Add(std::span<const std::uint32_t> numbers) {
  for (std::size_t c = 0; c < names_.size(); ++c) rows_[c].push_back(numbers[c]);
  return rows_[0].size() < kRowsOfGroup ? Ok() : WriteGroup();
}

Result<ParquetWriter::Chunk> ParquetWriter::WriteColumn(std::size_t column) {
  std::vector<std::uint32_t>& rows = rows_[column];
  std::vector<std::uint32_t>& number_of = number_in_group_[column];
  std::vector<std::uint32_t> used;
  std::string dictionary;
  for (std::uint32_t& row : rows) {
    if (number_of[row] == 0) {
      const std::string& text = texts_[column][row];
      AppendFixed(dictionary, static_cast<std::uint32_t>(text.size()));
      dictionary += text;
      used.push_back(row);
      number_of[row] = static_cast<std::uint32_t>(used.size());
    }
    row = number_of[row] - 1;
  }
  for (const std::uint32_t text : used) number_of[text] = 0;

  const auto count = static_cast<std::int64_t>(rows.size());
  const std::string first = REISSUE_TRY(Page(
      kDictionaryPage, 7,
      Structure().Short(1, static_cast<std::int64_t>(used.size())).Short(2, kPlain), dictionary));
  const auto width = static_cast<unsigned>(std::bit_width(used.size() - 1));
  const std::string second = REISSUE_TRY(
      Page(kDataPage, 5,
           Structure().Short(1, count).Short(2, kRleDictionary).Short(3, kRle).Short(4, kRle),
           Packed(rows, width)));
  rows.clear();
  const Chunk chunk{at_, at_ + first.size(), first.size() + second.size()};
  REISSUE_TRY(Append(first));
  REISSUE_TRY(Append(second));
  return chunk;
}

Status ParquetWriter::WriteGroup() {
  if (at_ == 0) REISSUE_TRY(Append(std::string(kMark)));
  if (rows_[0].empty()) return Ok();
  Group group;
  group.rows = rows_[0].size();
  for (std::size_t c = 0; c < names_.size(); ++c) {
    group.chunks.push_back(REISSUE_TRY(WriteColumn(c)));
  }
  groups_.push_back(std::move(group));
  return Ok();
}

std::string ParquetWriter::Footer() const {
  std::vector<Structure> schema = {
      Structure().Text(4, "release").Short(5, static_cast<std::int64_t>(names_.size()))};
  for (const std::string& name : names_) {
    schema.push_back(Structure()
                         .Short(1, kByteArray)
                         .Short(3, kRequired)
                         .Text(4, name)
                         .Short(6, kUtf8)
                         .Inner(10, Structure().Inner(1, Structure())));  // a string
  }
  std::int64_t rows = 0;
  std::vector<Structure> groups;
  for (const Group& group : groups_) {
    std::vector<Structure> chunks;
    std::int64_t bytes = 0;
    for (std::size_t c = 0; c < names_.size(); ++c) {
      const Chunk& chunk = group.chunks[c];
      const auto size = static_cast<std::int64_t>(chunk.bytes);
      bytes += size;
      chunks.push_back(
          Structure()
              .Number(2, static_cast<std::int64_t>(chunk.dictionary_at))
              .Inner(3, Structure()
                            .Short(1, kByteArray)
                            .Shorts(2, {kPlain, kRle, kRleDictionary})
                            .Texts(3, {names_[c]})
                            .Short(4, kUncompressed)
                            .Number(5, static_cast<std::int64_t>(group.rows))
                            .Number(6, size)
                            .Number(7, size)
                            .Number(9, static_cast<std::int64_t>(chunk.data_at))
                            .Number(11, static_cast<std::int64_t>(chunk.dictionary_at))));
    }
    rows += static_cast<std::int64_t>(group.rows);
    groups.push_back(Structure().List(1, chunks).Number(2, bytes).Number(
        3, static_cast<std::int64_t>(group.rows)));
  }
  return Structure()
      .Short(1, 1)
      .List(2, schema)
      .Number(3, rows)
      .List(4, groups)
      .Text(6, "reissue")
      .Done();
}

Status ParquetWriter::Finish() {
  REISSUE_TRY(WriteGroup());
  std::string end = Footer();
  AppendFixed(end, static_cast<std::uint32_t>(end.size()));
  end += kMark;
  return Append(end);
}

}  // namespace reissue::io
