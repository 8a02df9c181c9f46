#pragma once
// All verbs of the program. Each lives in cmd/<verb>.cc: it adds its options to the command line
// and sets Session::action when it is the one that was called.

namespace CLI {
class App;
}

namespace reissue::cli {

class Session;

void AddInit(CLI::App& root, Session& session);
void AddDescribe(CLI::App& root, Session& session);
void AddAdvise(CLI::App& root, Session& session);
void AddPolicy(CLI::App& root, Session& session);
void AddCheck(CLI::App& root, Session& session);
void AddAudit(CLI::App& root, Session& session);
void AddAdopt(CLI::App& root, Session& session);
void AddPublish(CLI::App& root, Session& session);
void AddExplore(CLI::App& root, Session& session);
void AddReport(CLI::App& root, Session& session);
void AddVerify(CLI::App& root, Session& session);
void AddHistory(CLI::App& root, Session& session);
void AddVault(CLI::App& root, Session& session);
void AddKey(CLI::App& root, Session& session);
void AddMetrics(CLI::App& root, Session& session);
void AddCodebook(CLI::App& root, Session& session);
void AddSpreadsheet(CLI::App& root, Session& session);
void AddTaxonomy(CLI::App& root, Session& session);
void AddLearn(CLI::App& root, Session& session);
void AddSimulate(CLI::App& root, Session& session);
void AddLab(CLI::App& root, Session& session);
void AddStudio(CLI::App& root, Session& session);
void AddHelp(CLI::App& root, Session& session);
void AddVersion(CLI::App& root, Session& session);
void AddCompletion(CLI::App& root, Session& session);
void AddMan(CLI::App& root, Session& session);

}  // namespace reissue::cli
