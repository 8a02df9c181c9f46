#pragma once
// A file system that breaks on purpose. It wraps another one, numbers every operation that changes
// something (create, append, sync, rename, remove, make a directory, sync a directory; from 1), and
// either fails one of them as a full disk would, or "dies" there: from then on everything fails, as
// if the process had been killed at that point. A failing append may first write a part.
// Thread-safe; the wrapped file system must outlive it.

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "reissue/io/file_system.h"

namespace reissue::io {

class FaultyFileSystem : public FileSystem {
 public:
  explicit FaultyFileSystem(FileSystem& inner) : inner_(inner) {}

  // Only the n-th operation from now on fails.
  void FailAt(std::uint64_t n) { Plan(n, false); }
  // The n-th operation from now on fails, and so does everything after it.
  void DieAt(std::uint64_t n) { Plan(n, true); }
  void Heal() { Plan(0, false); }
  // A failing append writes this many bytes first.
  void WriteShort(std::size_t bytes) { short_write_ = bytes; }
  // Operations since the last plan was made.
  std::uint64_t operations() const { return operations_; }

  Result<std::unique_ptr<Bytes>> Read(const std::string& path) override {
    if (Dead()) return Broken(path);
    return inner_.Read(path);
  }
  Result<std::unique_ptr<WritableFile>> Create(const std::string& path, bool owner_only) override {
    if (Breaks()) return Broken(path);
    std::unique_ptr<WritableFile> file = REISSUE_TRY(inner_.Create(path, owner_only));
    return std::unique_ptr<WritableFile>(std::make_unique<File>(*this, path, std::move(file)));
  }
  Status Rename(const std::string& from, const std::string& to, bool replace) override {
    if (Breaks()) return Broken(to);
    return inner_.Rename(from, to, replace);
  }
  Status MakePublic(const std::string& path) override {
    if (Breaks()) return Broken(path);
    return inner_.MakePublic(path);
  }
  Status Remove(const std::string& path) override {
    if (Breaks()) return Broken(path);
    return inner_.Remove(path);
  }
  Status SyncDirectory(const std::string& directory) override {
    if (Breaks()) return Broken(directory);
    return inner_.SyncDirectory(directory);
  }
  Status CreateDirectory(const std::string& path, bool owner_only) override {
    if (Breaks()) return Broken(path);
    return inner_.CreateDirectory(path, owner_only);
  }
  bool Exists(const std::string& path) override { return inner_.Exists(path); }
  Result<DirectoryHold> HoldDirectory(const std::string& directory) override {
    return inner_.HoldDirectory(directory);
  }

 private:
  class File : public WritableFile {
   public:
    File(FaultyFileSystem& files, std::string path, std::unique_ptr<WritableFile> inner)
        : files_(files), path_(std::move(path)), inner_(std::move(inner)) {}
    Status Append(std::string_view data) override {
      const bool was_dead = files_.Dead();
      if (files_.Breaks()) {
        // A process that was killed earlier writes nothing more.
        if (!was_dead) (void)inner_->Append(data.substr(0, files_.short_write_));
        return files_.Broken(path_);
      }
      return inner_->Append(data);
    }
    Status Sync() override {
      if (files_.Breaks()) return files_.Broken(path_);
      return inner_->Sync();
    }
    Status Close() override {
      Status closed = inner_->Close();
      if (files_.Dead()) return files_.Broken(path_);
      return closed;
    }

   private:
    FaultyFileSystem& files_;
    std::string path_;
    std::unique_ptr<WritableFile> inner_;
  };

  void Plan(std::uint64_t n, bool dies) {
    operations_ = 0;
    fails_at_ = n;
    dies_ = dies;
  }
  bool Breaks() {
    const std::uint64_t number = ++operations_;
    if (fails_at_ == 0) return false;
    return dies_ ? number >= fails_at_ : number == fails_at_;
  }
  bool Dead() const { return dies_ && fails_at_ != 0 && operations_ >= fails_at_; }
  static Error Broken(const std::string& path) {
    return MachineError(Place{.file = path, .line = {}, .byte = {}, .column = {}},
                        "the disk is full (a fault of this test); nothing was published");
  }

  FileSystem& inner_;
  std::atomic<std::uint64_t> operations_ = 0;
  std::atomic<std::uint64_t> fails_at_ = 0;
  std::atomic<bool> dies_ = false;
  std::atomic<std::size_t> short_write_ = 0;
};

}  // namespace reissue::io
