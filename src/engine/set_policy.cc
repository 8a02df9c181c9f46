#include "reissue/engine/set_policy.h"

#include <sys/stat.h>

#include "reissue/engine/models.h"
#include "reissue/io/rehearsal.h"

namespace reissue::engine {

Result<SetPolicyReport> SetPolicy(const std::string& policy,
                                  const std::vector<std::string>& settings, bool dry_run,
                                  binding::Context& context) {
  if (policy == "-") {
    return UsageError("a policy is changed in its file, and - is standard input", "Name a file.");
  }
  SetPolicyReport report;
  report.policy = policy;
  std::string before;
  {
    const std::unique_ptr<io::Bytes> bytes = REISSUE_TRY(context.files.Read(policy));
    before = bytes->view();
  }
  report.edit = REISSUE_TRY(io::EditPolicy(before, policy, settings));
  io::RehearsalFiles rehearsal(context.files);
  rehearsal.Put(policy, report.edit.text);
  const io::Policy read = REISSUE_TRY(io::ReadPolicyAlone(rehearsal, policy));
  REISSUE_TRY(Bind(read));
  report.problems = io::ReadWholePolicy(rehearsal, policy).problems;
  if (dry_run || report.edit.text == before) return report;
  struct stat info {};
  const bool owner_only = ::stat(policy.c_str(), &info) != 0 || (info.st_mode & 004) == 0;
  REISSUE_TRY(io::WriteAtomically(context.files, policy, report.edit.text, owner_only,
                                  /*replace=*/true));
  report.written = true;
  return report;
}

}  // namespace reissue::engine
