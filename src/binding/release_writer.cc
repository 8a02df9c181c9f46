#include "reissue/binding/release_writer.h"

#include <algorithm>
#include <functional>

#include "reissue/io/csv.h"

namespace reissue::binding {
namespace {

constexpr std::size_t kBufferBytes = 1 << 20;

}  // namespace

void AppendName(std::string& header, const std::string& name) {
  if (name.find_first_of(";\t") == std::string::npos) return io::AppendField(header, name);
  std::string quoted = name;
  for (std::size_t at = 0; (at = quoted.find('"', at)) != std::string::npos; at += 2) {
    quoted.insert(at, 1, '"');
  }
  header += '"' + quoted + '"';
}

Cells PublishedCombinations(const HolderTable& holder, ThreadPool& pool,
                            std::span<const std::uint8_t> birth_of_row, std::size_t births) {
  std::vector<ColumnId> columns = holder.published;
  if (holder.sensitive.stands_in()) columns.push_back(*holder.sensitive.column);
  return BuildCells(holder.table, columns, pool, birth_of_row, births);
}

LineOf FieldByField(const std::vector<std::vector<std::string>>& texts) {
  return [&texts](std::span<const std::uint32_t> key, std::string& line) {
    for (std::size_t c = 0; c < texts.size(); ++c) {
      if (c > 0) line += ',';
      line += texts[c][key[c]];
    }
    return true;
  };
}

Status WriteRows(const Table& table, const std::vector<ColumnId>& published, const LineOf& line_of,
                 const Cells& combinations, const std::string& path, Random& random,
                 Context& context) {
  std::string header;
  for (const ColumnId id : published) {
    if (!header.empty()) header += ',';
    AppendName(header, table[id].name());
  }
  header += '\n';

  std::string lines;  // the distinct lines, one after the other
  std::vector<std::size_t> starts = {0};
  std::vector<std::uint32_t> order;  // a line number per row
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < combinations.size(); ++i) {
    if (!line_of(combinations.key(CellId(i)), lines)) continue;
    lines += '\n';
    order.insert(order.end(), combinations.count(CellId(i)),
                 static_cast<std::uint32_t>(starts.size() - 1));
    bytes += combinations.count(CellId(i)) * (lines.size() - starts.back());
    starts.push_back(lines.size());
  }
  random.Shuffle(order);

  // Private until the vault puts it in place: a part of a release keeps no promise.
  const auto file = REISSUE_TRY(context.files.Create(path, /*owner_only=*/true));
  std::string buffer = header;
  buffer.reserve(kBufferBytes + 4096);
  context.progress.Begin("writing the release", bytes);
  for (const std::uint32_t line : order) {
    buffer.append(lines, starts[line], starts[line + 1] - starts[line]);
    if (buffer.size() >= kBufferBytes) {
      REISSUE_TRY(file->Append(buffer));
      context.progress.Advance(buffer.size());
      buffer.clear();
    }
  }
  REISSUE_TRY(file->Append(buffer));
  REISSUE_TRY(file->Sync());
  return file->Close();
}

}  // namespace reissue::binding
