#pragma once
// A temporary directory, and what the engine needs to work on real files in it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "reissue/binding/context.h"
#include "reissue/core/parallel.h"
#include "reissue/core/progress.h"
#include "reissue/io/file_system.h"

namespace reissue {

class FilesTest : public ::testing::Test {
 protected:
  FilesTest() {
    std::string name = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::replace(name.begin(), name.end(), '/', '-');  // of tests with a parameter
    directory_ = std::filesystem::temp_directory_path() /
                 ("reissue-engine-" + std::to_string(getpid()) + "-" + name);
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_);
  }
  ~FilesTest() override { std::filesystem::remove_all(directory_); }

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

  std::filesystem::path directory_;
  ThreadPool pool_{2};
  Progress progress_;
  binding::Context context_{io::SystemFiles(), pool_, progress_};
};

}  // namespace reissue
