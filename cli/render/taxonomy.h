#pragma once
// Trees and what was found about them, for people and for programs.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/style.h"
#include "reissue/core/result.h"
#include "reissue/taxonomy/draft.h"
#include "reissue/taxonomy/taxonomy.h"

namespace reissue::cli {

// A tree down to a depth (the root has depth 0).
struct TreeReport {
  std::string file;
  const taxonomy::Taxonomy* tree = nullptr;
  std::uint64_t depth = 0;
};

// One entry per file: a tree, or what is wrong with it.
struct TreesReport {
  struct Entry {
    std::string file;
    std::uint64_t leaves = 0, nodes = 0, height = 0;
    std::optional<Error> problem;
  };
  std::vector<Entry> files;
};

// What a draft gives away.
inline constexpr char kDraftTells[] =
    "the draft lists values of the table, the least and the greatest among them: whoever reads it "
    "learns them, and a release shows those of its labels that it needs.";

// What becomes of `?`, `NA` and the like.
inline constexpr char kMarksStand[] =
    "Values that mean missing stand directly below the root. They are no numbers: leave `type = "
    "\"numeric\"` out of the policy, and set `missing = \"value\"` in its [table].";

struct DraftReport {
  std::string column;
  std::string file;  // "-": standard output
  const taxonomy::Draft* draft = nullptr;
};

std::string ToText(const DraftReport& report, const Style& style);
std::string ToJson(const DraftReport& report);
std::string ToText(const TreeReport& report, const Style& style);
std::string ToJson(const TreeReport& report);
std::string ToText(const TreesReport& report, const Style& style);
std::string ToJson(const TreesReport& report);

}  // namespace reissue::cli
