#pragma once
// A child of the studio: the program itself with other arguments. No shell, no descriptor that it
// was not given, no terminal.

#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "reissue/core/result.h"

namespace reissue::cli::studio {

// A descriptor that is closed.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor() { Close(); }
  int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }
  void Close();

 private:
  int number_ = -1;
};

struct Child {
  pid_t pid = 0;
  Descriptor out, err;  // what it says; reading ends with it
};

// Starts `/proc/self/exe words…` in `directory`, in a session of its own, which the end of the
// calling thread ends. `passphrase`: the reading end of a pipe, or none.
Result<Child> StartProgram(const std::vector<std::string>& words, int directory,
                           const Descriptor& passphrase);

// The reading end of a pipe that has the line and nothing else.
Result<Descriptor> PipeWith(std::string_view line);

// Another program, which is left alone. Its output goes nowhere.
void StartAlone(const std::string& program, const std::string& argument);

}  // namespace reissue::cli::studio
