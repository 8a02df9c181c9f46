#include "reissue/sources/postgres/link.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <map>
#include <vector>

#include "reissue/sources/postgres/errors.h"

namespace reissue::sources::postgres {
namespace {

using Clock = std::chrono::steady_clock;
using EffectiveOptions = std::map<std::string, std::string>;

constexpr std::chrono::milliseconds kSlice{100};  // how soon a stop is noticed

// Keywords and values for libpq, which wants two arrays that end in null.
struct Keywords {
  std::vector<const char*> keywords, values;

  explicit Keywords(const std::vector<std::pair<std::string, std::string>>& pairs) {
    for (const auto& [keyword, value] : pairs) {
      keywords.push_back(keyword.c_str());
      values.push_back(value.c_str());
    }
    keywords.push_back(nullptr);
    values.push_back(nullptr);
  }
};

void SayNothing(void*, const PGresult*) {}

// All options as they apply: written, from variables, from service files.
EffectiveOptions OptionsOf(PGconn* connection) {
  EffectiveOptions options;
  const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> all(PQconninfo(connection),
                                                                         PQconninfoFree);
  for (const PQconninfoOption* option = all.get(); option && option->keyword; ++option) {
    if (option->val != nullptr) options[option->keyword] = option->val;
  }
  return options;
}

std::string OptionValue(const EffectiveOptions& options, const std::string& keyword) {
  const auto found = options.find(keyword);
  return found == options.end() ? std::string() : found->second;
}

// Of a failure to connect libpq's own words are passed on: no table was looked at yet. Its first
// line is enough.
std::string FirstLine(const char* message) {
  const std::string_view text = message == nullptr ? "" : message;
  return std::string(text.substr(0, text.find('\n')));
}

bool AboutEncryption(const char* message) {
  return message != nullptr && std::string_view(message).find("SSL") != std::string_view::npos;
}

std::string NameOfServer(PGconn* connection) {
  const std::string host = PQhost(connection) == nullptr ? "" : PQhost(connection);
  const std::string database = PQdb(connection) == nullptr ? "" : PQdb(connection);
  return fmt::format("{} at {}:{}", database, host.empty() ? "localhost" : host,
                     PQport(connection));
}

constexpr char kEncrypt[] =
    "Ask for encryption (sslmode=require, better verify-full) on a server that offers it; on a "
    "network that nobody can overhear, write sslmode=disable.";

}  // namespace

Result<Link> Link::Open(const Address& address, const Patience& patience) {
  std::vector<std::pair<std::string, std::string>> pairs = {
      {"dbname", address.conninfo},
      {"client_encoding", "UTF8"},
      {"fallback_application_name", "reissue"}};
  EffectiveOptions options;
  {
    const Keywords first(pairs);
    const std::unique_ptr<PGconn, decltype(&PQfinish)> looked_up(
        PQconnectStartParams(first.keywords.data(), first.values.data(), 1), PQfinish);
    if (!looked_up) return MachineError("memory ran out for a connection");
    options = OptionsOf(looked_up.get());
  }
  const auto unless_written = [&](const char* keyword, std::string value) {
    if (!options.contains(keyword)) pairs.emplace_back(keyword, std::move(value));
  };
  unless_written("connect_timeout", std::to_string(patience.connect.count()));
  unless_written("keepalives_idle", "30");
  unless_written("keepalives_interval", "10");
  unless_written("keepalives_count", "3");
  unless_written("tcp_user_timeout", "60000");
  const bool local = IsLocal(OptionValue(options, "host"), OptionValue(options, "hostaddr"));
  const std::string mode = OptionValue(options, "sslmode");
  const bool must_encrypt = !local && mode != "disable";
  // libpq prefers encryption and does without where there is none: not with tables of people.
  if (must_encrypt && (mode == "allow" || mode == "prefer"))
    pairs.emplace_back("sslmode", "require");

  const Keywords keywords(pairs);
  Link link;
  link.connection_.reset(PQconnectdbParams(keywords.keywords.data(), keywords.values.data(), 1));
  PGconn* const connection = link.get();
  if (connection == nullptr) return MachineError("memory ran out for a connection");
  link.name_ = NameOfServer(connection);
  if (PQstatus(connection) != CONNECTION_OK) {
    return Error{
        ErrorCode::kMachine,
        fmt::format("no connection to the server: {}", FirstLine(PQerrorMessage(connection))),
        Place{link.name_, {}, {}, ""},
        must_encrypt && AboutEncryption(PQerrorMessage(connection))
            ? std::string(kEncrypt)
            : "The connection string, PG* variables, ~/.pgpass and service files "
              "are read as by psql: try it with psql."};
  }
  if (must_encrypt && PQsslInUse(connection) == 0 && PQgssEncInUse(connection) == 0) {
    return InputError({link.name_, {}, {}, ""}, "the connection could be overheard", kEncrypt);
  }
  PQsetNoticeReceiver(connection, SayNothing, nullptr);
  if (PQsetnonblocking(connection, 1) != 0) return ErrorOfState(link.name_, "");
  link.canceller_ = std::make_unique<Canceller>(connection);
  return link;
}

bool Link::ServerAnswers(const Patience& patience) const {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const auto& [keyword, value] : OptionsOf(get())) {
    if (keyword != "password" && keyword != "connect_timeout") pairs.emplace_back(keyword, value);
  }
  pairs.emplace_back("connect_timeout",
                     std::to_string(std::min(patience.connect, std::chrono::seconds(5)).count()));
  const Keywords keywords(pairs);
  const PGPing ping = PQpingParams(keywords.keywords.data(), keywords.values.data(), 0);
  return ping == PQPING_OK || ping == PQPING_REJECT;
}

Status Link::Await(short events, const Patience& patience) {
  const auto begin = Clock::now();
  auto looked = begin;
  // The server breaks off by itself at the limit, and says so; a little later nobody waits for it.
  const auto limit = begin + patience.answer + std::chrono::seconds(10);
  while (true) {
    pollfd waiting{PQsocket(get()), events, 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(kSlice.count()));
    if (ready > 0) return Ok();
    if (ready < 0 && errno != EINTR) return ErrorOfState(name_, "");
    if (patience.stop != nullptr && *patience.stop) {
      if (ServerAnswers(patience)) Cancel();
      return MachineError({name_, {}, {}, ""}, "broken off, since another server failed");
    }
    const auto now = Clock::now();
    if (now > limit) {
      if (ServerAnswers(patience)) Cancel();
      return MachineError(
          {name_, {}, {}, ""},
          fmt::format("the server has not answered for {} seconds", patience.answer.count() + 10),
          "Look at the server, or allow more time ([source] timeout = SECONDS).");
    }
    if (now - looked > patience.look_every) {
      if (!ServerAnswers(patience) && !ServerAnswers(patience)) {
        return MachineError({name_, {}, {}, ""}, "the server does not answer any more",
                            "Look at the server; nothing was published.");
      }
      looked = Clock::now();
    }
  }
}

Status Link::Flush(const Patience& patience) {
  while (true) {
    const int left = PQflush(get());
    if (left == 0) return Ok();
    if (left < 0) return ErrorOfState(name_, "");
    REISSUE_TRY(Await(POLLIN | POLLOUT, patience));
    if (PQconsumeInput(get()) == 0) return ErrorOfState(name_, "");
  }
}

Status Link::Receive(const Patience& patience) {
  REISSUE_TRY(Await(POLLIN, patience));
  // Where the connection broke, libpq has a result that says so.
  PQconsumeInput(get());
  return Ok();
}

Link::Canceller::Canceller(PGconn* connection)
    : cancel_(PQgetCancel(connection)),
      act_(
          [](void* what) {
            if (what == nullptr) return;
            char why[256];
            PQcancel(static_cast<PGcancel*>(what), why, sizeof(why));
          },
          cancel_) {}

Link::Canceller::~Canceller() {
  if (act_.Withdraw()) PQfreeCancel(cancel_);
}

void Link::Cancel() {
  const std::unique_ptr<PGcancel, decltype(&PQfreeCancel)> cancel(PQgetCancel(get()), PQfreeCancel);
  if (!cancel) return;
  char why[256];
  PQcancel(cancel.get(), why, sizeof(why));
}

}  // namespace reissue::sources::postgres
