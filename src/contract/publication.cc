#include "reissue/contract/publication.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "reissue/binding/spreadsheet.h"
#include "reissue/binding/ties.h"
#include "reissue/contract/certificate.h"
#include "reissue/contract/model.h"
#include "reissue/contract/rollback.h"
#include "reissue/contract/table_release.h"
#include "reissue/io/rehearsal.h"
#include "reissue/sources/table_source.h"

namespace reissue::contract {
namespace {

Error BugOfOurs(const char* found) {
  return MachineError(
      fmt::format("a bug of reissue: {}. Nothing was published, and no file of it is left", found),
      "Please report it, without the table.");
}

}  // namespace

Publication::Publication(const PublishTask& task, const Traits& traits, binding::Context& context)
    : request_(task.request),
      policy_(task.policy),
      promise_(task.promise),
      model_(task.model),
      traits_(traits),
      context_(context),
      rehearsal_(task.rehearsal),
      columns_(binding::ColumnsOf(task.policy)),
      random_(Random::From(task.request.seed)) {}

Publication::~Publication() = default;

Result<PublishReport> Publication::Run() {
  interrupted_.emplace("\nreissue: interrupted: nothing was published\n");
  REISSUE_TRY(Prepare());
  const Loaded loaded = REISSUE_TRY(Load());
  if (context_.division != nullptr) report_.passed_over = context_.passed_over;
  report_.rows_in = loaded.rows;
  report_.dropped = loaded.dropped;
  if (context_.catalog != nullptr) report_.consistency = context_.catalog->ViewOf(request_.table);
  context_.progress.Begin("planning the release", 0);
  const Result<Planned> planned = Plan();
  if (!planned) return AboutTable(planned.error(), request_.table);
  report_.rows_out = planned->rows_out;
  report_.suppressed = planned->suppressed;
  report_.set_aside = pending_.record.set_aside = planned->set_aside;
  REISSUE_TRY(Reserve());
  REISSUE_TRY(WriteAll(loaded));
  REISSUE_TRY(AttackAndCheck());
  if (request_.refuse_formulas) REISSUE_TRY(CheckCells());
  REISSUE_TRY(FindTies());
  DescribeRanges();
  REISSUE_TRY(PutInPlace());
  if (rehearsal_ != nullptr) rehearsal_->vault = std::move(vault_);
  return std::move(report_);
}

// That of a series that has begun. Another policy is another promise.
Status Publication::OpenVault() {
  if (rehearsal_ != nullptr && rehearsal_->vault) {
    vault_ = std::exchange(rehearsal_->vault, std::nullopt);
  } else if (request_.vault.empty() || !ledger::Vault::Exists(context_.files, request_.vault)) {
    return Ok();
  } else {
    vault_ = REISSUE_TRY(rehearsal_ != nullptr
                             ? ledger::Vault::Rehearse(context_.files, request_.vault,
                                                       request_.passphrase, AskServer(context_))
                             : ledger::Vault::Open(context_.files, request_.vault,
                                                   ledger::Access::kWrite, request_.passphrase,
                                                   AskServer(context_)));
  }
  const auto history = REISSUE_TRY(vault_->History());
  // Without releases nothing could be changed, and the vault is somebody's who has just begun.
  const bool another = history.empty() && vault_->policy().digest != policy_.digest;
  if (vault_->policy().model != traits_.name || another) {
    return InputError(
        {request_.vault, std::nullopt, std::nullopt, ""},
        fmt::format("this vault belongs to another policy (\"{}\"), with model \"{}\"",
                    vault_->policy().title, vault_->policy().model),
        "Use the policy of that series, or start another one in a new vault.");
  }
  if (!history.empty() && !traits_.series) return SecondRelease(history.back().target);
  for (const ledger::ReleaseRecord& record : history) earlier_.push_back(record.digest);
  if (!history.empty() && !history.back().adopted()) {
    previous_ = io::Digest(history.back().certificate);
  }
  REISSUE_TRY(IsNewest(*vault_, history, request_, context_));
  return KeepPolicy();
}

// Rows of other parts are not looked at from here on. A vault is of the part of its first release.
Status Publication::Divide() {
  context_.division = nullptr;
  if (earlier_.empty()) {
    context_.division = REISSUE_TRY(DivisionOf(request_.part, context_));
    if (context_.division) Keep(ledger::Division::kSecret, context_.division->Save());
  } else {
    context_.division =
        REISSUE_TRY(DivisionOfVault(*vault_, request_.part, request_.vault, context_));
  }
  if (!context_.division) return Ok();
  report_.part = context_.division->part();
  report_.parts = context_.division->parts();
  return CanBeDivided(traits_, policy_);
}

// What the policy was, and what of it was changed. A change is recorded with the release that is
// made under it, or not at all.
Status Publication::KeepPolicy() {
  past_ = REISSUE_TRY(RecallPolicies(*vault_, policy_, context_));
  const std::vector<std::string> names = REISSUE_TRY(vault_->Secrets());
  if (std::ranges::find(names, PolicySecret(1)) == names.end()) {
    Keep(PolicySecret(1), past_.front().archive);
  }
  if (past_.back().policy.digest == policy_.digest) {
    report_.policy_since = past_.back().since;
    return Ok();
  }
  REISSUE_CHECK(model_ != nullptr);
  REISSUE_TRY(SameColumns(past_.back().policy, policy_));
  const PublishedLabels out = REISSUE_TRY(LabelsThatAreOut());
  report_.policy_changes =
      REISSUE_TRY(AcceptedChanges(past_.back(), policy_, out, *model_, context_));
  std::string archive = REISSUE_TRY(ArchivePolicy(policy_, context_));
  Keep(PolicySecret(number()), std::move(archive));
  pending_.policy_changed = true;
  report_.policy_since = number();
  return Ok();
}

Result<sources::HashIdentifier> Publication::HashOfIdentifiers() {
  if (vault_) return sources::HashIdentifier(REISSUE_TRY(vault_->Hash()));
  if (!key_) key_ = REISSUE_TRY(ledger::FreshKey::Draw());
  return sources::HashIdentifier(
      [&key = *key_](std::string_view identifier) { return key.KeyOf(identifier); });
}

Error Publication::SecondRelease(const std::string& last) const {
  return PromiseError(
      fmt::format("this series has a release already ({}), and model \"{}\" promises nothing about "
                  "two releases together",
                  last, traits_.name),
      "Start a new vault for another table.");
}

// Only now is there something to record: a first release makes the vault, and a promise that cannot
// be kept leaves none behind.
Status Publication::Reserve() {
  report_.out = request_.out;
  report_.certificate = CertificateOf(request_);
  report_.row_order_reproducible = request_.seed.has_value();
  if (!request_.out_table.empty()) {
    // Before there is a vault: whoever has taken the name meanwhile leaves none behind.
    table_ = REISSUE_TRY(TableRelease::Begin(request_.out_table, context_));
    context_.target = &table_->target();
    context_.written = table_.get();
    report_.out = table_->name();
    report_.table = true;
    report_.row_order_reproducible = false;  // the server draws it
  }
  if (!vault_) {
    std::string archive = REISSUE_TRY(ArchivePolicy(policy_, context_));
    Keep(PolicySecret(1), std::move(archive));
    const ledger::VaultPolicy record = REISSUE_TRY(RecordOf(policy_, *promise_));
    if (!key_) key_ = REISSUE_TRY(ledger::FreshKey::Draw());
    vault_ = REISSUE_TRY(rehearsal_ != nullptr
                             ? ledger::Vault::Rehearse(context_.files, record, *std::move(key_))
                             : ledger::Vault::Create(context_.files, request_.vault, record,
                                                     request_.passphrase, *std::move(key_)));
  }
  report_.vault_unprotected = vault_->unprotected() && (rehearsal_ == nullptr || number() > 1);
  if (table_) {
    vault_->Ask(AskServer(context_));
    pending_.record.target = written_ = table_->name();
    pending_.certificate_file = out_;
    return Ok();
  }
  pending_.record.target = out_;
  pending_.certificate_file = out_ + kCertificateSuffix;
  written_ = pending_.temporary = REISSUE_TRY(vault_->Reserve(pending_.record.target));
  return Ok();
}

// The name of its temporary.
Result<std::string> Publication::ReserveCompanion(const std::string& target, bool owner_only) {
  ledger::Companion companion;
  companion.target = target;
  companion.temporary = REISSUE_TRY(vault_->Reserve(companion.target));
  companion.owner_only = owner_only;
  pending_.companions.push_back(companion);
  return companion.temporary;
}

Status Publication::WriteAll(const Loaded& loaded) {
  REISSUE_TRY(Write(written_));
  for (const std::string& suffix : Suffixes()) {
    const std::string temporary = REISSUE_TRY(ReserveCompanion(out_ + suffix, false));
    REISSUE_TRY(WriteBeside(suffix, temporary));
  }
  if (!request_.holder_copy.empty()) {
    const std::string temporary = REISSUE_TRY(ReserveCompanion(holder_copy_, true));
    REISSUE_TRY(WriteHolderCopy(temporary));
    const auto bytes = REISSUE_TRY(context_.files.Read(temporary));
    std::tie(pending_.companions.back().digest, pending_.fingerprints[temporary]) =
        io::DigestAndFingerprint(bytes->view());
  }
  table_keyed_digest_ = REISSUE_TRY(vault_->KeyedDigest(loaded.digest));
  policy_keyed_digest_ = REISSUE_TRY(vault_->KeyedDigest(policy_.digest));
  return Ok();
}

Status Publication::WriteBeside(const std::string&, const std::string&) {
  REISSUE_CHECK(false);  // who has suffixes writes the files
  return Ok();
}

Status Publication::WriteHolderCopy(const std::string&) {
  REISSUE_CHECK(false);  // refused by the engine
  return Ok();
}

// A publisher that the adversary beats is a bug of ours. An error and not the end of the process:
// the temporaries, with the holder's copy among them, are removed on the way out.
Status Publication::AttackAndCheck() {
  std::vector<std::string> beside;
  for (const ledger::Companion& companion : pending_.companions) {
    if (!companion.owner_only) beside.push_back(companion.temporary);
  }
  if (table_) {
    context_.progress.Begin("reading the release back", 0);
    REISSUE_TRY(table_->ReadBack());
  }
  context_.progress.Begin("attacking the release", 0);
  Proof proof = REISSUE_TRY(Attack(written_, beside));
  if (!proof.kept) return BugOfOurs("its attack does not find the promise kept");
  if (proof.digest.empty() || proof.beside.size() != beside.size()) {
    return BugOfOurs("not every file of the release was read back");
  }
  if (table_ && proof.digest != table_->back().digest) {
    return BugOfOurs("its attack was not on what the server has");
  }
  if (proof.audit.rows != report_.rows_out) {
    return BugOfOurs("the release has other rows than were planned");
  }
  report_.digest = pending_.record.digest = proof.digest;
  for (std::size_t i = 0; i < beside.size(); ++i) {
    pending_.companions[i].digest = proof.beside[i];
  }
  if (!proof.fingerprints.empty() && !table_) {
    REISSUE_CHECK(proof.fingerprints.size() == 1 + beside.size());
    pending_.fingerprints[pending_.temporary] = proof.fingerprints[0];
    for (std::size_t i = 0; i < beside.size(); ++i) {
      pending_.fingerprints[beside[i]] = proof.fingerprints[i + 1];
    }
  }
  beside_digests_ = std::move(proof.beside);
  report_.audit = std::move(proof.audit);
  return Ok();
}

// What other programs would run or obey, in the files as they are written: labels are there too.
Status Publication::CheckCells() {
  const std::vector<std::string> words = REISSUE_TRY(CellWords());
  if (words.empty()) return Ok();
  return InputError({request_.table, std::nullopt, std::nullopt, ""},
                    fmt::format("the release would have cells that other programs take for more "
                                "than text: {}; nothing was published",
                                fmt::join(words, "; ")),
                    "Change these values in the table, or these labels in the taxonomy; or "
                    "publish without --refuse-formulas.");
}

// Of the first file that has some.
Result<std::vector<std::string>> Publication::CellWords() {
  if (table_) return binding::RisksOf(table_->back().table).Words();
  std::vector<std::string> files = {pending_.temporary};
  for (const ledger::Companion& companion : pending_.companions) {
    if (!companion.owner_only) files.push_back(companion.temporary);
  }
  for (const std::string& file : files) {
    const binding::CellRisks risks = REISSUE_TRY(binding::RisksOfFile(file, context_));
    if (!risks.none()) return risks.Words();
  }
  return std::vector<std::string>();
}

// Columns that are published as they are, and join rows of releases.
Status Publication::FindTies() {
  binding::Context files = context_.OfFiles();
  const auto ties = REISSUE_TRY(binding::TiesOfFile(written_, columns_.others, files));
  for (const binding::Tie& tie : ties) report_.audit.ties.push_back(binding::TieWords(tie));
  return Ok();
}

// Of columns that are recoded as a whole it is known whether a range is among their labels.
void Publication::DescribeRanges() {
  report_.ranges_from_data = RangesFromData();
  if (report_.recoding.empty()) return;
  std::erase_if(report_.ranges_from_data, [&](const std::string& name) {
    return std::ranges::none_of(report_.recoding, [&](const PublishReport::Recoded& column) {
      const auto range = [](const std::string& label) { return label.starts_with('['); };
      return column.column == name && std::ranges::any_of(column.labels, range);
    });
  });
}

// The names that were given still lead to the files that are written.
Status Publication::LeadsThere(const std::string& path, const std::string& settled) {
  if (path.empty()) return Ok();
  const std::string now = REISSUE_TRY(io::Absolute(path));
  if (now != settled) return io::DirectoryChanged(io::DirectoryOf(path));
  return Ok();
}

// The release and everything that belongs to it, together.
Status Publication::PutInPlace() {
  Envelope envelope;
  envelope.title = policy_.title;
  envelope.policy_keyed_digest = policy_keyed_digest_;
  envelope.table_keyed_digest = table_keyed_digest_;
  envelope.release_digest = pending_.record.digest;
  envelope.table = table_ != nullptr;
  envelope.created = request_.created;
  envelope.columns = CertifiedColumns();
  envelope.guarantee = policy_.guarantee;
  envelope.report = &report_;
  envelope.series = traits_.series;
  envelope.policy_since = report_.policy_since;
  if (context_.division) {
    envelope.part = {report_.part, report_.parts, context_.division->Digest()};
  }
  envelope.earlier = earlier_;
  envelope.previous = previous_;
  envelope.key = REISSUE_TRY(vault_->PublicKey());
  pending_.record.certificate = REISSUE_TRY(WriteCertificate(
      envelope, [&](Json& certificate) { Certify(certificate); },
      [&](std::string_view bytes) { return vault_->Sign(bytes); }));
  pending_.record.created = request_.created;
  pending_.record.rows = report_.rows_out;
  if (context_.piece_bytes > 0) pending_.piece_bytes = context_.piece_bytes;
  REISSUE_TRY(LeadsThere(table_ ? report_.certificate : request_.out, out_));
  REISSUE_TRY(LeadsThere(request_.holder_copy, holder_copy_));
  if (table_) pending_.record.seal = REISSUE_TRY(table_->Seal());
  const std::uint32_t given = REISSUE_TRY(vault_->Prepare(std::move(pending_)));
  REISSUE_CHECK(given == report_.release);
  interrupted_.reset();  // from here on signals wait
  REISSUE_TRY(table_ ? vault_->Commit(given, [&] { return table_->Commit(); })
                     : vault_->Commit(given));
  if (!traits_.series || rehearsal_ != nullptr) return Ok();
  // The release is out: whatever becomes of the mark, that is to be said.
  if (const Status marked = WriteMark(*vault_, request_); !marked) {
    report_.mark_problem = marked.error().ToString();
  }
  return Ok();
}

void Publication::Keep(std::string name, std::string bytes) {
  pending_.secrets.emplace_back(std::move(name), std::move(bytes));
}

Result<std::string> PolicyPath(const std::string& policy, const std::string& directory,
                               const ledger::Passphrase& passphrase, binding::Context& context) {
  if (!policy.empty()) return policy;
  std::string path = REISSUE_TRY(ledger::Vault::PolicyOf(context.files, directory)).path;
  const bool changed = REISSUE_TRY(ledger::Vault::PolicyWasChanged(context.files, directory));
  if (changed) {
    // A copy, so that looking leaves no trace. Nor does what the copy clears away: a publication
    // that was interrupted, or one that somebody is making now, is not ours to touch.
    io::RehearsalFiles files(context.files);
    ledger::Vault copy =
        REISSUE_TRY(ledger::Vault::Rehearse(files, directory, passphrase, AskServer(context)));
    const std::vector<std::uint32_t> changes = REISSUE_TRY(PolicyChanges(copy));
    if (!changes.empty()) {
      const auto archive = REISSUE_TRY(copy.Unseal(PolicySecret(changes.back())));
      path = REISSUE_TRY(ReadArchive(archive.value_or(""), changes.back(), context)).path;
    }
  }
  if (!context.files.Exists(path)) {
    return InputError({path, std::nullopt, std::nullopt, ""},
                      "the policy of this series is not there any more",
                      "Name it with --policy, with the same taxonomies.");
  }
  return path;
}

Result<ledger::VaultPolicy> RecordOf(const io::Policy& policy, const Promise& promise) {
  std::string path = REISSUE_TRY(io::Absolute(policy.file));
  return ledger::VaultPolicy{promise.model, policy.title, policy.text, policy.digest,
                             std::move(path)};
}

}  // namespace reissue::contract
