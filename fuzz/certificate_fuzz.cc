// Any bytes as a certificate, with the files that it is about: an answer or a complaint, never a
// crash. An input is the certificate, then the files (files.h).

#include <cstddef>
#include <cstdint>

#include "files.h"
#include "reissue/engine/verify.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace reissue;
  fuzz::Given given(fuzz::Split(data, size, "certificate.json"));
  if (given.releases.empty()) given.releases.emplace_back("R1.csv");
  binding::Context context = given.context();
  const auto verified =
      engine::Verify("certificate.json", given.releases, context, given.priors, given.copies);
  if (verified) {
    REISSUE_CHECK(verified->valid == verified->failures.empty());
  } else {
    fuzz::CheckComplaint(verified.error());
  }
  return 0;
}
