#pragma once
// Directories that are held open, so that a file which belongs into one is made there and nowhere
// else, whatever becomes of the name meanwhile. Internal to io. Thread-safe.

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "reissue/core/result.h"

namespace reissue::io::internal {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor();
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

struct HeldDirectory {
  std::string name;
  Descriptor descriptor;
  // Its name still leads to it. An error says that it was removed, moved or replaced.
  Status IsInItsPlace() const;
};

// A file as the calls that end in "at" take it: by its name in a directory that is held, or by its
// path.
struct Spot {
  std::shared_ptr<const HeldDirectory> held;  // null: by its path
  std::string name;
  int directory() const;
  const char* c_str() const { return name.c_str(); }
  Status IsInItsPlace() const { return held == nullptr ? Ok() : held->IsInItsPlace(); }
};

class Directories {
 public:
  // As long as what is returned lives.
  Result<std::shared_ptr<const HeldDirectory>> Hold(const std::string& directory);
  // Null where it is not held.
  std::shared_ptr<const HeldDirectory> Find(const std::string& directory);
  Spot Locate(const std::string& path);

 private:
  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<const HeldDirectory>> held_;
};

}  // namespace reissue::io::internal
