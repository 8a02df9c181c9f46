#include "trial.h"

namespace reissue::readers {
namespace {

// Enough to see what is wrong; shrinking takes time.
constexpr std::size_t kShown = 3;

class Published {
 public:
  Published(const Model& model, const Publisher& publish, const Auditor& audit, std::uint64_t seed)
      : model_(model), publish_(publish), audit_(audit), seed_(seed) {}

  // What is wrong with what the program makes of these tables; counts it where a tally is given.
  std::string Complaint(const Case& one, Tally* tally) {
    const Desk::Published made = publish_(one, seed_);
    if (tally != nullptr && made.tables.size() < one.sheets.size()) ++tally->refused;
    if (made.released.empty()) return made.complaint;
    Case of = one;
    of.sheets = made.tables;
    const auto own = model_.ReadOwn(of, made.released);
    const auto read = model_.Read(one, made.released);
    if (!own || !read) return "";
    const Finding program = audit_(one, made.released);
    if (tally != nullptr) tally->Count(program.verdict);
    if (!made.complaint.empty()) return made.complaint;
    if (own->verdict != Verdict::kKept) return "published, and it falls: " + own->words;
    return Difference(*read, program);
  }

 private:
  const Model& model_;
  const Publisher& publish_;
  const Auditor& audit_;
  std::uint64_t seed_;
};

}  // namespace

Tally TryForeign(const Model& model, const Auditor& audit, std::uint64_t cases,
                 std::uint64_t seed) {
  Tally tally{model.name(), "foreign"};
  const auto difference = [&](const Case& one, Finding* program) {
    const auto read = model.Read(one, one.sheets);
    if (!read) return std::string();
    const Finding said = audit(one, one.sheets);
    if (program != nullptr) *program = said;
    return Difference(*read, said);
  };
  Chance chance(seed);
  while (tally.cases < cases) {
    const Case one = model.Foreign(chance);
    if (!model.Read(one, one.sheets)) continue;
    Finding program;
    std::string words = difference(one, &program);
    tally.Count(program.verdict);
    if (words.empty()) continue;
    if (tally.disagreements.size() < kShown) {
      const Case least =
          Shrunk(one, [&](const Case& next) { return !difference(next, nullptr).empty(); });
      words = difference(least, nullptr) + "\n" + least.Text();
    }
    tally.disagreements.push_back(words);
  }
  return tally;
}

Tally TryPublished(const Model& model, const Publisher& publish, const Auditor& audit,
                   std::uint64_t cases, std::uint64_t seed) {
  Tally tally{model.name(), "published"};
  Chance chance(seed);
  for (std::uint64_t drawn = 0; drawn < cases; ++drawn) {
    const Case one = model.Tables(chance);
    Published published(model, publish, audit, seed + drawn);
    std::string words = published.Complaint(one, &tally);
    if (words.empty()) continue;
    if (tally.disagreements.size() < kShown) {
      const Case least = Shrunk(
          one, [&](const Case& next) { return !published.Complaint(next, nullptr).empty(); });
      words = published.Complaint(least, nullptr) + "\n" + least.Text() + "-- published\n";
      for (const Sheet& sheet : publish(least, seed + drawn).released) words += sheet.Text();
    }
    tally.disagreements.push_back(words);
  }
  return tally;
}

}  // namespace reissue::readers
