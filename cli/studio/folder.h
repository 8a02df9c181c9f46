#pragma once
// The one folder that the studio sees. Names are those of a browser: whatever they say, nothing
// outside of the folder is reached, no link is followed, and nothing hidden is touched.
// Thread-safe.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reissue/core/result.h"

namespace reissue::cli::studio {

// Answers to a request: those of HTTP.
inline constexpr int kFine = 200, kCreated = 201, kBadName = 422, kNotThere = 404, kConflict = 409,
                     kTooLarge = 413, kFull = 507, kBroken = 500;

struct FolderEntry {
  std::string name;  // `patients.csv`, `hospital/policy.toml`
  std::string kind;  // `table`, `policy`, `certificate`, `report`, `vault`, `figure`, `other`
  std::uint64_t bytes = 0;
  std::int64_t modified = 0;  // seconds since 1970
};

class Folder {
 public:
  // Errors: no directory.
  static Result<Folder> Open(const std::string& directory);
  Folder(Folder&& other) noexcept;
  Folder& operator=(Folder&&) = delete;
  ~Folder();

  int descriptor() const { return descriptor_; }
  const std::string& directory() const { return directory_; }  // from the root

  // Two levels deep, at most kMostEntries, by name; without links and hidden names.
  std::vector<FolderEntry> List() const;
  static constexpr std::size_t kMostEntries = 1000;

  // One or two parts, none of them hidden, an option, or with anything but plain letters.
  static bool IsName(std::string_view name);
  // The first parts of the path that exist are no links: it leads to something in the folder.
  bool Contains(const std::string& path) const;
  // It stands in a vault, or is one.
  bool IsVaulted(const std::string& name) const;

  // The whole of a regular file; nothing where there is none, or it is larger.
  std::optional<std::string> Read(const std::string& name, std::size_t most) const;

 private:
  Folder(int descriptor, std::string directory)
      : descriptor_(descriptor), directory_(std::move(directory)) {}
  friend class Upload;
  // The directory of a name, and its last part; -1 where it is not there. To be closed.
  int Parent(const std::string& name, std::string& last) const;
  void ListIn(int directory, const std::string& prefix, std::vector<FolderEntry>& entries) const;

  int descriptor_;
  std::string directory_;
};

// What a file seems to be, by its name.
std::string KindOf(std::string_view name);
// Tables, policies and what verbs read: what may be brought.
bool MayBeUploaded(std::string_view name);

// A file that comes piece by piece and is there whole or not at all, for its owner only.
class Upload {
 public:
  explicit Upload(const Folder& folder) : folder_(folder) {}
  ~Upload();
  Upload(const Upload&) = delete;
  Upload& operator=(const Upload&) = delete;

  // kFine, or why not.
  int Begin(const std::string& name, bool replace);
  int Append(const char* data, std::size_t size);
  int Finish();  // kCreated, or why not

 private:
  const Folder& folder_;
  int parent_ = -1, file_ = -1;
  bool replace_ = false;
  std::string last_, temporary_;
};

}  // namespace reissue::cli::studio
