#include "reissue/sources/postgres/seal.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "reissue/io/csv.h"

namespace reissue::sources::postgres {
namespace {

constexpr std::string_view kFirstLine = "postgres 1\n";

bool IsMadeOf(const std::string& text, std::string_view letters) {
  return !text.empty() && text.find_first_not_of(letters) == std::string::npos;
}

}  // namespace

std::string TargetSeal::ToString() const {
  return fmt::format("{}system {}\ndatabase {}\nnonce {}\ntransaction {}\ntable {}\n", kFirstLine,
                     system, database, nonce, transaction, table.ToString());
}

Result<TargetSeal> TargetSeal::Parse(std::string_view text) {
  const Error wrong =
      InputError("what the vault has recorded of a table is not of this version or damaged");
  if (!text.starts_with(kFirstLine)) return wrong;
  text.remove_prefix(kFirstLine.size());
  TargetSeal seal;
  const std::array<std::pair<std::string_view, std::string*>, 4> members = {
      {{"system ", &seal.system},
       {"database ", &seal.database},
       {"nonce ", &seal.nonce},
       {"transaction ", &seal.transaction}}};
  for (const auto& [name, member] : members) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos || !text.starts_with(name)) return wrong;
    *member = text.substr(name.size(), end - name.size());
    text.remove_prefix(end + 1);
  }
  constexpr std::string_view kTable = "table ";
  if (!text.starts_with(kTable) || !text.ends_with('\n')) return wrong;
  text.remove_prefix(kTable.size());
  text.remove_suffix(1);
  Result<TableName> table = ReadTableName(std::string(text));
  constexpr std::string_view kDigits = "0123456789", kHex = "0123456789abcdef";
  if (!table || !IsMadeOf(seal.system, kDigits) || !IsMadeOf(seal.database, kDigits) ||
      !IsMadeOf(seal.nonce, kHex) || !IsMadeOf(seal.transaction, kDigits)) {
    return wrong;
  }
  seal.table = *std::move(table);
  return seal;
}

std::int64_t LockOf(const TableName& table) {
  const std::string digest = io::Digest("reissue target " + table.ToString());
  std::uint64_t number = 0;
  std::from_chars(digest.data(), digest.data() + 16, number, 16);
  return static_cast<std::int64_t>(number);
}

}  // namespace reissue::sources::postgres
