#pragma once
// A file as a library that opens files by their names can read it, and only it: what was opened
// once is what is read, wherever its name leads meanwhile. Belongs to one thread.

#include <sys/stat.h>

#include <memory>
#include <string>

#include "reissue/core/result.h"
#include "reissue/io/csv.h"
#include "reissue/io/file_system.h"

namespace reissue::sources::parquet {

class ReadableFile {
 public:
  // A file of the disk is read where it is; whatever else `files` have (a pipe, what a rehearsal
  // wrote) is copied into memory first, which no other process sees. Reads all of it once, for
  // digest and fingerprint. Errors (kInput): no such file, a directory, no Parquet by its first and
  // last bytes.
  static Result<std::unique_ptr<ReadableFile>> Open(io::FileSystem& files, const std::string& path);
  ~ReadableFile();
  ReadableFile(const ReadableFile&) = delete;
  ReadableFile& operator=(const ReadableFile&) = delete;

  const std::string& name() const { return name_; }            // as messages call it
  const std::string& opened_as() const { return opened_as_; }  // for the library
  const std::string& digest() const { return digest_; }
  const io::Fingerprint& fingerprint() const { return fingerprint_; }
  // An error (kInput) where somebody wrote to it since it was opened.
  Status IsUnchanged() const;

 private:
  ReadableFile() = default;
  Status ReadThrough(io::ByteStream& stream);
  Status Copy(std::string_view bytes);

  std::string name_, opened_as_, digest_;
  io::Fingerprint fingerprint_;
  std::unique_ptr<io::ByteStream> stream_;
  int memory_ = -1;  // the copy, where there is one
  struct stat before_ {};
};

}  // namespace reissue::sources::parquet
