#pragma once
// The real servers that tests/postgres/servers has started, as its note says; and statements on
// them by psql, so that what is tested is not what sets the table.

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>

namespace reissue::testing {

class PostgresServers {
 public:
  // 1 to 3.
  static std::string Conninfo(int server) { return Value("REISSUE_PG" + std::to_string(server)); }

  static std::string Value(const std::string& name) {
    const char* const note = std::getenv("REISSUE_PG_NOTE");
    if (note == nullptr) ADD_FAILURE() << "ctest starts the servers: REISSUE_PG_NOTE is not set";
    std::ifstream lines(note == nullptr ? "" : note);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with(name + "=")) return line.substr(name.size() + 1);
    }
    ADD_FAILURE() << "the note of the servers has no " << name;
    return "";
  }

  // What psql prints, unaligned, without headers.
  static std::string Sql(int server, const std::string& sql) {
    return SqlAt(Conninfo(server), sql);
  }
  static std::string SqlAt(const std::string& conninfo, const std::string& sql) {
    const std::string command = "PGOPTIONS='-c lock_timeout=10s' " + Value("REISSUE_PG_BIN") +
                                "/psql -XqAtw -v ON_ERROR_STOP=1 -d " + Shell(conninfo) + " -c " +
                                Shell(sql) + " 2>&1";
    return Run(command);
  }

  // Lets a server fall, or brings it back.
  static void Servers(const std::string& verb, int server) {
    Run(Shell(std::string(REISSUE_SOURCE_DIR) + "/tests/postgres/servers") + " " + verb + " " +
        Shell(std::getenv("REISSUE_PG_NOTE")) + " " + std::to_string(server));
  }

  static std::string Run(const std::string& command) {
    std::string output;
    FILE* const pipe = ::popen(command.c_str(), "r");
    if (pipe == nullptr) return output;
    std::array<char, 4096> piece;
    for (std::size_t read; (read = std::fread(piece.data(), 1, piece.size(), pipe)) > 0;) {
      output.append(piece.data(), read);
    }
    EXPECT_EQ(::pclose(pipe), 0) << command << "\n" << output;
    if (output.ends_with('\n')) output.pop_back();
    return output;
  }

 private:
  static std::string Shell(const std::string& text) {
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
    return quoted + "'";
  }
};

}  // namespace reissue::testing
