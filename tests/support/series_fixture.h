#pragma once
// Growing tables in files and vaults, for tests of publishing a series.

#include <algorithm>
#include <functional>
#include <set>

#include "engine_fixture.h"
#include "reissue/engine/adopt.h"

namespace reissue {

class SeriesEngineTest : public EngineTest {
 protected:
  // A table by its rows, in the order of their arrival.
  struct Growing {
    std::string columns;  // of the policy, in TOML
    std::string header;
    std::vector<std::string> rows;
  };

  std::string WritePolicyOf(const Growing& growing, const std::string& guarantee) {
    return Write("series.toml", "title = \"Series\"\n[columns]\n" + growing.columns +
                                    "[guarantee]\nmodel = \"bcf\"\n" + guarantee);
  }
  // The first rows, in an order of their own.
  std::string WriteFirst(const Growing& growing, std::size_t rows, std::uint64_t seed = 1) {
    std::vector<std::string> first(growing.rows.begin(),
                                   growing.rows.begin() + static_cast<std::ptrdiff_t>(rows));
    Random random = Random::Seeded(seed);
    random.Shuffle(first);
    std::string text = growing.header + "\n";
    for (const std::string& row : first) text += row + "\n";
    return Write("table.csv", text);
  }

  static std::string Times(const std::string& row, int rows) {
    std::string text;
    for (int i = 0; i < rows; ++i) text += row + "\n";
    return text;
  }

  // Release `number` of the vault "vault" is number.csv.
  contract::PublishRequest Next(const std::string& policy, const std::string& table,
                                std::size_t number) const {
    contract::PublishRequest request = Request(policy, table);
    request.out = Path(std::to_string(number) + ".csv");
    return request;
  }
  std::vector<std::string> Releases(std::size_t count) const {
    std::vector<std::string> files;
    for (std::size_t i = 1; i <= count; ++i) files.push_back(Path(std::to_string(i) + ".csv"));
    return files;
  }
  std::vector<ledger::ReleaseRecord> History() {
    if (!ledger::Vault::Exists(context_.files, Path("vault"))) return {};
    return ledger::Vault::Open(context_.files, Path("vault"), ledger::Access::kRead)
        ->History()
        .value();
  }
  // Removes the vault and its releases.
  void StartAnew() {
    std::filesystem::remove_all(Path("vault"));
    for (const std::string& file : Releases(9)) {
      std::filesystem::remove(file);
      std::filesystem::remove(file + ".certificate.json");
    }
  }
  // Names outside of the vault.
  std::set<std::string> Files() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
      // The vault's mark has a name of its own in each vault.
      if (entry.path().extension() == ".mark") continue;
      names.insert(entry.path().filename().string());
    }
    return names;
  }

  // The call fails like this, and leaves no trace.
  void ExpectRefused(const contract::PublishRequest& request, ErrorCode code,
                     const std::string& words) {
    const auto files = Files();
    const std::size_t releases = History().size();
    const auto refused = engine::Publish(request, context_);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, code) << refused.error().ToString();
    EXPECT_THAT(refused.error().ToString(), ::testing::HasSubstr(words));
    EXPECT_FALSE(refused.error().remedy.empty()) << refused.error().ToString();
    EXPECT_EQ(Files(), files);
    EXPECT_EQ(History().size(), releases);
  }

  contract::AdoptRequest Taking(const std::string& policy,
                                const std::vector<std::string>& files) const {
    contract::AdoptRequest request;
    request.vault = Path("vault");
    request.policy = policy;
    request.releases = files;
    request.passphrase.none = true;
    request.created = "2026-01-02T03:04:05Z";
    return request;
  }
};

}  // namespace reissue
