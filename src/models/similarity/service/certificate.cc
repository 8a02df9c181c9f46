#include "reissue/models/similarity/service/certificate.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reissue/binding/grouped/reader.h"
#include "reissue/io/csv.h"
#include "reissue/models/similarity/service/audit.h"

namespace reissue::models::similarity::service {
namespace {

namespace sim = models::similarity;
using contract::Json;

Result<SimilarityFacts::Source> SourceOf(const char* part, const KnowledgeSource& source,
                                         binding::Context& context) {
  switch (source.kind) {
    case KnowledgeSource::Kind::kUniform:
      return SimilarityFacts::Source{part, "uniform", ""};
    case KnowledgeSource::Kind::kLearned:
      return SimilarityFacts::Source{part, "learned", ""};
    case KnowledgeSource::Kind::kFile:
      break;
  }
  const auto bytes = REISSUE_TRY(context.files.Read(source.file));
  return SimilarityFacts::Source{part, "file", io::Digest(bytes->view())};
}

SimilarityFacts ReadFacts(const Json& json) {
  SimilarityFacts facts;
  facts.against = json.at("against").get<std::string>();
  if (!json.contains("relaxed")) return facts;
  const Json& relaxed = json.at("relaxed");
  facts.relaxed.emplace();
  facts.relaxed->k = relaxed.at("k").get<std::uint64_t>();
  facts.relaxed->j = relaxed.at("j").get<double>();
  facts.relaxed->beta = relaxed.at("beta").get<double>();
  facts.relaxed->t = relaxed.at("t").get<double>();
  return facts;
}

void AddNotes(const SimilarityFacts& facts, const Promise& promise,
              contract::VerifyReport& report) {
  if (facts.relaxed) {
    report.notes.push_back(
        "The release keeps less than the policy asks for: people who fitted into no group were "
        "put where the promise suffers least (leftover = \"relax\"). What is kept instead is as "
        "certified.");
  }
  report.notes.push_back(fmt::format(
      "That what the reader \"{}\" believes of the people of a group is alike before the release "
      "(j){}, depends on who is in which group, and on what she knows. The file does not tell: it "
      "is the holder's word. `reissue audit` checks it, for the holder.",
      facts.against, promise.bounds.any() ? ", and how much she believes or gains after it" : ""));
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

Result<SimilarityFacts> FactsOf(const Promise& promise,
                                const std::optional<sim::Guarantee>& relaxed,
                                binding::Context& context) {
  SimilarityFacts facts;
  facts.relaxed = relaxed;
  facts.against = inference::NameOf(promise.against);
  facts.knowledge.push_back(REISSUE_TRY(SourceOf("prior", promise.prior, context)));
  facts.knowledge.push_back(REISSUE_TRY(SourceOf("transition", promise.transition, context)));
  facts.steps = promise.steps;
  facts.compromised = !promise.compromised.empty();
  return facts;
}

Json FactsJson(const SimilarityFacts& facts) {
  Json json = {{"against", facts.against}, {"knowledge", Json::object()}};
  for (const SimilarityFacts::Source& source : facts.knowledge) {
    Json& part = json["knowledge"][source.part] = {{"source", source.source}};
    if (!source.digest.empty()) part["digest"] = source.digest;
  }
  json["knowledge"]["steps"] = facts.steps;
  json["knowledge"]["compromised"] = facts.compromised;
  if (facts.relaxed) {
    json["relaxed"] = {{"k", facts.relaxed->k},
                       {"j", facts.relaxed->j},
                       {"beta", facts.relaxed->beta},
                       {"t", facts.relaxed->t}};
  }
  return json;
}

Status VerifyGroups(const contract::Certificate& certificate, const contract::VerifyTask& task,
                    binding::Context& context, contract::VerifyReport& report) {
  REISSUE_TRY(certificate.SaysEarlier());
  const Promise& promise = certificate.promise->As<Promise>();
  SimilarityFacts facts;
  REISSUE_TRY(certificate.Own([&](const Json& json) { facts = ReadFacts(json.at("evolving")); }));
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
  AddShape(promise.guarantee, shape, audit);
  if (facts.relaxed) audit.satisfied = shape.Keeps(*facts.relaxed);
  AddNotes(facts, promise, report);
  // What depends on who is in which group is not measured anew.
  contract::Compare(certificate, audit, contract::Anew::kMeasured, report);
  return Ok();
}

}  // namespace reissue::models::similarity::service
