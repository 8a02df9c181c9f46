#pragma once
// What was found in a join, in the words of the policy.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "reissue/models/xy/adversary/attack.h"
#include "reissue/models/xy/service/linked.h"
#include "reissue/models/xy/service/report.h"

namespace reissue::models::xy::service {

// Labels of codes.
class Namer {
 public:
  Namer(const LinkedSchema& schema, const std::vector<std::vector<LinkedCodes>>& codes)
      : schema_(schema), codes_(codes) {}

  std::pair<std::string, std::string> operator()(const xy::Attribute& at,
                                                 std::uint32_t code) const {
    return {schema_.NameOf(at), codes_[at.table][at.column].LabelOf(code)};
  }
  binding::LabelledCell Cell(const std::vector<xy::Attribute>& columns,
                             const std::vector<std::uint32_t>& codes) const {
    binding::LabelledCell cell;
    for (std::size_t i = 0; i < columns.size(); ++i) cell.push_back((*this)(columns[i], codes[i]));
    return cell;
  }

 private:
  const LinkedSchema& schema_;
  const std::vector<std::vector<LinkedCodes>>& codes_;
};

// Columns by the names that the policy gives them.
binding::LabelledCell AsWritten(const std::vector<std::string>& names, binding::LabelledCell cell);

// `files` are the names of the files for people.
JoinFinding Describe(const Finding& found, const AskedRequirement& asked,
                     const Requirement& requirement, const Namer& name,
                     const std::vector<std::string>& files);

// What to know of rows that match nothing, in words: an entry per file that has some. Everything is
// per file, the release first.
std::vector<std::string> DanglingWords(const std::vector<std::string>& files,
                                       const std::vector<std::uint64_t>& rows,
                                       const std::vector<std::uint64_t>& dangling);

}  // namespace reissue::models::xy::service
