#include "cli/studio/server.h"

#include <fcntl.h>
#include <httplib.h>
#include <malloc.h>
#include <sodium.h>
#include <unistd.h>

#include <atomic>
#include <charconv>
#include <ctime>
#include <thread>

#include "cli/render/error.h"
#include "cli/render/json.h"
#include "cli/studio/arguments.h"
#include "cli/studio/folder.h"
#include "cli/studio/guard.h"
#include "cli/studio/jobs.h"
#include "cli/studio/page.h"
#include "cli/studio/request.h"
#include "cli/studio/signals.h"
#include "cli/version.h"

namespace reissue::cli::studio {
namespace {

using httplib::Request;
using httplib::Response;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kThreads = 16, kMostWaits = 10;  // some are always free to answer
constexpr std::uint64_t kLongestWait = 20;
constexpr std::size_t kLongestRequest = std::size_t{1} << 20;
constexpr std::size_t kLongestFile = std::size_t{32} << 20;
constexpr char kJson[] = "application/json";

constexpr char kPagePolicy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'";
// Of files that somebody else may have written: nothing runs, nothing is loaded, no origin.
constexpr char kFilePolicy[] =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; sandbox";

// ---- small things

const char* StateName(JobState state) {
  switch (state) {
    case JobState::kWaiting:  // for its turn; whoever asks has to wait in any case
    case JobState::kRunning:
      return "running";
    case JobState::kDone:
      return "done";
    case JobState::kCancelled:
      break;
  }
  return "cancelled";
}

// The output is spliced in as it is: what a command printed is what the page gets.
std::string JobText(const JobView& view, bool whole) {
  Json json;
  json["id"] = view.id;
  json["command"] = view.command;
  json["state"] = StateName(view.state);
  json["waiting"] = view.state == JobState::kWaiting;
  json["exit"] = view.exit ? Json(*view.exit) : Json(nullptr);
  json["progress"] = view.progress.empty() ? Json(nullptr) : Json::parse(view.progress);
  json["notes"] = view.notes;
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (!whole) return text;
  text.pop_back();
  text += ",\"output_left_out\":" + std::string(view.output_left_out ? "true" : "false");
  const bool is_json = !view.output.empty() && Json::accept(view.output);
  return text + ",\"output\":" +
         (is_json ? view.output
          : view.output.empty()
              ? "null"
              : Json(view.output).dump(-1, ' ', false, Json::error_handler_t::replace)) +
         "}";
}

std::string TimeText(std::int64_t seconds) {
  const auto time = static_cast<std::time_t>(seconds);
  std::tm parts{};
  char text[32];
  if (::gmtime_r(&time, &parts) == nullptr ||
      std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts) == 0) {
    return "";
  }
  return text;
}

// As it is: the library would pack what it is given as a text.
void Send(Response& response, int status, std::string body, const char* type) {
  response.status = status;
  auto shared = std::make_shared<std::string>(std::move(body));
  if (shared->empty()) return;
  response.set_content_provider(
      shared->size(), type,
      [shared](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
        return sink.write(shared->data() + offset, length);
      });
}

void SendError(Response& response, int status, const Error& error) {
  Send(response, status, ToJson(error), kJson);
}

Error WordsFor(int status, const std::string& name) {
  switch (status) {
    case kConflict:
      return UsageError(name + " exists already", "Take another name, or replace it.");
    case kNotThere:
      return UsageError(name + ": there is no such directory, or no such file");
    case kTooLarge:
      return UsageError(name + " is larger than the studio takes",
                        "Start it with a larger --max-upload, or copy the file into the folder.");
    case kFull:
      return MachineError(name + ": the disk is full");
    case kBadName:
      return UsageError("the studio does not take or show a file of this name",
                        "Names have no hidden parts, and end as tables and policies do.");
    default:
      return MachineError(name + ": cannot be written");
  }
}

std::vector<std::string> HeadersOf(const Request& request, const char* name) {
  std::vector<std::string> values;
  const std::size_t count = request.get_header_value_count(name);
  for (std::size_t i = 0; i < count; ++i) values.push_back(request.get_header_value(name, i));
  return values;
}

Credentials CredentialsOf(const Request& request) {
  return {request.method == "GET" || request.method == "HEAD", HeadersOf(request, "Host"),
          HeadersOf(request, "Origin"), HeadersOf(request, "Cookie"),
          HeadersOf(request, "Sec-Fetch-Site")};
}

// ---- the studio

class Studio {
 public:
  Studio(const StudioOptions& options, Page page, Folder folder)
      : options_(options),
        page_(std::move(page)),
        folder_(std::move(folder)),
        jobs_(folder_.descriptor()) {
    Configure();
    AddPage();
    AddFiles();
    AddJobs();
  }

  Status Bind() {
    const int wanted = static_cast<int>(options_.port);
    const bool bound = wanted == 0 ? (port_ = server_.bind_to_any_port("127.0.0.1")) > 0
                                   : server_.bind_to_port("127.0.0.1", port_ = wanted);
    if (!bound) {
      return MachineError("port " + std::to_string(wanted) + " of this machine cannot be taken",
                          "Another program has it; leave --port out, and a free one is taken.");
    }
    guard_.SetPort(port_);
    return Ok();
  }

  std::string Address() const {
    return "http://127.0.0.1:" + std::to_string(port_) + "/open?token=" + guard_.token();
  }

  void Run() {
    Touch();
    std::thread listener([this] {
      server_.listen_after_bind();
      ended_ = true;
    });
    constexpr auto kLook = std::chrono::milliseconds(200);
    while (!ended_ && !Signals::Wait(kLook) && !Idle()) {
    }
    jobs_.Stop();
    while (!ended_) {  // it may not have begun to listen yet
      server_.stop();
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    listener.join();
  }

 private:
  void Touch() { last_ = Clock::now().time_since_epoch().count(); }
  bool Idle() {
    if (jobs_.Busy()) Touch();
    const Clock::duration idle(Clock::now().time_since_epoch().count() - last_);
    return std::chrono::duration<double>(idle).count() > options_.idle_minutes * 60;
  }

  void Configure() {
    server_.new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
    server_.set_address_family(AF_INET);
    server_.set_tcp_nodelay(true);
    // One request for each connection: what a refused request leaves unread is nobody's request,
    // and no idle connection holds a thread.
    server_.set_keep_alive_max_count(1);
    server_.set_keep_alive_timeout(2);
    server_.set_read_timeout(20);
    server_.set_write_timeout(20);
    server_.set_payload_max_length(options_.max_upload);
    server_.set_socket_options([](int socket) {  // the library would share the port
      const int yes = 1;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
      ::fcntl(socket, F_SETFD, FD_CLOEXEC);
    });
    server_.set_default_headers({{"X-Content-Type-Options", "nosniff"},
                                 {"Referrer-Policy", "no-referrer"},
                                 {"Cache-Control", "no-store"},
                                 {"Cross-Origin-Opener-Policy", "same-origin"},
                                 {"Cross-Origin-Resource-Policy", "same-origin"}});
    server_.set_pre_routing_handler([this](const Request& request, Response& response) {
      return Admit(request, response) ? httplib::Server::HandlerResponse::Unhandled
                                      : httplib::Server::HandlerResponse::Handled;
    });
    server_.set_post_routing_handler([](const Request&, Response& response) {
      if (!response.has_header("Content-Security-Policy")) {
        response.set_header("Content-Security-Policy", kPagePolicy);
      }
    });
    server_.set_exception_handler(
        [](const Request&, Response& response, std::exception_ptr) { response.status = kBroken; });
  }

  // Before anything else of a request is looked at.
  bool Admit(const Request& request, Response& response) {
    const Credentials credentials = CredentialsOf(request);
    const bool opening = request.path == "/open" && request.method == "GET";
    if (opening ? !guard_.Addressed(credentials) : !guard_.Allows(credentials)) {
      response.status = 403;
      return false;
    }
    // The library would unpack it, or take it apart.
    if (request.has_header("Content-Encoding") || request.is_multipart_form_data()) {
      response.status = 415;
      return false;
    }
    if (!opening) Touch();
    return true;
  }

  void AddPage() {
    server_.Get("/open", [this](const Request& request, Response& response) {
      if (request.get_param_value_count("token") != 1 ||
          !guard_.Opens(request.get_param_value("token"))) {
        response.status = 403;
        return;
      }
      Touch();
      response.set_header("Set-Cookie", guard_.Cookie());
      // Not by a status: after a link of another page the cookie would not come along.
      Send(response, kFine,
           "<!doctype html><title>reissue</title><meta http-equiv=\"refresh\" content=\"0;url=/\">",
           "text/html; charset=utf-8");
    });
    server_.Get("/", [this](const Request&, Response& response) {
      Send(response, kFine, page_.html, "text/html; charset=utf-8");
    });
    server_.Get("/app.js", [this](const Request&, Response& response) {
      Send(response, kFine, page_.script, "text/javascript; charset=utf-8");
    });
    server_.Get("/app.css", [this](const Request&, Response& response) {
      Send(response, kFine, page_.style, "text/css; charset=utf-8");
    });
  }

  void AddFiles() {
    server_.Get("/api/folder", [this](const Request&, Response& response) { List(response); });
    server_.Get("/api/files/(.*)", [this](const Request& request, Response& response) {
      Show(request.matches[1], response);
    });
    server_.Put("/api/files/(.*)", [this](const Request& request, Response& response,
                                          const httplib::ContentReader& read) {
      Store(request.matches[1], request.get_param_value("replace") == "1", read, response);
    });
  }

  void List(Response& response) {
    Json json;
    json["directory"] = folder_.directory();
    json["version"] = kVersion;
    json["files"] = Json::array();
    for (const FolderEntry& entry : folder_.List()) {
      json["files"].push_back({{"name", entry.name},
                               {"kind", entry.kind},
                               {"bytes", entry.bytes},
                               {"modified", TimeText(entry.modified)}});
    }
    Send(response, kFine, JsonText(json), kJson);
  }

  void Show(const std::string& name, Response& response) {
    const std::string kind = KindOf(name);
    const bool json = name.ends_with(".json");
    const bool shown = kind == "policy" || kind == "report" || kind == "figure" || json;
    if (!Folder::IsName(name) || !shown || folder_.IsVaulted(name)) {
      return SendError(response, kBadName, WordsFor(kBadName, name));
    }
    std::optional<std::string> content = folder_.Read(name, kLongestFile);
    if (!content) return SendError(response, kNotThere, WordsFor(kNotThere, name));
    response.set_header("Content-Security-Policy", kFilePolicy);
    Send(response, kFine, *std::move(content),
         json               ? kJson
         : kind == "report" ? "text/html; charset=utf-8"
         : kind == "figure" ? "image/svg+xml"
                            : "text/plain; charset=utf-8");
  }

  void Store(const std::string& name, bool replace, const httplib::ContentReader& read,
             Response& response) {
    Upload upload(folder_);
    int status = upload.Begin(name, replace);
    std::uint64_t bytes = 0;
    // Read to the end even where nothing is kept, or the answer would not arrive.
    const bool whole = read([&](const char* data, std::size_t size) {
      bytes += size;
      if (status == kFine && bytes > options_.max_upload) status = kTooLarge;
      if (status == kFine) status = upload.Append(data, size);
      return bytes <= options_.max_upload;
    });
    if (response.status == kTooLarge || bytes > options_.max_upload) status = kTooLarge;
    if (status == kFine && !whole) {
      response.status = 400;
      return;
    }
    if (status == kFine) status = upload.Finish();
    if (status != kCreated) return SendError(response, status, WordsFor(status, name));
    Json json;
    json["name"] = name;
    json["kind"] = KindOf(name);
    json["bytes"] = bytes;
    Send(response, kCreated, JsonText(json), kJson);
  }

  void AddJobs() {
    server_.Post("/api/jobs", [this](const Request&, Response& response,
                                     const httplib::ContentReader& read) {
      Start(read, response);
      sodium_stackzero(std::size_t{1} << 16);  // where the library has read the request
    });
    server_.Get("/api/jobs", [this](const Request&, Response& response) {
      std::string text;
      for (const JobView& view : jobs_.All())
        text += (text.empty() ? "" : ",") + JobText(view, false);
      Send(response, kFine, "{\"jobs\":[" + text + "]}\n", kJson);
    });
    server_.Get("/api/jobs/([0-9]{1,18})", [this](const Request& request, Response& response) {
      Tell(std::stoull(request.matches[1]), SecondsOf(request), response);
    });
    server_.Delete("/api/jobs/([0-9]{1,18})", [this](const Request& request, Response& response) {
      const std::uint64_t id = std::stoull(request.matches[1]);
      if (!jobs_.Cancel(id)) {
        response.status = kNotThere;
        return;
      }
      Tell(id, 0, response);
    });
  }

  static std::uint64_t SecondsOf(const Request& request) {
    const std::string text = request.get_param_value("wait");
    std::uint64_t seconds = 0;
    std::from_chars(text.data(), text.data() + text.size(), seconds);
    return std::min(seconds, kLongestWait);
  }

  void Start(const httplib::ContentReader& read, Response& response) {
    std::string body;
    body.reserve(kLongestRequest + 1);  // never moved: no copy of it stays behind
    bool too_large = false;
    const bool whole = read([&](const char* data, std::size_t size) {
      too_large = too_large || body.size() + size > kLongestRequest;
      if (!too_large) body.append(data, size);
      return true;
    });
    if (too_large || response.status == kTooLarge) {
      sodium_memzero(body.data(), body.size());
      return SendError(response, kTooLarge, UsageError("the request is too long"));
    }
    std::optional<JobRequest> request = ParseJobRequest(body);
    if (!whole || !request) {
      return SendError(response, 400,
                       UsageError("this is no request for a job",
                                  "Send {\"arguments\": [...], \"passphrase\": \"...\"}."));
    }
    Result<std::vector<std::string>> words = CommandOf(request->arguments, folder_);
    if (!words) return SendError(response, kBadName, words.error());
    Descriptor pipe;
    if (request->passphrase) {
      Result<Descriptor> made = PipeWith(request->passphrase->view());
      if (!made) return SendError(response, kBroken, made.error());
      pipe = *std::move(made);
    }
    const std::string command = CommandText(request->arguments);
    const auto id = jobs_.Add(*std::move(words), command, std::move(pipe));
    if (!id) {
      return SendError(response, 429,
                       UsageError("too many commands wait already", "Wait until one has ended."));
    }
    Json json;
    json["id"] = *id;
    json["command"] = command;
    Send(response, kCreated, JsonText(json), kJson);
  }

  void Tell(std::uint64_t id, std::uint64_t seconds, Response& response) {
    const bool may_wait = waits_.fetch_add(1) < kMostWaits;
    const auto view = jobs_.Get(id, std::chrono::seconds(may_wait ? seconds : 0));
    --waits_;
    Touch();
    if (!view) {
      response.status = kNotThere;
      return;
    }
    Send(response, kFine, JobText(*view, true), kJson);
  }

  const StudioOptions& options_;
  const Page page_;
  const Folder folder_;
  Guard guard_;
  Jobs jobs_;
  httplib::Server server_;
  int port_ = 0;
  std::atomic<Clock::rep> last_ = 0;
  std::atomic<std::size_t> waits_ = 0;
  std::atomic<bool> ended_ = false;
};

}  // namespace

Status Serve(const StudioOptions& options,
             const std::function<Status(const std::string& address)>& announce) {
#ifdef __GLIBC__
  mallopt(M_PERTURB, 0x5A);  // what is given back is overwritten: the library reads passphrases
#endif
  // So that no descriptor of ours is one that a child takes for its own.
  for (int number = 0; number >= 0 && number <= 2;) number = ::open("/dev/null", O_RDWR);
  Page page = REISSUE_TRY(LoadPage());
  Folder folder = REISSUE_TRY(Folder::Open(options.directory));
  const Signals signals;
  Studio studio(options, std::move(page), std::move(folder));
  REISSUE_TRY(studio.Bind());
  REISSUE_TRY(announce(studio.Address()));
  studio.Run();
  return Ok();
}

}  // namespace reissue::cli::studio
