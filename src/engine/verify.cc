#include "reissue/engine/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "reissue/binding/hierarchy.h"
#include "reissue/binding/load.h"
#include "reissue/binding/words.h"
#include "reissue/contract/certificate.h"
#include "reissue/engine/models.h"
#include "reissue/io/csv.h"
#include "reissue/ledger/signature.h"

namespace reissue::engine {
namespace {

using contract::Extra;

Result<const contract::Model*> ModelOf(const contract::Certificate& certificate) {
  const contract::Model* const model = FindModel(certificate.model);
  if (model != nullptr && certificate.series_model == certificate.model) {
    // Which releases were before is a matter of course where they are judged together.
    REISSUE_TRY(certificate.Own([&](const contract::Member& root) {
      if (model->traits().series) (void)root["series"]["earlier"].List();
    }));
    return model;
  }
  std::vector<std::string> names;
  for (const contract::Model* each : Models()) names.push_back("\"" + each->traits().name + "\"");
  return InputError({certificate.file, std::nullopt, std::nullopt, ""},
                    fmt::format("the model \"{}\" is not known", certificate.model),
                    fmt::format("This version of reissue checks certificates of the models {}.",
                                binding::Listed(names)));
}

// What the model of the certificate has no use for.
Status RefuseExtras(const contract::Traits& traits, bool priors, bool copies) {
  if (priors && !traits.Takes(Extra::kPriors)) {
    return UsageError(
        fmt::format("--prior belongs to certificates of model {}", ModelsThatTake(Extra::kPriors)),
        "Give the releases of a series one after the other, oldest first.");
  }
  if (copies && !traits.Takes(Extra::kVerifyCopy)) {
    return UsageError(fmt::format("--holder-copy belongs to certificates of model {}",
                                  ModelsThatTake(Extra::kVerifyCopy)),
                      "Leave it out.");
  }
  return Ok();
}

Status CompareKey(const contract::Certificate& certificate, const std::string& given,
                  binding::Context& context, contract::VerifyReport& report) {
  report.key = certificate.key;
  if (!certificate.unchanged) {
    report.Fail(certificate.key.empty()
                    ? "The certificate was changed after it was written (checksum)."
                    : "The certificate was changed after it was signed.");
  }
  if (!certificate.key.empty()) report.signer = contract::Signer::kNotGiven;
  if (given.empty()) return Ok();
  const std::string key = REISSUE_TRY(PublicKeyOf(given, context));
  if (certificate.key == key) {
    report.signer = contract::Signer::kGiven;
  } else if (certificate.key.empty()) {
    report.Fail("The certificate is not signed (it has an earlier format), and a key was given.");
  } else {
    report.Fail("The certificate is signed by another key than the one that was given.");
  }
  return Ok();
}

// Columns that have another role there, or are said to have none.
void CompareRoles(const contract::Certificate& certificate, const io::Policy& policy,
                  bool some_columns, contract::VerifyReport& report) {
  const binding::ReleaseColumns asked = binding::ColumnsOf(policy);
  const binding::ReleaseColumns& said = certificate.columns;
  const auto compare = [&](const std::vector<std::string>& ours,
                           const std::vector<std::string>& theirs, const char* role) {
    for (const std::string& name : theirs) {
      if (std::ranges::count(ours, name) > 0) continue;
      report.Fail(fmt::format("Column \"{}\" is {} in the certificate, and not in the policy.",
                              name, role));
    }
  };
  compare(asked.quasi, said.quasi, "quasi");
  compare(asked.sensitive, said.sensitive, "sensitive");
  compare(asked.others, said.others, "published as it is");
  compare(asked.numeric, said.numeric, "numeric");
  for (const std::string& name : asked.quasi) {
    if (std::ranges::count(said.quasi, name) > 0) continue;
    if (some_columns) continue;
    report.Fail(
        fmt::format("Column \"{}\" is quasi in the policy, and not in the certificate.", name));
  }
}

// The labels that the certificate says are out lie in the taxonomies of the policy as it says. The
// policy may have more: what was not published does not matter.
Status CompareLabels(const contract::Certificate& certificate, const io::Policy& policy,
                     binding::Context& context, contract::VerifyReport& report) {
  std::vector<binding::ColumnHierarchy> hierarchy;
  REISSUE_TRY(certificate.Own([&](const contract::Member& root) {
    if (root.Has("hierarchy")) hierarchy = contract::ReadHierarchy(root["hierarchy"]);
  }));
  if (hierarchy.empty()) return Ok();
  const auto trees = REISSUE_TRY(binding::LoadTaxonomies(policy, context));
  const std::vector<std::string> quasi = binding::ColumnsOf(policy).quasi;
  for (binding::ColumnHierarchy& said : hierarchy) {
    const auto column = std::ranges::find(quasi, said.column);
    if (column == quasi.end()) continue;  // said above
    const auto& tree = trees[static_cast<std::size_t>(column - quasi.begin())];
    if (tree == nullptr) continue;  // ranges of numbers
    std::set<NodeId> occur;
    bool same = true;
    for (const auto& [label, above] : said.parents) {
      const auto node = same ? tree->Find(label) : std::nullopt;
      same = node.has_value();
      if (!same) break;
      occur.insert(*node);
    }
    if (same) {
      auto asked = binding::HierarchyOf(said.column, *tree, std::move(occur)).parents;
      std::ranges::sort(asked);
      std::ranges::sort(said.parents);
      same = asked == said.parents;
    }
    if (same) continue;
    report.Fail(fmt::format(
        "Labels of column \"{}\" are not in the taxonomy of the policy, or lie otherwise there.",
        said.column));
  }
  return Ok();
}

// Returns what the policy promises, if it is of the same model.
Result<contract::PromisePtr> ComparePolicy(const contract::Certificate& certificate,
                                           const std::string& path, bool some_columns,
                                           binding::Context& context,
                                           contract::VerifyReport& report) {
  if (path.empty()) return contract::PromisePtr();
  const io::Policy policy = REISSUE_TRY(io::ReadPolicy(context.files, path));
  CompareRoles(certificate, policy, some_columns, report);
  if (certificate.title != policy.title) {
    report.Fail("The title of the series is another one in the policy.");
  }
  if (!contract::SameSettings(certificate.guarantee, policy.guarantee)) {
    report.Fail("The guarantee of the certificate is not that of the policy.");
  }
  REISSUE_TRY(CompareLabels(certificate, policy, context, report));
  report.policy_compared = true;
  Bound bound = REISSUE_TRY(Bind(policy));
  if (bound.promise->model != certificate.model) return contract::PromisePtr();
  return std::move(bound.promise);
}

// Two releases have one policy if and only if the digests say so; what the last one says of the
// first release under its own must fit.
void ComparePolicies(const contract::Certificate& last, const contract::Certificate& before,
                     std::size_t release, contract::VerifyReport& report) {
  if (before.format == 1) return;  // another digest
  const bool same = before.policy_keyed_digest == last.policy_keyed_digest;
  if (same == (release >= last.policy_since) || (release + 1 < last.policy_since)) return;
  report.Fail(
      fmt::format("Release {} was made under {}, and the certificate says that its policy is in "
                  "force since release {}.",
                  release, same ? "the same policy" : "another policy", last.policy_since));
}

// From the newest on: each certificate names the one before, as far as they lie beside the files.
Status FollowChain(const contract::Certificate& last, const std::vector<std::string>& releases,
                   binding::Context& context, contract::VerifyReport& report) {
  std::string named = last.previous;
  for (std::size_t i = releases.size(); i-- > 1 && !named.empty();) {
    const std::string file = releases[i - 1] + contract::kCertificateSuffix;
    if (!context.files.Exists(file)) return Ok();
    const auto bytes = REISSUE_TRY(context.files.Read(file));
    if (io::Digest(bytes->view()) != named) {
      report.Fail(
          fmt::format("{} is not the certificate that the next one names: there are two of "
                      "release {}.",
                      file, i));
      return Ok();
    }
    const contract::Certificate before =
        REISSUE_TRY(contract::Certificate::Parse(bytes->view(), file));
    ComparePolicies(last, before, i, report);
    named = before.previous;
    ++report.chain;
  }
  return Ok();
}

}  // namespace

Result<std::string> PublicKeyOf(const std::string& given, binding::Context& context) {
  if (given.size() == ledger::kPublicKeyDigits && ledger::FromHex(given)) return given;
  constexpr char kRemedy[] =
      "Give the 64 digits 0-9 and a-f of a public key, or the path of a file that has them; "
      "`reissue key show DIR` prints them.";
  const auto read = context.files.Read(given);
  if (!read) {
    return InputError({given, std::nullopt, std::nullopt, ""},
                      "this is no public key, and no file that can be read", kRemedy);
  }
  const auto& bytes = *read;
  std::string_view line = bytes->view().substr(0, bytes->view().find('\n'));
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  if (line.size() == ledger::kPublicKeyDigits && ledger::FromHex(line)) return std::string(line);
  return InputError({given, 1, std::nullopt, ""}, "this is not a public key", kRemedy);
}

Result<contract::VerifyReport> Verify(const std::string& file,
                                      const std::vector<std::string>& releases,
                                      binding::Context& context,
                                      const std::vector<binding::PriorFile>& priors,
                                      const std::vector<std::string>& copies,
                                      const Trusted& trusted) {
  const auto bytes = REISSUE_TRY(context.files.Read(file));
  contract::Certificate certificate =
      REISSUE_TRY(contract::Certificate::Parse(bytes->view(), file));
  const contract::Model* const model = REISSUE_TRY(ModelOf(certificate));
  certificate.promise =
      REISSUE_TRY(model->Read({certificate.guarantee, {}, certificate.columns, file, nullptr}));
  REISSUE_TRY(RefuseExtras(model->traits(), !priors.empty(), !copies.empty()));
  contract::VerifyReport report;
  report.title = certificate.title;
  report.model = certificate.model;
  report.created = certificate.created;
  report.release = certificate.release;
  report.part = certificate.part.part;
  report.parts = certificate.part.parts;
  report.columns = certificate.columns;
  REISSUE_TRY(CompareKey(certificate, trusted.key, context, report));
  // Releases that are made beside others have some of the columns of the policy.
  const contract::PromisePtr asked = REISSUE_TRY(ComparePolicy(
      certificate, trusted.policy, model->traits().Takes(Extra::kPriors), context, report));
  REISSUE_TRY(model->Verify(certificate, {releases, priors, copies, asked.get()}, context, report));
  if (!certificate.consistency.empty()) {
    report.notes.push_back(
        fmt::format("The holder's table was on several servers, and was seen with {}.",
                    certificate.consistency));
  }
  // Files in another order have other certificates beside them.
  if (report.valid) REISSUE_TRY(FollowChain(certificate, releases, context, report));
  return report;
}

}  // namespace reissue::engine
