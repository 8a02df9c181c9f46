#pragma once
// What an audit of a series found, for people and programs. Releases count from 1.
// Plain values.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reissue/binding/words.h"
#include "reissue/models/k/service/report.h"

namespace reissue::models::bcf::service {

// At least `lower`, at most `upper`.
struct Bounds {
  std::uint64_t lower = 0, upper = 0;
};

// F, C and B of one pair of releases.
struct PairAudit {
  std::uint32_t earlier = 0, later = 0;
  std::string method;  // "envelope" or "flow"; both are exact for the pair
  std::string why;     // flow: which label and which one above it stand in one column
  struct Attack {
    std::optional<std::uint64_t> anonymity;  // null: no target
    std::uint64_t exposed = 0;               // rows of the attacked release
  };
  Attack forward, cross, backward;
  // Promises beyond k that what is left breaks: "F: distinct".
  struct Breach {
    std::string attack, promise;
    binding::LabelledCell cell;
    std::uint64_t left = 0;
    double measured = 0, promised = 0;
  };
  std::vector<Breach> broken;
};

// People who first appear in one release.
struct BirthAudit {
  std::uint32_t release = 0;
  // The paper's formulas for three and more releases: upper bounds per person.
  std::optional<std::uint64_t> forward, cross, backward;
  std::optional<Bounds> exact;  // null: nobody can first appear there
};

// Somebody who is exposed.
struct SeriesExposure {
  std::string attack;   // "F", "C", "B", or "exact": only all releases together tell
  std::string promise;  // which promise it breaks
  std::uint32_t born = 0;
  std::uint32_t release = 0;           // whose rows are excluded
  std::vector<std::uint32_t> against;  // the releases that tell
  binding::LabelledCell cell;
  std::uint64_t size = 0, excluded = 0, left = 0;
  // Where the person is in the other releases that count.
  struct Elsewhere {
    std::uint32_t release = 0;
    binding::LabelledCell cell;
    std::uint64_t size = 0;
  };
  std::vector<Elsewhere> elsewhere;
  std::string words;
};

// Why the files are not releases of one growing table.
struct SeriesConflict {
  std::string value;
  struct Group {
    std::uint32_t release = 0;
    binding::LabelledCell cell;
    std::uint64_t rows = 0;  // with the value
    std::int64_t times = 0;  // how often it counts in the proof: below 0 what must find room
  };
  std::vector<Group> groups;  // the first ones
  std::uint64_t more_groups = 0;
  std::string words;
};

enum class SeriesVerdict { kKept, kBroken, kUnknown, kNotOneSeries };

struct SeriesFindings {
  std::optional<k::service::CellFindings> alone;  // of one release, which is judged as by model `k`
  std::uint64_t k = 1;
  std::string targets = "any";   // who counted here
  std::string promised = "any";  // whom the policy protects
  SeriesVerdict verdict = SeriesVerdict::kKept;
  std::optional<std::uint64_t> forward, cross, backward;  // least over the pairs
  std::optional<Bounds> exact;                            // all releases together
  std::vector<PairAudit> pairs;
  std::vector<BirthAudit> births;
  std::optional<std::uint64_t> formulas;  // the paper's, least of all; null for fewer than three
  bool formulas_complete = true;
  std::vector<std::string> broken;  // promises, proven
  std::uint64_t targets_seen = 0, undecided = 0;
  // Where rows are starred, and the policy says that whoever is stays so.
  struct Starred {
    std::uint64_t rows = 0;    // of the newest release
    bool rule_broken = false;  // they do not: starred rows count as any others
  };
  std::optional<Starred> starred;
  std::vector<SeriesExposure> worst;
  std::vector<SeriesConflict> conflicts;
};

}  // namespace reissue::models::bcf::service
