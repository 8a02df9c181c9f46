#pragma once
// Linked releases in files, for tests of model `xy`.

#include "engine_fixture.h"
#include "reissue/engine/explain.h"
#include "reissue/models/xy/service/report.h"

namespace reissue {

class LinkedEngineTest : public EngineTest {
 protected:
  LinkedEngineTest() {
    Write("job.csv", "Banker;Office;*\nClerk;Office;*\nDriver;Technical;*\nEngineer;Technical;*\n");
    Write("name.csv", "Alice;*\nBob;*\nCathy;*\n");
    Write("sex.csv", "Male;*\nFemale;*\n");
    Write("state.csv", "Early;Pregnant;*\nLate;Pregnant;*\nFlu;Flu;*\n");
  }

  static constexpr const char* kColumns =
      "[columns]\nid = { role = \"identifier\" }\n"
      "Name = { role = \"quasi\", taxonomy = \"name.csv\" }\n"
      "Job = { role = \"quasi\", taxonomy = \"job.csv\" }\n"
      "Sex = { role = \"quasi\", taxonomy = \"sex.csv\" }\n"
      "Age = { role = \"quasi\", type = \"numeric\" }\n"
      "State = { role = \"sensitive\", taxonomy = \"state.csv\" }\n"
      "Class = { role = \"publish\" }\nDisease = { role = \"sensitive\" }\n"
      "Note = { role = \"drop\" }\n[guarantee]\nmodel = \"xy\"\n";

  // The requirements begin on line 13.
  std::string WriteLinked(const std::string& requirements) {
    return Write("linked.toml", kColumns + requirements);
  }
  // Table 1 of the paper.
  std::string WriteT1() {
    return Write("T1.csv",
                 "Name,Job,Class\nAlice,Banker,c1\nAlice,Banker,c1\nBob,Clerk,c2\nBob,Driver,c3\n"
                 "Cathy,Engineer,c4\n");
  }
  std::string WriteT2() {
    return Write("T2.csv",
                 "Job,Disease\nBanker,Cancer\nBanker,Cancer\nClerk,HIV\nDriver,Cancer\n"
                 "Engineer,HIV\n");
  }

  Result<contract::AuditReport> AuditOf(const std::string& policy, const std::string& release,
                                        const std::vector<binding::PriorFile>& priors) {
    const io::Policy read = io::ReadPolicy(context_.files, policy).value();
    return engine::Audit(read, {release}, context_, 10, priors);
  }
  // What the join tells about one combination.
  Result<models::xy::service::JoinExplained> ExplainOf(
      const std::string& policy, const std::string& release,
      const std::vector<binding::PriorFile>& priors, const std::string& text,
      std::size_t requirement = 1) {
    const io::Policy read = io::ReadPolicy(context_.files, policy).value();
    const contract::ExplainReport report =
        REISSUE_TRY(engine::Explain(read, {release}, text, context_, priors, requirement));
    return report.findings.As<models::xy::service::JoinExplained>();
  }
  // The error of a policy with these requirements on the paper's tables.
  std::string ErrorOf(const std::string& requirements) {
    const auto audit = AuditOf(WriteLinked(requirements), WriteT1(), {{"", WriteT2()}});
    return audit ? "accepted" : audit.error().ToString();
  }
};

}  // namespace reissue
