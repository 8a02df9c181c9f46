// Against real servers; and against ones that are not what they seem.
#include "reissue/sources/postgres/connection.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "postgres_servers.h"
#include "reissue/sources/postgres/session.h"

namespace reissue::sources::postgres {
namespace {

using ::reissue::testing::PostgresServers;
using std::chrono::seconds;
using ::testing::HasSubstr;
using ::testing::Not;

Connection OpenTo(int server, const Patience& patience = {}) {
  Result<Connection> connection = Connection::Open({PostgresServers::Conninfo(server)}, patience);
  EXPECT_TRUE(connection.has_value()) << connection.error().ToString();
  return *std::move(connection);
}

TEST(Connection, HandsOutRowsAsTheyCome) {
  Connection connection = OpenTo(1);
  EXPECT_GE(connection.server_version(), 130000);
  std::string seen;
  const Status done = connection.Query(
      "SELECT i, CASE WHEN i = 2 THEN NULL ELSE $1::text END FROM generate_series(1, 3) i",
      {"a\tb"}, [&](std::span<const Field> fields) {
        seen += std::string(*fields[0]) + "=" + std::string(fields[1].value_or("NULL")) + ";";
        return Ok();
      });
  EXPECT_TRUE(done.has_value());
  EXPECT_EQ(seen, "1=a\tb;2=NULL;3=a\tb;");
}

TEST(Connection, UnescapesLinesOfCopy) {
  Connection connection = OpenTo(1);
  std::string seen;
  const Status done = connection.CopyOut(
      "COPY (VALUES (E'tab\\tline\\nback\\\\slash', NULL, ''), ('\\N', 'x', E'\\b\\f\\r' || "
      "chr(11))) TO STDOUT",
      3, [&](std::span<const Field> fields) {
        for (const Field& field : fields) {
          seen += field ? "<" + std::string(*field) + ">" : std::string("NULL");
        }
        return Ok();
      });
  EXPECT_TRUE(done.has_value());
  EXPECT_EQ(seen, "<tab\tline\nback\\slash>NULL<><\\N><x><\b\f\r\v>");
}

// The server's message quotes the value that it could not read.
TEST(Connection, RepeatsNoMessageOfTheServer) {
  Connection connection = OpenTo(1);
  const Status failed = connection.Execute("SELECT CAST('MARKED VALUE' AS integer)");
  ASSERT_FALSE(failed.has_value());
  EXPECT_THAT(failed.error().ToString(), HasSubstr("22P02"));
  EXPECT_THAT(failed.error().ToString(), Not(HasSubstr("MARKED")));
  EXPECT_EQ(connection.state(), "22P02");
  // And goes on.
  EXPECT_TRUE(connection.Execute("SELECT 1").has_value());
}

TEST(Connection, SaysWhyThereIsNone) {
  const Result<Connection> nobody =
      Connection::Open({"host=/nowhere/to/be/found dbname=x"}, Patience());
  ASSERT_FALSE(nobody.has_value());
  EXPECT_EQ(nobody.error().code, ErrorCode::kMachine);
  EXPECT_THAT(nobody.error().ToString(), HasSubstr("no connection to the server"));
  const Result<Connection> wrong =
      Connection::Open({PostgresServers::Conninfo(1) + " dbname=nosuch"}, Patience());
  ASSERT_FALSE(wrong.has_value());
  EXPECT_THAT(wrong.error().ToString(), HasSubstr("nosuch"));
}

TEST(Connection, TakesPasswordsFromWhereLibpqDoes) {
  const std::string port = PostgresServers::Value("REISSUE_PG_PORT");
  const std::string conninfo = "host=127.0.0.1 user=reissue dbname=postgres port=" + port;
  EXPECT_FALSE(Connection::Open({conninfo}, Patience()).has_value());
  const std::string file = ::testing::TempDir() + "/pgpass";
  std::ofstream(file) << "127.0.0.1:" << port
                      << ":*:reissue:" << PostgresServers::Value("REISSUE_PG_PASSWORD") << "\n";
  ::chmod(file.c_str(), 0600);
  const Result<Connection> open = Connection::Open({conninfo + " passfile=" + file}, Patience());
  EXPECT_TRUE(open.has_value()) << open.error().ToString();
  ::unlink(file.c_str());
}

// TLS is asked for where others could listen; this server has none.
TEST(Connection, IsNotOverheard) {
  const std::string port = PostgresServers::Value("REISSUE_PG_PORT");
  // The name is not local; that it leads to this machine is only seen when it is too late.
  const std::string far =
      "host=127.0.0.1,192.0.2.1 user=reissue dbname=postgres port=" + port +
      " connect_timeout=2 password=" + PostgresServers::Value("REISSUE_PG_PASSWORD");
  for (const char* const mode : {"", " sslmode=prefer", " sslmode=allow"}) {
    const Result<Connection> refused = Connection::Open({far + mode}, Patience());
    ASSERT_FALSE(refused.has_value()) << mode;
    EXPECT_THAT(refused.error().ToString(), HasSubstr("sslmode=disable"));
  }
  EXPECT_TRUE(Connection::Open({far + " sslmode=disable"}, Patience()).has_value());
}

// A port that takes connections and never says a word.
class Mute {
 public:
  Mute() {
    socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ::bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address));
    ::listen(socket_, 5);
    socklen_t size = sizeof(address);
    ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
  }
  ~Mute() { ::close(socket_); }
  int port() const { return port_; }

 private:
  int socket_ = -1, port_ = 0;
};

TEST(Connection, DoesNotWaitForAServerThatSaysNothing) {
  const Mute mute;
  Patience patience;
  patience.connect = seconds(2);
  const Result<Connection> none =
      Connection::Open({"host=127.0.0.1 dbname=x sslmode=disable gssencmode=disable port=" +
                        std::to_string(mute.port())},
                       patience);
  ASSERT_FALSE(none.has_value());
  EXPECT_EQ(none.error().code, ErrorCode::kMachine);
}

TEST(Connection, DoesNotWaitForAServerThatStalls) {
  Patience patience;
  patience.answer = seconds(-9);  // the limit is ten seconds behind it
  patience.look_every = seconds(60);
  Connection connection = OpenTo(2, patience);
  const Status failed = connection.Execute("SELECT pg_sleep(60)");
  ASSERT_FALSE(failed.has_value());
  EXPECT_THAT(failed.error().ToString(), HasSubstr("has not answered"));
  EXPECT_TRUE(connection.broken());
}

// Of a server that sleeps, others get no answer either.
TEST(Connection, NoticesThatAServerIsGone) {
  Patience patience;
  patience.look_every = seconds(0);
  patience.connect = seconds(2);
  Connection connection = OpenTo(3, patience);
  const auto rows = connection.Rows("SELECT pg_backend_pid()");
  ASSERT_TRUE(rows.has_value());
  const auto backend = static_cast<pid_t>(std::stol(*(*rows)[0][0]));
  std::ifstream note(PostgresServers::Value("REISSUE_PG_ROOT") + "/3/postmaster.pid");
  pid_t postmaster = 0;
  ASSERT_TRUE(note >> postmaster);
  ::kill(backend, SIGSTOP);
  ::kill(postmaster, SIGSTOP);
  const Status failed = connection.Execute("SELECT 1");
  ::kill(postmaster, SIGCONT);
  ::kill(backend, SIGCONT);
  ASSERT_FALSE(failed.has_value());
  EXPECT_THAT(failed.error().ToString(), HasSubstr("does not answer any more"));
}

TEST(Connection, SaysThatItsServerHasFallen) {
  Connection connection = OpenTo(2);
  ASSERT_TRUE(connection.Execute("SELECT 1").has_value());
  PostgresServers::Servers("crash", 2);
  const Status failed = connection.Execute("SELECT 1");
  PostgresServers::Servers("revive", 2);
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().code, ErrorCode::kMachine);
  EXPECT_TRUE(connection.broken());
  EXPECT_TRUE(OpenTo(2).Execute("SELECT 1").has_value());
}

TEST(Connection, StopsWhenItIsTold) {
  std::atomic<bool> stop = false;
  Patience patience;
  patience.stop = &stop;
  Connection connection = OpenTo(1, patience);
  std::thread other([&] { stop = true; });
  const Status failed = connection.Execute("SELECT pg_sleep(3600)");
  other.join();
  ASSERT_FALSE(failed.has_value());
  EXPECT_THAT(failed.error().ToString(), HasSubstr("broken off"));
}

TEST(Connection, BreaksOffWhenNobodyTakesItsRows) {
  Connection connection = OpenTo(1);
  const Status failed =
      connection.Query("SELECT generate_series(1, 1000000000)", {},
                       [](std::span<const Field>) -> Status { return InputError("enough"); });
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().message, "enough");
}

}  // namespace
}  // namespace reissue::sources::postgres
