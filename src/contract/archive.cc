// How the vault keeps policies, with the files that they name.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "reissue/binding/load.h"
#include "reissue/binding/state_bytes.h"
#include "reissue/contract/living.h"

namespace reissue::contract {
namespace {

constexpr std::uint32_t kArchiveFormat = 1;
constexpr std::string_view kPrefix = "policy/";

class KeptBytes final : public io::Bytes {
 public:
  explicit KeptBytes(std::string bytes) : bytes_(std::move(bytes)) {}
  std::string_view view() const override { return bytes_; }

 private:
  std::string bytes_;
};

// The files of a policy as they were. Nothing can be written.
class KeptFiles final : public io::FileSystem {
 public:
  std::map<std::string, std::string> files;

  Result<std::unique_ptr<io::Bytes>> Read(const std::string& path) override {
    const auto found = files.find(path);
    if (found == files.end()) return binding::SenselessRecord("its policy");
    return std::unique_ptr<io::Bytes>(std::make_unique<KeptBytes>(found->second));
  }
  bool Exists(const std::string& path) override { return files.contains(path); }
  Result<std::unique_ptr<io::WritableFile>> Create(const std::string& path, bool) override {
    return No(path);
  }
  Status Rename(const std::string& from, const std::string&, bool) override { return No(from); }
  Status Remove(const std::string& path) override { return No(path); }
  Status SyncDirectory(const std::string& directory) override { return No(directory); }
  Status CreateDirectory(const std::string& path, bool) override { return No(path); }

 private:
  static Error No(const std::string& path) {
    return MachineError(Place{path, std::nullopt, std::nullopt, ""},
                        "what a vault keeps cannot be written to");
  }
};

// Everything whose bytes have a part in the digest.
std::vector<std::string> FilesOf(const io::Policy& policy) {
  std::vector<std::string> paths;
  for (const io::PolicyColumn& column : policy.columns) {
    if (!column.taxonomy.empty()) paths.push_back(column.taxonomy);
  }
  for (const auto& [key, value] : policy.knowledge) {
    if ((key == "prior" || key == "transition") && value.kind == io::Setting::Kind::kText &&
        value.text != io::kUniformBeliefs && value.text != io::kLearnedBeliefs) {
      paths.push_back(io::Beside(policy.file, value.text));
    }
  }
  return paths;
}

}  // namespace

std::string PolicySecret(std::uint32_t since) { return fmt::format("{}{}", kPrefix, since); }

Result<std::string> ArchivePolicy(const io::Policy& policy, binding::Context& context) {
  KeptFiles kept;
  kept.files[policy.file] = policy.text;
  for (const std::string& path : FilesOf(policy)) {
    const auto bytes = REISSUE_TRY(context.files.Read(path));
    kept.files[path] = bytes->view();
  }
  const io::Policy again = REISSUE_TRY(io::ReadPolicy(kept, policy.file));
  if (again.digest != policy.digest) {
    return InputError({policy.file, std::nullopt, std::nullopt, ""},
                      "a taxonomy or another file of the policy was changed just now",
                      "Run the command again; nothing was published.");
  }
  binding::StateWriter out;
  out.Number(kArchiveFormat);
  const std::string path = REISSUE_TRY(io::Absolute(policy.file));
  out.Text(path);
  out.Text(policy.file);
  out.Each(kept.files, [&](const auto& file) {
    out.Text(file.first);
    out.Text(file.second);
  });
  return out.Take();
}

Result<PastPolicy> ReadArchive(const std::string& archive, std::uint32_t since,
                               binding::Context& context) {
  binding::StateReader in(archive);
  if (in.Number<std::uint32_t>() != kArchiveFormat) in.Refuse();
  PastPolicy past;
  past.since = since;
  past.path = in.Text();
  const std::string file = in.Text();
  std::vector<std::pair<std::string, std::string>> files;
  in.Each(files, [&] {
    std::string path = in.Text();
    return std::pair(std::move(path), in.Text());
  });
  if (!in.done()) return binding::SenselessRecord("its policy");
  KeptFiles kept;
  kept.files.insert(files.begin(), files.end());
  past.policy = REISSUE_TRY(io::ReadPolicy(kept, file));
  binding::Context then{kept, context.pool, context.progress};
  past.trees = REISSUE_TRY(binding::LoadTaxonomies(past.policy, then));
  past.archive = archive;
  past.files = std::move(kept.files);
  return past;
}

namespace {

// By their numbers, oldest first.
Result<std::vector<std::uint32_t>> RecordedPolicies(ledger::Vault& vault) {
  const std::vector<std::string> names = REISSUE_TRY(vault.Secrets());
  std::vector<std::uint32_t> since;
  for (const std::string& name : names) {
    if (!name.starts_with(kPrefix)) continue;
    std::uint32_t number = 0;
    std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(), number);
    if (PolicySecret(number) == name) since.push_back(number);
  }
  std::ranges::sort(since);
  return since;
}

}  // namespace

Result<std::vector<PastPolicy>> RecallPolicies(ledger::Vault& vault, const io::Policy& now,
                                               binding::Context& context) {
  std::vector<PastPolicy> past;
  for (const std::uint32_t since : REISSUE_TRY(RecordedPolicies(vault))) {
    const auto archive = REISSUE_TRY(vault.Unseal(PolicySecret(since)));
    if (!archive) return binding::SenselessRecord("its policy");
    past.push_back(REISSUE_TRY(ReadArchive(*archive, since, context)));
  }
  const ledger::VaultPolicy& first = vault.policy();
  if (!past.empty()) {
    if (past.front().since == 1 && past.front().policy.digest == first.digest) return past;
    return binding::SenselessRecord("its policy");
  }
  // Earlier versions kept the text and a digest.
  std::optional<io::Policy> then;
  if (now.digest == first.digest) {
    then = now;
  } else if (context.files.Exists(first.path)) {
    Result<io::Policy> there = io::ReadPolicy(context.files, first.path);
    if (there && there->digest == first.digest) then = std::move(*there);
  }
  if (!then) {
    return InputError(
        {first.path, std::nullopt, std::nullopt, ""},
        fmt::format("the policy of this series (\"{}\") or one of its taxonomies was changed, and "
                    "its vault, made by an earlier version, does not know what they were",
                    first.title),
        "Put them back as they were, and give the changed ones other names: then the change can be "
        "judged. A release that is published with the unchanged policy makes the vault keep it.");
  }
  const std::string archive = REISSUE_TRY(ArchivePolicy(*then, context));
  past.push_back(REISSUE_TRY(ReadArchive(archive, 1, context)));
  return past;
}

Result<std::map<std::uint32_t, std::string>> PolicyDigests(ledger::Vault& vault) {
  std::map<std::uint32_t, std::string> digests = {{1, vault.policy().digest}};
  for (const std::uint32_t since : REISSUE_TRY(RecordedPolicies(vault))) {
    if (since == 1) continue;
    const auto archive = REISSUE_TRY(vault.Unseal(PolicySecret(since)));
    if (!archive) return binding::SenselessRecord("its policy");
    binding::StateReader in(*archive);
    (void)in.Number<std::uint32_t>();
    (void)in.Text();
    const std::string file = in.Text();
    KeptFiles kept;
    std::vector<int> read;
    in.Each(read, [&] {
      std::string path = in.Text();
      kept.files[std::move(path)] = in.Text();
      return 0;
    });
    if (!in.done()) return binding::SenselessRecord("its policy");
    const io::Policy policy = REISSUE_TRY(io::ReadPolicy(kept, file));
    digests[since] = policy.digest;
  }
  return digests;
}

Result<std::vector<std::uint32_t>> PolicyChanges(ledger::Vault& vault) {
  std::vector<std::uint32_t> since = REISSUE_TRY(RecordedPolicies(vault));
  std::erase(since, 1U);
  return since;
}

}  // namespace reissue::contract
