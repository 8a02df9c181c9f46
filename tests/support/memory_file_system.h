#pragma once
// A file system in memory, for tests: files by their path, no permissions, directories only by
// name. Thread-safe.

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "reissue/io/file_system.h"

namespace reissue::io {

class MemoryFileSystem : public FileSystem {
 public:
  void Put(const std::string& path, std::string content) {
    const std::lock_guard lock(mutex_);
    files_[path] = std::move(content);
  }
  // The content of a file; empty where there is none.
  std::string Get(const std::string& path) const {
    const std::lock_guard lock(mutex_);
    const auto found = files_.find(path);
    return found == files_.end() ? std::string() : found->second;
  }
  std::set<std::string> Paths() const {
    const std::lock_guard lock(mutex_);
    std::set<std::string> paths;
    for (const auto& [path, content] : files_) paths.insert(path);
    return paths;
  }

  Result<std::unique_ptr<Bytes>> Read(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    const auto found = files_.find(path);
    if (found == files_.end()) return InputError(At(path), "cannot read this file: not there");
    return std::unique_ptr<Bytes>(std::make_unique<Copy>(found->second));
  }
  Result<std::unique_ptr<WritableFile>> Create(const std::string& path, bool) override {
    const std::lock_guard lock(mutex_);
    if (!files_.emplace(path, std::string()).second) {
      return MachineError(At(path), "cannot create this file: it exists");
    }
    return std::unique_ptr<WritableFile>(std::make_unique<File>(*this, path));
  }
  Status Rename(const std::string& from, const std::string& to, bool replace) override {
    const std::lock_guard lock(mutex_);
    const auto found = files_.find(from);
    if (found == files_.end()) return MachineError(At(from), "cannot rename: not there");
    if (!replace && files_.contains(to)) return MachineError(At(to), "this file exists already");
    std::string content = std::move(found->second);
    files_.erase(found);
    files_[to] = std::move(content);
    return Ok();
  }
  Status Remove(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    files_.erase(path);
    return Ok();
  }
  Status SyncDirectory(const std::string&) override { return Ok(); }
  Status CreateDirectory(const std::string& path, bool) override {
    const std::lock_guard lock(mutex_);
    if (!directories_.insert(path).second) return MachineError(At(path), "it exists");
    return Ok();
  }
  bool Exists(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    return files_.contains(path) || directories_.contains(path);
  }

 private:
  static Place At(const std::string& path) {
    return {.file = path, .line = {}, .byte = {}, .column = {}};
  }
  // The bytes end where the memory ends, so that a sanitizer sees a read behind them.
  class Copy : public Bytes {
   public:
    explicit Copy(const std::string& content)
        : size_(content.size()), data_(std::make_unique<char[]>(size_)) {
      content.copy(data_.get(), size_);
    }
    std::string_view view() const override { return {data_.get(), size_}; }

   private:
    std::size_t size_;
    std::unique_ptr<char[]> data_;
  };
  class File : public WritableFile {
   public:
    File(MemoryFileSystem& files, std::string path) : files_(files), path_(std::move(path)) {}
    Status Append(std::string_view data) override {
      const std::lock_guard lock(files_.mutex_);
      files_.files_[path_] += data;
      return Ok();
    }
    Status Sync() override { return Ok(); }
    Status Close() override { return Ok(); }

   private:
    MemoryFileSystem& files_;
    std::string path_;
  };

  mutable std::mutex mutex_;
  std::map<std::string, std::string> files_;
  std::set<std::string> directories_;
};

}  // namespace reissue::io
