#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "reissue/contract/certificate.h"
#include "reissue/contract/model.h"
#include "reissue/engine/models.h"
#include "reissue/engine/verify.h"
#include "reissue/io/csv.h"
#include "reissue/io/rehearsal.h"

namespace reissue::engine {
namespace {

constexpr char kUnion[] = "(all parts together)";

struct Part {
  contract::Certificate certificate;
  std::vector<std::string> releases;  // oldest first, the certified one last
};

struct Given {
  std::vector<Part> parts;                      // as they were given
  std::map<std::string, std::string> releases;  // by digest
};

Result<Given> Sort(const std::vector<std::string>& files, binding::Context& context) {
  Given given;
  for (const std::string& file : files) {
    const auto bytes = REISSUE_TRY(context.files.Read(file));
    const std::string_view text = bytes->view();
    if (text.starts_with('{') && text.find("\"reissue_certificate\"") != std::string_view::npos) {
      Part part{REISSUE_TRY(contract::Certificate::Parse(text, file)), {}};
      given.parts.push_back(std::move(part));
    } else {
      given.releases.emplace(io::Digest(text), file);
    }
  }
  if (!given.parts.empty()) return given;
  return UsageError("no certificate is among the files",
                    "Give the certificates of all parts, and the releases that they are about.");
}

// Which release is whose. Files that belong to nobody are a mistake.
Status Deal(Given& given) {
  std::set<std::string> taken;
  for (Part& part : given.parts) {
    const contract::Certificate& certificate = part.certificate;
    std::vector<std::string> digests = certificate.earlier;
    digests.push_back(certificate.digest);
    for (std::size_t i = 0; i < digests.size(); ++i) {
      const auto found = given.releases.find(digests[i]);
      if (found == given.releases.end()) {
        return InputError({certificate.file, std::nullopt, std::nullopt, ""},
                          fmt::format("release {} that it is about is not among the files, or is "
                                      "not what it was",
                                      i + 1),
                          "Give all published files of every part, as they were published.");
      }
      part.releases.push_back(found->second);
      taken.insert(digests[i]);
    }
  }
  for (const auto& [digest, file] : given.releases) {
    if (taken.contains(digest)) continue;
    return InputError({file, std::nullopt, std::nullopt, ""},
                      "none of the certificates is about this file",
                      "Leave it out, or give its certificate.");
  }
  return Ok();
}

bool SameColumns(const binding::ReleaseColumns& a, const binding::ReleaseColumns& b) {
  return a.quasi == b.quasi && a.sensitive == b.sensitive && a.numeric == b.numeric &&
         a.others == b.others && a.order.texts == b.order.texts &&
         a.order.numeric == b.order.numeric;
}

// That these are the parts of one population, all of them.
void CompareParts(const std::vector<Part>& parts, contract::VerifyReport& report) {
  const contract::Certificate& first = parts.front().certificate;
  std::map<std::uint32_t, std::size_t> seen;
  std::set<std::string> keys;
  for (const Part& part : parts) {
    const contract::Certificate& each = part.certificate;
    if (each.part.parts == 0) {
      report.Fail(fmt::format("{} is about all people of a table, not about a part.", each.file));
      continue;
    }
    ++seen[each.part.part];
    const auto differs = [&](bool same, const char* what) {
      if (!same) report.Fail(fmt::format("{} and {} have {}.", first.file, each.file, what));
    };
    differs(each.part.parts == first.part.parts, "another number of parts");
    differs(each.part.keyed_digest == first.part.keyed_digest,
            "another key that divides people: somebody can be in both, or in none");
    differs(each.model == first.model && each.title == first.title, "another title or model");
    differs(contract::SameSettings(each.guarantee, first.guarantee), "another guarantee");
    differs(SameColumns(each.columns, first.columns), "other columns");
    differs(each.release == first.release, "another number of releases");
    if (!each.key.empty() && !keys.insert(each.key).second) {
      report.Fail(
          fmt::format("{} is signed by the key of another part: each has its own.", each.file));
    }
  }
  for (std::uint32_t i = 1; i <= first.part.parts; ++i) {
    const std::size_t times = seen.contains(i) ? seen[i] : 0;
    if (times == 1) continue;
    report.Fail(fmt::format("Part {} of {} is {}.", i, first.part.parts,
                            times == 0 ? "missing" : "there more than once"));
  }
}

// Less is better of these, more of the others.
bool IsBound(const std::string& promise) {
  static const std::set<std::string> bounds = {"alpha",    "beta",      "j", "max_belief",
                                               "max_gain", "recursive", "t"};
  return bounds.contains(promise) || promise.starts_with("confidence");
}

// What a reader who knows the parts has: the worst of them.
void TakeWorst(const contract::AuditReport& part, contract::AuditReport& worst) {
  if (worst.model.empty()) {
    worst = part;
    return;
  }
  worst.satisfied = worst.satisfied && part.satisfied;
  worst.rows += part.rows;
  worst.cells += part.cells;
  worst.smallest = std::min(worst.smallest, part.smallest);
  worst.exposed += part.exposed;
  for (contract::PromiseKept& promise : worst.promises) {
    const auto same = std::ranges::find(part.promises, promise.name, &contract::PromiseKept::name);
    if (same == part.promises.end()) continue;
    promise.kept = promise.kept && same->kept;
    promise.measured = IsBound(promise.name) ? std::max(promise.measured, same->measured)
                                             : std::min(promise.measured, same->measured);
  }
}

// The newest releases of all parts as one file, in memory.
Result<std::string> Together(const std::vector<Part>& parts, binding::Context& context) {
  std::string header, all;
  for (const Part& part : parts) {
    const auto bytes = REISSUE_TRY(context.files.Read(part.releases.back()));
    const std::string_view text = bytes->view();
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    if (header.empty()) {
      header = all = text.substr(0, end);
    } else if (text.substr(0, end) != header) {
      return InputError({part.releases.back(), std::nullopt, std::nullopt, ""},
                        "its columns stand in another order than in other parts",
                        "Publish all parts from tables with the same columns.");
    }
    all += text.substr(end);
    if (all.back() != '\n') all += '\n';
  }
  return all;
}

// Of promises about proportions the parts alone do not tell.
Status MeasureUnion(const contract::Model& model, const std::vector<Part>& parts,
                    binding::Context& context, contract::VerifyReport& report) {
  io::RehearsalFiles files(context.files);
  files.Put(kUnion, REISSUE_TRY(Together(parts, context)));
  binding::Context stage{files, context.pool, context.progress};
  auto audit = REISSUE_TRY(model.AuditUnion(parts.front().certificate, kUnion, stage));
  if (!audit) {
    report.notes.push_back(
        "The numbers are the worst of the parts, and hold for a reader who knows which part "
        "somebody is in. Who does not know it has at least as many rows and values left for "
        "everybody who is there; what share each value has among them is not measured.");
    return Ok();
  }
  for (const contract::PromiseKept& promise : audit->promises) {
    if (promise.kept) continue;
    report.Fail(fmt::format(
        "All parts together do not keep \"{}\": {:g} was asked for and is {:g}. Each part is "
        "compared with its own people, and they are not those of all parts.",
        promise.name, promise.asked, promise.measured));
  }
  report.audit = *std::move(audit);
  return Ok();
}

// What was said of the parts, of all of them once.
void Collect(const std::vector<std::pair<std::uint32_t, std::vector<std::string>>>& said,
             std::vector<std::string>& all) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<std::string>> by;
  for (const auto& [part, words] : said) {
    for (const std::string& word : words) {
      if (!by.contains(word)) order.push_back(word);
      by[word].push_back(std::to_string(part));
    }
  }
  for (const std::string& word : order) {
    const bool everywhere = by[word].size() == said.size();
    const std::string parts = fmt::format("{}", fmt::join(by[word], ", "));
    all.push_back(everywhere ? word : fmt::format("Part {}: {}", parts, word));
  }
}

}  // namespace

Result<contract::VerifyReport> VerifyParts(const std::vector<std::string>& files,
                                           binding::Context& context,
                                           const std::vector<std::string>& keys,
                                           const std::string& policy) {
  std::vector<std::string> trusted_keys;
  for (const std::string& key : keys) {
    trusted_keys.push_back(REISSUE_TRY(PublicKeyOf(key, context)));
  }
  Given given = REISSUE_TRY(Sort(files, context));
  REISSUE_TRY(Deal(given));
  std::ranges::sort(given.parts, {}, [](const Part& part) { return part.certificate.part.part; });
  contract::VerifyReport report;
  contract::Certificate& first = given.parts.front().certificate;
  report.title = first.title;
  report.model = first.model;
  report.created = first.created;
  report.release = first.release;
  report.parts = first.part.parts;
  report.columns = first.columns;
  report.signer = contract::Signer::kGiven;
  CompareParts(given.parts, report);
  std::vector<std::pair<std::uint32_t, std::vector<std::string>>> failures, rests, notes;
  for (const Part& part : given.parts) {
    const contract::Certificate& certificate = part.certificate;
    const auto known = std::ranges::find(trusted_keys, certificate.key);
    Trusted trusted{"", policy};
    if (!keys.empty()) trusted.key = known == trusted_keys.end() ? trusted_keys.front() : *known;
    const contract::VerifyReport one =
        REISSUE_TRY(Verify(certificate.file, part.releases, context, {}, {}, trusted));
    failures.emplace_back(certificate.part.part, one.failures);
    rests.emplace_back(certificate.part.part, one.rests);
    notes.emplace_back(certificate.part.part, one.notes);
    report.valid = report.valid && one.valid;
    report.signer = std::max(report.signer, one.signer);
    report.chain += one.chain;
    report.policy_compared = one.policy_compared;
    if (one.signer != contract::Signer::kGiven) report.key = one.key;
    TakeWorst(one.audit, report.audit);
  }
  Collect(failures, report.failures);
  Collect(rests, report.rests);
  Collect(notes, report.notes);
  if (!report.valid) return report;
  const contract::Model* const model = FindModel(first.model);
  REISSUE_CHECK(model != nullptr);
  first.promise =
      REISSUE_TRY(model->Read({first.guarantee, {}, first.columns, first.file, nullptr}));
  REISSUE_TRY(MeasureUnion(*model, given.parts, context, report));
  return report;
}

}  // namespace reissue::engine
