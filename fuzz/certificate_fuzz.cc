// Any bytes as a certificate, with the files that it is about: an answer or a complaint, never a
// crash.
//
// An input is the certificate, then the files, each after a line `---- NAME`: R1.csv, R2.csv, … the
// releases (and R1.csv.sensitive.csv, … beside them), P1.csv, … earlier ones of other columns,
// H1.csv, … holder's copies.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "memory_file_system.h"
#include "reissue/core/parallel.h"
#include "reissue/core/progress.h"
#include "reissue/core/result.h"
#include "reissue/engine/verify.h"

namespace {

constexpr std::string_view kFile = "\n---- ";

struct Given {
  reissue::io::MemoryFileSystem files;
  std::vector<std::string> releases, copies;
  std::vector<reissue::binding::PriorFile> priors;
};

void Split(std::string_view input, Given& given) {
  std::string name = "certificate.json";
  while (true) {
    const std::size_t end = input.find(kFile);
    given.files.Put(name, std::string(input.substr(0, end)) + "\n");
    if (end == std::string_view::npos) return;
    input.remove_prefix(end + kFile.size());
    const std::size_t line = input.find('\n');
    name = std::string(input.substr(0, line));
    input.remove_prefix(line == std::string_view::npos ? input.size() : line + 1);
    const bool table = name.find('.') == name.rfind('.');
    if (table && name.starts_with('R')) given.releases.push_back(name);
    if (table && name.starts_with('P')) given.priors.push_back({"", name});
    if (table && name.starts_with('H')) given.copies.push_back(name);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Given given;
  Split(std::string_view(reinterpret_cast<const char*>(data), size), given);
  if (given.releases.empty()) given.releases.emplace_back("R1.csv");
  static reissue::ThreadPool pool(1);
  reissue::Progress progress;
  reissue::binding::Context context{given.files, pool, progress};
  const auto verified = reissue::engine::Verify("certificate.json", given.releases, context,
                                                given.priors, given.copies);
  if (verified) {
    REISSUE_CHECK(verified->valid == verified->failures.empty());
    return 0;
  }
  REISSUE_CHECK(!verified.error().message.empty());
  REISSUE_CHECK(verified.error().code == reissue::ErrorCode::kInput ||
                verified.error().code == reissue::ErrorCode::kUsage);
  return 0;
}
