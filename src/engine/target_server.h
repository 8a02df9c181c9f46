#pragma once
// The server that a command line or a policy names, as a place where releases can be tables. A
// front end owns it and hands it to the engine (binding::Context). Belongs to one thread.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "reissue/core/parallel.h"
#include "reissue/core/result.h"
#include "reissue/sources/release_target.h"

namespace reissue::engine {

class TableServer : public sources::TargetServer {
 public:
  // `servers`: connection strings as they are known when they are needed. Both must outlive it.
  TableServer(std::function<std::vector<std::string>()> servers, ThreadPool& pool)
      : servers_(std::move(servers)), pool_(pool) {}

  // kUsage where none is named, or several.
  Result<std::unique_ptr<sources::ReleaseTarget>> OpenTarget(const std::string& table) override;
  // Where several are named, the one that knows is asked.
  Result<sources::Fate> FateOf(std::string_view seal) override;

 private:
  std::function<std::vector<std::string>()> servers_;
  ThreadPool& pool_;
};

}  // namespace reissue::engine
