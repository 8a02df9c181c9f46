// The program on a real (pseudo) terminal: passphrases without echo, colours, no colours.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// A child on a terminal of its own; everything it shows is collected in `shown`.
class OnTerminal {
 public:
  OnTerminal(const std::filesystem::path& directory, std::vector<std::string> words,
             const char* no_colour = nullptr) {
    words.insert(words.begin(), REISSUE_PROGRAM);
    process_ = forkpty(&terminal_, nullptr, nullptr, nullptr);
    if (process_ != 0) return;
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    setenv("TERM", "xterm", 1);
    unsetenv("REISSUE_PASSPHRASE_FILE");
    if (no_colour != nullptr) {
      setenv("NO_COLOR", no_colour, 1);
    } else {
      unsetenv("NO_COLOR");
    }
    if (chdir(directory.c_str()) == 0) execv(arguments[0], arguments.data());
    _exit(99);
  }

  // Reads until `text` was shown; false where the child ended before.
  bool WaitFor(const std::string& text) {
    while (shown.find(text, seen_) == std::string::npos) {
      if (!ReadMore()) return false;
    }
    seen_ = shown.find(text, seen_) + text.size();
    return true;
  }
  void Type(const std::string& text) {
    ASSERT_EQ(write(terminal_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  // Reads the rest; the exit status, or minus the signal that ended the child.
  int Finish() {
    while (ReadMore()) {
    }
    int status = 0;
    waitpid(process_, &status, 0);
    close(terminal_);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
  }

  std::string shown;

 private:
  bool ReadMore() {
    char bytes[4096];
    const ssize_t got = read(terminal_, bytes, sizeof(bytes));
    if (got <= 0) return false;
    shown.append(bytes, static_cast<std::size_t>(got));
    return true;
  }

  int terminal_ = -1;
  pid_t process_ = -1;
  std::size_t seen_ = 0;
};

class Terminal : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "reissue-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    work_ = name;
    std::filesystem::copy(REISSUE_CLINIC, work_, std::filesystem::copy_options::recursive);
  }
  void TearDown() override { std::filesystem::remove_all(work_); }

  std::vector<std::string> Publish() const {
    return {"publish",     "--vault",      "vault", "--policy",
            "policy.toml", "patients.csv", "--out", "release.csv"};
  }

  std::filesystem::path work_;
};

TEST_F(Terminal, AsksTwiceForANewPassphraseAndDoesNotShowIt) {
  OnTerminal run(work_, Publish());
  ASSERT_TRUE(run.WaitFor("New passphrase for the vault vault: ")) << run.shown;
  run.Type("open sesame\n");
  ASSERT_TRUE(run.WaitFor("once more: ")) << run.shown;
  run.Type("open sesame\n");
  EXPECT_EQ(run.Finish(), 0) << run.shown;
  EXPECT_THAT(run.shown, HasSubstr("Published"));
  EXPECT_THAT(run.shown, Not(HasSubstr("sesame")));
  EXPECT_THAT(run.shown, Not(HasSubstr("no passphrase")));
  EXPECT_TRUE(std::filesystem::exists(work_ / "release.csv"));
}

TEST_F(Terminal, RefusesTwoDifferentPassphrases) {
  OnTerminal run(work_, Publish());
  ASSERT_TRUE(run.WaitFor("New passphrase for the vault vault: ")) << run.shown;
  run.Type("one\n");
  ASSERT_TRUE(run.WaitFor("once more: ")) << run.shown;
  run.Type("two\n");
  EXPECT_EQ(run.Finish(), 2) << run.shown;
  EXPECT_THAT(run.shown, HasSubstr("the two passphrases differ"));
  EXPECT_FALSE(std::filesystem::exists(work_ / "vault"));
  EXPECT_FALSE(std::filesystem::exists(work_ / "release.csv"));
}

TEST_F(Terminal, AnInterruptAtThePromptEndsTheProgram) {
  OnTerminal run(work_, Publish());
  ASSERT_TRUE(run.WaitFor("New passphrase for the vault vault: ")) << run.shown;
  run.Type("\x03");
  EXPECT_EQ(run.Finish(), -SIGINT) << run.shown;
  EXPECT_FALSE(std::filesystem::exists(work_ / "vault"));
}

// Verbs that take long say what they do, whether they can tell how far they are or not; told to
// end, they say that nothing was published.
class TerminalWork : public Terminal, public testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    Terminal::SetUp();
    std::ofstream table(work_ / "wide.csv");
    std::ofstream(work_ / "wide.toml") << "title = \"T\"\n[columns]\n"
                                       <<
        [] {
          std::string columns;
          for (int c = 0; c < kColumns; ++c) {
            columns += "c" + std::to_string(c) + " = { role = \"quasi\", type = \"numeric\" }\n";
          }
          return columns;
        }() << "[guarantee]\nmodel = \"k\"\nk = 3\nbudget = 1000\n";
    for (int c = 0; c < kColumns; ++c) table << (c == 0 ? "c" : ",c") << c;
    std::uint32_t number = 1;
    for (int row = 0; row < kRows; ++row) {
      for (int c = 0; c < kColumns; ++c) {
        number = number * 1664525 + 1013904223;
        table << (c == 0 ? "\n" : ",") << 100000 + (number >> 12) % 500000;
      }
    }
    table << "\n";
  }

  static constexpr int kRows = 60000, kColumns = 12;
};

TEST_P(TerminalWork, SaysWhatItDoesAndThatNothingWasPublished) {
  std::vector<std::string> words;
  std::istringstream line(GetParam());
  for (std::string word; line >> word;) words.push_back(word);
  OnTerminal run(work_, words);
  ASSERT_TRUE(run.WaitFor("\x1b[K")) << run.shown;  // the bar
  run.Type("\x03");
  EXPECT_EQ(run.Finish(), -SIGINT) << run.shown;
  EXPECT_THAT(run.shown, HasSubstr("reissue: interrupted: nothing was published"));
  EXPECT_THAT(run.shown, Not(HasSubstr("\x1b[K  [")));  // a stage has a name
  EXPECT_FALSE(std::filesystem::exists(work_ / "vault"));
}

INSTANTIATE_TEST_SUITE_P(
    Verbs, TerminalWork,
    testing::Values(
        "audit wide.csv wide.csv", "init wide.csv wide.csv wide.csv --out draft",
        "explore --policy wide.toml --budget 100 wide.csv",
        "publish --dry-run --policy wide.toml --search optimal wide.csv",
        "publish --vault vault --no-passphrase --policy wide.toml wide.csv --out release.csv"));

TEST_F(Terminal, UsesColoursUnlessToldNotTo) {
  OnTerminal coloured(work_, {"check", "policy.toml"});
  EXPECT_EQ(coloured.Finish(), 0);
  EXPECT_THAT(coloured.shown, HasSubstr("\x1b[1;32m"));
  OnTerminal plain(work_, {"check", "policy.toml"}, "1");
  EXPECT_EQ(plain.Finish(), 0);
  EXPECT_THAT(plain.shown, Not(HasSubstr("\x1b[")));
}

}  // namespace
