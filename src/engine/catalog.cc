#include "reissue/engine/catalog.h"

#include <algorithm>
#include <array>

#include "reissue/sources/files.h"
#include "reissue/sources/postgres/source.h"

namespace reissue::engine {
namespace {

namespace postgres = sources::postgres;

// How names of files end, packed or not.
constexpr std::array<std::string_view, 4> kEndings = {".csv", ".tsv", ".txt", ".parquet"};
constexpr std::array<std::string_view, 2> kPacked = {".gz", ".zst"};

}  // namespace

Status TableCatalog::Connect(const std::vector<std::string>& servers) {
  for (const std::string& server : servers) REISSUE_TRY(postgres::ReadAddress(server));
  servers_ = servers;
  told_ = !servers.empty();
  return Ok();
}

Result<std::vector<std::string>> TableCatalog::ServersWithoutPasswords() const {
  std::vector<std::string> servers;
  for (const std::string& server : servers_) {
    const postgres::Address address{server};
    servers.push_back(REISSUE_TRY(postgres::WithoutPassword(address)).conninfo);
  }
  return servers;
}

Status TableCatalog::Follow(const io::PolicySource& source) {
  if (source.servers.empty()) return Ok();
  const Place place{source.file, source.line, std::nullopt, ""};
  for (const std::string& server : source.servers) {
    REISSUE_TRY(postgres::ReadAddressOfPolicy(server, place));
  }
  if (!told_) servers_ = source.servers;
  lock_ = source.lock && servers_.size() > 1;
  timeout_ = source.timeout;
  return Ok();
}

bool TableCatalog::IsFile(const std::string& table) const {
  if (servers_.empty() || table == "-" || table.find('/') != std::string::npos) return true;
  std::string_view name = table;
  for (const std::string_view packed : kPacked) {
    if (name.ends_with(packed)) name.remove_suffix(packed.size());
  }
  return std::any_of(kEndings.begin(), kEndings.end(),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

Result<std::unique_ptr<sources::TableSource>> TableCatalog::Open(const std::string& table,
                                                                 const io::CsvOptions& options) {
  if (IsFile(table)) return sources::OpenFile(files_, table, options, pool_, progress_);
  postgres::SourceSettings settings;
  for (const std::string& server : servers_) settings.servers.push_back({server});
  settings.lock = lock_;
  if (timeout_) settings.patience.answer = std::chrono::seconds(*timeout_);
  auto source = REISSUE_TRY(postgres::OpenTable(settings, table, pool_, progress_));
  opened_[table] = source->consistency();
  return source;
}

std::string TableCatalog::ViewOf(const std::string& table) const {
  const auto found = opened_.find(table);
  return found == opened_.end() ? std::string() : WordsFor(found->second);
}

Status FollowSource(const io::Policy& policy, binding::Context& context) {
  return context.catalog == nullptr ? Ok() : context.catalog->Follow(policy.source);
}

}  // namespace reissue::engine
