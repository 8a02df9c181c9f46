#include "cli/output.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace reissue::cli {

Status Output::Write(std::string_view text) {
  while (!text.empty() && !reader_gone_) {
    const ssize_t written = write(descriptor_, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      reader_gone_ = true;
    } else if (errno != EINTR) {
      return MachineError(Place{.file = "standard output", .line = {}, .byte = {}, .column = {}},
                          std::string("cannot be written: ") + std::strerror(errno),
                          "Free some space, or send the output elsewhere.");
    }
  }
  return Ok();
}

}  // namespace reissue::cli
