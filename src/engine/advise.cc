#include "reissue/engine/advise.h"

#include "reissue/engine/catalog.h"
#include "reissue/engine/raw_tables.h"

namespace reissue::engine {
namespace {

std::string Words(const std::vector<std::string>& paths) {
  std::string words;
  for (const std::string& path : paths) words += " " + ShellWord(path);
  return words;
}

advice::SettingKnown KnownFrom(const io::Policy& policy) {
  advice::SettingKnown known;
  for (const io::PolicyColumn& column : policy.columns) {
    if (column.role == io::Role::kIdentifier) known.identifier = column.name;
    if (column.role == io::Role::kSensitive) known.sensitive.push_back(column.name);
  }
  return known;
}

}  // namespace

Result<AdviseReport> Advise(const std::vector<std::string>& tables, const std::string& policy_path,
                            binding::Context& context, const std::vector<std::string>& servers) {
  AdviseReport report;
  std::string dialled;
  for (const std::string& server : servers) dialled += " -d " + ShellWord(server);
  RawTables raw;
  advice::SettingKnown known;
  if (policy_path.empty()) {
    raw = REISSUE_TRY(ReadRawTables(tables, context));
    const advice::TableAdvice roles = advice::AdviseRoles(raw.Profiles());
    const auto identifiers = roles.Names(io::Role::kIdentifier);
    if (!identifiers.empty()) known.identifier = identifiers[0];
    known.sensitive = roles.Names(io::Role::kSensitive);
    report.next = "reissue init" + dialled + Words(raw.paths) + " --out policy";
  } else {
    const io::Policy policy = REISSUE_TRY(io::ReadPolicyAlone(context.files, policy_path));
    REISSUE_TRY(FollowSource(policy, context));
    raw = REISSUE_TRY(ReadTablesAs(policy, tables, context));
    known = KnownFrom(policy);
    if (const io::Setting* model = policy.Get("model")) report.promised = model->text;
    report.next = "reissue check" + dialled + " " + ShellWord(policy_path) + Words(raw.paths);
  }
  report.setting = advice::AdviseSetting(raw.ForSetting(), known);
  report.order = raw.how;
  for (std::size_t i = 0; i < raw.tables.size(); ++i) {
    report.tables.push_back({raw.paths[i], raw.tables[i].rows(), raw.tables[i].width()});
  }
  if (!report.promised.empty() && report.promised != report.setting.model) {
    report.setting.notes.push_back("The policy promises by model \"" + report.promised +
                                   "\", which is for something else. Change it before the first "
                                   "release is out.");
  }
  return report;
}

}  // namespace reissue::engine
