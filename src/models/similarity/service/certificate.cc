#include "reissue/models/similarity/service/certificate.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reissue/binding/grouped/reader.h"
#include "reissue/binding/words.h"
#include "reissue/io/csv.h"
#include "reissue/ledger/signature.h"
#include "reissue/models/similarity/service/audit.h"

namespace reissue::models::similarity::service {
namespace {

namespace sim = models::similarity;
using contract::Json;

constexpr char kUniform[] = "uniform", kLearned[] = "learned", kFromFile[] = "file";

const char* NameOf(const KnowledgeSource& source) {
  switch (source.kind) {
    case KnowledgeSource::Kind::kUniform:
      return kUniform;
    case KnowledgeSource::Kind::kLearned:
      return kLearned;
    case KnowledgeSource::Kind::kFile:
      break;
  }
  return kFromFile;
}

Result<SimilarityFacts::Source> SourceOf(const char* part, const KnowledgeSource& source,
                                         ledger::Vault& vault, binding::Context& context) {
  SimilarityFacts::Source told{part, NameOf(source), ""};
  if (source.kind != KnowledgeSource::Kind::kFile) return told;
  const auto bytes = REISSUE_TRY(context.files.Read(source.file));
  told.keyed_digest = REISSUE_TRY(vault.KeyedDigest(io::Digest(bytes->view())));
  return told;
}

SimilarityFacts::Source ReadSource(const char* part, const contract::Member& from,
                                   const char* digest) {
  SimilarityFacts::Source source{part, from["source"].Text(), ""};
  if (source.source == kFromFile) {
    source.keyed_digest = from[digest].Text();
    constexpr std::size_t kDigits = 64;
    if (source.keyed_digest.size() != kDigits || !ledger::FromHex(source.keyed_digest)) {
      from[digest].Misfit("64 digits 0-9 and a-f");
    }
  } else if (source.source != kUniform && source.source != kLearned) {
    from["source"].Misfit("\"uniform\", \"learned\" or \"file\"");
  } else if (from.Has(digest)) {
    from[digest].Misfit("no digest, which is of a file,");
  }
  return source;
}

SimilarityFacts ReadFacts(const contract::Member& evolving, std::uint32_t format) {
  SimilarityFacts facts;
  facts.against = evolving["against"].Text();
  const contract::Member knowledge = evolving["knowledge"];
  for (const char* part : {"prior", "transition"}) {
    facts.knowledge.push_back(
        ReadSource(part, knowledge[part], format == 1 ? "digest" : "keyed_digest"));
  }
  facts.steps = knowledge["steps"].Whole<std::uint32_t>();
  if (facts.steps < 1 || facts.steps > sim::kMostSteps) {
    knowledge["steps"].Misfit(fmt::format("a whole number from 1 to {}", sim::kMostSteps));
  }
  facts.compromised = knowledge["compromised"].Flag();
  return facts;
}

// What follows from the file, measured anew; of everything else that it was promised.
void AddPromises(const Promise& promise, const sim::Shape& shape, contract::AuditReport& audit) {
  using Number = contract::PromiseKept::Number;
  const sim::Guarantee& asked = promise.guarantee;
  const auto not_told = [&](const char* name, std::optional<double> bound) {
    if (!bound) return;
    audit.promises.push_back({name, *bound, 0, true, BasisOf(name, promise), Number::kNone});
  };
  audit.promises.push_back(
      {"k", static_cast<double>(asked.k), static_cast<double>(shape.k), shape.k >= asked.k});
  not_told("j", asked.j);
  if (asked.beta > 0) audit.promises.push_back(AtMost("beta", asked.beta, shape.beta));
  if (asked.t > 0) audit.promises.push_back(AtMost("t", asked.t, shape.t));
  not_told("max_belief", promise.bounds.max_belief);
  not_told("max_gain", promise.bounds.max_gain);
}

// What the certificate says that she knows, which nobody but the holder can compare with anything.
std::vector<std::string> SaidToKnow(const SimilarityFacts& facts) {
  std::vector<std::string> words;
  for (const SimilarityFacts::Source& source : facts.knowledge) {
    const std::string what = source.part == "prior" ? "that what she believes beforehand is "
                                                    : "that what she expects to follow is ";
    words.push_back(what + (source.source == kUniform   ? "the same of all values"
                            : source.source == kLearned ? "learned from the holder's tables"
                                                        : "in a file that only the holder has"));
  }
  words.push_back(facts.compromised ? "that she knows the values of no others than a file has"
                                    : "that she knows nobody's value");
  return words;
}

// Another reader than the one of the policy knows less, or more.
void CompareKnowledge(const SimilarityFacts& facts, const Promise& asked,
                      contract::VerifyReport& report) {
  const KnowledgeSource* const sources[] = {&asked.prior, &asked.transition};
  for (std::size_t i = 0; i < facts.knowledge.size(); ++i) {
    if (facts.knowledge[i].source == NameOf(*sources[i])) continue;
    report.Fail(
        fmt::format("In the certificate `{}` of [knowledge] is \"{}\", in the policy \"{}\".",
                    facts.knowledge[i].part, facts.knowledge[i].source, NameOf(*sources[i])));
  }
  if (facts.steps == asked.steps && facts.compromised == !asked.compromised.empty()) return;
  report.Fail("`steps` or `compromised` of [knowledge] is another one in the policy.");
}

void AddNotes(const Promise& promise, const SimilarityFacts& facts, bool kept,
              contract::VerifyReport& report) {
  const bool relaxed = promise.leftover == sim::Leftover::kRelax;
  if (relaxed) {
    report.notes.push_back(
        std::string(kept ? "" : "The release keeps less than the policy asks for. ") +
        "People who fit into no group are put where the promise suffers least (leftover = "
        "\"relax\"): of k, beta and t is kept what was certified, and of j nothing is said.");
  }
  std::vector<std::string> about;
  if (!relaxed) {
    about.push_back("that what she believes of the people of a group is alike before it (j)");
  }
  if (promise.bounds.max_belief)
    about.push_back("that she believes no more than promised after it");
  if (promise.bounds.max_gain) about.push_back("that she gains no more than promised by it");
  if (about.empty()) return;
  const std::vector<std::string> known = SaidToKnow(facts);
  about.insert(about.begin(), known.begin(), known.end());
  report.rests.push_back(fmt::format(
      "What the reader \"{}\" makes of the release depends on who is in which group, and on what "
      "she knows. The file does not tell: it is the holder's word {}. `reissue audit` checks it, "
      "for the holder.",
      inference::NameOf(promise.against), binding::Listed(about)));
}

}  // namespace

sim::Shape ShapeOfFile(const binding::ReleasedGroups& released, const ValueRanks& ranks,
                       bool ordered) {
  std::vector<std::uint64_t> all(ranks.values, 0);
  for (const binding::ReleasedGroups::Group& group : released.groups) {
    for (const auto& [value, rows] : group.values) all[ranks.of[value]] += rows;
  }
  sim::Shape worst;
  for (const binding::ReleasedGroups::Group& group : released.groups) {
    std::vector<std::uint64_t> values(ranks.values, 0);
    for (const auto& [value, rows] : group.values) values[ranks.of[value]] += rows;
    worst.k = &group == &released.groups[0] ? group.rows : std::min(worst.k, group.rows);
    worst.beta = std::max(worst.beta, sim::BetaLikeness(values, all));
    worst.t = std::max(worst.t, sim::Closeness(values, all, ordered));
  }
  return worst;
}

Result<SimilarityFacts> FactsOf(const Promise& promise, ledger::Vault& vault,
                                binding::Context& context) {
  SimilarityFacts facts;
  facts.against = inference::NameOf(promise.against);
  facts.knowledge.push_back(REISSUE_TRY(SourceOf("prior", promise.prior, vault, context)));
  facts.knowledge.push_back(
      REISSUE_TRY(SourceOf("transition", promise.transition, vault, context)));
  facts.steps = promise.steps;
  facts.compromised = !promise.compromised.empty();
  return facts;
}

Json FactsJson(const SimilarityFacts& facts) {
  Json json = {{"against", facts.against}, {"knowledge", Json::object()}};
  for (const SimilarityFacts::Source& source : facts.knowledge) {
    Json& part = json["knowledge"][source.part] = {{"source", source.source}};
    if (!source.keyed_digest.empty()) part["keyed_digest"] = source.keyed_digest;
  }
  json["knowledge"]["steps"] = facts.steps;
  json["knowledge"]["compromised"] = facts.compromised;
  return json;
}

namespace {

Result<contract::AuditReport> AuditOf(const contract::Certificate& certificate,
                                      const binding::ReleasedGroups& released,
                                      const std::string& file) {
  const Promise& promise = certificate.promise->As<Promise>();
  const ValueRanks ranks =
      REISSUE_TRY(RanksOf(released.values, certificate.columns.order, promise.guarantee.ordered));
  const sim::Shape shape = ShapeOfFile(released, ranks, promise.guarantee.ordered);
  contract::AuditReport audit;
  audit.model = promise.model;
  audit.rows = released.table.rows();
  audit.cells = released.groups.size();
  audit.smallest = shape.k;
  audit.releases.push_back({file, audit.rows, audit.cells, audit.smallest, released.digests[0]});
  AddPromises(promise, shape, audit);
  const bool kept = std::ranges::all_of(audit.promises, &contract::PromiseKept::kept);
  audit.satisfied = kept || promise.leftover == sim::Leftover::kRelax;
  return audit;
}

}  // namespace

Result<contract::AuditReport> AuditFile(const contract::Certificate& certificate,
                                        const std::string& file, binding::Context& context) {
  const binding::ReleasedGroups released =
      REISSUE_TRY(binding::ReadReleased(certificate.columns, {}, file, {}, context));
  return AuditOf(certificate, released, file);
}

Status VerifyGroups(const contract::Certificate& certificate, const contract::VerifyTask& task,
                    binding::Context& context, contract::VerifyReport& report) {
  const Promise& promise = certificate.promise->As<Promise>();
  SimilarityFacts facts;
  REISSUE_TRY(certificate.Own([&](const contract::Member& root) {
    facts = ReadFacts(root["evolving"], certificate.format);
    if (facts.against != inference::NameOf(promise.against)) {
      root["evolving"]["against"].Misfit("the guarantee's reader");
    }
    (void)root["columns"]["sensitive"].List(1);
  }));
  const std::size_t series = certificate.earlier.size() + 1;
  if (task.releases.size() != 1 && task.releases.size() != series) {
    return UsageError(fmt::format("the certificate is about release {} of its series, and {} files "
                                  "were given",
                                  series, task.releases.size()),
                      "Give the published file that it belongs to, or all up to it, oldest first.");
  }
  const std::string& release = task.releases.back();
  const binding::ReleasedGroups released =
      REISSUE_TRY(binding::ReadReleased(certificate.columns, {}, release, {}, context));
  contract::CompareDigest(certificate, released.digests[0], report);
  REISSUE_TRY(contract::CompareEarlierFiles(certificate, task.releases, context, report));
  for (const std::string& column : released.columns) {
    report.Fail(
        fmt::format("The file has a column that the certificate does not name (\"{}\").", column));
  }
  report.audit = REISSUE_TRY(AuditOf(certificate, released, release));
  const contract::AuditReport& audit = report.audit;
  const bool kept = std::ranges::all_of(audit.promises, &contract::PromiseKept::kept);
  if (task.asked != nullptr) CompareKnowledge(facts, task.asked->As<Promise>(), report);
  AddNotes(promise, facts, kept, report);
  contract::Compare(certificate, audit, report);
  contract::CompareRecoding(certificate, {}, released.table, report);
  return Ok();
}

}  // namespace reissue::models::similarity::service
