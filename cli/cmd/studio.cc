#include <unistd.h>

#include <cstdlib>
#include <memory>

#include "cli/options.h"
#include "cli/render/json.h"
#include "cli/studio/process.h"
#include "cli/studio/server.h"
#include "cli/verbs.h"

namespace reissue::cli {
namespace {

struct StudioCall {
  studio::StudioOptions options;
  bool no_browser = false;
};

// A file for its owner only that leads to the address: words of a command line can be read by
// everybody on the machine, and the address opens the studio.
class Doorway {
 public:
  ~Doorway() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }

  void Open(const std::string& address) {
    const char* const display = std::getenv("DISPLAY");
    const char* const wayland = std::getenv("WAYLAND_DISPLAY");
    const char* const runtime = std::getenv("XDG_RUNTIME_DIR");
    if ((display == nullptr && wayland == nullptr) || runtime == nullptr) return;
    const std::string path =
        std::string(runtime) + "/reissue-studio-" + std::to_string(::getpid()) + ".html";
    const std::string text =
        "<!doctype html><title>reissue</title><meta http-equiv=\"refresh\" content=\"0;url=" +
        address + "\">\n";
    if (!io::WriteAtomically(io::SystemFiles(), path, text, /*owner_only=*/true,
                             /*replace=*/true)) {
      return;
    }
    path_ = path;
    studio::StartAlone("xdg-open", path);
  }

 private:
  std::string path_;
};

Result<int> RunStudio(const StudioCall& call, Session& session) {
  Doorway doorway;
  const auto announce = [&](const std::string& address) -> Status {
    if (session.format == Format::kJson) {
      Json json;
      json["address"] = address;
      REISSUE_TRY(session.out().Write(json.dump() + "\n"));
    } else {
      REISSUE_TRY(session.out().Write(address + "\n"));
    }
    if (!call.no_browser) doorway.Open(address);
    return Ok();
  };
  REISSUE_TRY(studio::Serve(call.options, announce));
  return kDone;
}

}  // namespace

void AddStudio(CLI::App& root, Session& session) {
  CLI::App* verb = AddVerb(
      root, session, "studio",
      "Serve a page in the browser that presses the commands of this program.\n\n"
      "For one person and one folder: it listens on this machine only (127.0.0.1), and opens with "
      "the address that it prints and nothing else; keep that to yourself. Every button is a "
      "command, which the page shows to copy: init, describe, policy, advise, check, explore, "
      "publish, audit, metrics, codebook, taxonomy, history, verify, report and vault check, on "
      "files in DIR and no others. It makes no connections. A passphrase is handed to the command "
      "and not kept.\n\n"
      "Ctrl-C ends it, and what it runs; so does an hour in which nobody asks.",
      "reissue studio\n"
      "reissue studio hospital --no-browser --port 8080");
  auto call = std::make_shared<StudioCall>();
  AddNumber(*verb, "--port", call->options.port, "Listen on this port. Default: any that is free.",
            0, 65535);
  AddReal(*verb, "--idle", call->options.idle_minutes,
          "End after so many minutes without a request and without a running command. Default: 60.",
          0.01, 1e6)
      ->type_name("MINUTES");
  verb->add_flag("--no-browser", call->no_browser, "Only print the address.");
  AddSize(*verb, "--max-upload", call->options.max_upload,
          "Take files of at most that many bytes from the page: 500M, 4G. Default: 1G.");
  AddText(*verb, "DIR", call->options.directory, "DIR",
          "The folder with tables and policies. Default: the current one.");
  verb->callback([call, &session] {
    session.action = [call, &session] { return RunStudio(*call, session); };
  });
}

}  // namespace reissue::cli
