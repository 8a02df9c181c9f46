#pragma once
// A file system on which a publication can be tried out: what is written stays in memory, what is
// there already is read from another one, and nothing reaches the disk. Thread-safe; the other one
// must outlive it.

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "reissue/io/file_system.h"

namespace reissue::io {

class RehearsalFiles : public FileSystem {
 public:
  explicit RehearsalFiles(FileSystem& base) : base_(base) { most_unpacked = base.most_unpacked; }

  // A file that only this file system has, in place of any other of the name.
  void Put(const std::string& path, std::string content);

  // Standard input is kept, and can be read again.
  Result<std::unique_ptr<Bytes>> Read(const std::string& path) override;
  Result<std::unique_ptr<WritableFile>> Create(const std::string& path, bool owner_only) override;
  Status Rename(const std::string& from, const std::string& to, bool replace) override;
  Status Remove(const std::string& path) override;
  Status SyncDirectory(const std::string&) override { return Ok(); }
  Status CreateDirectory(const std::string& path, bool owner_only) override;
  bool Exists(const std::string& path) override;

 private:
  using Content = std::shared_ptr<std::string>;  // null: removed, whatever the base has
  class File;
  class View;
  std::optional<Content> Find(const std::string& path);

  FileSystem& base_;
  std::mutex mutex_;
  std::map<std::string, Content> files_;
};

}  // namespace reissue::io
