// Any bytes as published files: an audit's answer or a complaint, never a crash. An input is a line
// that chooses the policy (policies.h), then the files (files.h): T.csv is the raw table, where
// there is one, and X a record to be explained.

#include <cstddef>
#include <cstdint>

#include "audited.h"
#include "files.h"
#include "policies.h"
#include "reissue/engine/audit.h"
#include "reissue/engine/explain.h"
#include "reissue/engine/measure.h"

namespace {

using namespace reissue;

void Measure(const io::Policy& policy, const std::string& release, binding::Context& context) {
  contract::MeasureRequest request;
  request.table = "T.csv";
  request.release = release;
  request.queries = 3;
  const auto measured = engine::Measure(policy, request, context);
  if (!measured) fuzz::CheckComplaint(measured.error());
}

void Explain(const io::Policy& policy, fuzz::Given& given, binding::Context& context) {
  const auto explained =
      engine::Explain(policy, given.releases, given.files.Get("X"), context, given.priors);
  if (!explained) fuzz::CheckComplaint(explained.error());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto parts = fuzz::Split(data, size, "line");
  fuzz::Given given(parts);
  const fuzz::SmallPolicy& chosen = fuzz::Chosen(parts[0].bytes);
  const io::Policy policy = fuzz::Read(chosen.text, given.files);
  // The files of models with groups say nothing of people: they are measured, not audited.
  if (given.releases.empty()) given.releases.emplace_back("R1.csv");
  binding::Context context = given.context();
  fuzz::CheckAudit(engine::Audit(policy, given.releases, context, 2, given.priors),
                   given.releases.size() + given.priors.size());
  if (given.files.Exists("T.csv")) Measure(policy, given.releases.back(), context);
  if (given.files.Exists("X")) Explain(policy, given, context);
  return 0;
}
