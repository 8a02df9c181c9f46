#pragma once
// One table on one server or several, seen at one moment or one after the other. Owns the
// connections.

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "reissue/core/result.h"
#include "reissue/sources/postgres/described.h"
#include "reissue/sources/postgres/session.h"
#include "reissue/sources/postgres/source.h"

namespace reissue::sources::postgres {

struct Shard {
  Connection connection;
  Described table;
};

class Shards {
 public:
  // All of them are opened, and their snapshots are taken. Where `lock` is asked for: all tables
  // are locked against writers by second connections, then snapshots are taken, then the locks are
  // given back.
  static Result<Shards> Open(const SourceSettings& settings, const TableName& table);

  std::size_t size() const { return shards_.size(); }
  const Shard& operator[](std::size_t i) const { return *shards_[i]; }
  // Runs the work for each of them, on a thread each. The first that fails stops the others; its
  // error is the one that is returned.
  Status ForEach(const std::function<Status(std::size_t, Shard&)>& work);

 private:
  std::vector<std::unique_ptr<Shard>> shards_;
  std::unique_ptr<std::atomic<bool>> stop_ = std::make_unique<std::atomic<bool>>(false);
};

// The same without shards: `work` for each number below `size`, concurrently.
Status Scatter(std::size_t size, std::atomic<bool>& stop,
               const std::function<Status(std::size_t)>& work);

}  // namespace reissue::sources::postgres
