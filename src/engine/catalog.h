#pragma once
// Where names of tables lead: to files, and, where a command line or a policy names a server, to
// its tables. The one list of all kinds of sources; a front end owns a catalog and hands it to the
// engine (binding::Context). Belongs to one thread.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reissue/binding/context.h"
#include "reissue/core/result.h"
#include "reissue/io/policy.h"
#include "reissue/sources/table_source.h"

namespace reissue::engine {

class TableCatalog : public sources::Catalog {
 public:
  // All must outlive it.
  TableCatalog(io::FileSystem& files, ThreadPool& pool, Progress& progress)
      : files_(files), pool_(pool), progress_(progress) {}

  // What a command line says (`-d`): one server, or the shards of a table. A policy does not change
  // it. Errors (kUsage): not a connection string; this program was built without PostgreSQL.
  Status Connect(const std::vector<std::string>& servers);
  // As they are known by now.
  const std::vector<std::string>& servers() const { return servers_; }
  // As policies may be shown: without passwords.
  Result<std::vector<std::string>> ServersWithoutPasswords() const;

  Status Follow(const io::PolicySource& source) override;
  // Without a server every name is one of a file. With one, these are: `-`, names with a `/`, and
  // names that end in .csv, .tsv, .txt or .parquet, packed (.gz, .zst) or not. A table that is
  // called so is named in double quotes.
  bool IsFile(const std::string& table) const override;
  Result<std::unique_ptr<sources::TableSource>> Open(const std::string& table,
                                                     const io::CsvOptions& options) override;
  std::string ViewOf(const std::string& table) const override;

 private:
  io::FileSystem& files_;
  ThreadPool& pool_;
  Progress& progress_;
  std::vector<std::string> servers_;
  bool told_ = false;  // by a command line
  bool lock_ = false;
  std::optional<std::uint64_t> timeout_;
  std::map<std::string, sources::Consistency> opened_;
};

// Lets the catalog of a context follow [source] of a policy; before the first table is opened.
Status FollowSource(const io::Policy& policy, binding::Context& context);

}  // namespace reissue::engine
