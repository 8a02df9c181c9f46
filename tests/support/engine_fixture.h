#pragma once
// Policies and tables in a temporary directory, for tests of the engine on real files.

#include "files_fixture.h"
#include "reissue/core/random.h"
#include "reissue/engine/audit.h"
#include "reissue/engine/check.h"
#include "reissue/engine/measure.h"
#include "reissue/engine/models.h"
#include "reissue/engine/publish.h"
#include "reissue/engine/verify.h"

namespace reissue {

class EngineTest : public FilesTest {
 protected:
  // The promise of a policy that has been read, as its model has it.
  template <typename Promise>
  static Promise PromiseOf(const io::Policy& policy) {
    return engine::Bind(policy).value().promise->As<Promise>();
  }

  // Two quasi-identifiers, a sensitive column, an identifier, a column that is dropped.
  std::string WritePolicy(const std::string& guarantee, const std::string& name = "policy.toml") {
    Write("age.csv",
          "21;20s;young;*\n25;20s;young;*\n31;30s;young;*\n38;30s;young;*\n"
          "44;40s;old;*\n59;50s;old;*\n");
    Write("sex.csv", "f;*\nm;*\n");
    return Write(name,
                 "title = \"Test\"\n[columns]\nid = { role = \"identifier\" }\n"
                 "age = { role = \"quasi\", taxonomy = \"age.csv\" }\n"
                 "sex = { role = \"quasi\", taxonomy = \"sex.csv\" }\n"
                 "illness = { role = \"sensitive\" }\nnote = { role = \"drop\" }\n[guarantee]\n" +
                     guarantee);
  }
  std::string WriteTable(std::size_t rows, std::uint64_t seed, const std::string& name = "t.csv") {
    Random random = Random::Seeded(seed);
    const std::vector<std::string> ages = {"21", "25", "31", "38", "44", "59"};
    const std::vector<std::string> ills = {"flu", "cold", "\"gout, bad\"", "HIV"};
    std::string text = "id,age,sex,illness,note\n";
    for (std::size_t i = 0; i < rows; ++i) {
      text += "p" + std::to_string(i) + "," + ages[random.Below(6)] + "," +
              (random.Below(2) != 0 ? "f" : "m") + "," +
              ills[std::min(random.Below(4), random.Below(4))] + ",private\n";
    }
    return Write(name, text);
  }
  contract::PublishRequest Request(const std::string& policy, const std::string& table) const {
    contract::PublishRequest request;
    request.vault = Path("vault");
    request.policy = policy;
    request.table = table;
    request.out = Path("release.csv");
    request.passphrase.none = true;
    request.seed = 7;
    request.created = "2026-01-02T03:04:05Z";
    return request;
  }
};

}  // namespace reissue
