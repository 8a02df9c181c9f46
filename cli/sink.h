#pragma once
// Where a long output goes: standard output as it comes, or a file that exists whole or not at all
// (a temporary beside it, renamed at the end, and removed where a signal ends the program before).
// Belongs to one thread.

#include <memory>
#include <string>
#include <string_view>

#include "cli/session.h"
#include "reissue/core/result.h"
#include "reissue/io/file_system.h"

namespace reissue::cli {

class Sink {
 public:
  // `path` empty or `-`: standard output. With `replace` an existing file is replaced, otherwise it
  // is an error.
  static Result<std::unique_ptr<Sink>> Open(Session& session, const std::string& path,
                                            bool replace);
  // The same of a verb that replaces nothing.
  static Result<std::unique_ptr<Sink>> OpenNew(Session& session, const std::string& path);
  // Removes the temporary unless Finish has succeeded.
  ~Sink();
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  Status Write(std::string_view text);
  // Nobody reads any more: writing on is of no use.
  bool reader_gone() const { return !file_ && output_.reader_gone(); }
  Status Finish();

 private:
  Sink(io::FileSystem& files, Output& output) : files_(files), output_(output) {}

  io::FileSystem& files_;
  Output& output_;
  std::unique_ptr<io::WritableFile> file_;
  std::string path_;
  std::string temporary_;
  bool replace_ = false;
};

// Makes a directory if it is not there. `option` is what named it. Nothing where the path is empty.
Status MakeDirectory(const std::string& option, const std::string& path);

}  // namespace reissue::cli
