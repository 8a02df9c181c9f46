// Any bytes as holder's copies of a series in groups: an audit's answer or a complaint, never a
// crash. An input is a line that chooses the policy (policies.h), then the files (files.h); each
// line of K is something that readers know ("ID=VALUE").

#include <cstddef>
#include <cstdint>
#include <sstream>

#include "audited.h"
#include "files.h"
#include "policies.h"
#include "reissue/engine/audit.h"

namespace {

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; lines.size() < 3 && std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace reissue;
  const auto parts = fuzz::Split(data, size, "line");
  fuzz::Given given(parts);
  const io::Policy policy = fuzz::Read(fuzz::Chosen(parts[0].bytes).text, given.files);
  if (given.copies.empty()) given.copies.emplace_back("H1.csv");
  binding::Context context = given.context();
  fuzz::CheckAudit(engine::Audit(policy, given.copies, context, 2, {}, Lines(given.files.Get("K"))),
                   given.copies.size());
  return 0;
}
