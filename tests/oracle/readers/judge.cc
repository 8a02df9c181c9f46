#include "judge.h"

#include <cmath>
#include <cstdio>

namespace reissue::readers {
namespace {

std::string Share(double part, std::uint64_t whole) {
  char text[40];
  std::snprintf(text, sizeof text, "%.1f %%",
                whole == 0 ? 0.0 : 100 * part / static_cast<double>(whole));
  return text;
}

template <typename... Cells>
std::string Columns(const char* format, Cells... cells) {
  char text[200];
  std::snprintf(text, sizeof text, format, cells...);
  return text;
}

}  // namespace

std::string Word(Verdict verdict) {
  switch (verdict) {
    case Verdict::kKept:
      return "kept";
    case Verdict::kBroken:
      return "broken";
    case Verdict::kNotProven:
      return "not proven";
    case Verdict::kNotOneSeries:
      return "not one series";
    case Verdict::kError:
      return "an error";
  }
  return "";
}

std::string Difference(const Finding& reader, const Finding& program) {
  if (program.verdict != Verdict::kNotProven && program.verdict != reader.verdict) {
    return "the program says " + Word(program.verdict) + ", the reader finds " +
           Word(reader.verdict) + " (" +
           (program.verdict == Verdict::kError ? program.words : reader.words) + ")";
  }
  for (const auto& [name, number] : program.numbers) {
    const auto found = reader.numbers.find(name);
    if (found == reader.numbers.end()) continue;
    if (std::abs(found->second - number) > kTolerance * std::max(1.0, std::abs(number))) {
      return name + ": the program says " + std::to_string(number) + ", the reader finds " +
             std::to_string(found->second);
    }
  }
  return "";
}

void Tally::Count(Verdict program) {
  ++cases;
  kept += program == Verdict::kKept;
  not_proven += program == Verdict::kNotProven;
  broken += program == Verdict::kBroken || program == Verdict::kNotOneSeries;
}

std::string TallyHeader() {
  return Columns("%-14s %-10s %8s %8s %8s %11s %8s %14s\n", "model", "series", "cases", "kept",
                 "broken", "not proven", "refused", "disagreements");
}

std::string LineOf(const Tally& tally) {
  return Columns("%-14s %-10s %8zu %8zu %8zu %11zu %8zu %14zu\n", tally.model.c_str(),
                 tally.kind.c_str(), tally.cases, tally.kept, tally.broken, tally.not_proven,
                 tally.refused, tally.disagreements.size());
}

std::string RatesHeader() {
  return Columns("%-32s %8s %8s %12s %10s %20s\n", "model", "cases", "people", "files alone",
                 "certain", "beyond the promise");
}

std::string LineOf(const Rates& rates) {
  return Columns("%-32s %8zu %8zu %12s %10s %20s\n", rates.model.c_str(), rates.cases, rates.people,
                 Share(rates.told, rates.people).c_str(),
                 Share(rates.certain, rates.people).c_str(),
                 Share(rates.beyond, rates.people).c_str());
}

}  // namespace reissue::readers
