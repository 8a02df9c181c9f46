#pragma once
// Several files in one input: what stands before the first line `---- NAME`, then each file after
// the line that names it. R1.csv, R2.csv, … are releases (R1.csv.sensitive.csv, … lie beside them),
// P1.csv, … earlier ones of other columns, H1.csv, … holder's copies.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "memory_file_system.h"
#include "reissue/binding/context.h"
#include "reissue/binding/priors.h"
#include "reissue/core/parallel.h"
#include "reissue/core/progress.h"
#include "reissue/core/result.h"

namespace reissue::fuzz {

struct Part {
  std::string name;
  std::string_view bytes;  // without the line break before the next name
};

inline std::vector<Part> Split(const std::uint8_t* data, std::size_t size, std::string first) {
  constexpr std::string_view kNext = "\n---- ";
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  std::vector<Part> parts = {{std::move(first), {}}};
  while (true) {
    const std::size_t end = rest.find(kNext);
    parts.back().bytes = rest.substr(0, end);
    if (end == std::string_view::npos) return parts;
    rest.remove_prefix(end + kNext.size());
    const std::size_t line = rest.find('\n');
    parts.push_back({std::string(rest.substr(0, line)), {}});
    rest.remove_prefix(line == std::string_view::npos ? rest.size() : line + 1);
  }
}

// The files as a command is given them.
struct Given {
  io::MemoryFileSystem files;
  std::vector<std::string> releases, copies;
  std::vector<binding::PriorFile> priors;
  Progress progress;

  explicit Given(const std::vector<Part>& parts) {
    for (const Part& part : parts) {
      files.Put(part.name, std::string(part.bytes) + "\n");
      const bool table = part.name.find('.') == part.name.rfind('.');
      if (table && part.name.starts_with('R')) releases.push_back(part.name);
      if (table && part.name.starts_with('P')) priors.push_back({"", part.name});
      if (table && part.name.starts_with('H')) copies.push_back(part.name);
    }
  }
  binding::Context context() {
    static ThreadPool pool(1);
    return {files, pool, progress};
  }
};

// A stranger's file, or the call itself: nothing else is to blame for what was read.
inline void CheckComplaint(const Error& error) {
  REISSUE_CHECK(!error.message.empty());
  REISSUE_CHECK(error.code == ErrorCode::kInput || error.code == ErrorCode::kUsage);
}

}  // namespace reissue::fuzz
