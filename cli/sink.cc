#include "cli/sink.h"

#include <filesystem>

#include "reissue/io/interrupt.h"

namespace reissue::cli {

Result<std::unique_ptr<Sink>> Sink::Open(Session& session, const std::string& path, bool replace) {
  io::FileSystem& files = session.context().files;
  std::unique_ptr<Sink> sink(new Sink(files, session.out()));
  if (path.empty() || path == "-") return sink;
  if (!replace && files.Exists(path)) {
    return UsageError(path + " exists already",
                      "Choose another name, or use --replace to overwrite it.");
  }
  sink->path_ = path;
  sink->replace_ = replace;
  sink->temporary_ = io::TemporaryNameFor(path);
  io::RemoveOnInterrupt(sink->temporary_);
  sink->file_ = REISSUE_TRY(files.Create(sink->temporary_, /*owner_only=*/false));
  return sink;
}

Result<std::unique_ptr<Sink>> Sink::OpenNew(Session& session, const std::string& path) {
  if (!path.empty() && path != "-" && session.context().files.Exists(path)) {
    return UsageError(path + " exists already", "Choose another name, or remove that file first.");
  }
  return Open(session, path, false);
}

Sink::~Sink() {
  if (!file_) return;
  // The error that brought us here is told; a second one would hide it.
  (void)file_->Close().has_value();
  (void)files_.Remove(temporary_).has_value();
}

Status Sink::Write(std::string_view text) {
  return file_ ? file_->Append(text) : output_.Write(text);
}

Status Sink::Finish() {
  if (!file_) return Ok();
  REISSUE_TRY(file_->Sync());
  REISSUE_TRY(file_->Close());
  REISSUE_TRY(files_.Rename(temporary_, path_, replace_));
  file_.reset();
  return files_.SyncDirectory(io::DirectoryOf(path_));
}

Status MakeDirectory(const std::string& option, const std::string& path) {
  std::error_code failed;
  if (path.empty()) return Ok();
  std::filesystem::create_directories(path, failed);
  if (std::filesystem::is_directory(path, failed)) return Ok();
  return UsageError(option + " " + path + " is not a directory and cannot be made one",
                    "Name a directory.");
}

}  // namespace reissue::cli
