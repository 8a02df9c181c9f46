#include "reissue/engine/similarity_certificate.h"

#include <fmt/format.h>

#include <algorithm>

#include "reissue/engine/invariance_files.h"
#include "reissue/engine/similarity_audit.h"
#include "reissue/io/csv.h"

namespace reissue::engine {
namespace {

namespace sim = models::similarity;

Result<SimilarityFacts::Source> SourceOf(const char* part, const KnowledgeSource& source,
                                         Context& context) {
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

}  // namespace

sim::Shape ShapeOfFile(const ReleasedGroups& released, const ValueRanks& ranks, bool ordered) {
  std::vector<std::uint64_t> all(ranks.values, 0);
  for (const ReleasedGroups::Group& group : released.groups) {
    for (const auto& [value, rows] : group.values) all[ranks.of[value]] += rows;
  }
  sim::Shape worst;
  for (const ReleasedGroups::Group& group : released.groups) {
    std::vector<std::uint64_t> values(ranks.values, 0);
    for (const auto& [value, rows] : group.values) values[ranks.of[value]] += rows;
    worst.k = &group == &released.groups[0] ? group.rows : std::min(worst.k, group.rows);
    worst.beta = std::max(worst.beta, sim::BetaLikeness(values, all));
    worst.t = std::max(worst.t, sim::Closeness(values, all, ordered));
  }
  return worst;
}

Result<SimilarityFacts> FactsOf(const SimilarityPromise& promise,
                                const std::optional<sim::Guarantee>& relaxed, Context& context) {
  SimilarityFacts facts;
  facts.relaxed = relaxed;
  facts.against = inference::NameOf(promise.against);
  facts.knowledge.push_back(REISSUE_TRY(SourceOf("prior", promise.prior, context)));
  facts.knowledge.push_back(REISSUE_TRY(SourceOf("transition", promise.transition, context)));
  facts.steps = promise.steps;
  facts.compromised = !promise.compromised.empty();
  return facts;
}

Result<CertifiedGroups> CheckCertifiedEvolving(
    const SimilarityFacts& facts, const SimilarityPromise& promise, const ReleaseColumns& columns,
    const ValueOrder& order, const std::vector<std::string>& earlier,
    const std::vector<std::string>& releases, Context& context) {
  const std::size_t series = earlier.size() + 1;
  if (releases.size() != 1 && releases.size() != series) {
    return UsageError(fmt::format("the certificate is about release {} of its series, and {} files "
                                  "were given",
                                  series, releases.size()),
                      "Give the published file that it belongs to, or all up to it, oldest first.");
  }
  CertifiedGroups found;
  for (std::size_t i = 0; i + 1 < releases.size(); ++i) {
    const auto bytes = REISSUE_TRY(context.files.Read(releases[i]));
    if (io::Digest(bytes->view()) == earlier[i]) continue;
    found.failures.push_back(fmt::format(
        "Release {} is not the one that the certificate counts on: its bytes differ.", i + 1));
  }
  const ReleasedGroups released =
      REISSUE_TRY(ReadReleased(columns, OneTable(), releases.back(), {}, context));
  for (const std::string& column : released.columns) {
    found.failures.push_back(
        fmt::format("The file has a column that the certificate does not name (\"{}\").", column));
  }
  const ValueRanks ranks = REISSUE_TRY(RanksOf(released.values, order, promise.guarantee.ordered));
  const sim::Shape shape = ShapeOfFile(released, ranks, promise.guarantee.ordered);
  found.digest = released.digests[0];
  AuditReport& audit = found.audit;
  audit.model = "j-similarity";
  audit.rows = released.table.rows();
  audit.cells = released.groups.size();
  audit.smallest = shape.k;
  audit.releases.push_back(
      {releases.back(), audit.rows, audit.cells, audit.smallest, found.digest});
  AddShape(promise.guarantee, shape, audit);
  if (facts.relaxed) {
    audit.satisfied = shape.Keeps(*facts.relaxed);
    found.notes.push_back(
        "The release keeps less than the policy asks for: people who fitted into no group were "
        "put where the promise suffers least (leftover = \"relax\"). What is kept instead is as "
        "certified.");
  }
  found.notes.push_back(fmt::format(
      "That what the reader \"{}\" believes of the people of a group is alike before the release "
      "(j){}, depends on who is in which group, and on what she knows. The file does not tell: it "
      "is the holder's word. `reissue audit` checks it, for the holder.",
      facts.against,
      promise.max_belief || promise.max_gain ? ", and how much she believes or gains after it"
                                             : ""));
  return found;
}

}  // namespace reissue::engine
