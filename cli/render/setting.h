#pragma once
// How tables relate, as `advise` and `init` tell it.

#include <string>
#include <vector>

#include "cli/render/json.h"
#include "cli/render/reports.h"
#include "cli/render/text.h"

namespace reissue::cli {

struct TableLine {
  std::string path;
  std::uint64_t rows = 0, columns = 0;
};
template <typename File>
std::vector<TableLine> LinesOf(const std::vector<File>& files) {
  std::vector<TableLine> lines;
  for (const File& file : files) lines.push_back({file.path, file.rows, file.columns});
  return lines;
}
std::string TablesText(const std::vector<TableLine>& tables, const Style& style);
Json TablesJson(const std::vector<TableLine>& tables);

// Steps, model, why, promise; without the notes.
std::string SettingText(const advice::SettingAdvice& setting, const std::string& order,
                        const Style& style);
Json SettingJson(const advice::SettingAdvice& setting, const std::string& order);

}  // namespace reissue::cli
