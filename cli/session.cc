#include "cli/session.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "cli/render/error.h"
#include "reissue/io/file_system.h"

namespace reissue::cli {

int ExitStatus(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
      return kUsageStatus;
    case ErrorCode::kInput:
      return kInputStatus;
    case ErrorCode::kPromise:
      return kPromiseBroken;
    case ErrorCode::kMachine:
      return kMachineStatus;
  }
  return kMachineStatus;
}

Session::Session()
    : out_(STDOUT_FILENO),
      err_(STDERR_FILENO),
      style_(Style::For(STDOUT_FILENO)),
      error_style_(Style::For(STDERR_FILENO)),
      progress_(STDERR_FILENO) {}

binding::Context& Session::context() {
  if (!context_) {
    pool_ = std::make_unique<ThreadPool>(threads);
    catalog_ = std::make_unique<engine::TableCatalog>(io::SystemFiles(), *pool_, progress_);
    server_ = std::make_unique<engine::TableServer>([this] { return catalog_->servers(); }, *pool_);
    context_.reset(new binding::Context{io::SystemFiles(), *pool_, progress_, catalog_.get()});
    context_->server = server_.get();
    const char* const environment = std::getenv("REISSUE_DUCKDB");
    context_->duckdb = duckdb.empty() && environment != nullptr ? environment : duckdb;
  }
  return *context_;
}

Status Session::Dial() {
  if (servers.empty()) return Ok();
  context();
  return catalog_->Connect(servers);
}

Result<std::vector<std::string>> Session::ServersToShow() {
  context();
  return catalog_->ServersWithoutPasswords();
}

void Session::Report(const Error& error) {
  progress_.Clear();
  // Where even that is broken there is nobody left to tell.
  if (format == Format::kJson) {
    (void)out_.Write(ToJson(error));
  } else {
    (void)err_.Write(ForLocale(ToText(error, error_style_)));
  }
}

void Session::Warn(const std::string& text) {
  progress_.Clear();
  (void)err_.Write("reissue: " + error_style_.Warning("warning: ") + ForLocale(Printable(text)) +
                   "\n");
}

Status OneStandardInput(const std::vector<std::string>& paths) {
  if (std::count(paths.begin(), paths.end(), "-") <= 1) return Ok();
  return UsageError("standard input (-) was named more than once",
                    "It can be read only once: name files for all inputs but one.");
}

}  // namespace reissue::cli
