#include "cli/clock.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace reissue::cli {

Result<std::string> TimeStamp() {
  std::time_t time = std::time(nullptr);
  const char* fixed = std::getenv("SOURCE_DATE_EPOCH");
  std::tm utc{};
  if (fixed != nullptr && *fixed != '\0') {
    const char* end = fixed + std::strlen(fixed);
    std::int64_t seconds = -1;
    const auto [stop, problem] = std::from_chars(fixed, end, seconds);
    time = static_cast<std::time_t>(seconds);
    if (problem != std::errc() || stop != end || seconds < 0 || seconds > 253402300799) {
      return UsageError("SOURCE_DATE_EPOCH is not a number of seconds since 1970",
                        "Correct or unset this environment variable.");
    }
  }
  char text[32];
  gmtime_r(&time, &utc);
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return std::string(text);
}

}  // namespace reissue::cli
