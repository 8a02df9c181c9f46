#include "reissue/engine/target_server.h"

#include <fmt/format.h>

#include "reissue/sources/postgres/target.h"

namespace reissue::engine {

namespace postgres = sources::postgres;

Result<std::unique_ptr<sources::ReleaseTarget>> TableServer::OpenTarget(const std::string& table) {
  const std::vector<std::string> servers = servers_();
  if (servers.empty()) {
    return UsageError("no server was named for the table of the release",
                      "Name it with -d CONNINFO, or publish to a file with --out.");
  }
  if (servers.size() > 1) {
    return UsageError(
        fmt::format("{} servers were named, and a release is a table of one", servers.size()),
        "Publish to a file with --out, and load it where it is to be.");
  }
  return postgres::OpenTarget(REISSUE_TRY(postgres::ReadAddress(servers[0])), table, {}, pool_);
}

Result<sources::Fate> TableServer::FateOf(std::string_view seal) {
  const std::vector<std::string> servers = servers_();
  Result<sources::Fate> fate = MachineError("no server was named", "Name it with -d CONNINFO.");
  for (const std::string& server : servers) {
    const postgres::Address address = REISSUE_TRY(postgres::ReadAddress(server));
    fate = postgres::RecoveryAt(address, {})->FateOf(seal);
    if (fate) return fate;
  }
  return fate;
}

}  // namespace reissue::engine
