#pragma once
// A directory for targets that need real files, since a vault is a database: in memory where there
// is some to be had.

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace reissue::fuzz {

class Scratch {
 public:
  Scratch() {
    const bool memory = ::access("/dev/shm", W_OK) == 0;
    std::string pattern = std::string(memory ? "/dev/shm" : "/tmp") + "/reissue-fuzz-XXXXXX";
    root_ = ::mkdtemp(pattern.data());
  }
  ~Scratch() { std::filesystem::remove_all(root_); }

  void Clear() const {
    for (const auto& entry : std::filesystem::directory_iterator(root_)) {
      std::filesystem::remove_all(entry.path());
    }
  }
  std::string Path(const std::string& name) const { return root_ + "/" + name; }
  std::string Write(const std::string& name, std::string_view bytes) const {
    std::ofstream(Path(name), std::ios::binary) << bytes;
    return Path(name);
  }

 private:
  std::string root_;
};

}  // namespace reissue::fuzz
