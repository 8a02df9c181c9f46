#pragma once
// Publishes the small series of cases.h. For tests only.

#include <filesystem>
#include <string>
#include <vector>

#include "anew.h"
#include "cases.h"
#include "engine_fixture.h"

namespace certificates {

class CertificateTest : public reissue::EngineTest {
 protected:
  struct Certified {
    std::string certificate;            // the file
    std::vector<std::string> releases;  // up to it, oldest first
    std::vector<reissue::binding::PriorFile> priors;
    std::vector<std::string> copies;  // the holder's, of models that can be checked with them
    Out out;
  };
  static constexpr char kCreated[] = "2026-01-02T03:04:05Z";

  // With all that it names, in place of what was there.
  std::string WritePolicy(const Case& about) {
    for (const auto& [name, text] : about.files) Write(name, text);
    return Write("policy.toml", about.Policy());
  }

  // One entry per release.
  std::vector<Certified> PublishAll(const Case& about) {
    std::vector<reissue::binding::PriorFile> priors;
    for (const auto& [name, text] : about.priors) {
      priors.push_back({name, Write("prior" + std::to_string(priors.size()) + ".csv", text)});
    }
    std::vector<Certified> certified;
    std::vector<std::string> releases, copies;
    Out out;
    for (std::size_t i = 0; i < about.tables.size(); ++i) {
      const std::string name = "R" + std::to_string(i + 1) + ".csv";
      const std::string policy = WritePolicy(about.At(i + 1));
      reissue::contract::PublishRequest request = Request(policy, Write("t.csv", about.tables[i]));
      request.out = Path(name);
      request.priors = priors;
      if (!about.seeded) request.seed.reset();
      if (about.model == "m-invariance") {
        request.holder_copy = Path("H" + name);
        copies.push_back(request.holder_copy);
      }
      const auto report = reissue::engine::Publish(request, context_);
      EXPECT_TRUE(report) << report.error().ToString();
      if (!report) return certified;
      reports_.push_back(*report);
      if (i > 0) out.earlier.push_back(out.release);
      out.release = Read(name);
      out.beside.clear();
      for (const char* suffix : {".sensitive.csv", ".counterfeits.csv"}) {
        if (std::filesystem::exists(Path(name + suffix))) {
          out.beside.emplace_back(suffix, Read(name + suffix));
        }
      }
      releases.push_back(Path(name));
      certified.push_back({report->certificate, releases, priors, copies, out});
      out.previous = Read(std::filesystem::path(report->certificate).filename());
    }
    return certified;
  }

  std::vector<reissue::contract::PublishReport> reports_;  // the holder's, of all releases
};

inline std::vector<std::string> CaseNames() {
  std::vector<std::string> names;
  for (const Case& about : Cases()) names.push_back(about.name);
  return names;
}

inline const Case& CaseOf(const std::string& name) {
  for (const Case& about : Cases()) {
    if (about.name == name) return about;
  }
  REISSUE_CHECK(false);
  return Cases()[0];
}

}  // namespace certificates
