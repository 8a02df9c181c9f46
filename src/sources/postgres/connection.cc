#include "reissue/sources/postgres/connection.h"

#include <fmt/format.h>
#include <libpq-fe.h>

#include <algorithm>

#include "reissue/sources/postgres/errors.h"
#include "reissue/sources/postgres/link.h"

namespace reissue::sources::postgres {
namespace {

using Answer = std::unique_ptr<PGresult, decltype(&PQclear)>;

Answer Take(PGresult* result) { return Answer(result, PQclear); }

std::string StateOf(const PGresult* result) {
  const char* const state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
  return state == nullptr ? std::string() : std::string(state);
}

// One line of COPY's text format, without its end, as fields. What was escaped is put into
// `unescaped`, which is as long as the line at most and does not move.
void SplitLine(std::string_view line, std::string& unescaped, std::vector<Field>& fields) {
  const bool escapes = line.find('\\') != std::string_view::npos;
  if (escapes) {
    unescaped.clear();
    unescaped.reserve(line.size());
  }
  fields.clear();
  while (true) {
    const std::size_t end = std::min(line.find('\t'), line.size());
    const std::string_view field = line.substr(0, end);
    if (!escapes || field.find('\\') == std::string_view::npos) {
      fields.emplace_back(field);
    } else if (field == "\\N") {
      fields.emplace_back();
    } else {
      const std::size_t begin = unescaped.size();
      for (std::size_t i = 0; i < field.size(); ++i) {
        char c = field[i];
        if (c == '\\' && i + 1 < field.size()) {
          constexpr std::string_view kNames = "bfnrtv", kBytes = "\b\f\n\r\t\v";
          c = field[++i];
          const std::size_t known = kNames.find(c);
          if (known != std::string_view::npos) c = kBytes[known];
        }
        unescaped.push_back(c);
      }
      fields.emplace_back(std::string_view(unescaped).substr(begin));
    }
    if (end == line.size()) return;
    line.remove_prefix(end + 1);
  }
}

}  // namespace

struct Connection::Impl {
  Link link;
  Patience patience;
  std::string state;
  bool failed = false;  // in the middle of an answer: nothing more can be asked

  Status Send(const std::string& sql, const std::vector<std::string>* parameters) {
    if (failed || PQstatus(link.get()) != CONNECTION_OK) return Lost();
    int sent = 0;
    if (parameters == nullptr) {
      sent = PQsendQuery(link.get(), sql.c_str());
    } else {
      std::vector<const char*> values;
      for (const std::string& parameter : *parameters) values.push_back(parameter.c_str());
      sent = PQsendQueryParams(link.get(), sql.c_str(), static_cast<int>(values.size()), nullptr,
                               values.data(), nullptr, nullptr, 0);
    }
    if (sent == 0) return Lost();
    return link.Flush(patience);
  }

  Error Lost() {
    failed = true;
    state.clear();
    return ErrorOfState(link.name(), "");
  }

  // The next result; null where there are no more.
  Result<Answer> Next() {
    while (PQisBusy(link.get()) != 0) {
      if (Status came = link.Receive(patience); !came) {
        failed = true;
        state.clear();
        return std::move(came).error();
      }
    }
    return Take(PQgetResult(link.get()));
  }

  // What is left of an answer, unread.
  void Drain() {
    while (!failed) {
      const Result<Answer> more = Next();
      if (!more || *more == nullptr) return;
      const ExecStatusType status = PQresultStatus(more->get());
      if (status == PGRES_COPY_OUT || status == PGRES_COPY_IN || status == PGRES_COPY_BOTH) {
        failed = true;
      }
    }
  }

  // An error if the answer is one; then nothing is left to be read.
  Status Check(const PGresult* result) {
    const ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_FATAL_ERROR && status != PGRES_BAD_RESPONSE) return Ok();
    const std::string of_this = StateOf(result);
    if (of_this.empty() || PQstatus(link.get()) != CONNECTION_OK) {
      failed = true;
      // The server's farewell has a state, and says more than that the connection is gone.
      state = of_this;
      return ErrorOfState(link.name(), of_this.starts_with("57P") ? of_this : "");
    }
    Drain();
    state = of_this;
    return ErrorOfState(link.name(), state);
  }

  // Ends a statement whose rows nobody wants any more.
  void Abandon() {
    link.Cancel();
    failed = true;
  }

  Status Hand(const PGresult* result, std::vector<Field>& fields, const RowSink& row) {
    const int width = PQnfields(result);
    fields.resize(static_cast<std::size_t>(width));
    for (int r = 0; r < PQntuples(result); ++r) {
      for (int c = 0; c < width; ++c) {
        Field& field = fields[static_cast<std::size_t>(c)];
        if (PQgetisnull(result, r, c) != 0) {
          field.reset();
        } else {
          field.emplace(PQgetvalue(result, r, c),
                        static_cast<std::size_t>(PQgetlength(result, r, c)));
        }
      }
      REISSUE_TRY(row(fields));
    }
    return Ok();
  }

  Status Lines(std::size_t width, const RowSink& row);
};

Connection::Connection(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Connection::Connection(Connection&&) noexcept = default;
Connection& Connection::operator=(Connection&&) noexcept = default;
Connection::~Connection() = default;

Result<Connection> Connection::Open(const Address& address, const Patience& patience) {
  auto impl = std::make_unique<Impl>();
  impl->link = REISSUE_TRY(Link::Open(address, patience));
  impl->patience = patience;
  return Connection(std::move(impl));
}

const std::string& Connection::name() const { return impl_->link.name(); }
int Connection::server_version() const { return PQserverVersion(impl_->link.get()); }
const Patience& Connection::patience() const { return impl_->patience; }
const std::string& Connection::state() const { return impl_->state; }
bool Connection::broken() const {
  return impl_->failed || PQstatus(impl_->link.get()) != CONNECTION_OK;
}

Status Connection::Execute(const std::string& sql) {
  REISSUE_TRY(impl_->Send(sql, nullptr));
  while (true) {
    const Answer answer = REISSUE_TRY(impl_->Next());
    if (answer == nullptr) return Ok();
    REISSUE_TRY(impl_->Check(answer.get()));
  }
}

Result<std::string> Connection::ExecuteTagged(const std::string& sql) {
  REISSUE_TRY(impl_->Send(sql, nullptr));
  std::string tag;
  while (true) {
    const Answer answer = REISSUE_TRY(impl_->Next());
    if (answer == nullptr) return tag;
    REISSUE_TRY(impl_->Check(answer.get()));
    tag = PQcmdStatus(answer.get());
  }
}

Result<bool> Connection::ExecuteUnless(const std::string& sql,
                                       std::span<const std::string_view> states) {
  Status done = Execute(sql);
  if (done) return false;
  if (std::count(states.begin(), states.end(), state()) > 0) return true;
  return std::move(done).error();
}

Status Connection::Query(const std::string& sql, const std::vector<std::string>& parameters,
                         const RowSink& row) {
  REISSUE_TRY(impl_->Send(sql, &parameters));
  PQsetSingleRowMode(impl_->link.get());
  std::vector<Field> fields;
  while (true) {
    const Answer answer = REISSUE_TRY(impl_->Next());
    if (answer == nullptr) return Ok();
    REISSUE_TRY(impl_->Check(answer.get()));
    if (Status taken = impl_->Hand(answer.get(), fields, row); !taken) {
      impl_->Abandon();
      return taken;
    }
  }
}

Result<std::vector<std::vector<std::optional<std::string>>>> Connection::Rows(
    const std::string& sql, const std::vector<std::string>& parameters) {
  std::vector<std::vector<std::optional<std::string>>> rows;
  REISSUE_TRY(Query(sql, parameters, [&](std::span<const Field> fields) -> Status {
    rows.emplace_back(fields.begin(), fields.end());
    return Ok();
  }));
  return rows;
}

Result<std::vector<ResultColumn>> Connection::Describe(const std::string& sql) {
  REISSUE_TRY(impl_->Send(sql, nullptr));
  std::vector<ResultColumn> columns;
  while (true) {
    const Answer answer = REISSUE_TRY(impl_->Next());
    if (answer == nullptr) return columns;
    REISSUE_TRY(impl_->Check(answer.get()));
    columns.clear();
    for (int c = 0; c < PQnfields(answer.get()); ++c) {
      columns.push_back(
          {PQfname(answer.get(), c), PQftype(answer.get(), c), PQfmod(answer.get(), c)});
    }
  }
}

Status Connection::Impl::Lines(std::size_t width, const RowSink& row) {
  std::string unescaped;
  std::vector<Field> fields;
  while (true) {
    char* line = nullptr;
    const int size = PQgetCopyData(link.get(), &line, 1);
    if (size == 0) {
      REISSUE_TRY(link.Receive(patience));
      continue;
    }
    if (size == -1) return Ok();
    if (size == -2) return Lost();
    const std::unique_ptr<char, decltype(&PQfreemem)> owner(line, PQfreemem);
    std::string_view text(line, static_cast<std::size_t>(size));
    if (text.ends_with('\n')) text.remove_suffix(1);
    SplitLine(text, unescaped, fields);
    if (fields.size() != width) {
      return MachineError({link.name(), {}, {}, ""}, "the server sent a line of another width");
    }
    REISSUE_TRY(row(fields));
  }
}

Status Connection::CopyOut(const std::string& sql, std::size_t width, const RowSink& row) {
  REISSUE_TRY(impl_->Send(sql, nullptr));
  while (true) {
    const Answer answer = REISSUE_TRY(impl_->Next());
    if (answer == nullptr) return Ok();
    REISSUE_TRY(impl_->Check(answer.get()));
    if (PQresultStatus(answer.get()) != PGRES_COPY_OUT) continue;
    if (Status read = impl_->Lines(width, row); !read) {
      impl_->Abandon();
      return read;
    }
  }
}

Status Connection::CopyIn(const std::string& sql,
                          const std::function<Result<std::string_view>()>& next) {
  REISSUE_TRY(impl_->Send(sql, nullptr));
  while (true) {
    const Answer answer = REISSUE_TRY(impl_->Next());
    if (answer == nullptr) return Ok();
    REISSUE_TRY(impl_->Check(answer.get()));
    if (PQresultStatus(answer.get()) != PGRES_COPY_IN) continue;
    while (true) {
      Result<std::string_view> piece = next();
      if (!piece) {
        PQputCopyEnd(impl_->link.get(), "broken off");
        impl_->Drain();
        return std::move(piece).error();
      }
      if (piece->empty()) break;
      if (PQputCopyData(impl_->link.get(), piece->data(), static_cast<int>(piece->size())) != 1) {
        return impl_->Lost();
      }
      REISSUE_TRY(impl_->link.Flush(impl_->patience));
    }
    if (PQputCopyEnd(impl_->link.get(), nullptr) != 1) return impl_->Lost();
    REISSUE_TRY(impl_->link.Flush(impl_->patience));
  }
}

Result<std::string> Connection::Quoted(const std::string& identifier) const {
  if (identifier.empty()) return InputError({name(), {}, {}, ""}, "a name is empty");
  if (identifier.size() > kLongestName) {
    return InputError(
        {name(), {}, {}, ""},
        fmt::format("a name has {} bytes, and PostgreSQL cuts names after {} without a word",
                    identifier.size(), kLongestName),
        "Choose a shorter name.");
  }
  char* const quoted = PQescapeIdentifier(impl_->link.get(), identifier.data(), identifier.size());
  if (quoted == nullptr) {
    return InputError({name(), {}, {}, ""}, "a name is not valid UTF-8");
  }
  const std::unique_ptr<char, decltype(&PQfreemem)> owner(quoted, PQfreemem);
  return std::string(quoted);
}

std::string Connection::Literal(const std::string& text) const {
  char* const quoted = PQescapeLiteral(impl_->link.get(), text.data(), text.size());
  if (quoted == nullptr) return "''";
  const std::unique_ptr<char, decltype(&PQfreemem)> owner(quoted, PQfreemem);
  return std::string(quoted);
}

}  // namespace reissue::sources::postgres
