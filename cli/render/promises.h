#pragma once
// Promises in plain words, and what is certain whatever was promised; shared by the reports that
// say so.

#include <string>
#include <vector>

#include "cli/page/section.h"
#include "cli/render/json.h"
#include "cli/style.h"
#include "reissue/contract/reports.h"

namespace reissue::cli {

// What a promise is about.
struct Meaning {
  std::string name;
  std::string words;
  std::string limit;  // "at least", "at most", "below"
};

// A table of promises: what each means, asked, measured, kept. `own`: words that count before those
// that several models share.
std::string PromiseTable(const std::vector<contract::PromiseKept>& promises, const Style& style,
                         const std::vector<Meaning>& own = {});
// What was measured without being promised.
std::string MeasureTable(const std::vector<contract::PromiseKept>& measures);

// The same for a page.
page::Grid PromiseGrid(const std::vector<contract::PromiseKept>& promises,
                       const std::vector<Meaning>& own = {});
page::Grid MeasureGrid(const std::vector<contract::PromiseKept>& measures);

Json PromisesJson(const std::vector<contract::PromiseKept>& promises);
Json AuditObject(const contract::AuditReport& report);

// "12 people are singled out, and the value of 340 people is certain"; empty where it is not known.
std::string AbsoluteWords(const contract::Exposure& exposure);
// "Whatever was promised: 12 people are singled out, and the value of 340 people is certain.";
// empty where it is not known.
std::string ExposureWords(const contract::Exposure& exposure);
Json ExposureObject(const contract::Exposure& exposure);

// The promise is kept, nothing is published by mistake, and nothing is certain.
bool NobodyIsExposed(const contract::AuditReport& report);
// Where no promise is broken and somebody is exposed all the same: who, as a paragraph. Else
// nothing.
std::string CertainAnyway(const contract::AuditReport& report);

}  // namespace reissue::cli
