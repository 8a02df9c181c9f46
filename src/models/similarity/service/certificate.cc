#include "reissue/models/similarity/service/certificate.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reissue/binding/grouped/reader.h"
#include "reissue/binding/words.h"
#include "reissue/io/csv.h"
#include "reissue/models/similarity/service/audit.h"

namespace reissue::models::similarity::service {
namespace {

namespace sim = models::similarity;
using contract::Json;

Result<SimilarityFacts::Source> SourceOf(const char* part, const KnowledgeSource& source,
                                         ledger::Vault& vault, binding::Context& context) {
  switch (source.kind) {
    case KnowledgeSource::Kind::kUniform:
      return SimilarityFacts::Source{part, "uniform", ""};
    case KnowledgeSource::Kind::kLearned:
      return SimilarityFacts::Source{part, "learned", ""};
    case KnowledgeSource::Kind::kFile:
      break;
  }
  const auto bytes = REISSUE_TRY(context.files.Read(source.file));
  std::string digest = REISSUE_TRY(vault.KeyedDigest(io::Digest(bytes->view())));
  return SimilarityFacts::Source{part, "file", std::move(digest)};
}

SimilarityFacts ReadFacts(const contract::Member& evolving, std::uint32_t format) {
  SimilarityFacts facts;
  facts.against = evolving["against"].Text();
  const contract::Member knowledge = evolving["knowledge"];
  for (const char* part : {"prior", "transition"}) {
    const contract::Member from = knowledge[part];
    SimilarityFacts::Source source{part, from["source"].Text(), ""};
    if (source.source == "file") {
      source.keyed_digest = from[format == 1 ? "digest" : "keyed_digest"].Text();
    }
    facts.knowledge.push_back(std::move(source));
  }
  facts.steps = knowledge["steps"].Whole<std::uint32_t>();
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

void AddNotes(const Promise& promise, bool kept, contract::VerifyReport& report) {
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

Status VerifyGroups(const contract::Certificate& certificate, const contract::VerifyTask& task,
                    binding::Context& context, contract::VerifyReport& report) {
  const Promise& promise = certificate.promise->As<Promise>();
  REISSUE_TRY(certificate.Own([&](const contract::Member& root) {
    const SimilarityFacts facts = ReadFacts(root["evolving"], certificate.format);
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
  const ValueRanks ranks =
      REISSUE_TRY(RanksOf(released.values, certificate.columns.order, promise.guarantee.ordered));
  const sim::Shape shape = ShapeOfFile(released, ranks, promise.guarantee.ordered);
  contract::AuditReport& audit = report.audit;
  audit.model = promise.model;
  audit.rows = released.table.rows();
  audit.cells = released.groups.size();
  audit.smallest = shape.k;
  audit.releases.push_back({release, audit.rows, audit.cells, audit.smallest, released.digests[0]});
  AddPromises(promise, shape, audit);
  const bool kept = std::ranges::all_of(audit.promises, &contract::PromiseKept::kept);
  audit.satisfied = kept || promise.leftover == sim::Leftover::kRelax;
  AddNotes(promise, kept, report);
  contract::Compare(certificate, audit, report);
  contract::CompareRecoding(certificate, {}, released.table, report);
  return Ok();
}

}  // namespace reissue::models::similarity::service
