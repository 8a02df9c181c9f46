// Any bytes as files of knowledge: beliefs that are probabilities, or a complaint, never a crash.
// An input is a line, then prior.csv, transition.csv and known.csv (files.h), of which any may be
// missing; where `n` is in the line, probabilities are normalised. Holder's copies, the same every
// time, are then audited with what was read.

#include <cstddef>
#include <cstdint>

#include "audited.h"
#include "files.h"
#include "policies.h"
#include "reissue/engine/audit.h"
#include "reissue/engine/models.h"
#include "reissue/models/similarity/service/knowledge.h"

namespace {

using namespace reissue;
namespace service = models::similarity::service;

std::string PolicyText(std::string_view line, io::MemoryFileSystem& files) {
  std::string text = R"([columns]
patient = { role = "identifier" }
age     = { role = "quasi", type = "numeric" }
job     = { role = "quasi", taxonomy = "job.csv" }
disease = { role = "sensitive" }
[guarantee]
model = "j-similarity"
k = 2
j = 0.8
t = 0.7
max_gain = 0.9
[knowledge]
steps = 2
)";
  if (files.Exists("prior.csv")) text += "prior = \"prior.csv\"\n";
  if (files.Exists("transition.csv")) text += "transition = \"transition.csv\"\n";
  if (files.Exists("known.csv")) text += "compromised = \"known.csv\"\n";
  if (line.find('n') != std::string_view::npos) text += "normalise = true\n";
  return text;
}

void CheckBackground(const io::Policy& policy, binding::Context& context) {
  const engine::Bound bound = engine::Bind(policy).value();
  const auto& promise = bound.promise->As<service::Promise>();
  auto background = service::Background::Read(policy, promise, context);
  if (!background) return fuzz::CheckComplaint(background.error());
  if (!background->values().empty()) {
    REISSUE_CHECK(models::similarity::Validate(background->knowledge()).has_value());
  }
  // What a vault would keep of it can be taken up again.
  const std::string saved = background->Save();
  REISSUE_CHECK(background->Restore(saved).has_value() && background->Save() == saved);
  REISSUE_CHECK(background->Describe().size() >= 2);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto parts = fuzz::Split(data, size, "line");
  fuzz::Given given(parts);
  given.files.Put("H1.csv",
                  "patient,group,age,job,disease\nAnn,1,21,Nurse,flu\nBob,1,33,Doctor,gout\n"
                  "Cid,2,42,Welder,flu\nDee,2,55,Joiner,asthma\n");
  given.files.Put("H2.csv",
                  "patient,group,age,job,disease\nAnn,1,21,Nurse,gout\nCid,1,33,Welder,flu\n"
                  "Eve,2,42,Welder,flu\nDee,2,55,Joiner,asthma\n");
  const io::Policy policy = fuzz::Read(PolicyText(parts[0].bytes, given.files), given.files);
  binding::Context context = given.context();
  CheckBackground(policy, context);
  fuzz::CheckAudit(engine::Audit(policy, {"H1.csv", "H2.csv"}, context, 2), 2);
  return 0;
}
