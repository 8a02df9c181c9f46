#include "reissue/models/xy/service/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace reissue::models::xy::service {
namespace {

std::string Percent(double share) { return fmt::format("{:.4g} %", 100 * share); }

std::string Records(Wide number) { return number == 1 ? "1 record" : Digits(number) + " records"; }

// "12 different rows of T1.csv", "3 different values of test".
std::string Distinct(std::uint64_t number, const AskedRequirement& asked,
                     const xy::Requirement& requirement, const std::vector<std::string>& files) {
  std::vector<std::string> of;
  for (const std::string& name : asked.y) {
    if (name != "key" && !name.ends_with(".key")) of.push_back(name);
  }
  for (const std::size_t table : requirement.y_keys) of.push_back("rows of " + files[table]);
  const bool one = number == 1;
  const std::string counted = one ? "1" : Digits(number) + " different";
  if (of.size() > 1) {
    return fmt::format("{} combination{} of {}", counted, one ? "" : "s", binding::Listed(of));
  }
  if (requirement.y.empty()) {
    return fmt::format("{} row{} of {}", counted, one ? "" : "s", files[requirement.y_keys[0]]);
  }
  return fmt::format("{} value{} of {}", counted, one ? "" : "s", of[0]);
}

std::string AnonymityWords(const JoinFinding& finding, const AskedRequirement& asked,
                           const xy::Requirement& requirement,
                           const std::vector<std::string>& files) {
  const bool one = finding.records == 1;
  const std::string matching = fmt::format("{} of the join {} {}", Records(finding.records),
                                           one ? "matches" : "match", binding::Where(finding.x));
  const std::string promised =
      fmt::format("where at least {} {} promised", Digits(asked.k), asked.k == 1 ? "was" : "were");
  // Rows of all files: every record of the join counts as itself.
  if (requirement.y.empty() && requirement.y_keys.size() == files.size()) {
    return matching + ", " + promised;
  }
  return fmt::format("{}: {} {}, {}", matching, one ? "it has" : "they have",
                     Distinct(finding.distinct, asked, requirement, files), promised);
}

std::string LinkabilityWords(const JoinFinding& finding) {
  return fmt::format("Of {} of the join that {} {}, {} {} {}: {}, where at most {} were promised",
                     Records(finding.records), finding.records == 1 ? "matches" : "match",
                     binding::Where(finding.x), Digits(finding.records_with_y),
                     finding.records_with_y == 1 ? "has" : "have", binding::Where(finding.y),
                     Percent(finding.share), Percent(finding.threshold));
}

}  // namespace

std::string Digits(Wide number) {
  std::string digits;
  for (int place = 0; number > 0 || place == 0; ++place, number /= 10) {
    if (place > 0 && place % 3 == 0) digits += ',';
    digits += static_cast<char>('0' + static_cast<int>(number % 10));
  }
  std::reverse(digits.begin(), digits.end());
  return digits;
}

binding::LabelledCell AsWritten(const std::vector<std::string>& names, binding::LabelledCell cell) {
  for (std::size_t i = 0; i < cell.size(); ++i) cell[i].first = names[i];
  return cell;
}

JoinFinding Describe(const xy::Finding& found, const AskedRequirement& asked,
                     const xy::Requirement& requirement, const Namer& name,
                     const std::vector<std::string>& files) {
  JoinFinding finding;
  finding.x = AsWritten(asked.x, name.Cell(requirement.x, found.x));
  finding.records = found.records;
  finding.distinct = found.distinct;
  finding.records_with_y = found.records_with_y;
  finding.share = found.share;
  finding.threshold = found.threshold;
  if (asked.anonymity()) {
    finding.broken = found.distinct < requirement.k;
    finding.words = AnonymityWords(finding, asked, requirement, files);
    return finding;
  }
  finding.broken = found.share > found.threshold;
  if (found.value) {
    const AskedRequirement::Value& value = asked.values[*found.value];
    finding.y.emplace_back(value.column, value.value);
  } else if (!found.y.empty()) {
    finding.y = AsWritten(asked.y, name.Cell(requirement.y, found.y));
  }
  finding.words = LinkabilityWords(finding);
  return finding;
}

std::vector<std::string> DanglingWords(const std::vector<std::string>& files,
                                       const std::vector<std::uint64_t>& rows,
                                       const std::vector<std::uint64_t>& dangling) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (dangling[i] == 0) continue;
    const bool one = dangling[i] == 1;
    const std::string said =
        fmt::format("{} of {} row{} of {} {} no partner in the join, and no promise is about {}. ",
                    Digits(dangling[i]), Digits(rows[i]), rows[i] == 1 ? "" : "s", files[i],
                    one ? "has" : "have", one ? "it" : "them");
    words.push_back(said + (i == 0 ? "Leave out who is in no earlier file, or judge the release by "
                                     "a policy of model \"k\" too; if everybody is in all files, "
                                     "a label is wrong."
                                   : "That is right for people who are not in the release; if they "
                                     "are, a label is wrong."));
  }
  return words;
}

}  // namespace reissue::models::xy::service
