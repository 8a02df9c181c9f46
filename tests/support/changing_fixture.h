#pragma once
// A ward whose patients come, go, return and change, and its releases by model m-invariance. For
// tests only.

#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine_fixture.h"
#include "reissue/models/invariance/service/report.h"

namespace reissue::models::invariance::service {

class ChangingTest : public EngineTest {
 protected:
  struct Patient {
    std::string id, age, town, illness;
  };

  std::string WriteChanging(const std::string& guarantee) {
    Write("town.csv", "Aton;North;*\nBury;North;*\nCorm;South;*\nDale;South;*\n");
    return Write("policy.toml",
                 "title = \"Ward\"\n[columns]\npatient = { role = \"identifier\" }\n"
                 "age = { role = \"quasi\", type = \"numeric\" }\n"
                 "town = { role = \"quasi\", taxonomy = \"town.csv\" }\n"
                 "shoe = { role = \"publish\" }\nillness = { role = \"sensitive\" }\n"
                 "[guarantee]\nmodel = \"m-invariance\"\n" +
                     guarantee);
  }

  Patient NewPatient(Random& random) {
    static const char* const kTowns[] = {"Aton", "Bury", "Corm", "Dale"};
    static const char* const kIllnesses[] = {"flu",  "\"gout, bad\"", "measles",
                                             "cold", "asthma",        "cancer"};
    return {"SECRET" + std::to_string(1000 + next_++), std::to_string(20 + random.Below(60)),
            kTowns[random.Below(4)], kIllnesses[random.Below(6)]};
  }

  // Whether e could be measured anew the holder is told. The certificate says the same either way:
  // readers would learn who came back. Returns whether it was kept by rule alone.
  static bool ExpectSameWordsInCertificate(const contract::PublishReport& report) {
    using Number = contract::PromiseKept::Number;
    std::ifstream file(report.certificate);
    const auto measured = nlohmann::json::parse(file).at("measured");
    const contract::PromiseKept &m = report.audit.promises.at(0), &e = report.audit.promises.at(1);
    EXPECT_EQ(measured.at(0).at("measured"), report.details.As<ChangedRows>().least_values);
    EXPECT_EQ(m.measured, static_cast<double>(report.details.As<ChangedRows>().least_values));
    EXPECT_TRUE(m.kept && e.kept);
    EXPECT_EQ(measured.at(1), (nlohmann::json{{"promise", "e"},
                                              {"asked", 2},
                                              {"measured", nullptr},
                                              {"kept", true},
                                              {"proof", "by rule"}}));
    const bool by_rule = report.audit.findings.As<InvarianceFindings>().e_by_rule;
    EXPECT_EQ(e.number, by_rule ? Number::kNone : Number::kAtLeast);
    return by_rule;
  }

  // Some leave, some come, some return, some change; no illness gets too frequent.
  void Change(Random& random) {
    std::vector<Patient> stay;
    for (Patient& patient : there_) {
      if (random.Below(4) == 0) {
        gone_.push_back(patient);
        continue;
      }
      if (random.Below(40) == 0) patient.illness = NewPatient(random).illness;
      stay.push_back(patient);
    }
    there_ = std::move(stay);
    for (std::size_t i = random.Below(12); i > 0; --i) there_.push_back(NewPatient(random));
    if (!gone_.empty() && random.Below(2) == 0) {
      there_.push_back(gone_.back());
      gone_.pop_back();
    }
  }

  std::string WritePatients(const std::string& name) {
    std::string text = "patient,age,town,shoe,illness\n";
    for (const Patient& patient : there_) {
      text += patient.id + "," + patient.age + "," + patient.town + ",40," + patient.illness + "\n";
    }
    return Write(name, text);
  }

  // A release of who is there.
  Result<contract::PublishReport> PublishNow(const std::string& policy, std::size_t number,
                                             std::optional<std::uint64_t> seed) {
    const std::string n = std::to_string(number);
    contract::PublishRequest request = Request(policy, WritePatients("t" + n + ".csv"));
    request.out = Path("R" + n + ".csv");
    request.holder_copy = Path("H" + n + ".csv");
    request.seed = seed;
    return engine::Publish(request, context_);
  }

  std::vector<std::string> Paths(const std::string& letter, std::size_t releases) const {
    std::vector<std::string> paths;
    for (std::size_t i = 1; i <= releases; ++i) {
      paths.push_back(Path(letter + std::to_string(i) + ".csv"));
    }
    return paths;
  }

  // Releases until the stream ends; how many there are.
  std::size_t Stream(const std::string& policy, std::uint64_t seed, std::size_t releases) {
    Random random = Random::Seeded(seed);
    there_.clear();
    gone_.clear();
    for (int i = 0; i < 60; ++i) there_.push_back(NewPatient(random));
    std::size_t made = 0;
    for (std::size_t i = 1; i <= releases; ++i) {
      const auto report = PublishNow(policy, made + 1, seed + i);
      if (report) {
        ++made;
        EXPECT_TRUE(report->audit.satisfied);
        EXPECT_EQ(report->rows_in, there_.size());
      } else {
        EXPECT_EQ(report.error().code, ErrorCode::kPromise) << report.error().ToString();
      }
      Change(random);
    }
    return made;
  }

  ledger::Vault OpenedVault() {
    ledger::Passphrase none;
    none.none = true;
    return ledger::Vault::Open(context_.files, Path("vault"), ledger::Access::kWrite, none).value();
  }

  void Clear() {
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_);
  }

  std::vector<Patient> there_, gone_;
  std::size_t next_ = 0;
};

}  // namespace reissue::models::invariance::service
