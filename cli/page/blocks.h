#pragma once
// From what a page says (section.h) to the whole file.

#include <string>
#include <vector>

#include "cli/page/html.h"
#include "cli/page/section.h"

namespace reissue::cli::page {

struct Page {
  std::string language = "en";
  std::string title;
  std::string about;         // below the title: what it was made from
  std::string privacy = {};  // whom it is for and why; empty: for anybody
  Tone tone = Tone::kPlain;  // of the verdict
  std::string mark;          // the verdict in a word or two
  std::string verdict;       // and in a sentence
  std::vector<std::string> notices;
  std::vector<Section> sections;  // with something in them
  std::string foot;
};

// The file: no script, nothing from elsewhere.
std::string FileOf(const Page& page);

}  // namespace reissue::cli::page
