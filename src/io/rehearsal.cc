#include "reissue/io/rehearsal.h"

#include <cerrno>
#include <utility>

namespace reissue::io {

// Files are read once they are complete.
class RehearsalFiles::View : public Bytes {
 public:
  explicit View(std::shared_ptr<const std::string> content) : content_(std::move(content)) {}
  std::string_view view() const override { return *content_; }

 private:
  std::shared_ptr<const std::string> content_;
};

class RehearsalFiles::File : public WritableFile {
 public:
  File(RehearsalFiles& files, Content content) : files_(files), content_(std::move(content)) {}
  Status Append(std::string_view data) override {
    const std::lock_guard lock(files_.mutex_);
    content_->append(data);
    return Ok();
  }
  Status Sync() override { return Ok(); }
  Status Close() override { return Ok(); }

 private:
  RehearsalFiles& files_;
  Content content_;
};

std::optional<RehearsalFiles::Content> RehearsalFiles::Find(const std::string& path) {
  const std::lock_guard lock(mutex_);
  const auto found = files_.find(path);
  if (found == files_.end()) return std::nullopt;
  return found->second;
}

void RehearsalFiles::Put(const std::string& path, std::string content) {
  const std::lock_guard lock(mutex_);
  files_[path] = std::make_shared<std::string>(std::move(content));
}

Result<std::unique_ptr<Bytes>> RehearsalFiles::Read(const std::string& path) {
  if (const auto found = Find(path); found && *found) {
    return std::unique_ptr<Bytes>(std::make_unique<View>(*found));
  } else if (found) {
    return FileError(path, "read this file", ENOENT);
  }
  auto bytes = REISSUE_TRY(base_.Read(path));
  if (path == "-") Put(path, std::string(bytes->view()));
  return bytes;
}

Result<std::unique_ptr<WritableFile>> RehearsalFiles::Create(const std::string& path, bool) {
  if (Exists(path)) return FileError(path, "create this file", EEXIST);
  auto content = std::make_shared<std::string>();
  const std::lock_guard lock(mutex_);
  files_[path] = content;
  return std::unique_ptr<WritableFile>(std::make_unique<File>(*this, std::move(content)));
}

Status RehearsalFiles::Rename(const std::string& from, const std::string& to, bool replace) {
  if (!replace && Exists(to)) return FileError(to, "rename this file", EEXIST);
  std::optional<Content> found = Find(from);
  if (!found) {
    const auto bytes = REISSUE_TRY(base_.Read(from));
    found = std::make_shared<std::string>(bytes->view());
  }
  if (*found == nullptr) return FileError(from, "rename this file", ENOENT);
  const std::lock_guard lock(mutex_);
  files_[to] = *std::move(found);
  files_[from] = nullptr;
  return Ok();
}

Status RehearsalFiles::Remove(const std::string& path) {
  const std::lock_guard lock(mutex_);
  files_[path] = nullptr;
  return Ok();
}

Status RehearsalFiles::CreateDirectory(const std::string& path, bool) {
  if (Exists(path)) return FileError(path, "make this directory", EEXIST);
  Put(path, "");
  return Ok();
}

bool RehearsalFiles::Exists(const std::string& path) {
  const auto found = Find(path);
  return found ? *found != nullptr : base_.Exists(path);
}

}  // namespace reissue::io
