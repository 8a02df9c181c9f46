#include "reissue/engine/release_writer.h"

#include <algorithm>
#include <functional>
#include <set>

#include "reissue/io/csv.h"

namespace reissue::engine {
namespace {

constexpr std::size_t kBufferBytes = 1 << 20;

// The text of every value of a published column as it stands in the file: quoted where needed,
// generalised where the column is a quasi-identifier.
std::vector<std::string> FieldTexts(const HolderTable& holder, ColumnId id,
                                    const models::k::Outcome& outcome) {
  const Dictionary& dictionary = holder.table[id].dictionary();
  std::vector<std::string> texts(dictionary.size());
  const auto quasi = std::find_if(holder.quasi.begin(), holder.quasi.end(),
                                  [&](const Quasi& q) { return q.column == id; });
  for (std::size_t v = 0; v < dictionary.size(); ++v) {
    std::string_view text = dictionary[ValueId(v)];
    if (quasi != holder.quasi.end()) {
      const auto q = static_cast<std::size_t>(quasi - holder.quasi.begin());
      text = quasi->tree->label(outcome.cuts[q].NodeOfLeaf(quasi->leaf_of_value[v]));
    }
    io::AppendField(texts[v], text);
  }
  return texts;
}

// Tells which combinations lie in suppressed cells.
class SuppressionTest {
 public:
  SuppressionTest(const HolderTable& holder, const models::k::Outcome& outcome)
      : holder_(holder),
        outcome_(outcome),
        cells_(outcome.suppressed.begin(), outcome.suppressed.end()),
        nodes_(holder.quasi.size()) {
    for (const Quasi& quasi : holder.quasi) {
      const auto at = std::find(holder.published.begin(), holder.published.end(), quasi.column);
      positions_.push_back(static_cast<std::size_t>(at - holder.published.begin()));
    }
  }

  bool operator()(std::span<const std::uint32_t> key) {
    if (cells_.empty()) return false;
    for (std::size_t q = 0; q < nodes_.size(); ++q) {
      nodes_[q] = outcome_.cuts[q].NodeOfLeaf(holder_.quasi[q].leaf_of_value[key[positions_[q]]]);
    }
    return cells_.contains(nodes_);
  }

 private:
  const HolderTable& holder_;
  const models::k::Outcome& outcome_;
  std::set<std::vector<NodeId>> cells_;
  std::vector<std::size_t> positions_;
  std::vector<NodeId> nodes_;
};

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

Status WriteRows(const Table& table, const std::vector<ColumnId>& published,
                 const std::vector<std::vector<std::string>>& texts, const Cells& combinations,
                 const std::function<bool(std::span<const std::uint32_t>)>& left_out,
                 const std::string& path, Random& random, Context& context) {
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
    const auto key = combinations.key(CellId(i));
    if (left_out && left_out(key)) continue;
    for (std::size_t c = 0; c < texts.size(); ++c) {
      if (c > 0) lines += ',';
      lines += texts[c][key[c]];
    }
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

Status WriteRelease(const HolderTable& holder, const Cells& combinations,
                    const models::k::Outcome& outcome, const std::string& path, Random& random,
                    Context& context) {
  std::vector<std::vector<std::string>> texts;
  for (const ColumnId id : holder.published) texts.push_back(FieldTexts(holder, id, outcome));
  SuppressionTest suppressed(holder, outcome);
  return WriteRows(holder.table, holder.published, texts, combinations, std::ref(suppressed), path,
                   random, context);
}

}  // namespace reissue::engine
