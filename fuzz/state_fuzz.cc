// Any bytes as what a vault keeps, unsealed: taken up or refused, never a crash, and no more memory
// than such a series needs. An input is a line that chooses the policy (policies.h), then secrets
// by their names (files.h). A vault that has them is audited, and publishes a small table.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "files.h"
#include "fixed_keys.h"
#include "policies.h"
#include "reissue/engine/audit.h"
#include "reissue/engine/publish.h"
#include "reissue/models/invariance/service/gone.h"
#include "reissue/models/invariance/service/state.h"
#include "reissue/models/similarity/service/state.h"
#include "scratch.h"

namespace {

using namespace reissue;
namespace inv = models::invariance::service;
namespace sim = models::similarity::service;

constexpr char kTable[] =
    "patient,age,job,disease\nAnn,21,Nurse,flu\nBob,24,Doctor,asthma\nCid,38,Nurse,gout\n"
    "Dee,33,Welder,flu\nEve,41,Joiner,asthma\nFay,47,Welder,gout\n";

// What was accepted is written and read back the same. False: refused.
template <typename Parse>
bool Accepted(std::string_view bytes, Parse parse) {
  const auto state = parse(bytes);
  if (!state) {
    REISSUE_CHECK(state.error().code == ErrorCode::kMachine && !state.error().remedy.empty());
    return false;
  }
  const std::string saved = Save(*state);
  const auto again = parse(saved);
  REISSUE_CHECK(again.has_value() && Save(*again) == saved);
  return true;
}

// Everybody in it is once more in it, so nobody is added. A piece is joined with the next before
// anybody looks for somebody in it.
bool AcceptedGone(std::string_view bytes) {
  if (!Accepted(bytes, inv::ParseGone)) return false;
  const inv::GonePiece piece = inv::ParseGone(bytes).value();
  REISSUE_CHECK(inv::Together(piece, piece).keys == piece.keys);
  return true;
}

bool Accepted(const fuzz::Part& secret) {
  const std::string& name = secret.name;
  if (name == inv::SeriesState::kSecret) return Accepted(secret.bytes, inv::ParseSeriesState);
  if (name == sim::EvolvingState::kSecret) return Accepted(secret.bytes, sim::ParseEvolvingState);
  if (name.starts_with("changing/gone/")) return AcceptedGone(secret.bytes);
  if (name.starts_with("evolving/")) {
    return Accepted(secret.bytes, [](std::string_view bytes) {
      constexpr std::size_t kValues = 100;
      return sim::ParseEvolvingRelease(bytes, kValues);
    });
  }
  return true;
}

// Releases that some other tool has made, the last with the secrets.
Status Fill(ledger::Vault& vault, const std::vector<fuzz::Part>& parts, const std::string& file) {
  const auto numbered = std::ranges::count_if(parts, [](const fuzz::Part& part) {
    return part.name.starts_with("series/") || part.name.starts_with("evolving/");
  });
  std::vector<ledger::Vault::Adopted> releases(std::clamp<std::size_t>(numbered, 1, 3));
  for (auto& release : releases) release.record.target = file;
  std::map<std::string, std::string> secrets;
  for (std::size_t i = 1; i < parts.size(); ++i) secrets[parts[i].name] = parts[i].bytes;
  releases.back().secrets.assign(secrets.begin(), secrets.end());
  return vault.Adopt(std::move(releases));
}

void Make(const fuzz::Scratch& scratch, const std::string& policy_file,
          const std::vector<fuzz::Part>& parts) {
  io::FileSystem& files = io::SystemFiles();
  const io::Policy policy = io::ReadPolicy(files, policy_file).value();
  const ledger::Passphrase none{.none = true, .text = {}};
  const ledger::VaultPolicy about{policy.Get("model")->text, "", "", policy.digest, policy_file};
  auto vault = ledger::Vault::Create(files, scratch.Path("vault"), about, none).value();
  REISSUE_CHECK(Fill(vault, parts, scratch.Path("earlier.csv")).has_value());
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  fuzz::FixKeys();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto parts = fuzz::Split(data, size, "line");
  const bool accepted =
      std::all_of(parts.begin() + 1, parts.end(), [](const auto& part) { return Accepted(part); });
  if (!accepted) return 0;
  static const fuzz::Scratch scratch;
  static ThreadPool pool(1);
  scratch.Clear();
  scratch.Write("job.csv", fuzz::kJobs);
  contract::PublishRequest request;
  request.policy = scratch.Write("policy.toml", fuzz::Chosen(parts[0].bytes).text);
  request.table = scratch.Write("table.csv", kTable);
  request.vault = scratch.Path("vault");
  request.out = scratch.Path("release.csv");
  request.passphrase.none = true;
  request.seed = 7;
  request.created = "2026-01-02T03:04:05Z";
  Make(scratch, request.policy, parts);
  Progress progress;
  binding::Context context{io::SystemFiles(), pool, progress};
  const auto audit =
      engine::AuditVault(request.vault, request.policy, request.passphrase, context, 2);
  REISSUE_CHECK(audit || !audit.error().message.empty());
  const auto published = engine::Publish(request, context);
  REISSUE_CHECK(published || !published.error().message.empty());
  return 0;
}
