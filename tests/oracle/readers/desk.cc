#include "desk.h"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "reissue/binding/context.h"
#include "reissue/core/parallel.h"
#include "reissue/core/progress.h"
#include "reissue/engine/audit.h"
#include "reissue/engine/models.h"
#include "reissue/engine/publish.h"
#include "reissue/engine/verify.h"
#include "reissue/io/file_system.h"
#include "reissue/models/bcf/service/report.h"
#include "reissue/models/invariance/service/report.h"
#include "reissue/models/similarity/service/report.h"
#include "reissue/models/xy/service/report.h"

namespace reissue::readers {
namespace {

using Failure = contract::AuditReport::Failure;

// The program ends itself where it finds a bug of its own: the case at hand shows it.
std::string at_hand;
std::filesystem::path scratch;
void ShowCase(int) {
  std::fputs(("the program has stopped on this case:\n" + at_hand).c_str(), stderr);
  std::filesystem::remove_all(scratch);
}

Verdict VerdictOf(const contract::AuditReport& report) {
  if (report.satisfied) return Verdict::kKept;
  if (report.failure == Failure::kNotProven) return Verdict::kNotProven;
  return report.failure == Failure::kNotOneSeries ? Verdict::kNotOneSeries : Verdict::kBroken;
}

// What the program claims to know for certain, by model.
void Add(const models::bcf::service::SeriesFindings& found, Finding& finding) {
  if (found.exact && found.exact->lower == found.exact->upper) {
    finding.numbers["left"] = static_cast<double>(found.exact->lower);
  }
}

void Add(const models::xy::service::JoinFindings& found, Finding& finding) {
  finding.numbers["records"] = static_cast<double>(found.join_rows);
  for (std::size_t i = 0; i < found.requirements.size(); ++i) {
    const auto& one = found.requirements[i];
    const std::string number = " " + std::to_string(i + 1);
    if (one.anonymity) finding.numbers["anonymity" + number] = static_cast<double>(*one.anonymity);
    if (one.linkability) finding.numbers["linkability" + number] = *one.linkability;
    if (one.counted) finding.numbers["violating" + number] = static_cast<double>(one.violating);
  }
}

void Add(const models::invariance::service::InvarianceFindings& found, Finding& finding) {
  if (!found.exposed_complete) return;
  finding.numbers["exposed by association"] = static_cast<double>(found.exposed_by_association);
  finding.numbers["exposed by equivalence"] = static_cast<double>(found.exposed_by_equivalence);
}

void Add(const models::similarity::service::SimilarityFindings& found, Finding& finding) {
  for (std::size_t i = 0; i < found.releases.size(); ++i) {
    const std::string number = " " + std::to_string(i + 1);
    finding.numbers["k" + number] = static_cast<double>(found.releases[i].shape.k);
    finding.numbers["j" + number] = found.releases[i].shape.j;
    finding.numbers["beta" + number] = found.releases[i].shape.beta;
    finding.numbers["t" + number] = found.releases[i].shape.t;
  }
}

Finding FindingOf(const contract::AuditReport& report) {
  Finding finding;
  finding.verdict = VerdictOf(report);
  if (const auto* found = report.findings.If<models::bcf::service::SeriesFindings>()) {
    Add(*found, finding);
  }
  if (const auto* found = report.findings.If<models::xy::service::JoinFindings>()) {
    Add(*found, finding);
  }
  if (const auto* found = report.findings.If<models::invariance::service::InvarianceFindings>()) {
    Add(*found, finding);
  }
  if (const auto* found = report.findings.If<models::similarity::service::SimilarityFindings>()) {
    Add(*found, finding);
  }
  if (report.model == "k" || report.model == "bcf") {
    finding.numbers["exposed"] = static_cast<double>(report.exposed);
  }
  return finding;
}

}  // namespace

struct Desk::Product {
  Product() {
    // Memory where there is some to be had: nothing here depends on the disk.
    const bool memory = ::access("/dev/shm", W_OK) == 0;
    std::string pattern =
        (memory ? std::filesystem::path("/dev/shm") : std::filesystem::temp_directory_path()) /
        "reissue-readers-XXXXXX";
    root = scratch = ::mkdtemp(pattern.data());
  }
  ~Product() { std::filesystem::remove_all(root); }

  std::string Path(const std::string& name) const { return (root / name).string(); }
  std::string Write(const std::string& name, const std::string& text) const {
    std::ofstream(Path(name), std::ios::binary | std::ios::trunc) << text;
    return Path(name);
  }
  Sheet Read(const std::string& name) const {
    std::ifstream file(Path(name), std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    return Sheet::Parse(text.str());
  }
  // The policy with all that it names; nothing of an earlier case is left.
  std::string Lay(const Case& one) {
    at_hand = one.Text();
    std::filesystem::remove_all(root);
    std::filesystem::create_directories(root);
    for (const auto& [name, text] : one.files) Write(name, text);
    priors.clear();
    for (std::size_t i = 0; i < one.priors.size(); ++i) {
      priors.push_back({"", Write("prior-" + std::to_string(i) + ".csv", one.priors[i].Text())});
    }
    return Write("policy.toml", one.Policy());
  }

  // What is wrong with a certificate, in words.
  std::string Verify(const std::string& certificate, const std::vector<std::string>& releases,
                     const std::vector<std::string>& copies) {
    const auto report = engine::Verify(certificate, releases, context, priors, copies);
    if (!report) return "verify: " + report.error().ToString();
    return report->valid ? "" : "verify: " + report->failures.front();
  }

  std::filesystem::path root;
  std::vector<binding::PriorFile> priors;
  ThreadPool pool{1};
  Progress progress;
  binding::Context context{io::SystemFiles(), pool, progress};
};

Desk::Desk() : product_(std::make_unique<Product>()) { std::signal(SIGABRT, ShowCase); }
Desk::~Desk() { std::signal(SIGABRT, SIG_DFL); }

Fields Desk::Models() {
  Fields names;
  for (const contract::Model* model : engine::Models()) names.push_back(model->traits().name);
  return names;
}

Finding Desk::Audit(const Case& one, const std::vector<Sheet>& released) {
  Product& product = *product_;
  const std::string path = product.Lay(one);
  std::vector<std::string> files;
  for (std::size_t i = 0; i < released.size(); ++i) {
    files.push_back(
        product.Write("released-" + std::to_string(i + 1) + ".csv", released[i].Text()));
  }
  const auto policy = io::ReadPolicy(product.context.files, path);
  if (!policy) return {Verdict::kError, {}, policy.error().ToString()};
  const auto report =
      engine::Audit(*policy, files, product.context, contract::kWorstShown, product.priors);
  if (!report) return {Verdict::kError, {}, report.error().ToString()};
  return FindingOf(*report);
}

Desk::Published Desk::Publish(const Case& one, std::uint64_t seed, bool verify) {
  Product& product = *product_;
  const std::string policy = product.Lay(one);
  const contract::Traits& traits = engine::FindModel(one.model)->traits();
  const bool copies = traits.Takes(contract::Extra::kHolderCopy);
  Published published;
  std::vector<std::string> releases, holders;
  for (const Sheet& table : one.sheets) {
    const std::string number = std::to_string(published.released.size() + 1);
    contract::PublishRequest request;
    request.vault = product.Path("vault");
    request.policy = policy;
    request.table = product.Write("table.csv", table.Text());
    request.out = product.Path("R" + number + ".csv");
    if (copies) request.holder_copy = product.Path("H" + number + ".csv");
    request.priors = product.priors;
    request.passphrase.none = true;
    request.seed = seed++;
    request.created = "2026-01-02T03:04:05Z";
    const auto report = engine::Publish(request, product.context);
    if (!report) {
      // A table may be refused; no bug of the program may show.
      if (report.error().code == ErrorCode::kMachine) published.complaint += report.error().message;
      continue;
    }
    if (!report->audit.satisfied) published.complaint = "a release that is not as promised";
    published.tables.push_back(table);
    published.released.push_back(product.Read((copies ? "H" : "R") + number + ".csv"));
    // Releases of groups are verified one by one, the others of a series together.
    if (copies) releases.clear();
    releases.push_back(request.out);
    if (traits.Takes(contract::Extra::kVerifyCopy)) holders.push_back(request.holder_copy);
    if (verify) published.complaint += product.Verify(report->certificate, releases, holders);
  }
  if (verify && traits.Takes(contract::Extra::kVaultAudit) && !published.released.empty()) {
    const auto report =
        engine::AuditVault(product.Path("vault"), "", {.none = true, .text = {}}, product.context);
    if (!report || !report->satisfied) published.complaint += "audit --vault does not say kept";
  }
  return published;
}

Auditor AuditorOf(Desk& desk) {
  return [&desk](const Case& one, const std::vector<Sheet>& released) {
    return desk.Audit(one, released);
  };
}

Publisher PublisherOf(Desk& desk, bool verify) {
  return [&desk, verify](const Case& one, std::uint64_t seed) {
    return desk.Publish(one, seed, verify);
  };
}

}  // namespace reissue::readers
