#pragma once
// One run of the program: the options that all verbs share, where output goes, and what the engine
// needs. Verbs fill `action` while the command line is parsed; main runs it. Belongs to one thread.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/output.h"
#include "cli/progress_bar.h"
#include "cli/style.h"
#include "reissue/binding/context.h"
#include "reissue/core/parallel.h"
#include "reissue/core/result.h"
#include "reissue/engine/catalog.h"
#include "reissue/engine/target_server.h"

namespace reissue::cli {

enum class Format { kText, kJson };

// Exit statuses (DESIGN, section 5).
inline constexpr int kDone = 0;
inline constexpr int kPromiseBroken = 1;
inline constexpr int kNotRefutedStatus = 5;
inline constexpr int kUsageStatus = 2;
inline constexpr int kInputStatus = 3;
inline constexpr int kMachineStatus = 4;
int ExitStatus(ErrorCode code);

// What a verb does once its options are known: an exit status, or an error to report.
using Action = std::function<Result<int>()>;

class Session {
 public:
  Session();

  Format format = Format::kText;
  std::size_t threads = 0;  // 0: as many as the machine has
  std::optional<std::uint64_t> seed;
  std::vector<std::string> servers;  // -d
  std::string duckdb;                // --duckdb
  Action action;

  Output& out() { return out_; }
  const Style& style() const { return style_; }
  // Lists in texts are given in full from now on.
  void ListAll() { style_ = style_.Whole(); }
  ProgressBar& progress() { return progress_; }
  // Made with `threads` threads on the first call.
  binding::Context& context();
  // Lets names of tables lead to `servers`. Errors: what they are told cannot be.
  Status Dial();
  // `servers` as others may see them.
  Result<std::vector<std::string>> ServersToShow();

  // Text on standard error, JSON on standard output: whoever reads one object there always gets it.
  void Report(const Error& error);
  // One line on standard error.
  void Warn(const std::string& text);

 private:
  Output out_;
  Output err_;
  Style style_;
  Style error_style_;
  ProgressBar progress_;
  std::unique_ptr<ThreadPool> pool_;
  std::unique_ptr<engine::TableCatalog> catalog_;
  std::unique_ptr<engine::TableServer> server_;
  std::unique_ptr<binding::Context> context_;
};

// A usage error where more than one of `paths` is `-`: standard input can be read once.
Status OneStandardInput(const std::vector<std::string>& paths);

}  // namespace reissue::cli
