#pragma once
// Policies and tables in a temporary directory, for tests of the engine on real files.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "reissue/core/random.h"
#include "reissue/engine/audit.h"
#include "reissue/engine/certificate.h"
#include "reissue/engine/check.h"
#include "reissue/engine/measure.h"
#include "reissue/engine/publish.h"

namespace reissue::engine {

class EngineTest : public ::testing::Test {
 protected:
  EngineTest() {
    directory_ = std::filesystem::temp_directory_path() /
                 ("reissue-engine-" + std::to_string(getpid()) + "-" +
                  ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_);
  }
  ~EngineTest() override { std::filesystem::remove_all(directory_); }

  std::string Path(const std::string& name) const { return (directory_ / name).string(); }
  std::string Write(const std::string& name, const std::string& text) const {
    std::ofstream(Path(name), std::ios::binary) << text;
    return Path(name);
  }
  std::string Read(const std::string& name) const {
    std::ifstream file(Path(name), std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }

  // Two quasi-identifiers, a sensitive column, an identifier, a column that is dropped.
  std::string WritePolicy(const std::string& guarantee, const std::string& name = "policy.toml") {
    Write("age.csv",
          "21;20s;young;*\n25;20s;young;*\n31;30s;young;*\n38;30s;young;*\n"
          "44;40s;old;*\n59;50s;old;*\n");
    Write("sex.csv", "f;*\nm;*\n");
    return Write(name,
                 "title = \"Test\"\n[columns]\nid = { role = \"identifier\" }\n"
                 "age = { role = \"quasi\", taxonomy = \"age.csv\" }\n"
                 "sex = { role = \"quasi\", taxonomy = \"sex.csv\" }\n"
                 "illness = { role = \"sensitive\" }\nnote = { role = \"drop\" }\n[guarantee]\n" +
                     guarantee);
  }
  std::string WriteTable(std::size_t rows, std::uint64_t seed, const std::string& name = "t.csv") {
    Random random = Random::Seeded(seed);
    const std::vector<std::string> ages = {"21", "25", "31", "38", "44", "59"};
    const std::vector<std::string> ills = {"flu", "cold", "\"gout, bad\"", "HIV"};
    std::string text = "id,age,sex,illness,note\n";
    for (std::size_t i = 0; i < rows; ++i) {
      text += "p" + std::to_string(i) + "," + ages[random.Below(6)] + "," +
              (random.Below(2) != 0 ? "f" : "m") + "," +
              ills[std::min(random.Below(4), random.Below(4))] + ",private\n";
    }
    return Write(name, text);
  }
  PublishRequest Request(const std::string& policy, const std::string& table) const {
    PublishRequest request;
    request.vault = Path("vault");
    request.policy = policy;
    request.table = table;
    request.out = Path("release.csv");
    request.passphrase.none = true;
    request.seed = 7;
    request.created = "2026-01-02T03:04:05Z";
    return request;
  }

  std::filesystem::path directory_;
  ThreadPool pool_{2};
  Progress progress_;
  Context context_{io::SystemFiles(), pool_, progress_};
};

}  // namespace reissue::engine
